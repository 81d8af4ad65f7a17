"""Helpers for the cards of published sets."""

from __future__ import annotations

from collections.abc import Mapping

from grice.core.item import Remote


def github(
    repository: str, revision: str, files: Mapping[str, str], sha256: Mapping[str, str] | None = None
) -> tuple[Remote, ...]:
    """Files of a repository, as {place in the data folder: path in the repository}."""
    base = f"https://raw.githubusercontent.com/{repository}/{revision}"
    return tuple(Remote(place, f"{base}/{path}", (sha256 or {}).get(place)) for place, path in files.items())
