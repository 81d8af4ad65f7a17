"""Any table of texts or pairs as a dataset, with notes on what was guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import GOLD, TAG, Dataset
from grice.core.errors import InputError, bad_line
from grice.core.files import read_json_lines
from grice.core.item import Card, Item, TagValue
from grice.core.item_file import read_items, refuse_options
from grice.core.parquet import read_parquet
from grice.core.scale import NLI, Answer, Scale, scale_of
from grice.datasets.formats.gold import named_scale, read_gold
from grice.datasets.formats.tables import TableRows, kind_of, parts_of, read_rows

# Names people give to these columns, most telling first.
PREMISE = (
    "premise",
    "sentence1",
    "sentence_1",
    "sentence_a",
    "text1",
    "context",
    "sentence",
    "text",
)
HYPOTHESIS = ("hypothesis", "sentence2", "sentence_2", "sentence_b", "text2")
LABEL = ("label", "gold_label", "gold", "entailment_judgment", "answer", "score")
ID = ("id", "pairid", "pair_id", "uid", "index")
ANNOTATOR = re.compile(
    r"(label|annotator|annotation|rater|rating|worker|judge)[ _-]?(\d+)", re.IGNORECASE
)
EMPTY = ("", None)
# What rows that are in no file are called.
MEMORY = Path("rows")


def read_file(
    path: Path, *, premise: str = "", hypothesis: str = "", label: str = "", labels: str = ""
) -> Dataset:
    """Read a table by its usual or named columns; every other column becomes a tag.

    `label` may name several columns (`a,b,c`), of annotators or of labels. Without `labels`, a file
    with entailment or contradiction among its labels is read on the NLI scale, numbers from 0 to 1
    on the unit scale, and other words as labels of their own. The notes of the card say what was
    guessed.
    """
    named = named_scale(labels)
    own = _our_parts(path, named) if path.is_dir() else _our_own(path, named)
    if own is not None:
        return own
    return _read(path, read_rows(path), premise, hypothesis, label, labels)


def read_mappings(
    rows: Sequence[dict[str, Any]],
    *,
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
) -> Dataset:
    """Read rows held by Python as `read_file` reads those of a file."""
    if not rows:
        raise InputError("the data have no rows; they need at least one")
    table = TableRows([(MEMORY, number, row) for number, row in enumerate(rows, 1)])
    return _read(MEMORY, table, premise, hypothesis, label, labels)


def _read(
    path: Path, table: TableRows, premise: str, hypothesis: str, label: str, labels: str
) -> Dataset:
    """Read the rows of a table by its usual or named columns."""
    named = named_scale(labels)
    refuse_options(path, table.names)
    names = table.names
    columns = Columns(
        premise=_column(path, names, premise, PREMISE, "premise"),
        hypothesis=_column(
            path, names, hypothesis, HYPOTHESIS, "hypothesis", needed=bool(hypothesis)
        ),
        labels=_labels(path, names, label, named),
        id=_column(path, names, "", ID, "id", needed=False),
    )
    gold = read_gold(path, table.rows, columns.labels, named)
    seen: dict[str, int] = {}
    items = [
        _item(row, columns, answers, seen)
        for row, answers in zip(table.rows, gold.answers, strict=True)
    ]
    notes = (*table.notes, *_guessed(columns, premise, hypothesis, label), *gold.notes)
    card = Card(f"items of {path.name}", notes=notes)
    return Dataset.from_items(str(path), gold.scale, items, card=card, readings=gold.readings)


def _our_own(path: Path, named: Scale | None) -> Dataset | None:
    """Read a file in grice's own format, as `grice make` writes it.

    The format is JSON lines, or Parquet with the columns of a dataset. Return None for other files.
    """
    if kind_of(path) == "parquet":
        frame = read_parquet(path)
        if not {"id", "premise"} <= set(frame.columns) or not any(
            c.startswith((GOLD, TAG)) for c in frame.columns
        ):
            return None
        answers = [
            answer
            for c in frame.columns
            if c.startswith(GOLD)
            for answer in frame[c].drop_nulls().unique(maintain_order=True)
        ]
        return Dataset(str(path), named or scale_of(answers), frame, Card(f"items of {path.name}"))
    if kind_of(path) not in ("jsonl", "ndjson"):
        return None
    is_items_file = any(
        isinstance(row, dict) and (isinstance(row.get("tags"), dict) or _readings(row.get("gold")))
        for _, row in read_json_lines(path, once=True)
    )
    return read_items(path, scale=named) if is_items_file else None


def _our_parts(folder: Path, named: Scale | None) -> Dataset | None:
    """Read a folder whose files are all in grice's own format, with the tag `part`."""
    if (folder / "run.json").is_file():
        raise InputError(
            f"{folder}: is a run, not data; read it with 'grice table', or name the data it was"
            " made on"
        )
    parts = {
        part.stem: _our_own(part, named)
        for part in parts_of(folder)
        if kind_of(part) in ("jsonl", "ndjson", "parquet")
    }
    sets = {stem: data for stem, data in parts.items() if data is not None}
    if not sets or len(sets) < len(parts_of(folder)):
        return None
    frames = [
        data.frame.with_columns(pl.lit(stem).alias(f"{TAG}part")) for stem, data in sets.items()
    ]
    first = next(iter(sets.values()))
    card = Card(
        f"items of {folder.name}",
        notes=(f"{len(sets)} files of the folder, each a value of the tag 'part'",),
    )
    return Dataset(
        str(folder), first.scale, pl.concat(frames, how="diagonal"), card, first.readings
    )


def _readings(gold: Any) -> bool:
    """Return whether a `gold` names readings.

    A distribution of labels has numbers for the labels of a scale instead.
    """
    return isinstance(gold, dict) and not (set(gold) <= set(NLI.labels) and len(gold) > 1)


@dataclass(frozen=True)
class Columns:
    """The names of the columns that are used; an empty name is a column that the file lacks."""

    premise: str
    hypothesis: str
    labels: tuple[str, ...]
    id: str


def _labels(path: Path, names: Sequence[str], option: str, named: Scale | None) -> tuple[str, ...]:
    """Return the gold columns: as named, the usual one, one per label, or one per annotator."""
    if option:
        if option in names:
            return (option,)
        parts = [part.strip() for part in option.split(",")]
        return tuple(_column(path, names, part, (), "label") for part in parts)
    usual = _column(path, names, "", LABEL, "label", needed=False)
    if usual:
        return (usual,)
    for labels in (named.labels if named else (), NLI.labels):
        if labels and set(labels) <= set(names):
            return tuple(labels)
    numbered = tuple(name for name in names if ANNOTATOR.fullmatch(name))
    return numbered if len(numbered) > 1 else ()


def _guessed(columns: Columns, premise: str, hypothesis: str, label: str) -> list[str]:
    """List the columns that were recognised under another name than the standard one."""
    columns_by_kind = {
        "premise": (premise, columns.premise),
        "hypothesis": (hypothesis, columns.hypothesis),
    }
    if len(columns.labels) == 1:
        columns_by_kind["label"] = (label, columns.labels[0])
    guesses = [
        f"{kind} '{name}'"
        for kind, (option, name) in columns_by_kind.items()
        if name and not option and name.lower() != kind
    ]
    return [f"columns {', '.join(guesses)}"] if guesses else []


def _item(
    numbered_row: tuple[Path, int, dict[str, Any]],
    columns: Columns,
    gold: dict[str, Answer],
    seen: dict[str, int],
) -> Item:
    path, line, row = numbered_row
    item = str(len(seen)) if not columns.id else str(row.get(columns.id, ""))
    if not item:
        raise bad_line(path, line, f"no id in '{columns.id}'", "ids are unique")
    if item in seen:
        fact = f"duplicate id '{item}' (first used on line {seen[item]})"
        raise bad_line(path, line, fact, "give every item its own id")
    seen[item] = line
    used = (columns.premise, columns.hypothesis, *columns.labels, columns.id)
    tags = {
        name: _tag(value) for name, value in row.items() if name not in used and value not in EMPTY
    }
    group = tags.pop("group", None)
    return Item(
        item,
        _text(path, line, row, columns.premise),
        _text(path, line, row, columns.hypothesis) if columns.hypothesis else None,
        gold,
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


def _column(
    path: Path,
    names: Sequence[str],
    option: str,
    usual: tuple[str, ...],
    kind: str,
    *,
    needed: bool = True,
) -> str:
    if option:
        if option not in names:
            raise bad_line(path, 1, f"no column '{option}'", f"the columns are {', '.join(names)}")
        return option
    lower = {name.lower(): name for name in reversed(names)}
    match = next((lower[name] for name in usual if name in lower), "")
    if needed and not match:
        remedy = f"name one of {', '.join(names)} with --{kind}"
        raise bad_line(path, 1, f"no {kind} column", remedy)
    return match
