"""What people do, have and are at: the tables that the presupposition phenomena share, as typed words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from grice.generate._random import Rng
from grice.generate.grammar import BE, Subject, Verb, VerbPhrase
from grice.generate.lexicon import Noun, lexicon, table


class Deed(NamedTuple):
    """Something done once: the phrase, and what else the same verb may be done to."""

    phrase: VerbPhrase
    others: tuple[str, ...]
    sort: str
    scene: str

    def instead(self, rng: Rng) -> VerbPhrase:
        """The same verb with another object."""
        return VerbPhrase(self.phrase.verb, rng.pick(self.others))

    def beside(self, rng: Rng) -> VerbPhrase:
        """Another deed of the same scene, with a verb and an object of its own."""
        while True:
            other = rng.pick(deeds_at(self.scene)).phrase
            if other.verb != self.phrase.verb and other.rest != self.phrase.rest:
                return other


class Change(NamedTuple):
    """A change of state: `before` is what the thing was until then."""

    phrase: VerbPhrase
    before: str
    others: tuple[str, ...]


class Belonging(NamedTuple):
    """Something that someone has, and what is said of it."""

    singular: str
    plural: str
    fact: VerbPhrase


class Gathering(NamedTuple):
    preposition: str
    place: str

    @property
    def text(self) -> str:
        return f"{self.preposition} the {self.place}"


def verb_of(row: Mapping[str, str]) -> Verb:
    if row["base"] == "be":
        return BE
    return Verb(row["base"], row["third"], row["past"], row["participle"], row["gerund"])


def _alternatives(cell: str) -> list[str]:
    return cell.split(" | ")


@cache
def deeds(*sorts: str) -> tuple[Deed, ...]:
    """All, or those of a sort: an errand can be forgotten, a feat cannot."""
    found = []
    for row in table("deeds"):
        if not sorts or row["sort"] in sorts:
            verb, objects = verb_of(row), _alternatives(row["objects"])
            found += [
                Deed(
                    VerbPhrase(verb, one),
                    tuple(o for o in objects if o != one),
                    row["sort"],
                    row["scene"],
                )
                for one in objects
            ]
    return tuple(found)


@cache
def deeds_at(scene: str) -> tuple[Deed, ...]:
    """Those that go together: at home, at a desk, among people, out and about."""
    return tuple(deed for deed in deeds() if deed.scene == scene)


@cache
def done() -> tuple[VerbPhrase, ...]:
    """The phrases of all deeds, for whoever needs no other object."""
    return tuple(deed.phrase for deed in deeds())


@cache
def habits(*sorts: str) -> tuple[VerbPhrase, ...]:
    """What one does again and again: acts, each of which begins and ends, and ways of life, which go on."""
    return tuple(
        VerbPhrase(verb_of(row), rest)
        for row in table("habits")
        if not sorts or row["sort"] in sorts
        for rest in _alternatives(row["rests"])
    )


class Outing(NamedTuple):
    """Something that each of several people, whatever their calling, may have done."""

    phrase: VerbPhrase
    scene: str


@cache
def outings(*scenes: str) -> tuple[Outing, ...]:
    """All, or those that go together: a trip, a cause, a party."""
    return tuple(
        Outing(VerbPhrase(verb_of(row), rest), row["scene"])
        for row in table("outings")
        if not scenes or row["scene"] in scenes
        for rest in _alternatives(row["rests"])
    )


def next_outing(rng: Rng, first: Outing) -> VerbPhrase:
    """Something else that goes with it."""
    while True:
        other = rng.pick(outings(first.scene)).phrase
        if other.verb != first.phrase.verb and other.rest != first.phrase.rest:
            return other


@cache
def changes() -> tuple[Change, ...]:
    found = []
    for row in table("change_of_state"):
        verb, objects = verb_of(row), _alternatives(row["objects"])
        found += [
            Change(VerbPhrase(verb, one), row["before"], tuple(o for o in objects if o != one))
            for one in objects
        ]
    return tuple(found)


# As many of its possessions for each fact, in turn, so that no fact and no noun outweighs the others.
_NOUNS_PER_FACT = 15


@cache
def belongings(tense: str) -> tuple[Belonging, ...]:
    """The possessions with what may be said of them in this tense."""
    nouns: dict[str, list[tuple[str, str]]] = {}
    for row in table("possessions"):
        nouns.setdefault(row["sort"], []).append((row["singular"], row["plural"]))
    found = []
    for place, row in enumerate(row for row in table("possession_facts") if row["tense"] == tense):
        fact, of = VerbPhrase(verb_of(row), row["rest"]), nouns[row["sort"]]
        for step in range(_NOUNS_PER_FACT):
            found.append(Belonging(*of[(place * _NOUNS_PER_FACT + step) % len(of)], fact))
    return tuple(found)


@cache
def batches(counted: str = "few") -> tuple[VerbPhrase, ...]:
    """What is done to several things one by one; `many` keeps what may be done to a hundred."""
    kept = ("few", "many") if counted == "few" else (counted,)
    return tuple(
        VerbPhrase(verb_of(row), row["things"]) for row in table("batches") if row["counted"] in kept
    )


# What each of several people may do wherever they are.
ANYWHERE = ("gesture", "shade", "company")


@cache
def manners(*sorts: str) -> tuple[VerbPhrase, ...]:
    """What anyone may have done at a gathering; by default what each of several may."""
    kept = sorts or ANYWHERE
    return tuple(VerbPhrase(verb_of(row), row["rest"]) for row in table("manners") if row["sort"] in kept)


@cache
def callings() -> tuple[Noun, ...]:
    """People by their work or study; a guest or a passenger would go without saying in some places."""
    words = lexicon()
    standing = set(words.nouns_of("standing"))
    return tuple(noun for noun in words.roles if noun not in standing)


def another_calling(rng: Rng, noun: Noun) -> Noun:
    """One of another field, so that neither is a sort of the other: no doctor for a cardiologist."""
    while True:
        other = rng.other(callings(), noun)
        if not set(other.kinds) & set(noun.kinds) and other.singular.split()[-1] != noun.singular.split()[-1]:
            return other


@cache
def gatherings() -> tuple[Gathering, ...]:
    return tuple(Gathering(row["preposition"], row["place"]) for row in table("gatherings"))


@cache
def named() -> tuple[Subject, ...]:
    """People by name alone, for sentences whose objects are people too."""
    return tuple(Subject(name.name, False, name.gender) for name in lexicon().names)


@cache
def consequents(sort: str) -> tuple[str, ...]:
    """What may follow a condition: a mood someone will be in, an outlook, a remark on what is past."""
    return tuple(row["text"] for row in table("consequents") if row["sort"] == sort)


def moods() -> tuple[str, ...]:
    return consequents("mood")
