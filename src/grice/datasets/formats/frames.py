"""Helpers for readers of published files: items as columns, strict labels, recorded runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import GOLD, TAG, Dataset
from grice.core.errors import MissingData, bad_line
from grice.core.files import read_json_lines
from grice.core.run import Run
from grice.core.run_folder import RunKind
from grice.core.scale import Answer, Scale
from grice.core.source import find_published

Values = Sequence[Any]


def columns(
    prefix: str,
    premise: Sequence[str],
    hypothesis: Sequence[str | None],
    *,
    gold: Mapping[str, Values] | None = None,
    tags: Mapping[str, Values] | None = None,
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
    for name, places in files.items():
        try:
            paths[name] = find_published(folder, *places, source=source)
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
        missing = (
            [field for field in needed if field not in row]
            if isinstance(row, dict)
            else list(needed)
        )
        if missing:
            raise bad_line(
                path,
                line,
                f"no field '{missing[0]}'",
                "it is not the published file; fetch it again",
            )
        rows.append((line, row))
    return rows


def number(path: Path, line: int, text: object, scale: Scale) -> float:
    """Return a number of a published file after checking that it lies on its scale."""
    try:
        value = float(str(text))
    except ValueError:
        value = float("nan")
    if not scale.accepts(value):
        fact = f"'{text}' is not a number on {scale}"
        raise bad_line(path, line, fact, "it is not the published file; fetch it again")
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
    for index in range(max((len(reply) for reply in replies.values()), default=0)):
        replies_at = [
            (item, r[index])
            for item, r in replies.items()
            if len(r) > index and r[index] is not None
        ]
        answers = [answer for _, answer in replies_at if answer is not None]
        ids = [item for item, _ in replies_at]
        runs.append(
            Run.from_columns(
                data, f"{name} {index + 1}", ids, answers, scale=scale, kind=RunKind.PERSON
            )
        )
    return [run for run in runs if run.frame.height]
