"""Word lists in TSV files next to the code; lines that begin with # are comments."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def read_rows(path: Path) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a TSV file, each a tuple of its fields; the file is read once."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))


@cache
def read_lists(path: Path) -> dict[str, tuple[str, ...]]:
    """Return lists by name, from rows of a name and comma-separated words."""
    return {
        name: tuple(word.strip() for word in words.split(",")) for name, words in read_rows(path)
    }
