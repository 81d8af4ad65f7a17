"""What may be wrong with a set of pairs, made or published: repeats, clashing labels, balance, slips, leaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from grice.core.dataset import GOLD, TAG, Dataset
from grice.generate import _surface

if TYPE_CHECKING:
    from grice.core.table import Table

Severity = Literal["error", "warning", "note"]
ORDER: tuple[Severity, ...] = ("error", "warning", "note")
# Tags that name the phenomenon of an item, the finest first.
PARTS = ("phenomenon", "set", "trigger")
EXAMPLES = 5
# More values than this are a lexicon, not a condition.
MANY_VALUES = 60


@dataclass(frozen=True)
class Finding:
    """One thing found: how often, out of how many, and the ids of some items that show it."""

    check: str
    severity: Severity
    count: int
    n: int
    detail: str
    examples: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "examples": list(self.examples)}


@dataclass(frozen=True)
class Report:
    """All findings of one dataset, the worst first, and the surface-cue classifiers where they were asked for."""

    dataset: str
    n: int
    findings: tuple[Finding, ...]
    leakage: Table | None = None

    @property
    def failed(self) -> bool:
        return any(finding.severity == "error" for finding in self.findings)

    def of(self, check: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.check == check]

    def to_json(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "n": self.n,
            "failed": self.failed,
            "findings": [finding.to_json() for finding in self.findings],
            "leakage": self.leakage.to_json() if self.leakage else None,
        }


def check(data: Dataset, *, balanced: Sequence[str] = (), leaks: bool = True) -> Report:
    """Every check there is. `balanced` names the conditions the set promises to balance exactly."""
    from grice.generate._leakage import leakage

    table = leakage(data, part_column(data.frame)) if leaks else None
    found = [
        *quick(data.frame),
        *balance(data.frame, balanced),
        *slots(data.frame, balanced),
        *spelling(data.frame),
        *one_sided(data.frame),
        *(_leaking(table) if table else ()),
    ]
    found.sort(key=lambda finding: ORDER.index(finding.severity))
    return Report(data.name, len(data), tuple(found), table)


def quick(frame: pl.DataFrame) -> list[Finding]:
    """The cheap tier, run on every batch that is made: repeats, clashing gold, and slips of the surface."""
    return [*repeats(frame), *slips(frame)]


def part_column(frame: pl.DataFrame) -> str | None:
    """The column that says which phenomenon a row belongs to."""
    return next(
        (TAG + tag for tag in PARTS if TAG + tag in frame.columns and not frame[TAG + tag].null_count()), None
    )


def repeats(frame: pl.DataFrame) -> list[Finding]:
    """Pairs that stand twice, and those among them whose answers differ under one reading."""
    text = ["premise", "hypothesis"]
    twice = frame.filter(pl.struct(text).is_duplicated())
    if twice.is_empty():
        return []
    golds = [c for c in frame.columns if c.startswith(GOLD)]
    pairs = twice.group_by(text, maintain_order=True).agg(
        pl.col("id"), *(pl.col(gold).drop_nulls().n_unique().alias(gold) for gold in golds)
    )
    clash = pairs.filter(pl.max_horizontal(golds) > 1) if golds else pairs.clear()
    same = pairs.join(clash, on=text, how="anti", nulls_equal=True)
    return [
        *_if_any(
            "two gold answers", "error", clash, frame.height, "the same pair of texts has different answers"
        ),
        *_if_any(
            "repeated pair", "error", same, frame.height, "the same pair of texts stands more than once"
        ),
    ]


def _if_any(check: str, severity: Severity, pairs: pl.DataFrame, n: int, detail: str) -> list[Finding]:
    if pairs.is_empty():
        return []
    ids = pairs["id"].head(EXAMPLES).explode().to_list()
    return [Finding(check, severity, pairs.height, n, detail, tuple(ids))]


def slips(frame: pl.DataFrame) -> list[Finding]:
    """Punctuation, capitals, spacing, articles and agreement, looked for once in every distinct sentence."""
    texts = sentences(frame)
    found = []
    for rule, hits in _surface.broken(texts["text"].to_list()).items():
        if not hits:
            continue
        # What most sentences do is the set's own convention (lower-cased text, captions without a stop).
        usual = 2 * len(hits) > texts.height
        severity: Severity = "note" if usual else "error" if rule in _surface.CERTAIN else "warning"
        at = [hit.place for hit in hits[:EXAMPLES]]
        shown = ", ".join(f"'{words}'" for words in dict.fromkeys(hit.words for hit in hits[:EXAMPLES]))
        ids = tuple(texts["id"].gather(at).to_list())
        found.append(Finding(rule, severity, len(hits), texts.height, f"sentences, such as {shown}", ids))
    return found


def sentences(frame: pl.DataFrame) -> pl.DataFrame:
    """The distinct sentences, each with the id of the first item that has it."""
    both = [frame.select("id", pl.col(column).alias("text")) for column in ("premise", "hypothesis")]
    return pl.concat(both).drop_nulls().unique("text", keep="first", maintain_order=True)


def balance(frame: pl.DataFrame, declared: Sequence[str]) -> list[Finding]:
    """Whether each condition takes its values equally often, within every phenomenon.

    A declared condition must be even; of any other tag it is only told when one value is far commoner. What varies
    inside a group (target and control) is the paradigm's own shape.
    """
    parts = part_column(frame)
    found = []
    for column in (c for c in frame.columns if c.startswith(TAG) and c != parts):
        tag = column.removeprefix(TAG)
        told, units = [], 0
        for name, part in _split(frame, parts):
            counts, varies = _counts(part, column)
            units += int(counts["len"].sum())
            if varies and tag not in declared:
                continue
            if 1 < counts.height <= MANY_VALUES and _uneven(counts["len"], exact=tag in declared):
                told.append((name + ": " if name else "") + _ends(counts))
        if told:
            severity: Severity = "error" if tag in declared else "note"
            more = f" … and {len(told) - 4} more" if len(told) > 4 else ""
            found.append(
                Finding("balance", severity, len(told), units, f"{tag}: " + "; ".join(told[:4]) + more)
            )
    return found


def _split(frame: pl.DataFrame, column: str | None) -> list[tuple[str, pl.DataFrame]]:
    if column is None:
        return [("", frame)]
    return [
        (str(k[0]), part) for k, part in frame.partition_by(column, as_dict=True, maintain_order=True).items()
    ]


def _counts(frame: pl.DataFrame, column: str) -> tuple[pl.DataFrame, bool]:
    """How often each value is taken: once a group where a group has one value, else once a row; and whether it varies there."""
    rows = frame.select("group", column).drop_nulls(column)
    if rows.schema[column] == pl.List(pl.String):
        rows = rows.explode(column)
    once = rows.unique()
    varies = bool(once.drop_nulls("group")["group"].is_duplicated().any())
    if rows["group"].null_count() == 0 and not varies:
        rows = once
    return rows.group_by(column).len().sort(["len", column], descending=[True, False]), varies


def _uneven(counts: pl.Series, *, exact: bool) -> bool:
    most, least, even = int(counts.max() or 0), int(counts.min() or 0), float(counts.mean() or 0)  # type: ignore[arg-type]
    return most - least > max(2, 0.05 * even) if exact else most > 1.5 * even and most - even > 5


def _ends(counts: pl.DataFrame) -> str:
    first, last = counts.row(0), counts.row(-1)
    return f"'{first[0]}' {first[1]} and '{last[0]}' {last[1]} of {counts['len'].sum()}"


def slots(frame: pl.DataFrame, promised: Sequence[str]) -> list[Finding]:
    """Conditions that no item fills, and tags that say the same of every item."""
    found = []
    absent = [tag for tag in promised if TAG + tag not in frame.columns or frame[TAG + tag].is_null().all()]
    if absent:
        detail = f"no item has a value for {', '.join(absent)}"
        found.append(Finding("slot never filled", "error", len(absent), len(promised), detail))
    tags = [c for c in frame.columns if c.startswith(TAG)]
    same = [c for c in tags if not frame[c].null_count() and frame[c].n_unique() == 1]
    fixed = [f"{c.removeprefix(TAG)} = {_said(frame[c][0])}" for c in same]
    if fixed:
        found.append(Finding("constant tag", "note", len(fixed), len(tags), "; ".join(fixed)))
    return found


def _said(value: Any) -> str:
    return ", ".join(value) if isinstance(value, pl.Series) else str(value)


def spelling(frame: pl.DataFrame) -> list[Finding]:
    """Words one letter away from a word of the built-in tables, and not in them."""
    texts = sentences(frame)
    found = []
    for word, meant in _surface.misspelt(texts["text"].to_list()).items():
        has = frame.filter(_either(rf"\b{word}\b"))
        ids = tuple(has["id"].head(EXAMPLES).to_list())
        found.append(
            Finding("spelling", "warning", has.height, frame.height, f"'{word}': is it '{meant}'?", ids)
        )
    return found


def _either(pattern: str) -> pl.Expr:
    return pl.any_horizontal(
        pl.col(c).str.contains(pattern).fill_null(False) for c in ("premise", "hypothesis")
    )


@dataclass(frozen=True)
class Condition:
    """Something a set could vary and may not: `one` and `other` are the patterns of its two values."""

    check: str
    one: str
    other: str
    detail: str


_DET = r"(?:[Tt]he|[Tt]his|[Tt]hat|[Tt]hese|[Tt]hose|[Ss]ome|[Aa]n?|[Aa]ll|[Mm]any|[Mm]ost|[Ee]very|[Ee]ach|[A-Z]\w+'s)"
CONDITIONS = (
    Condition(
        "tense of modals",
        r"\b(?:could(?:n't)?|needed to|didn't need to|had to|didn't have to|was(?:n't)? able to)\b",
        r"\b(?:can(?:not|'t)?|needs? to|(?:has|have) to|must(?:n't)?|may|(?:do|does)n't (?:have|need) to)\b",
        "every modal is in the past",
    ),
    Condition(
        "position of connectives",
        rf"^(?:Both |Either |Neither )?(?:{_DET} )?(?:\w+'s )?[\w-]+(?: [\w-]+)?,? (?:and|or|nor) (?:{_DET} )?(?!.* (?:and|or|nor) )",
        r" (?:and|or|nor) ",
        "every connective stands in the subject",
    ),
)


def one_sided(frame: pl.DataFrame) -> list[Finding]:
    """Phenomena that hold a condition at one value throughout: all modals past, all connectives in the subject."""
    found = []
    for condition in CONDITIONS:
        for name, part in _split(frame, part_column(frame)):
            one, any_ = _sides(part["premise"], condition)
            # A phenomenon is about modals when most of its premises have one.
            if 2 * int(any_.sum()) > part.height and one.sum() == any_.sum():
                ids = tuple(part["id"].head(EXAMPLES).to_list())
                detail = condition.detail + (f" in {name}" if name else "")
                found.append(Finding(condition.check, "warning", int(any_.sum()), part.height, detail, ids))
    return found


def _sides(premises: pl.Series, condition: Condition) -> tuple[pl.Series, pl.Series]:
    one, any_ = re.compile(condition.one), re.compile(f"{condition.one}|{condition.other}")
    texts = premises.to_list()
    return (
        pl.Series([bool(one.search(text)) for text in texts]),
        pl.Series([bool(any_.search(text)) for text in texts]),
    )


def _leaking(table: Table) -> list[Finding]:
    """Where a classifier of the surface is clearly better than the commonest label."""
    found = []
    for row in table.rows:
        chance = table.cell(row, "chance")
        for name in (column for column in table.columns if column != "chance"):
            got = table.cell(row, name)
            if not got or not chance or got.low is None or got.low <= chance.value + 0.05:
                continue
            detail = f"{' '.join(row)}: {name} {got.value:.3f} [{got.low:.3f}, {got.high:.3f}] where chance is {chance.value:.3f}"
            found.append(Finding("surface cue", "warning", round(got.value * got.n), got.n, detail))
    return found


def merged(findings: Sequence[Finding]) -> list[Finding]:
    """Findings of many batches as one list, each check once, with counts added up."""
    whole: dict[str, Finding] = {}
    for finding in findings:
        old = whole.get(finding.check)
        whole[finding.check] = (
            finding if old is None else replace(old, count=old.count + finding.count, n=old.n + finding.n)
        )
    return list(whole.values())
