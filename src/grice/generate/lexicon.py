"""The words: tables of `words/*.tsv`, read when first needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from grice.core.errors import InputError, bad_line, unknown
from grice.generate import grammar
from grice.generate.grammar import Subject, Verb, VerbPhrase

WORDS = Path(__file__).with_name("words")
# How many objects each verb meets over all its lines. The same for all, so that no verb outweighs another.
OBJECTS_PER_VERB = 24


class Noun(NamedTuple):
    """A common noun; `plural` is empty for a mass noun, `singular` for a noun that has only a plural."""

    singular: str
    plural: str
    kinds: tuple[str, ...]

    @property
    def countable(self) -> bool:
        return bool(self.singular and self.plural)


class Name(NamedTuple):
    name: str
    gender: str
    origin: str


class Adjective(NamedTuple):
    """`of` are the kinds of thing it is said of."""

    word: str
    of: tuple[str, ...]


class Adverbial(NamedTuple):
    """A time or a place: `kind` is past, future, now, habit; or indoors, outdoors, town."""

    text: str
    kind: str


@dataclass(frozen=True)
class VerbEntry:
    """A line of verbs.tsv: forms, and who does it to what."""

    verb: Verb
    link: str
    subjects: tuple[str, ...]
    objects: tuple[str, ...]
    articles: tuple[str, ...]
    aspect: str
    tail: str


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a tab-separated table as mappings from column to text; lines that start with # are remarks."""
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
                path, number, f"{len(cells)} cells under {len(header)} columns", "separate them by one tab"
            )
        else:
            rows.append(dict(zip(header, cells, strict=True)))
    return rows


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """One of our own tables: `table("names")` reads words/names.tsv."""
    path = WORDS / f"{name}.tsv"
    if not path.is_file():
        raise unknown("table of words", name, (p.stem for p in WORDS.glob("*.tsv")))
    return tuple(read_table(path))


class Words:
    """Every table as typed words, and the lists that phenomena draw from; each is made when first asked for."""

    @cached_property
    def kinds(self) -> dict[str, str]:
        """A kind of thing to the kind above it; the top ones stand under the empty string."""
        return {row["kind"]: row["above"] for row in table("kinds")}

    @cached_property
    def names(self) -> tuple[Name, ...]:
        return tuple(Name(row["name"], row["gender"], row["origin"]) for row in table("names"))

    @cached_property
    def nouns(self) -> tuple[Noun, ...]:
        return tuple(
            Noun(row["singular"], row["plural"], tuple(row["kinds"].split())) for row in table("nouns")
        )

    @cached_property
    def adjectives(self) -> tuple[Adjective, ...]:
        return tuple(Adjective(row["adjective"], tuple(row["of"].split())) for row in table("adjectives"))

    @cached_property
    def times(self) -> tuple[Adverbial, ...]:
        """When, each of the kind past, future, now or habit."""
        return tuple(Adverbial(row["time"], row["kind"]) for row in table("times"))

    @cached_property
    def places(self) -> tuple[Adverbial, ...]:
        """Where, each of the kind indoors, outdoors or town."""
        return tuple(Adverbial(row["place"], row["kind"]) for row in table("places"))

    @cached_property
    def verbs(self) -> tuple[VerbEntry, ...]:
        return tuple(_verb_entry(row) for row in table("verbs"))

    @cached_property
    def _by_kind(self) -> dict[str, tuple[Noun, ...]]:
        found: dict[str, list[Noun]] = {}
        for noun in self.nouns:
            for kind in dict.fromkeys(above for own in noun.kinds for above in self.above(own)):
                found.setdefault(kind, []).append(noun)
        return {kind: tuple(nouns) for kind, nouns in found.items()}

    def above(self, kind: str) -> list[str]:
        """The kind itself and all that stand above it."""
        chain = []
        while kind:
            if kind not in self.kinds:
                raise unknown("kind of thing", kind, self.kinds)
            chain.append(kind)
            kind = self.kinds[kind]
        return chain

    def nouns_of(self, *kinds: str) -> tuple[Noun, ...]:
        """The nouns of these kinds or of one below them, each once."""
        for kind in kinds:
            if kind not in self.kinds:
                raise unknown("kind of thing", kind, self.kinds)
        return tuple(dict.fromkeys(noun for kind in kinds for noun in self._by_kind.get(kind, ())))

    @cached_property
    def people(self) -> tuple[Subject, ...]:
        """One person each: names first, then "the nurse"; singular."""
        named = (Subject(n.name, False, n.gender) for n in self.names)
        roles = (Subject(f"the {n.singular}", False, "") for n in self.roles)
        return (*named, *roles)

    @cached_property
    def roles(self) -> tuple[Noun, ...]:
        """Countable nouns for people by what they do."""
        return tuple(noun for noun in self.nouns_of("role") if noun.countable)

    @cached_property
    def scenes(self) -> tuple[VerbPhrase, ...]:
        """What a person may do: each verb with the same number of objects that fit it; verbs and nouns are even."""
        return self.scenes_of()

    def scenes_of(self, *aspects: str, subject: str = "person") -> tuple[VerbPhrase, ...]:
        """The scenes whose verb has one of these aspects (any, if none is given) and takes this kind of subject."""
        return self._scenes(aspects, subject)

    @cache  # noqa: B019  there is one Words for a process
    def _scenes(self, aspects: tuple[str, ...], subject: str) -> tuple[VerbPhrase, ...]:
        entries: dict[str, list[VerbEntry]] = {}
        for entry in self.verbs:
            if subject in entry.subjects and (not aspects or entry.aspect in aspects):
                entries.setdefault(entry.verb.base.partition(" ")[0], []).append(entry)
        used: Counter[str] = Counter()
        found: dict[tuple[str, str], VerbPhrase] = {}
        for same in entries.values():
            for entry in same:
                for rest in self._rests(entry, used, -(-OBJECTS_PER_VERB // len(same))):
                    found.setdefault((entry.verb.base, rest), VerbPhrase(entry.verb, rest, entry.aspect))
        return tuple(found.values())

    def _rests(self, entry: VerbEntry, used: Counter[str], most: int) -> list[str]:
        """What may follow the verb; of the nouns that fit, those least used so far."""
        if not entry.objects:
            return [grammar.join(entry.link, entry.tail)]
        fitting = list(self.nouns_of(*entry.objects))
        fitting.sort(key=lambda noun: used[noun.singular or noun.plural])
        rests = []
        for place, noun in enumerate(fitting[:most]):
            used[noun.singular or noun.plural] += 1
            phrase = grammar.noun_phrase(
                entry.articles[place % len(entry.articles)], noun.singular, noun.plural
            )
            rests.append(grammar.join(entry.link, phrase, entry.tail))
        return rests


@cache
def lexicon() -> Words:
    """The words of this package."""
    return Words()


def _verb_entry(row: dict[str, str]) -> VerbEntry:
    forms = Verb(row["base"], row["third"], row["past"], row["participle"], row["gerund"])
    articles: Sequence[str] = row["articles"].split()
    objects = tuple(row["objects"].split())
    return VerbEntry(
        forms,
        row["link"],
        tuple(row["subjects"].split()),
        objects,
        tuple(articles),
        row["aspect"],
        row["tail"],
    )
