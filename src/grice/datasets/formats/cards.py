"""Cards of published sets: their texts, and their files with address and checksum."""

from __future__ import annotations

import tomllib
from pathlib import Path

from grice.core.item import Card, Remote
from grice.core.words import read_rows

CARDS = Path(__file__).parents[1] / "cards"
FILES = Path(__file__).with_name("files.tsv")


def read_card(name: str) -> Card:
    """Read the card of a dataset from `cards/NAME.toml`, with its rows of `files.tsv`."""
    fields = tomllib.loads((CARDS / f"{name}.toml").read_text(encoding="utf-8"))
    notes = tuple(fields.pop("notes", ()))
    rows = (["" if field == "–" else field for field in row] for row in read_rows(FILES))
    files = tuple(_remote(*row) for row in rows if row[0].startswith(f"{name}/"))
    return Card(**fields, notes=notes, files=files)


def _remote(
    path: str, url: str, sha256: str, columns: str = "", person: str = "", origin: str = ""
) -> Remote:
    names = tuple(columns.split(",")) if columns else ()
    return Remote(path, url, sha256 or None, None, names, person, origin)
