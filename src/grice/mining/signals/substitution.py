"""Features of how well another main verb fits a sentence; those named "unfit" are signals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from grice.mining._constructions import VerbComplement, auxiliaries
from grice.mining._words import word_set
from grice.mining.parse import Sentence, Token

# A sentence that begins so gives a purpose, a reason or a contrast, which another verb would not
# fit.
OPENINGS = {"to", "though", "although", "while", "as", "since", "because", "once"}
FAMILIES = (
    "saying",
    "thinking",
    "finding",
    "showing",
    "wanting",
    "trying",
    "needing",
    "failing",
    "seeming",
    "doing",
)
# Modals of what is to come or to be done, which few facts have: "noticed that they should go".
TO_COME = {"should", "will", "shall", "could", "'ll", "’ll"}
DATED = re.compile(r"\b((19|20)\d\d|\w+day|tomorrow|tonight|(this|last|next) (week|month|year))\b")
EVENTS = ("happen", "appear", "seem", "cease")


def _family(verb: str, complement: str) -> str:
    name = f"{verb} {complement}"
    return next((family for family in FAMILIES if name in word_set(f"verbs of {family}")), "other")


def fit_features(
    sentence: Sentence, site: VerbComplement, target: str, signature: str
) -> Iterator[str]:
    """Yield how well a main verb fits: its family and that of the verb it replaces, the clause."""
    family, former = (_family(verb, site.complement) for verb in (target, site.listed_verb))
    yield f"put {target} {site.complement}"
    yield f"place {former} {family}"
    yield f"same family {former == family}"
    yield f"{family} {site.tag}"
    if target in EVENTS and _is_event(sentence, site):
        yield "unfit event"
    if family != "saying" and _is_own_doing(sentence, site):
        yield "unfit own doings"
    if site.complement == "that":
        tense = _clause_tense(sentence, site)
        yield f"{tense} {family}"
        yield f"{tense} {signature}"


def _pronoun(sentence: Sentence, verb: Token) -> str:
    """Return the pronoun that is the subject of a verb; empty if it is none."""
    subject = sentence.subject(verb.i)
    return subject.lower if subject is not None and subject.tag == "PRP" else ""


def _is_event(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect an event in the complement: "appears to open a shop on Monday"."""
    if site.head.lemma in word_set("states"):
        return False
    return site.tag == "VBN" or DATED.search(sentence.text[site.mark.start :]) is not None


def _is_own_doing(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "noticed that he had left" of himself."""
    subject, inner = _pronoun(sentence, site.verb), _pronoun(sentence, site.head)
    return site.complement == "that" and bool(inner) and subject in ("", inner)


def _clause_tense(sentence: Sentence, site: VerbComplement) -> str:
    verbs = (site.head, *auxiliaries(sentence, site.head))
    modals = {token.lower for token in verbs if token.tag == "MD"}
    if modals:
        return "to come" if modals & TO_COME else "modal"
    return "past" if any(token.tag == "VBD" for token in verbs) else "present"


def _has_own_adverb(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "urgently need to"."""
    adverbs = sentence.children(site.verb.i, "advmod")
    return any(adverb.lower not in word_set("any verb") for adverb in adverbs)


def _has_opening(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "Speaking in London, he said"."""
    clauses = (t for t in sentence.children(site.verb.i, "advcl") if t.i < site.verb.i)
    tags = {token.tag for token in (sentence[0], *clauses)}
    return sentence[0].lower in OPENINGS or bool(tags & {"VB", "VBG", "VBN", "TO"})


# What another verb hardly fits; all tests that hold are features of confidence.
SIGNALS: Mapping[str, Callable[[Sentence, VerbComplement], bool]] = {
    "adverb": _has_own_adverb,
    "opening": _has_opening,
}


def misfits(sentence: Sentence, site: VerbComplement) -> list[str]:
    """Return the signals that fire, as features."""
    return [f"unfit {name}" for name, test in SIGNALS.items() if test(sentence, site)]
