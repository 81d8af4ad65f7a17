"""Words put in the place of a conjunct's: numbers plus one, antonyms, co-hyponyms, names by other names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grice.mining._coordinated import Coordination
from grice.mining._words import antonyms, class_members, numbers, word_classes, word_set
from grice.mining.parse import Sentence, Token
from grice.mining.sampling import draw
from grice.theory.conjuncts import Relation


@dataclass(frozen=True)
class Replacement:
    """A word put in the place of another: how it was found, what it is to the old one, and whether both can hold."""

    token: Token
    word: str
    detail: str
    relation: Relation
    exclusive: bool = False


def replacements(sentence: Sentence, where: Coordination, *, seed: int = 0) -> Iterator[Replacement]:
    """At most one word of each conjunct, counts first, then names and words of a class, then opposites.

    A word of a class goes only where it is the conjunct's head: elsewhere what follows depends on the rest of the sentence.
    """
    for span in (where.left, where.right):
        tokens = [sentence[i] for i in span]
        heads = [t for t in tokens if t.i in (where.head.i, where.second.i) and where.kinds[1] in ("N", "NP", "Name")]
        own = [t for t in tokens if t.head in (where.head.i, where.second.i) and heads]
        heads = heads if not where.before and where.head.dep in ("obj", "nsubj", "obl", "root") else []
        made = (
            *(_count(sentence, token) for token in own),
            *(_member(sentence, token, seed) for token in heads),
            *(_opposite(sentence, token) for token in tokens),
        )
        found = next(filter(None, made), None)
        if found:
            yield found


def _count(sentence: Sentence, token: Token) -> Replacement | None:
    """One more, where a number counts a noun: not a year, an age, an address, nor one of two bounds."""
    if token.pos != "NUM" or token.dep != "nummod" or sentence[token.head].tag not in ("NNS", "NN"):
        return None
    before = sentence[token.i - 1].lower if token.i else ""
    after = sentence[token.i + 1] if token.i + 1 < len(sentence) else token
    if after.i != token.head and after.dep not in ("amod", "compound"):
        return None
    if (
        sentence[token.head].text[:1].isupper()
        or before in word_set("bounds") | word_set("determiners")
        or sentence[token.head].lemma in word_set("units")
        or after.punctuation
        or sentence[token.head].tag != "NNS"
    ):
        return None
    present = {t.lower for t in sentence.tokens}
    if re.fullmatch(r"[1-9]\d?", token.text):
        word = str(int(token.text) + 1)
    elif token.lower in numbers()[1:-1]:
        word = numbers()[numbers().index(token.lower) + 1]
        word = word.capitalize() if token.text[0].isupper() else word
    else:
        return None
    return None if word.lower() in present else Replacement(token, word, "number", "count", exclusive=True)


def _member(sentence: Sentence, token: Token, seed: int) -> Replacement | None:
    """Another of the class the word belongs to, chosen by the sentence, so that the same sentence gives the same word."""
    lower = token.text if token.pos == "PROPN" else token.lower
    name = word_classes().get(lower, "")
    if (
        name in ("", "direction", "month", "weekday", "season")
        or _part_of_name(sentence, token)
        or token.dep in ("compound", "flat", "amod")
    ):
        return None
    if any(t.dep in ("flat", "compound") for t in sentence.children(token.i)):
        return None
    present = {t.lower for t in sentence.tokens}
    others = [word for word in class_members()[name] if word.lower() not in present]
    if not others:
        return None
    word = others[int.from_bytes(draw(f"{seed}/{sentence.text}/{token.start}"), "big") % len(others)]
    return Replacement(token, word, "name" if name.startswith("name ") else "co-hyponym", "other")


def _part_of_name(sentence: Sentence, token: Token) -> bool:
    """A city inside "Chicago Tribune" is not a city, and a first name beside a surname may be the surname itself."""
    if token.pos != "PROPN":
        return token.text[:1].isupper() and token.i > 0
    around = [t for t in sentence.tokens if abs(t.i - token.i) == 1 and t.pos == "PROPN"]
    return any(not sentence.text[min(t.end, token.end) : max(t.start, token.start)].strip() for t in around)


def _opposite(sentence: Sentence, token: Token) -> Replacement | None:
    """The opposite of an adjective that is said of a subject: there old and new rule each other out."""
    top = sentence[token.head] if token.dep == "conj" else token
    subject = sentence.subject(top.i)
    if top.head != top.i or subject is None or not _is_definite(sentence, subject):
        return None
    said = any(t.dep == "cop" for t in sentence.children(top.i)) and top.pos == "ADJ"
    if token.pos != "ADJ" or not token.text.islower() or not said or token.tag != "JJ":
        return None
    if any(t.dep not in ("cop", "nsubj", "conj", "cc", "punct") for t in sentence.children(token.i)):
        # "four months old", "too heavy to be sorted"
        return None
    word = antonyms().get((token.lower, token.pos))
    present = {t.lower for t in sentence.tokens}
    return Replacement(token, word, "antonym", "opposite", exclusive=True) if word and word not in present else None


def _is_definite(sentence: Sentence, subject: Token) -> bool:
    """Whether a subject is one thing that both sentences speak of."""
    known = {t.lower for t in sentence.children(subject.i, "det")} & {"the", "this", "that", "these", "those"}
    return bool(known) or subject.pos in ("PROPN", "PRON") or bool(sentence.children(subject.i, "nmod:poss"))
