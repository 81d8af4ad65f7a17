"""What ConjNLI breaks its pairs down by: conjunctions, several of them, quantifiers, negations.

The word lists and the case-sensitive tokens are those that give the paper's Table 3 exactly; nor counts as or.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grice.core.item import TagValue

TOKEN = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
CONJUNCTIONS = {"and": "and", "or": "or", "nor": "or", "but": "but"}
NEGATIONS = frozenset(["not", "no", "never", "neither", "nothing", "none", "nobody", "nowhere"])
QUANTIFIERS = frozenset(
    [
        "all",
        "some",
        "every",
        "each",
        "any",
        "most",
        "many",
        "few",
        "several",
        "both",
        "more",
        "only",
        "no",
        "none",
        "either",
    ]
)


def traits(*sentences: Sequence[str]) -> dict[str, TagValue]:
    """The tags of a sentence or a pair, given as tokens; a word counts wherever it stands."""
    words = [word for sentence in sentences for word in sentence]
    found = {CONJUNCTIONS[word] for word in words if word in CONJUNCTIONS}
    return {
        "conjunction": tuple(word for word in ("and", "or", "but") if word in found),
        "multiple": yes(max(map(count, sentences)) > 1),
        "quantifier": yes(not QUANTIFIERS.isdisjoint(words)),
        "negation": yes(not NEGATIONS.isdisjoint(words)),
    }


def count(tokens: Sequence[str]) -> int:
    """How many conjunctions a sentence has."""
    return sum(word in CONJUNCTIONS for word in tokens)


def yes(true: bool) -> str:
    """A tag's word for a truth value."""
    return "yes" if true else "no"
