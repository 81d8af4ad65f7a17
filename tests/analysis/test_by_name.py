"""Measures as a user names them."""

from __future__ import annotations

import polars as pl
import pytest

import grice
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.estimate import wilson
from grice.core.item import Item
from grice.core.scale import LIKERT5, NLI
from grice.storage.run import Run
from tests.analysis.frames import LABELS, drawn, frame

E, N, C = LABELS


def test_a_second_argument_stands_after_a_comma() -> None:
    rows = frame([E, E], gold_logical=[E, N], gold_pragmatic=[E, E])
    logical, pragmatic = (
        grice.load_measure(f"lean:entailment,{reading}")(rows)
        for reading in ("logical", "pragmatic")
    )
    assert logical is not None and pragmatic is not None
    assert (logical.value, pragmatic.value) == (0.5, 0.0)
    two = grice.load_measure("f1:label,entailment|neutral")(frame([E, N], [E, N]))
    assert two is not None and two.value == 1.0


def test_an_argument_that_a_measure_does_not_take_is_said_in_one_line() -> None:
    with pytest.raises(InputError, match="does not take 'pragmatic'"):
        grice.load_measure("score:pragmatic")


def test_agreement_is_tabulated_over_all_judges_together() -> None:
    rows = pl.concat([drawn(30, judge=judge) for judge in ("one", "two", "three")])
    table = grice.tabulate("agreement", rows, "kappa", down="environment")
    assert table.columns == ("all judges",)
    cell = table.cell("positive", "all judges")
    assert cell is not None and cell.n == 15


def test_all_right_is_still_uncertain() -> None:
    rows = frame([E, N, C, E], [E, N, C, E], tag_scale=["a", "a", "b", "b"])
    for spec in ("macro:label", "f1:label"):
        found = grice.load_measure(spec)(rows)
        assert found is not None and found.value == found.high == 1.0
        assert found.low is not None and 0.3 < found.low < 0.7


def test_invalid_responses_and_label_mass_are_measures() -> None:
    rows = frame([E, None, E, None], mass=[0.5, 0.1, None, 0.3])
    rows = rows.with_columns(
        fault=pl.Series([None, "refused: no", None, "cut off: Let me"], dtype=pl.String)
    )
    for name, value, n in (
        ("invalid", 0.5, 4),
        ("invalid:refused", 0.25, 4),
        ("invalid:timeout", 0.0, 4),
        ("label_mass", 0.3, 3),
    ):
        estimate = grice.load_measure(name)(rows)
        assert estimate is not None and estimate.low is not None and estimate.high is not None
        assert (round(estimate.value, 9), estimate.n) == (value, n)
        assert estimate.low <= value <= estimate.high
    assert grice.load_measure("label_mass")(rows.drop("mass")) is None
    assert grice.load_measure("label_mass")(rows.filter(pl.col("mass").is_null())) is None


def test_scores_stay_on_the_scale_of_the_answers_alone_and_pooled() -> None:
    points = [Item(f"i{n}", f"Sentence {n}.") for n in range(30)]
    likert = Dataset.from_items("points", LIKERT5, points)
    people = [Run.from_columns(likert, f"p{k}", likert.ids, [2.0] * 30) for k in range(4)]
    unlike = wilson(0.0, 30)[1]
    alone = grice.load_measure("score")(grice.join(likert, people[0]))
    assert alone is not None and alone.low is not None
    assert alone.value == alone.high == 2 and alone.low == pytest.approx(2 - 4 * unlike)
    pooled = next(iter(grice.table(people, "score", pool="people=p*").cells.values()))
    assert pooled is not None and pooled.low is not None and pooled.people == 4
    assert pooled.high == 2 and pooled.low == pytest.approx(2 - 4 * wilson(0.0, 4)[1])
    data = Dataset.from_items("labels", NLI, points)
    few = [C] * 28 + [N, N]
    judges = [Run.from_columns(data, f"p{k}", data.ids, few[k:] + few[:k]) for k in range(4)]
    labelled = next(iter(grice.table(judges, "score", pool="people=p*").cells.values()))
    assert labelled is not None and labelled.low is not None and labelled.high is not None
    assert -1 < labelled.low < labelled.value < labelled.high < 0
