"""The lexicon: the tables of `words/*.tsv` as typed words, read when first needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from grice.core.errors import InputError, bad_line, unknown
from grice.generate import grammar
from grice.generate._random import Rng
from grice.generate.grammar import BE, Subject, Verb, VerbPhrase

WORDS = Path(__file__).with_name("words")
# Raised whenever the same name and seed give other sentences than before; the card of every set
# that is made tells it.
WORDS_VERSION = 8
# How many objects each verb meets over all its lines. The same for all, so that no verb outweighs
# another.
OBJECTS_PER_VERB = 24
# The number of people who are identified as someone's sister, boss or cousin.
RELATIVES = 150
NEXT_DOOR = ("the woman next door", "the man next door", "the girl next door", "the boy next door")


class Noun(NamedTuple):
    """A common noun; `plural` is empty for mass nouns, `singular` for plural-only nouns."""

    singular: str
    plural: str
    kinds: tuple[str, ...]

    @property
    def countable(self) -> bool:
        """True if it has a singular and a plural."""
        return bool(self.singular and self.plural)


class PersonName(NamedTuple):
    """A first name; gender is f or m."""

    name: str
    gender: str
    origin: str


class Adjective(NamedTuple):
    """`of` are the kinds of thing it is said of.

    Of a person it names a state or a trait (`sort`) in some `field`; two of one field may exclude
    each other.
    """

    word: str
    of: tuple[str, ...]
    sort: str
    field: str


class Time(NamedTuple):
    """When something happens; `kind` is past, future, now or habit."""

    text: str
    kind: str


@dataclass(frozen=True)
class VerbEntry:
    """A line of verbs.tsv: the forms, and the kinds of subject and object."""

    verb: Verb
    link: str
    subjects: tuple[str, ...]
    objects: tuple[str, ...]
    articles: tuple[str, ...]
    aspect: str
    tail: str
    counted: str

    @property
    def head(self) -> str:
        """The verb without its particle: "pick" of "pick up"."""
        return self.verb.base.partition(" ")[0]


class VerbObject(NamedTuple):
    """A verb with a noun that fits it, without a determiner."""

    entry: VerbEntry
    noun: Noun
    article: str

    @property
    def object(self) -> str:
        """The noun under the article that the verb prefers: "the kite", "a kite"."""
        return grammar.noun_phrase(self.article, self.noun.singular, self.noun.plural)

    def phrase(self, object_: str = "") -> VerbPhrase:
        """Return the verb phrase, with another object if one is given: `deed.phrase("it")`."""
        entry = self.entry
        rest = grammar.join(entry.link, object_ or self.object, entry.tail)
        return VerbPhrase(entry.verb, rest, entry.aspect)


def read_table(path: Path) -> list[dict[str, str]]:
    """Read a tab-separated table as mappings from column to text; skip lines that start with #."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise InputError(f"{path}: no such table of words; check the path") from None
    header: list[str] = []
    rows = []
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if not header:
            header = cells
        elif len(cells) != len(header):
            raise bad_line(
                path,
                number,
                f"{len(cells)} cells under {len(header)} columns",
                "separate them by one tab",
            )
        else:
            rows.append(dict(zip(header, cells, strict=True)))
    return rows


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """Read one of our own tables: `table("names")` is words/names.tsv."""
    path = WORDS / f"{name}.tsv"
    if not path.is_file():
        raise unknown("table of words", name, sorted(p.stem for p in WORDS.glob("*.tsv")))
    return tuple(read_table(path))


def word_list(name: str) -> tuple[str, ...]:
    """Return a list of words/lists.tsv: `word_list("denials")`."""
    return next(tuple(row["words"].split(" | ")) for row in table("lists") if row["list"] == name)


def read_verb(row: Mapping[str, str]) -> Verb:
    """Return the verb of a row that has its five forms; `BE` for "be"."""
    return BE if row["base"] == "be" else Verb(*(row[form] for form in Verb._fields))


@cache
def vocabulary() -> frozenset[str]:
    """Return every lower-case word of our own tables."""
    tables = (path.read_text(encoding="utf-8") for path in WORDS.glob("*.tsv"))
    return frozenset(word for text in tables for word in re.findall(r"[a-z]+", text))


class Words:
    """The general tables as typed words, and lists for phenomena, each made when first used."""

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Each kind of thing with the kind above it, which is empty for the top ones."""
        return {row["kind"]: row["above"] for row in table("kinds")}

    @cached_property
    def names(self) -> tuple[PersonName, ...]:
        """First names, over 500."""
        return tuple(
            PersonName(row["name"], row["gender"], row["origin"]) for row in table("names")
        )

    @cached_property
    def nouns(self) -> tuple[Noun, ...]:
        """Common nouns and cities."""
        return tuple(
            Noun(row["singular"], row["plural"], tuple(row["kinds"].split()))
            for row in table("nouns")
        )

    @cached_property
    def adjectives(self) -> tuple[Adjective, ...]:
        """Adjectives, with what they are said of."""
        return tuple(
            Adjective(row["adjective"], tuple(row["of"].split()), row["sort"], row["field"])
            for row in table("adjectives")
        )

    @cached_property
    def times(self) -> tuple[Time, ...]:
        """Adverbials of time."""
        return tuple(Time(row["time"], row["kind"]) for row in table("times"))

    @cached_property
    def verbs(self) -> tuple[VerbEntry, ...]:
        """Every line of verbs.tsv."""
        return tuple(_verb_entry(row) for row in table("verbs"))

    @cached_property
    def _by_kind(self) -> dict[str, tuple[Noun, ...]]:
        nouns_by_kind: dict[str, list[Noun]] = {}
        for noun in self.nouns:
            for kind in dict.fromkeys(above for own in noun.kinds for above in self.ancestors(own)):
                nouns_by_kind.setdefault(kind, []).append(noun)
        return {kind: tuple(nouns) for kind, nouns in nouns_by_kind.items()}

    def ancestors(self, kind: str) -> list[str]:
        """Return the kind itself and all kinds above it."""
        chain = []
        while kind:
            if kind not in self.kinds:
                raise unknown("kind of thing", kind, self.kinds)
            chain.append(kind)
            kind = self.kinds[kind]
        return chain

    def nouns_of(self, *kinds: str) -> tuple[Noun, ...]:
        """Return the nouns of these kinds or of one below them, each once."""
        for kind in kinds:
            if kind not in self.kinds:
                raise unknown("kind of thing", kind, self.kinds)
        return tuple(dict.fromkeys(noun for kind in kinds for noun in self._by_kind.get(kind, ())))

    def singulars(self, cell: str) -> list[str]:
        """Return the singulars of a table's cell: kinds of noun, or after = a list with commas."""
        if cell.startswith("="):
            return cell[1:].split(",")
        return [noun.singular for noun in self.nouns_of(*cell.split()) if noun.singular]

    @cached_property
    def named_people(self) -> tuple[Subject, ...]:
        """People by name alone."""
        return tuple(Subject(n.name, False, n.gender) for n in self.names)

    @cached_property
    def people(self) -> tuple[Subject, ...]:
        """Single people: names first, then relatives such as "Ana's sister".

        "My sister" is not used: in quoted words she would be another's.
        """
        relations = [row["singular"] for row in table("relations")]
        owned = (
            f"{self.names[3 * index].name}'s {relations[index % len(relations)]}"
            for index in range(RELATIVES)
        )
        others = (*NEXT_DOOR, *owned)
        return (*self.named_people, *(Subject(text) for text in others))

    def people_like(self, person: Subject) -> tuple[Subject, ...]:
        """Return all people of the same sort: names for a name, relations for a relation."""
        names = len(self.names)
        return self.people[:names] if person.gender else self.people[names:]

    @cached_property
    def relatives(self) -> tuple[Subject, ...]:
        """Several people each, by their relation to someone: "Ana's sisters"."""
        plurals = [row["plural"] for row in table("relations") if row["plural"]]
        return tuple(
            Subject(f"{person.name}'s {plurals[index % len(plurals)]}", True)
            for index, person in enumerate(self.names)
        )

    @cached_property
    def roles(self) -> tuple[Noun, ...]:
        """Countable nouns for people by occupation."""
        return tuple(noun for noun in self.nouns_of("role") if noun.countable)

    @cached_property
    def scenes(self) -> tuple[VerbPhrase, ...]:
        """Verbs with objects for a person: each verb has the same number of nouns, evenly used."""
        return self.scenes_of()

    @cache  # noqa: B019  there is one Words for a process
    def scenes_of(self, *aspects: str, subject: str = "person") -> tuple[VerbPhrase, ...]:
        """Return the scenes whose verb has one of these aspects and takes this kind of subject.

        Without aspects, any aspect.

        The subject is a `person`, or a `crowd`: several people, each of whom does it.
        """
        phrases = (deed.phrase() for deed in self.verb_objects(*aspects, subject=subject))
        return tuple({(phrase.verb.base, phrase.rest): phrase for phrase in phrases}.values())

    @cache  # noqa: B019  there is one Words for a process
    def verb_objects(
        self, *aspects: str, subject: str = "person", counted: str = ""
    ) -> tuple[VerbObject, ...]:
        """Return verbs with nouns that fit.

        `counted` selects what can be done to `few` things, or to `many`.
        """
        entries: dict[str, list[VerbEntry]] = {}
        for entry in self.verbs:
            fits = subject in entry.subjects and (not aspects or entry.aspect in aspects)
            if fits and (not counted or entry.counted in (counted, "many")):
                entries.setdefault(entry.head, []).append(entry)
        used: Counter[Noun] = Counter()
        options: dict[tuple[str, str, str, Noun], VerbObject] = {}
        for same in entries.values():
            for index, entry in enumerate(same, 1):
                max_nouns = OBJECTS_PER_VERB * index // len(same) - OBJECTS_PER_VERB * (
                    index - 1
                ) // len(same)
                for deed in self._deeds(entry, used, max_nouns, bool(counted)):
                    options.setdefault((entry.verb.base, entry.link, entry.tail, deed.noun), deed)
        return tuple(options.values())

    def partner(self, deed: VerbObject, rng: Rng) -> VerbObject:
        """Return the same verb with another noun of the same kind that fits it."""
        fits = set(deed.entry.objects)
        alike = self.nouns_of(
            *(kind for kind in deed.noun.kinds if fits & set(self.ancestors(kind)))
        )
        while True:
            noun = rng.pick_other(alike, deed.noun)
            # "The tree or the apple tree" would not be two things.
            if not _overlap(noun, deed.noun):
                return VerbObject(deed.entry, noun, deed.article)

    def _deeds(
        self, entry: VerbEntry, used: Counter[Noun], most: int, counted: bool
    ) -> Iterator[VerbObject]:
        """Yield the verb with the least used of the nouns that fit it."""
        fitting = [noun for noun in self.nouns_of(*entry.objects) if noun.countable or not counted]
        fitting.sort(key=used.__getitem__)
        for index, noun in enumerate(fitting[:most]):
            used[noun] += 1
            yield VerbObject(entry, noun, entry.articles[index % len(entry.articles)])


@cache
def lexicon() -> Words:
    """Return the words of this package."""
    return Words()


def _overlap(noun: Noun, other: Noun) -> bool:
    """Return whether one name is the end of the other: a bike and a mountain bike."""
    a, b = noun.singular or noun.plural, other.singular or other.plural
    return a.endswith(b) or b.endswith(a)


def _verb_entry(row: dict[str, str]) -> VerbEntry:
    subjects, objects, articles = (
        tuple(row[key].split()) for key in ("subjects", "objects", "articles")
    )
    verb = Verb(*(row[form] for form in Verb._fields))
    return VerbEntry(
        verb, row["link"], subjects, objects, articles, row["aspect"], row["tail"], row["counted"]
    )
