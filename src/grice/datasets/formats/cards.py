"""Helpers for the cards of published sets."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grice.core.item import Card, Remote
from grice.core.words import read_rows

CARDS = Path(__file__).parents[1] / "cards"
CHECKSUMS = Path(__file__).with_name("checksums.tsv")


def read_card(name: str, *, files: Sequence[Remote] = (), **further: Any) -> Card:
    """Read the card of a dataset from `cards/NAME.toml`, and add its files and computed fields."""
    fields = tomllib.loads((CARDS / f"{name}.toml").read_text(encoding="utf-8"))
    notes = tuple(fields.pop("notes", ()))
    return Card(**fields, notes=notes, files=tuple(files), **further)


def github(repository: str, files: Mapping[str, str], revision: str = "HEAD") -> tuple[Remote, ...]:
    """List a repository's files, given as {path in the data folder: path in the repository}."""
    base = f"https://raw.githubusercontent.com/{repository}/{revision}"
    return tuple(remote(path_in_data, f"{base}/{path}") for path_in_data, path in files.items())


def remote(
    path: str, url: str = "", *, columns: tuple[str, ...] = (), person: str = "", origin: str = ""
) -> Remote:
    """Return a published file with its checksum, where one is known.

    `columns` and `person` say what of it is stored, `origin` how a file without an address was
    made.
    """
    checksums = {row[0]: row[1] for row in read_rows(CHECKSUMS)}
    return Remote(
        path, url, checksums.get(path), columns=columns, person=person, derived_from=origin
    )
