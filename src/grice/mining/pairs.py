"""What a pairer gives for a sentence: pairs, and reasons where there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grice.core.item import TagValue
from grice.mining.parse import FINITE, Sentence

# The papers preferred short sentences: longer ones are hard for readers and for the parser.
LONGEST_WORDS = 40


@dataclass(frozen=True)
class MinedPair:
    """A pair of sentences with gold and tags; `key` tells it from others of its sentence, `stratum` is what sampling balances."""

    premise: str
    hypothesis: str
    gold: Mapping[str, str]
    tags: Mapping[str, TagValue]
    key: str
    stratum: str = ""
    group: str = ""
    # Sentences that were written here and not found: these the quality gate reads.
    written: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Skip:
    """A sentence, or a construction in it, that gives no pair, with the reason that is counted."""

    reason: str


Outcome = list[MinedPair | Skip]


def unfit_reason(sentence: Sentence, longest: int) -> str:
    """Why a sentence is no source of pairs: a heading, a fragment, too long; empty if it is one."""
    words = [t for t in sentence.tokens if not t.punctuation]
    if len(words) > longest:
        return f"more than {longest} words"
    if not sentence.text.rstrip().endswith((".", "!", "?", '."', ".”", ".'", ".)", '!"', '?"')):
        return "no end of a sentence"
    if sentence.text.rstrip().endswith("..."):
        return "a sentence broken off"
    if not any(t.tag in FINITE for t in words):
        return "no finite verb"
    return "" if sentence.text.lstrip("\"“'‘([ ")[:1].isupper() else "no beginning of a sentence"
