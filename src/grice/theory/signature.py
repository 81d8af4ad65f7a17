"""Veridicality signatures: what a verb with a to- or that-complement says of its complement.

A signature such as `-/o` gives the complement's polarity in a positive and in a negated sentence:
`+` it holds, `-` it does not, `o` (the letter) nothing follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

Environment = Literal["positive", "negative"]
SIGNATURES = ("+/+", "+/-", "-/+", "o/+", "o/-", "-/o", "+/o", "o/o")
LABELS = {"+": "entailment", "-": "contradiction", "o": "neutral"}

# Ross & Pavlick 2019, Table 2, with the five constructions its text leaves out.
LEXICON = {
    "+/+": "that: realize know remember find notice reveal acknowledge admit learn observe see note recognize understand discover",
    "+/-": "to: manage begin serve start dare use get come learn",
    "-/+": "to: forget fail",
    "o/+": "that: suspect explain predict warn add; to: mean",
    "o/-": "to: attempt",
    "-/o": "to: refuse decline remain",
    "+/o": "that: show confirm demonstrate ensure determine; to: help tend have",
    "o/o": (
        "to: try hope like continue love intend plan promise prove decide aim cease strive proceed choose seem seek appear want "
        "agree struggle propose wish say turn work move claim expect happen prefer need deserve threaten exist prepare wait pretend "
        "ask return; that: hope mention expect agree reply conclude say complain speculate state suggest worry mean insist imply "
        "indicate saw seem tell think felt write assume believe assert concern estimate convince decide appear argue prove provide "
        "comment contend doubt feel fear announce claim hear wish advise report propose hold declare give be request demand "
        "recommend require"
    ),
}  # fmt: skip

IRREGULAR = {
    "knew": "know", "known": "know", "found": "find", "saw": "see", "seen": "see", "understood": "understand",
    "forgot": "forget", "forgotten": "forget", "meant": "mean", "thought": "think", "felt": "feel", "said": "say",
    "told": "tell", "wrote": "write", "written": "write", "held": "hold", "came": "come", "began": "begin",
    "begun": "begin", "got": "get", "gotten": "get", "sought": "seek", "strove": "strive", "striven": "strive",
    "chose": "choose", "chosen": "choose", "gave": "give", "given": "give", "heard": "hear", "shown": "show",
    "had": "have", "has": "have", "is": "be", "was": "be", "were": "be", "are": "be", "proven": "prove", "learnt": "learn",
}  # fmt: skip
NEGATIONS = {"not", "never", "cannot", "no"}
TOKEN = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|n't")


@dataclass(frozen=True)
class Found:
    """A construction in a sentence: the verb's lemma, its complement, its signature, and the token it stands at."""

    verb: str
    complement: str
    signature: str
    position: int


@cache
def lexicon() -> dict[tuple[str, str], str]:
    """(verb, complement) to signature."""
    table = {}
    for signature, text in LEXICON.items():
        for clause in text.split(";"):
            complement, _, verbs = clause.strip().partition(":")
            table.update({(verb, complement): signature for verb in verbs.split()})
    return table


def find(sentence: str) -> Found | None:
    """The first `to` or `that` with its verb: the nearest known one among the three words before ("told him that")."""
    tokens = _tokens(sentence)
    for place, complement in enumerate(tokens):
        if complement in ("to", "that"):
            for position in range(place - 1, max(place - 4, -1), -1):
                for lemma in _lemmas(tokens[position]):
                    signature = lexicon().get((lemma, complement))
                    if signature:
                        return Found(lemma, complement, signature, position)
    return None


def environment(sentence: str, found: Found) -> Environment:
    """Negative if a negation stands among the four words before the verb."""
    before = _tokens(sentence)[max(0, found.position - 4) : found.position]
    return "negative" if any(word in NEGATIONS or word.endswith("n't") for word in before) else "positive"


def expected(signature: str, environment: Environment) -> str:
    """The label a signature predicts: `expected("-/o", "positive")` is contradiction."""
    positive, negative = signature.split("/")
    return LABELS[positive if environment == "positive" else negative]


def _tokens(sentence: str) -> list[str]:
    return [token.lower() for token in TOKEN.findall(sentence)]


def _lemmas(token: str) -> list[str]:
    """Candidate dictionary forms, best first; the lexicon decides which is a word."""
    forms = [IRREGULAR[token]] if token in IRREGULAR else []
    forms.append(token)
    for ending, instead in (
        ("ies", "y"),
        ("ied", "y"),
        ("es", ""),
        ("s", ""),
        ("ed", ""),
        ("d", ""),
        ("ing", ""),
        ("ing", "e"),
    ):
        if token.endswith(ending):
            stem = token.removesuffix(ending)
            forms += [stem + instead] + ([stem[:-1]] if len(stem) > 2 and stem[-1:] == stem[-2:-1] else [])
    return forms
