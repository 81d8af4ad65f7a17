"""Veridicality signatures: what a verb with a to- or that-complement says of its complement.

A signature such as `-/o` gives the complement's polarity in a positive and in a negated sentence:
`+` it holds, `-` it does not, `o` (the letter) nothing follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from grice.core.words import read_rows

Environment = Literal["positive", "negative"]
SIGNATURES = ("+/+", "+/-", "-/+", "o/+", "o/-", "-/o", "+/o", "o/o")
LABELS = {"+": "entailment", "-": "contradiction", "o": "neutral"}

WORDS = Path(__file__).parent / "words"
NEGATIONS = {"not", "never", "cannot", "no"}
TOKEN = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|n't")
ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("es", ""),
    ("s", ""),
    ("ed", ""),
    ("d", ""),
    ("ing", ""),
    ("ing", "e"),
)


@dataclass(frozen=True)
class SignatureMatch:
    """A construction in a sentence: lemma, complement, signature, and the verb's position."""

    verb: str
    complement: str
    signature: str
    position: int


@cache
def lexicon() -> dict[tuple[str, str], str]:
    """Return the 137 constructions of Ross & Pavlick 2019: (verb, complement) to signature."""
    rows = read_rows(WORDS / "signatures.tsv")
    return {
        (verb, complement): sign for sign, complement, verbs in rows for verb in verbs.split(", ")
    }


@dataclass(frozen=True)
class SignatureEntry:
    """A signature (`?` where readers differ) with its source.

    The source is published, megaveridicality, karttunen, kiparsky or own.
    """

    signature: str
    source: str

    def label(self, environment: Environment) -> str | None:
        """Return the expected label; None where readers differ."""
        sign = self.signature.split("/")[environment == "negative"]
        return LABELS.get(sign)


@cache
def extended_lexicon() -> dict[tuple[str, str], SignatureEntry]:
    """Return signatures for real sentences: the published list, further verbs, and corrections.

    Frames are "to", "that" and "NP to", where the object does it; a verb may have its particle:
    ("turn out", "to").
    """
    entries = {key: SignatureEntry(sign, "published") for key, sign in lexicon().items()}
    for sign, frame, source, verbs in read_rows(WORDS / "signatures_extended.tsv"):
        entries |= {(verb, frame): SignatureEntry(sign, source) for verb in verbs.split(", ")}
    return entries


def american_spelling(verb: str) -> str:
    """Return "realise" as "realize" where that is a listed verb; any other verb unchanged."""
    american = verb.removesuffix("ise") + "ize"
    is_listed = any(listed == american for listed, _ in extended_lexicon())
    return american if verb.endswith("ise") and is_listed else verb


@cache
def irregular_forms() -> dict[str, str]:
    """Return the irregular forms of the verbs in the lexicon, mapped to the verbs."""
    return {row[0]: row[1] for row in read_rows(WORDS / "irregular.tsv")}


def find_construction(sentence: str) -> SignatureMatch | None:
    """Find the first `to` or `that` with a known verb.

    Of the three words before it, the nearest known verb is taken ("told him that").
    """
    tokens = _tokens(sentence)
    for index, complement in enumerate(tokens):
        if complement in ("to", "that"):
            for position in range(index - 1, max(index - 4, -1), -1):
                for lemma in _lemmas(tokens[position]):
                    signature = lexicon().get((lemma, complement))
                    if signature:
                        return SignatureMatch(lemma, complement, signature, position)
    return None


def environment(sentence: str, match: SignatureMatch) -> Environment:
    """Return "negative" if one of the four words before the verb is a negation."""
    before = _tokens(sentence)[max(0, match.position - 4) : match.position]
    is_negated = any(word in NEGATIONS or word.endswith("n't") for word in before)
    return "negative" if is_negated else "positive"


def published_verb(form: str, lemma: str, complement: str) -> str:
    """Return the verb as the published list has it.

    The list has "saw that" and "see that", so "saw" is a verb of its own.
    """
    return form if (form, complement) in lexicon() else lemma


def expected_label(signature: str, environment: Environment) -> str:
    """Return the predicted label: `expected_label("-/o", "positive")` is contradiction."""
    positive, negative = signature.split("/")
    return LABELS[positive if environment == "positive" else negative]


def _tokens(sentence: str) -> list[str]:
    return [token.lower() for token in TOKEN.findall(sentence)]


def _lemmas(token: str) -> list[str]:
    """Return candidate dictionary forms, best first; the lexicon decides which is a word."""
    known = irregular_forms()
    # The token itself comes first: "saw that" and "felt that" are verb types of their own in the
    # published list.
    forms = [token, *([known[token]] if token in known else [])]
    for ending, instead in ENDINGS:
        if token.endswith(ending):
            stem = token.removesuffix(ending)
            is_doubled = len(stem) > 2 and stem[-1] == stem[-2]
            forms += [stem + instead, *([stem[:-1]] if is_doubled else [])]
    return forms
