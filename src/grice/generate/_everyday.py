"""Deeds, possessions and states: word tables that several phenomena share, as typed words."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from grice.generate._random import Rng
from grice.generate.grammar import Subject, VerbPhrase
from grice.generate.lexicon import lexicon, read_verb, table

PRONOUNS = {"f": "she", "m": "he"}


class Deed(NamedTuple):
    """Something done once: the phrase, the other objects of its verb, and its sort."""

    phrase: VerbPhrase
    others: tuple[str, ...]
    sort: str

    def swap_object(self, rng: Rng) -> VerbPhrase:
        """Return the same verb with another object."""
        return VerbPhrase(self.phrase.verb, rng.pick(self.others))


class StateChange(NamedTuple):
    """A change of state; `before` is the earlier state, `others` further objects of the verb."""

    phrase: VerbPhrase
    before: str
    others: tuple[str, ...]


class Belonging(NamedTuple):
    """A possession, and what is said of it."""

    singular: str
    plural: str
    fact: VerbPhrase


def _objects(cell: str) -> list[tuple[str, tuple[str, ...]]]:
    """List the objects of a cell, each with the others."""
    objects = cell.split(" | ")
    return [(thing, tuple(rival for rival in objects if rival != thing)) for thing in objects]


@cache
def deeds(*sorts: str) -> tuple[Deed, ...]:
    """Return all intentional deeds, or those of a sort.

    An errand can be forgotten, a feat cannot.
    """
    return tuple(
        Deed(VerbPhrase(read_verb(row), thing), others, row["sort"])
        for row in table("deeds")
        if row["sort"] in (sorts or ("errand", "feat"))
        for thing, others in _objects(row["objects"])
    )


@cache
def acts_under_rules() -> dict[str, tuple[str, ...]]:
    """Return what is allowed or required, each with the rules that can say so."""
    return {
        act: tuple(row["rules"].split(" | "))
        for row in table("rules")
        for act in row["acts"].split(" | ")
    }


@cache
def repeatable_deeds() -> tuple[Deed, ...]:
    """Return deeds and events that can happen repeatedly."""
    again = {row["base"] for row in table("deeds") if row["again"] == "yes"}
    return tuple(deed for deed in deeds("errand", "feat", "slip") if deed.phrase.verb.base in again)


@cache
def habits(*sorts: str) -> tuple[VerbPhrase, ...]:
    """Return what people do repeatedly.

    These are acts, which begin and end, and ways of life, which go on.
    """
    return tuple(
        VerbPhrase(read_verb(row), rest)
        for row in table("habits")
        if not sorts or row["sort"] in sorts
        for rest in row["rests"].split(" | ")
    )


@cache
def changes() -> tuple[StateChange, ...]:
    """Return all changes of state."""
    return tuple(
        StateChange(VerbPhrase(read_verb(row), thing), row["before"], others)
        for row in table("change_of_state")
        for thing, others in _objects(row["objects"])
    )


# As many of its possessions for each fact, in turn, so that no fact and no noun outweighs the
# others.
_NOUNS_PER_FACT = 15


@cache
def belongings(tense: str, *, people: bool = True) -> tuple[Belonging, ...]:
    """Return possessions, each with a fact about it in this tense.

    Without `people`, only things that one can own several of and call "it".
    """
    nouns: dict[str, list[tuple[str, str]]] = {}
    for row in table("possessions"):
        nouns.setdefault(row["sort"], []).append((row["singular"], row["plural"]))
    options = []
    for index, row in enumerate(row for row in table("possession_facts") if row["tense"] == tense):
        if not people and row["sort"] in ("kin", "helper"):
            continue
        fact, of = VerbPhrase(read_verb(row), row["rest"]), nouns[row["sort"]]
        for step in range(_NOUNS_PER_FACT):
            options.append(Belonging(*of[(index * _NOUNS_PER_FACT + step) % len(of)], fact))
    return tuple(options)


@cache
def batches(counted: str = "") -> tuple[VerbPhrase, ...]:
    """Return what is done to several things one by one.

    `few` selects what can be done to two, `many` what can be done to a hundred.
    """
    sizes = {"few": ("few", "many"), "many": ("many", "heap")}.get(counted, ("few", "many", "heap"))
    return tuple(
        VerbPhrase(read_verb(row), row["things"])
        for row in table("batches")
        if row["counted"] in sizes
    )


@cache
def manners() -> tuple[VerbPhrase, ...]:
    """Return what anyone can do at any place with people."""
    return tuple(VerbPhrase(read_verb(row), row["rest"]) for row in table("manners"))


def named_people() -> tuple[Subject, ...]:
    """Return people by name alone, for sentences whose objects are people too."""
    return lexicon().named_people


def pick_name(rng: Rng, *texts: str, gender: str = "") -> str:
    """Pick a name that is in none of the texts, of one gender if it is given."""
    names = named_people()
    start = rng.randbelow(len(names))
    order = (names[(start + step) % len(names)] for step in range(len(names)))
    free = (person for person in order if not gender or person.gender == gender)
    return next(person.text for person in free if not any(person.text in text for text in texts))


@cache
def consequents(*sorts: str) -> tuple[str, ...]:
    """Return possible consequents of a condition.

    They are statements about someone (told), outlooks, prospects, and remarks on the past.
    """
    return tuple(row["text"] for row in table("consequents") if row["sort"] in sorts)
