"""Items saved with a run, so that it can be read without its data."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.files import is_file, write_atomically
from grice.core.item import Card
from grice.core.parquet import read_parquet
from grice.core.scale import Scale

# Folder next to the runs of an archive, which holds shared items once.
SHARED = "items"


def items_file(fingerprint: str) -> str:
    """Return the name of the file that holds the items with this fingerprint."""
    return f"items-{fingerprint}.parquet"


def describe_data(data: Dataset) -> dict[str, Any]:
    """Return what a run's header says of its data: scales, title, licence, reader."""
    return {
        "title": data.card.title,
        "licence": data.card.licence,
        "scale": data.scale.to_json(),
        "readings": {reading: scale.to_json() for reading, scale in data.readings.items()},
        "read_as": dict(data.read_as),
    }


def store_items(data: Dataset, folder: Path) -> None:
    """Save the items with a run; runs on the same data share one file by a hard link."""
    path = folder / items_file(data.fingerprint)
    if path.exists():
        return
    for existing in folder.parent.glob(f"*/{path.name}"):
        with contextlib.suppress(OSError):
            os.link(existing, path)
            return
    with write_atomically(path, binary=True) as out:
        out.write(frame_bytes(data.frame))


def frame_bytes(frame: pl.DataFrame) -> bytes:
    """Return a frame as the bytes of a Parquet file."""
    out = io.BytesIO()
    frame.write_parquet(out, compression="zstd")
    return out.getvalue()


def read_stored_items(
    folder: Path, name: str, fingerprint: str, about: Mapping[str, Any]
) -> Dataset | None:
    """Return the items saved with a run, or shared in its archive; None where there are none."""
    places = (folder / items_file(fingerprint), folder.parent / SHARED / items_file(fingerprint))
    path = next(filter(is_file, places), None)
    if path is None:
        return None
    try:
        frame = read_parquet(path)
        readings = {reading: Scale.from_json(scale) for reading, scale in about["readings"].items()}
        card = Card(about["title"], licence=about["licence"])
        data = Dataset(
            name, Scale.from_json(about["scale"]), frame, card, readings, about["read_as"]
        )
    except (pl.exceptions.PolarsError, KeyError, TypeError) as error:
        raise GriceError(
            f"{path}: cannot be read ({str(error)[:80]}); remove it, and bring the data itself"
        ) from None
    if data.fingerprint != fingerprint:
        fact = (
            f"the items have the fingerprint {data.fingerprint}, and the run was made on"
            f" {fingerprint}"
        )
        raise InputError(f"{path}: {fact}; remove the file, and bring the data itself")
    return data
