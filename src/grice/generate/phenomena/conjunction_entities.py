""" "And" inside a name: "The Fox and Hounds" is one pub."""

from __future__ import annotations

from functools import cache

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate.lexicon import table, word_list
from grice.generate.phenomenon import Draw, NewItem
from grice.theory.conjuncts import LOGIC, replaced_label

NOVEL = ('the novel "{}"', 'the novel "{}" and the novel "{}"')
FILM = ('the film "{}"', 'the film "{}" and the film "{}"')
PUB = ("at a pub called the {}", "at a pub called the {} and another called the {}")
FIRM = ("the {1} {0}", "the {2} {0} and the {2} {1}")
# The name of one thing is followed by a time as long as what a list of two has more, so that length
# does not tell them apart.
WHEN = {
    2: ("last week", "last month", "last year", "last summer"),
    3: ("two years ago", "a week ago", "the other day", "three days ago"),
}
DID = {
    "book": ("read", "reviewed", "bought", "borrowed", "lost", "recommended", "finished"),
    "film": ("watched", "saw", "missed", "recommended", "discussed", "reviewed", "praised"),
    "pub": (
        "had lunch",
        "had a drink",
        "celebrated",
        "had dinner",
        "lost a scarf",
        "played darts",
        "met a friend",
    ),
    "firm": (
        "wrote to",
        "visited",
        "sued",
        "phoned",
        "was hired by",
        "recommended",
        "complained about",
    ),
}
FIRMS = word_list("firms")
PARTS = {"book": "title", "film": "title", "pub": "pub", "firm": "firm"}


@cache
def name_parts(kind: str) -> tuple[str, ...]:
    """Return the parts from which names of a kind are made."""
    return tuple(row["part"] for row in table("entities") if row["kind"] == PARTS[kind])


def _build(draw: Draw) -> list[NewItem]:
    kind, first = draw.cell["entity"], draw["half"]
    firm = draw.rng.pick(FIRMS)
    second = draw.rng.pick_other(name_parts(kind), first)
    third = draw.rng.pick_other(name_parts(kind), first, second)
    single, double = {"book": NOVEL, "film": FILM, "pub": PUB, "firm": FIRM}[kind]

    when = draw.rng.pick(WHEN[3 if kind == "pub" or (kind == "firm" and " " in firm) else 2])

    def say(name: str, *when: str) -> str:
        return grammar.sentence(draw["who"].text, draw["did"], single.format(name, firm), *when)

    full, unrelated = say(f"{first} and {second}", when), say(f"{first} and {third}", when)
    left, right = say(first), say(second)
    listed = grammar.sentence(draw["who"].text, draw["did"], double.format(first, second, firm))
    entity = conjuncts.tags(("and",), "removed", usage="entity", category="NP")
    control = conjuncts.tags(("and",), "removed", category="NP")
    return [
        NewItem(full, left, {"label": LOGIC["entity"].removed}, entity),
        NewItem(left, full, {"label": LOGIC["entity"].added}, {**entity, "operation": "added"}),
        NewItem(
            full, unrelated, {"label": replaced_label("other")}, {**entity, "operation": "replaced"}
        ),
        NewItem(listed, left, {"label": LOGIC["and"].removed}, control),
        NewItem(listed, right, {"label": LOGIC["and"].removed}, control),
    ]


conjunction_entities = conjuncts.conjunction_phenomenon(
    "conjunction_entities",
    slots=lambda words, cell: {
        "half": name_parts(cell["entity"]),
        "did": DID[cell["entity"]],
        "who": words.people,
    },
    build=_build,
    conditions={"entity": tuple(DID)},
    fixed=tuple(
        dict.fromkeys(
            word
            for phrases in (*DID.values(), FIRMS)
            for phrase in phrases
            for word in phrase.split()
        )
    ),
)
