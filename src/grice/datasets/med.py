"""MED (Yanaka et al. 2019): monotonicity entailment."""

from __future__ import annotations

from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.item import Card
from grice.core.scale import NLI
from grice.core.source import Source, find_published
from grice.datasets.formats.cards import github
from grice.datasets.formats.nli import read_rows

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


CARD = Card(
    title="MED: upward, downward and non-monotone inferences",
    citation=(
        "Yanaka, Mineshima, Bekki, Inui, Sekine, Abzianidze & Bos (2019). Can neural networks"
        " understand monotonicity reasoning? BlackboxNLP."
    ),
    licence="CC BY-SA 4.0; part from FraCaS and the GLUE diagnostics",
    homepage="https://github.com/verypluming/MED",
    counts={"all": 5_382, "ver_1": 5_382},
    notes=(
        "Two labels only, entailment and neutral: 'neutral' means not entailed.",
        (
            "ver_1 is the first release: lower-cased, with 10 other labels and 2 other genres."
            " Quotes are part of the text; parse and annotator columns are empty."
        ),
    ),
    files=github("verypluming/MED", {f"med/{name}": name for name in FILES.values()}),
)

med = Source("med", CARD, tuple(FILES), read)
