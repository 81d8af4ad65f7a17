"""The regression gate: outcomes, counts, exit codes and report files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from grice.analysis.statistics.gating import ALL, INVALID, GateOutcome
from grice.cli import build
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT
from grice.storage.run import Run
from grice.verbs.gate import gate

PARADIGMS, SIZE = 250, 4


def data_of(name: str = "gate", paradigms: int = PARADIGMS) -> Dataset:
    return Dataset.from_items(
        name,
        NLI,
        [
            Item(
                f"{name}/{p}-{i}",
                f"Premise {p}.",
                f"Hypothesis {i}.",
                {"label": "neutral"},
                group=f"p{p}",
                tags={"kind": "a" if p % 2 else "b|<i>"},
            )
            for p in range(paradigms)
            for i in range(SIZE)
        ],
    )


def run_of(data: Dataset, answers: dict[int, str | None], name: str = "m", asked: int = 0) -> Run:
    """Right on all items but those with another answer; None is an invalid response."""
    return Run.recorded(
        data,
        name,
        [
            Judgement(id, fault="refused: no")
            if answers.get(i, "neutral") is None
            else Judgement(id, answers.get(i, "neutral"))
            for i, id in enumerate(data.ids)
            if not asked or i < asked
        ],
    )


def every(step: int, answer: str | None = "entailment", start: int = 0) -> dict[int, str | None]:
    return dict.fromkeys(range(start, PARADIGMS * SIZE, step), answer)


def test_gate_warns_of_low_label_mass_in_each_model() -> None:
    data = data_of(paradigms=10)
    runs = [
        Run.recorded(data, name, [Judgement(i, "neutral", mass=mass) for i in data.ids])
        for name, mass in (("new", 0.02), ("old", 0.5))
    ]
    report = gate(*runs)
    (warning,) = report.warnings
    assert warning.startswith("new on gate: Label mass is low")
    assert report.to_json()["warnings"] == [warning]
    assert "Warning: new on gate" in report.to_markdown()


def test_gate_passes_equal_models() -> None:
    data = data_of()
    report = gate(run_of(data, every(40)), run_of(data, every(40, start=8)))
    assert report.outcome is GateOutcome.PASSED
    assert (report.invalid, report.pending) == (0, 0)


@pytest.mark.parametrize(("loss", "step"), [(0.05, 20), (0.1, 10), (0.5, 2)])
def test_gate_fails_a_worse_model_whatever_its_name(loss: float, step: int) -> None:
    data = data_of()
    for new_name, old_name in (("a", "b"), ("b", "a"), ("m", "m")):
        report = gate(run_of(data, every(step), new_name), run_of(data, {}, old_name))
        assert report.outcome is GateOutcome.WORSE
        assert report.rows[0].difference.value == pytest.approx(-loss)
    assert gate(run_of(data, {}), run_of(data, every(step))).outcome is GateOutcome.PASSED


def test_gate_counts_invalid_and_pending_responses_against_the_new_model() -> None:
    data = data_of()
    good = run_of(data, {})
    refusing = gate(run_of(data, every(10, None)), good)
    assert (refusing.outcome, refusing.invalid) == (GateOutcome.WORSE, 100)
    assert {row.stratum for row in refusing.rows if row.outcome is GateOutcome.WORSE} >= {
        ALL,
        INVALID,
    }
    half = gate(run_of(data, {}, asked=500), good)
    assert (half.outcome, half.pending) == (GateOutcome.WORSE, 500)
    ignored = gate(run_of(data, every(10, None)), good, ignore_invalid=True)
    assert (ignored.outcome, ignored.rows[0].difference.n) == (GateOutcome.PASSED, 900)


def test_gate_leaves_out_items_that_the_old_model_was_not_asked() -> None:
    data = data_of()
    report = gate(run_of(data, {}), run_of(data, {}, asked=960))
    assert (report.rows[0].difference.n, report.pending) == (960, 0)


def test_refusals_on_items_that_are_wrong_anyway_are_found() -> None:
    data = data_of()
    old = every(2)
    new = {i: None if n % 4 == 0 else answer for n, (i, answer) in enumerate(old.items())}
    report = gate(run_of(data, new), run_of(data, old))
    assert report.rows[0].difference.value == 0
    assert report.outcome is GateOutcome.WORSE


def test_gate_finds_a_loss_in_one_kind_alone() -> None:
    data = data_of()
    lost: dict[int, str | None] = {
        i: "entailment" for i in range(PARADIGMS * SIZE) if i // SIZE % 2 and i % 10 == 0
    }
    gained: dict[int, str | None] = dict.fromkeys(
        list(range(0, PARADIGMS * SIZE, 8))[: len(lost)], "entailment"
    )
    gained = {i: a for i, a in gained.items() if not i // SIZE % 2}
    report = gate(run_of(data, lost), run_of(data, gained))
    worse = [row.stratum for row in report.rows if row.outcome is GateOutcome.WORSE]
    assert worse == ["kind a"]
    assert report.outcome is GateOutcome.WORSE


@pytest.mark.parametrize("answers", [{}, every(1)])
def test_gate_says_that_few_paradigms_cannot_fail(answers: dict[int, str | None]) -> None:
    data = data_of(paradigms=5)
    report = gate(run_of(data, answers), run_of(data, {}))
    assert report.outcome is GateOutcome.TOO_LITTLE_DATA
    assert answers or (report.paradigms_needed or 0) > 5


def test_gate_compares_readings_and_datasets_with_one_correction() -> None:
    data = Dataset.from_items(
        "two",
        NLI,
        [
            Item(
                f"t/{i}",
                "p",
                f"h {i}",
                {"logical": "neutral", "pragmatic": "contradiction"},
                group=f"g{i // 2}",
            )
            for i in range(800)
        ],
    )
    one = data_of()
    new = [run_of(one, {}), Run.recorded(data, "m", [Judgement(i, "neutral") for i in data.ids])]
    old = [
        run_of(one, {}),
        Run.recorded(data, "m", [Judgement(i, "contradiction") for i in data.ids]),
    ]
    report = gate(new, old)
    outcomes = {row.stratum: row.outcome for row in report.rows}
    assert outcomes["reading pragmatic"] is GateOutcome.WORSE
    assert outcomes["reading logical"] is outcomes[ALL] is GateOutcome.PASSED
    assert {"dataset two", "dataset gate"} <= outcomes.keys()


def test_gate_reads_the_runs_of_profile_folders(tmp_path: Path) -> None:
    data = data_of()
    for name, answers in (("new", every(5)), ("old", {})):
        run_of(data, answers, name).write(tmp_path / name / "runs")
        (tmp_path / name / "profile.json").write_text("{}")
    assert gate(tmp_path / "new", tmp_path / "old").outcome is GateOutcome.WORSE


def test_gate_fails_under_a_required_accuracy() -> None:
    data = data_of()
    runs = run_of(data, every(10)), run_of(data, every(10))
    assert gate(*runs, fail_under=0.95).outcome is GateOutcome.WORSE
    report = gate(*runs, fail_under=0.85)
    assert report.outcome is GateOutcome.PASSED
    assert report.accuracy == pytest.approx(0.9)


def test_gate_refuses_what_cannot_be_compared(tmp_path: Path) -> None:
    data, other = data_of(), data_of("other")
    run = run_of(data, {}).write(tmp_path)
    with pytest.raises(InputError):
        gate(run, run)
    with pytest.raises(InputError):
        gate(run_of(other, {}), run)
    with pytest.raises(InputError):
        gate([run_of(data, {}, "a"), run_of(other, {}, "b")], run)
    with pytest.raises(InputError):
        gate(run_of(data, {}), run, margin=0)
    with pytest.raises(InputError):
        gate(run_of(data, {}), run, group_by="nothing")
    numbers = Dataset.from_items("u", UNIT, [Item("u/0", "p", "h", {"probability": 0.5})])
    with pytest.raises(InputError):
        gate(*(Run.recorded(numbers, name, [Judgement("u/0", 0.5)]) for name in "ab"))


@pytest.mark.parametrize(
    ("answers", "paradigms", "code"), [({}, 250, 0), (every(5), 250, 3), ({}, 5, 4)]
)
def test_exit_code_and_reports_tell_the_outcome(
    answers: dict[int, str | None], paradigms: int, code: int, tmp_path: Path
) -> None:
    data = data_of(paradigms=paradigms)
    new = run_of(data, answers, "new").write(tmp_path / "new")
    old = run_of(data, every(100) if paradigms > 5 else {}, "old").write(tmp_path / "old")
    files = {ending: tmp_path / f"gate.{ending}" for ending in ("xml", "md", "json")}
    options = [part for path in files.values() for part in ("--out", str(path))]
    shown = CliRunner().invoke(
        build(), ["gate", str(new.folder), str(old.folder), *options, "--json"]
    )
    assert shown.exit_code == code, shown.output
    report: dict[str, Any] = json.loads(files["json"].read_text())
    assert report == json.loads(shown.stdout)
    suite = ElementTree.fromstring(files["xml"].read_text())
    assert len(suite) == len(report["rows"]) == int(suite.attrib["tests"])
    failed = [case.attrib["name"] for case in suite if case.find("failure") is not None]
    assert failed == [row["stratum"] for row in report["rows"] if row["outcome"] == "worse"]
    assert (suite[0].find("error") is not None) == (code == 4)
    # A tag of the data is text in the table, and no markup.
    assert "b\\|&lt;i>" in files["md"].read_text()
    assert not list(tmp_path.glob("gate.txt"))
    with pytest.raises(InputError):
        gate(new, old).write(tmp_path / "gate.txt")
