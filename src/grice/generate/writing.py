"""Writing of items into a file batch by batch, without holding all in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from grice.core.dataset import frame_of
from grice.core.errors import InputError
from grice.core.files import write_atomically
from grice.core.item import Item
from grice.core.scale import NLI


def write_items(path: Path, batches: Iterable[list[Item]]) -> None:
    """Write the items to a `.jsonl` or `.parquet` file; nothing remains if a batch fails."""
    if path.suffix not in (".jsonl", ".parquet"):
        raise InputError(f"{path}: a file of pairs ends in .jsonl or .parquet")
    (_write_parquet if path.suffix == ".parquet" else _write_json_lines)(path, batches)


def _write_json_lines(path: Path, batches: Iterable[list[Item]]) -> None:
    with write_atomically(path) as out:
        for batch in batches:
            out.write("".join([item.to_line() + "\n" for item in batch]))


def _write_parquet(path: Path, batches: Iterable[list[Item]]) -> None:
    """Write each batch to a file in a temporary folder, then all of them as one file."""
    with (
        write_atomically(path, binary=True) as out,
        tempfile.TemporaryDirectory(dir=path.parent) as folder,
    ):
        parts = []
        for number, batch in enumerate(batches):
            parts.append(Path(folder) / f"{number}.parquet")
            frame_of(batch, None, NLI).write_parquet(parts[-1])
        schemas = [pl.read_parquet_schema(part) for part in parts]
        lists = {
            column
            for schema in schemas
            for column, kind in schema.items()
            if kind == pl.List(pl.String)
        }
        pl.concat([_with_lists(part, lists) for part in parts], how="diagonal").sink_parquet(out)


def _with_lists(part: Path, lists: set[str]) -> pl.LazyFrame:
    """Turn a tag that has several values in some item into a list in every item."""
    schema = pl.read_parquet_schema(part)
    single = [c for c in schema if c in lists and schema[c] == pl.String]
    return pl.scan_parquet(part).with_columns(pl.concat_list(c) for c in single)
