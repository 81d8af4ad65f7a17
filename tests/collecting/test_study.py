"""A study from its file to a mixed model: exclusion rules, export, scripts, methods."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import grice
from grice.cli import build
from grice.collecting.audit import audit_lines
from grice.collecting.design import list_loads
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.ratings import ABOVE_CEILING
from grice.core.scale import LIKERT5
from grice.reporting.claims import CORRELATION
from grice.storage.run import Run
from grice.verbs.campaign_data import open_campaign
from grice.verbs.collect import export, new, responses
from grice.verbs.study import methods, preregister, simulate
from tests.collecting.test_design import study_items

STUDY = """
title = "Scopes"
dataset = "items.jsonl"
instrument = "slider"
attention_every = 3

[wording]
ask = "How certain is the speaker?"
anchors = ["not at all", "completely"]

[work]
per_page = 3
least_seconds = 0
fast_ms = 300

[design]
first_fillers = 1
people_per_list = 10

[exclude]
attention = 1
median_ms = 200
same_answer = 0.9
complete = 0.8
questions = { native = "yes" }

[[questions]]
name = "native"
ask = "Is English your native language?"
options = ["yes", "no"]
when = "before"

[[attention]]
premise = "Move the slider to the left."
answer = 0
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    Dataset.from_items("study", LIKERT5, study_items(12, 2, 6)).write(folder / "items.jsonl")
    (folder / "plan.toml").write_text(STUDY)
    counts = {"people": 40, "leave": 4, "careless": 3, "bots": 2}
    simulate(folder / "plan.toml", folder / "study.toml", **counts, effect=1.0, seed=3)
    return folder / "study.toml"


def test_rules_leave_people_out_with_a_flow_and_can_be_undone(study: Path) -> None:
    places = _places_taken(study)
    rows = export(study, into=study.parent / "runs", out=study.parent / "gold.jsonl")
    assert _places_taken(study) < places, "people whom a rule leaves out have no place in a list"
    flow = rows[-1]["place"]
    kept = int(re.search(r"40 started, (\d+) kept", flow)[1])  # type: ignore[index]
    reasons = {part.partition(":")[0] for part in flow.partition("left out: ")[2].split("; ")}
    assert {"attention", "incomplete", "native is not yes"} <= reasons
    frame = responses(study)
    by_person = frame.group_by("person").agg(pl.col("excluded").first())
    assert (
        by_person["excluded"].is_null().sum()
        == kept
        == len(list((study.parent / "runs").iterdir()))
    )
    bots = frame.filter((frame["kind"] == "work") & frame["too_fast"])["person"].unique()
    assert len(bots) >= 2
    store, _ = open_campaign(study)
    with store.read() as connection:
        assert "applied exclusion rules" in {line["what"] for line in audit_lines(connection)}
    store.close()
    out = by_person.filter(by_person["excluded"].is_not_null())["person"].to_list()
    text = study.read_text()
    study.write_text(text.replace("[exclude]\n", f"[exclude]\nkeep = {out!r}\n".replace("'", '"')))
    rows = export(study, into=study.parent / "runs", out=study.parent / "gold.jsonl")
    assert (
        len(list((study.parent / "runs").iterdir())) == 40 and rows[-1]["judge"] == "all together"
    )
    assert _places_taken(study) == places
    study.write_text(text)


def _places_taken(study: Path) -> float:
    store, _ = open_campaign(study)
    with closing(store), store.read() as connection:
        assert store.plan
        return sum(list_loads(connection, store.plan, store.clock()))


def test_exports_scripts_recover_the_simulated_effect(study: Path) -> None:
    file = study.parent / "responses.csv"
    export(study, into=study.parent / "r", out=study.parent / "g.jsonl", csv=file)
    rows = responses(study)
    wanted = {
        "list",
        "trial",
        "condition",
        "ms",
        "too_fast",
        "excluded",
        "question.native",
        "paradigm",
    }
    assert wanted <= set(rows.columns)
    script = [sys.executable, file.with_suffix(".py").name]
    told = subprocess.run(script, cwd=study.parent, check=True, capture_output=True, text=True)
    line = next(line for line in told.stdout.splitlines() if line.startswith("condition"))
    slope, error = (float(cell) for cell in line.split()[1:3])
    # Probit answers from 0 to 100 with an effect of 1: E[Φ] moves by about 22.
    assert abs(slope - 22) < 3 * error and 0.5 < error < 4
    if shutil.which("Rscript") is None:
        pytest.skip("the R script needs R; the Python one was run")
    r = ["Rscript", file.with_suffix(".R").name]
    told = subprocess.run(r, cwd=study.parent, check=False, capture_output=True, text=True)
    if "there is no package called" in told.stderr:
        pytest.skip("the R script needs lme4; the Python one was run")
    line = next(line for line in told.stdout.splitlines() if line.startswith("conditionc1"))
    assert float(line.split()[1]) == pytest.approx(slope, rel=0.02)


def test_own_campaigns_stand_for_people(study: Path) -> None:
    gold = study.parent / "people.jsonl"
    export(study, into=study.parent / "q", out=gold)
    data = grice.load(str(gold))
    assert (data.scale.low, data.scale.high) == (0, 100), "not that of the means"
    run = grice.evaluate(data, grice.load_judge("baseline/overlap"))
    for measure in ("ceiling", "energy:people,others"):
        cell = grice.table([run], measure).records()[0]
        assert cell["n"] > 20 and cell["value"] > 0
    rows = grice.table([run], "human_likeness").records()
    assert rows[0]["value"] is None or abs(rows[0]["value"]) < 1.5
    means = data.frame["gold.people"].to_numpy()
    near = np.clip(means + np.random.default_rng(0).normal(0, 1, len(means)), 0, 100)
    model = Run.from_columns(data, "near", data.ids, near.tolist())
    page = grice.report([model], study.parent / "page", images=False)
    claim = next(one for one in page.claims if one.people is not None)
    assert claim.people is not None and claim.people.what == CORRELATION
    assert claim.people.said.value > claim.people.people.value, "the model knew the means"
    assert claim.people.source and "()" not in claim.beside and "UNLI" not in claim.beside
    checks = [check.text for section in page.sections for check in section.checks]
    assert any(ABOVE_CEILING in text for text in checks)


def test_methods_and_preregistration_have_the_numbers(study: Path) -> None:
    text = methods(study)
    assert "40 people took part" in text and "2 lists" in text and "12 paradigms" in text
    assert "from 0 to 100 (not at all to completely)" in text and "Bates" in text
    plan = preregister(study.parent / "plan.toml")
    assert "20 in all" in plan and "- 1 or more attention items missed" in plan
    assert not (study.parent / "plan.sqlite").exists()


@pytest.mark.parametrize("instrument", ["rating", "slider", "choice"])
def test_worded_instruments_ask_their_own_question(instrument: str, tmp_path: Path) -> None:
    items = [Item(f"i{n}", f"Premise {n}.", "Hypothesis.", group=f"g{n}") for n in range(4)]
    Dataset.from_items("few", LIKERT5, items).write(tmp_path / "items.jsonl")
    path = new(instrument, "items.jsonl", tmp_path / "own.toml")
    simulate(path, tmp_path / "s.toml", people=3)
    values = set(responses(tmp_path / "s.toml")["response"].to_list())
    if instrument == "rating":
        assert values <= {f"{point}.0" for point in range(1, 8)}
    elif instrument == "slider":
        assert all(0 <= float(value) <= 100 for value in values)
    else:
        assert values <= {"yes", "no"}
    broken = path.read_text().replace("points = 7", "points = 5\nanchors = ['a', 'b', 'c']")
    broken = broken.replace('anchors = ["completely unn', '# anchors = ["')
    broken = broken.replace("low = 0", "low = 200").replace(
        '["yes", "no"]\n\n[work]', '["yes"]\n\n[work]'
    )
    (tmp_path / "broken.toml").write_text(broken)
    with pytest.raises(InputError, match=r"broken.toml:\d+: "):
        simulate(tmp_path / "broken.toml", tmp_path / "t.toml", people=1)


def test_the_walk_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of docs/study.md but those of a server, on the items and the file it shows."""
    page = (Path(__file__).parents[2] / "docs/study.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(re.search(r"```python\n(.*?)```", page, re.S)[1], {})  # type: ignore[index]
    (tmp_path / "plan.toml").write_text(re.search(r"```toml\n(.*?)```", page, re.S)[1])  # type: ignore[index]
    commands = re.findall(r"^\$ grice (.*)$", page, re.M)
    assert len(commands) >= 8
    for command in commands:
        result = CliRunner().invoke(build(), command.split())
        assert result.exit_code == 0, (command, result.output, result.exception)
    assert {"certainty.svg", "responses.R", "responses.py"} <= {p.name for p in tmp_path.iterdir()}
    table = grice.table([tmp_path / "runs"], "score", pool="people", down="condition").records()
    assert all(row["people"] > 20 and row["n"] >= 6 for row in table)
    told = subprocess.run(
        [sys.executable, "responses.py"], check=True, capture_output=True, text=True
    )
    slope = next(
        line.split()[1] for line in told.stdout.splitlines() if line.startswith("condition")
    )
    assert 5 < float(slope) < 40
