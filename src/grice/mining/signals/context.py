"""Signals that a sentence does not fit its complement alone, or the negation of its verb."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from grice.mining._constructions import VerbComplement, auxiliaries
from grice.mining._english import inflect
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token
from grice.theory.signature import Environment

QUOTES = ('"', "“", "”", "'", "‘", "’", "``", "''")
# The sentence then says whether it is so: "and I finally did", "and I agree", "but this was".
SETTLED = re.compile(
    r"\b(and|but) \w+ (\w+ )?(did|does|didn't|doesn't|agree)\W*$|, but this (was|is) "
)
# What does not follow a negated verb: "… and we can", "… and that is why".
GOES_WITH = re.compile(
    r"\b(and|but) (\w+ )?\w+ (can|will|must|do|did|have)\W*$|\band that('s| is)\b"
)
FUTURE = {"will", "'ll", "’ll"}
# Who did not admit it may deny it or not know it.
OPTIONALLY_FACTIVE = {"admit", "acknowledge", "confess", "concede"}
UNSURE = {"may", "might", "could", "should", "must", "ought", "shall"}

ComplementTest = Callable[[Sentence, VerbComplement], bool]


def top_of(site: VerbComplement) -> int:
    """Return the index of the complement's predicate, on which its copula or auxiliary depends."""
    return site.top.i if site.top is not None else site.head.i


def _subject(sentence: Sentence, site: VerbComplement) -> list[int]:
    """Return the tokens of a subject before the verb."""
    subject = sentence.subject(site.verb.i)
    is_before = subject is not None and subject.i < site.verb.i
    return sentence.subtree(subject.i) if subject is not None and is_before else []


def _inside(sentence: Sentence, site: VerbComplement) -> tuple[Token, ...]:
    return sentence.tokens[site.mark.i + 1 :]


def has_adverb(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect how it is done: who often fails to do it does it at times; "desperately trying to"."""
    adverbs = sentence.children(site.verb.i, "advmod")
    before = (t for t in adverbs if t.i < site.verb.i)
    has_manner = site.complement == "to" and any(t.lower.endswith("ly") for t in before)
    return has_manner or any(t.lower in word_set("frequencies") for t in adverbs)


def shares_subject(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect a further verb without a subject, or half of one: "found that it rained and left"."""
    further = (t for t in _inside(sentence, site) if _is_further_verb(sentence, site, t))
    if any(_is_incomplete(sentence, site, token) for token in further):
        return True
    # What the parser attaches elsewhere: "and rates it first", "or grab a seat".
    behind = sentence.tokens[site.head.i + 1 :]
    for first, second, third in zip(behind, behind[1:], behind[2:], strict=False):
        verb = second if second.tag != "RB" else third
        owner = sentence[sentence[verb.head].head if verb.dep in ("aux", "cop") else verb.head]
        is_joined = first.lower in ("and", "or", "but") and verb.tag in FINITE
        if is_joined and owner.dep not in ("acl:relcl", "advcl"):
            return True
    return False


def _is_further_verb(sentence: Sentence, site: VerbComplement, token: Token) -> bool:
    """Return whether a verb is conjoined with the main verb or the complement's."""
    is_clausal = token.verbal or bool(sentence.children(token.i, "cop", "mark"))
    heads = (site.head.i, site.verb.i, top_of(site))
    return token.dep == "conj" and is_clausal and token.head in heads


def _is_incomplete(sentence: Sentence, site: VerbComplement, token: Token) -> bool:
    """Return whether a further verb lacks a subject or an auxiliary, or has its own "that"."""
    subjects = sentence.children(token.i, "nsubj", "expl")
    past, participle = (inflect(token.lemma, tag) for tag in ("VBD", "VBN"))
    is_ambiguous = past == participle and token.tag in ("VBD", "VBN")
    has_noun = site.complement == "that" and any(t.tag != "PRP" for t in subjects)
    is_participle = token.tag in ("VBN", "VBG") or (is_ambiguous and has_noun)
    if is_participle and not sentence.children(token.i, "aux", "cop"):
        return True
    is_finite = site.complement == "that" or token.tag in FINITE
    if not subjects and (token.head == site.verb.i or is_finite):
        return True
    return any(mark.lower in ("that", "to") for mark in sentence.children(token.i, "mark"))


def is_settled(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect what is done by saying it ("I have to admit that"), or settled: "and I did"."""
    return _is_performed(sentence, site) or SETTLED.search(sentence.text) is not None


def _is_performed(sentence: Sentence, site: VerbComplement) -> bool:
    """Return whether the speaker does it by saying so: "I will say that it rains"."""
    verb = site.head.lemma if site.complement == "to" else site.lemma
    if verb not in word_set("performatives"):
        return False
    if site.lemma in ("wish", "want") and site.tag in ("VBP", "VBZ"):
        return True
    subject = sentence.subject(site.verb.i)
    helpers = {token.lower for token in auxiliaries(sentence, site.verb)}
    is_now = site.tag == "VBP" or bool(helpers & (FUTURE | {"must", "can"}))
    return subject is not None and subject.lower in ("i", "we") and is_now


def has_words_between(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect words between the verb and "to" other than adverbs and who does it."""
    owned = set(sentence.subtree(site.doer.i)) if site.doer is not None else set()
    between = sentence.tokens[site.verb.i + 1 : site.mark.i]
    foreign = (t for t in between if t.i not in owned and t.tag not in ("RB", "RP"))
    return site.complement == "to" and (any(foreign) or any(t.text == "," for t in between))


# Why it is unclear where the complement ends, or which verb its words belong to. The first test
# that holds is the reason.
UNCLEAR: Mapping[str, ComplementTest] = {
    "an adverb of the verb": has_adverb,
    "a verb of two clauses": shares_subject,
    "what is said is done": is_settled,
    "words between": has_words_between,
}


def unclear_extent(sentence: Sentence, site: VerbComplement) -> str:
    """Return why the extent of the complement is unclear; empty if it is clear."""
    return next((reason for reason, test in UNCLEAR.items() if test(sentence, site)), "")


def has_clashing_clause(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect a further clause of the verb, or of an infinitive."""
    verbs = (site.verb.i, site.head.i, top_of(site)) if site.complement == "to" else (site.verb.i,)
    further = [t for verb in verbs for t in sentence.children(verb, "parataxis", "advcl")]
    further += sentence.children(site.verb.i, "conj")
    return any(token.i > site.head.i for token in further)


def is_opaque(
    sentence: Sentence, site: VerbComplement, label: str, environment: Environment
) -> bool:
    """Return whether a modal, the speaker or an adverb cancels what the verb entails.

    "might show that" shows nothing, "might not manage to win" leaves "might win" open, and "I do
    not know that" leaves open what others know.
    """
    if label != "neutral" and _is_dream(sentence):
        return True
    if environment == "negative" and _takes_no_negation(sentence, site, label):
        return True
    modals = {t.lower for t in auxiliaries(sentence, site.verb) if t.tag == "MD"}
    if site.complement == "to":
        return _is_cancelled_infinitive(site, label, modals)
    if label == "entailment" and _is_hearsay(sentence, site, environment):
        return True
    return bool(modals) and label != "neutral" and not site.signature.startswith("+/+")


def _is_dream(sentence: Sentence) -> bool:
    return any(token.lower in ("dream", "dreams", "nightmare") for token in sentence.tokens)


def _is_cancelled_infinitive(site: VerbComplement, label: str, modals: set[str]) -> bool:
    """Return whether a modal cancels it: who may have to leave may leave."""
    is_unsure = label == "contradiction" and bool(modals & UNSURE)
    # What would force them to leave has forced no one.
    is_caused = site.doer is not None and label == "entailment" and bool(modals - FUTURE)
    return is_unsure or is_caused or (site.name == "have to" and bool(modals & {"may", "might"}))


def _is_hearsay(sentence: Sentence, site: VerbComplement, environment: Environment) -> bool:
    """Return whether the speaker denies to know it, or quotes it: who notes that "it is late"."""
    subject = sentence.subject(site.verb.i)
    subjects = [subject, *sentence.children(subject.i, "conj")] if subject is not None else []
    is_speaker = bool({t.lower for t in subjects} & {"i", "we"}) and site.tag in ("VBP", "VB")
    is_denied = environment == "negative" or site.lemma == "understand"
    return (is_speaker and is_denied) or sentence[site.mark.i + 1].text in QUOTES


def _takes_no_negation(sentence: Sentence, site: VerbComplement, label: str) -> bool:
    """Return whether the verb has what its negation has not: "already", "some managed to"."""
    before = [t for t in sentence.children(site.verb.i) if t.i < site.verb.i]
    clauses = (t for t in before if t.dep == "advcl")
    aims = (mark for clause in clauses for mark in sentence.children(clause.i, "mark"))
    words = {sentence[i].lower for i in _subject(sentence, site)[:2]}
    has_quantity = label == "contradiction" and bool(words & word_set("quantities"))
    return (
        has_quantity
        # Not to wait is to act.
        or site.lemma == "wait"
        or site.lemma in OPTIONALLY_FACTIVE
        or GOES_WITH.search(sentence.text[site.mark.start :]) is not None
        or any(t.lower in word_set("of what is so") for t in before)
        or any(mark.lower == "to" for mark in aims)
    )
