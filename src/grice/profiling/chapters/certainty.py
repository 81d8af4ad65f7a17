"""Graded certainty: whether it is as sure as it is right, and how its numbers go with people's (UNLI, Figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np
import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.calibration import calibration
from grice.analysis.pearson import pearson
from grice.analysis.statistics.readings import number_pairs
from grice.core.estimate import Estimate, mean
from grice.core.scale import Scale
from grice.core.table import Measure
from grice.papers.unli.printed import TABLE4
from grice.profiling.beside import MOST, joined
from grice.profiling.parts import AGREED, BINS, SURE, Chapter, Part
from grice.profiling.phrases import percent
from grice.reporting.model import Figure, Number, Query, Section

CERTAIN = 0.95
PERSON = f"a person with other people, in UNLI, r = {TABLE4['Human', 'r-dev']:.2f}"
PANELS = 4
WHAT = "A judge that gives probabilities also says how sure it is. Here only items count whose readings agree on one answer, so that being sure and being right can be compared."
GOOD = "On the diagonal, a judge is right as often as it says. Below it, it is surer than it should be. Against people, a graded judge rises with their ratings instead of jumping."


def chapter(part: Part) -> Chapter | None:
    """The chapter, where a judge gives probabilities or the data has numbers from people."""
    figures = [*_reliability(part), *_people(part)]
    if not figures:
        return None
    told = _told(part)
    headline = tuple(text for text, _ in told)
    section = Section(
        "certainty", "Graded certainty", part.data.name, WHAT, GOOD, (), (), headline, tuple(figures)
    )
    return Chapter(section, headline, beside=tuple(beside for _, beside in told))


def _told(part: Part) -> list[tuple[str, str]]:
    """Each sentence with what stands beside it."""
    first = part.first
    told: list[tuple[str, str]] = []
    if part.has(AGREED, "sure") and part.first["sure"].null_count() < part.first.height:
        rows = first.filter(pl.col(AGREED).is_not_null() & pl.col("sure").is_not_null())
        certain = mean((rows["sure"] >= CERTAIN).cast(pl.Float64), rows["group"])
        right = accuracy("agreed")(rows.filter(pl.col("sure") >= CERTAIN))
        gap = calibration("ece", "agreed")(rows)
        if certain and gap:
            then = f", and is right in {percent(right)} of those" if right else ""
            sentence = (
                f"How sure it is misses how often it is right by {gap.value:.2f} on average{_which_way(rows, gap.value)}: it is at least {CERTAIN:.0%} sure on {percent(certain)} "
                f"of the items whose readings agree{then}."
            )
            told.append((sentence, _spread(part, calibration("ece", "agreed"), AGREED)))
    for reading in _human(part):
        found = _correlation(first, reading)
        if found:
            ends = (
                f" ({found.low:.2f} to {found.high:.2f})"
                if found.low is not None and found.high is not None
                else ""
            )
            sentence = f"Its numbers go with people's at r = {found.value:.2f}{ends}: n = {found.n:,} on {part.data.name}."
            told.append((sentence, _spread(part, pearson(reading), f"gold.{reading}", PERSON)))
    return told


def _which_way(rows: pl.DataFrame, gap: float) -> str:
    """Whether the misses lie mostly on one side."""
    over = float(
        np.mean(rows["sure"].to_numpy() - (rows["answer"] == rows[AGREED]).cast(pl.Float64).to_numpy())
    )
    if abs(over) < gap / 2 or gap < 0.01:
        return ""
    return ", mostly by being too sure" if over > 0 else ", mostly by being too unsure"


def _spread(part: Part, measure: Measure, needs: str, paper: str = "") -> str:
    """The same number of each rival; of a crowd of them, raters for the most part, its range and mean."""
    rows = part.frame.filter(pl.col(needs).is_not_null())
    named = [(judge, measure(rows.filter(pl.col("judge") == judge))) for judge in part.judges[1:]]
    found = [(judge, estimate.value) for judge, estimate in named if estimate]
    told = [f"{judge} {value:.2f}" for judge, value in found]
    if len(found) > MOST:
        values = [value for _, value in found]
        told = [f"{len(found)} others {min(values):.2f} to {max(values):.2f}, on average {fmean(values):.2f}"]
    return joined([*told, *([paper] if paper else [])])


def _human(part: Part) -> list[str]:
    """Readings that are numbers."""
    return [reading for reading, scale in part.data.readings.items() if scale.numeric]


def _correlation(frame: pl.DataFrame, reading: str) -> Estimate | None:
    return pearson(reading)(frame)


def _reliability(part: Part) -> list[Figure]:
    if not part.has(AGREED, "sure"):
        return []
    found = []
    for judge in part.judges:
        column = SURE + judge
        mine = part.frame.filter(
            (pl.col("judge") == judge) & pl.col(AGREED).is_not_null() & pl.col("sure").is_not_null()
        )
        for place in range(BINS):
            name = f"{place * 100 // BINS}–{(place + 1) * 100 // BINS}%"
            rows = mine.filter(pl.col(column) == name) if mine.height else mine
            right = accuracy("agreed")(rows)
            if right:
                query = Query(part.index, {column: name}, judge, "agreed")
                sure = float(np.mean(rows["sure"].to_numpy()))
                found.append(Number(name, "", judge, right, query, sure, right.value))
    if not found:
        return []
    gap = calibration("ece", "agreed")(part.first.filter(pl.col(AGREED).is_not_null()))
    told = (
        f"{part.judges[0]} misses by {gap.value:.2f} on average."
        if gap
        else f"{part.judges[0]} gives no probabilities."
    )
    return [
        Figure(
            "certainty-calibration", "As sure as it is right?", "reliability", tuple(found), told, names="how sure", across="how often it is right",
            note="Items are grouped by the highest probability; a dot on the dashed line is as sure as it is right.",
        )
    ]  # fmt: skip


def _people(part: Part) -> list[Figure]:
    return [figure for reading in _human(part) for figure in _heat(part, reading)]


def _heat(part: Part, reading: str) -> list[Figure]:
    """People's numbers below, the judge's up the side, darker where a column of people has more of its items."""
    human = part.data.readings[reading]
    found = []
    for run in part.runs[:PANELS]:
        pairs = number_pairs(part.frame.filter(pl.col("judge") == run.judge), reading)
        if pairs.is_empty():
            continue
        said = run.scale if run.scale.numeric else Scale(low=-1.0, high=1.0)
        x, y = _tenths(pairs["gold"], human), _tenths(pairs["said"], said)
        counts = np.zeros((BINS, BINS))
        np.add.at(counts, (x, y), 1)
        for i, j in np.argwhere(counts > 0).tolist():
            share = Estimate(float(counts[i, j] / counts[i].sum()), int(counts[i, j]))
            found.append(
                Number(
                    f"people {i / 10:.1f}–{(i + 1) / 10:.1f}, judge {j / 10:.1f}–{(j + 1) / 10:.1f}",
                    "",
                    run.judge,
                    share,
                    Query(part.index, {}, run.judge, reading),
                    i,
                    j,
                )
            )
    r = _correlation(part.first, reading)
    told = "No correlation can be had."
    if r:
        ends = "" if r.low is None or r.high is None else f"{r.low:.2f} to {r.high:.2f}, "
        told = f"{part.judges[0]} and people correlate at r = {r.value:.2f} ({ends}n = {r.n:,})."
    return [
        Figure(
            f"certainty-{reading}", f"Against people's numbers ({reading})", "heat", tuple(found), told, names="cell",
            across="people | the judge", domain=(human.low or 0.0, human.high or 1.0),
            note=f"Each column of people's numbers adds up to 1; darker is more. Up the side, 0 is a judge's lowest answer and 1 its highest.{_first_few(part)} A judge of labels says P(entailment) − P(contradiction). UNLI Figure 2.",
        )
    ] if found else []  # fmt: skip


def _first_few(part: Part) -> str:
    left = len(part.runs) - PANELS
    return f" {left} further judges are not drawn." if left > 0 else ""


def _tenths(values: pl.Series, scale: Scale) -> Sequence[int]:
    low, high = scale.low or 0.0, scale.high or 1.0
    placed = ((values.to_numpy() - low) / (high - low) * BINS).astype(int)
    clipped: list[int] = np.clip(placed, 0, BINS - 1).tolist()
    return clipped
