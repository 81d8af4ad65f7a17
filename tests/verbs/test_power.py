from __future__ import annotations

import json
import math

import numpy as np
import pytest
from tests.hand import answers, pair
from typer.testing import CliRunner

import grice
from grice.cli import build
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.scale import NLI
from grice.storage.run import Run


def pilot(paradigms: int, items: int = 6) -> tuple[Dataset, list[Run]]:
    """Two judges; the second errs on whole paradigms, so that its items are alike."""
    data = Dataset.from_items(
        "pilot", NLI, [pair(i, group=f"g{i // items}") for i in range(paradigms * items)]
    )
    draw = np.random.default_rng(paradigms)
    first = draw.random(paradigms * items) < 0.9
    second = np.repeat(draw.random(paradigms) < 0.7, items)
    return data, [
        answers(data, ["entailment" if right else "neutral" for right in each], judge=name)
        for name, each in (("a", first), ("b", second))
    ]


def test_two_pilot_runs_say_how_often_one_alone_is_right_and_how_alike_items_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data, runs = pilot(60)
    monkeypatch.setattr("grice.loading.load_data", lambda _run, **_keep: data)
    found = grice.power(runs, paradigms=[60])
    compared = grice.compare(*runs).rows[0]
    assert found.discordance == pytest.approx((compared.only_a + compared.only_b) / 360)
    assert (
        found.pilot == 60 and found.items == 6 and 0.5 < found.icc < 0.9 and found.design_effect > 3
    )
    assert found.source == "a and b on pilot" and len(found.notes) == 1
    (size,) = found.sizes
    # Twice the 1.96 + 0.84 errors of the interval that these very paradigms give, about.
    difference = compared.difference
    assert size.difference and difference.low is not None and difference.high is not None
    assert size.difference == pytest.approx(
        (difference.high - difference.low) / 2 / 1.96 * 2.8, rel=0.15
    )


def test_one_pilot_run_stands_for_two_judges_like_it_and_what_is_given_counts_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data, runs = pilot(12)
    monkeypatch.setattr("grice.loading.load_data", lambda _run, **_keep: data)
    found = grice.power(runs[0])
    right = grice.table(runs[0]).cells[(), "a"]
    assert right is not None and found.discordance == pytest.approx(
        2 * right.value * (1 - right.value)
    )
    assert "fewer than 20 paradigms" in found.notes[1]
    assert grice.power(runs[0], icc=0.5, items=3).design_effect == 2
    with pytest.raises(InputError, match="one or two judges, found 3"):
        grice.power([*runs, answers(data, ["neutral"] * 72, judge="c")])


def test_the_table_goes_from_small_to_large_and_back_and_forth() -> None:
    found = grice.power(accuracy=0.9, items=10, icc=0.1)
    assert [size.difference for size in found.sizes] == sorted(
        size.difference or 9 for size in found.sizes
    )
    for size in found.sizes:
        assert size.paradigms and size.difference
        back = (
            grice.power(accuracy=0.9, items=10, icc=0.1, differences=[size.difference])
            .sizes[0]
            .paradigms
        )
        assert back is not None and abs(back - size.paradigms) <= 1
    assert grice.power(paradigms=[5]).sizes[0].difference is None


def test_mistakes_are_told_in_a_line() -> None:
    for given in (
        {"accuracy": 1.2},
        {"differences": [0.0]},
        {"level": 5.0},
        {"target": 80.0},
        {"level": 1e-320},
    ):
        with pytest.raises(InputError, match="give a share between 0 and 1"):
            grice.power(**given)
    with pytest.raises(InputError, match="are out of range"):
        grice.power(items=0)
    with pytest.raises(InputError, match="are out of range"):
        grice.power(items=math.inf)


def test_the_command_prints_a_table_and_json() -> None:
    words = ["power", "--accuracy", "0.8", "--items", "6", "--icc", "0.2", "--difference", "0.05"]
    shown = CliRunner().invoke(build(["power"]), words)
    assert "0.050        337  2,022" in shown.output and "assumed" in shown.output
    made = json.loads(CliRunner().invoke(build(["power"]), [*words, "--json"]).output)
    assert (
        made["sizes"] == [{"difference": 0.05, "paradigms": 337, "items": 2022}]
        and made["level"] == 0.05
    )


@pytest.mark.parametrize("icc", [-1.0, -0.21, -0.2, 1.01, float("nan")])
def test_a_correlation_that_no_paradigm_of_six_items_can_have_is_refused(icc: float) -> None:
    with pytest.raises(InputError, match="icc"):
        grice.power(accuracy=0.8, items=6, icc=icc)
    assert grice.power(accuracy=0.8, items=6, icc=-0.19, differences=[0.05]).sizes[0].paradigms
