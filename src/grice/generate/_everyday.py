"""What people do, own and are: the word tables that several phenomena share, as typed words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from grice.generate._random import Rng
from grice.generate.grammar import Subject, VerbPhrase
from grice.generate.lexicon import Noun, lexicon, read_verb, table


class Deed(NamedTuple):
    """Something done once: the phrase, the other objects of its verb, its sort, and the scene it belongs to."""

    phrase: VerbPhrase
    others: tuple[str, ...]
    sort: str
    scene: str

    def swap_object(self, rng: Rng) -> VerbPhrase:
        """The same verb with another object."""
        return VerbPhrase(self.phrase.verb, rng.pick(self.others))

    def pick_companion(self, rng: Rng) -> VerbPhrase:
        """Another deed of the same scene, with another verb and another object."""
        return _pick_different(rng, self.phrase, deeds_at(self.scene))


class Act(NamedTuple):
    """Something that each of several people may have done; two acts of one sort go together."""

    phrase: VerbPhrase
    sort: str


class StateChange(NamedTuple):
    """A change of state: `before` is what the thing was until then, `others` what else the verb may be done to."""

    phrase: VerbPhrase
    before: str
    others: tuple[str, ...]


class Belonging(NamedTuple):
    """Something that someone has, and what is said of it."""

    singular: str
    plural: str
    fact: VerbPhrase


class Gathering(NamedTuple):
    """A place where people meet, with its preposition."""

    preposition: str
    place: str

    @property
    def text(self) -> str:
        """The place as a phrase: "at the picnic"."""
        return f"{self.preposition} the {self.place}"


def _objects(cell: str) -> list[tuple[str, tuple[str, ...]]]:
    """The objects listed in a cell, each with the others."""
    objects = cell.split(" | ")
    return [(one, tuple(other for other in objects if other != one)) for one in objects]


@cache
def deeds(*sorts: str) -> tuple[Deed, ...]:
    """All deeds, or those of a sort: an errand can be forgotten, a feat cannot."""
    return tuple(
        Deed(VerbPhrase(read_verb(row), one), others, row["sort"], row["scene"])
        for row in table("deeds")
        if not sorts or row["sort"] in sorts
        for one, others in _objects(row["objects"])
    )


@cache
def deeds_at(scene: str) -> tuple[Deed, ...]:
    """The deeds of a scene: at home, at a desk, among people, out and about."""
    return tuple(deed for deed in deeds() if deed.scene == scene)


@cache
def deed_phrases() -> tuple[VerbPhrase, ...]:
    """The phrases of all deeds."""
    return tuple(deed.phrase for deed in deeds())


# Some things are done to the same thing only once, and some leave a state to which "again" could also go back.
_ONCE = frozenset((
    "adopt", "bury", "sell", "donate", "spend", "publish", "throw", "harvest", "finish", "hire", "plant", "pick", "chop", "mash",
    "carve", "peel", "post",
))  # fmt: skip
_STATE = frozenset((
    "open", "close", "lock", "unlock", "fill", "empty", "hide", "start", "stop", "heat", "cool", "freeze", "release",
))  # fmt: skip


@cache
def repeatable_deeds() -> tuple[Deed, ...]:
    """The deeds that can be done to the same thing again."""
    return tuple(deed for deed in deeds() if deed.phrase.verb.base.split()[0] not in _ONCE | _STATE)


@cache
def habits(*sorts: str) -> tuple[VerbPhrase, ...]:
    """What people do repeatedly: acts, each of which begins and ends, and ways of life, which go on."""
    return tuple(
        VerbPhrase(read_verb(row), rest)
        for row in table("habits")
        if not sorts or row["sort"] in sorts
        for rest in row["rests"].split(" | ")
    )


@cache
def outings(*sorts: str) -> tuple[Act, ...]:
    """What several people may do together, all or of a sort: a trip, a cause, a party."""
    return tuple(
        Act(VerbPhrase(read_verb(row), rest), row["scene"])
        for row in table("outings")
        if not sorts or row["scene"] in sorts
        for rest in row["rests"].split(" | ")
    )


def pick_next_outing(rng: Rng, first: Act) -> VerbPhrase:
    """Another outing of the same sort, with another verb and another object."""
    return _pick_different(rng, first.phrase, outings(first.sort))


def _pick_different(rng: Rng, phrase: VerbPhrase, options: Sequence[Act | Deed]) -> VerbPhrase:
    while True:
        other = rng.pick(options).phrase
        if other.verb != phrase.verb and other.rest != phrase.rest:
            return other


@cache
def changes() -> tuple[StateChange, ...]:
    """All changes of state."""
    return tuple(
        StateChange(VerbPhrase(read_verb(row), one), row["before"], others)
        for row in table("change_of_state")
        for one, others in _objects(row["objects"])
    )


# As many of its possessions for each fact, in turn, so that no fact and no noun outweighs the others.
_NOUNS_PER_FACT = 15


@cache
def belongings(tense: str) -> tuple[Belonging, ...]:
    """The possessions, each with what may be said of it in this tense."""
    nouns: dict[str, list[tuple[str, str]]] = {}
    for row in table("possessions"):
        nouns.setdefault(row["sort"], []).append((row["singular"], row["plural"]))
    found = []
    for place, row in enumerate(row for row in table("possession_facts") if row["tense"] == tense):
        fact, of = VerbPhrase(read_verb(row), row["rest"]), nouns[row["sort"]]
        for step in range(_NOUNS_PER_FACT):
            found.append(Belonging(*of[(place * _NOUNS_PER_FACT + step) % len(of)], fact))
    return tuple(found)


@cache
def batches(counted: str = "few") -> tuple[VerbPhrase, ...]:
    """What is done to several things one by one; `many` keeps what may be done to a hundred."""
    kept = ("few", "many") if counted == "few" else (counted,)
    return tuple(VerbPhrase(read_verb(row), row["things"]) for row in table("batches") if row["counted"] in kept)


# What each of several people may do wherever they are.
ANYWHERE = ("gesture", "shade", "company")


@cache
def manners(*sorts: str) -> tuple[Act, ...]:
    """What anyone may have done at a gathering; by default what each of several people may."""
    rows = [row for row in table("manners") if row["sort"] in (sorts or ANYWHERE)]
    return tuple(Act(VerbPhrase(read_verb(row), row["rest"]), row["sort"]) for row in rows)


@cache
def callings() -> tuple[Noun, ...]:
    """People by their work or study; a guest or a passenger would go without saying in some places."""
    words = lexicon()
    standing = set(words.nouns_of("standing"))
    return tuple(noun for noun in words.roles if noun not in standing)


def pick_other_calling(rng: Rng, noun: Noun) -> Noun:
    """A calling of another field, so that neither is a sort of the other: no doctor for a cardiologist."""
    while True:
        other = rng.pick_other(callings(), noun)
        if not set(other.kinds) & set(noun.kinds) and other.singular.split()[-1] != noun.singular.split()[-1]:
            return other


@cache
def gatherings() -> tuple[Gathering, ...]:
    """All gatherings."""
    return tuple(Gathering(row["preposition"], row["place"]) for row in table("gatherings"))


@cache
def named_people() -> tuple[Subject, ...]:
    """People by name alone, for sentences whose objects are people too."""
    return tuple(Subject(name.name, False, name.gender) for name in lexicon().names)


@cache
def consequents(sort: str) -> tuple[str, ...]:
    """What may follow a condition: a mood someone will be in, an outlook, a remark on what is past."""
    return tuple(row["text"] for row in table("consequents") if row["sort"] == sort)
