"""Who does what where: people, places and acts that belong together, from scenes.tsv and
episodes.tsv.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from grice.core.errors import unknown
from grice.generate._random import Rng
from grice.generate.grammar import Verb, VerbPhrase
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
    """Something that people do on one occasion, and what goes with it there: any two of these stand
    well together under and, or and but.

    `earlier` are those of the others that are done before it, where the table puts them in the
    order of time.
    """

    phrase: VerbPhrase
    sort: str
    others: tuple[VerbPhrase, ...]
    earlier: tuple[VerbPhrase, ...] = ()

    def pick_companion(self, rng: Rng, *taken: VerbPhrase) -> VerbPhrase:
        """Another act of the same cluster, none of those taken."""
        return rng.pick_other(self.others, *taken)


class SceneEntry(NamedTuple):
    """A line of scenes.tsv: whether `few` people come, `many` or a `mass`, places, people of whom
    there are several, people of whom there is one, and acts.
    """

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
        """The people with their place: "guests at Ana's wedding"; with `other`, other people at the
        same place.
        """
        group = other.pick_other(self.scene.groups, self.group) if other else self.group
        return f"{group} {locate(self.place, tie)}"


class Occasion(NamedTuple):
    """Several people at a place of their own, and something that each of them may do there."""

    crowd: Crowd
    act: Act

    def who(self, tie: int, *, other: Rng | None = None) -> str:
        """The people with their place, or others at the same place; see `Crowd.text`."""
        return self.crowd.text(tie, other=other)


class Post(NamedTuple):
    """One person who is at a place because of what they do: the photographer at the wedding."""

    scene: SceneEntry
    person: str
    place: str


def locate(place: str, tie: int) -> str:
    """The place with its name or city: "at *'s wedding" and "at the zoo in @" become one wedding
    and one zoo.
    """
    name, city = _ties()[tie]
    return place.replace("*", name).replace("@", city)


@cache
def _ties() -> tuple[tuple[str, str], ...]:
    """A name and a city each; every third name, so that none of the origins by which names are
    ordered outweighs the others.
    """
    words = lexicon()
    cities = words.nouns_of("city")
    return tuple((words.names[3 * tie].name, cities[tie].singular) for tie in TIES)


@cache
def _verbs() -> dict[str, Verb]:
    return {row["base"]: read_verb(row) for name in reversed(_FORMS) for row in table(name)}


def read_act(text: str, aspect: str = "moment") -> VerbPhrase:
    """The phrase of an act in its base form, "dance until midnight"; some table must have the forms
    of its verb.
    """
    first, _, rest = text.partition(" ")
    second, _, after = rest.partition(" ")
    if f"{first} {second}" in _verbs():
        return VerbPhrase(_verbs()[f"{first} {second}"], after, aspect)
    if first not in _verbs():
        raise unknown("verb of an act", first, _verbs(), "Give its forms in words/verb_forms.tsv")
    return VerbPhrase(_verbs()[first], rest, aspect)


def _acts(cell: str, sort: str, *, in_order: bool = False) -> tuple[Act, ...]:
    """The acts of a cell, each with the others of its cluster; `in_order` if a cluster tells what
    is done first.
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
    """Every line of scenes.tsv."""
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
    """Every combination of people, place and act of one scene."""
    return tuple(Occasion(crowd, act) for crowd in crowds() for act in crowd.scene.acts)


@cache
def crowds(*sizes: str) -> tuple[Crowd, ...]:
    """Every combination of people and place of one scene; `few` keeps where two or three may be,
    `many` where ten or a hundred.
    """
    chosen = [scene for scene in scenes() if not sizes or scene.size in sizes]
    return tuple(
        Crowd(scene, group, place)
        for scene in chosen
        for group in scene.groups
        for place in scene.places
    )


@cache
def posts() -> tuple[Post, ...]:
    """Every combination of one person and a place of their own."""
    return tuple(
        Post(scene, person, place)
        for scene in scenes()
        for person in scene.staff
        for place in scene.places
    )


@cache
def shared_acts() -> tuple[Act, ...]:
    """What several people may each do, so that "only", "even" and "too" have others to speak of."""
    return tuple(act for scene in scenes() for act in scene.acts)


@cache
def episodes() -> tuple[Act, ...]:
    """What one person does among other things on one occasion, and what comes before it: peel the
    potatoes, lay the table.
    """
    return tuple(
        act for row in table("episodes") for act in _acts(row["acts"], row["scene"], in_order=True)
    )


@cache
def news(*kinds: str, asks: str = "") -> tuple[Act, ...]:
    """What is worth telling, its tone (good or bad) being the sort: all of it, or that of some
    tones or sorts.

    `asks` keeps that of which one asks this question: why, when or how.
    """
    rows = [
        row for row in table("news") if not kinds or row["tone"] in kinds or row["sort"] in kinds
    ]
    chosen = [row for row in rows if not asks or asks in row["asks"].split()]
    return tuple(act for row in chosen for act in _acts(row["acts"], row["tone"]))


@cache
def undertakings(name: str = "") -> tuple[VerbPhrase, ...]:
    """What people try, promise, forget or refuse to do: all of undertakings.tsv, or one line of it."""
    rows = [row for row in table("undertakings") if name in ("", row["set"])]
    if not rows:
        raise unknown(
            "line of undertakings.tsv", name, [row["set"] for row in table("undertakings")]
        )
    return tuple(dict.fromkeys(read_act(text) for row in rows for text in row["acts"].split(" | ")))


@cache
def suited_acts(sets: str) -> tuple[VerbPhrase, ...]:
    """The acts of a table's cell: sorts of news, `news` being all of them, and lines of
    undertakings.tsv.
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
    """What each of somebody's sisters may have done: a `habit` or a `memory`."""
    rows = [row for row in table("family") if row["sort"] == sort]
    return tuple(read_act(text) for row in rows for text in row["acts"].split(" | "))


def pair_by_tone(feelings: Iterable[tuple[str, VerbPhrase]]) -> list[tuple[VerbPhrase, Act]]:
    """Each feeling, given with its tones or sorts, with every piece of news that may cause it;
    without any it goes with all.
    """
    return [(phrase, act) for tone, phrase in feelings for act in news(*(tone.split()))]
