"""Tags by which ConjNLI breaks its results down: conjunctions, quantifiers, negations.

The word lists and the case-sensitive tokens are those that give the paper's Table 3 exactly; nor
counts as or.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from grice.core.item import TagValue
from grice.core.words import read_lists

TOKEN = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
CONJUNCTIONS = {"and": "and", "or": "or", "nor": "or", "but": "but"}
WORDS = Path(__file__).parent / "words" / "conjunction.tsv"


def traits(*sentences: Sequence[str]) -> dict[str, TagValue]:
    """Return the tags of a sentence or a pair, given as tokens; position does not matter."""
    tokens = {word for sentence in sentences for word in sentence}
    lists = read_lists(WORDS)
    conjunctions = {CONJUNCTIONS[word] for word in tokens & CONJUNCTIONS.keys()}
    is_tagged = {
        "multiple": any(sum(w in CONJUNCTIONS for w in sentence) > 1 for sentence in sentences),
        "quantifier": not tokens.isdisjoint(lists["quantifier"]),
        "negation": not tokens.isdisjoint(lists["negation"]),
    }
    return {
        "conjunction": tuple(word for word in ("and", "or", "but") if word in conjunctions),
        **{tag: "yes" if yes else "no" for tag, yes in is_tagged.items()},
    }
