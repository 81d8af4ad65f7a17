"""Stream a corpus as records: text, JSON lines or CoNLL-U, plain or gz."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, cast

from grice.core.errors import InputError
from grice.mining._words import word_set

KINDS = {".txt": "text", ".text": "text", ".jsonl": "json", ".conllu": "conllu", "": "text"}
# A longer line is no sentence and no paragraph; it is skipped without being held in memory.
MAX_LINE_BYTES = 50_000
# Fields in which corpora have a sentence.
FIELDS = ("text", "sentence", "sentence1", "premise")
COLUMNS = ("words", "xpos", "upos", "lemmas", "heads", "deprels")
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}
ESCAPED = re.compile(r"-[LR][RS]B-", re.IGNORECASE)
END = re.compile(r"[.!?…]+[\"”'’)\]]*(?=\s+[\"“'‘(\[]*[A-Z0-9])")


@dataclass(frozen=True)
class Record:
    """A sentence of a corpus with its position.

    Attributes:
        source: The file.
        line: Counts from 1; `start` and `end` are offsets in it.
        tree: The analysis that came with it: a CoNLL-U block, or a row of columns.
        fault: Why it could not be read; such records are counted.
    """

    source: str
    line: int
    start: int
    end: int
    text: str
    tree: str | dict[str, Any] | None = field(default=None)
    fault: str = ""

    @property
    def place(self) -> str:
        """Return the position of the sentence: `file:line:start-end`."""
        return f"{self.source}:{self.line}:{self.start}-{self.end}"


def read_records(corpus: Path, *, field: str = "", limit: int | None = None) -> Iterator[Record]:
    """Yield every sentence of a file or folder, in the order of names and lines."""
    count = 0
    for path in _files(corpus):
        name = path.name if corpus.is_file() else path.relative_to(corpus).as_posix()
        for record in _read(path, name, field):
            yield record
            count += not record.fault
            if limit is not None and count >= limit:
                return


def _files(corpus: Path) -> list[Path]:
    if corpus.is_file():
        return [corpus]
    if not corpus.is_dir():
        raise InputError(f"{corpus}: no such file or folder; check the path")
    paths = (path for path in corpus.rglob("*") if path.is_file() and _kind(path))
    visible = sorted(path for path in paths if not path.name.startswith("."))
    if not visible:
        raise InputError(f"{corpus}: the folder has no .txt, .jsonl or .conllu file, plain or .gz")
    return visible


def _kind(path: Path) -> str:
    plain = Path(path.stem) if path.suffix == ".gz" else path
    return KINDS.get(plain.suffix.lower(), "")


def _read(path: Path, name: str, field: str) -> Iterator[Record]:
    readers = {"text": _read_text, "json": _read_json, "conllu": _read_conllu}
    reader = readers[_kind(path) or "text"]
    is_empty = True
    try:
        with _open(path) as raw:
            for record in reader(raw, name, field):
                is_empty = False
                yield record
    except (OSError, EOFError, zlib.error) as error:
        yield Record(name, 0, 0, 0, "", fault=f"unreadable file ({type(error).__name__})")
        return
    if is_empty:
        yield Record(name, 0, 0, 0, "", fault="empty file")


def _open(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def _read_lines(raw: IO[bytes]) -> Iterator[tuple[int, str, str]]:
    """Yield (number, line, fault) with bounded memory for any length of line."""
    number = 0
    while chunk := raw.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(chunk) > MAX_LINE_BYTES and not chunk.endswith(b"\n"):
            while (rest := raw.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield number, "", f"a line longer than {MAX_LINE_BYTES:,} bytes"
            continue
        if b"\x00" in chunk:
            yield number, "", "binary"
            continue
        try:
            encoding = "utf-8-sig" if number == 1 else "utf-8"
            yield number, chunk.decode(encoding).rstrip("\r\n"), ""
        except UnicodeDecodeError:
            yield number, "", "not UTF-8"


def _read_text(raw: IO[bytes], name: str, _field: str) -> Iterator[Record]:
    for number, line, fault in _read_lines(raw):
        if fault:
            yield Record(name, number, 0, 0, "", fault=fault)
        for start, end in split_sentences(line):
            yield Record(name, number, start, end, plain_brackets(line[start:end]))


def split_sentences(line: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a line begin and end."""
    begin = 0
    for match in END.finditer(line):
        word = line[begin : match.start()].rsplit(None, 1)[-1:]
        last = (word[0] if word else "").lower().lstrip("(\"“'")
        if not (match[0].startswith(".") and _is_abbreviation(last)):
            yield from _trim(line, begin, match.end())
            begin = match.end()
    yield from _trim(line, begin, len(line))


def _is_abbreviation(word: str) -> bool:
    is_initial = re.fullmatch(r"[a-z]|([a-z]\.)+[a-z]", word) is not None
    return is_initial or word in word_set("abbreviations")


def plain_brackets(text: str) -> str:
    """Return the text with brackets for a treebank's escapes: "-LRB-Civil Justice Reform-RRB-"."""
    return ESCAPED.sub(lambda match: BRACKETS[match[0].upper()], text)


def _trim(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and line[start].isspace():
        start += 1
    while end > start and line[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _read_json(raw: IO[bytes], name: str, field: str) -> Iterator[Record]:
    for number, line, fault in _read_lines(raw):
        if fault:
            yield Record(name, number, 0, 0, "", fault=fault)
        elif line.strip():
            yield from _read_row(_parse_json(line), Record(name, number, 0, len(line), ""), field)


def _read_row(row: Any, empty: Record, field: str) -> Iterator[Record]:
    """Yield the records of a JSON row: columns, or the sentences of a text."""
    if not isinstance(row, dict):
        yield replace(empty, end=0, fault="not a JSON object")
        return
    if all(isinstance(row.get(column), list) for column in COLUMNS):
        yield replace(empty, text=" ".join(map(str, row["words"])), tree=row)
        return
    key = field or next((f for f in FIELDS if isinstance(row.get(f), str)), "")
    text = row.get(key)
    if not isinstance(text, str):
        yield replace(empty, end=0, fault=f"no field '{field or FIELDS[0]}'")
        return
    text = text.replace("\n", " ")
    for start, end in split_sentences(text):
        yield replace(empty, start=start, end=end, text=plain_brackets(text[start:end]))


def _parse_json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _read_conllu(raw: IO[bytes], name: str, _field: str) -> Iterator[Record]:
    block: list[str] = []
    begin, block_fault = 1, ""
    for number, line, fault in _read_lines(raw):
        block_fault = block_fault or fault
        if line.strip() or fault:
            begin = number if not block else begin
            block.append(line)
            continue
        yield from _read_block(name, begin, block, block_fault)
        block, block_fault = [], ""
    yield from _read_block(name, begin, block, block_fault)


def _read_block(name: str, line: int, block: list[str], fault: str) -> Iterator[Record]:
    if not block:
        return
    rows = (row for row in block if row[:1].isdigit() and row.count("\t") == 9)
    words = " ".join(row.split("\t")[1] for row in rows)
    text = next((row[9:] for row in block if row.startswith("# text = ")), words)
    fault = fault or ("" if words else "no CoNLL-U words")
    yield Record(name, line, 0, len(text), text, "\n".join(block), fault)
