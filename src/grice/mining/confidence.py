"""How likely a mined pair is right in every respect, calibrated on pairs that were read.

The share of right pairs of its kind, moved by each of its features (the rules that fired, how sure the parser is) as far as the
pairs read with that feature were better or worse than the rest; few readings move it little.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

from grice.core.words import read_rows
from grice.mining._words import WORDS
from grice.mining.pairs import MinedPair

# Readings of the kind as a whole that every feature begins with.
PRIOR = 4.0
# Lower bounds of the parser's certainty; a pair is in the highest that it reaches.
SURE = (0.0, 0.6, 0.9, 0.98)


@cache
def _readings() -> dict[tuple[str, str], tuple[int, int]]:
    """(kind, feature) to how many were right and how many were read; the feature "all" is the kind itself."""
    return {(kind, name): (int(right), int(read)) for kind, name, right, read in read_rows(WORDS / "reviewed.tsv")}


def features(pair: MinedPair) -> list[str]:
    """The features that readings are counted by."""
    return [*pair.rules, f"sure {max(low for low in SURE if pair.sure >= low):g}"]


def confidence(kind: str, pair: MinedPair) -> float:
    """The probability that both sentences, the change and the label are right; 0.5 for a kind of which none was read."""
    right, read = _readings().get((kind, "all"), (0, 0))
    base = (right + 1) / (read + 2)
    total = _logit(base)
    for name in features(pair):
        own, seen = _readings().get((kind, name), (0, 0))
        total += _logit((own + PRIOR * base) / (seen + PRIOR)) - _logit(base)
    return 1 / (1 + math.exp(-total))


def count_readings(kind: str, read: Iterable[tuple[MinedPair, bool]]) -> list[tuple[str, str, int, int]]:
    """The rows of `reviewed.tsv` for pairs that were read, each with whether it was right."""
    counts: dict[str, list[int]] = {}
    for pair, right in read:
        for name in ("all", *features(pair)):
            row = counts.setdefault(name, [0, 0])
            row[0] += right
            row[1] += 1
    return [(kind, name, *row) for name, row in counts.items()]  # type: ignore[misc]


def _logit(share: float) -> float:
    return math.log(share / (1 - share))
