"""MED (Yanaka et al. 2019): monotonicity entailment."""

from __future__ import annotations

from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.nli import read_rows
from grice.storage.source import Source, find_published

FILES = {"all": "MED.tsv", "ver_1": "MED_ver_1.tsv"}
DIRECTIONS = ("upward", "downward", "non_monotone")


def read(folder: Path, part: str) -> Dataset:
    """Read the set as it is now, `all`, or as first released, `ver_1`."""
    rows = read_rows(find_published(folder, f"med/{FILES[part]}", source="med"))
    genres = [str(genre).split(":") for genre in rows.column("genre")]
    directions = [_direction(genre) for genre in genres]
    frame = rows.items(
        f"med/{part}", {"monotonicity": directions, "genre": genres, "pair": "pairID"}
    )
    return Dataset("med" if part == "all" else f"med/{part}", NLI, frame, CARD)


def _direction(genre: list[str]) -> str | None:
    """Return the direction, which is a part of the colon-separated genre.

    It occurs with or without `_monotone` after it.
    """
    return next((d for d in DIRECTIONS if any(word.startswith(d) for word in genre)), None)


CARD = read_card("med")

med = Source("med", CARD, tuple(FILES), read)
