"""What every measure keeps, whoever wrote it."""

from __future__ import annotations

import inspect

import polars as pl
import pytest

from grice.core.errors import InputError
from grice.core.shelf import MEASURES
from grice.tables.table import Measure
from tests.analysis.frames import drawn

READING = {"reading": "label"}
# Measures whose argument is not a reading, or that read another gold.
ARGUMENTS = {
    "mse": {"reading": "human"},
    "pearson": {"reading": "human"},
    "spearman": {"reading": "human"},
    "share": {"reading": "pragmatic"},
    "veridicality_bias": {"reading": "signature"},
    "brier": {"tag": "votes"},
}


def made(name: str) -> Measure:
    make = MEASURES.find(name)
    takes = inspect.signature(make).parameters
    arguments = ARGUMENTS.get(name, READING if "reading" in takes else {})
    measure = make(**arguments)
    assert isinstance(measure, Measure)
    return measure


def rows(measure: Measure, *, groups: int | None = 15) -> pl.DataFrame:
    """Sixty items by one judge, or by as many as the measure reads."""
    if not measure.many:
        return drawn(60, groups=groups)
    return pl.concat([drawn(60, judge=judge, groups=groups) for judge in ("one", "two")])


@pytest.mark.parametrize("name", MEASURES.names())
def test_a_measure_is_unmoved_by_the_order_of_rows(name: str) -> None:
    measure = made(name)
    frame = rows(measure)
    here, there = measure(frame), measure(frame.sample(fraction=1.0, shuffle=True, seed=3))
    assert here is not None and there is not None
    assert here.n == there.n
    assert here.value == pytest.approx(there.value, abs=1e-9)


@pytest.mark.parametrize("name", MEASURES.names())
def test_a_measure_rests_on_rows_and_its_interval_holds_it(name: str) -> None:
    measure = made(name)
    frame = rows(measure)
    found = measure(frame)
    assert found is not None
    assert 1 <= found.n <= 60
    if found.low is not None and found.high is not None:
        assert found.low <= found.high
        slack = 0.25 * (found.high - found.low) + 1e-9
        assert found.low - slack <= found.value <= found.high + slack


@pytest.mark.parametrize("name", MEASURES.names())
def test_no_rows_are_empty_and_not_zero(name: str) -> None:
    measure = made(name)
    assert measure(rows(measure).clear()) is None


@pytest.mark.parametrize("name", sorted({*MEASURES.names()} - {"invalid"}))
def test_unanswered_rows_are_outside_n(name: str) -> None:
    measure = made(name)
    frame = rows(measure)
    lost = pl.col("id").is_in([f"drawn/{i}" for i in range(10)])
    blank = [
        pl.when(lost).then(None).otherwise(pl.col(c)).alias(c)
        for c in frame.columns
        if c in ("answer", "value", "mass") or c.startswith("p.")
    ]
    whole, less = measure(frame), measure(frame.with_columns(*blank))
    assert whole is not None and less is not None
    assert less.n < whole.n
    assert frame.with_columns(*blank).filter(lost)["answer"].null_count() == int(
        frame.filter(lost).height
    )


@pytest.mark.parametrize("name", MEASURES.names())
def test_a_measure_reads_one_judge_at_a_time_unless_it_says_many(name: str) -> None:
    measure = made(name)
    two = pl.concat([drawn(60, judge=judge, groups=15) for judge in ("one", "two")])
    if measure.many:
        assert measure(two) is not None
    else:
        with pytest.raises(InputError, match="one judge at a time"):
            measure(two)


@pytest.mark.parametrize("name", MEASURES.names())
def test_rows_without_groups_are_independent(name: str) -> None:
    measure = made(name)
    found = measure(rows(measure, groups=None))
    if name not in ("consistency", "projection"):
        assert found is not None and found.n <= 60
    else:
        assert found is None
