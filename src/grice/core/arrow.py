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
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0][:120]
        raise InputError(f"{path}: not an Arrow file ({said}); check how it was written") from None


def _unpacked(raw: bytes) -> int:
    """What all batches take that a reader would unpack; where something else stands in their place, a reader fails too."""
    total = 0
    with suppress(struct.error, IndexError):
        for at in _messages(raw):
            table, body, _ = _message(raw, at)
            kind, batch = raw[_field(raw, table, 1)], _follow(raw, _field(raw, table, 2))
            if kind in (DICTIONARY, BATCH):
                batch = _follow(raw, _field(raw, batch, 1)) if kind == DICTIONARY else batch
                # Eight bytes for each row at least, and each buffer as it is, or as long as it says that it unpacks to.
                total += 8 * _number("<q", raw, _field(raw, batch, 0))
                buffers, packed = _follow(raw, _field(raw, batch, 2)), _field(raw, batch, 3)
                for one in range(_number("<i", raw, buffers)):
                    offset, length = struct.unpack_from("<qq", raw, buffers + 4 + 16 * one)
                    said = _number("<q", raw, body + offset) if packed and length >= 8 else -1
                    total += length if said < 0 else said
    return total


def _messages(raw: bytes) -> Iterator[int]:
    """Where messages begin: in a stream one after the other, in a file by the list at its end."""
    at, before, end = 0, -1, len(raw) - len(MAGIC) - 4
    while not raw.startswith(MAGIC) and before < at <= len(raw) - 8:
        yield at
        _, body, length = _message(raw, at)
        before, at = at, body + length
    if raw.startswith(MAGIC):
        footer = _follow(raw, end - _number("<i", raw, end))
        for place in filter(None, (_field(raw, footer, number) for number in (2, 3))):
            blocks = _follow(raw, place)
            yield from (_number("<q", raw, blocks + 4 + 24 * one) for one in range(_number("<i", raw, blocks)))


def _message(raw: bytes, at: int) -> tuple[int, int, int]:
    """Where a message's table lies, where its body, and how long that is."""
    # Before the mark was part of the format, a message began with its length.
    head = 8 if _number("<I", raw, at) == CONTINUATION else 4
    table = _follow(raw, at + head)
    return table, at + head + _number("<i", raw, at + head - 4), _number("<q", raw, _field(raw, table, 3))


def _number(kind: str, raw: bytes, place: int) -> int:
    return int(struct.unpack_from(kind, raw, place)[0]) if place > 0 or kind != "<q" else 0


def _follow(raw: bytes, place: int) -> int:
    """Where an offset leads."""
    return place + _number("<I", raw, place)


def _field(raw: bytes, table: int, number: int) -> int:
    """Where a field of a flatbuffer's table lies; 0 where it has its default."""
    names = table - _number("<i", raw, table)
    offset = _number("<H", raw, names + 4 + 2 * number) if 4 + 2 * number < _number("<H", raw, names) else 0
    return table + offset if offset else 0
