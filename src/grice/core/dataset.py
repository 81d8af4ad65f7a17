"""Items with gold labels on one answer scale, stored as a Polars frame.

They are validated on construction.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.errors import InputError, bad_line, unknown
from grice.core.files import read_json_lines, write_atomically
from grice.core.item import Card, Item, Question, TagValue
from grice.core.limits import TEXT, limit, raise_with
from grice.core.scale import NLI, Answer, Scale, scale_of

GOLD = "gold."
# A reading of a label's share among those who were asked, where the gold is a distribution.
SHARE = "share_"
TAG = "tag."
FIXED = ("id", "premise", "hypothesis", "group")


@dataclass(frozen=True)
class Dataset:
    """Items as a frame with the columns `id, premise, hypothesis, group, gold.READING…, tag.KEY…`.

    `scale` is the scale of the questions; `readings` gives the scale of each gold answer, which is
    the same by default (a category may come with a probability, a mean rating with a label).
    `read_as` says how a file was read: its path and checksum, its columns and labels.

    >>> gold, tags = {"pragmatic": "entailment"}, {"role": "target"}
    >>> item = grice.Item("a", "Some left.", "Not all left.", gold, tags)
    >>> data = grice.Dataset.from_items("mine", grice.Scale(("entailment", "neutral")), [item])
    >>> len(data.where(role="target")), data.tags
    (1, ['role'])
    """

    name: str
    scale: Scale
    frame: pl.DataFrame
    card: Card = field(default_factory=lambda: Card(""))
    readings: Mapping[str, Scale] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        golds = [c.removeprefix(GOLD) for c in self.frame.columns if c.startswith(GOLD)]
        object.__setattr__(self, "readings", {r: self.readings.get(r, self.scale) for r in golds})
        object.__setattr__(self, "frame", _in_order(self.frame))
        _check(self)

    @staticmethod
    def from_items(
        name: str,
        scale: Scale,
        items: Iterable[Item],
        *,
        card: Card | None = None,
        readings: Mapping[str, Scale] | None = None,
    ) -> Dataset:
        """Build a dataset from item objects.

        This is fast enough for thousands of items; readers of large files pass columns instead.
        """
        return Dataset(
            name, scale, frame_of(list(items), readings, scale), card or Card(name), readings or {}
        )

    def __len__(self) -> int:
        return self.frame.height

    @property
    def ids(self) -> list[str]:
        """The id of every item, in order."""
        return self.frame["id"].to_list()

    @property
    def tags(self) -> list[str]:
        """The names of the tags that items have."""
        return [c.removeprefix(TAG) for c in self.frame.columns if c.startswith(TAG)]

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the canonical content: every item with its gold and tags, and the scales.

        The order of the items does not matter.
        """
        digest = hashlib.sha256(json.dumps(self.scale.to_json(), sort_keys=True).encode())
        frame = self.frame.sort("id")
        for column in sorted(frame.columns):
            series = frame[column]
            if series.null_count() == len(series):
                continue
            scale = (
                self.readings.get(column.removeprefix(GOLD)) if column.startswith(GOLD) else None
            )
            digest.update(
                f"\x1c{column}\x1c{json.dumps(scale.to_json()) if scale else ''}\x1c".encode()
            )
            digest.update(_canonical(series))
        return digest.hexdigest()[:32]

    def items(self) -> Iterator[Item]:
        """Yield every item as an object, in order."""
        golds, tags = list(self.readings), self.tags
        for row in self.frame.iter_rows(named=True):
            yield Item(
                id=row["id"],
                premise=row["premise"],
                hypothesis=row["hypothesis"],
                gold={r: row[GOLD + r] for r in golds if row[GOLD + r] is not None},
                tags={t: _tag(row[TAG + t]) for t in tags if row[TAG + t] is not None},
                group=row["group"],
            )

    def questions(self) -> Iterator[Question]:
        """Yield what a judge is shown of every item, in order."""
        return questions_of(self.frame)

    def where(self, **tags: str | Sequence[str]) -> Dataset:
        """Return the items with this tag value, or one of several: `data.where(role="target")`."""
        return replace(self, frame=select(self.frame, tags))

    def head(self, n: int) -> Dataset:
        """Return the first `n` items."""
        return replace(self, frame=self.frame.head(n))

    def to_polars(self) -> pl.DataFrame:
        """Return every item as a row."""
        return self.frame

    def write(self, path: Path) -> None:
        """Write one JSON object per line; the target is replaced when the file is complete."""
        with write_atomically(path) as out:
            for item in self.items():
                out.write(item.to_line() + "\n")

    def _repr_html_(self) -> str:
        summary = f"<b>{escape(self.name)}</b>: {len(self):,} items on {escape(str(self.scale))}"
        return summary + str(self.frame.head(5)._repr_html_())


def questions_of(frame: pl.DataFrame) -> Iterator[Question]:
    """Yield what a judge is shown of each row of a dataset's frame."""
    for row in frame.select("id", "premise", "hypothesis").iter_rows():
        yield Question(*row)


def frame_of(
    items: Sequence[Item], readings: Mapping[str, Scale] | None, scale: Scale
) -> pl.DataFrame:
    """Return items as columns; a tag that ever holds several values becomes a list column."""
    golds = dict.fromkeys(key for item in items for key in item.gold)
    tags = dict.fromkeys(key for item in items for key in item.tags)
    columns = {
        name: pl.Series([getattr(item, name) for item in items], dtype=pl.String) for name in FIXED
    }
    for gold in golds:
        on = (readings or {}).get(gold, scale)
        columns[GOLD + gold] = _gold_series(
            [(item.id, item.gold.get(gold)) for item in items], gold, on
        )
    for tag in tags:
        columns[TAG + tag] = _tag_series(TAG + tag, [item.tags.get(tag) for item in items])
    return pl.DataFrame(columns)


def _tag_series(name: str, values: Sequence[TagValue | None]) -> pl.Series:
    """Return the values of a tag; it becomes a list column if an item has several values."""
    if any(isinstance(value, tuple | list) for value in values):
        lists = [[v] if isinstance(v, str) else None if v is None else list(v) for v in values]
        return pl.Series(name, lists, dtype=pl.List(pl.String))
    return pl.Series(name, values, dtype=pl.String)


def select(frame: pl.DataFrame, tags: Mapping[str, str | Sequence[str]]) -> pl.DataFrame:
    """Select the rows whose columns have the values asked for.

    A tag that holds several values matches if any of them does.
    """
    for key, wanted in tags.items():
        column = column_of(frame, key)
        values = [wanted] if isinstance(wanted, str) else list(wanted)
        if frame.schema[column] == pl.List(pl.String):
            frame = frame.filter(pl.col(column).list.eval(pl.element().is_in(values)).list.any())
        else:
            frame = frame.filter(pl.col(column).is_in(values))
    return frame


def select_known(frame: pl.DataFrame, tags: Mapping[str, str | Sequence[str]]) -> pl.DataFrame:
    """Select rows as `select` does, and refuse values that match nothing.

    The values come from a user: a value that no row has is an error, and so is an empty selection.
    """
    for key, wanted in tags.items():
        column = frame[column_of(frame, key)]
        known = (
            (column.explode() if column.dtype == pl.List(pl.String) else column)
            .drop_nulls()
            .cast(pl.String)
        )
        for value in [wanted] if isinstance(wanted, str) else wanted:
            if value not in set(known):
                raise unknown(key, value, known)
    selected = select(frame, tags)
    if selected.is_empty() and tags:
        conditions = ", ".join(
            f"{key}={values if isinstance(values, str) else '|'.join(values)}"
            for key, values in tags.items()
        )
        raise InputError(f"no item has {conditions} together; leave one out")
    return selected


def column_of(frame: pl.DataFrame, name: str) -> str:
    """Return the column that a user's word names: a column, or a tag."""
    for candidate in (TAG + name, name):
        if candidate in frame.columns:
            return candidate
    known = [c.removeprefix(TAG) for c in frame.columns if c.startswith(TAG)] + ["judge"]
    raise unknown("tag", name, known)


def read_items(path: Path, *, name: str | None = None, scale: Scale | None = None) -> Dataset:
    """Read grice's JSON lines `{"id","premise","hypothesis","gold","tags","group"}` once, by column.

    A reading is on `scale` if that is of its kind (labels or numbers), else on the scale inferred
    from its answers.
    """
    columns = _ItemColumns(path)
    for number, line in read_json_lines(path, once=True):
        columns.add(number, _item(path, number, line))
    columns.refuse_repeated_ids()
    readings = {r: _scale_of(set(values), scale) for r, values in columns.golds.items()}
    for reading, on in readings.items():
        columns.refuse_answers(reading, on)
    default_scale = scale or next(
        (on for on in readings.values() if on.labels), next(iter(readings.values()), NLI)
    )
    name = name or str(path)
    return Dataset(name, default_scale, columns.frame(readings), Card(name), readings)


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
        golds = [
            pl.Series(
                GOLD + reading, _padded(values, self.lines), dtype=_gold_type(readings[reading])
            )
            for reading, values in self.golds.items()
        ]
        tags = [
            _tag_series(TAG + tag, _padded(values, self.lines)) for tag, values in self.tags.items()
        ]
        return pl.concat(self.chunks).with_columns(*golds, *tags)


def _padded(values: list[Any], rows: Sized) -> list[Any]:
    return values + [None] * (len(rows) - len(values))


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
    if not isinstance(line, dict) or not isinstance(line.get("premise"), str):
        raise bad_line(
            path,
            number,
            "no text 'premise'",
            "each line is an object with id, premise, hypothesis, gold",
        )
    for key in ("gold", "tags"):
        if not isinstance(line.get(key, {}), dict):
            raise bad_line(
                path, number, f"'{key}' is {line[key]!r:.40}", "it is an object of names and values"
            )
    if not isinstance(line.get("hypothesis"), str | None):
        raise bad_line(
            path, number, f"hypothesis {line['hypothesis']!r:.40} is no text", "write it in quotes"
        )
    refuse_options(path, line, number)
    tags = {
        k: tuple(map(str, v)) if isinstance(v, list) else str(v)
        for k, v in line.get("tags", {}).items()
    }
    gold = {k: v for k, v in line.get("gold", {}).items() if v is not None}
    odd = next(
        (k for k, v in gold.items() if isinstance(v, bool) or not isinstance(v, str | int | float)),
        None,
    )
    if odd is not None:
        raise bad_line(
            path, number, f"{odd} gold {gold[odd]!r:.40} is no answer", "give a label or a number"
        )
    group = None if line.get("group") is None else str(line["group"])
    return Item(
        str(line.get("id", number - 1)), line["premise"], line.get("hypothesis"), gold, tags, group
    )


def _gold_series(values: list[tuple[str, Answer | None]], reading: str, scale: Scale) -> pl.Series:
    for item, answer in values:
        if answer is not None and not scale.accepts(answer):
            raise InputError(
                f"item '{item}': {reading} gold {answer!r} is not on the scale {scale}; correct it"
                " or name the labels"
            )
    return pl.Series([answer for _, answer in values], dtype=_gold_type(scale))


def _gold_type(scale: Scale) -> pl.DataType:
    return pl.Float64() if scale.numeric else pl.String()


def _in_order(frame: pl.DataFrame) -> pl.DataFrame:
    for column in ("hypothesis", "group"):
        if column not in frame.columns:
            frame = frame.with_columns(pl.lit(None, dtype=pl.String).alias(column))
    rest = [c for c in frame.columns if c not in FIXED]
    odd = [c for c in rest if not c.startswith((GOLD, TAG))]
    if odd:
        raise InputError(
            f"a dataset has no column '{odd[0]}'; name it '{TAG}{odd[0]}' or '{GOLD}{odd[0]}'"
        )
    return frame.select(*FIXED, *rest)


def _check(data: Dataset) -> None:
    frame = data.frame
    if frame.is_empty():
        raise InputError(f"{data.name}: no items; add at least one")
    ids = frame["id"]
    if ids.null_count() or ids.n_unique() != len(ids):
        twice = frame.filter(ids.is_duplicated())["id"].head(1).to_list()
        raise InputError(
            f"{data.name}: duplicate id '{twice[0] if twice else ''}'; give every item its own id"
        )
    longest = limit(TEXT)
    for column in ("premise", "hypothesis"):
        long = frame.filter(pl.col(column).str.len_bytes() > longest)
        if long.height:
            fact = f"item '{long['id'][0]}': a {column} of more than {longest:,} bytes"
            raise InputError(f"{data.name}: {fact}; {raise_with(TEXT)}")
    if frame["premise"].null_count():
        raise InputError(
            f"{data.name}: item '{frame.filter(pl.col('premise').is_null())['id'][0]}' has no"
            " premise"
        )
    for reading, scale in data.readings.items():
        bad = frame.filter(pl.col(GOLD + reading).is_not_null() & ~_on(scale, GOLD + reading))
        if bad.height:
            item, gold = bad["id"][0], bad[GOLD + reading][0]
            raise InputError(
                f"{data.name}: item '{item}': {reading} gold {gold!r} is not on the scale {scale}"
            )


def _on(scale: Scale, column: str) -> pl.Expr:
    if scale.labels:
        return pl.col(column).is_in(list(scale.labels))
    return pl.col(column).is_finite() & pl.col(column).is_between(
        pl.lit(scale.low), pl.lit(scale.high)
    )


def _tag(value: Any) -> TagValue:
    return tuple(value) if isinstance(value, list) else str(value)


def _canonical(series: pl.Series) -> bytes:
    """Return bytes that depend on the values alone, not on the version of Polars."""
    if series.dtype == pl.List(pl.String):
        series = series.list.join("\x1d")
    if series.dtype == pl.String:
        return str(series.fill_null("\x00").str.join("\x1e").item()).encode()
    return series.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype("<f8").tobytes()
