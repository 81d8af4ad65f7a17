"""Arrow within a bound: what its compressed buffers unpack to is told by themselves, so it is known before they are."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from grice.core.errors import InputError
from grice.core.files import read_bytes
from grice.core.limits import BYTES, limit, raise_with

if TYPE_CHECKING:
    import polars as pl

# A file begins with this and has a list of its batches at the end; a stream is batches alone.
MAGIC, CONTINUATION = b"ARROW1", 0xFFFFFFFF
DICTIONARY, BATCH = 2, 3


def read_arrow(path: Path) -> pl.DataFrame:
    """The frame of an Arrow file or stream; one of more than `GRICE_MAX_BYTES` unpacked is refused before it is unpacked."""
    import polars as pl

    raw, most = read_bytes(path), limit(BYTES)
    if _unpacked(raw) > most:
        raise InputError(f"{path}: holds more than {most:,} bytes once unpacked; {raise_with(BYTES)}")
    try:
        return (pl.read_ipc if raw.startswith(MAGIC) else pl.read_ipc_stream)(io.BytesIO(raw))
    except (pl.exceptions.PolarsError, OSError) as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0][:120]
        raise InputError(f"{path}: not an Arrow file ({said}); check how it was written") from None


def _unpacked(raw: bytes) -> int:
    """What all batches take that a reader would unpack; where something else stands in their place, a reader fails too."""
    total = 0
    with suppress(struct.error, IndexError):
        for at in _listed(raw) if raw.startswith(MAGIC) else _in_turn(raw):
            message, body, _ = _message(raw, at)
            kind = raw[place] if (place := _field(raw, message, 1)) else 0
            if kind in (DICTIONARY, BATCH):
                batch = _follow(raw, _field(raw, message, 2))
                total += _batch(raw, _follow(raw, _field(raw, batch, 1)) if kind == DICTIONARY else batch, body)
    return total


def _in_turn(raw: bytes) -> Iterator[int]:
    """Where the messages of a stream begin."""
    at, before = 0, -1
    while before < at <= len(raw) - 8:
        yield at
        _, body, length = _message(raw, at)
        before, at = at, body + length


def _listed(raw: bytes) -> Iterator[int]:
    """Where the messages of a file begin, by the list at its end: first dictionaries, then batches."""
    end = len(raw) - len(MAGIC) - 4
    footer = _follow(raw, end - _number("<i", raw, end))
    for number in (2, 3):
        if place := _field(raw, footer, number):
            blocks = _follow(raw, place)
            yield from (_number("<q", raw, blocks + 4 + 24 * one) for one in range(_number("<i", raw, blocks)))


def _message(raw: bytes, at: int) -> tuple[int, int, int]:
    """Where a message's table lies, where its body, and how long that is."""
    # Before the mark was part of the format, a message began with its length.
    head = 8 if _number("<I", raw, at) == CONTINUATION else 4
    table = _follow(raw, at + head)
    place = _field(raw, table, 3)
    return table, at + head + _number("<i", raw, at + head - 4), _number("<q", raw, place) if place else 0


def _batch(raw: bytes, batch: int, body: int) -> int:
    """The bytes of a batch's buffers as they are unpacked, and eight for each of its rows at least."""
    total = 8 * _number("<q", raw, place) if (place := _field(raw, batch, 0)) else 0
    buffers, packed = _follow(raw, _field(raw, batch, 2)), bool(_field(raw, batch, 3))
    for one in range(_number("<i", raw, buffers)):
        offset, length = struct.unpack_from("<qq", raw, buffers + 4 + 16 * one)
        said = _number("<q", raw, body + offset) if packed and length >= 8 else -1
        total += length if said < 0 else said
    return total


def _number(kind: str, raw: bytes, place: int) -> int:
    return int(struct.unpack_from(kind, raw, place)[0]) if place >= 0 else 0


def _follow(raw: bytes, place: int) -> int:
    """Where an offset leads."""
    return place + _number("<I", raw, place)


def _field(raw: bytes, table: int, number: int) -> int:
    """Where a field of a flatbuffer's table lies; 0 where it has its default."""
    names = table - _number("<i", raw, table)
    if 4 + 2 * number >= _number("<H", raw, names):
        return 0
    offset = _number("<H", raw, names + 4 + 2 * number)
    return table + offset if offset else 0
