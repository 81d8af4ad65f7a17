"""Conjunction: by connective, by change to a conjunct, boolean and non-boolean (ConjNLI)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.statistics.baselines import correctness, set_column
from grice.analysis.statistics.worst import worst_types
from grice.core.estimate import Estimate
from grice.core.scale import NLI
from grice.papers.conjnli.printed import TABLE8
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.diagnoses import habits
from grice.profiling.draft import ClaimDraft
from grice.profiling.fingerprint import FingerprintRows, fingerprint_rows, right_rows
from grice.profiling.gate import (
    ScoreSpec,
    claim_gate,
    closed_rivals,
    shuffled_marks,
    shuffled_share,
    strata_of,
)
from grice.profiling.phrases import is_above
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import AnswerSheet, examples, kind_tag, numbers
from grice.reporting.claims import ClaimNumber, Gate, Value, Verdict
from grice.reporting.formats import round_percent
from grice.reporting.model import ExamplePair, Figure, Mark

CUTS = {"tag.usage": "use", "tag.conjunction": "word", "tag.operation": "conjunct"}
WITH = {
    "tag.quantifier": "a quantifier",
    "tag.negation": "a negation",
    "tag.multiple": "several conjunctions",
}
RIGHT = {"": correctness("gold.label")}
# Minimum difference between boolean and other uses for the verdict boolean.
EVEN = 0.1
CLAUSES = (
    "It answers {overall:share} of the conjunctions correctly; always {common} would be correct on"
    " {majority:round}",
    "; boolean uses {boolean:share}",
    ", other uses {other:share}",
    ".",
    " Lowest on {weakest}: {weakest_rate:share} (Fisher's exact test, Bonferroni).",
)
READS = Verdict("conjunctions", "reads them", "Reads conjunctions, boolean or not.", CLAUSES)
READS_ANY = replace(READS, headline="Reads conjunctions.")
READS_BOOLEAN = Verdict(
    "boolean",
    "Boolean uses only",
    "Reads boolean conjunctions, not the other uses of “and” and “or”.",
    CLAUSES,
)
TOPIC = "conjunction"
WHAT = (
    "“A and B” entails A, “A or B” does not, and A entails “A or B”: so far conjunctions are"
    " boolean. English also uses them otherwise: “Jo and Sam own 3 cars” is about both together,"
    " “Pride and Prejudice” is one book, “all but two” makes an exception, “5 km or 3 miles” says"
    " one thing twice."
)
GOOD = (
    "What logic gives for boolean uses, and what the use means for the others. A model that goes by"
    " shared words answers entailment to nearly all."
)

# Columns that the data must have.
NEEDS = ("tag.conjunction", "gold.label")


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.rows_with("tag.conjunction", "gold.label")
    judge = sheet.judges[0]
    overall = {"": accuracy("label")}
    by_type = [
        replace(n, row=f"with {name}" if only else f"{name}: {n.row}")
        for names, only in ((CUTS, ()), (WITH, ("yes",)))
        for column, name in names.items()
        if column in frame.columns
        for n in numbers(
            sheet, frame.drop_nulls(column), column, overall, reading="label", only=only
        )
        if n.estimate
    ]
    judge_rows = frame.filter(judge=judge)
    common, share = _majority(judge_rows)
    rows = set_column(frame)
    finding = _claim(judge_rows, rows, common, share, _beside(sheet, frame))
    figure = Figure(
        "types",
        "Right by use, word and change",
        "dots",
        tuple(by_type),
        finding.sentence,
        names="type",
        across="right",
        line=share,
        marks=_baseline_marks(judge_rows, rows),
        note=(
            f"The dashed line is the share of {common}, the most frequent answer. ConjNLI Tables 3"
            " and 9."
        )
        + ("" if "tag.boolean" in frame.columns else " This data does not mark non-boolean uses."),
    )
    return Findings(
        (figure,),
        examples=_shown(frame),
        findings=(finding,),
        candidates=habits(judge_rows, "gold.label"),
        gated=closed_rivals(judge, frame, lambda own: _gate(own, rows)),
        fingerprint=_fingerprint(sheet, frame),
    )


def _fingerprint(sheet: AnswerSheet, frame: pl.DataFrame) -> FingerprintRows:
    """Return accuracy by use, or by connective where the data do not mark uses."""
    by = "tag.usage" if "tag.usage" in frame.columns else "tag.conjunction"
    items = frame.drop_nulls(by)
    items = items.explode(by) if items.schema[by] == pl.List(pl.String) else items
    return fingerprint_rows(sheet, items, right_rows(by, "label"))


def _baseline_marks(judge_rows: pl.DataFrame, rows: str) -> tuple[Mark, ...]:
    """Mark the shuffled-answer baseline of every type."""
    return tuple(
        replace(mark, row=f"with {name}" if names is WITH else f"{name}: {mark.row}")
        for names in (CUTS, WITH)
        for column, name in names.items()
        if column in judge_rows.columns
        for mark in shuffled_marks(judge_rows, RIGHT, column, strata=strata_of(rows))
        if names is CUTS or mark.row == "yes"
    )


def _beside(sheet: AnswerSheet, frame: pl.DataFrame) -> str:
    """List comparison models and the printed accuracies on ConjNLI's dev pairs."""
    base, best = (TABLE8[model, "CD"] / 100 for model in ("RoBERTa", "IAFT"))
    where = "on these pairs" if sheet.data.name == "conjnli/dev" else "on its own pairs"
    paper = (
        f"in ConjNLI, {where}, RoBERTa {round_percent(base)} and its best model"
        f" {round_percent(best)}"
    )
    return describe_rivals(sheet, frame, accuracy("label"), paper)


def _shown(frame: pl.DataFrame) -> tuple[ExamplePair, ...]:
    if "tag.boolean" not in frame.columns:
        return examples(frame, ("label",))
    first_items = [frame.filter(pl.col("tag.boolean") == kind).head(1) for kind in ("yes", "no")]
    return examples(pl.concat(first_items), ("label",))


def _majority(judge_rows: pl.DataFrame) -> tuple[str, float]:
    [(label, count)] = Counter(judge_rows["gold.label"]).most_common(1)
    return label, count / judge_rows.height


def _claim(
    judge_rows: pl.DataFrame, rows: str, common: str, share: float, beside: str
) -> ClaimDraft:
    """Return the claim that conjunctions, or the boolean ones, are answered above baseline."""
    gate, overall = _gate(judge_rows, rows), accuracy("label")(judge_rows)
    yes, no = (
        (
            accuracy("label")(judge_rows.filter(pl.col("tag.boolean") == kind))
            if "tag.boolean" in judge_rows.columns
            else None
        )
        for kind in ("yes", "no")
    )
    is_uneven = yes is not None and no is not None and _is_apart(yes, no)
    if is_uneven and not gate.passed:
        # The test of the boolean uses alone is a second test, so p is doubled (Bonferroni).
        boolean = _gate(judge_rows.filter(pl.col("tag.boolean") == "yes"), rows)
        gate = replace(boolean, p=min(1.0, 2 * boolean.p))
    rates = {"overall": overall, "boolean": yes, "other": no}
    values: dict[str, Value] = {name: rate for name, rate in rates.items() if rate}
    values |= {"common": common, "majority": share}
    worst, worst_rate = _worst(judge_rows)
    if worst and worst_rate:
        values |= {"weakest": tuple(worst), "weakest_rate": worst_rate}
    shuffled = shuffled_share(judge_rows, RIGHT[""], strata_of(rows))
    all_kinds = READS if is_above(no, 0.5) else READS_ANY
    return ClaimDraft(
        "right",
        TOPIC,
        gate,
        READS_BOOLEAN if is_uneven else all_kinds,
        values,
        beside,
        numbers=(ClaimNumber("accuracy:label", overall, shuffled, kind_tag(judge_rows)),)
        if overall
        else (),
    )


def _gate(judge_rows: pl.DataFrame, rows: str) -> Gate:
    spec = ScoreSpec(
        RIGHT[""],
        "gold.label",
        strata_of(rows),
        balance="gold.label",
        labels=NLI.labels,
        every_label=True,
    )
    return claim_gate(judge_rows, spec)


def _is_apart(high: Estimate, low: Estimate) -> bool:
    """Return whether a share exceeds that of other items by significantly more than `EVEN`."""
    ends = (high.low, high.high, low.low, low.high)
    if any(end is None for end in ends):
        return False
    half = math.hypot(high.value - (high.low or 0.0), (low.high or 0.0) - low.value)
    return high.value - low.value - half > EVEN


def _worst(judge_rows: pl.DataFrame) -> tuple[list[str], Estimate | None]:
    """Return the types that may be the worst, and their accuracy; none if none is worse."""
    kinds = {
        f"{name} “{value}”": _has(judge_rows, column, value)
        for column, name in CUTS.items()
        if column in judge_rows.columns
        for value in judge_rows[column].explode().drop_nulls().unique().sort().to_list()
    } | {
        f"items with {name}": _has(judge_rows, column, "yes")
        for column, name in WITH.items()
        if column in judge_rows.columns
    }
    correct = (judge_rows["answer"] == judge_rows["gold.label"]).cast(pl.Int8)
    worst = worst_types(correct, kinds, judge_rows["group"])
    members = pl.any_horizontal([kinds[name].fill_null(False) for name in worst]) if worst else None
    rate = accuracy("label")(judge_rows.filter(members)) if members is not None else None
    return worst, rate


def _has(judge_rows: pl.DataFrame, column: str, value: str) -> pl.Series:
    several = judge_rows.schema[column] == pl.List(pl.String)
    return judge_rows[column].list.contains(value) if several else judge_rows[column] == value


conjunction = Chapter("conjunction", "Conjunction", WHAT, GOOD, write=_write, order=40, needs=NEEDS)
