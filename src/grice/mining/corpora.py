"""Any corpus as a stream of records: text, JSON lines, CoNLL-U and Penn trees, plain or gz, one file or a folder."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from grice.core.errors import InputError
from grice.mining._words import word_set

KINDS = {
    ".txt": "text", ".text": "text", ".jsonl": "json", ".conllu": "conllu", ".ptb": "trees", ".mrg": "trees", "": "text",
}  # fmt: skip
# A line longer than this is no sentence and no paragraph; it is passed over without being held in memory.
LONGEST_LINE = 50_000
# Field names under which corpora keep a sentence, and the Penn tree that may come with it.
FIELDS = ("text", "sentence", "sentence1", "premise")
TREES = {"sentence1": "sentence1_parse", "sentence": "sentence_parse", "text": "parse", "premise": "premise_parse"}  # fmt: skip
COLUMNS = ("words", "xpos", "upos", "lemmas", "heads", "deprels")
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}
ESCAPED = re.compile(r"-[LR][RS]B-", re.IGNORECASE)
END = re.compile(r"[.!?…]+[\"”'’)\]]*(?=\s+[\"“'‘(\[]*[A-Z0-9])")


@dataclass(frozen=True)
class Record:
    """A sentence of a corpus at its place: `source` is the file, `line` counts from 1, `start` and `end` are in that line.

    `tree` is the analysis that came with it: a Penn tree, a CoNLL-U block, or a row of columns. A record with a
    `fault` could not be read; it is counted.
    """

    source: str
    line: int
    start: int
    end: int
    text: str
    tree: str | dict[str, Any] | None = field(default=None)
    kind: str = ""
    fault: str = ""

    @property
    def place(self) -> str:
        """Where the sentence stands: `file:line:start-end`."""
        return f"{self.source}:{self.line}:{self.start}-{self.end}"


def read_records(corpus: Path, *, field: str = "", limit: int | None = None) -> Iterator[Record]:
    """Every sentence of a file or folder, in the order of names and lines."""
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
    found = sorted(p for p in corpus.rglob("*") if p.is_file() and _kind(p) and not p.name.startswith("."))
    if not found:
        raise InputError(f"{corpus}: the folder has no .txt, .jsonl, .conllu, .ptb or .mrg file, plain or .gz")
    return found


def _kind(path: Path) -> str:
    bare = Path(path.stem) if path.suffix == ".gz" else path
    return KINDS.get(bare.suffix.lower(), "")


def _read(path: Path, name: str, field: str) -> Iterator[Record]:
    readers = {"text": _text, "json": _json, "conllu": _conllu, "trees": _trees}
    reader = readers[_kind(path) or "text"]
    empty = True
    try:
        with _opened(path) as raw:
            for record in reader(raw, name, field):
                empty = False
                yield record
    except (OSError, EOFError, zlib.error) as error:
        yield Record(name, 0, 0, 0, "", fault=f"unreadable file ({type(error).__name__})")
        return
    if empty:
        yield Record(name, 0, 0, 0, "", fault="empty file")


def _opened(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def _lines(raw: IO[bytes]) -> Iterator[tuple[int, str, str]]:
    """(number, line, fault): bounded memory however long a line is."""
    number = 0
    while chunk := raw.readline(LONGEST_LINE + 1):
        number += 1
        if len(chunk) > LONGEST_LINE and not chunk.endswith(b"\n"):
            while (rest := raw.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield number, "", f"a line longer than {LONGEST_LINE:,} bytes"
            continue
        if b"\x00" in chunk:
            yield number, "", "binary"
            continue
        try:
            yield number, chunk.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"), ""
        except UnicodeDecodeError:
            yield number, "", "not UTF-8"


def _text(raw: IO[bytes], name: str, _field: str) -> Iterator[Record]:
    for number, line, fault in _lines(raw):
        if fault:
            yield Record(name, number, 0, 0, "", fault=fault)
        for start, end in split_sentences(line):
            yield Record(name, number, start, end, plain_brackets(line[start:end]))


def split_sentences(line: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a line begin and end."""
    begin = 0
    for match in END.finditer(line):
        word = line[begin : match.start()].rsplit(None, 1)[-1:]
        last = (word[0] if word else "").lower().lstrip("(\"“'")
        if match[0].startswith(".") and (
            last in word_set("abbreviations") or re.fullmatch(r"[a-z]|([a-z]\.)+[a-z]", last)
        ):
            continue
        yield from _trimmed(line, begin, match.end())
        begin = match.end()
    yield from _trimmed(line, begin, len(line))


def plain_brackets(text: str) -> str:
    """The text with the brackets that a treebank's escapes stand for: "-LRB-Civil Justice Reform-RRB-"."""
    return ESCAPED.sub(lambda match: BRACKETS[match[0].upper()], text)


def _trimmed(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and line[start].isspace():
        start += 1
    while end > start and line[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _json(raw: IO[bytes], name: str, field: str) -> Iterator[Record]:
    for number, line, fault in _lines(raw):
        if not fault and not line.strip():
            continue
        row = None if fault else _row(line)
        if not isinstance(row, dict):
            yield Record(name, number, 0, 0, "", fault=fault or "not a JSON object")
            continue
        if all(isinstance(row.get(column), list) for column in COLUMNS):
            yield Record(name, number, 0, len(line), " ".join(map(str, row["words"])), row, "columns")
            continue
        key = field or next((f for f in FIELDS if isinstance(row.get(f), str)), "")
        text = row.get(key)
        if not isinstance(text, str):
            yield Record(name, number, 0, 0, "", fault=f"no field '{field or FIELDS[0]}'")
            continue
        tree = row.get(TREES.get(key, f"{key}_parse"))
        if isinstance(tree, str) and tree.startswith("("):
            yield Record(name, number, 0, len(text), text.strip(), tree, "tree")
            continue
        for start, end in split_sentences(text.replace("\n", " ")):
            yield Record(name, number, start, end, plain_brackets(text[start:end].replace("\n", " ")))


def _row(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _conllu(raw: IO[bytes], name: str, _field: str) -> Iterator[Record]:
    block: list[str] = []
    begun, bad = 1, ""
    for number, line, fault in _lines(raw):
        bad = bad or fault
        if line.strip() or fault:
            begun = number if not block else begun
            block.append(line)
            continue
        yield from _block(name, begun, block, bad)
        block, bad = [], ""
    yield from _block(name, begun, block, bad)


def _block(name: str, line: int, block: list[str], fault: str) -> Iterator[Record]:
    if not block:
        return
    text = "\n".join(block)
    words = " ".join(row.split("\t")[1] for row in block if row[:1].isdigit() and row.count("\t") == 9)
    named = next((row[9:] for row in block if row.startswith("# text = ")), words)
    yield Record(name, line, 0, len(named), named, text, "conllu", fault or ("" if words else "no CoNLL-U words"))


def _trees(raw: IO[bytes], name: str, _field: str) -> Iterator[Record]:
    """Penn trees, each over one line or many: brackets are counted."""
    depth, begun = 0, 1
    parts: list[str] = []
    for number, line, fault in _lines(raw):
        if fault:
            yield Record(name, number, 0, 0, "", fault=fault)
            continue
        begun = number if not parts else begun
        parts.append(line)
        depth += line.count("(") - line.count(")")
        if depth <= 0 and any(part.strip() for part in parts):
            tree = " ".join(parts).strip()
            words = " ".join(re.findall(r"\(\S+ ([^\s()]+)\)", tree))
            yield Record(name, begun, 0, len(words), words, tree, "tree", "" if words else "no words in the tree")
            depth, parts = 0, []
        elif sum(map(len, parts)) > LONGEST_LINE:
            yield Record(name, begun, 0, 0, "", fault="a tree whose brackets do not close")
            depth, parts = 0, []
