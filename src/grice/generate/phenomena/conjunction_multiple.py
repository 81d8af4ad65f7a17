"""Two coordinations in one sentence: who did it, and what they did."""

from __future__ import annotations

from collections.abc import Sequence

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate._scenes import shared_acts
from grice.generate.phenomenon import Draw, NewItem
from grice.theory.conjuncts import logical_labels
from grice.theory.worlds import C


def _build(draw: Draw) -> list[NewItem]:
    outer, inner = draw.cell["connectives"].split(", ")
    first_name = draw["who"].name
    second_person = draw.rng.pick_other(draw.words.names, draw["who"])
    third_name = draw.rng.pick_other(draw.words.names, draw["who"], second_person).name
    first, second = draw["act"].phrase, draw["act"].pick_companion(draw.rng)
    people, did = (
        f"{first_name} {outer} {second_person.name}",
        f"{first.past} {inner} {second.past}",
    )
    full = grammar.sentence(people, did)
    people_label, deeds_label = logical_labels(outer), logical_labels(inner)
    denied = (
        grammar.sentence(
            "neither", first_name, "nor", second_person.name, first.past, inner, second.past
        )
        if outer == "or"
        else grammar.sentence(first_name, "didn't", first.base, "or", second.base)
    )
    connectives = (outer, inner)
    pairs = (
        (full, grammar.sentence(first_name, did), "removed", people_label.removed, connectives),
        (full, grammar.sentence(people, first.past), "removed", deeds_label.removed, connectives),
        (grammar.sentence(people, first.past), full, "added", deeds_label.added, connectives),
        (
            full,
            grammar.sentence(f"{first_name} {outer} {third_name}", did),
            "replaced",
            people_label.replaced,
            connectives,
        ),
        (full, denied, "", C, (*connectives, "nor" if outer == "or" else "or")),
    )
    return [
        NewItem(premise, hypothesis, {"label": label}, _tags(used, operation, negation=label == C))
        for premise, hypothesis, operation, label, used in pairs
    ]


def _tags(
    words: Sequence[str], operation: str, *, negation: bool
) -> dict[str, str | tuple[str, ...]]:
    used = tuple(dict.fromkeys(words))
    return conjuncts.tags(used, operation, category="NP", multiple=True, negation=negation)


conjunction_multiple = conjuncts.conjunction_phenomenon(
    "conjunction_multiple",
    slots=lambda words, _cell: {"act": shared_acts(), "who": words.names},
    build=_build,
    # Not "or" twice: "Ana or Ben sang or danced" is unnatural.
    conditions={"connectives": ("and, and", "and, or", "or, and")},
    marked=("connectives",),
)
