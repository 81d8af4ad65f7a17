"""People, places and acts that fit together, from scenes.tsv and episodes.tsv."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from grice.core.errors import unknown
from grice.generate._random import Rng
from grice.generate.grammar import BE, Verb, VerbPhrase
from grice.generate.lexicon import lexicon, read_verb, table

# Tables that have the five forms of a verb.
_FORMS = (
    "verb_forms",
    "verbs",
    "deeds",
    "habits",
    "manners",
    "batches",
    "change_of_state",
    "possession_facts",
)
# Names and cities that make one place out of many: Ana's wedding, the zoo in Lima.
TIES = range(160)


class Act(NamedTuple):
    """An act on one occasion with the others of its cluster.

    Any two of them are natural together under and, or and but.

    `earlier` are those of the others that are done before it, where the table puts them in the
    order of time.
    """

    phrase: VerbPhrase
    sort: str
    others: tuple[VerbPhrase, ...]
    earlier: tuple[VerbPhrase, ...] = ()

    def pick_companion(self, rng: Rng, *taken: VerbPhrase) -> VerbPhrase:
        """Return another act of the same cluster, none of those taken."""
        return rng.pick_other(self.others, *taken)


class SceneEntry(NamedTuple):
    """A line of scenes.tsv: size (`few`, `many` or a `mass`), places, groups, staff and acts."""

    name: str
    size: str
    places: tuple[str, ...]
    groups: tuple[str, ...]
    staff: tuple[str, ...]
    acts: tuple[Act, ...]


class Crowd(NamedTuple):
    """Several people at a place of their own."""

    scene: SceneEntry
    group: str
    place: str

    def text(self, tie: int, *, other: Rng | None = None) -> str:
        """Return the people with their place: "guests at Ana's wedding".

        With `other`, other people at the same place.
        """
        group = other.pick_other(self.scene.groups, self.group) if other else self.group
        return f"{group} {locate(self.place, tie)}"

    def source(self, tie: int) -> str:
        """Return a remark that names the place's city or person as a source of what is said."""
        return locate(
            "as a friend of *'s told us" if "*" in self.place else "as we heard in @", tie
        )


class Occasion(NamedTuple):
    """Several people at a place of their own, and an act that each of them can do there."""

    crowd: Crowd
    act: Act

    def who(self, tie: int, *, other: Rng | None = None) -> str:
        """Return the people with their place, or others at the same place; see `Crowd.text`."""
        return self.crowd.text(tie, other=other)


class Post(NamedTuple):
    """One person at a place because of their job: the photographer at the wedding."""

    scene: SceneEntry
    person: str
    place: str


def locate(place: str, tie: int) -> str:
    """Fill the name or city of a place: "at *'s wedding", "at the zoo in @"."""
    name, city = _ties()[tie]
    return place.replace("*", name).replace("@", city)


@cache
def _ties() -> tuple[tuple[str, str], ...]:
    """Return pairs of a name and a city; every third name, so that origins are balanced."""
    words = lexicon()
    cities = words.nouns_of("city")
    return tuple((words.names[3 * tie].name, cities[tie].singular) for tie in TIES)


@cache
def _verbs() -> dict[str, Verb]:
    return {row["base"]: read_verb(row) for name in reversed(_FORMS) for row in table(name)}


def read_act(text: str, aspect: str = "moment") -> VerbPhrase:
    """Parse an act in its base form, "dance until midnight", as a verb phrase.

    Some table must have the forms of its verb.
    """
    first, _, rest = text.partition(" ")
    second, _, after = rest.partition(" ")
    if f"{first} {second}" in _verbs():
        return VerbPhrase(_verbs()[f"{first} {second}"], after, aspect)
    if first not in _verbs():
        raise unknown("verb of an act", first, _verbs(), "Give its forms in words/verb_forms.tsv")
    return VerbPhrase(_verbs()[first], rest, aspect)


def _acts(cell: str, sort: str, *, in_order: bool = False) -> tuple[Act, ...]:
    """Return the acts of a cell, each with the others of its cluster.

    `in_order` means that a cluster lists its acts in temporal order.
    """
    acts = []
    for cluster in cell.split(" || "):
        phrases = tuple(read_act(text) for text in cluster.split(" | "))
        for index, phrase in enumerate(phrases):
            earlier = phrases[:index] if in_order else ()
            acts.append(Act(phrase, sort, phrases[:index] + phrases[index + 1 :], earlier))
    return tuple(acts)


@cache
def scenes() -> tuple[SceneEntry, ...]:
    """Return every line of scenes.tsv."""
    entries = []
    for row in table("scenes"):
        places, groups, staff = (
            tuple(row[name].split(" | ")) for name in ("places", "groups", "staff")
        )
        entries.append(
            SceneEntry(
                row["scene"], row["size"], places, groups, staff, _acts(row["acts"], row["scene"])
            )
        )
    return tuple(entries)


@cache
def occasions() -> tuple[Occasion, ...]:
    """Return every combination of people, place and act of one scene."""
    return tuple(Occasion(crowd, act) for crowd in crowds() for act in crowd.scene.acts)


@cache
def crowds(*sizes: str) -> tuple[Crowd, ...]:
    """Return every combination of people and place of one scene.

    `few` selects scenes of two or three people, `many` those of ten or a hundred.
    """
    chosen = [scene for scene in scenes() if not sizes or scene.size in sizes]
    return tuple(
        Crowd(scene, group, location)
        for scene in chosen
        for group in scene.groups
        for location in scene.places
    )


@cache
def posts() -> tuple[Post, ...]:
    """Return every combination of one person and a place of their own."""
    return tuple(
        Post(scene, person, location)
        for scene in scenes()
        for person in scene.staff
        for location in scene.places
    )


@cache
def shared_acts() -> tuple[Act, ...]:
    """Return acts that several people can each do, as "only", "even" and "too" need."""
    return tuple(act for scene in scenes() for act in scene.acts)


@cache
def episodes() -> tuple[Act, ...]:
    """Return acts of one person on one occasion, with those that come before.

    An example is to peel the potatoes and lay the table.
    """
    return tuple(
        act for row in table("episodes") for act in _acts(row["acts"], row["scene"], in_order=True)
    )


@cache
def news(*kinds: str, asks: str = "") -> tuple[Act, ...]:
    """Return acts worth reporting, with their tone (good or bad) as the sort.

    `kinds` selects tones or sorts.

    `asks` keeps that of which one asks this question: why, when or how.
    """
    rows = [
        row for row in table("news") if not kinds or row["tone"] in kinds or row["sort"] in kinds
    ]
    chosen = [row for row in rows if not asks or asks in row["asks"].split()]
    return tuple(act for row in chosen for act in _acts(row["acts"], row["tone"]))


@cache
def undertakings(name: str = "") -> tuple[VerbPhrase, ...]:
    """Return what people try, promise, forget or refuse to do: undertakings.tsv or a line of it."""
    rows = [row for row in table("undertakings") if name in ("", row["set"])]
    if not rows:
        raise unknown(
            "line of undertakings.tsv", name, [row["set"] for row in table("undertakings")]
        )
    return tuple(dict.fromkeys(read_act(text) for row in rows for text in row["acts"].split(" | ")))


@cache
def suited_acts(sets: str) -> tuple[VerbPhrase, ...]:
    """Return the acts of a table's cell: sorts of news and lines of undertakings.tsv.

    `news` is all sorts of news.
    """
    sorts = {row["sort"] for row in table("news")}
    phrases: list[VerbPhrase] = []
    for name in sets.split():
        tones = () if name == "news" else (name,)
        phrases += (
            [act.phrase for act in news(*tones)]
            if name == "news" or name in sorts
            else undertakings(name)
        )
    return tuple(dict.fromkeys(phrases))


@cache
def family_acts(sort: str) -> tuple[VerbPhrase, ...]:
    """Return what each of somebody's sisters can have done: a `habit` or a `memory`."""
    rows = [row for row in table("family") if row["sort"] == sort]
    return tuple(read_act(text) for row in rows for text in row["acts"].split(" | "))


def pair_by_tone(feelings: Iterable[tuple[str, VerbPhrase]]) -> list[tuple[VerbPhrase, Act]]:
    """Pair each feeling with every piece of news of its tones or sorts.

    A feeling without any is paired with all news.
    """
    return [(phrase, act) for tone, phrase in feelings for act in news(*(tone.split()))]


@cache
def moods(clause: str) -> list[tuple[VerbPhrase, Act]]:
    """Return "was glad" and the like, each with news that bring it on in a clause: when, if."""
    return pair_by_tone(
        (row["news"], VerbPhrase(BE, row["mood"]))
        for row in table("moods")
        if row["clause"] == clause
    )
