"""Read the rows of any table: delimited text, JSON, Excel, Parquet, or a folder of such files."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, MissingExtra, bad_line, one_line
from grice.core.files import read_bytes, read_json_lines, read_table, read_text
from grice.core.limits import BYTES, limit, raise_with
from grice.core.parquet import read_parquet
from grice.core.parsing import parse_json

DELIMITERS = {"csv": ",", "tsv": "\t", "txt": "\t"}
KINDS = ("csv", "tsv", "jsonl", "ndjson", "json", "xlsx", "parquet")
# What `datasets.save_to_disk` writes with its Arrow files.
SAVED_TO_DISK = ("dataset_dict.json", "dataset_info.json")
# As many as a sheet can have.
EXCEL_ROWS = 1 << 20


@dataclass
class TableRows:
    """Rows with their file and line, and notes on what was guessed to read them."""

    rows: list[tuple[Path, int, dict[str, Any]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The columns that any row has, in order."""
        return list(dict.fromkeys(name for _, _, row in self.rows for name in row))


def read_rows(path: Path) -> TableRows:
    """Read all rows of a file, or of a folder, whose rows get the tag `part` or `split`."""
    rows = TableRows()
    if not path.is_dir():
        rows.rows += [(path, line, row) for line, row in _file(path, rows.notes)]
        if not rows.rows:
            raise InputError(f"{path}: the file is empty; it needs at least one row")
        return rows
    if any((path / name).is_file() for name in SAVED_TO_DISK):
        raise InputError(
            f"{path}: written by save_to_disk (Arrow). Save it as Parquet:"
            " dataset.to_parquet('pairs.parquet')."
        )
    parts = parts_of(path)
    if not parts:
        raise InputError(
            f"{path}: holds no table; name a file of one of these kinds: {', '.join(KINDS)}"
        )
    rows.notes.append(
        f"{len(parts)} files of the folder, each a value of the tag 'part':"
        f" {', '.join(p.name for p in parts)}"
    )
    for part in parts:
        rows.rows += [
            (part, line, {**row, "part": part.stem}) for line, row in _file(part, rows.notes)
        ]
    rows.notes = list(dict.fromkeys(rows.notes))
    return rows


def parts_of(folder: Path) -> list[Path]:
    """List the tables in a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.is_file() and kind_of(path) in KINDS)


def kind_of(path: Path) -> str:
    """Return the kind of a file by its name: `csv` for `pairs.csv.gz`."""
    return path.name.removesuffix(".gz").rpartition(".")[2].lower()


def _file(path: Path, notes: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    kind = kind_of(path)
    if kind in DELIMITERS:
        yield from read_table(path, delimiter=_delimiter(path, DELIMITERS[kind], notes))
    elif kind in ("jsonl", "ndjson"):
        for line, row in read_json_lines(path, once=True):
            yield line, _object(path, line, row)
    elif kind == "json":
        yield from _json(path)
    elif kind == "xlsx":
        yield from _sheet(path, notes)
    elif kind == "parquet":
        yield from enumerate(read_parquet(path).iter_rows(named=True), 1)
    else:
        raise InputError(f"{path}: unknown kind of file; use one of .{', .'.join(KINDS)}")


def _delimiter(path: Path, usual: str, notes: list[str]) -> str:
    """Return the column separator of a header.

    It is the usual one, or the one of the others that occurs most often.
    """
    header = read_text(path).lstrip().splitlines()[0]
    counts = {
        sign: len(next(csv.reader([header], delimiter=sign)))
        for sign in (usual, ";", "\t", "|", ",")
    }
    best = max(counts, key=lambda sign: counts[sign])
    if counts[usual] > 1 or counts[best] == 1:
        return usual
    notes.append(f"columns parted by {'a tab' if best == chr(9) else repr(best)}")
    return best


def _object(path: Path, line: int, row: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise bad_line(path, line, "not a JSON object", "each row is one object with named columns")
    return row


def _json(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read an array of objects, an object of columns, or an object with one array.

    Rows are counted from 1.
    """
    try:
        content = parse_json(read_text(path), once=True)
    except ValueError as error:
        remedy = "a .json file is one array of objects; one object a line is .jsonl"
        cause = error.__context__
        line = cause.lineno if isinstance(cause, json.JSONDecodeError) else None
        raise bad_line(path, line, f"not JSON ({error})", remedy) from None
    if isinstance(content, dict):
        lists = {key: value for key, value in content.items() if isinstance(value, list)}
        if len({len(value) for value in lists.values()}) == 1 and len(lists) > 1:
            content = [
                dict(zip(lists, values, strict=True))
                for values in zip(*lists.values(), strict=True)
            ]
        elif len(lists) == 1:
            (content,) = lists.values()
    if not isinstance(content, list):
        raise InputError(
            f'{path}: contains no array of rows; write [{{"premise": …, "hypothesis": …}}, …]'
        )
    for number, row in enumerate(content, 1):
        yield number, _object(path, number, row)


def _sheet(path: Path, notes: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    rows = _cells(path, notes)
    header = ["" if name is None else str(name) for name in (rows[0] if rows else ())]
    twice = next((name for name, count in Counter(header).items() if name and count > 1), None)
    if twice is not None:
        raise bad_line(
            path, 1, f"two columns are called '{twice}'", "rename one, since only one could be read"
        )
    for number, row in enumerate(rows[1:], 2):
        if any(value is not None for value in row):
            cells = zip_longest(header, row[: len(header)])
            yield number, {name: "" if value is None else value for name, value in cells if name}


def _cells(path: Path, notes: list[str]) -> list[tuple[Any, ...]]:
    """Return the rows of the first sheet of an Excel file, including its first line."""
    try:
        from openpyxl import load_workbook
    except ModuleNotFoundError:
        raise MissingExtra("reading .xlsx", "xlsx") from None
    raw, max_size = io.BytesIO(read_bytes(path)), limit(BYTES)
    try:
        with zipfile.ZipFile(raw) as packed:
            size = sum(member.file_size for member in packed.infolist())
        sheets = (
            load_workbook(raw, read_only=True, data_only=True).worksheets
            if size <= max_size
            else []
        )
        for sheet in sheets[:1]:
            # A file states how large its sheet is, and rows would be filled up to that.
            sheet.reset_dimensions()
            rows = list(islice(sheet.iter_rows(values_only=True), EXCEL_ROWS))
    except Exception as error:
        raise InputError(
            one_line(f"{path}: not an Excel file ({error}); save it as .xlsx or .csv")
        ) from None
    if not sheets:
        over = f"holds more than {max_size:,} bytes once unpacked; {raise_with(BYTES)}"
        raise InputError(
            f"{path}:"
            f" {over if size > max_size else 'has no sheet; save the table as .xlsx or .csv'}"
        )
    if len(sheets) > 1:
        notes.append(f"the first of {len(sheets)} sheets, '{sheets[0].title}'")
    return rows
