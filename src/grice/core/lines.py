"""The file of a run: one line a reply, each appended whole. A later line of an item holds instead of an earlier one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.errors import GriceError
from grice.core.judgement import Judgement
from grice.core.scale import Answer, Scale

# What asks for every fault again, of whatever kind.
ALL = "faults"


def mend(path: Path) -> None:
    """Cut off a line torn by a crash, so that its item is asked again."""
    if path.exists():
        whole = len(_whole(path))
        if whole < path.stat().st_size:
            os.truncate(path, whole)


def read_settled_ids(path: Path, again: str = "") -> set[str]:
    """The ids that need no asking: all that have a reply, less those whose last is a fault to ask again."""
    kinds = [kind.strip() for kind in again.split(",") if kind.strip()]
    last = {line["id"]: line.get("fault") for line in map(json.loads, _whole(path).splitlines())}
    return {item for item, fault in last.items() if fault is None or not _named(fault, kinds)}


def read_raw(path: Path) -> Iterator[str]:
    """What was kept of every reply, those that were asked again included."""
    for line in map(json.loads, _whole(path).splitlines()):
        if line.get("raw"):
            yield line["raw"]


def _named(fault: str, kinds: Collection[str]) -> bool:
    """Whether a fault is of one of the kinds; `http` is a kind of `http 503` too."""
    kind = fault.partition(":")[0]
    return any(named in (ALL, kind) or kind.startswith(f"{named} ") for named in kinds)


def _whole(path: Path) -> bytes:
    """The lines that were written to their end."""
    raw = path.read_bytes() if path.exists() else b""
    return raw[: raw.rfind(b"\n") + 1]


@contextmanager
def open_for_append(path: Path) -> Iterator[Callable[[Judgement], None]]:
    """Append lines one by one, each handed to the system whole, so a kill loses none that was written."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def append(judgement: Judgement) -> None:
        line = line_of(judgement)
        try:
            written = os.write(handle, line)
        except OSError as error:
            fact = f"{path}: cannot be written ({error.strerror})"
            raise GriceError(f"{fact}; free space, then run the same command") from None
        if written < len(line):
            raise GriceError(f"{path}: the disk is full; free space, then run the same command to go on")

    try:
        yield append
        os.fsync(handle)
    finally:
        os.close(handle)


def line_of(judgement: Judgement) -> bytes:
    """A reply as its line of the file."""
    return json.dumps(judgement.to_json(), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def frame_of(judgements: Iterable[Judgement], scale: Scale) -> pl.DataFrame:
    """Replies as the frame of a run."""
    return _frame([judgement.to_json() for judgement in judgements], scale)


def frame_of_columns(
    ids: Sequence[str], answers: Sequence[Answer], scale: Scale, probs: Mapping[str, Sequence[Any]]
) -> pl.DataFrame:
    """Answers that stand in columns as the frame of a run; `probs` has a column for each label it knows."""
    empty = _frame([], scale)
    given: dict[str, Sequence[Any]] = {"id": ids, "value" if scale.numeric else "answer": answers}
    given |= {f"p.{label}": column for label, column in probs.items()}
    none = [None] * len(ids)
    return pl.DataFrame({name: pl.Series(given.get(name, none), dtype=dtype) for name, dtype in empty.schema.items()})


def _schema(scale: Scale) -> dict[str, pl.DataType]:
    probs = {} if scale.numeric else {"probs": pl.Struct({label: pl.Float64() for label in scale.labels})}
    answer = {"answer": pl.Float64() if scale.numeric else pl.String(), "fault": pl.String(), **probs}
    rest = {"raw": pl.String(), "seconds": pl.Float64(), "mass": pl.Float64(), "cells": pl.String()}
    return {"id": pl.String(), **answer, **rest}


def _frame(lines: list[dict[str, Any]], scale: Scale) -> pl.DataFrame:
    return _columns(pl.DataFrame(lines, schema=_schema(scale), strict=False), scale)


def _columns(frame: pl.DataFrame, scale: Scale) -> pl.DataFrame:
    """Judgement lines as plain columns: labels in `answer`, numbers in `value`, one column a probability."""
    answer, value = (
        (pl.lit(None, dtype=pl.String), pl.col("answer"))
        if scale.numeric
        else (pl.col("answer"), pl.lit(None, dtype=pl.Float64))
    )
    probs = [pl.col("probs").struct.field(label).alias(f"p.{label}") for label in scale.labels]
    rest = ("raw", "seconds", "mass", "cells")
    return frame.select("id", answer.alias("answer"), value.alias("value"), "fault", *probs, *rest)


def read_lines(path: Path, scale: Scale) -> tuple[pl.DataFrame, dict[str, int]]:
    """The last reply to each item, and what became of the items whose fault was asked again, where there are any."""
    whole = _whole(path)
    if not whole:
        return _frame([], scale), {}
    every = _columns(pl.read_ndjson(whole, schema=_schema(scale)), scale)
    last = every.unique("id", keep="last", maintain_order=True)
    if last.height == every.height:
        return every, {}
    repeated = every.filter(pl.col("id").is_duplicated())["id"].unique()
    faults = int(last.filter(pl.col("id").is_in(repeated.implode()))["fault"].is_not_null().sum())
    return last, {"asked again": len(repeated), "answered now": len(repeated) - faults, "still faulted": faults}
