"""Requests, tokens and cost are those of all sessions of a run, also of one that was killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.core.dataset import Dataset
from grice.core.errors import GriceError
from grice.core.scale import NLI
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.hand import pair
from tests.judges.servers import Act, completion, serving, two_wordings

# A price of 1 and 2 for a million tokens, of which a reply has 20 and 2.
REPLY_COST = 24e-6


def many(count: int) -> Dataset:
    return Dataset.from_items("many", NLI, [pair(i) for i in range(count)])


def judge(url: str, **settings: Any) -> Openai:
    return Openai(
        "m", **{"url": url, "price": "1,2", "backoff": "0.002", "connections": 4, **settings}
    )


def test_requests_are_summed_over_sessions_retries_included(tmp_path: Path) -> None:
    def script(_body: dict[str, Any], number: int) -> Act:
        return Act("{}", 500) if number % 5 == 2 else completion("neutral")

    with serving(script) as server:
        for limit in (10, 30, 30):
            run = evaluate(many(30), judge(server.url), into=tmp_path, limit=limit)
            assert run.notes["requests"] == len(server.bodies)
    assert len(server.bodies) > run.notes["answered requests"] == 30
    assert (run.notes["tokens in"], run.notes["cost"]) == (600, pytest.approx(30 * REPLY_COST))
    assert json.loads((next(tmp_path.iterdir()) / "notes.json").read_text())["sessions"] == 3


def test_one_judge_asked_about_two_datasets_counts_each_run_alone(tmp_path: Path) -> None:
    other = Dataset.from_items("other", NLI, [pair(i) for i in range(40, 45)])
    with serving(lambda _body, _number: completion("neutral")) as server:
        one = judge(server.url)
        for _ in range(2):
            found = [
                evaluate(data, one, into=tmp_path).notes["requests"] for data in (many(8), other)
            ]
    assert found == [8, 5]


def test_sessions_that_end_in_an_error_are_counted(tmp_path: Path) -> None:
    with serving(lambda _body, _number: completion("neutral")) as server:
        for _ in range(3):
            with pytest.raises(GriceError, match="limit of 4 requests"):
                evaluate(many(20), judge(server.url, limit_requests=4), into=tmp_path)
        run = Run.read(next(tmp_path.iterdir()))
    assert (run.notes["requests"], run.answered, len(server.bodies)) == (12, 12, 12)


@pytest.mark.parametrize("usage", [True, False])
@pytest.mark.parametrize("settings", [{}, {"methods": "two"}, {"samples": 3, "temperature": 1}])
def test_a_killed_session_is_counted_from_its_replies(
    usage: bool, settings: dict[str, Any], tmp_path: Path
) -> None:
    """As after a kill: replies are there that no note tells of."""
    several = "methods" in settings
    settings = {**settings, **({"methods": two_wordings(tmp_path)} if several else {})}
    tmp_path /= "runs"

    def script(body: dict[str, Any], _number: int) -> Act:
        whole = json.loads(completion("neutral").body)
        whole["choices"] *= body.get("n", 1)
        return Act(json.dumps(whole if usage else {k: v for k, v in whole.items() if k != "usage"}))

    with serving(script) as server:
        first = evaluate(many(9), judge(server.url, **settings), into=tmp_path, limit=4)
        assert first.folder is not None
        before = (first.folder / "notes.json").read_bytes()
        evaluate(many(9), judge(server.url, **settings), into=tmp_path, limit=6)
        (first.folder / "notes.json").write_bytes(before)
        run = Run.read(first.folder)
        asked = 12 if several else 6
        assert run.notes["requests"] == run.notes["answered requests"] == asked
        assert run.notes["cost"] == pytest.approx(asked * REPLY_COST if usage else 0)
        assert (
            evaluate(many(9), judge(server.url, **settings), into=tmp_path).notes["requests"]
            == asked * 9 // 6
        )
    shown = CliRunner().invoke(build(), ["show", str(first.folder), "--json"])
    assert json.loads(shown.stdout)["notes"]["requests"] == asked * 9 // 6


def test_requests_are_summed_over_sessions(tmp_path: Path) -> None:
    with serving(lambda _body, _number: completion("neutral")) as server:
        for limit in (4, 10):
            run = evaluate(many(10), judge(server.url), into=tmp_path, limit=limit)
    assert (run.notes["requests"], run.notes["tokens in"]) == (10, 200)
    assert run.notes["cost"] == pytest.approx(10 * REPLY_COST)


@pytest.mark.slow
def test_a_run_killed_twice_counts_at_least_what_was_answered_and_at_most_what_was_sent(
    tmp_path: Path,
) -> None:
    items = tmp_path / "mine.jsonl"
    many(400).write(items)
    act = completion("neutral")
    words = [
        "judge",
        str(items),
        "--by",
        "openai/m",
        "--into",
        str(tmp_path / "runs"),
        "-M",
        "price=1,2",
    ]
    with serving(lambda _body, _number: Act(act.body, pause=0.02)) as server:
        words += ["-M", f"url={server.url}", "-M", "connections=4", "--no-probe"]
        for sent in (60, 140):
            process = subprocess.Popen(
                [sys.executable, "-m", "grice", *words], stderr=subprocess.PIPE
            )
            while len(server.bodies) < sent and process.poll() is None:
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            run = Run.read(next((tmp_path / "runs").iterdir()))
            assert 0 < run.answered <= run.notes["requests"] <= len(server.bodies)
            assert run.notes["cost"] == pytest.approx(run.answered * REPLY_COST)
        found = CliRunner().invoke(build(), [*words, "--json"])
        (row,) = json.loads(found.stdout)
    assert row["answered"] == 400 <= row["notes"]["requests"] <= len(server.bodies)
    assert row["notes"]["cost"] == pytest.approx(400 * REPLY_COST)
