"""Sentences with conjuncts, and the pairs made of them; the conjunction phenomena share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import NamedTuple, Protocol

from grice.generate import grammar
from grice.generate._random import Rng
from grice.generate.grammar import Subject, Verb, VerbPhrase
from grice.generate.lexicon import table
from grice.generate.phenomenon import Row
from grice.theory.conjunction import CONJUNCTIONS

E, N, C = "entailment", "neutral", "contradiction"
TAGS = (
    "kind", "phenomenon", "usage", "boolean", "connective", "conjunction", "category", "operation", "multiple", "quantifier",
    "negation",
)  # fmt: skip


def tags(
    connectives: Sequence[str],
    operation: str = "",
    *,
    usage: str = "boolean",
    category: str = "",
    negation: bool = False,
    quantifier: bool = False,
    multiple: bool = False,
) -> dict[str, str | tuple[str, ...]]:
    """Everything ConjNLI breaks its results down by; what does not apply is left out."""
    found: dict[str, str | tuple[str, ...]] = {
        "usage": usage,
        "boolean": _yes(usage == "boolean"),
        "connective": tuple(connectives),
        "conjunction": tuple(dict.fromkeys(CONJUNCTIONS[word] for word in connectives)),
        "multiple": _yes(multiple),
        "quantifier": _yes(quantifier),
        "negation": _yes(negation),
    }
    if category:
        found["category"] = category
    return {**found, "operation": operation} if operation else found


def _yes(true: bool) -> str:
    return "yes" if true else "no"


class Frame(Protocol):
    """A sentence with room for conjuncts 0, 1 and 2; each way of filling it is a method."""

    @property
    def category(self) -> str: ...
    def plain(self, one: int) -> str: ...
    def denied(self, one: int) -> str: ...
    def joined(self, word: str, one: int, two: int) -> str: ...
    def neither(self, one: int, two: int) -> str: ...
    def but(self, one: int, two: int) -> str: ...
    def not_either(self, one: int, two: int) -> str: ...


@dataclass(frozen=True)
class Tail:
    """Conjuncts at the end: objects, places, adjectives. "Ana didn't buy" + "the milk" or "the bread"."""

    category: str
    head: str
    negated: str
    conjuncts: tuple[str, str, str]

    def plain(self, one: int) -> str:
        return grammar.sentence(self.head, self.conjuncts[one])

    def denied(self, one: int) -> str:
        return grammar.sentence(self.negated, self.conjuncts[one])

    def joined(self, word: str, one: int, two: int) -> str:
        return grammar.sentence(self.head, self.conjuncts[one], word, self.conjuncts[two])

    def neither(self, one: int, two: int) -> str:
        return grammar.sentence(self.head, "neither", self.conjuncts[one], "nor", self.conjuncts[two])

    def but(self, one: int, two: int) -> str:
        return grammar.sentence(self.head, self.conjuncts[one], "but not", self.conjuncts[two])

    def not_either(self, one: int, two: int) -> str:
        return grammar.sentence(self.negated, self.conjuncts[one], "or", self.conjuncts[two])


@dataclass(frozen=True)
class Verbs:
    """Conjuncts are verb phrases: "Ana baked the bread but didn't sweep the patio."."""

    subject: str
    phrases: tuple[VerbPhrase, VerbPhrase, VerbPhrase]
    category: str = "VP"

    def plain(self, one: int) -> str:
        return grammar.sentence(self.subject, self.phrases[one].past)

    def denied(self, one: int) -> str:
        return grammar.sentence(self.subject, "didn't", self.phrases[one].base)

    def joined(self, word: str, one: int, two: int) -> str:
        return grammar.sentence(self.subject, self.phrases[one].past, word, self.phrases[two].past)

    def neither(self, one: int, two: int) -> str:
        return grammar.sentence(
            self.subject, "neither", self.phrases[one].past, "nor", self.phrases[two].past
        )

    def but(self, one: int, two: int) -> str:
        return grammar.sentence(self.subject, self.phrases[one].past, "but didn't", self.phrases[two].base)

    def not_either(self, one: int, two: int) -> str:
        return grammar.sentence(self.subject, "didn't", self.phrases[one].base, "or", self.phrases[two].base)


@dataclass(frozen=True)
class Subjects:
    """Conjuncts are people, of something each does alone: "Ana, but not Ben, yawned."."""

    people: tuple[Subject, Subject, Subject]
    phrase: VerbPhrase
    category: str = "NP"

    def plain(self, one: int) -> str:
        return grammar.sentence(self.people[one].text, self.phrase.past)

    def denied(self, one: int) -> str:
        return grammar.sentence(self.people[one].text, "didn't", self.phrase.base)

    def joined(self, word: str, one: int, two: int) -> str:
        return grammar.sentence(self.people[one].text, word, self.people[two].text, self.phrase.past)

    def neither(self, one: int, two: int) -> str:
        who = self.people[one].text, "nor", self.people[two].text
        return grammar.sentence("neither", *who, self.phrase.past)

    def but(self, one: int, two: int) -> str:
        who = f"{self.people[one].text}, but not {self.people[two].text},"
        return grammar.sentence(who, self.phrase.past)

    def not_either(self, one: int, two: int) -> str:
        return self.neither(one, two)


@dataclass(frozen=True)
class Clauses:
    """Conjuncts are whole sentences: "Ana yawned, but Ben danced."."""

    subjects: tuple[Subject, Subject, Subject]
    phrases: tuple[VerbPhrase, VerbPhrase, VerbPhrase]
    category: str = "clause"

    def _clause(self, one: int) -> str:
        return f"{self.subjects[one].text} {self.phrases[one].past}"

    def _denial(self, one: int) -> str:
        return f"{self.subjects[one].text} didn't {self.phrases[one].base}"

    def plain(self, one: int) -> str:
        return grammar.sentence(self._clause(one))

    def denied(self, one: int) -> str:
        return grammar.sentence(self._denial(one))

    def joined(self, word: str, one: int, two: int) -> str:
        opening = "either" if word == "or" else ""
        return grammar.sentence(opening, self._clause(one), word, self._clause(two))

    def neither(self, one: int, two: int) -> str:
        return grammar.sentence(self._denial(one), "and", self._denial(two))

    def but(self, one: int, two: int) -> str:
        return grammar.sentence(self._clause(one) + ", but", self._clause(two))

    def not_either(self, one: int, two: int) -> str:
        return self.neither(one, two)


class Pair(NamedTuple):
    """A premise, a hypothesis (each as method and conjuncts), what was done to the conjuncts, and what follows."""

    premise: str
    hypothesis: str
    operation: str
    label: str


# Sentences by name: "a" and "b" are the plain ones, "not a" the denied one, "a+b" the joined one, "a+c" with b replaced.
AND = (
    Pair("a+b", "a", "removed", E),
    Pair("a+b", "b", "removed", E),
    Pair("a", "a+b", "added", N),
    Pair("a+b", "a+c", "replaced", N),
    Pair("a+b", "not a", "removed", C),
)
OR = (
    Pair("a+b", "a", "removed", N),
    Pair("a", "a+b", "added", E),
    Pair("a+b", "a+c", "replaced", N),
    Pair("not a+b", "not a", "removed", E),
    Pair("not a+b", "b", "removed", C),
)
# Where "or" cannot stand under a negation of its own, its denial names both.
OR_ALONE = (
    Pair("a+b", "a", "removed", N),
    Pair("a+b", "b", "removed", N),
    Pair("a", "a+b", "added", E),
    Pair("a+b", "a+c", "replaced", N),
    Pair("a+b", "not a+b", "", C),
)
NOR = (
    Pair("a+b", "not a", "removed", E),
    Pair("a+b", "a", "removed", C),
    Pair("a+b", "not b", "removed", E),
    Pair("not a", "a+b", "added", N),
    Pair("a+b", "a+c", "replaced", N),
)
BUT_NOT = (
    Pair("a+b", "a", "removed", E),
    Pair("a+b", "b", "removed", C),
    Pair("a+b", "not b", "removed", E),
    Pair("a", "a+b", "added", N),
    Pair("a+b", "a+c", "replaced", N),
)


def rows(connective: str, frame: Frame) -> list[Row]:
    """The five pairs of a connective in a frame."""
    alone = isinstance(frame, Subjects | Clauses)
    pairs = {
        "and": AND,
        "or": OR_ALONE if alone else OR,
        "nor": NOR,
        "but": AND if isinstance(frame, Clauses) else BUT_NOT,
    }[connective]
    sentences = _sentences(connective, frame, {name for pair in pairs for name in pair[:2]})
    found = []
    for pair in pairs:
        denied = connective == "nor" or pairs is BUT_NOT or "not" in pair.premise + pair.hypothesis
        words = [connective]
        if alone and connective == "or" and not pair.operation:
            words.append("and" if isinstance(frame, Clauses) else "nor")
        tag = tags(words, pair.operation, category=frame.category, negation=denied)
        found.append(Row(sentences[pair.premise], sentences[pair.hypothesis], {"label": pair.label}, tag))
    return found


def _sentences(connective: str, frame: Frame, wanted: set[str]) -> Mapping[str, str]:
    join = {
        "and": lambda one, two: frame.joined("and", one, two),
        "or": lambda one, two: frame.joined("or", one, two),
        "nor": frame.neither,
        "but": frame.but,
    }[connective]
    made = {
        "a": lambda: frame.plain(0),
        "b": lambda: frame.plain(1),
        "not a": lambda: frame.denied(0),
        "not b": lambda: frame.denied(1),
        "a+b": lambda: join(0, 1),
        "a+c": lambda: join(0, 2),
        "not a+b": lambda: frame.not_either(0, 1),
    }
    return {name: made[name]() for name in wanted}


class Line(NamedTuple):
    """A verb, and things it may be done to, none of which is part of another; lines of one scene go together."""

    verb: Verb
    objects: tuple[str, ...]
    scene: str


@cache
def lines() -> tuple[Line, ...]:
    """The deeds, by verb; each verb has the same number of objects."""
    return tuple(Line(_verb(row), tuple(row["objects"].split(" | ")), row["scene"]) for row in table("deeds"))


@cache
def deeds(*scenes: str) -> tuple[Manner, ...]:
    """All of them, or those of a scene: at home, at a desk, among people, out and about."""
    return tuple(
        Manner(VerbPhrase(line.verb, rest), line.scene)
        for line in lines()
        if not scenes or line.scene in scenes
        for rest in line.objects
    )


# None of these says more than another, or rules it out; a mishap befalls one person and not each of several.
JOINED = ("gesture", "company", "food")
OUTINGS = ("trip", "cause", "party")


class Manner(NamedTuple):
    """Something done, and the sort of thing it is: two of one sort go together."""

    phrase: VerbPhrase
    sort: str


@cache
def acts(*sorts: str) -> tuple[Manner, ...]:
    """What each of several people may have done alone."""
    kept = sorts or (*JOINED, *OUTINGS)
    found = [
        Manner(VerbPhrase(_verb(row), row["rest"]), row["sort"])
        for row in table("manners")
        if row["sort"] in kept
    ]
    found += [
        Manner(VerbPhrase(_verb(row), rest), row["scene"])
        for row in table("outings")
        if row["scene"] in kept
        for rest in row["rests"].split(" | ")
    ]
    return tuple(found)


def going_with(rng: Rng, *taken: Manner) -> Manner:
    """Another of the same sort with a verb of its own, so that the two belong in one sentence."""
    used = {one.phrase.verb.base for one in taken}
    while True:
        found = rng.pick(acts(taken[0].sort))
        if found.phrase.verb.base not in used:
            return found


@cache
def things() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A noun, and what may be said of it."""
    found = [
        (row["nouns"].split(" | "), tuple(row["adjectives"].split(" | ")))
        for row in table("conjunction_adjectives")
    ]
    return tuple((noun, adjectives) for nouns, adjectives in found for noun in nouns)


@cache
def in_order(n: int) -> tuple[tuple[int, ...], ...]:
    """Every ordered choice of two out of n, as places."""
    return tuple(permutations(range(n), 2))


def _verb(row: Mapping[str, str]) -> Verb:
    return Verb(row["base"], row["third"], row["past"], row["participle"], row["gerund"])
