"""Any CSV, TSV, JSON-lines or Parquet file of texts or pairs as a dataset."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import GOLD, TAG, Dataset, read_items
from grice.core.errors import InputError, bad_line
from grice.core.files import read_bytes, read_json_lines, read_table
from grice.core.item import Card, Item, TagValue
from grice.core.scale import Answer, Scale, scale_of

# Names people give to these columns, most telling first.
PREMISE = ("premise", "sentence1", "sentence_1", "sentence_a", "text1", "context", "sentence", "text")
HYPOTHESIS = ("hypothesis", "sentence2", "sentence_2", "sentence_b", "text2")
LABEL = ("label", "gold_label", "gold", "entailment_judgment", "answer", "score")
ID = ("id", "pairid", "pair_id", "uid", "index")
NO_GOLD = ("", "-", None)
EMPTY = ("", None)


def read_file(path: Path, *, premise: str = "", hypothesis: str = "", label: str = "", labels: str = "") -> Dataset:
    """Columns are found by their usual names or as named; every other column becomes a tag.

    Without `labels`, a file with entailment or contradiction among its labels is read on the NLI scale, numbers
    from 0 to 1 on the unit scale, and other words as labels of their own.
    """
    if path.suffix == ".parquet" and (frame := _columnar(path)) is not None:
        given = [answer for c in frame.columns if c.startswith(GOLD) for answer in frame[c].drop_nulls().unique()]
        return Dataset(str(path), _named(labels) or scale_of(given), frame, Card(f"items of {path.name}"))
    rows = list(_rows(path))
    if not rows:
        raise InputError(f"{path}: the file is empty; it needs at least one row")
    if any(isinstance(row.get(key), dict) for _, row in rows for key in ("gold", "tags")):
        return read_items(path, scale=_named(labels))
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    columns = Columns(
        premise=_column(path, names, premise, PREMISE, "premise"),
        hypothesis=_column(path, names, hypothesis, HYPOTHESIS, "hypothesis", needed=bool(hypothesis)),
        label=_column(path, names, label, LABEL, "label", needed=bool(label)),
        id=_column(path, names, "", ID, "id", needed=False),
    )
    scale = _named(labels) or _scale(path, [row.get(columns.label) for _, row in rows])
    seen: dict[str, int] = {}
    items = [_item(path, line, row, columns, scale, seen) for line, row in rows]
    return Dataset.from_items(str(path), scale, items, card=Card(f"items of {path.name}"))


@dataclass(frozen=True)
class Columns:
    """The names of the columns that mean something; an empty name is a column the file does not have."""

    premise: str
    hypothesis: str
    label: str
    id: str


def _item(path: Path, line: int, row: dict[str, Any], columns: Columns, scale: Scale, seen: dict[str, int]) -> Item:
    item = str(len(seen)) if not columns.id else str(row.get(columns.id, ""))
    if item in seen or not item:
        fact = f"the id '{item}' stands twice" if item else f"no id in '{columns.id}'"
        raise bad_line(path, line, fact, f"ids are unique{f'; see line {seen[item]}' if item else ''}")
    seen[item] = line
    answer = _answer(path, line, row.get(columns.label), scale)
    used = (columns.premise, columns.hypothesis, columns.label, columns.id)
    tags = {name: _tag(value) for name, value in row.items() if name not in used and value not in EMPTY}
    group = tags.pop("group", None)
    return Item(
        item,
        _text(path, line, row, columns.premise),
        _text(path, line, row, columns.hypothesis) if columns.hypothesis else None,
        {} if answer is None else {"label": answer},
        tags,
        None if group is None else str(group),
    )


def _text(path: Path, line: int, row: dict[str, Any], column: str) -> str:
    text = row.get(column)
    if not isinstance(text, str) or not text.strip():
        raise bad_line(path, line, f"no text in '{column}'", "every row has a text to judge")
    return text


def _tag(value: Any) -> TagValue:
    return tuple(map(str, value)) if isinstance(value, list) else str(value)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, row); a Parquet file has no lines, so its rows are counted from 1."""
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind in ("csv", "tsv"):
        yield from read_table(path, delimiter="," if kind == "csv" else "\t")
    elif kind == "parquet":
        yield from enumerate(_parquet(path), 1)
    elif kind in ("jsonl", "ndjson"):
        for line, row in read_json_lines(path):
            if not isinstance(row, dict):
                raise bad_line(path, line, "not a JSON object", "each line is one object with named columns")
            yield line, row
    else:
        raise InputError(f"{path}: unknown kind of file; use .csv, .tsv, .jsonl or .parquet")


def _parquet(path: Path) -> Iterator[dict[str, Any]]:
    return _frame(path).iter_rows(named=True)


def _frame(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(io.BytesIO(read_bytes(path)))
    except pl.exceptions.PolarsError as error:
        fact = str(error).splitlines()[0][:200]
        raise InputError(f"{path}: not a Parquet file ({fact}); check how it was written") from None


def _columnar(path: Path) -> pl.DataFrame | None:
    """The frame of a file in our own columns, `gold.READING` and `tag.KEY`, as `grice make` writes it."""
    frame = _frame(path)
    ours = {"id", "premise"} <= set(frame.columns) and any(c.startswith((GOLD, TAG)) for c in frame.columns)
    return frame if ours else None


def _column(path: Path, names: list[str], given: str, usual: tuple[str, ...], kind: str, *, needed: bool = True) -> str:
    if given:
        if given not in names:
            raise bad_line(path, 1, f"no column '{given}'", f"the columns are {', '.join(names)}")
        return given
    lower = {name.lower(): name for name in reversed(names)}
    found = next((lower[name] for name in usual if name in lower), "")
    if needed and not found:
        raise bad_line(path, 1, f"no {kind} column", f"name one of {', '.join(names)} with --{kind}")
    return found


def _named(labels: str) -> Scale | None:
    parts = tuple(part.strip() for part in labels.split(",") if part.strip())
    return Scale(labels=parts) if parts else None


def _scale(path: Path, answers: list[Any]) -> Scale:
    given = [answer for answer in answers if answer not in NO_GOLD]
    try:
        numbers = [float(answer) for answer in given]
    except (TypeError, ValueError):
        return scale_of([str(answer) for answer in given])
    # Whole numbers may be the codes of labels: whose order only the user knows.
    if (numbers and not all(0 <= number <= 1 for number in numbers)) or set(numbers) in ({0.0}, {1.0}, {0.0, 1.0}):
        shown = ", ".join(sorted({str(answer) for answer in given})[:5])
        raise InputError(f"{path}: the labels are numbers ({shown}); name them with --labels, first the one of 0")
    return scale_of(numbers)


def _answer(path: Path, line: int, value: Any, scale: Scale) -> Answer | None:
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
        answer = lower.get(str(value).lower(), str(value))
    if not scale.accepts(answer):
        raise bad_line(path, line, f"unknown label '{value}'", f"the scale is {scale}; correct it or give --labels")
    return answer
