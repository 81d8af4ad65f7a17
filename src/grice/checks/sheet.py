"""Annotation sheets: shuffled pairs of one or two sets, and the readers' marks."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from grice.checks.findings import phenomenon_column, split_by
from grice.core.dataset import GOLD, TAG, Dataset
from grice.core.errors import InputError, bad_line
from grice.core.files import (
    escape_formula,
    read_table,
    to_write,
    unescape_formula,
    write_atomically,
)
from grice.theory.readings import describe_reading

# What a reader marks, y or n: good English; something that someone might say; the label right under
# the reading.
QUESTIONS = ("grammatical", "plausible", "label_right")
SHOWN = ("number", "premise", "hypothesis", "reading", "means", "label")
HIDDEN = ("number", "set", "phenomenon", "id")
MARKS = {"y": "yes", "yes": "yes", "1": "yes", "n": "no", "no": "no", "0": "no"}


def draw_sheet(sets: Sequence[Dataset], size: int, seed: int) -> list[dict[str, str]]:
    """Draw rows of a sheet with their key: `size` pairs of each set, evenly over its phenomena."""
    rng = np.random.default_rng(seed)
    rows = [row for data in sets for row in _choose(data, size, rng)]
    shuffled = [rows[index] for index in rng.permutation(len(rows))]
    return [{"number": str(number), **row} for number, row in enumerate(shuffled, 1)]


def _choose(data: Dataset, size: int, rng: np.random.Generator) -> list[dict[str, str]]:
    """Choose pairs of a set, its phenomena in turn, each pair under one of its readings."""
    if len(data) < size:
        raise InputError(
            f"{data.name}: a sheet of {size} pairs is more than the {len(data)} there are; ask for"
            " fewer"
        )
    split = split_by(data.frame, phenomenon_column(data.frame))
    parts = [(name, part[rng.permutation(part.height)]) for name, part in split]
    turns = [(*part, i) for i in range(len(data)) for part in parts if i < part[1].height][:size]
    rows = []
    for name, part, index in turns:
        row = part.row(index, named=True)
        readings = [reading for reading in data.readings if row[GOLD + reading] is not None]
        reading = readings[int(rng.integers(len(readings)))] if readings else ""
        label = str(row[GOLD + reading]) if reading else ""
        means = describe_reading(reading, row.get(TAG + "kind")) if reading else ""
        texts = {"premise": row["premise"], "hypothesis": row["hypothesis"] or ""}
        content = {**texts, "reading": reading, "means": means, "label": label}
        rows.append({**content, "set": data.name, "phenomenon": name, "id": row["id"]})
    return rows


def write_sheet(rows: Sequence[Mapping[str, str]], path: Path) -> tuple[Path, Path]:
    """Write the sheet for the reader, with empty columns to mark, and the key in a second file.

    The reader must not see the key.
    """
    key = to_write(path).with_suffix(f".key{path.suffix}")
    for target, columns in ((path, (*SHOWN, *QUESTIONS)), (key, HIDDEN)):
        with write_atomically(target) as file:
            writer = csv.DictWriter(
                file, columns, restval="", extrasaction="ignore", lineterminator="\n"
            )
            writer.writeheader()
            escaped = ({name: escape_formula(text) for name, text in row.items()} for row in rows)
            writer.writerows(escaped)
    return path, key


def read_marks(key: Path, sheets: Sequence[Path]) -> pl.DataFrame:
    """Read the readers' marks: one row per reader, pair and question; an empty mark is null."""
    hidden = (row for _, row in read_table(key, delimiter=",", columns=HIDDEN))
    sets = {
        row["number"]: {name: unescape_formula(text) for name, text in row.items()}
        for row in hidden
    }
    rows = []
    for reader, sheet in enumerate(sheets, 1):
        for line, row in read_table(sheet, delimiter=",", columns=("number", *QUESTIONS)):
            if row["number"] not in sets:
                fact = f"pair {row['number']} is not in {key.name}"
                raise bad_line(sheet, line, fact, "use the key made with it")
            known = sets[row["number"]]
            for question in QUESTIONS:
                mark = row[question].strip().lower()
                if mark and mark not in MARKS:
                    fact = f"'{row[question]}' under {question}"
                    raise bad_line(sheet, line, fact, "mark y or n, or leave it empty")
                pair = (known["id"], known["set"], None)
                rows.append((f"reader {reader}", *pair, question, MARKS.get(mark)))
    columns = ("judge", "id", "set", "group", "question", "answer")
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")
