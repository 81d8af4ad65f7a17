"""Signals that the bounds of a coordination are the parser's mistake, or that it holds jointly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from grice.mining._coordinated import Coordination
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token

# Categories that are coordinated though they differ.
MIXED = {
    frozenset(("NP", "N")),
    frozenset(("Name", "NP")),
    frozenset(("Name", "N")),
    frozenset(("Adj", "PP")),
    frozenset(("Adv", "PP")),
    frozenset(("N", "Number")),
}
SUBJECTS = ("nsubj", "nsubj:pass")


def has_unlike_categories(_sentence: Sentence, site: Coordination) -> bool:
    """Detect conjuncts whose categories are not coordinated in English."""
    return len(set(site.kinds)) == 2 and frozenset(site.kinds) not in MIXED


def has_verb_behind(sentence: Sentence, site: Coordination) -> bool:
    """Detect two clauses read as two nouns: "at the break and the captain said"."""
    stop = site.right.stop
    while stop < len(sentence) and sentence[stop].pos in ("ADV", "PART"):
        stop += 1
    if site.is_clausal or stop >= len(sentence) or sentence[stop].tag not in FINITE:
        return False
    verb = sentence[stop]
    owner = verb.head if verb.dep in ("aux", "aux:pass", "cop") else verb.i
    top = site.head
    while top.dep == "conj" and top.head != top.i:
        top = sentence[top.head]
    while top.head != top.i and top.dep not in (*SUBJECTS, "csubj"):
        if top.i == owner:
            return False
        top = sentence[top.head]
    return top.head not in (owner, verb.i) and top.i != owner


def is_under_operator(sentence: Sentence, site: Coordination) -> bool:
    """Detect a negation or "only" over both: "did not say that she sang and danced"."""
    start, first = site.left.start, site.first(sentence).i
    near = sentence.tokens[max(0, min(start, first) - 3) : first]
    if site.kind != "Clause" and any(t.lower in word_set("over both") for t in near):
        return True
    if site.word == "or":
        return sentence[site.right.start].lower == "else"
    heads = [site.head, *_ancestors(sentence, site.head)]
    if any(t.lemma in word_set("downward verbs") and t.i < start for t in heads):
        return True
    return any(t.lower in word_set("denials over") for t in _above(sentence, site, heads))


def _ancestors(sentence: Sentence, token: Token) -> Iterator[Token]:
    """Yield the heads above a token up to the root."""
    while token.head != token.i:
        token = sentence[token.head]
        yield token


def _above(sentence: Sentence, site: Coordination, heads: list[Token]) -> Iterator[Token]:
    """Yield the heads, their dependents outside the conjuncts and those' determiners before it."""
    inside = {i for span in (site.left, site.right) for i in span}
    dependents = [t for head in heads for t in sentence.children(head.i) if t.i not in inside]
    determiners = [t for dependent in dependents for t in sentence.children(dependent.i, "det")]
    yield from (t for t in (*heads, *dependents, *determiners) if t.i < site.left.start)


def is_in_conditional(sentence: Sentence, site: Coordination) -> bool:
    """Detect "if", "unless", "whether", "when" or the like above the coordination."""
    if site.kind == "Clause" and site.head.dep != "advcl":
        return False
    heads = (site.head, *_ancestors(sentence, site.head))
    marks = (mark for head in heads for mark in sentence.children(head.i, "mark", "advmod"))
    words = word_set("conditionals and times")
    return any(mark.lower in words and mark.i < site.mark.i for mark in marks)


def is_under_superlative(sentence: Sentence, site: Coordination) -> bool:
    """Detect a superlative, "first" or "only": "the greatest threat to peace and trade"."""
    heads = list(_ancestors(sentence, site.head))
    modifiers = [t for head in heads for t in sentence.children(head.i, "amod", "advmod")]
    before = (t for t in (*heads, *modifiers) if t.i < site.left.start)
    return any(t.tag in ("JJS", "RBS") or t.lower in ("first", "only") for t in before)


def goes_on_without_subject(sentence: Sentence, site: Coordination) -> bool:
    """Detect a further verb whose subject is in the right clause: "and Ann rose, and then left"."""
    if site.kind != "Clause":
        return False
    later = [t for t in sentence.children(site.second.i, "conj") if t.i >= site.right.stop]
    later += [t for t in sentence.children(site.head.i, "conj") if t.i > site.second.i]
    return any(not sentence.children(t.i, "nsubj", "expl") for t in later)


def is_set_phrase(_sentence: Sentence, site: Coordination) -> bool:
    """Detect two words that are one: "arts and crafts"."""
    return f"{site.head.lower} {site.second.lower}" in word_set("set phrases")


# Name in files of readings to test.
SIGNALS: Mapping[str, Callable[[Sentence, Coordination], bool]] = {
    "unlike_categories": has_unlike_categories,
    "verb_behind": has_verb_behind,
    "under_operator": is_under_operator,
    "conditional_clause": is_in_conditional,
    "goes_on_without_subject": goes_on_without_subject,
    "set_phrase": is_set_phrase,
    "best_of": is_under_superlative,
}


def coordination_signals(sentence: Sentence, site: Coordination) -> list[str]:
    """Return the names of the signals that fire, in the order of the table."""
    return [name for name, test in SIGNALS.items() if test(sentence, site)]
