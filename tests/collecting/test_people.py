"""Simulated people with known noise: the exported answers are what theory says."""

from __future__ import annotations

import asyncio
import csv
import json
import math
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from benchmarks.collect import prepare, run, verify

from grice.collecting.counts import exclude, include
from grice.collecting.export import gold, runs
from grice.collecting.store import Store
from grice.core.errors import InputError
from grice.storage.pool import pool_by
from grice.storage.run import Run, join
from grice.storage.run_folder import find_runs
from grice.theory.slider import probability
from grice.verbs import collect
from grice.verbs.campaign_data import open_campaign
from grice.verbs.collect import measure_agreement
from tests.collecting.hand import Visitor, campaign, items, slide
from tests.collecting.test_at_rest import write_campaign
from tests.collecting.test_store import person, work_through
from tests.hand import held_port

PAIRS, RATERS, SPREAD, NOISE = 150, 4, 1500.0, 1000.0


def true_step(hypothesis: str) -> float:
    return 5000 + SPREAD * random.Random(hypothesis).gauss(0, 1)


@pytest.mark.slow
def test_raters_with_noise_correlate_as_theory_says(tmp_path: Path) -> None:
    data = items(PAIRS // 5)
    asked = campaign(tmp_path, work={"redundancy": RATERS, "third_when": 0, "per_page": 25})
    store = Store(asked, data)
    for rater in range(RATERS):
        noise = random.Random(rater)
        visitor = Visitor(store).join()
        while visitor.answer(
            lambda _p, h, noise=noise: slide(  # type: ignore[misc]
                min(10_000, max(0, round(true_step(h) + noise.gauss(0, NOISE))))
            )
        ):
            pass
    made = runs(store, data)
    assert [run.answered for run in made] == [PAIRS] * RATERS
    raws = np.array([run.frame.sort("id")["raw"].cast(int).to_list() for run in made], dtype=float)

    v, s = SPREAD**2, NOISE**2
    with_mean = math.sqrt((v + s / RATERS) / (v + s))
    with_rest = v / math.sqrt((v + s) * (v + s / (RATERS - 1)))
    found = np.mean([np.corrcoef(raws[r], raws.mean(axis=0))[0, 1] for r in range(RATERS)])
    rest = np.mean(
        [np.corrcoef(raws[r], np.delete(raws, r, axis=0).mean(axis=0))[0, 1] for r in range(RATERS)]
    )
    # The standard error of r is (1 − r²)/√n; four of them leave chance little room.
    assert found == pytest.approx(with_mean, abs=4 * (1 - with_mean**2) / math.sqrt(PAIRS))
    assert rest == pytest.approx(with_rest, abs=4 * (1 - with_rest**2) / math.sqrt(PAIRS))

    frame = join(data, *made)
    by_hand = np.array(
        [frame.filter(judge=run.judge).sort("id")["value"].to_list() for run in made], dtype=float
    )
    assert by_hand[0, 0] == probability(raws[0, 0])
    means = gold(store, data).data.frame.sort("id")["gold.people"].to_numpy()
    assert means == pytest.approx(by_hand.mean(axis=0))
    rows = {row["measure"]: row["value"] for row in measure_agreement(store, data)}
    one_out = np.mean(
        [
            np.corrcoef(by_hand[r], np.delete(by_hand, r, axis=0).mean(axis=0))[0, 1]
            for r in range(RATERS)
        ]
    )
    assert rows["leave_one_out:pearson"] == pytest.approx(one_out), "each person is one column"
    store.close()


def test_kappa_is_of_the_first_round(tmp_path: Path) -> None:
    data = items(1, 4)
    store = Store(campaign(tmp_path, "labels"), data)
    with pytest.raises(InputError, match="two people"):
        measure_agreement(store, data)
    Visitor(store).join().answer(
        lambda _p, h: {
            "values": {
                "answer": (
                    "neutral" if h.startswith(("Someone ate 0", "Someone ate 1")) else "entailment"
                )
            }
        }
    )
    Visitor(store).join().answer(
        lambda _p, h: {
            "values": {"answer": "neutral" if h.startswith("Someone ate 0") else "entailment"}
        }
    )
    rows = {row["measure"]: row["value"] for row in measure_agreement(store, data)}
    # Three of four alike; by chance ½·¼ + ½·¾ = ½.
    assert rows["kappa"] == pytest.approx((0.75 - 0.5) / 0.5)
    store.close()


def test_pragmatic_findings_are_counted_as_in_the_paper(tmp_path: Path) -> None:
    data = items(1, 2)
    store = Store(campaign(tmp_path, "pragmatic"), data)
    more = {"direction": "P to H", "negated": "no", "subtype": "existence", "embedded": "no"}
    for first, second in (
        ("presupposition", "implicature"),
        ("presupposition", "presupposition"),
        ("neither", "neither"),
    ):
        visitor = Visitor(store).join()
        said = {"Someone ate 0 of 0 cakes.": first, "Someone ate 1 of 0 cakes.": second}
        while visitor.answer(
            lambda _p, h, said=said: {
                "values": {"relation": said[h], **(more if said[h] != "neither" else {})}
            }  # type: ignore[misc]
        ):
            pass
    rows = {row["measure"]: row["value"] for row in measure_agreement(store, data)}
    assert rows["presupposition: pairs by two or more"] == 1
    assert rows["presupposition: pairs by anyone"] == 2
    assert rows["implicature: pairs by anyone"] == 1
    assert rows["both tags: pairs"] == 1
    store.close()


@pytest.mark.slow
def test_people_at_once_lose_nothing_when_the_server_is_killed(tmp_path: Path) -> None:
    path = prepare(tmp_path, 200)
    tally, _, kills = asyncio.run(run(path, 8, kills=1, every=1.0, patience=3))
    counts = verify(path, tally)
    assert kills == 1
    assert counts["acknowledged"] == counts["there"] > 150
    zero = ("lost or changed", "pairs over what was asked", "pairs not finished", "strange replies")
    assert {name: counts[name] for name in zero} == dict.fromkeys(zero, 0)
    assert counts["pairs with a third rating too many or too few"] == 0


def grice(where: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "grice", "collect", *words],
        cwd=where,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    # JSON is alone on standard output; what was guessed of the table of items is said on the other.
    return done.stdout if "--json" in words else done.stdout + done.stderr


@pytest.mark.slow
def test_a_campaign_from_the_command_line(tmp_path: Path) -> None:
    items(1, 3).write(tmp_path / "items.jsonl")
    grice(tmp_path, "new", "likert", "-o", "c.toml")
    assert "exists already" in grice(tmp_path, "new", "likert", "-o", "c.toml", code=2)
    path = tmp_path / "c.toml"
    path.write_text(path.read_text().replace("least_seconds = 2", "least_seconds = 0"))
    for word in ("status", "agreement", "export"):
        assert "no answers yet; start it with: grice collect serve c.toml" in grice(
            tmp_path, word, "c.toml", code=1
        )
    store, _ = open_campaign(path)
    for point in (2, 1, 2):
        Visitor(store).join().answer(lambda _p, _h, point=point: {"values": {"answer": point}})  # type: ignore[misc]
    store.close()
    stand = json.loads(grice(tmp_path, "status", "c.toml", "--json"))
    assert (stand["answered"], stand["ratings left"], stand["people"]) == (9, 0, 3)
    rows = json.loads(grice(tmp_path, "export", "c.toml", "-o", "gold.jsonl", "--json"))
    assert [row["answered"] for row in rows] == [3, 3, 3, 3]
    first = json.loads((tmp_path / "gold.jsonl").read_text().splitlines()[0])
    assert first["gold"]["people"] == pytest.approx(5 / 3)
    assert first["tags"]["raters"] == "3"
    assert "alpha:interval" in grice(tmp_path, "agreement", "c.toml")
    assert "needs two people" not in grice(tmp_path, "status", "c.toml")
    assert "no such file" in grice(tmp_path, "status", "d.toml", code=2)
    assert "so that a token is needed" in grice(
        tmp_path, "serve", "c.toml", "--host", "0.0.0.0", code=2
    )


@pytest.mark.slow
def test_serving_tells_its_links_and_logs_no_secret(tmp_path: Path) -> None:
    items(1, 3).write(tmp_path / "items.jsonl")
    grice(tmp_path, "new", "labels", "-o", "c.toml")
    with held_port() as port:
        words = [sys.executable, "-m", "grice", "collect", "serve", "c.toml", "--port", str(port)]
        server = subprocess.Popen(
            words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            told = [server.stdout.readline() for _ in range(4)]
            link, admin = told[1].split()[-1], told[3].split()[-1]
            transport = httpx.HTTPTransport(retries=8)
            with httpx.Client(transport=transport, timeout=120, trust_env=False) as http:
                assert "I agree" in http.get(link).text
                assert "Administration" in http.get(admin, follow_redirects=True).text
                assert http.get(link[:-1]).status_code == 403
                assert http.get(link, headers={"host": "elsewhere"}).status_code == 400
            server.send_signal(signal.SIGINT)
            rest, errors = server.communicate(timeout=120)
        finally:
            server.kill()
    assert server.returncode == 130
    assert link.partition("key=")[2] not in rest + errors
    assert "Traceback" not in errors


def test_an_export_removes_the_runs_of_people_excluded_since(tmp_path: Path) -> None:
    path = write_campaign(tmp_path / "c")
    data = items(2)
    data.write(path.parent / "items.jsonl")
    store, _ = open_campaign(path)
    people = [person(store) for _ in range(2)]
    for number in people:
        work_through(store, number, 2000)

    def export(*, excluded: bool = False) -> list[dict[str, Any]]:
        gold = tmp_path / "gold.jsonl"
        return collect.export(path, into=tmp_path / "runs", out=gold, excluded=excluded)

    assert len(export()) == 3
    exclude(store, people[0], "a robot")
    rows = export()
    assert [row["judge"] for row in rows][:2] == ["person/0002", "person/0001"]
    kept = [Run.read(folder) for folder in find_runs(tmp_path / "runs")]
    assert [run.judge for run in kept] == ["person/0002"]
    export(excluded=True)
    both = [Run.read(folder) for folder in find_runs(tmp_path / "runs")]
    assert len(both) == 2
    pooled = pool_by(both, "people")
    assert [run.settings.get("pooled") for run in pooled if run.judge == "people"] == [
        ["person/0002"]
    ]
    include(store, people[0])
    assert collect.status(path)["people excluded"] == 0
    assert collect.status(path)["answered"] == 2 * len(data)
    store.close()


def test_responses_have_a_row_each_with_the_condition_and_the_order(tmp_path: Path) -> None:
    path = write_campaign(tmp_path / "c")
    data = items(2)
    data.write(path.parent / "items.jsonl")
    store, _ = open_campaign(path)
    for _ in range(2):
        work_through(store, person(store), 2000)
    exclude(store, 1, "=a robot")
    frame = collect.responses(path)
    written_to = tmp_path / "responses.csv"
    collect.export(path, into=tmp_path / "runs", out=tmp_path / "gold.jsonl", csv=written_to)
    store.close()
    assert frame.height == 2 * len(data)
    assert frame.filter(person="person/0002")["trial"].to_list() == list(range(1, len(data) + 1))
    assert frame["excluded"].drop_nulls().unique().to_list() == ["=a robot"]
    by_id = dict(data.frame.select("id", "group").iter_rows())
    assert all(by_id[item] == group for item, group in frame.select("id", "paradigm").iter_rows())
    written = list(csv.DictReader(written_to.open()))
    assert len(written) == frame.height
    assert {row["excluded"] for row in written} == {"'=a robot", ""}
