"""Helpers for readers of published files: items as columns, strict labels, recorded runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import GOLD, TAG, Dataset
from grice.core.errors import InputError, MissingData, bad_line
from grice.core.files import read_json_lines, read_text
from grice.core.parsing import parse_json
from grice.core.scale import Answer, Scale
from grice.storage.run import Run
from grice.storage.run_folder import RunKind
from grice.storage.source import find_published

ColumnValues = Sequence[Any]
NOT_PUBLISHED = "it is not the published file; fetch it again"


def columns(
    prefix: str,
    premise: Sequence[str],
    hypothesis: Sequence[str | None],
    *,
    gold: Mapping[str, ColumnValues] | None = None,
    tags: Mapping[str, ColumnValues] | None = None,
    group: Sequence[str | None] | None = None,
) -> pl.DataFrame:
    """Return the items of one file, in its order, under ids `prefix/row`, counted from 0.

    An empty tag is no tag, and a reading or tag that no item has is no column.
    """
    frame = {
        "id": pl.Series([f"{prefix}/{row}" for row in range(len(premise))], dtype=pl.String),
        "premise": pl.Series(premise, dtype=pl.String),
        "hypothesis": pl.Series(hypothesis, dtype=pl.String),
        "group": pl.Series(group if group is not None else [None] * len(premise), dtype=pl.String),
    }
    for reading, answers in (gold or {}).items():
        if all(answer is None for answer in answers):
            continue
        numeric = any(isinstance(answer, float | int) for answer in answers)
        frame[GOLD + reading] = pl.Series(answers, dtype=pl.Float64 if numeric else pl.String)
    for key, values in (tags or {}).items():
        if not any(values):
            continue
        several = any(isinstance(value, list) for value in values)
        dtype = pl.List(pl.String) if several else pl.String
        frame[TAG + key] = pl.Series([value or None for value in values], dtype=dtype)
    return pl.DataFrame(frame)


def concat_frames(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Concatenate several files under one name; a column that one of them lacks is empty there."""
    return pl.concat(frames, how="diagonal")


def find_files(folder: Path, files: Mapping[str, Sequence[str]], *, source: str) -> dict[str, Path]:
    """Return the paths of those of these files that are in the data folder.

    Each is looked for in several places. If none is found, the error of the first is raised.
    """
    paths: dict[str, Path] = {}
    missing: MissingData | None = None
    for name, candidates in files.items():
        try:
            paths[name] = find_published(folder, *candidates, source=source)
        except MissingData as error:
            missing = missing or error
    if missing is not None and not paths:
        raise missing
    return paths


def label(path: Path, line: int, value: str, known: Mapping[str, str | None]) -> str | None:
    """Return the label of a published word; an unknown word is an error at its line."""
    if value not in known:
        expected = ", ".join(repr(word) for word in known)
        raise bad_line(
            path, line, f"unknown label '{value}'", f"expected {expected}; fetch the file again"
        )
    return known[value]


def json_rows(path: Path, *needed: str) -> list[tuple[int, dict[str, Any]]]:
    """Read (line, object) pairs of a JSON-lines file; a line that lacks a field is an error."""
    rows = []
    for line, row in read_json_lines(path):
        present = row if isinstance(row, dict) else {}
        missing = [field for field in needed if field not in present]
        if missing:
            raise bad_line(path, line, f"no field '{missing[0]}'", NOT_PUBLISHED)
        rows.append((line, row))
    return rows


def json_array(path: Path, *needed: str) -> list[dict[str, Any]]:
    """Read a file that is one JSON array of objects; each must have the needed fields."""
    try:
        rows = parse_json(read_text(path))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); fetch the file again") from None
    if not isinstance(rows, list):
        raise InputError(f"{path}: not a JSON array; fetch the file again")
    for i, row in enumerate(rows):
        missing = [field for field in needed if field not in row]
        if missing:
            fact = f"row {i} has no field '{missing[0]}'"
            raise InputError(f"{path}: {fact}; fetch the file again")
    return rows


def number(path: Path, line: int, text: object, scale: Scale) -> float:
    """Return a number of a published file after checking that it lies on its scale."""
    try:
        value = float(str(text))
    except ValueError:
        value = float("nan")
    if not scale.accepts(value):
        raise bad_line(path, line, f"'{text}' is not a number on {scale}", NOT_PUBLISHED)
    return value


def group_names(prefix: str, keys: Sequence[str]) -> list[str]:
    """Return a group name per distinct key, by first appearance: `prefix/p0`, `prefix/p1` …"""
    seen: dict[str, int] = {}
    return [f"{prefix}/p{seen.setdefault(key, len(seen))}" for key in keys]


def recorded_raters(
    data: Dataset,
    replies: Mapping[str, Sequence[Answer | None]],
    *,
    scale: Scale | None = None,
    name: str,
) -> list[Run]:
    """Return one run per position in the lists of replies: `name 1` …; None is no reply."""
    runs = []
    for i in range(max(map(len, replies.values()), default=0)):
        by_item = {item: listed[i] for item, listed in replies.items() if len(listed) > i}
        answered = {item: answer for item, answer in by_item.items() if answer is not None}
        ids, answers = list(answered), list(answered.values())
        judge = f"{name} {i + 1}"
        runs.append(Run.from_columns(data, judge, ids, answers, scale=scale, kind=RunKind.PERSON))
    return [run for run in runs if run.frame.height]
