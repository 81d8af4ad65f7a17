from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from grice.analysis.statistics.paired import _swapped, compare, holm
from grice.core.errors import InputError
from grice.core.estimate import wilson
from tests.analysis.frames import LABELS, drawn, frame

E, N, C = LABELS


def two_judges(n: int = 60, groups: int | None = None) -> pl.DataFrame:
    return pl.concat([drawn(n, judge=judge, groups=groups) for judge in ("one", "two")])


def test_a_comparison_is_the_difference_of_accuracies_with_mcnemars_exact_test() -> None:
    rows = two_judges()
    right = [(p["answer"] == p["gold.label"]).to_numpy() for p in rows.partition_by("judge")]
    only_one, only_two = int((right[0] & ~right[1]).sum()), int((~right[0] & right[1]).sum())
    (found,) = compare(rows, "one", "two", reading="label")
    assert found.difference.value == pytest.approx(right[0].mean() - right[1].mean())
    assert (found.only_a, found.only_b, found.difference.n) == (only_one, only_two, 60)
    assert found.p == pytest.approx(stats.binomtest(only_one, only_one + only_two).pvalue)
    assert found.holm == found.p


def test_the_two_judges_answer_the_same_draw_of_paradigms() -> None:
    """Judge b errs on one item in every paradigm: the difference is the same in any draw, though accuracies vary."""
    golds: list[str | None] = [E] * 20
    first: list[str | None] = [E if i % 4 < 1 + i // 4 % 3 else N for i in range(20)]
    second = [C if i % 4 == 0 else answer for i, answer in enumerate(first)]
    groups: list[str | None] = [f"g{i // 4}" for i in range(20)]
    rows = pl.concat([frame(a, golds, judge=j, groups=groups) for j, a in (("a", first), ("b", second))])
    (found,) = compare(rows, "a", "b")
    # Five paradigms that all agree leave room for others that do not, and for no more than that.
    unlike = wilson(0.0, 5)[1]
    assert found.difference.value == 0.25
    assert found.difference.low == pytest.approx(0.25 - 1.25 * unlike)
    assert found.difference.high == pytest.approx(0.25 + 0.75 * unlike)


def test_judges_that_never_differ_are_uncertain_on_both_sides() -> None:
    rows = pl.concat([frame([E, N, C], [E, E, E], judge=j) for j in "ab"])
    (found,) = compare(rows, "a", "b")
    assert found.difference.low is not None and found.difference.high is not None
    assert found.difference.low == -found.difference.high < 0 and found.p == 1.0


def test_strata_are_corrected_together() -> None:
    found = compare(two_judges(), "one", "two", reading="label", by="construction")
    assert [c.stratum for c in found] == [f"v{i}" for i in range(5)]
    assert sum(c.difference.n for c in found) == 60
    assert [c.holm for c in found] == holm([c.p for c in found])


def test_holm_steps_down_and_never_decreases() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.6]) == [1.0, 1.0]


def test_items_that_only_one_answered_do_not_count() -> None:
    rows = pl.concat([frame([E, None, N], [E, E, E], judge="a"), frame([E, E, None], [E, E, E], judge="b")])
    (found,) = compare(rows, "a", "b")
    assert found.difference.n == 1


def test_an_unknown_judge_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="one, two"):
        compare(two_judges(), "one", "three")


def test_clustered_judges_that_are_alike_seldom_seem_to_differ() -> None:
    """Items of a paradigm stand or fall together: counting each of them would call every third difference sure."""
    draw = np.random.default_rng(5)
    mistaken = 0
    for _ in range(1000):
        better = draw.normal(size=40) > 0
        sums = np.where(better, 1.0, -1.0) * draw.uniform(1, 7, size=40)
        mistaken += _swapped(sums) < 0.05
    assert 0.04 <= mistaken / 1000 <= 0.06


def test_a_few_paradigms_are_swapped_in_every_way() -> None:
    assert _swapped(np.array([3.0, 3.0, 3.0])) == 0.25
    assert _swapped(np.array([0.0, 0.0])) == 1.0
    assert _swapped(np.array([2.0, -2.0])) == 1.0
