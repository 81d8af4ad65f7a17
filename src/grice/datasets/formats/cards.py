"""Helpers for the cards of published sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from grice.core.item import Remote
from grice.core.words import read_rows

CHECKSUMS = Path(__file__).with_name("checksums.tsv")


def github(repository: str, files: Mapping[str, str], revision: str = "HEAD") -> tuple[Remote, ...]:
    """List a repository's files, given as {path in the data folder: path in the repository}."""
    base = f"https://raw.githubusercontent.com/{repository}/{revision}"
    return tuple(remote(path_in_data, f"{base}/{path}") for path_in_data, path in files.items())


def remote(
    place: str, url: str = "", *, columns: Sequence[str] = (), person: str = "", made: str = ""
) -> Remote:
    """Return a published file with its checksum, where one is known.

    `columns` and `person` say what of it is stored, `made` how it was made.
    """
    return Remote(
        place, url, _checksums().get(place), columns=tuple(columns), person=person, made=made
    )


@cache
def _checksums() -> dict[str, str]:
    return {row[0]: row[1] for row in read_rows(CHECKSUMS)}
