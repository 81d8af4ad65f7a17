"""Sentences with conjuncts, and the pairs made of them; the conjunction phenomena share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import NamedTuple, Protocol, Unpack

from grice.generate._everyday import Act, manners, outings
from grice.generate._everyday import deeds as all_deeds
from grice.generate._random import Rng
from grice.generate.grammar import Subject, Verb, VerbPhrase, sentence
from grice.generate.lexicon import read_verb, table
from grice.generate.paradigm import C, E, N
from grice.generate.phenomenon import NewItem, Phenomenon, PhenomenonParts, make_phenomenon
from grice.theory.conjunction import CONJUNCTIONS

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
    """The tags by which ConjNLI breaks down its results; what does not apply is left out."""
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
    """A sentence with room for conjuncts 0, 1 and 2."""

    @property
    def category(self) -> str:
        """The syntactic category of the conjuncts."""

    def say(self, form: str, one: int, two: int) -> str:
        """The sentence with one or two of its conjuncts, in a form.

        With the first alone: `plain` or `denied`; with both: `and`, `or`, `nor`, `but`, or `not or`, the denial of both.
        """


@dataclass(frozen=True)
class EndConjuncts:
    """Conjuncts at the end: objects, places, adjectives. "Ana didn't buy" + "the milk" or "the bread"."""

    category: str
    head: str
    negated: str
    conjuncts: tuple[str, str, str]

    def say(self, form: str, one: int, two: int) -> str:
        """The sentence with its conjuncts at the end."""
        a, b = self.conjuncts[one], self.conjuncts[two]
        match form:
            case "plain":
                return sentence(self.head, a)
            case "denied":
                return sentence(self.negated, a)
            case "nor":
                return sentence(self.head, "neither", a, "nor", b)
            case "but":
                return sentence(self.head, a, "but not", b)
            case "not or":
                return sentence(self.negated, a, "or", b)
            case _:
                return sentence(self.head, a, form, b)


@dataclass(frozen=True)
class VerbConjuncts:
    """Conjuncts are verb phrases: "Ana baked the bread but didn't sweep the patio."."""

    subject: str
    phrases: tuple[VerbPhrase, VerbPhrase, VerbPhrase]
    category: str = "VP"

    def say(self, form: str, one: int, two: int) -> str:
        """The sentence of one subject with its verb phrases."""
        a, b = self.phrases[one], self.phrases[two]
        match form:
            case "plain":
                return sentence(self.subject, a.past)
            case "denied":
                return sentence(self.subject, "didn't", a.base)
            case "nor":
                return sentence(self.subject, "neither", a.past, "nor", b.past)
            case "but":
                return sentence(self.subject, a.past, "but didn't", b.base)
            case "not or":
                return sentence(self.subject, "didn't", a.base, "or", b.base)
            case _:
                return sentence(self.subject, a.past, form, b.past)


@dataclass(frozen=True)
class SubjectConjuncts:
    """Conjuncts are people who each do something alone: "Ana, but not Ben, yawned."."""

    people: tuple[Subject, Subject, Subject]
    phrase: VerbPhrase
    category: str = "NP"

    def say(self, form: str, one: int, two: int) -> str:
        """The sentence with its people as subjects."""
        a, b = self.people[one].text, self.people[two].text
        match form:
            case "plain":
                return sentence(a, self.phrase.past)
            case "denied":
                return sentence(a, "didn't", self.phrase.base)
            case "nor" | "not or":
                return sentence("neither", a, "nor", b, self.phrase.past)
            case "but":
                return sentence(f"{a}, but not {b},", self.phrase.past)
            case _:
                return sentence(a, form, b, self.phrase.past)


@dataclass(frozen=True)
class ClauseConjuncts:
    """Conjuncts are whole sentences: "Ana yawned, but Ben danced."."""

    subjects: tuple[Subject, Subject, Subject]
    phrases: tuple[VerbPhrase, VerbPhrase, VerbPhrase]
    category: str = "clause"

    def say(self, form: str, one: int, two: int) -> str:
        """The sentence with its clauses."""
        match form:
            case "plain":
                return sentence(self._clause(one))
            case "denied":
                return sentence(self._denial(one))
            case "nor" | "not or":
                return sentence(self._denial(one), "and", self._denial(two))
            case "but":
                return sentence(self._clause(one) + ", but", self._clause(two))
            case _:
                return sentence("either" if form == "or" else "", self._clause(one), form, self._clause(two))

    def _clause(self, one: int) -> str:
        return f"{self.subjects[one].text} {self.phrases[one].past}"

    def _denial(self, one: int) -> str:
        return f"{self.subjects[one].text} didn't {self.phrases[one].base}"


class PairPattern(NamedTuple):
    """A premise and a hypothesis by the names of their sentences, what was done to the conjuncts, and the label."""

    premise: str
    hypothesis: str
    operation: str
    label: str


def _patterns(*rows: tuple[str, str, str, str]) -> tuple[PairPattern, ...]:
    return tuple(PairPattern(*row) for row in rows)


# Sentences by name: "a" and "b" are the plain ones, "not a" the denied one, "a+b" the joined one, "a+c" with b replaced.
AND = _patterns(
    ("a+b", "a", "removed", E),
    ("a+b", "b", "removed", E),
    ("a", "a+b", "added", N),
    ("a+b", "a+c", "replaced", N),
    ("a+b", "not a", "removed", C),
)
OR = _patterns(
    ("a+b", "a", "removed", N),
    ("a", "a+b", "added", E),
    ("a+b", "a+c", "replaced", N),
    ("not a+b", "not a", "removed", E),
    ("not a+b", "b", "removed", C),
)
# Where "or" cannot stand under a negation of its own, its denial names both.
OR_ALONE = _patterns(
    ("a+b", "a", "removed", N),
    ("a+b", "b", "removed", N),
    ("a", "a+b", "added", E),
    ("a+b", "a+c", "replaced", N),
    ("a+b", "not a+b", "", C),
)
NOR = _patterns(
    ("a+b", "not a", "removed", E),
    ("a+b", "a", "removed", C),
    ("a+b", "not b", "removed", E),
    ("not a", "a+b", "added", N),
    ("a+b", "a+c", "replaced", N),
)
BUT_NOT = _patterns(
    ("a+b", "a", "removed", E),
    ("a+b", "b", "removed", C),
    ("a+b", "not b", "removed", E),
    ("a", "a+b", "added", N),
    ("a+b", "a+c", "replaced", N),
)


def conjunct_rows(connective: str, frame: Frame) -> list[NewItem]:
    """The five pairs of a connective in a frame."""
    alone = isinstance(frame, SubjectConjuncts | ClauseConjuncts)
    pairs = {
        "and": AND,
        "or": OR_ALONE if alone else OR,
        "nor": NOR,
        "but": AND if isinstance(frame, ClauseConjuncts) else BUT_NOT,
    }[connective]
    say = frame.say
    forms = {
        "a": ("plain", 0, 0), "b": ("plain", 1, 1), "not a": ("denied", 0, 0), "not b": ("denied", 1, 1),
        "a+b": (connective, 0, 1), "a+c": (connective, 0, 2), "not a+b": ("not or", 0, 1),
    }  # fmt: skip
    sentences = {name: say(*forms[name]) for name in {name for pair in pairs for name in pair[:2]}}
    found = []
    for pair in pairs:
        denied = connective == "nor" or pairs is BUT_NOT or "not" in pair.premise + pair.hypothesis
        words = [connective]
        if alone and connective == "or" and not pair.operation:
            words.append("and" if isinstance(frame, ClauseConjuncts) else "nor")
        tag = tags(words, pair.operation, category=frame.category, negation=denied)
        found.append(NewItem(sentences[pair.premise], sentences[pair.hypothesis], {"label": pair.label}, tag))
    return found


class TransitiveVerb(NamedTuple):
    """A verb with things it may be done to, none of which is part of another."""

    verb: Verb
    objects: tuple[str, ...]


@cache
def transitive_verbs() -> tuple[TransitiveVerb, ...]:
    """The verbs of the deeds; each has the same number of objects."""
    return tuple(TransitiveVerb(read_verb(row), tuple(row["objects"].split(" | "))) for row in table("deeds"))


@cache
def deeds(*scenes: str) -> tuple[Act, ...]:
    """All deeds, or those of a scene: at home, at a desk, among people, out and about."""
    return tuple(Act(deed.phrase, deed.scene) for deed in all_deeds() if not scenes or deed.scene in scenes)


# None of these says more than another, or rules it out; a mishap befalls one person and not each of several.
JOINED = ("gesture", "company", "food")
OUTINGS = ("trip", "cause", "party")


@cache
def acts(*sorts: str) -> tuple[Act, ...]:
    """What each of several people may have done alone."""
    kept = sorts or (*JOINED, *OUTINGS)
    return (*manners(*kept), *outings(*kept))


def pick_companion(rng: Rng, *taken: Act) -> Act:
    """Another act of the same sort with a verb of its own, so that the two belong in one sentence."""
    used = {one.phrase.verb.base for one in taken}
    while True:
        found = rng.pick(acts(taken[0].sort))
        if found.phrase.verb.base not in used:
            return found


@cache
def things() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Nouns, each with the adjectives that may be said of it."""
    found = [
        (row["nouns"].split(" | "), tuple(row["adjectives"].split(" | "))) for row in table("conjunction_adjectives")
    ]
    return tuple((noun, adjectives) for nouns, adjectives in found for noun in nouns)


@cache
def ordered_pairs(n: int) -> tuple[tuple[int, ...], ...]:
    """Every ordered choice of two numbers below n."""
    return tuple(permutations(range(n), 2))


def conjunction_phenomenon(
    name: str,
    *,
    rows: int = 5,
    conditions: Mapping[str, tuple[str, ...]],
    marked: tuple[str, ...] = (),
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """A phenomenon about conjuncts, with the tags of ConjNLI."""
    return make_phenomenon(name, "conjunction", rows=rows, tags=TAGS, conditions=conditions, marked=marked, **parts)
