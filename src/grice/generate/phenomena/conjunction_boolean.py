"""Conjuncts removed, added and replaced where and, or, but and nor have their logical meaning."""

from __future__ import annotations

from collections.abc import Callable

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate._scenes import Act, episodes, shared_acts
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

# What someone may have done in a city.
IN_TOWN = (
    ("lived", "live"),
    ("worked", "work"),
    ("studied", "study"),
    ("taught", "teach"),
    ("performed", "perform"),
    ("stayed", "stay"),
    ("gave a talk", "give a talk"),
    ("opened a shop", "open a shop"),
    ("ran a marathon", "run a marathon"),
)


def _slots(words: Words, cell: Conditions) -> Slots:
    cities = [noun.singular for noun in words.nouns_of("city")]
    open_: dict[str, Slots] = {
        "object": {
            "line": conjuncts.transitive_verbs(),
            "order": conjuncts.ordered_pairs(5),
            "who": words.people,
        },
        "verb phrase": {"deed": episodes(), "who": words.people},
        "subject": {"manner": shared_acts(), "who": words.people},
        "adjective": {
            "thing": conjuncts.things(),
            "order": conjuncts.ordered_pairs(6),
            "owner": words.names,
        },
        "place": {"city": cities, "did": IN_TOWN, "who": words.people},
        "clause": {"manner": shared_acts(), "who": words.people},
    }
    return open_[cell["frame"].partition(", ")[2]]


def _build(draw: Draw) -> list[NewItem]:
    connective, _, where = draw.cell["frame"].partition(", ")
    return conjuncts.conjunct_rows(connective, FRAMES[where](draw))


def _object(draw: Draw) -> conjuncts.Frame:
    who, line, (first, second) = draw["who"].text, draw["line"], draw["order"]
    third = draw.rng.pick_other(range(5), first, second)
    objects = line.objects[first], line.objects[second], line.objects[third]
    return conjuncts.EndConjuncts(
        "NP", f"{who} {line.verb.past}", f"{who} didn't {line.verb.base}", objects
    )


def _verb_phrase(draw: Draw) -> conjuncts.Frame:
    return conjuncts.VerbConjuncts(draw["who"].text, _three(draw, draw["deed"]))


def _three(draw: Draw, first: Act) -> tuple[VerbPhrase, VerbPhrase, VerbPhrase]:
    """Return a phrase and two others that go with it."""
    second = first.pick_companion(draw.rng)
    return first.phrase, second, first.pick_companion(draw.rng, second)


def _people(draw: Draw) -> tuple[grammar.Subject, grammar.Subject, grammar.Subject]:
    """Return three names or three relations, so that the order of two is uninformative."""
    first = draw["who"]
    alike = draw.words.people_like(first)
    second = draw.rng.pick_other(alike, first)
    return first, second, draw.rng.pick_other(alike, first, second)


def _subject(draw: Draw) -> conjuncts.Frame:
    return conjuncts.SubjectConjuncts(_people(draw), draw["manner"].phrase)


def _adjective(draw: Draw) -> conjuncts.Frame:
    noun, adjectives = draw["thing"]
    first, second = draw["order"]
    third = draw.rng.pick_other(range(6), first, second)
    owned = f"{grammar.possessive(draw['owner'].name)} {noun}"
    was = grammar.be(
        "past",
        plural=noun.endswith("s") and not noun.endswith("ss") and noun not in ("bus", "boss"),
    )
    chosen = adjectives[first], adjectives[second], adjectives[third]
    return conjuncts.EndConjuncts(
        "AdjP", f"{owned} {was}", f"{owned} {grammar.negate(was)}", chosen
    )


def _place(draw: Draw) -> conjuncts.Frame:
    cities = [noun.singular for noun in draw.words.nouns_of("city")]
    second = draw.rng.pick_other(cities, draw["city"])
    third = draw.rng.pick_other(cities, draw["city"], second)
    (past, base), who = draw["did"], draw["who"].text
    where = f"in {draw['city']}", f"in {second}", f"in {third}"
    return conjuncts.EndConjuncts("PP", f"{who} {past}", f"{who} didn't {base}", where)


def _clause(draw: Draw) -> conjuncts.Frame:
    # "But" needs a contrast: one did what another didn't.
    alike = draw.cell["frame"].startswith("but")
    return conjuncts.ClauseConjuncts(
        _people(draw), (draw["manner"].phrase,) * 3 if alike else _three(draw, draw["manner"])
    )


FRAMES: dict[str, Callable[[Draw], conjuncts.Frame]] = {
    "object": _object,
    "verb phrase": _verb_phrase,
    "subject": _subject,
    "adjective": _adjective,
    "place": _place,
    "clause": _clause,
}


conjunction_boolean = conjuncts.conjunction_phenomenon(
    "conjunction_boolean",
    slots=_slots,
    build=_build,
    conditions={
        "frame": tuple(
            f"{word}, {where}"
            for where in FRAMES
            for word in ("and", "or", "but", "nor")
            if (word, where) != ("nor", "clause")
        )
    },
)
