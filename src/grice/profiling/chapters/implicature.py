"""Scalar implicature: logical, pragmatic or neither, controls first (IMPPRES, Figs. 2–4, 8–13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import polars as pl

from grice.analysis.balanced_accuracy import balanced_accuracy
from grice.analysis.share import share
from grice.analysis.statistics.baselines import (
    AnswerScore,
    correctness,
    difference,
    excess,
    p_above,
    set_column,
)
from grice.core.estimate import Estimate
from grice.core.measure import Metric, Unit
from grice.core.scale import NLI
from grice.papers.imppres.printed import FIGURES
from grice.profiling.asking import settle
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.fingerprint import MOST, FingerprintRows, fingerprint_rows
from grice.profiling.gate import (
    FEWEST_ITEMS,
    LEVEL,
    RELIABLE,
    ClaimDraft,
    blind_marks,
    closed_judges,
    controls_gate,
    is_mixed,
    open_gate,
    single_answer,
    sure_rows,
)
from grice.profiling.phrases import (
    count,
    interval,
    is_above,
    join_names,
    percent,
    round_percent,
    select,
)
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import (
    DIFFER,
    FAMILY,
    AnswerSheet,
    examples,
    filter_rows,
    kind_tag,
    numbers,
    plain_name,
)
from grice.profiling.triangle import triangle_figure
from grice.reporting.claims import UNTOLD, ClaimNumber, Gate
from grice.reporting.model import EVIDENCE, Figure, Mark, Number, Query

READINGS = ("logical", "pragmatic", "neither")
ADVERBS = {"logical": "logically", "pragmatic": "pragmatically", "neither": "by neither"}
PREVAILING = "gold.prevailing"
CONDITIONS = ("W/not S", "not S/W", "W/S", "S/W", "not S/not W", "not W/not S")
CONTROL = {"tag.role": "control"}
TARGETS = {"tag.role": "target", DIFFER: "differ"}
IS_TARGET = (pl.col("tag.role") == "target") & (pl.col("gold.logical") != pl.col("gold.pragmatic"))


# Right by the pragmatic reading minus right by the logical one.
PRAGMATIC_LEAN = Metric(
    "accuracy", "pragmatic", Unit.POINTS, difference("gold.pragmatic", "gold.logical")
)


def _follows(answer: pl.Expr) -> pl.Expr:
    """Score 1 where the answer is that of either reading."""
    return ((answer == pl.col("gold.logical")) | (answer == pl.col("gold.pragmatic"))).cast(
        pl.Float64
    )


def _leans(answer: pl.Expr) -> pl.Expr:
    """Score 1 where the answer is the pragmatic one, −1 where it is the logical one."""
    return correctness("gold.pragmatic")(answer) - correctness("gold.logical")(answer)


SCORES: dict[str, AnswerScore] = {
    "logical": correctness("gold.logical"),
    "pragmatic": correctness("gold.pragmatic"),
    "neither": lambda answer: 1 - _follows(answer),
}
# Names of our sets in Figure 3 of IMPPRES, whose numerals are the mean of two of ours.
PRINTED = {
    "connectives": "connectives",
    "quantifiers": "determiners",
    "gradable adjective": "gradable adjectives",
    "gradable verb": "gradable verbs",
    "modals": "modals",
}
# Two printed numbers are ten times too high; these follow from the authors' counts.
CORRECTED = {"connectives, pragmatic": 0.0083, "gradable adjectives, pragmatic": 0.0022}
BERT = "BERT as printed in IMPPRES, Figure 3, on its own sentences"
WHAT = (
    "A weaker word suggests that the stronger one would not do: who says “some” is taken to mean"
    " “not all”. Logic alone does not give that. Each paradigm pairs a weaker (W) and a stronger"
    " (S) sentence and their negations; on its targets the logical and the pragmatic answer part."
)
GOOD = (
    "A logician answers neutral from “some” to “not all” and entailment from “all” to “some”; a"
    " listener who draws the implicature answers entailment to the first and contradiction to the"
    " second. Either is a coherent reading. The controls have the same right answer under both; a"
    " judge must get those right, and better than without reading, before its targets mean"
    " anything."
)

# Columns that the data must have.
NEEDS = ("gold.logical", "gold.pragmatic", "tag.role")


def _reads(sheet: AnswerSheet) -> bool:
    """Return whether the data have pairs with a logical and a pragmatic answer."""
    return sheet.has(*NEEDS)


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.rows_with("gold.logical", "gold.pragmatic")
    rows, judge = set_column(frame), sheet.judges[0]
    judge_rows, strata = frame.filter(judge=judge), [rows] if rows else []
    balanced = {"": balanced_accuracy("logical")}
    controls = numbers(sheet, frame, rows, balanced, where=CONTROL, reading="logical")
    targets = filter_rows(frame, TARGETS)
    by_row = numbers(sheet, targets, rows, {name: share(name) for name in READINGS}, where=TARGETS)
    gated = _gated(sheet, frame, rows)
    marks, twins = (
        _printed_marks(by_row),
        blind_marks(judge_rows, SCORES, rows, strata=strata, of=IS_TARGET),
    )
    finding, warnings = _finding(sheet, judge_rows, rows, gated, _beside(sheet, targets, marks))
    readings = _readings_figure(sheet, targets, by_row, rows, gated, twins)
    passed = blind_marks(
        judge_rows,
        {"": correctness("gold.logical")},
        rows,
        strata=strata,
        of=pl.col("tag.role") == "control",
    )
    conditions = "tag.condition" in targets.columns
    figures = (
        _controls_figure(controls, judge, gated, passed),
        triangle_figure(by_row, twins, judge),
        readings,
        *([_conditions_figure(sheet, targets, judge_rows, strata)] if conditions else []),
        *([_matrix_figure(sheet, targets, rows, twins)] if conditions else []),
    )
    return Findings(
        figures,
        examples=examples(targets, ("logical", "pragmatic")),
        warnings=warnings,
        findings=(finding,),
        gated=gated,
        overview=tuple(number for number in by_row if number.series != "neither"),
        marks=(*marks, *(mark for mark in twins if mark.series != "neither")),
        fingerprint=_fingerprint(sheet, frame, rows, strata),
        overview_finding=readings.finding,
        overview_axis="targets answered by each reading",
    )


def _fingerprint(
    sheet: AnswerSheet, frame: pl.DataFrame, rows: str, strata: Sequence[str]
) -> FingerprintRows:
    """Return the rate of pragmatic answers by set, or by kind of scale if there are many sets."""
    many = FAMILY in frame.columns and bool(rows) and frame[rows].n_unique() > MOST
    scores = {name: SCORES[name] for name in ("pragmatic", "logical", "neither")}
    return fingerprint_rows(
        sheet,
        frame,
        FAMILY if many else rows,
        "pragmatic answers",
        scores,
        where=TARGETS,
        strata=strata,
        of=IS_TARGET,
        whole="all scales",
    )


def _gated(sheet: AnswerSheet, frame: pl.DataFrame, rows: str) -> frozenset[tuple[str, str]]:
    """Return the sets of each model whose controls fail: too few right, or not above baseline."""
    cuts = dict.fromkeys(column for column in (rows, FAMILY) if column in frame.columns) or {
        "": None
    }
    sets = frozenset(
        (str(judge), plain_name(str(rest[0])) if rest else "")
        for cut in cuts
        for (judge, *rest), part in frame.partition_by(
            "judge", *([cut] if cut else []), as_dict=True
        ).items()
        if not controls_gate(part, "gold.logical", strata=(), thorough=False).open
    )
    rivals = frame.filter(pl.col("judge") != sheet.judges[0])
    return sets | closed_judges(
        rivals,
        lambda judge_rows: controls_gate(judge_rows, "gold.logical", strata=[rows] if rows else []),
    )


def _finding(
    sheet: AnswerSheet,
    judge_rows: pl.DataFrame,
    rows: str,
    gated: frozenset[tuple[str, str]],
    beside: str,
) -> tuple[ClaimDraft, tuple[str, ...]]:
    """Return the claim on the sets whose controls hold, and warnings about the others."""
    judge, strata = sheet.judges[0], [rows] if rows else []
    names = judge_rows[rows].drop_nulls().unique().sort().to_list() if rows else []
    shut = [name for name in names if (judge, plain_name(name)) in gated]
    passing_rows = (
        judge_rows.filter(~pl.col(rows).is_in(shut))
        if shut and len(shut) < len(names)
        else judge_rows
    )
    controls = _without_failing(
        controls_gate(passing_rows, "gold.logical", strata=strata),
        shut,
        all_fail=len(shut) == len(names),
    )
    warnings = _warnings(judge, shut, controls, single_answer(passing_rows, "gold.logical"))
    targets = passing_rows.filter(IS_TARGET)
    shares = {name: share(name)(targets) for name in READINGS}
    verdict, gate = _verdict(passing_rows, strata, shares, controls)
    text = (
        _sentence(verdict, shares, bool(shut)) + _exceptions(targets, rows, verdict)
        if shares["logical"]
        else ""
    )
    blind = {
        mark.series: mark.value
        for mark in blind_marks(passing_rows, SCORES, "", strata=strata, of=IS_TARGET)
    }
    text += (
        " Without reading, its answers would be"
        f" {', '.join(f'{round_percent(blind[name])} {name}' for name in READINGS if name in blind)}."
    )
    where = kind_tag(judge_rows) | {"role": "target"}
    claim_numbers = tuple(
        ClaimNumber(f"share:{name}", estimate, blind.get(name), where)
        for name, estimate in shares.items()
        if estimate
    )
    return (
        ClaimDraft(
            "readings",
            text,
            "Its reading of scalar terms cannot be told: {}.",
            verdict,
            gate,
            beside,
            numbers=claim_numbers,
            says=(
                "Draws some scalar implicatures and reads others logically."
                if verdict == "mixed"
                else ""
            ),
        ),
        warnings,
    )


def _without_failing(controls: Gate, shut: Sequence[str], *, all_fail: bool) -> Gate:
    """Add the sets whose controls fail to the gate; close it if those are all sets."""
    none = ("its controls hold in none of its sets",) if shut and all_fail else ()
    fail = tuple(f"those of {plain_name(name)} fail" for name in shut)
    return replace(
        controls, reasons=controls.reasons or none, controls_fail=(*controls.controls_fail, *fail)
    )


def _warnings(judge: str, shut: Sequence[str], controls: Gate, single: str) -> tuple[str, ...]:
    texts = []
    if not controls.open:
        texts.append(
            f"Controls fail: of {judge}, {controls.reasons[0]}. Its targets below mean nothing."
        )
    elif shut:
        named = join_names(map(plain_name, shut))
        texts.append(
            f"Controls fail for {named}: their targets mean nothing and are left out of the"
            " sentences."
        )
    if single:
        texts.append(
            f"All controls of this data are {single}s: they cannot tell a reader from someone who"
            f" always says {single}. What the answers would get without reading decides instead."
        )
    return tuple(texts)


def _verdict(
    passing_rows: pl.DataFrame,
    strata: Sequence[str],
    shares: dict[str, Estimate | None],
    controls: Gate,
) -> tuple[str, Gate]:
    """Return which reading the model follows, and the gate of that claim.

    Each reading is tested against answers of neither reading and against the shuffled-answer
    baseline.
    """
    if is_above(shares["neither"], 0.5):
        targets = passing_rows.filter(IS_TARGET & pl.col("answer").is_not_null())
        score = shares["neither"]
        return "neither", replace(controls, score=score, n=targets.height)
    net = {reading: _net(passing_rows, reading, strata) for reading in READINGS[:2]}
    clear = [reading for reading, (_, sure) in net.items() if sure]
    first = max(clear, key=lambda reading: net[reading][0], default="pragmatic")
    mixed = len(clear) > 1 and is_mixed(shares["logical"], shares["pragmatic"])
    sign = 1 if first == "pragmatic" else -1
    leans = (
        p_above(passing_rows.filter(IS_TARGET), lambda answer: sign * _leans(answer), 0.0) < LEVEL
    )
    passing_rows = (
        passing_rows.with_columns(_prevailing(strata).alias(PREVAILING)) if mixed else passing_rows
    )
    gold = PREVAILING if mixed else f"gold.{first}"
    # Targets with the same premise share their logical answer, so use the gold of the reading that
    # is followed, which varies.
    gate = open_gate(
        passing_rows,
        _follows,
        gold,
        strata=strata,
        of=IS_TARGET,
        labels=NLI.labels,
        controls=controls,
        what="its answers follow a reading",
        text_score=correctness(gold),
    )
    gate = settle(
        gate,
        passing_rows,
        _leans,
        IS_TARGET,
        line=0.0,
        what="points more pragmatic than logical answers",
    )
    return ("mixed" if mixed else first if clear and leans else UNTOLD), gate


def _prevailing(strata: Sequence[str]) -> pl.Expr:
    """Return the gold answer of the reading that the model follows more often in a set."""
    more = [
        ((pl.col("answer") == pl.col(f"gold.{name}")) & IS_TARGET).sum() for name in READINGS[:2]
    ]
    logical, pragmatic = (n_followed.over(strata) if strata else n_followed for n_followed in more)
    return (
        pl.when(logical > pragmatic)
        .then(pl.col("gold.logical"))
        .otherwise(pl.col("gold.pragmatic"))
    )


def _net(passing_rows: pl.DataFrame, reading: str, strata: Sequence[str]) -> tuple[float, bool]:
    """Return by how much a reading is followed more often than neither reading.

    The second value tells whether the difference is significant and above its shuffled-answer
    baseline.
    """

    def score(answer: pl.Expr) -> pl.Expr:
        return SCORES[reading](answer) - SCORES["neither"](answer)

    surplus = excess(passing_rows, score, over=strata, of=IS_TARGET)
    if surplus is None:
        return 0.0, False
    return (
        surplus.score.value,
        surplus.p < LEVEL and p_above(passing_rows.filter(IS_TARGET), score, 0.0) < LEVEL,
    )


def _majority(shares: dict[str, Estimate | None]) -> str:
    return next((name for name in READINGS if is_above(shares[name], 0.5)), "")


def _sentence(verdict: str, shares: dict[str, Estimate | None], some: bool) -> str:
    start = {
        "logical": "It reads scalar terms logically",
        "pragmatic": "It reads scalar terms pragmatically",
        "mixed": "It mixes both readings of scalar terms",
        "neither": "It follows neither reading of scalar terms",
        UNTOLD: "It settles on no reading of scalar terms",
    }[verdict]
    where = ", where its controls hold" if some else ""
    logical, pragmatic, neither = (interval(shares[name]) for name in READINGS)
    n = next((estimate.n for estimate in shares.values() if estimate), 0)
    return (
        f"{start}{where}: {logical} of its answers are the logical one, {pragmatic} the pragmatic"
        f" one, {neither} neither (n = {n:,})."
    )


def _exceptions(targets: pl.DataFrame, rows: str, verdict: str) -> str:
    """Name sets that significantly follow another reading than the whole, after correction."""
    if not rows:
        return ""
    rows_by_reading = sure_rows(
        targets, rows, {name: SCORES[name] for name in READINGS if name != verdict}
    )
    clauses = [
        f"{join_names(map(plain_name, names))} {'are' if len(names) > 1 else 'is'} read"
        f" {ADVERBS[reading]}"
        for reading, names in rows_by_reading.items()
        if names
    ]
    return f" But {'; '.join(clauses)}." if clauses else ""


def _beside(sheet: AnswerSheet, targets: pl.DataFrame, marks: Sequence[Mark]) -> str:
    """List comparison models on all targets, then the paper's model.

    Targets count whether or not the controls hold. The paper's numbers are averaged over the scales
    of these data.
    """

    def describe(mine: pl.DataFrame) -> str:
        logical, pragmatic = share("logical")(mine), share("pragmatic")(mine)
        return (
            f"{interval(logical)} logical, {interval(pragmatic)} pragmatic"
            if logical
            else "no items"
        )

    means = {
        reading: fmean(mark.value for mark in marks if mark.series == reading)
        for reading in dict.fromkeys(mark.series for mark in marks)
    }
    shares = ", ".join(f"{round_percent(mean)} {reading}" for reading, mean in means.items())
    paper = (
        [
            f"BERT in IMPPRES {shares} (its sentences, mean of {len(marks) // 2}"
            f" scale{'s' if len(marks) > 2 else ''}, as printed)"
        ]
        if means
        else []
    )
    return describe_rivals(sheet, targets, describe, *paper)


def _printed_marks(by_row: Sequence[Number]) -> tuple[Mark, ...]:
    rows = {number.row for number in by_row}
    return tuple(
        Mark(
            row,
            reading,
            FIGURES["FIGURE_3"][f"{name}, {reading}", "BERT"],
            _printed_label(name, reading),
        )
        for row, name in PRINTED.items()
        if row in rows
        for reading in ("logical", "pragmatic")
    )


def _printed_label(name: str, reading: str) -> str:
    slip = CORRECTED.get(f"{name}, {reading}")
    return f"{BERT}, {reading}" + (f" (corrected from the authors' counts: {slip})" if slip else "")


def _controls_figure(
    controls: Sequence[Number],
    judge: str,
    gated: frozenset[tuple[str, str]],
    twins: tuple[Mark, ...],
) -> Figure:
    judge_numbers = select(controls, judge)
    good = sum((judge, number.row) not in gated for number in judge_numbers)
    return Figure(
        "controls",
        "Controls: the same answer under either reading",
        "dots",
        tuple(controls),
        (
            f"{judge} passes the controls in {good} of {count(len(judge_numbers), 'set')}."
            if judge_numbers
            else f"{judge} answered no control."
        ),
        names="set",
        across="controls right, each answer weighing the same",
        line=RELIABLE,
        marks=twins,
        rests_on=EVIDENCE,
        note=(
            f"A set whose controls are right in less than {RELIABLE:.0%} (dashed), or no more often"
            " than without reading, is hatched below and not read. IMPPRES Figure 2."
        ),
    )


def _readings_figure(
    sheet: AnswerSheet,
    targets: pl.DataFrame,
    by_row: Sequence[Number],
    rows: str,
    gated: frozenset[tuple[str, str]],
    twins: tuple[Mark, ...],
) -> Figure:
    judge = sheet.judges[0]
    sets = dict.fromkeys(n.row for n in by_row)
    passing = [row for row in sets if (judge, row) not in gated]
    rows_by_reading = sure_rows(targets.filter(judge=judge), rows, SCORES) if rows else {}
    counts = ", ".join(
        f"{sum(plain_name(n) in passing for n in names)} {reading}"
        for reading, names in rows_by_reading.items()
    )
    finding = (
        f"{count(len(passing), 'set')} with controls that hold; with a sure majority for one reading:"
        f" {counts}."
    )
    return Figure(
        "readings",
        "Logical, pragmatic or neither, by scale",
        "stack",
        tuple(by_row),
        (
            finding
            if counts and passing
            else "All targets together."
            if not counts
            else "No set has controls that hold."
        ),
        names="set",
        across="answers to targets",
        marks=twins,
        note="Targets whose readings differ. IMPPRES Figure 3.",
    )


def _conditions_figure(
    sheet: AnswerSheet, targets: pl.DataFrame, judge_rows: pl.DataFrame, strata: Sequence[str]
) -> Figure:
    conditions = [c for c in CONDITIONS if c in set(targets["tag.condition"].to_list())]
    shares = {name: share(name) for name in READINGS}
    by_condition = numbers(sheet, targets, "tag.condition", shares, where=TARGETS, only=conditions)
    sure = sure_rows(
        targets.filter(judge=sheet.judges[0]), "tag.condition", {"pragmatic": SCORES["pragmatic"]}
    )
    named = [
        n for n in select(by_condition, sheet.judges[0], "pragmatic") if n.row in sure["pragmatic"]
    ]
    text = join_names(f"{n.row} {percent(n.estimate)}" for n in named)
    return Figure(
        "conditions",
        "The same by condition",
        "stack",
        tuple(by_condition),
        (
            f"{sheet.judges[0]} is surely pragmatic for the most part on {text}."
            if named
            else f"{sheet.judges[0]} is surely pragmatic for the most part under no condition."
        ),
        names="condition",
        across="answers to targets",
        marks=blind_marks(judge_rows, SCORES, "tag.condition", strata=strata, of=IS_TARGET),
        note=(
            "W is the sentence with the weaker word, S that with the stronger; premise before the"
            " stroke, hypothesis after it."
        ),
    )


def _matrix_figure(
    sheet: AnswerSheet, targets: pl.DataFrame, rows: str, twins: Sequence[Mark]
) -> Figure:
    """Draw the pragmatic minus the logical rate by set and condition for the profiled model."""
    judge = sheet.judges[0]
    judge_targets = targets.filter(judge=judge)
    cells = []
    for name in sorted(judge_targets[rows].drop_nulls().unique().to_list()) if rows else []:
        for condition in CONDITIONS:
            cell = filter_rows(judge_targets, {rows: name, "tag.condition": condition})
            logical, pragmatic = share("logical")(cell), share("pragmatic")(cell)
            query = Query(sheet.index, {**TARGETS, rows: name, "tag.condition": condition}, judge)
            gap = (
                Estimate(pragmatic.value - logical.value, logical.n)
                if logical and pragmatic
                else None
            )
            cells.append(
                Number(plain_name(name), condition, judge, gap, query, metric=PRAGMATIC_LEAN)
            )
    few = [n for n in cells if n.estimate and n.estimate.n < FEWEST_ITEMS]
    size = f" A cell of fewer than {FEWEST_ITEMS} answers tells nothing by itself." if few else ""
    blind = (
        {
            series: fmean(m.value for m in twins if m.series == series)
            for series in ("logical", "pragmatic")
        }
        if twins
        else {}
    )
    gap_text = (
        " Without reading, its answers would give"
        f" {100 * (blind['pragmatic'] - blind['logical']):+.0f} points."
        if blind
        else ""
    )
    return Figure(
        "cells",
        "Pragmatic minus logical, in points, by scale and condition",
        "matrix",
        tuple(cells),
        f"How {judge} spreads over scales and conditions.{size}",
        names="set",
        across="",
        domain=(-1.0, 1.0),
        note=(
            f"{judge}. Light: more pragmatic than logical answers; dark: the reverse. Empty: the"
            f" readings agree there.{gap_text} IMPPRES Figures 4 and 8–13."
        ),
    )


implicature = Chapter(
    "implicature",
    "Scalar implicature",
    WHAT,
    GOOD,
    _reads,
    _write,
    order=10,
    needs=NEEDS,
    also=("tag.condition",),
)
