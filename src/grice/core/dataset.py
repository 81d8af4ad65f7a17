"""Items with gold labels on one answer scale, validated and stored as a Polars frame."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.errors import InputError, unknown
from grice.core.files import write_atomically
from grice.core.item import Card, Item, Question, TagValue
from grice.core.limits import TEXT, limit, raise_with
from grice.core.scale import Answer, Scale

GOLD = "gold."
# A reading of a label's share among those who were asked, where the gold is a distribution.
SHARE = "share_"
TAG = "tag."
FIXED = ("id", "premise", "hypothesis", "group")
# Rows of which the bytes are in memory at once while a fingerprint is computed.
CHUNK = 1 << 16


@dataclass(frozen=True, repr=False)
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
        """Build a dataset from item objects; readers of large files pass columns instead."""
        frame = frame_of(list(items), readings, scale)
        return Dataset(name, scale, frame, card or Card(name), readings or {})

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
        """Hash of every item with its gold and tags, in any order, and of the scales."""
        digest = hashlib.sha256(json.dumps(self.scale.to_json(), sort_keys=True).encode())
        order = self.frame["id"].arg_sort()
        for column in sorted(self.frame.columns):
            # One column at a time, so that no sorted frame is in memory beside this one.
            series = self.frame[column].gather(order)
            if series.null_count() == len(series):
                continue
            is_gold = column.startswith(GOLD)
            scale = self.readings[column.removeprefix(GOLD)].to_json() if is_gold else None
            digest.update(f"\x1c{column}\x1c{json.dumps(scale) if scale else ''}\x1c".encode())
            for part in _canonical(series):
                digest.update(part)
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

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, {len(self)} items on {self.scale})"

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
        columns[TAG + tag] = tag_series(TAG + tag, [item.tags.get(tag) for item in items])
    return pl.DataFrame(columns)


def tag_series(name: str, values: Sequence[TagValue | None]) -> pl.Series:
    """Return the values of a tag; it becomes a list column if an item has several values."""
    if any(isinstance(value, tuple | list) for value in values):
        lists = [[v] if isinstance(v, str) else None if v is None else list(v) for v in values]
        return pl.Series(name, lists, dtype=pl.List(pl.String))
    return pl.Series(name, values, dtype=pl.String)


def select(frame: pl.DataFrame, tags: Mapping[str, str | Sequence[str]]) -> pl.DataFrame:
    """Select the rows with these values; a tag with several values matches by any of them."""
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
        values = column.explode() if column.dtype == pl.List(pl.String) else column
        known = set(values.drop_nulls().cast(pl.String))
        for value in [wanted] if isinstance(wanted, str) else wanted:
            if value not in known:
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


def _gold_series(values: list[tuple[str, Answer | None]], reading: str, scale: Scale) -> pl.Series:
    for item, answer in values:
        if answer is not None and not scale.accepts(answer):
            raise InputError(
                f"item '{item}': {reading} gold {answer!r} is not on the scale {scale}; correct it"
                " or name the labels"
            )
    return pl.Series([answer for _, answer in values], dtype=gold_type(scale))


def gold_type(scale: Scale) -> pl.DataType:
    """Return the type of the column that holds answers on a scale."""
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
        twice = next(iter(ids.filter(ids.is_duplicated())), None) or ""
        raise InputError(f"{data.name}: duplicate id '{twice}'; give every item its own id")
    longest = limit(TEXT)
    for column in ("premise", "hypothesis"):
        long = frame.filter(pl.col(column).str.len_bytes() > longest)
        if long.height:
            fact = f"item '{long['id'][0]}': a {column} of more than {longest:,} bytes"
            raise InputError(f"{data.name}: {fact}; {raise_with(TEXT)}")
    if frame["premise"].null_count():
        item = frame.filter(pl.col("premise").is_null())["id"][0]
        raise InputError(f"{data.name}: item '{item}' has no premise")
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


def _canonical(series: pl.Series) -> Iterator[bytes]:
    """Yield bytes that depend on the values alone, not on the version of Polars."""
    if series.dtype == pl.List(pl.String):
        series = series.list.join("\x1d")
    if series.dtype != pl.String:
        yield series.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype("<f8").tobytes()
        return
    for number, part in enumerate(series.fill_null("\x00").to_frame().iter_slices(CHUNK)):
        yield b"\x1e" * (number > 0) + str(part.to_series().str.join("\x1e").item()).encode()
