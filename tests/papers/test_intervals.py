"""Intervals of shares, correlations and differences: within what such a number can be, in every
exhibit and measure.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from grice.core.estimate import Estimate, mean
from grice.core.shelf import MEASURES, PAPERS
from grice.judges.providers.baseline import Random
from grice.papers.bench import LocalBench
from grice.tables.paper import Cell
from grice.tables.table import Measure
from tests.analysis.frames import LABELS, drawn
from tests.shelves.test_measures import made

# Exhibits whose numbers are on another scale: per cent, ratings, slopes, counts.
PERCENT = {"conjnli", "pragmeval", "nope"}
OTHER = {
    ("commitmentbank", "Commitment"),
    ("commitmentbank", "Operators"),
    ("commitmentbank", "Plausibility"),
    ("harnessing", "Contexts"),
    ("nope", "Corpus"),
    ("nope", "Judges"),
    ("some_corpus", "Ratings"),
    ("some_corpus", "Features"),
    ("proviso", "Without context"),
    ("proviso", "With context"),
}
# These may be beyond 1 by what they mean: a likeness over what people's own noise allows, an ECE's
# parts, distances.
UNBOUNDED = {
    "human_likeness",
    "energy",
    "brier",
    "mse",
    "instability",
    "calibration",
    "lean",
    "signature",
    "score",
    "alpha",
}
SIGNED = {"pearson", "spearman", "kappa", "leave_one_out"}


def bounds(paper: str, exhibit: str, cell: Cell) -> tuple[float, float] | None:
    if (paper, exhibit) in OTHER or (paper, exhibit, cell.judge) == (
        "veridicality",
        "Figure 1",
        "people",
    ):
        return None
    if paper in PERCENT:
        return 0.0, 100.0
    signed = cell.column in ("r", "ρ", "Spearman", "likeness") or "rho" in cell.column
    signed |= (paper, exhibit) in {
        ("veridicality", "Figure 1"),
        ("veridicality", "Section 5"),
        ("imppres", "Section 6.2"),
    } or paper == "expectations"
    return (-1.0 if signed else 0.0), 1.0


@pytest.mark.published
@pytest.mark.parametrize("paper", PAPERS.names())
def test_no_interval_of_an_exhibit_leaves_the_range_of_its_number(
    paper: str, data_folder: Path
) -> None:
    assert data_folder.is_dir()
    bench = LocalBench({} if paper == "veridicality" else {"a judge": Random()})
    for exhibit in PAPERS.find(paper).exhibits:
        for cell in exhibit.cells(bench):
            ends = bounds(paper, exhibit.id, cell)
            if cell.low is None or cell.high is None or ends is None or cell.column == "likeness":
                continue
            place = (
                f"{paper}, {exhibit.id}, {cell.row}, {cell.column}, {cell.judge}: {cell.low} –"
                f" {cell.high}"
            )
            assert ends[0] <= cell.low <= cell.high <= ends[1], place


def extreme(n: int, *, groups: int | None) -> pl.DataFrame:
    """Nearly all right and nearly certain: where an interval leaves its range first."""
    frame = drawn(n, groups=groups)
    wrong = pl.int_range(pl.len()) == 0
    gold = pl.col("gold.label")
    sure = [
        pl.when((gold == label) & ~wrong).then(0.9999).otherwise(5e-5).alias(f"p.{label}")
        for label in LABELS
    ]
    said = pl.when(wrong).then(pl.lit("neutral")).otherwise(gold).alias("answer")
    return frame.with_columns(said, *sure)


@pytest.mark.parametrize("groups", [None, 5, 2500])
@pytest.mark.parametrize("name", [name for name in MEASURES.names() if name not in UNBOUNDED])
def test_no_interval_of_a_measure_of_shares_leaves_its_range(name: str, groups: int | None) -> None:
    measure: Measure = made(name)
    n = 5000 if groups == 2500 else 40
    frame = extreme(n, groups=groups)
    if measure.many:
        frame = pl.concat([frame, frame.with_columns(judge=pl.lit("two"))])
    found: Estimate | None = measure(frame)
    if found is not None and found.low is not None and found.high is not None:
        least = -1.0 if name in SIGNED else 0.0
        assert least <= found.low <= found.high <= 1.0


def test_probabilities_near_1_have_an_interval_below_1() -> None:
    found = mean(pl.Series(np.r_[np.full(27, 0.9995), 0.61]))
    assert found is not None and found.high is not None and found.value < found.high < 1
