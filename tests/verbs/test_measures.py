"""Any measure in compare and report: differences with intervals that agree with their tests, charts
on the page and in files.
"""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.profiling.judges import logical, pragmatic, run
from typer.testing import CliRunner

import grice
from grice.cli import build
from grice.core.errors import InputError
from grice.core.item import Item
from grice.reporting.model import Profile
from grice.storage.run import Run


def wavering(item: Item, share: float) -> str:
    draw = random.Random(f"{share} {item.id}")
    return (
        pragmatic(item)
        if draw.random() < share
        else draw.choice([logical(item), "neutral", "entailment"])
    )


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    return [
        run(partial(wavering, share=share), name, sure=0.8)
        for share, name in ((0.9, "good"), (0.4, "poor"))
    ]


@pytest.fixture(scope="module")
def folder(runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs")
    for one in runs:
        one.write(out)
    return out


def command(*arguments: object) -> Any:
    done = CliRunner().invoke(build([str(arguments[0])]), list(map(str, arguments)))
    assert done.exit_code == 0, done.exception
    return done.stdout


@pytest.mark.parametrize(
    "measure", ["f1:pragmatic", "calibration:ece,label", "balanced_accuracy:label", "entailed"]
)
def test_a_difference_is_that_of_the_tables_and_its_interval_agrees_with_its_test(
    runs: list[Run], measure: str
) -> None:
    found = grice.compare(*runs, measure=measure)
    cells = grice.table(runs, measure).cells
    (row,) = found.rows
    one, other = cells[(), "good"], cells[(), "poor"]
    assert one and other and row.difference.value == pytest.approx(one.value - other.value)
    assert row.difference.low is not None and row.difference.high is not None
    assert (row.difference.low > 0 or row.difference.high < 0) == (row.p < 0.05)
    assert "only_a" not in found.to_json()["rows"][0] and "only first" not in str(found)
    back = grice.compare(*reversed(runs), measure=measure).rows[0]
    assert (back.difference.value, back.p) == pytest.approx((-row.difference.value, row.p))


def test_for_accuracy_leaving_out_paradigms_and_swapping_them_come_to_the_same(
    runs: list[Run],
) -> None:
    from tests.profiling.judges import suite

    from grice.analysis.statistics.jackknife import compare_measure
    from grice.storage.run import join

    (one,) = compare_measure(
        join(suite(), *runs), "good", "poor", grice.load_measure("accuracy:pragmatic")
    )
    other = grice.compare(*runs, reading="pragmatic").rows[0]
    assert (
        one.difference.value == pytest.approx(other.difference.value)
        and one.paradigms == other.paradigms
    )
    assert one.difference.low == pytest.approx(other.difference.low, abs=0.02)
    assert one.difference.high == pytest.approx(other.difference.high, abs=0.02)


def test_a_judge_does_not_differ_from_itself(runs: list[Run]) -> None:
    twin = run(partial(wavering, share=0.9), "twin", sure=0.8)
    row = grice.compare(runs[0], twin, measure="f1:pragmatic").rows[0]
    assert (row.difference.value, row.p) == (0.0, 1.0)


def test_several_measures_and_a_tag_have_rows_of_their_own(folder: Path) -> None:
    asked = (
        "compare",
        folder,
        "-m",
        "f1:pragmatic",
        "-m",
        "accuracy:label",
        "-g",
        "kind",
        "--json",
    )
    found = json.loads(command(*asked))
    strata = [row["stratum"] for row in found["rows"]]
    assert (
        strata[:2] == ["f1:pragmatic", "accuracy:label"] and "f1:pragmatic · implicature" in strata
    )
    assert found["accuracy"]["good · f1:pragmatic"]["n"] > 0


def test_a_measure_of_several_judges_is_refused(runs: list[Run], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'kappa' already compares several judges"):
        grice.compare(*runs, measure="kappa")
    with pytest.raises(InputError, match="'kappa' compares several judges"):
        grice.report(runs, tmp_path, measure="kappa")
    assert not list(tmp_path.iterdir()), "nothing was written"


def test_report_draws_the_measures_asked_for_and_the_first_picture(
    folder: Path, tmp_path: Path
) -> None:
    chart = tmp_path / "first.svg"
    asked = (
        "report",
        folder,
        "-o",
        tmp_path / "page",
        "--of",
        "good",
        "--no-images",
        "-m",
        "f1:pragmatic",
    )
    command(*asked, "-m", "calibration:ece,label", "--chart", chart)
    profile = Profile.read(tmp_path / "page")
    section = next(section for section in profile.sections if section.id == "measures")
    assert [figure.title for figure in section.figures] == ["f1:pragmatic", "calibration:ece,label"]
    table = json.loads(
        command("table", folder, "-m", "f1:pragmatic", "--down", "phenomenon", "--json")
    )
    wanted = {
        (c["phenomenon"], c["column"]): (c["value"], c["n"]) for c in table["cells"] if c["n"]
    }
    drawn = {
        (number.row.replace(" ", "_"), number.judge): (number.value, number.estimate.n)
        for number in section.figures[0].numbers
        if number.estimate
    }
    assert {key: drawn[key] for key in wanted} == wanted and ("all_items", "good") in drawn
    assert "good at a glance" in chart.read_text(encoding="utf-8")
    assert 'id="measures-f1-pragmatic"' in (tmp_path / "page" / "index.html").read_text(
        encoding="utf-8"
    )


def test_a_learner_shows_the_settings_that_it_takes_by_name() -> None:
    settings = grice.show("learners/encoder")["settings"]
    assert any(line.startswith("learning_rate = ") for line in settings) and any(
        line.startswith("base = ") for line in settings
    )
    assert not any("**" in line for line in settings)
