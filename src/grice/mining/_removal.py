"""Write a sentence without one of its conjuncts; agreement, articles and commas follow."""

from __future__ import annotations

import re

from grice.mining._coordinated import Coordination
from grice.mining._english import agree, end_sentence, is_plural, write
from grice.mining.parse import Sentence, Token

PLURALS = {"their", "they", "them", "themselves", "both", "each"}
FIRST_PLURALS = {"we", "our", "us"}
ORDINAL = re.compile(r"\d+(st|nd|rd|th)|first|second|third|.*th")


def remove_conjunct(sentence: Sentence, site: Coordination, side: str) -> str | None:
    """Return the sentence without a conjunct: "A, B and C" gives "A and B" or "A and C".

    None if more than the verb would have to change, or if fewer than two words remain.
    """
    drop = _shared_marks(sentence, site) | (
        _dropped_right(sentence, site) if side == "right" else _dropped_left(sentence, site)
    )
    swap: dict[int, str] = {}
    before: dict[int, str] = {}
    if site.before:
        if side == "right":
            before[site.left.start] = site.word
    else:
        if side == "left" and all(i in drop for i in range(site.left.start)):
            first = sentence[site.right.start]
            swap[first.i] = first.text[:1].upper() + first.text[1:]
        agreement = _agreement(sentence, site, site.left if side == "right" else site.right)
        if agreement is None:
            return None
        swap |= agreement | _singular_noun(sentence, site)
    text = write(sentence, drop=drop, swap=swap, before=before)
    text = re.sub(r"\s*(-+|–|—)\s*(?=[.!?]$)|(?<=\w\.)\.$", "", text)
    remaining = (token for token in sentence.tokens if token.i not in drop)
    n_words = sum(not token.punctuation for token in remaining)
    return end_sentence(text, _final_mark(sentence)) if n_words >= 2 else None


def _shared_marks(sentence: Sentence, site: Coordination) -> set[int]:
    """Return "both" or the like, and the commas that belong to either conjunct."""
    marks = {i for i in (site.partner, site.pause) if i is not None}
    if site.partner and sentence[site.partner - 1].text == "," and site.kind in ("PP", "Adv"):
        # "challenges, both at home and abroad"
        marks.add(site.partner - 1)
    if site.before:
        marks.add(site.left.start - 1)
    return marks


def _dropped_right(sentence: Sentence, site: Coordination) -> set[int]:
    """Return the conjunction, the right conjunct, and the comma that closes an aside.

    "the fourth bendahara, or prime minister, was"
    """
    return {site.mark.i, *site.right, *_aside_comma(sentence, site)}


def _aside_comma(sentence: Sentence, site: Coordination) -> set[int]:
    stop = site.right.stop
    is_aside = site.pause is not None and not site.before and not site.is_clausal
    has_comma = stop < len(sentence) - 1 and sentence[stop].text == ","
    return {stop} if is_aside and has_comma else set()


def _dropped_left(sentence: Sentence, site: Coordination) -> set[int]:
    """Return the left conjunct and, outside lists, the conjunction; "not A but B" says B."""
    dropped = {*site.left, *(() if site.before else (site.mark.i,))}
    if site.word == "or":
        dropped |= _aside_comma(sentence, site)
    i = site.left.start - 1
    if site.word == "but" and i >= 0 and sentence[i].lower == "not":
        dropped.add(i)
    return dropped


def _singular_noun(sentence: Sentence, site: Coordination) -> dict[int, str]:
    """Make the noun singular in "The third and fifth games", which are one game each."""
    noun = sentence[site.head.head]
    is_subject = noun.dep.startswith("nsubj")
    if site.head.dep != "amod" or noun.tag != "NNS" or is_subject:
        return {}
    are_ordinals = all(ORDINAL.fullmatch(token.lower) for token in (site.head, site.second))
    return {noun.i: noun.lemma} if are_ordinals else {}


def _final_mark(sentence: Sentence) -> str:
    last = sentence.text.rstrip("\"”'’) ")[-1:]
    return last if last in ".!?" else ""


def _agreement(sentence: Sentence, site: Coordination, remaining: range) -> dict[int, str] | None:
    """Return verb forms for a subject that becomes singular; None if more would have to change."""
    head = site.head
    if site.word != "and" or head.dep not in ("nsubj", "nsubj:pass") or head.i not in site.left:
        return {}
    subject = head if head.i in remaining else site.second
    if _is_plural_conjunct(sentence, subject, head):
        return {}
    predicate = sentence[head.head]
    if _needs_plural(sentence, site, predicate):
        return None
    conjuncts = sentence.children(predicate.i, "conj")
    verbs = [predicate, *(t for t in conjuncts if not sentence.children(t.i, "nsubj"))]
    forms: dict[int, str] = {}
    for verb in verbs:
        finite = _agreeing_verb(sentence, verb)
        if finite is not None:
            form = agree(finite.lemma, finite.tag, many=False, first=subject.lower == "i")
            if form != finite.lower:
                forms[finite.i] = form
    return forms


def _is_plural_conjunct(sentence: Sentence, subject: Token, head: Token) -> bool:
    """Return whether a conjunct is plural alone; the head still has the others below it."""
    return subject.tag in ("NNS", "NNPS") if subject.i == head.i else is_plural(sentence, subject)


def _needs_plural(sentence: Sentence, site: Coordination, predicate: Token) -> bool:
    """Return whether the rest speaks of several: "are friends", "are seen as friends", "they"."""
    complements = sentence.children(predicate.i, "xcomp", "obl")
    nouns = [predicate, *(t for t in complements if t.dep != "obl" or _is_role(sentence, t))]
    if any(token.tag in ("NNS", "NNPS") for token in nouns):
        return True
    has_speaker = "i" in (site.head.lower, site.second.lower)
    plurals = PLURALS | (FIRST_PLURALS if has_speaker else set())
    return bool(plurals & {token.lower for token in sentence.tokens})


def _is_role(sentence: Sentence, token: Token) -> bool:
    return any(child.lower == "as" for child in sentence.children(token.i))


def _agreeing_verb(sentence: Sentence, verb: Token) -> Token | None:
    """Return the verb that agrees with the subject, if its form depends on it."""
    first = next((token for token in sentence.verbs(verb.i) if token.verbal), None)
    if first is None:
        return None
    agrees = first.tag == "VBP" or (first.tag == "VBD" and first.lemma == "be")
    return first if agrees else None
