"""Any CSV, TSV, JSON-lines or Parquet file of texts or pairs as a dataset."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset, read_items
from grice.core.errors import InputError, bad_line
from grice.core.files import read_bytes, read_json_lines, read_table
from grice.core.item import Card, Item
from grice.core.scale import NLI, UNIT, Answer, Scale

# Names people give to these columns, most telling first.
PREMISE = ("premise", "sentence1", "sentence_1", "sentence_a", "text1", "context", "sentence", "text")
HYPOTHESIS = ("hypothesis", "sentence2", "sentence_2", "sentence_b", "text2")
LABEL = ("label", "gold_label", "gold", "entailment_judgment", "answer", "score")
ID = ("id", "pairid", "pair_id", "uid", "index")
NO_GOLD = ("", "-", None)


def read_file(
    path: Path,
    *,
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
) -> Dataset:
    """Columns are found by their usual names or as named; every other column becomes a tag.

    Without `labels`, a file with any NLI label is read on that scale, numbers from 0 to 1 on the unit scale,
    and other words as labels of their own.
    """
    rows = list(_rows(path))
    if not rows:
        raise InputError(f"{path}: the file is empty; it needs at least one row")
    names = list(rows[0][1])
    if (
        path.name.endswith((".jsonl", ".jsonl.gz", ".ndjson"))
        and not (premise or label)
        and isinstance(rows[0][1].get("gold", {}), dict)
        and "premise" in names
    ):
        return read_items(path, scale=_named(labels))
    first = _column(path, names, premise, PREMISE, "premise")
    second = _column(path, names, hypothesis, HYPOTHESIS, "hypothesis", needed=False)
    gold = _column(path, names, label, LABEL, "label", needed=False)
    scale = _named(labels) or _scale([row.get(gold) for _, row in rows] if gold else [])
    key = _column(path, names, "", ID, "id", needed=False)
    used = {first, second, gold, key}
    seen: dict[str, int | None] = {}
    items = []
    for number, (line, row) in enumerate(rows):
        item = str(row[key]) if key else str(number)
        if item in seen:
            raise bad_line(
                path,
                line,
                f"the id '{item}' stands twice",
                f"it is also on line {seen[item]}; ids are unique",
            )
        seen[item] = line
        if not isinstance(row.get(first), str) or not row[first].strip():
            raise bad_line(path, line, f"no text in '{first}'", "every row has a text to judge")
        answer = _answer(path, line, row.get(gold), scale) if gold else None
        tags = {
            name: str(value) for name, value in row.items() if name not in used and value not in ("", None)
        }
        group = tags.pop("group", None)
        text = row.get(second) if second else None
        items.append(Item(item, row[first], text, {} if answer is None else {"label": answer}, tags, group))
    return Dataset.from_items(str(path), scale, items, card=Card(f"items of {path.name}"))


def _rows(path: Path) -> Iterator[tuple[int | None, dict[str, Any]]]:
    if path.suffix in (".csv", ".tsv"):
        yield from read_table(path, delimiter="," if path.suffix == ".csv" else "\t")
    elif path.suffix == ".parquet":
        import polars as pl

        try:
            frame = pl.read_parquet(io.BytesIO(read_bytes(path)))
        except pl.exceptions.PolarsError as error:
            raise InputError(f"{path}: not a Parquet file ({error}); check how it was written") from None
        for row in frame.iter_rows(named=True):
            yield None, row
    else:
        for line, row in read_json_lines(path):
            if not isinstance(row, dict):
                raise bad_line(path, line, "not a JSON object", "each line is one object with named columns")
            yield line, row


def _column(
    path: Path, names: list[str], given: str, usual: tuple[str, ...], kind: str, *, needed: bool = True
) -> str:
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


def _scale(answers: list[Any]) -> Scale:
    given = [answer for answer in answers if answer not in NO_GOLD]
    if not given or any(str(answer).lower() in NLI.labels for answer in given):
        return NLI
    try:
        if (
            all(0 <= float(answer) <= 1 for answer in given)
            and len({float(a) for a in given} - {0.0, 1.0}) > 0
        ):
            return UNIT
    except ValueError:
        return Scale(labels=tuple(sorted({str(answer) for answer in given})))
    raise InputError(
        f"the labels are numbers ({', '.join(sorted({str(a) for a in given})[:5])}); name them with --labels, first the one of 0"
    )


def _answer(path: Path, line: int | None, value: Any, scale: Scale) -> Answer | None:
    if value in NO_GOLD:
        return None
    if scale.numeric:
        try:
            answer: Answer = float(value)
        except ValueError:
            answer = str(value)
    elif str(value).isdigit() and str(value) not in scale.labels and int(value) < len(scale.labels):
        answer = scale.labels[int(value)]
    else:
        lower = {label.lower(): label for label in scale.labels}
        answer = lower.get(str(value).lower(), str(value))
    if not scale.accepts(answer):
        raise bad_line(
            path, line, f"unknown label '{value}'", f"the scale is {scale}; correct it or give --labels"
        )
    return answer
