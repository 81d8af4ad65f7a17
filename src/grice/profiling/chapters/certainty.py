"""Graded certainty: calibration, and the correlation with human probabilities (UNLI, Figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np
import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.calibration import calibration
from grice.analysis.pearson import pearson
from grice.analysis.statistics.baselines import correctness, set_column
from grice.analysis.statistics.correlation import chance_of
from grice.analysis.statistics.readings import number_pairs
from grice.core.dataset import SHARE
from grice.core.estimate import Estimate, mean
from grice.core.scale import Scale
from grice.papers.unli.printed import TABLE4
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.gate import ClaimDraft, blind_marks, open_gate
from grice.profiling.phrases import data_name, is_above, is_below, join_clauses, join_names, percent
from grice.profiling.rivals import MOST
from grice.profiling.sheets import AGREED, BINS, COMMON, EVERY, SURE, AnswerSheet
from grice.reporting.claims import UNTOLD, ClaimNumber, Gate
from grice.reporting.model import Figure, Number, Query
from grice.tables.table import Measure
from grice.tables.tabular import ends_text

CERTAIN = 0.95
PERSON = f"a person with other people, in UNLI, r = {TABLE4['Human', 'r-dev']:.2f}"
PANELS = 4
# A smaller expected calibration error counts as calibrated.
CLOSE = 0.05
CALIBRATION = "calibration"
SURER, UNSURER = (
    "It is too sure, by {} points on average",
    "It is not sure enough, by {} points on average",
)
APART = "Its confidence and its share of right answers are {} points apart on average"
WAYS = {SURER: "overconfident", UNSURER: "underconfident"}
WHAT = (
    "A judge that gives probabilities also says how sure it is. Here only items count whose"
    " readings agree on one answer, so that being sure and being right can be compared."
)
GOOD = (
    "On the diagonal, a judge is right as often as it says. Below it, it is surer than it should"
    " be. Against people, a graded judge rises with their ratings instead of jumping."
)


def _reads(sheet: AnswerSheet) -> bool:
    """Return whether a model gives probabilities or the data have numbers from people."""
    return sheet.has(AGREED, "sure") or bool(_human(sheet))


def _write(sheet: AnswerSheet) -> Findings | None:
    figures = (
        *_reliability(sheet),
        *(figure for reading in _human(sheet) for figure in _heat(sheet, reading)),
    )
    findings = (
        *_calibration(sheet),
        *(draft for reading in _human(sheet) for draft in _with_people(sheet, reading)),
    )
    return Findings(figures, findings=findings) if figures else None


def _calibration(sheet: AnswerSheet) -> list[ClaimDraft]:
    """Return the claim on calibration; none without probabilities on items whose readings agree."""
    rows = (
        sheet.first.drop_nulls([AGREED, "sure"])
        if sheet.has(AGREED, "sure")
        else sheet.first.clear()
    )
    certain = (
        mean((rows["sure"] >= CERTAIN).cast(pl.Float64), rows["group"]) if rows.height else None
    )
    gap = calibration("ece", "agreed")(rows) if rows.height else None
    if not certain or not gap:
        return []
    certain_accuracy = accuracy("agreed")(rows.filter(pl.col("sure") >= CERTAIN))
    then = f", and is right in {percent(certain_accuracy)} of those" if certain_accuracy else ""
    way = _which_way(rows, gap.value)
    text = (
        f"{_apart(way, gap.value)}: it is at least {CERTAIN:.0%} sure on {percent(certain)} "
        f"of the items whose readings agree{then}."
    )
    common, where, _ = _common(sheet)
    beside = (
        _spread(sheet, common, calibration("ece", "agreed"), own=bool(where))
        if not common.is_empty()
        else ""
    )
    by = set_column(rows)
    gate = open_gate(
        rows,
        correctness(AGREED),
        AGREED,
        strata=[by] if by else [],
        balance=AGREED,
        labels=sheet.data.scale.labels,
    )
    both = "mixed" if is_above(gap, CLOSE) else UNTOLD
    verdict = "calibrated" if gap.value < CLOSE else WAYS.get(way, both)
    says = "" if verdict != "mixed" else "Is now too sure, now not sure enough."
    claim_numbers = (ClaimNumber("calibration:ece", gap),)
    return [
        ClaimDraft(
            CALIBRATION,
            text,
            "How sure it may be cannot be told: {}.",
            verdict,
            gate,
            beside,
            says,
            numbers=claim_numbers,
        )
    ]


def _with_people(sheet: AnswerSheet, reading: str) -> list[ClaimDraft]:
    """Return the claim on the correlation of the model's numbers with people's."""
    first = sheet.first.drop_nulls(f"gold.{reading}")
    correlation = pearson(reading)(first)
    if not correlation:
        return []
    r = f"r = {correlation.value:.2f}" + ends_text(
        correlation.low, correlation.high, " ({:.2f} to {:.2f})"
    )
    text = f"Its numbers go with people's at {r}: n = {correlation.n:,} on {data_name(sheet.data.name)}."
    paradigms = first.select(pl.coalesce("group", "id").n_unique()).item()
    reasons = (
        ()
        if is_above(correlation, 0.0)
        else (
            f"the interval of {r} does not lie above 0, which is what it would be without reading",
        )
    )
    gate = Gate(
        correlation.n,
        paradigms,
        correlation,
        0.0,
        p=chance_of(correlation.value, paradigms),
        reasons=reasons,
    )
    beside = _spread(sheet, sheet.frame.drop_nulls(f"gold.{reading}"), pearson(reading), PERSON)
    return [
        ClaimDraft(
            reading,
            text,
            "Whether its numbers go with people's cannot be told: {}.",
            "people",
            gate,
            beside,
            numbers=(ClaimNumber(f"pearson:{reading}", correlation, 0.0),),
        )
    ]


def _which_way(rows: pl.DataFrame, gap: float) -> str:
    """Return the direction of miscalibration if most of it lies on one side, else ""."""
    over = mean(rows["sure"] - (rows["answer"] == rows[AGREED]).cast(pl.Float64), rows["group"])
    if over is None or abs(over.value) < gap / 2 or gap < 0.01:
        return ""
    return SURER if is_above(over, 0.0) else UNSURER if is_below(over, 0.0) else ""


def _apart(way: str, gap: float) -> str:
    """Return a sentence on the distance between confidence and accuracy."""
    return (way or APART).format(f"{100 * gap:.0f}")


def _common(sheet: AnswerSheet) -> tuple[pl.DataFrame, dict[str, str], str]:
    """Return the rows on which all models that give probabilities can be compared.

    Also return the tag that selects these rows, and a sentence on the models that are left out.
    """
    rows = sheet.frame.drop_nulls([AGREED, "sure"])
    judges = sheet.judges_in(rows)
    without_probs = [judge for judge in sheet.judges if judge not in judges]
    none = (
        f" {join_names(without_probs)} {'give' if len(without_probs) > 1 else 'gives'} no probabilities."
        if without_probs
        else ""
    )
    if COMMON not in rows.columns:
        return rows, {}, none
    shared = rows.filter(pl.col(COMMON) == EVERY)
    if shared.is_empty():
        first, *others = judges
        left = "".join(
            f" {judge} is not drawn: it shares no item with all others." for judge in others
        )
        return rows.filter(judge=first), {}, left + none
    n = shared["id"].n_unique()
    return (
        shared,
        {COMMON: EVERY},
        (
            f" Only the {n:,} items that {len(judges)} judges gave probabilities for are"
            f" compared.{none}"
        ),
    )


def _spread(
    sheet: AnswerSheet, rows: pl.DataFrame, measure: Measure, paper: str = "", *, own: bool = False
) -> str:
    """List the same number for each comparison model; for many of them, their range and mean.

    With `own` the rows are fewer than those of the profiled model, whose number on them comes
    first.
    """
    named = [
        (judge, measure(rows.filter(judge=judge))) for judge in sheet.judges[0 if own else 1 :]
    ]
    judge_values = [(judge, estimate.value) for judge, estimate in named if estimate]
    phrases = [f"{judge} {value:.2f}" for judge, value in judge_values]
    if len(judge_values) > MOST:
        values = [value for _, value in judge_values]
        phrases = [
            f"{len(judge_values)} others {min(values):.2f} to {max(values):.2f}, on average"
            f" {fmean(values):.2f}"
        ]
    start = f"on the {rows['id'].n_unique():,} items of all: " if own and phrases else ""
    return start + join_clauses([*phrases, *([paper] if paper else [])])


def _human(sheet: AnswerSheet) -> list[str]:
    """Return the readings that are numbers; label shares have a chapter of their own."""
    return [
        name
        for name, scale in sheet.data.readings.items()
        if scale.numeric and not name.startswith(SHARE)
    ]


def _reliability(sheet: AnswerSheet) -> list[Figure]:
    if not sheet.has(AGREED, "sure"):
        return []
    dots = []
    common, where, left_out = _common(sheet)
    for judge in sheet.judges_in(common):
        column = SURE + judge
        answers = common.filter(judge=judge)
        for bin_index in range(BINS):
            name = f"{bin_index * 100 // BINS}–{(bin_index + 1) * 100 // BINS}%"
            rows = answers.filter(pl.col(column) == name)
            share = accuracy("agreed")(rows)
            if share:
                query = Query(sheet.index, {column: name, **where}, judge, "agreed")
                sure = float(np.mean(rows["sure"].to_numpy()))
                dots.append(Number(name, "", judge, share, query, sure, share.value))
    if not dots:
        return []
    gap = calibration("ece", "agreed")(common.filter(judge=sheet.judges[0]))
    how = f"is off by {100 * gap.value:.0f} points on average" if gap else "gives no probabilities"
    return [
        Figure(
            "calibration",
            "As sure as it is right?",
            "reliability",
            tuple(dots),
            f"{sheet.judges[0]} {how}.",
            names="how sure",
            across="how often it is right",
            marks=blind_marks(
                common.filter(judge=sheet.judges[0]), {"": correctness(AGREED)}, "", strata=()
            ),
            rests_on=CALIBRATION,
            note=(
                "Items are grouped by the highest probability; a dot on the dashed line is as sure"
                f" as it is right.{left_out}"
            ),
        )
    ]


def _heat(sheet: AnswerSheet, reading: str) -> list[Figure]:
    """Draw the model's numbers against people's; each column of people's numbers sums to 1."""
    human = sheet.data.readings[reading]
    cells = []
    for run in sheet.runs[:PANELS]:
        pairs = number_pairs(sheet.frame.filter(judge=run.judge), reading)
        if pairs.is_empty():
            continue
        answer_scale = run.scale if run.scale.numeric else Scale(low=-1.0, high=1.0)
        x, y = _tenths(pairs["gold"], human), _tenths(pairs["said"], answer_scale)
        counts = np.zeros((BINS, BINS))
        np.add.at(counts, (x, y), 1)
        for i, j in np.argwhere(counts > 0).tolist():
            share = Estimate(float(counts[i, j] / counts[i].sum()), int(counts[i, j]))
            cell = f"people {i / 10:.1f}–{(i + 1) / 10:.1f}, judge {j / 10:.1f}–{(j + 1) / 10:.1f}"
            query = Query(sheet.index, {}, run.judge, reading)
            cells.append(Number(cell, "", run.judge, share, query, float(i), float(j)))
    r = pearson(reading)(sheet.first)
    finding = "No correlation can be had."
    if r:
        ends = ends_text(r.low, r.high, "{:.2f} to {:.2f}, ")
        finding = (
            f"{sheet.judges[0]} and people correlate at r = {r.value:.2f} ({ends}n = {r.n:,})."
        )
    return (
        [
            Figure(
                reading,
                f"Against people's numbers ({reading})",
                "heat",
                tuple(cells),
                finding,
                names="cell",
                across="people | the judge",
                rests_on=reading,
                domain=(human.low or 0.0, human.high or 1.0),
                note=(
                    "Each column of people's numbers adds up to 1; darker is more. Up the side, 0"
                    f" is a judge's lowest answer and 1 its highest.{_first_few(sheet)} A judge of"
                    " labels says P(entailment) − P(contradiction). UNLI Figure 2."
                ),
            )
        ]
        if cells
        else []
    )


def _first_few(sheet: AnswerSheet) -> str:
    left = len(sheet.runs) - PANELS
    return f" {left} further judges are not drawn." if left > 0 else ""


def _tenths(values: pl.Series, scale: Scale) -> Sequence[int]:
    low, high = scale.low or 0.0, scale.high or 1.0
    placed = ((values.to_numpy() - low) / (high - low) * BINS).astype(int)
    clipped: list[int] = np.clip(placed, 0, BINS - 1).tolist()
    return clipped


certainty = Chapter(
    "certainty",
    "Graded certainty",
    WHAT,
    GOOD,
    _reads,
    _write,
    order=90,
    phenomenon=False,
    absent="graded certainty: the judge gives no probabilities and the data no human numbers",
)
