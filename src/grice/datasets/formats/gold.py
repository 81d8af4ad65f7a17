"""Gold answers of a table: one label or number per row, a distribution, or several annotators."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from grice.core.dataset import SHARE
from grice.core.errors import InputError, bad_line
from grice.core.scale import NLI, UNIT, Answer, Scale, scale_of

NO_GOLD = ("", "-", None)
# Labels that belong together, of which a file may have one alone.
FAMILIES = (
    NLI.labels,
    ("entailment", "not_entailment"),
    ("yes", "no"),
    ("true", "false"),
    ("acceptable", "unacceptable"),
)
RANGE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)\s*")
SUMS_TO_ONE = 0.02
TableRow = tuple[Path, int, dict[str, Any]]


@dataclass
class GoldAnswers:
    """Gold answers by reading, their scale, the scales of further readings, and what was guessed.

    `notes` say what was guessed.
    """

    scale: Scale
    answers: list[dict[str, Answer]]
    readings: dict[str, Scale] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_gold(
    path: Path, rows: Sequence[TableRow], columns: Sequence[str], named: Scale | None
) -> GoldAnswers:
    """Read gold answers from one column, several annotators' columns, or one column per label."""
    if not columns:
        scale = named or NLI
        note = (
            f"no label column, so there is no gold, and judges are asked for {scale}; name one with"
            " --label"
        )
        return GoldAnswers(scale, [{} for _ in rows], notes=[] if named else [note])
    for labels_scale in (named, NLI):
        if labels_scale and set(columns) == set(labels_scale.labels):
            return _distributions(rows, [_shares(row, columns) for row in rows], labels_scale)
    if len(columns) > 1:
        return _annotators(path, rows, columns, named)
    return _single_column(path, rows, columns[0], named)


def _single_column(
    path: Path, rows: Sequence[TableRow], column: str, named: Scale | None
) -> GoldAnswers:
    """Read a column of labels or numbers, or of distributions where any cell holds one."""
    values = [row.get(column) for _, _, row in rows]
    shares = [_mapping(value) for value in values]
    if any(cell is not None for cell in shares):
        labels = list(dict.fromkeys(label for cell in shares if cell for label in cell))
        return _distributions(rows, shares, named or scale_of(labels))
    notes: list[str] = []
    scale = named or guess_scale(path, values, notes)
    answers = [
        read_answer(part, line, value, scale)
        for (part, line, _), value in zip(rows, values, strict=True)
    ]
    gold = [{} if answer is None else {"label": answer} for answer in answers]
    return GoldAnswers(scale, gold, notes=notes)


def named_scale(labels: str) -> Scale | None:
    """Return the scale that a user names: `a,b,c`, or a range `1..7`."""
    ends = RANGE.fullmatch(labels)
    if ends:
        return Scale(low=float(ends[1]), high=float(ends[2]))
    parts = tuple(part.strip() for part in labels.split(",") if part.strip())
    if len(parts) == 1:
        raise InputError(
            f"--labels {labels}: a scale needs at least two labels; name all of them, as in"
            " --labels yes,no, or a range, 1..7"
        )
    return Scale(labels=parts) if parts else None


def guess_scale(path: Path, answers: Sequence[Any], notes: list[str]) -> Scale:
    """Guess the scale of some answers and note where it could be another one."""
    present = [answer for answer in answers if answer not in NO_GOLD]
    examples = ", ".join(sorted({str(answer) for answer in present})[:5])
    try:
        numbers = [float(answer) for answer in present]
    except (TypeError, ValueError):
        return _guess_labels(path, {str(answer) for answer in present}, notes)
    # Whole numbers may be the codes of labels: whose order only the user knows.
    if numbers and all(number.is_integer() for number in numbers):
        remedy = (
            "name the labels with --labels, first the one of 0, or the range with --labels 1..7"
        )
        raise InputError(f"{path}: the labels are numbers ({examples}); {remedy}")
    scale = scale_of(numbers)
    if numbers and scale != UNIT:
        notes.append(f"numbers on {scale}; another range with --labels LOW..HIGH")
    return scale


def _guess_labels(path: Path, words: set[str], notes: list[str]) -> Scale:
    low = {word.lower() for word in words}
    family = next((labels for labels in FAMILIES if low <= set(labels)), None)
    if len(words) > 1 and family != NLI.labels:
        scale = scale_of(words)
        if scale != NLI:
            notes.append(f"labels {scale}; others or another order with --labels")
        return scale
    if family is None and len(words) == 1:
        (only,) = words
        raise InputError(
            f"{path}: the only label is '{only}'; name all labels with --labels {only},…"
        )
    scale = Scale(labels=family or NLI.labels)
    if len(words) < 2:
        notes.append(
            f"{'one label' if words else 'no label'} in it, and judges are asked for {scale};"
            " others with --labels"
        )
    return scale


def read_answer(path: Path, line: int, value: Any, scale: Scale) -> Answer | None:
    """Return a cell as an answer on the scale.

    The number of a label stands for the label; case is ignored.
    """
    if value in NO_GOLD:
        return None
    if scale.numeric:
        try:
            answer: Answer = float(value)
        except (TypeError, ValueError):
            answer = str(value)
    elif str(value).isdigit() and str(value) not in scale.labels and int(value) < len(scale.labels):
        answer = scale.labels[int(value)]
    else:
        lower = {label.lower(): label for label in scale.labels}
        answer = lower.get(str(value).strip().lower(), str(value))
    if not scale.accepts(answer):
        remedy = f"the scale is {scale}; correct it or give --labels"
        raise bad_line(path, line, f"unknown label '{value}'", remedy)
    return answer


def _annotators(
    path: Path, rows: Sequence[TableRow], columns: Sequence[str], named: Scale | None
) -> GoldAnswers:
    """Combine the answers of several annotators.

    The gold is the mean of numbers. Of labels it is the majority, none where two are equally
    frequent, and the share of each label is a reading.
    """
    notes: list[str] = []
    scale = named or guess_scale(
        path, [row.get(column) for _, _, row in rows for column in columns], notes
    )
    cells = [
        [read_answer(part, line, row.get(column), scale) for column in columns]
        for part, line, row in rows
    ]
    answers = [[answer for answer in row if answer is not None] for row in cells]
    if scale.numeric:
        means: list[dict[str, Answer]] = [
            {"label": fmean(map(float, replies))} if replies else {} for replies in answers
        ]
        return GoldAnswers(
            scale, means, notes=[*notes, f"the gold is the mean of {', '.join(columns)}"]
        )
    counted = [Counter(map(str, replies)) if replies else None for replies in answers]
    shares = [
        counts and {label: count / counts.total() for label, count in counts.items()}
        for counts in counted
    ]
    gold = _distributions(rows, shares, scale)
    notes += [f"annotators {', '.join(columns)}", *gold.notes]
    return GoldAnswers(scale, gold.answers, gold.readings, notes)


def _distributions(
    rows: Sequence[TableRow], shares: Sequence[Mapping[str, Any] | None], scale: Scale
) -> GoldAnswers:
    """Return the most frequent label as the reading `label` and each share as `share_LABEL`."""
    answers: list[dict[str, Answer]] = []
    for (part, line, _), row_shares in zip(rows, shares, strict=True):
        if not row_shares:
            answers.append({})
            continue
        by_label = {
            str(read_answer(part, line, label, scale)): value for label, value in row_shares.items()
        }
        values = {label: by_label.get(label, 0) for label in scale.labels}
        answers.append(_distribution(part, line, values))
    ties = sum("label" not in answer and bool(answer) for answer in answers)
    exceptions = f", none for {ties} ties" if ties else ""
    note = f"distributions of {scale}; the gold 'label' is the most frequent{exceptions}"
    return GoldAnswers(scale, answers, {SHARE + label: UNIT for label in scale.labels}, [note])


def _distribution(path: Path, line: int, values: Mapping[str, Any]) -> dict[str, Answer]:
    try:
        numbers = {label: float(value or 0) for label, value in values.items()}
    except (TypeError, ValueError):
        fact = f"shares {list(values.values())} are not numbers"
        raise bad_line(path, line, fact, "write a number for each label") from None
    total, top = sum(numbers.values()), max(numbers.values())
    are_counts = all(number.is_integer() for number in numbers.values())
    are_shares = abs(total - 1) <= SUMS_TO_ONE or abs(total - 100) <= 2
    if min(numbers.values()) < 0 or total <= 0 or not (are_counts or are_shares):
        remedy = "they are counts, or sum to 1 or 100"
        raise bad_line(path, line, f"shares sum to {total:g}", remedy)
    best = [label for label, number in numbers.items() if number == top]
    shares: dict[str, Answer] = {SHARE + label: number / total for label, number in numbers.items()}
    return {**({"label": best[0]} if len(best) == 1 else {}), **shares}


def _shares(row: TableRow, columns: Sequence[str]) -> Mapping[str, Any] | None:
    values = {column: row[2].get(column) for column in columns}
    return values if any(value not in NO_GOLD for value in values.values()) else None


def _mapping(value: Any) -> Mapping[str, Any] | None:
    """Return the distribution in a cell: an object, or its JSON; None for anything else."""
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, Mapping):
        return None
    return {key: number for key, number in value.items() if number is not None}
