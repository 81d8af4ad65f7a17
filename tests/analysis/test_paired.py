from __future__ import annotations

import polars as pl
import pytest
from scipy import stats

from grice.analysis.statistics.paired import compare, holm
from grice.core.errors import InputError
from grice.tables.comparison import Comparison
from tests.analysis.frames import LABELS, drawn, frame

E, N, C = LABELS


def two_judges(n: int = 60, groups: int | None = None) -> pl.DataFrame:
    return pl.concat([drawn(n, judge=judge, groups=groups) for judge in ("one", "two")])


def test_a_comparison_is_the_difference_of_accuracies_with_mcnemars_test() -> None:
    rows = two_judges()
    right = [(p["answer"] == p["gold.label"]).to_numpy() for p in rows.partition_by("judge")]
    only_one, only_two = int((right[0] & ~right[1]).sum()), int((~right[0] & right[1]).sum())
    (found,) = compare(rows, "one", "two", reading="label")
    assert found.difference.value == pytest.approx(right[0].mean() - right[1].mean())
    assert (found.only_a, found.only_b, found.difference.n) == (only_one, only_two, 60)
    both = only_one + only_two
    assert found.p == pytest.approx(
        stats.binomtest(only_one, both).pvalue - stats.binom.pmf(only_one, both, 0.5)
    )
    assert found.holm == found.p


def test_the_two_judges_answer_the_same_draw_of_paradigms() -> None:
    """Judge b errs on one item in every paradigm: the difference is the same in any draw, though
    accuracies vary.
    """
    golds: list[str | None] = [E] * 20
    first: list[str | None] = [E if i % 4 < 1 + i // 4 % 3 else N for i in range(20)]
    second = [C if i % 4 == 0 else answer for i, answer in enumerate(first)]
    groups: list[str | None] = [f"g{i // 4}" for i in range(20)]
    rows = pl.concat(
        [frame(a, golds, judge=j, groups=groups) for j, a in (("a", first), ("b", second))]
    )
    (found,) = compare(rows, "a", "b")
    assert found.difference.value == 0.25 and found.p == 2 / 2**5
    assert found.difference.low is not None and found.difference.high is not None
    # Five paradigms that all agree leave room for others that do not, and cannot tell whether there
    # is a difference.
    assert found.difference.low <= 0 and 0.25 < found.difference.high < 0.6


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
    rows = pl.concat(
        [frame([E, None, N], [E, E, E], judge="a"), frame([E, E, None], [E, E, E], judge="b")]
    )
    (found,) = compare(rows, "a", "b")
    assert found.difference.n == 1


def test_an_unknown_judge_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="one, two"):
        compare(two_judges(), "one", "three")


def test_few_paradigms_are_counted_and_warned_of() -> None:
    rows = two_judges(groups=15)
    whole = compare(rows, "one", "two", reading="label")
    found = Comparison("data", "label", "one", "two", "", {}, (*whole,))
    assert (
        whole[0].paradigms
        == found.records()[0]["paradigms"]
        == found.to_json()["rows"][0]["paradigms"]
        == 15
    )
    assert found.grid().head[3:5] == ["n", "paradigms"] and found.grid().body[0][3:5] == [
        "60",
        "15",
    ]
    assert "paradigms" in found.render("tex") and "fewer than 20 paradigms" in found.render("tex")
    (warning,) = found.to_json()["warnings"]
    assert "fewer than 20 paradigms: all (15)" in warning
    many = Comparison(
        "data",
        "label",
        "one",
        "two",
        "",
        {},
        (*compare(two_judges(), "one", "two", reading="label"),),
    )
    assert many.rows[0].paradigms == 60 and not many.warnings
