"""Response log of a run: one JSON line per reply; the last line of an item counts."""

from __future__ import annotations

import io
import json
import os
import threading
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import gold_type
from grice.core.errors import GriceError, first_line, unknown
from grice.core.fault import FaultKind
from grice.core.files import is_file, read_bytes, sync_folder
from grice.core.judgement import Judgement
from grice.core.scale import Answer, Scale

# Value of `again` for faults of all kinds.
ALL = "faults"
# Kinds of fault of the package's judges; other kinds are known once a run has one.
KINDS = (*FaultKind, "empty", "error", "implicative", "no", "pragmatic", "tie", "unanswered")
# Format and size of the checksum at the end of a line.
SUM = b',"sum":"%08x"}'
SUM_SIZE = 18
# Made once: `json.dumps` would make an encoder for each line.
ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# Maximum delay before answers are synced to the disk.
SYNC_SECONDS = 1.0


def truncate_partial_line(path: Path) -> None:
    """Truncate an incomplete last line after a crash, so that its item is asked again."""
    if path.exists():
        size = len(complete_lines(path))
        if size < path.stat().st_size:
            os.truncate(path, size)


def read_settled_ids(path: Path, again: str = "") -> set[str]:
    """Return the ids of completed items.

    These are all with a reply, except those whose last reply is invalid and of a kind in `again`.
    """
    kinds = [kind.strip() for kind in again.split(",") if kind.strip()]
    content = complete_lines(path)
    _refuse_damage(path, content, checksummed=False)
    schema = {"id": pl.String(), "fault": pl.String()}
    lines = pl.read_ndjson(content, schema=schema) if content else pl.DataFrame(schema=schema)
    last = lines.unique("id", keep="last", maintain_order=True)
    faults = last.filter(pl.col("fault").is_not_null())
    known = {*KINDS, ALL, *(fault.partition(":")[0] for fault in faults["fault"])}
    odd = next((kind for kind in kinds if not {kind, kind.partition(" ")[0]} & known), None)
    if odd is not None:
        raise unknown("kind of fault", odd, known)
    retried = {item for item, fault in faults.iter_rows() if _named(fault, kinds)}
    return set(last["id"]) - retried


def read_raw(path: Path) -> Iterator[str]:
    """Yield the raw text of every reply, including those that were asked again."""
    content = complete_lines(path)
    yield from (
        pl.read_ndjson(content, schema={"raw": pl.String()})["raw"].drop_nulls() if content else ()
    )


def _named(fault: str, kinds: Collection[str]) -> bool:
    """Return whether a fault is of one of the kinds; `http` is a kind of `http 503` too."""
    kind = fault.partition(":")[0]
    return any(named in (ALL, kind) or kind.startswith(f"{named} ") for named in kinds)


def complete_lines(path: Path) -> bytes:
    """Return the complete lines."""
    raw = read_bytes(path) if is_file(path) else b""
    return raw[: raw.rfind(b"\n") + 1]


@contextmanager
def open_for_append(path: Path) -> Iterator[Callable[[Judgement], None]]:
    """Append lines one by one, each in a single write, so that a kill loses none that was written.

    The file is synced once a second by a thread, so that a power cut loses little. If the file is
    no longer the one at its path, the next append raises an error: its lines would not be read
    again.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    sync_folder(path.parent)
    opened = os.fstat(handle)
    syncer, size = Syncer(handle), opened.st_size

    def append(judgement: Judgement) -> None:
        nonlocal size
        line = line_of(judgement)
        try:
            if not _is_still(path, opened, size):
                fact = (
                    f"{path}: was deleted, replaced or written by another in the middle of the run"
                )
                raise GriceError(
                    f"{fact}; nothing more is asked, put it back and run the same command"
                )
            written = os.write(handle, line)
            size += written
        except OSError as error:
            fact = f"{path}: cannot be written ({error.strerror})"
            raise GriceError(f"{fact}; free space, then run the same command") from None
        if written < len(line):
            raise GriceError(
                f"{path}: the disk is full; free space, then run the same command to go on"
            )
        syncer.changed.set()

    try:
        yield append
    finally:
        syncer.close()
        os.close(handle)


def _is_still(path: Path, opened: os.stat_result, size: int) -> bool:
    """Return whether a path still leads to the file that was opened, at the size now written."""
    try:
        status = os.stat(path)  # noqa: PTH116  # called for each line, and `Path.stat` is slower
    except FileNotFoundError:
        return False
    return os.path.samestat(status, opened) and status.st_size == size


class Syncer:
    """Thread that syncs a file's new lines to the disk in groups."""

    def __init__(self, handle: int) -> None:
        self.handle, self.changed, self.ended = handle, threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._sync, daemon=True)
        self.thread.start()

    def _sync(self) -> None:
        while not self.ended.is_set():
            self.changed.wait()
            self.changed.clear()
            with suppress(OSError):
                os.fsync(self.handle)
            self.ended.wait(SYNC_SECONDS)

    def close(self) -> None:
        """Sync the last group and stop."""
        self.ended.set()
        self.changed.set()
        self.thread.join()
        os.fsync(self.handle)


def line_of(judgement: Judgement) -> bytes:
    """Return a reply as its line of the file, with a checksum at its end."""
    body = ENCODE(judgement.to_json()).encode()
    return body[:-1] + SUM % zlib.crc32(body) + b"\n"


def line_problem(line: bytes, *, checksummed: bool) -> str | None:
    """Return why a line is not as it was written, or None; old ones are not `checksummed`."""
    body, mark, rest = line[:-SUM_SIZE] + b"}", line[-SUM_SIZE:-10], line[-10:]
    if mark == SUM[:8]:
        is_intact = rest == b'%08x"}' % zlib.crc32(body)
        return None if is_intact else "not as it was written (its checksum differs)"
    if checksummed:
        return "without its checksum"
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON"
    has_id = isinstance(reply, dict) and isinstance(reply.get("id"), str)
    return None if has_id else "not a reply"


def _refuse_damage(path: Path, content: bytes, *, checksummed: bool) -> None:
    for number, line in enumerate(io.BytesIO(content), 1):
        if problem := line_problem(line[:-1], checksummed=checksummed):
            remedy = f"see what can be saved with: grice check {path.parent}"
            raise GriceError(f"{path}:{number}: a line {problem}; {remedy}")


def frame_of(judgements: Iterable[Judgement], scale: Scale) -> pl.DataFrame:
    """Return replies as the frame of a run."""
    return _frame([judgement.to_json() for judgement in judgements], scale)


def frame_of_columns(
    ids: Sequence[str], answers: Sequence[Answer], scale: Scale, probs: Mapping[str, Sequence[Any]]
) -> pl.DataFrame:
    """Return columns of answers, and of probabilities by label, as the frame of a run."""
    empty = _frame([], scale)
    columns: dict[str, Sequence[Any]] = {"id": ids, "value" if scale.numeric else "answer": answers}
    columns |= {f"p.{label}": column for label, column in probs.items()}
    none = [None] * len(ids)
    return pl.DataFrame(
        {
            name: pl.Series(columns.get(name, none), dtype=dtype)
            for name, dtype in empty.schema.items()
        }
    )


def _schema(scale: Scale) -> dict[str, pl.DataType]:
    texts = dict.fromkeys(("id", "fault", "raw", "cells"), pl.String())
    numbers = dict.fromkeys(("seconds", "mass"), pl.Float64())
    schema: dict[str, pl.DataType] = {"answer": gold_type(scale), **texts, **numbers}
    if scale.labels:
        schema["probs"] = pl.Struct(dict.fromkeys(scale.labels, pl.Float64()))
    return schema


def _frame(lines: list[dict[str, Any]], scale: Scale) -> pl.DataFrame:
    return _columns(pl.DataFrame(lines, schema=_schema(scale), strict=False), scale)


def _columns(frame: pl.DataFrame, scale: Scale) -> pl.DataFrame:
    """Return judgement lines with labels in `answer`, numbers in `value`, a column per label."""
    columns = {
        "answer": pl.lit(None, pl.String).alias("answer"),
        "value": pl.lit(None, pl.Float64).alias("value"),
    }
    name = "value" if scale.numeric else "answer"
    columns[name] = pl.col("answer").alias(name)
    probs = [pl.col("probs").struct.field(label).alias(f"p.{label}") for label in scale.labels]
    rest = ("raw", "seconds", "mass", "cells")
    return frame.select("id", *columns.values(), "fault", *probs, *rest)


def read_lines(
    path: Path, scale: Scale, *, checksummed: bool = False
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the last reply to each item, and counts of items that were asked again, if any.

    A line that is damaged or off the scale is refused; those of a `checksummed` run must have their
    checksums.
    """
    content = complete_lines(path)
    if not content:
        return _frame([], scale), {}
    _refuse_damage(path, content, checksummed=checksummed)
    try:
        # In one piece, so that a join shares the columns instead of copying them.
        every = _columns(pl.read_ndjson(content, schema=_schema(scale)), scale).rechunk()
    except pl.exceptions.PolarsError as error:
        fact = first_line(error)
        raise GriceError(
            f"{path}: its lines are not responses ({fact}); see grice check {path.parent}"
        ) from None
    if (bad := first_off_scale(every, scale)) is not None:
        fact = f"line {bad[0] + 1}: the answer {bad[1]!r} is not on the scale {scale}"
        raise GriceError(f"{path}: {fact}; see what can be saved with: grice check {path.parent}")
    # Counting needs a fifth of the memory of `unique`.
    if every["id"].n_unique() == every.height:
        return every, {}
    last = every.unique("id", keep="last", maintain_order=True)
    repeated = every.filter(pl.col("id").is_duplicated())["id"].unique()
    faults = int(last.filter(pl.col("id").is_in(repeated.implode()))["fault"].is_not_null().sum())
    return last, {
        "asked again": len(repeated),
        "answered now": len(repeated) - faults,
        "still faulted": faults,
    }


def first_off_scale(frame: pl.DataFrame, scale: Scale) -> tuple[int, Answer] | None:
    """Return the row and answer of the first reply that is off the scale, or None.

    A reply that has neither answer nor fault, or both, counts too.
    """
    column = pl.col("value" if scale.numeric else "answer")
    on = column.is_in(list(scale.labels))
    if scale.numeric:
        on = column.is_between(pl.lit(scale.low), pl.lit(scale.high))
    wrong = (column.is_not_null() & ~on) | (column.is_null() == pl.col("fault").is_null())
    rows = frame.with_row_index("row").filter(wrong.fill_null(True))
    return next(rows.select("row", column.alias("said")).head(1).iter_rows(), None)


def add_checksum(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of `run.json` with a checksum."""
    plain: dict[str, Any] = json.loads(json.dumps(dict(header), default=str))
    return {**plain, "sum": header_sum(plain)}


def header_sum(header: Mapping[str, Any]) -> str:
    """Return the checksum of all other fields of `run.json`."""
    fields = {key: value for key, value in header.items() if key != "sum"}
    return f"{zlib.crc32(json.dumps(fields, sort_keys=True).encode()):08x}"
