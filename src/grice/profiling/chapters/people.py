"""Agreement with people: published means of experiments on the same words, shipped with grice."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from grice.analysis.statistics.correlation import chance_of
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.gate import BLIND_KEY, ClaimDraft
from grice.profiling.norms import NormComparison, NormRow, within
from grice.profiling.phrases import is_above
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import ClaimNumber, Gate
from grice.reporting.model import LEFT_OUT, Figure, Mark, Number, Query
from grice.tables.tabular import ends_text

TITLES = {
    "scale": "From the weaker word to “not” the stronger, by scale",
    "projection": "What is taken from under operators, by predicate and class",
    "follows": "What follows from a predicate's clause in a plain sentence",
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
# Minimum words for a correlation; maximum rows of a figure with one model, and with several.
FEWEST_WORDS, MOST_ROWS, FEWER_ROWS = 8, 40, 26
WHAT = (
    "Theory says what may be inferred; people infer some of it more often than other: “not all”"
    " from “some” far more often than “not boiling” from “warm”. Published experiments asked"
    " thousands of people. Their means stand beside the judge's answers to fresh sentences with the"
    " same words."
)
GOOD = (
    "A judge that infers what people infer goes up and down with them over words. The correlation"
    " is held against its ceiling, the one that other people would reach; without reading it would"
    " be 0."
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
    ends = ends_text(rank.low, rank.high, " ({:.2f} to {:.2f})")
    ceiling = (
        f"; {comparison.ceiling:.2f} is the most to be expected, since other people would give other means"
        if comparison.ceiling
        else ""
    )
    linear = f", r = {comparison.pearson.value:.2f}" if comparison.pearson else ""
    text = (
        f"{TITLES[comparison.kind]}, it goes with people at ρ = {rank.value:.2f}{ends}{linear} over"
        f" {len(comparison.rows)} words{ceiling}."
    )
    reasons = (
        ()
        if is_above(rank, 0.0)
        else (
            (
                f"over {len(comparison.rows)} words, ρ = {rank.value:.2f}{ends}, which without reading"
                " would be 0"
            ),
        )
    )
    gate = Gate(
        len(comparison.rows),
        len(comparison.rows),
        rank,
        0.0,
        p=chance_of(rank.value, len(comparison.rows)),
        reasons=reasons,
    )
    others = [
        o
        for o in compared
        if o.kind == comparison.kind and o.judge != comparison.judge and o.spearman
    ]
    beside = "; ".join(f"{o.judge} ρ = {o.spearman.value:.2f}" for o in others if o.spearman)
    untold = f"{TITLES[comparison.kind]}, whether it goes with people cannot be told: {{}}."
    topic = TOPICS[comparison.kind]
    return ClaimDraft(
        comparison.kind,
        text,
        untold,
        "people",
        gate,
        f"{beside}." if beside else "",
        f"Goes up and down with people: {topic}.",
        topic=topic,
        numbers=(ClaimNumber(f"norms:{comparison.kind}", rank, 0.0),),
    )


def _figure(sheet: AnswerSheet, compared: Sequence[NormComparison]) -> Figure:
    """Draw one row per word, classes first: the model with its interval, people as ticks."""
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
                numbers.append(Number(name, "", comparison.judge, within(row.said), query))
                marks[name] = Mark(name, "", row.people.mean, f"people, n = {row.people.n:,}")
    level = fmean(row.said.value for row in rows)
    twins = tuple(Mark(name, "", level, BLIND_KEY, blind=True) for name in marks)
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
        marks=(*marks.values(), *twins),
        rests_on=first.kind,
        note=(
            f"Ticks: people's means. Asked: {first.source.question}. {first.source.citation}.{drawn}"
            " Sentences differ from those of the experiment."
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


people = Chapter("people", "Beside people", WHAT, GOOD, _reads, _write, order=60, phenomenon=False)
