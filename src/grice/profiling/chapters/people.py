"""Agreement with people: published means of experiments on the same words, shipped with grice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from grice.analysis.statistics.correlation import chance_of
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.gate import BLIND_KEY
from grice.profiling.norms import NormComparison, NormRow, within
from grice.profiling.phrases import is_above
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import ClaimNumber, Gate, GateCheck, State, Test, Value, Verdict
from grice.reporting.model import LEFT_OUT, Figure, Mark, MarkKind, Number, Query

TITLES = {
    "scale": "How often “not” the stronger word follows from the weaker, by scale",
    "projection": "What is still inferred under operators, by predicate and class",
    "follows": "Whether a predicate's clause follows from a plain sentence",
    "happened": "Whether it happened, by verb and signature",
}
TOPICS = {
    "scale": "scalar words",
    "projection": "what projects",
    "follows": "what follows",
    "happened": "what happened",
}
ACROSS = {
    "scale": "drawn as entailed",
    "projection": "taken as entailed",
    "follows": "taken as entailed",
    "happened": "yes 1, maybe 0.5, no 0",
}
CORRELATES = Verdict(
    "people",
    "human-like",
    "Correlates with people.",
    (
        "{title}: correlation with people ρ = {rho:r}",
        ", r = {r:p}",
        " over {words:n} words",
        "; the noise ceiling is {ceiling:p}",
        ".",
    ),
)
# Minimum words for a correlation; maximum rows of a figure with one model, and with several.
FEWEST_WORDS, MOST_ROWS, FEWER_ROWS = 8, 40, 26
WHAT = (
    "Theory says what may be inferred; people infer some of it more often than other: “not all”"
    " from “some” far more often than “not boiling” from “warm”. Published experiments"
    " asked thousands of people. Their means are compared with the model's answers to new"
    " sentences with the same words."
)
GOOD = (
    "A model that infers what people infer correlates with them over words. The correlation"
    " is compared with its ceiling, the one that other people would reach; 0 is expected by"
    " chance."
)


def _reads(sheet: AnswerSheet) -> bool:
    """Return whether the data have words whose human means are known."""
    return not sheet.data.scale.numeric and bool(_compared(sheet))


def _compared(sheet: AnswerSheet) -> list[NormComparison]:
    """Return one comparison per kind and model: over all environments if there are several."""
    comparisons: dict[tuple[str, str], NormComparison] = {}
    for comparison in sheet.norms:
        if comparison.rows or comparison.classes:
            comparisons[comparison.kind, comparison.judge] = comparison
    return list(comparisons.values())


def _write(sheet: AnswerSheet) -> Findings | None:
    compared = _compared(sheet)
    judge_comparisons = [
        comparison for comparison in compared if comparison.judge == sheet.judges[0]
    ]
    kinds = dict.fromkeys(comparison.kind for comparison in compared)
    figures = tuple(
        _figure(sheet, [comparison for comparison in compared if comparison.kind == kind])
        for kind in kinds
    )
    findings = tuple(
        _finding(comparison, compared)
        for comparison in judge_comparisons
        if len(comparison.rows) >= FEWEST_WORDS and comparison.spearman
    )
    return Findings(figures, findings=findings) if judge_comparisons else None


def _finding(comparison: NormComparison, compared: Sequence[NormComparison]) -> ClaimDraft:
    """Return the claim that the model's numbers correlate with people's over words."""
    rank = comparison.spearman
    assert rank is not None
    values: dict[str, Value] = {"rho": rank, "words": len(comparison.rows)}
    if comparison.ceiling:
        values["ceiling"] = comparison.ceiling
    if comparison.pearson:
        values["r"] = comparison.pearson
    state = State.PASS if is_above(rank, 0.0) else State.FAIL
    gate = Gate(
        len(comparison.rows),
        len(comparison.rows),
        rank,
        (GateCheck(Test.CORRELATION, state, {"score": rank}),),
        p=chance_of(rank.value, len(comparison.rows)),
    )
    others = [
        other
        for other in compared
        if other.kind == comparison.kind and other.judge != comparison.judge and other.spearman
    ]
    beside = "; ".join(
        f"{other.judge} ρ = {other.spearman.value:.2f}" for other in others if other.spearman
    )
    topic = TOPICS[comparison.kind]
    return ClaimDraft(
        comparison.kind,
        f"agreement with people on {topic}",
        gate,
        replace(CORRELATES, headline=f"Correlates with people: {topic}."),
        values | {"title": TITLES[comparison.kind]},
        f"{beside}." if beside else "",
        numbers=(ClaimNumber(f"norms:{comparison.kind}", rank, 0.0),),
    )


def _figure(sheet: AnswerSheet, compared: Sequence[NormComparison]) -> Figure:
    """Draw one row per word, classes first: the model with its interval, people as diamonds."""
    first = compared[0]
    rows = [*first.classes, *first.rows]
    several = len({row.people.condition for row in rows}) > 1
    max_rows = MOST_ROWS if len(compared) == 1 else FEWER_ROWS
    drawn_names = {
        _name(row, several)
        for row in (rows if len(rows) <= max_rows else _spread_out(rows, max_rows))
    }
    numbers, marks = [], {}
    for comparison in compared:
        for row in (*comparison.classes, *comparison.rows):
            name = _name(row, several)
            if name in drawn_names:
                query = Query(sheet.index, row.where, comparison.judge) if row.where else LEFT_OUT
                numbers.append(Number(name, "", comparison.judge, within(row.model_mean), query))
                marks[name] = Mark(
                    name, "", row.people.mean, f"people, n = {row.people.n:,}", MarkKind.PEOPLE
                )
    level = fmean(row.model_mean.value for row in rows)
    baseline_marks = tuple(
        Mark(name, "", level, BLIND_KEY, kind=MarkKind.SHUFFLED) for name in marks
    )
    rank = first.spearman if len(first.rows) >= FEWEST_WORDS else None
    finding = (
        f"Over {len(first.rows)} words {first.judge} and people correlate at ρ = {rank.value:.2f}."
        if rank
        else "Too few words for a correlation."
    )
    drawn = (
        f" {len(drawn_names)} of {len(rows)} rows are drawn."
        if len(drawn_names) < len(rows)
        else ""
    )
    return Figure(
        first.kind,
        TITLES[first.kind],
        "dots",
        tuple(numbers),
        finding,
        names="word",
        across=ACROSS[first.kind],
        marks=(*marks.values(), *baseline_marks),
        rests_on=first.kind,
        note=(
            f"Diamonds: people's means. Asked: {first.source.question}. {first.source.citation}."
            f"{drawn} Sentences differ from those of the experiment."
        ),
    )


def _name(row: NormRow, several: bool) -> str:
    key = (
        (f"⟨{row.people.key.replace('/', ', ')}⟩" if row.people.kind == "scale" else row.people.key)
        .replace("signature: ", "signature ")
        .replace("class: ", "all ")
    )
    return f"{key}, {row.people.condition}" if several else key


def _spread_out(rows: Sequence[NormRow], max_rows: int) -> list[NormRow]:
    """Select all classes, then words from the whole range of people's means."""
    classes = [row for row in rows if ": " in row.people.key]
    word_rows = sorted(
        (row for row in rows if ": " not in row.people.key), key=lambda row: row.people.mean
    )
    room = max(max_rows - len(classes), 1)
    step = max(len(word_rows) / room, 1.0)
    return [*classes, *(word_rows[int(i * step)] for i in range(min(room, len(word_rows))))]


people = Chapter(
    "people", "Agreement with people", WHAT, GOOD, _reads, _write, order=60, phenomenon=False
)
