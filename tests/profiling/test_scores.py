"""A number that carries a score is the mean of that score over the items of its link."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from grice.analysis.statistics.baselines import correctness, difference, is_label, neither
from grice.core.estimate import Estimate, mean
from grice.profiling.build import build
from grice.profiling.sheets import AnswerSheet, filter_rows
from grice.reporting.model import Number
from tests.profiling.test_read_profile import (
    Pairs,
    own_data_without_tags,
    several_sets_with_norms,
    suite_of_five,
)


def computed(number: Number, sheet: AnswerSheet) -> Estimate | None:
    """The number from its items and its score alone."""
    assert number.metric is not None and number.metric.score is not None
    rows = filter_rows(sheet.frame.filter(judge=number.judge), number.query.where)
    if number.query.reading:
        rows = rows.drop_nulls(f"gold.{number.query.reading}")
    rows = rows.filter(pl.col("answer").is_not_null())
    return mean(rows.select(own=number.metric.score(pl.col("answer")))["own"], rows["group"])


@pytest.mark.parametrize(
    ("pairs", "least"),
    [(suite_of_five, 300), (several_sets_with_norms, 50), (own_data_without_tags, 2)],
)
def test_a_number_is_the_mean_of_its_score_over_its_items(
    pairs: Callable[[], Pairs], least: int
) -> None:
    profile, sheets = build(pairs())
    checked = 0
    for figure in profile.figures:
        for number in figure.numbers:
            if number.metric is None or number.metric.score is None or number.x is not None:
                continue
            found = computed(number, sheets[number.query.data])
            place = (figure.id, number.row, number.series, number.judge)
            assert (found is None) == (number.estimate is None), place
            if found and number.estimate:
                assert found.n == number.estimate.n, place
                assert found.value == pytest.approx(number.estimate.value, abs=1e-9), place
                if number.estimate.low is not None:
                    assert found == number.estimate, place
            checked += 1
    assert checked >= least


def test_scores_of_answers_without_gold_are_null() -> None:
    frame = pl.DataFrame(
        {
            "answer": ["a", "b", "c", "a"],
            "gold.x": ["a", "a", "b", None],
            "gold.y": ["b", "b", "b", "b"],
        }
    )
    scores = {
        "right": (correctness("gold.x"), [1, 0, 0, None]),
        "label": (is_label("a"), [1, 0, 0, 1]),
        "neither": (neither("gold.x", "gold.y"), [0, 0, 1, None]),
        "difference": (difference("gold.x", "gold.y"), [1, -1, 0, None]),
    }
    for name, (score, values) in scores.items():
        assert frame.select(own=score(pl.col("answer")))["own"].to_list() == values, name
