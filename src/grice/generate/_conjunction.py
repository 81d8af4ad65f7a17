"""Sentences with conjuncts, and their pairs, shared by the conjunction phenomena."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import NamedTuple, Protocol, Unpack

from grice.core.words import read_rows
from grice.generate.grammar import Subject, Verb, VerbPhrase, sentence
from grice.generate.lexicon import read_verb, table
from grice.generate.phenomenon import NewItem, Phenomenon, PhenomenonParts, make_phenomenon
from grice.theory.conjunction import CONJUNCTIONS
from grice.theory.conjuncts import joined_label

TAGS = (
    "kind",
    "phenomenon",
    "usage",
    "boolean",
    "connective",
    "conjunction",
    "category",
    "operation",
    "multiple",
    "quantifier",
    "negation",
)


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
    """Return the tags by which ConjNLI breaks its results down, without those that do not apply."""
    tag_values: dict[str, str | tuple[str, ...]] = {
        "usage": usage,
        "boolean": _yes(usage == "boolean"),
        "connective": tuple(connectives),
        "conjunction": tuple(dict.fromkeys(CONJUNCTIONS[word] for word in connectives)),
        "multiple": _yes(multiple),
        "quantifier": _yes(quantifier),
        "negation": _yes(negation),
    }
    if category:
        tag_values["category"] = category
    return {**tag_values, "operation": operation} if operation else tag_values


def _yes(true: bool) -> str:
    return "yes" if true else "no"


class Frame(Protocol):
    """A sentence with slots for conjuncts 0, 1 and 2."""

    @property
    def category(self) -> str:
        """The syntactic category of the conjuncts."""

    def say(self, form: str, first: int, second: int) -> str:
        """Return the sentence with one or two of its conjuncts, in a form.

        With the first alone: `plain` or `denied`; with both: `and`, `or`, `nor`, `but`, or `not
        or`, the denial of both.
        """


@dataclass(frozen=True)
class EndConjuncts:
    """Conjuncts at the end: objects, places, adjectives.

    "Ana didn't buy" + "the milk" or "the bread".
    """

    category: str
    head: str
    negated: str
    conjuncts: tuple[str, str, str]

    def say(self, form: str, first: int, second: int) -> str:
        """Return the sentence with its conjuncts at the end."""
        a, b = self.conjuncts[first], self.conjuncts[second]
        forms = {
            "plain": (self.head, a),
            "denied": (self.negated, a),
            "nor": (self.head, "neither", a, "nor", b),
            "but": (self.head, a, "but not", b),
            "not or": (self.negated, a, "or", b),
        }
        return sentence(*forms.get(form, (self.head, a, form, b)))


@dataclass(frozen=True)
class VerbConjuncts:
    """Verb phrases as conjuncts: "Ana baked the bread but didn't sweep the patio."."""

    subject: str
    phrases: tuple[VerbPhrase, VerbPhrase, VerbPhrase]
    category: str = "VP"

    def say(self, form: str, first: int, second: int) -> str:
        """Return the sentence of one subject with its verb phrases."""
        a, b = self.phrases[first], self.phrases[second]
        forms = {
            "plain": (a.past,),
            "denied": ("didn't", a.base),
            "nor": ("neither", a.past, "nor", b.past),
            "but": (a.past, "but didn't", b.base),
            "not or": ("didn't", a.base, "or", b.base),
        }
        return sentence(self.subject, *forms.get(form, (a.past, form, b.past)))


@dataclass(frozen=True)
class SubjectConjuncts:
    """Subjects as conjuncts, who each do something alone: "Ana, but not Ben, yawned."."""

    people: tuple[Subject, Subject, Subject]
    phrase: VerbPhrase
    category: str = "NP"

    def say(self, form: str, first: int, second: int) -> str:
        """Return the sentence with its people as subjects."""
        a, b = self.people[first].text, self.people[second].text
        if form == "denied":
            return sentence(a, "didn't", self.phrase.base)
        neither = f"neither {a} nor {b}"
        who = {"plain": a, "nor": neither, "not or": neither, "but": f"{a}, but not {b},"}.get(
            form, f"{a} {form} {b}"
        )
        return sentence(who, self.phrase.past)


@dataclass(frozen=True)
class ClauseConjuncts:
    """Clauses as conjuncts: "Ana yawned and Ben danced.", "Ana yawned, but Ben didn't."."""

    subjects: tuple[Subject, Subject, Subject]
    phrases: tuple[VerbPhrase, VerbPhrase, VerbPhrase]
    category: str = "clause"

    def say(self, form: str, first: int, second: int) -> str:
        """Return the sentence with its clauses."""
        a, b, not_a, not_b = (
            self._clause(first),
            self._clause(second),
            self._denial(first),
            self._denial(second),
        )
        forms = {
            "plain": (a,),
            "denied": (not_a,),
            "nor": (not_a, "and", not_b),
            "not or": (not_a, "and", not_b),
            "but": (f"{a}, but", self.subjects[second].text, "didn't"),
            "or": ("either", a, "or", b),
        }
        return sentence(*forms.get(form, (a, form, b)))

    def _clause(self, conjunct: int) -> str:
        return f"{self.subjects[conjunct].text} {self.phrases[conjunct].past}"

    def _denial(self, conjunct: int) -> str:
        return f"{self.subjects[conjunct].text} didn't {self.phrases[conjunct].base}"


class PairPattern(NamedTuple):
    """A premise and a hypothesis by sentence name, the operation on conjuncts, and the label."""

    premise: str
    hypothesis: str
    operation: str
    label: str


@cache
def pair_patterns(name: str) -> tuple[PairPattern, ...]:
    """Return the five pairs of a connective, by its name in paradigms/conjuncts.tsv."""
    rows = read_rows(Path(__file__).with_name("paradigms") / "conjuncts.tsv")
    connective = name.partition(",")[0]
    return tuple(
        PairPattern(p, h, operation, joined_label(connective, p, h))
        for group, p, h, operation in rows
        if group == name
    )


def conjunct_rows(connective: str, frame: Frame) -> list[NewItem]:
    """Return the five pairs of a connective in a frame."""
    alone = isinstance(frame, SubjectConjuncts | ClauseConjuncts)
    pattern = {
        "and": "and",
        "or": "or, both denied" if alone else "or",
        "nor": "nor",
        "but": "but not",
    }[connective]
    pairs = pair_patterns(pattern)
    forms = {
        "a": ("plain", 0, 0),
        "b": ("plain", 1, 1),
        "not a": ("denied", 0, 0),
        "not b": ("denied", 1, 1),
        "a+b": (connective, 0, 1),
        "a+c": (connective, 0, 2),
        "not a+b": ("not or", 0, 1),
    }
    sentences = {
        name: frame.say(*forms[name])
        for name in dict.fromkeys(name for pair in pairs for name in pair[:2])
    }
    items = []
    for pair in pairs:
        denied = pattern in ("nor", "but not") or "not" in pair.premise + pair.hypothesis
        connectives = [connective]
        if alone and connective == "or" and not pair.operation:
            connectives.append("and" if isinstance(frame, ClauseConjuncts) else "nor")
        tag = tags(connectives, pair.operation, category=frame.category, negation=denied)
        items.append(
            NewItem(sentences[pair.premise], sentences[pair.hypothesis], {"label": pair.label}, tag)
        )
    return items


class TransitiveVerb(NamedTuple):
    """A verb with possible objects, none of which is part of another."""

    verb: Verb
    objects: tuple[str, ...]


@cache
def transitive_verbs() -> tuple[TransitiveVerb, ...]:
    """Return the verbs of the deeds; each has the same number of objects."""
    return tuple(
        TransitiveVerb(read_verb(row), tuple(row["objects"].split(" | ")))
        for row in table("deeds")
        if row["sort"] != "slip"
    )


@cache
def things() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return nouns, each with adjectives that can describe it."""
    rows = table("conjunction_adjectives")
    return tuple(
        (noun, tuple(row["adjectives"].split(" | ")))
        for row in rows
        for noun in row["nouns"].split(" | ")
    )


@cache
def ordered_pairs(n: int) -> tuple[tuple[int, ...], ...]:
    """Return every ordered pair of two different numbers below n."""
    return tuple(permutations(range(n), 2))


def conjunction_phenomenon(
    name: str,
    *,
    rows: int = 5,
    conditions: Mapping[str, tuple[str, ...]],
    marked: tuple[str, ...] = (),
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """Define a phenomenon about conjuncts, with the tags of ConjNLI."""
    return make_phenomenon(
        name, "conjunction", rows=rows, tags=TAGS, conditions=conditions, marked=marked, **parts
    )
