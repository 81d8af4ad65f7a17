"""Graded certainty: calibration, and the correlation with human probabilities (UNLI, Figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist, fmean

import numpy as np
import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.calibration import calibration
from grice.analysis.pearson import pearson
from grice.analysis.statistics.baselines import correctness, p_above, set_column
from grice.analysis.statistics.correlation import chance_of
from grice.analysis.statistics.readings import number_pairs
from grice.analysis.statistics.resample import Z95
from grice.core.dataset import SHARE, TAG
from grice.core.estimate import Estimate, mean
from grice.core.ratings import PEOPLE
from grice.core.scale import Scale
from grice.papers.unli.printed import TABLE4
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.gate import LEVEL, ScoreSpec, claim_gate, shuffled_marks
from grice.profiling.phrases import data_name, is_above, is_below
from grice.profiling.rivals import MOST
from grice.profiling.sheets import AGREED, BINS, COMMON, EVERY, SURE, AnswerSheet
from grice.reporting.claims import ClaimNumber, Gate, GateCheck, State, Test, Value, Verdict
from grice.reporting.formats import join_clauses, join_names
from grice.reporting.model import Figure, Number, Query
from grice.tables.table import Measure
from grice.tables.tabular import ends_text

CERTAIN = 0.95
PERSON = f"a person with other people, in UNLI, r = {TABLE4['Human', 'r-dev']:.2f}"
PANELS = 4
# A smaller expected calibration error counts as calibrated.
CLOSE = 0.05
CALIBRATION = "calibration"
CLAUSES = (
    " expected calibration error {ece:points}, mean confidence minus accuracy {gap:points}",
    ". On {certain:share} of the items its confidence is at least 95%",
    "; {right:share} of those answers are correct",
    ".",
)
CALIBRATED = Verdict(
    "calibrated",
    "calibrated",
    "Is calibrated: as confident as it is correct.",
    ("Calibrated:", *CLAUSES),
)
OVERCONFIDENT = Verdict(
    "overconfident", "overconfident", "Is overconfident.", ("Overconfident:", *CLAUSES)
)
UNDERCONFIDENT = Verdict(
    "underconfident", "underconfident", "Is underconfident.", ("Underconfident:", *CLAUSES)
)
MISCALIBRATED = Verdict(
    "miscalibrated",
    "miscalibrated",
    "Is overconfident on some items, underconfident on others.",
    ("Miscalibrated in both directions:", *CLAUSES),
)
CORRELATES = Verdict(
    "people",
    "human-like",
    "Its numbers correlate with people's.",
    ("Its numbers correlate with people's: r = {r:r}, n = {n:n} on {data}.",),
)
TOPIC = "calibration"
WHAT = (
    "A model that gives probabilities also says how confident it is. Only items with one right"
    " answer are counted, so that confidence and accuracy can be compared."
)
GOOD = (
    "On the diagonal, a model is right as often as its confidence says. Below it, it is"
    " overconfident. Compared with people, its numbers rise with their ratings and do not jump."
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
    """Return the claim on calibration; none without probabilities on items whose readings agree.

    The direction is that of the signed gap, mean confidence minus accuracy, tested over paradigms;
    calibrated is a model whose calibration error is significantly below `CLOSE`.
    """
    rows = (
        sheet.first.drop_nulls([AGREED, "sure"])
        if sheet.has(AGREED, "sure")
        else sheet.first.clear()
    )
    ece = calibration("ece", "agreed")(rows) if rows.height else None
    gap = (
        mean(rows["sure"] - (rows["answer"] == rows[AGREED]).cast(pl.Float64), rows["group"])
        if ece
        else None
    )
    if not ece or not gap:
        return []
    values: dict[str, Value] = {"ece": ece, "gap": gap}
    certain = mean((rows["sure"] >= CERTAIN).cast(pl.Float64), rows["group"])
    right = accuracy("agreed")(rows.filter(pl.col("sure") >= CERTAIN))
    values |= {name: rate for name, rate in (("certain", certain), ("right", right)) if rate}
    common, where, _ = _common(sheet)
    beside = (
        _spread(sheet, common, calibration("ece", "agreed"), own=bool(where))
        if not common.is_empty()
        else ""
    )
    verdict, p = _calibration_verdict(rows, ece)
    by = set_column(rows)
    spec = ScoreSpec(
        correctness(AGREED),
        AGREED,
        [by] if by else [],
        balance=AGREED,
        labels=sheet.data.scale.labels,
    )
    gate = claim_gate(rows, spec)
    # Reading is required, and tested in other chapters; the claim is about the gap.
    gate = replace(gate, p=p)
    return [
        ClaimDraft(
            CALIBRATION,
            TOPIC,
            gate,
            verdict,
            values,
            beside,
            numbers=(ClaimNumber("calibration:ece", ece),),
        )
    ]


def _calibration_verdict(rows: pl.DataFrame, ece: Estimate) -> tuple[Verdict | None, float]:
    """Return the verdict on calibration with its p: two-sided for the signed gap."""
    confident = (pl.col("sure") - (pl.col("answer") == pl.col(AGREED)).cast(pl.Float64)).alias(
        "own"
    )
    p_over = p_above(rows, lambda _answer: confident, 0.0)
    p_under = p_above(rows, lambda _answer: -confident, 0.0)
    p = min(1.0, 2 * min(p_over, p_under))
    if is_below(ece, CLOSE):
        return CALIBRATED, _p_of_interval(CLOSE - ece.value, ece.high, ece.value)
    if p < LEVEL:
        return (OVERCONFIDENT if p_over < p_under else UNDERCONFIDENT), p
    if is_above(ece, CLOSE):
        return MISCALIBRATED, _p_of_interval(ece.value - CLOSE, ece.value, ece.low)
    return None, 1.0


def _p_of_interval(distance: float, high: float | None, low: float | None) -> float:
    """Return the one-sided p of a distance, from half of a 95% interval."""
    half = (high or 0.0) - (low or 0.0)
    return 1 - NormalDist().cdf(Z95 * distance / half) if half > 0 else 0.0


def _with_people(sheet: AnswerSheet, reading: str) -> list[ClaimDraft]:
    """Return the claim on the correlation of the model's numbers with people's."""
    first = sheet.first.drop_nulls(f"gold.{reading}")
    correlation = pearson(reading)(first)
    if not correlation:
        return []
    paradigms = first.select(pl.coalesce("group", "id").n_unique()).item()
    state = State.PASS if is_above(correlation, 0.0) else State.FAIL
    gate = Gate(
        correlation.n,
        paradigms,
        correlation,
        (GateCheck(Test.CORRELATION, state, {"score": correlation}),),
        p=chance_of(correlation.value, paradigms),
    )
    # Data with their own people have a noise ceiling of these instead.
    person = "" if TAG + PEOPLE in first.columns else PERSON
    beside = _spread(sheet, sheet.frame.drop_nulls(f"gold.{reading}"), pearson(reading), person)
    return [
        ClaimDraft(
            reading,
            "agreement with human probabilities",
            gate,
            CORRELATES,
            {"r": correlation, "n": correlation.n, "data": data_name(sheet.data.name)},
            beside,
            numbers=(ClaimNumber(f"pearson:{reading}", correlation, 0.0),),
        )
    ]


def _common(sheet: AnswerSheet) -> tuple[pl.DataFrame, dict[str, str], str]:
    """Return the rows on which all models that give probabilities can be compared.

    Also return the tag that selects these rows, and a sentence on the models that are left out.
    """
    rows = sheet.frame.drop_nulls([AGREED, "sure"])
    judges = sheet.judges_in(rows)
    without_probs = [judge for judge in sheet.judges if judge not in judges]
    verb = "give" if len(without_probs) > 1 else "gives"
    none = f" {join_names(without_probs)} {verb} no probabilities." if without_probs else ""
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
            "Is it as confident as it is right?",
            "reliability",
            tuple(dots),
            f"{sheet.judges[0]} {how}.",
            names="how sure",
            across="how often it is right",
            marks=shuffled_marks(
                common.filter(judge=sheet.judges[0]), {"": correctness(AGREED)}, ""
            ),
            rests_on=CALIBRATION,
            note=(
                "Items are grouped by the highest probability; on the dashed line, confidence"
                f" equals accuracy.{left_out}"
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
    finding = "There are too few numbers for a correlation."
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
                    "Each column of people's numbers adds up to 1; darker is more. On the y axis, 0"
                    f" is a judge's lowest answer and 1 its highest.{_first_few(sheet)} For a model"
                    " that predicts labels, y is P(entailment) − P(contradiction). As in UNLI,"
                    " Figure 2."
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
