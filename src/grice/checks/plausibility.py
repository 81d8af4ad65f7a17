"""Plausibility: whether a model prefers sentences to the same words with endings exchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from grice.checks.findings import phenomenon_column, split_by
from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, mean
from grice.tables.table import RowKey, Table

# The surprisal of each text in bits, or None where the model gives none.
Surprisal = Callable[[Sequence[str]], Sequence[float | None]]
# Two sentences may exchange what follows one of these.
ARTICLES, PREPOSITIONS = ("the", "a", "an"), ("at", "on", "in", "to", "of")
LINKS = ("who", "that", "and", "or", "before", "after", "when", "since")
PIVOTS = (*ARTICLES, *PREPOSITIONS, *LINKS)
# More couples of a phenomenon hardly move the share.
COUPLES = 100
COLUMN = "as it is less surprising"


class Couple(NamedTuple):
    """Two sentences as they are, and with their endings exchanged: the same words in all."""

    kept: tuple[str, str]
    exchanged: tuple[str, str]


class Plausibility(NamedTuple):
    """The share of couples less surprising as they are, by phenomenon, and the worst couples."""

    table: Table
    oddest: tuple[Couple, ...]
    asked: int
    faults: int


def measure_plausibility(data: Dataset, surprisal: Surprisal, seed: int = 0) -> Plausibility:
    """Measure how often two premises are less surprising than with their endings exchanged.

    The share is one half where acts, people and places were combined at random. Words and lengths
    are the same on both sides, so neither can explain a difference. A text without a surprisal is
    invalid, and its couple is left out.
    """
    rows: list[RowKey] = []
    cells: dict[tuple[RowKey, str], Estimate | None] = {}
    gains: list[tuple[float, Couple]] = []
    n_couples = 0
    for part, frame in split_by(data.frame, phenomenon_column(data.frame), "all"):
        couples = pair_up(frame["premise"].unique(maintain_order=True).to_list(), seed)
        texts = list(dict.fromkeys(text for couple in couples for side in couple for text in side))
        bits = dict(zip(texts, surprisal(texts), strict=True)) if texts else {}
        couple_gains = [(_gain(couple, bits), couple) for couple in couples]
        known_gains = [(gain, couple) for gain, couple in couple_gains if gain is not None]
        n_couples += len(couples)
        gains += known_gains
        rows.append((part,))
        cells[(part,), COLUMN] = mean(
            pl.Series([float(gain > 0) for gain, _ in known_gains], dtype=pl.Float64)
        )
    gains.sort(key=lambda pair: pair[0])
    title = (
        f"{data.name}: share of couples less surprising as they are than with endings exchanged"
        " (chance 0.5)"
    )
    table = Table(title, ("part",), tuple(rows), (COLUMN,), cells)
    return Plausibility(
        table, tuple(couple for _, couple in gains[:10]), n_couples, n_couples - len(gains)
    )


def pair_up(sentences: Sequence[str], seed: int = 0) -> list[Couple]:
    """Pair sentences, at most `COUPLES` times, each with its ending exchanged for the other's.

    Pairs whose endings cannot be exchanged are left out.
    """
    rng = np.random.default_rng(seed)
    order = [sentences[index] for index in rng.permutation(len(sentences))]
    couples: list[Couple] = []
    for first, second in zip(order[::2], order[1::2], strict=False):
        couple = exchange(first, second, rng)
        if couple and len(couples) < COUPLES:
            couples.append(couple)
    return couples


def exchange(first: str, second: str, rng: np.random.Generator) -> Couple | None:
    """Exchange what follows a word of `PIVOTS`; None where that would change nothing."""
    a, b = first.split(" "), second.split(" ")
    shared = [word for word in PIVOTS if word in a[1:-1] and word in b[1:-1]]
    for index in rng.permutation(len(shared)):
        cut, over = (len(tokens) - tokens[::-1].index(shared[index]) for tokens in (a, b))
        if a[:cut] != b[:over] and a[cut:] != b[over:] and a[-1][-1] == b[-1][-1]:
            return Couple(
                (first, second), (" ".join(a[:cut] + b[over:]), " ".join(b[:over] + a[cut:]))
            )
    return None


def _gain(couple: Couple, bits: dict[str, float | None]) -> float | None:
    """Return the increase of surprisal, in bits, by the exchange."""
    original, exchanged = ([bits[text] for text in side] for side in couple)
    if any(value is None for value in (*original, *exchanged)):
        return None
    return sum(value or 0.0 for value in exchanged) - sum(value or 0.0 for value in original)
