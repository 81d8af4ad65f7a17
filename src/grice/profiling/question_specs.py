"""Questions of the first screen: for each claim which rows it asks about, and how it is told."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.share import share
from grice.core.scale import NLI
from grice.profiling.chapter import Findings
from grice.profiling.sheets import AGREED, COUNTED, DIFFER, AnswerSheet, plain_name
from grice.reporting.question import RIGHT
from grice.tables.table import Measure

# Operators under which a presupposition is tested, in the two groups of the first screen.
DENIALS = ("negated", "modal", "perhaps", "it may be that")
QUESTIONS = ("interrogative", "question", "conditional")
READINGS = ("pragmatic", "logical", "neither")
IS_PROJECTED = (
    (pl.col("tag.role") == "target")
    & (pl.col("tag.presupposition") == "positive")
    & (pl.col("gold.label") == "entailment")
)


@dataclass(frozen=True)
class Ending:
    """What a verdict means on the first screen: its chip, the answer that decides, a clause.

    The clause follows the share of the answer. `lead` is how the first sentence of the page says
    the same, with the share in brackets after it.
    """

    chip: str
    decides: str
    finding: str
    lead: str


@cache
def _read_endings() -> list[dict[str, str]]:
    """Return the rows of `endings.tsv`, a verdict each."""
    with Path(__file__).with_name("endings.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@dataclass(frozen=True)
class QuestionSpec:
    """A question about one claim: its words, and the rows and answers that are counted.

    `rows` selects the counted rows of all models, `parts` measures each kind of answer, and
    `golds` are the readings whose gold answers stand beside the example. `where` is the address of
    the rows. `people` is the answer that published means of people are about. A question about one
    group of `operators` refines its verdict by the interval of its own rows.
    """

    chapter: str
    claim: str
    question: str
    column: str
    expected: str
    parts: Mapping[str, Measure]
    golds: tuple[str, ...]
    rows: Callable[[AnswerSheet, Findings], pl.DataFrame | None]
    where: Mapping[str, str] = field(default_factory=dict)
    reading: str = ""
    people: str = ""
    operators: str = ""

    @property
    def endings(self) -> Mapping[str, Ending]:
        """What each verdict of the claim means here; the usual one first."""
        rows = [
            row
            for row in _read_endings()
            if (row["chapter"], row["claim"]) == (self.chapter, self.claim)
        ]
        return {
            row["verdict"]: Ending(
                row["chip"],
                row["decides"],
                row["finding"],
                row["lead"].format(operators=self.operators),
            )
            for row in rows
        }


def _columns(sheet: AnswerSheet, *names: str) -> bool:
    return set(names) <= set(sheet.frame.columns)


def _scalar_rows(sheet: AnswerSheet, findings: Findings) -> pl.DataFrame | None:
    """Return the targets of the sets whose controls hold; of all sets if they hold in none."""
    if not _columns(sheet, "gold.logical", "gold.pragmatic", "tag.role", DIFFER):
        return None
    targets = sheet.frame.filter(
        (pl.col("tag.role") == "target") & (pl.col(DIFFER) == "differ")
    ).filter(pl.col("gold.logical").is_not_null() & pl.col("gold.pragmatic").is_not_null())
    closed = {row for judge, row in findings.gated if judge == sheet.judges[0]}
    sets = "tag.phenomenon"
    if sets not in targets.columns or not closed:
        return targets
    open_sets = [
        name for name in targets[sets].drop_nulls().unique() if plain_name(name) not in closed
    ]
    return targets.filter(pl.col(sets).is_in(open_sets)) if open_sets else targets


def _unembedded_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    if not _columns(sheet, "tag.operator", "tag.presupposition", "gold.label", "tag.role"):
        return None
    return sheet.frame.filter(IS_PROJECTED & (pl.col("tag.operator") == "unembedded"))


def _embedded_rows(
    operators: Sequence[str],
) -> Callable[[AnswerSheet, Findings], pl.DataFrame | None]:
    """Return a selection of presuppositions under operators, where a model's controls hold."""

    def select(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
        if not _columns(sheet, "tag.operator", "tag.presupposition", "gold.label", COUNTED):
            return None
        rows = sheet.frame.filter(IS_PROJECTED & pl.col("tag.operator").is_in(list(operators)))
        counted = rows.filter(pl.col(COUNTED).list.contains(pl.col("judge")).fill_null(value=False))
        return counted if not counted.filter(judge=sheet.judges[0]).is_empty() else rows

    return select


def _signature_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    if not _columns(sheet, "tag.environment", "gold.signature"):
        return None
    return sheet.rows_with("tag.environment", "gold.signature")


def _conjunction_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    if not _columns(sheet, "tag.conjunction", "gold.label"):
        return None
    return sheet.rows_with("tag.conjunction", "gold.label")


def _denied_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    if not _columns(sheet, "tag.inference", "tag.move", "tag.role"):
        return None
    return sheet.frame.filter((pl.col("tag.move") == "denied") & (pl.col("tag.role") == "target"))


def _labelled_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    return sheet.frame.drop_nulls(AGREED) if AGREED in sheet.frame.columns else None


LABELS = {label: entailed(label) for label in NLI.labels}


def _projection(question: str, column: str, operators: Sequence[str], named: str) -> QuestionSpec:
    return QuestionSpec(
        "presupposition",
        "projection",
        question,
        column,
        "entailment",
        LABELS,
        ("label",),
        _embedded_rows(operators),
        {"tag.role": "target", "tag.presupposition": "positive"},
        "label",
        "entailment",
        operators=named,
    )


SPECS = (
    QuestionSpec(
        "implicature",
        "readings",
        "Does “some” mean “not all”?",
        "“some” → “not all”",
        "pragmatic",
        {reading: share(reading) for reading in READINGS},
        ("pragmatic", "logical"),
        _scalar_rows,
        {"tag.role": "target", DIFFER: "differ"},
        people="pragmatic",
    ),
    QuestionSpec(
        "presupposition",
        "accommodation",
        "Does it notice what a sentence takes for granted?",
        "takes for granted",
        "entailment",
        LABELS,
        ("label",),
        _unembedded_rows,
        {"tag.role": "target", "tag.operator": "unembedded", "tag.presupposition": "positive"},
        "label",
        "entailment",
    ),
    _projection(
        "Still there under “not” and “perhaps”?",
        "… under “not”",
        DENIALS,
        "under “not” and “perhaps”",
    ),
    _projection(
        "… and in questions and after “if”?",
        "… in questions, “if”",
        QUESTIONS,
        "in questions and after “if”",
    ),
    QuestionSpec(
        "veridicality",
        "signatures",
        "Does the verb tell whether it happened?",
        "“didn’t forget to”",
        RIGHT,
        {RIGHT: accuracy("signature")},
        ("signature",),
        _signature_rows,
        reading="signature",
    ),
    QuestionSpec(
        "conjunction",
        "right",
        "Does it read “and” and “or”?",
        "“and”, “or”",
        RIGHT,
        {RIGHT: accuracy("label")},
        ("label",),
        _conjunction_rows,
        reading="label",
    ),
    QuestionSpec(
        "cancellability",
        "denied",
        "Can what was implied be taken back?",
        "“in fact, all”",
        RIGHT,
        {RIGHT: accuracy("label")},
        ("label",),
        _denied_rows,
        {"tag.move": "denied", "tag.role": "target"},
        "label",
    ),
    QuestionSpec(
        "other",
        "right",
        "How often is it right?",
        "right",
        RIGHT,
        {RIGHT: accuracy("agreed")},
        ("agreed",),
        _labelled_rows,
        reading="agreed",
    ),
)
