"""Conjunction: by connective, by what is done to a conjunct, boolean against non-boolean (ConjNLI)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.core.estimate import Estimate
from grice.papers.conjnli.printed import TABLE8
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.phrases import is_above, is_below, percent, round_percent, select
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import AnswerSheet, examples, numbers, plain_name, row_column
from grice.reporting.model import ExamplePair, Figure, Mark, Number

CUTS = {"tag.usage": "use", "tag.conjunction": "word", "tag.operation": "conjunct"}
WITH = {"tag.quantifier": "a quantifier", "tag.negation": "a negation", "tag.multiple": "several conjunctions"}
WHAT = (
    "“A and B” entails A, “A or B” does not, and A entails “A or B”: so far conjunctions are boolean. English also uses them otherwise: “Jo and Sam own 3 cars” is about both together, “Pride and Prejudice” "
    "is one book, “all but two” makes an exception, “5 km or 3 miles” says one thing twice."
)
GOOD = "What logic gives for boolean uses, and what the use means for the others. A judge that goes by shared words answers entailment to nearly all."

# What its data have at least.
NEEDS = ("tag.conjunction", "gold.label")


def _reads(sheet: AnswerSheet) -> bool:
    """Whether the data says what becomes of a conjunct."""
    return sheet.has(*NEEDS)


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.frame.drop_nulls(["tag.conjunction", "gold.label"])
    judge = sheet.judges[0]
    right = {"": accuracy("label")}
    by_type = [
        replace(n, row=f"with {name}" if only else f"{name}: {n.row}")
        for names, only in ((CUTS, None), (WITH, ("yes",)))
        for column, name in names.items()
        if column in frame.columns
        for n in numbers(sheet, frame.drop_nulls(column), column, right, reading="label", only=only)
        if n.estimate
    ]
    mine = frame.filter(judge=judge)
    common, share = _majority(mine)
    rows = row_column(frame)
    overview = numbers(sheet, frame, rows, right, reading="label", whole="conjunction")
    headline = _sentences(mine, by_type, judge, common, share)
    figure = Figure(
        "types", "Right by use, word and change", "dots", tuple(by_type), headline[0], names="type", across="right", line=share,
        note=f"The dashed line is the share of {common}, the most frequent answer. ConjNLI Tables 3 and 9." + ("" if "tag.boolean" in frame.columns else " This data does not mark non-boolean uses."),
    )  # fmt: skip
    marks = tuple(
        Mark(row, "", _share(frame, rows, row), "most frequent answer")
        for row in dict.fromkeys(n.row for n in overview)
    )
    beside = (_beside(sheet, frame),)
    return Findings((figure,), headline, _shown(frame), beside=beside, overview=tuple(overview), marks=marks)


def _beside(sheet: AnswerSheet, frame: pl.DataFrame) -> str:
    """Rivals, and the printed accuracies on ConjNLI's dev pairs, which are the same items or others."""
    base, best = (TABLE8[model, "CD"] / 100 for model in ("RoBERTa", "IAFT"))
    where = "on these pairs" if sheet.data.name == "conjnli/dev" else "on its own pairs"
    paper = f"in ConjNLI, {where}, RoBERTa {round_percent(base)} and its best model {round_percent(best)}"
    return describe_rivals(sheet, frame, accuracy("label"), paper)


def _shown(frame: pl.DataFrame) -> tuple[ExamplePair, ...]:
    if "tag.boolean" not in frame.columns:
        return examples(frame, ("label",))
    each = [frame.filter(pl.col("tag.boolean") == kind).head(1) for kind in ("yes", "no")]
    return examples(pl.concat(each), ("label",))


def _majority(mine: pl.DataFrame) -> tuple[str, float]:
    counts = mine["gold.label"].value_counts(sort=True)
    return str(counts["gold.label"][0]), float(counts["count"][0] / mine.height)


def _share(frame: pl.DataFrame, rows: str, row: str) -> float:
    """The share of the most frequent gold answer among a row's items."""
    names = [name for name in frame[rows].drop_nulls().unique() if plain_name(name) == row] if rows else []
    here = frame.filter(pl.col(rows).is_in(names)) if rows else frame
    return _majority(here.unique("id"))[1]


def _sentences(mine: pl.DataFrame, by_type: Sequence[Number], judge: str, common: str, share: float) -> tuple[str, ...]:
    overall = accuracy("label")(mine)
    if not is_above(overall, share):
        return (
            f"On conjunctions it does no better than answering {common} throughout: {percent(overall)} right against {round_percent(share)}.",
        )
    first = f"It gets {percent(overall)} of conjunctions right: {round_percent(share)} would be {common} throughout"
    return (first + _booleans(mine) + _weakest(by_type, judge, overall),)


def _booleans(mine: pl.DataFrame) -> str:
    if "tag.boolean" not in mine.columns:
        return "."
    yes, no = (accuracy("label")(mine.filter(pl.col("tag.boolean") == kind)) for kind in ("yes", "no"))
    if yes is None or no is None:
        return "."
    return f"; {percent(yes)} where they are boolean, {percent(no)} where they are not."


def _where(row: str) -> str:
    """`use: exclusive` in a sentence."""
    cut, _, kind = row.partition(": ")
    clauses = {"use": f"the use is “{kind}”", "word": f"the word is “{kind}”", "conjunct": f"a conjunct is {kind}"}
    return clauses.get(cut, f"there is {row.removeprefix('with ')}")


def _weakest(by_type: Sequence[Number], judge: str, overall: Estimate | None) -> str:
    """The type that lies clearly below the whole, if one does."""
    if overall is None:
        return ""
    low = [n for n in select(by_type, judge) if is_below(n.estimate, overall.value)]
    if not low:
        return ""
    worst = min(low, key=lambda n: n.value)
    return f" It breaks most where {_where(worst.row)}: {percent(worst.estimate)}."


conjunction = Chapter("conjunction", "Conjunction", WHAT, GOOD, _reads, _write, order=40, needs=NEEDS)
