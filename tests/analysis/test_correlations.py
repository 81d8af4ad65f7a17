from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from grice.analysis.leave_one_out import leave_one_out
from grice.analysis.mse import mse
from grice.analysis.pearson import pearson
from grice.analysis.r2 import r2
from grice.analysis.score import score
from grice.analysis.spearman import spearman
from grice.core.errors import InputError
from tests.analysis.frames import drawn, frame


def test_pearson_and_spearman_are_scipys_with_fishers_interval() -> None:
    rows = drawn(80)
    linear, ranked = pearson("human")(rows), spearman("human")(rows)
    expected = stats.pearsonr(rows["value"].to_numpy(), rows["gold.human"].to_numpy())
    ends = expected.confidence_interval()
    assert linear is not None and ranked is not None
    assert linear.value == pytest.approx(expected.statistic)
    assert (linear.low, linear.high) == pytest.approx((ends.low, ends.high), abs=1e-6)
    assert ranked.value == pytest.approx(
        stats.spearmanr(rows["value"].to_numpy(), rows["gold.human"].to_numpy()).statistic
    )
    assert linear.n == ranked.n == 80


def test_a_judge_of_labels_is_correlated_by_entailment_minus_contradiction() -> None:
    rows = drawn(50).with_columns(pl.lit(None, dtype=pl.Float64).alias("value"))
    said = (rows["p.entailment"] - rows["p.contradiction"]).to_numpy()
    found = pearson("human")(rows)
    assert found is not None
    assert found.value == pytest.approx(np.corrcoef(said, rows["gold.human"].to_numpy())[0, 1])


def test_a_label_without_probabilities_counts_as_certain() -> None:
    found = score()(frame(["entailment", "neutral", "contradiction", "entailment"]))
    assert found is not None and found.value == pytest.approx(0.25)


@pytest.mark.parametrize("golds", [[1.0], [1.0, 1.0, 1.0]])
def test_one_rating_or_constant_ratings_have_no_correlation(golds: list[object]) -> None:
    answers: list[str | None] = ["entailment", "neutral", "contradiction"]
    rows = frame(answers[: len(golds)], gold_human=golds)
    assert pearson("human")(rows) is None
    assert spearman("human")(rows) is None


def test_shared_groups_widen_the_interval_of_a_correlation() -> None:
    rows = drawn(40)
    twice = pl.concat(
        [
            rows.with_columns(pl.col("id").alias("group"), (pl.col("id") + suffix).alias("id"))
            for suffix in "abc"
        ]
    )
    clustered, naive = (
        pearson("human")(twice),
        pearson("human")(twice.with_columns(pl.lit(None, dtype=pl.String).alias("group"))),
    )
    assert clustered is not None and naive is not None
    assert clustered.value == pytest.approx(naive.value)
    assert clustered.high - clustered.low > 1.2 * (naive.high - naive.low)  # type: ignore[operator]


def test_mse_is_the_mean_square_and_refuses_labels() -> None:
    rows = drawn(30)
    found = mse("human")(rows)
    assert found is not None
    assert found.value == pytest.approx(float(((rows["value"] - rows["gold.human"]) ** 2).mean()))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="numbers"):
        mse("human")(rows.with_columns(pl.lit(None, dtype=pl.Float64).alias("value")))


def test_a_reading_of_words_is_refused_where_numbers_are_needed() -> None:
    with pytest.raises(InputError, match="human"):
        pearson("label")(drawn(10))


def test_r2_is_that_of_a_regression_on_group_means() -> None:
    rows = drawn(90)
    y = rows["gold.human"].to_numpy()
    dummies = rows["tag.construction"].to_dummies().to_numpy()[:, 1:]
    design = np.column_stack([np.ones(len(y)), dummies])
    left = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    found = r2("construction", of="human")(rows)
    assert found is not None
    assert found.value == pytest.approx(1 - (left @ left) / ((y - y.mean()) @ (y - y.mean())))


def test_leave_one_out_averages_each_rater_against_the_mean_of_the_others() -> None:
    judges = ("a", "b", "c")
    frames = [drawn(40, judge=judge) for judge in judges]
    table = np.stack([f["value"].to_numpy() for f in frames], axis=1)
    for kind, correlation in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):
        expected = np.mean(
            [
                correlation(table[:, j], np.delete(table, j, 1).mean(axis=1)).statistic
                for j in range(3)
            ]
        )
        found = leave_one_out(kind)(pl.concat(frames))
        assert found is not None and found.n == 40
        assert found.value == pytest.approx(expected)
