"""What a pairer returns for a sentence: pairs, or reasons for having none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grice.core.item import TagValue

# Lower bounds of the parser's certainty; a pair is in the highest band that it reaches.
SURE = (0.0, 0.6, 0.9, 0.98)


@dataclass(frozen=True)
class MinedPair:
    """A pair of sentences with gold labels and tags.

    Attributes:
        key: Tells the pair from others of its sentence.
        stratum: What sampling balances.
        written: Its sentences that were written here, which the grammar check parses again.
        evidence: What its label is based on: "listed" or "unlisted".
        sure: The parser's probability of the least certain attachment that the pair needs.
        rules: The features that confidence is fitted on.
    """

    premise: str
    hypothesis: str
    gold: Mapping[str, str]
    tags: Mapping[str, TagValue]
    key: str
    stratum: str = ""
    group: str = ""
    written: tuple[str, ...] = field(default=())
    evidence: str = "listed"
    sure: float = 1.0
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Skip:
    """A sentence, or a construction in it, that gives no pair, with the reason that is counted."""

    reason: str


PairOutcome = list[MinedPair | Skip]


def sure_band(name: str, sure: float) -> str:
    """Return a feature by the highest bound that a certainty of the parser reaches: "sure 0.9"."""
    return f"{name} {max(low for low in SURE if sure >= low):g}"
