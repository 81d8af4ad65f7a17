"""Read a file of items, as `grice make` writes it: JSON lines, read once and by column."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import polars as pl

from grice.core.dataset import FIXED, GOLD, TAG, Dataset, gold_type, tag_series
from grice.core.errors import bad_line
from grice.core.files import read_json_lines
from grice.core.item import Card, Item, TagValue
from grice.core.ratings import PEOPLE_SCALE
from grice.core.scale import NLI, Answer, Scale, scale_of


def read_items(path: Path, *, name: str | None = None, scale: Scale | None = None) -> Dataset:
    """Read JSON lines `{"id","premise","hypothesis","gold","tags","group"}` once, by column.

    A reading is on `scale` if that is of its kind (labels or numbers), else on the scale inferred
    from its answers. Without `scale` it is the one on which the items say that people were asked.
    """
    columns = _ItemColumns(path)
    for number, line in read_json_lines(path, once=True):
        columns.add(number, _item(path, number, line))
    columns.refuse_repeated_ids()
    scale = scale or _asked_on(columns.tags.get(PEOPLE_SCALE, ()))
    readings = {r: _scale_of(set(values), scale) for r, values in columns.golds.items()}
    for reading, on in readings.items():
        columns.refuse_answers(reading, on)
    default_scale = scale or next(
        (on for on in readings.values() if on.labels), next(iter(readings.values()), NLI)
    )
    name = name or str(path)
    return Dataset(name, default_scale, columns.frame(readings), Card(name), readings)


def _asked_on(ends: Iterable[object]) -> Scale | None:
    """Return the numeric scale that all of these tags name as `low..high`; None without one."""
    named = {end for end in ends if end is not None}
    low, dots, high = str(named.pop()).partition("..") if len(named) == 1 else ("", "", "")
    try:
        return Scale(low=float(low), high=float(high)) if dots else None
    except ValueError:
        return None


# Rows after which texts move from Python objects into a frame, which needs a third of the memory.
CHUNK = 1 << 16


class _ItemColumns:
    """Columns of the items of a file, filled row by row."""

    def __init__(self, path: Path) -> None:
        self.path, self.chunks = path, [pl.DataFrame(schema=dict.fromkeys(FIXED, pl.String))]
        self.texts: list[tuple[str | None, ...]] = []
        self.golds: dict[str, list[Answer | None]] = {}
        self.tags: dict[str, list[TagValue | None]] = {}
        self.lines = array("Q")
        self.shared: dict[Any, Any] = {}

    def add(self, number: int, item: Item) -> None:
        """Append an item; equal answers and tags share one object."""
        row = len(self.lines)
        self.lines.append(number)
        self.texts.append((item.id, item.premise, item.hypothesis, item.group))
        for key, gold in item.gold.items():
            self._append(self.golds.setdefault(key, []), row, gold)
        for key, tag in item.tags.items():
            self._append(self.tags.setdefault(key, []), row, tag)
        if len(self.texts) == CHUNK:
            self._flush()

    def _append(self, column: list[Any], row: int, value: Any) -> None:
        column.extend([None] * (row - len(column)))
        column.append(self.shared.setdefault(value, value) if isinstance(value, str) else value)

    def _flush(self) -> None:
        if self.texts:
            schema = dict.fromkeys(FIXED, pl.String)
            self.chunks.append(pl.DataFrame(self.texts, schema=schema, orient="row"))
            self.texts = []

    def refuse_repeated_ids(self) -> None:
        """Raise an error for the first id that another line has too."""
        self._flush()
        ids = pl.concat([chunk["id"] for chunk in self.chunks])
        if (repeated := ids.is_duplicated()).any():
            first_seen: dict[str, int] = {}
            for row in repeated.arg_true():
                first = first_seen.setdefault(ids[row], row)
                if first != row:
                    remedy = f"it is also on line {self.lines[first]}; give every item its own id"
                    raise bad_line(self.path, self.lines[row], f"duplicate id '{ids[row]}'", remedy)

    def refuse_answers(self, reading: str, scale: Scale) -> None:
        """Raise an error for the first answer that is not on the scale."""
        answers = self.golds[reading]
        if all(answer is None or scale.accepts(answer) for answer in set(answers)):
            return
        row = next(i for i, a in enumerate(answers) if a is not None and not scale.accepts(a))
        remedy = f"the scale is {scale}; correct it or give --labels"
        raise bad_line(self.path, self.lines[row], f"unknown label '{answers[row]}'", remedy)

    def frame(self, readings: Mapping[str, Scale]) -> pl.DataFrame:
        """Return all columns as a frame."""
        self._flush()
        columns: list[list[Any]] = [*self.golds.values(), *self.tags.values()]
        for values in columns:
            values.extend([None] * (len(self.lines) - len(values)))
        golds = [
            pl.Series(GOLD + reading, values, dtype=gold_type(readings[reading]))
            for reading, values in self.golds.items()
        ]
        tags = [tag_series(TAG + tag, values) for tag, values in self.tags.items()]
        return pl.concat(self.chunks).with_columns(*golds, *tags)


def _scale_of(answers: Iterable[Answer | None], named: Scale | None) -> Scale:
    inferred = scale_of(answer for answer in answers if answer is not None)
    return named if named is not None and named.numeric == inferred.numeric else inferred


def refuse_options(path: Path, names: Collection[str], line: int | None = None) -> None:
    """Raise an error for items that have options of their own: a dataset has one scale."""
    if "options" in names:
        fact = "the items have 'options' of their own, and all items of a dataset share one scale"
        remedy = "split the file by options, or rename the column to keep it as a tag"
        raise bad_line(path, line, fact, remedy)


def _item(path: Path, number: int, line: Any) -> Item:
    def refuse(fact: str, remedy: str) -> NoReturn:
        raise bad_line(path, number, fact, remedy)

    if not isinstance(line, dict) or not isinstance(line.get("premise"), str):
        refuse("no text 'premise'", "each line is an object with id, premise, hypothesis, gold")
    for key in ("gold", "tags"):
        if not isinstance(line.get(key, {}), dict):
            refuse(f"'{key}' is {line[key]!r:.40}", "it is an object of names and values")
    if not isinstance(line.get("hypothesis"), str | None):
        refuse(f"hypothesis {line['hypothesis']!r:.40} is no text", "write it in quotes")
    refuse_options(path, line, number)
    gold = {k: v for k, v in line.get("gold", {}).items() if v is not None}
    for key, value in gold.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            refuse(f"{key} gold {value!r:.40} is no answer", "give a label or a number")
    tags = {
        k: tuple(map(str, v)) if isinstance(v, list) else str(v)
        for k, v in line.get("tags", {}).items()
    }
    group = None if line.get("group") is None else str(line["group"])
    item = str(line.get("id", number - 1))
    return Item(item, line["premise"], line.get("hypothesis"), gold, tags, group)
