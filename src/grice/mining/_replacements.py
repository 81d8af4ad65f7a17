"""Replace words of a conjunct: numbers plus one, antonyms, co-hyponyms, names by other names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from grice.mining._coordinated import NOUN_KINDS, Coordination
from grice.mining._words import antonyms, class_members, numbers, word_classes, word_set
from grice.mining.parse import Sentence, Token
from grice.mining.sampling import draw
from grice.theory.conjuncts import Relation

NOUN_PLACES = ("obj", "nsubj", "nsubj:pass", "obl", "root")
# Classes whose members are often parts of dates, names and directions.
FIXED_CLASSES = ("direction", "month", "weekday", "season")


@dataclass(frozen=True)
class Replacement:
    """A word in the place of another.

    Attributes:
        detail: How it was chosen.
        relation: What it is to the old word.
        exclusive: Both cannot hold.
        others: What further tokens become; empty if they go.
    """

    token: Token
    word: str
    detail: str
    relation: Relation
    exclusive: bool = False
    others: Mapping[int, str] = field(default_factory=dict)

    @property
    def swap(self) -> Mapping[int, str]:
        """Return the new text of each token that changes."""
        return {self.token.i: self.word, **self.others}


def replacements(sentence: Sentence, site: Coordination, *, seed: int = 0) -> Iterator[Replacement]:
    """Yield at most one word of each conjunct: a count, else a name or class member, an opposite.

    A member of a class replaces only the conjunct's head: elsewhere what follows depends on the
    rest of the sentence. "A or B" says nothing of "A or C" wherever it stands; "and" may list all
    there are.
    """
    heads = (site.head.i, site.second.i)
    is_noun = site.kind in NOUN_KINDS
    is_plain = not site.before and site.head.dep in NOUN_PLACES
    is_open = site.word == "or"
    fixed = () if is_open else FIXED_CLASSES
    can_replace_head = is_open or (is_noun and is_plain)
    for span in (site.left, site.right):
        tokens = [sentence[i] for i in span]
        words = [token for token in tokens if token.i in heads]
        dependents = [token for token in tokens if token.head in heads and is_noun]
        candidates = (
            *(_count_plus_one(sentence, token) for token in dependents),
            *(_other_member(sentence, token, fixed, seed) for token in words if can_replace_head),
            *(_opposite(sentence, token) for token in tokens if not is_open),
        )
        replacement = next(filter(None, candidates), None)
        if replacement:
            yield replacement


def _count_plus_one(sentence: Sentence, token: Token) -> Replacement | None:
    """Return one more than a count: not than a year, an age, an address, nor one of two bounds."""
    if not _is_count(sentence, token):
        return None
    is_small = token.lower in numbers()[1:] or re.fullmatch(r"[1-9]\d?", token.text)
    word = next_number(token.text) if is_small else ""
    if not word or _occurs(sentence, word):
        return None
    return Replacement(token, word, "number", "count", exclusive=True)


def next_number(text: str) -> str:
    """Return the number after one in digits or words, in the same form; empty if it is neither."""
    if re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+|[1-9]\d*", text):
        number = int(text.replace(",", "")) + 1
        return f"{number:,}" if "," in text else str(number)
    if text.lower() not in numbers()[:-1]:
        return ""
    word = numbers()[numbers().index(text.lower()) + 1]
    return word.capitalize() if text[0].isupper() else word


def _is_count(sentence: Sentence, token: Token) -> bool:
    """Return whether a number counts a noun."""
    noun = sentence[token.head]
    if token.pos != "NUM" or token.dep != "nummod" or noun.tag != "NNS":
        return False
    after = sentence[token.i + 1] if token.i + 1 < len(sentence) else token
    if after.i != token.head and after.dep not in ("amod", "compound"):
        return False
    before = sentence[token.i - 1].lower if token.i else ""
    is_bound = before in word_set("bounds") | word_set("determiners")
    is_measure = noun.lemma in word_set("units")
    return not (noun.text[:1].isupper() or is_bound or is_measure or after.punctuation)


def _occurs(sentence: Sentence, word: str) -> bool:
    return any(token.lower == word.lower() for token in sentence.tokens)


def _other_member(
    sentence: Sentence, token: Token, fixed: Collection[str], seed: int
) -> Replacement | None:
    """Return another member of the word's class, drawn by the sentence, so always the same one.

    Args:
        fixed: Classes whose members stay.
    """
    word = token.text if token.pos == "PROPN" else token.lower
    name = word_classes().get(word, "")
    is_fixed = name in ("", *fixed) or token.verbal or token.dep == "flat"
    if is_fixed or _is_part_of_name(sentence, token):
        return None
    if any(child.dep in ("flat", "compound") for child in sentence.children(token.i)):
        return None
    present = {t.lower for t in sentence.tokens}
    members = [member for member in class_members()[name] if member.lower() not in present]
    if not members:
        return None
    number = int.from_bytes(draw(f"{seed}/{sentence.text}/{token.start}"), "big")
    detail = "name" if name.startswith("name ") else "co-hyponym"
    return Replacement(token, members[number % len(members)], detail, "other")


def _is_part_of_name(sentence: Sentence, token: Token) -> bool:
    """Return whether it is in a longer name: a city in "Chicago Tribune" is no city."""
    if token.pos != "PROPN":
        return token.text[:1].isupper() and token.i > 0
    neighbours = [t for t in sentence.tokens if abs(t.i - token.i) == 1 and t.pos == "PROPN"]
    return any(_touch(sentence, token, neighbour) for neighbour in neighbours)


def _touch(sentence: Sentence, first: Token, second: Token) -> bool:
    """Return whether nothing but white space is between two words."""
    start, end = min(first.end, second.end), max(first.start, second.start)
    return not sentence.text[start:end].strip()


def _opposite(sentence: Sentence, token: Token) -> Replacement | None:
    """Return the opposite of an adjective that is predicated: old and new exclude each other."""
    top = sentence[token.head] if token.dep == "conj" else token
    subject = sentence.subject(top.i)
    if top.head != top.i or subject is None or not is_definite(sentence, subject):
        return None
    is_adjective = token.pos == "ADJ" and token.tag == "JJ" and token.text.islower()
    if not is_adjective or top.pos != "ADJ" or not _has_child(sentence, top, "cop"):
        return None
    plain = ("cop", "nsubj", "conj", "cc", "punct")
    if any(child.dep not in plain for child in sentence.children(token.i)):
        # "four months old", "too heavy to be sorted"
        return None
    word = antonyms().get((token.lower, token.pos))
    if not word or word in {t.lower for t in sentence.tokens}:
        return None
    return Replacement(token, word, "antonym", "opposite", exclusive=True)


def _has_child(sentence: Sentence, token: Token, dep: str) -> bool:
    return any(child.dep == dep for child in sentence.children(token.i))


def is_definite(sentence: Sentence, subject: Token) -> bool:
    """Return whether a subject is one thing that both sentences refer to."""
    determiners = {token.lower for token in sentence.children(subject.i, "det")}
    is_definite = bool(determiners & {"the", "this", "that", "these", "those"})
    is_owned = bool(sentence.children(subject.i, "nmod:poss"))
    return is_definite or subject.pos in ("PROPN", "PRON") or is_owned
