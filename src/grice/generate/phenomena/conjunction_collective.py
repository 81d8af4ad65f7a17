"""Collective "and": totals reached together, and measures in two units."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.conjuncts import LOGIC, replaced_label
from grice.theory.worlds import C, E

NUMBERS = 60
# Steps that keep the smaller unit below one larger unit and sound natural: 25 minutes, 8 ounces.
STEP = {"minutes": 5, "pence": 10, "ounces": 2, "inches": 1, "days": 1}


class Count(NamedTuple):
    """Something counted ("sold", "raffle tickets") or measured ("lasted", "film", "hours")."""

    past: str
    thing: str
    unit: str
    part: str
    low: int
    high: int

    def number(self, position: int) -> int:
        """Return one of NUMBERS different numbers of the range, none of them round by design."""
        return self.low + position * max(1, (self.high - self.low) // NUMBERS)


@cache
def counts(sort: str) -> tuple[Count, ...]:
    """Return what can be added up (`sum`) or measured in two units (`measure`)."""
    return tuple(
        Count(row["verb"], thing, row["unit"], row["part"], int(row["low"]), int(row["high"]))
        for row in table("collectives")
        if row["sort"] == sort
        for thing in row["things"].split(" | ")
    )


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["frame"] == "total":
        return {"count": counts("sum"), "number": range(NUMBERS), "who": words.names}
    return {
        "count": counts("measure"),
        "owner": words.names,
        "whole": range(2, 7),
        "rest": range(2, 7),
    }


def _build(draw: Draw) -> list[NewItem]:
    return _total(draw) if draw.cell["frame"] == "total" else _measure(draw)


def _total(draw: Draw) -> list[NewItem]:
    names = draw.words.names
    first_name, count = draw["who"].name, draw["count"]
    two = draw.rng.pick_other(names, draw["who"])
    three = draw.rng.pick_other(names, draw["who"], two)
    did = f"{count.past} {count.number(draw['number']):,} {count.thing}"
    together = grammar.sentence(f"{first_name} and {two.name} together", did, "in total")
    # What was done together someone may also be said to have done, but not without help; which is
    # as long as "in total".
    distributive = grammar.sentence(f"{first_name} and {two.name} each", did, "without help")
    alone, second_alone = (
        grammar.sentence(name, did, "without help") for name in (first_name, two.name)
    )
    instead = grammar.sentence(f"{first_name} and {three.name} together", did, "in total")
    collective = {"usage": "collective", "category": "NP"}
    return [
        _row(together, alone, C, "removed", **collective),
        _row(together, second_alone, C, "removed", **collective),
        _row(together, instead, replaced_label("other"), "replaced", **collective),
        _row(distributive, alone, LOGIC["and"].removed, "removed", category="NP", quantifier=True),
        _row(alone, distributive, LOGIC["and"].added, "added", category="NP", quantifier=True),
    ]


def _measure(draw: Draw) -> list[NewItem]:
    count, owner = draw["count"], grammar.possessive(draw["owner"].name)
    amount, step = draw["whole"], STEP[count.part]
    rest, unrelated = draw["rest"] * step, draw.rng.pick_other(range(2, 7), draw["rest"]) * step

    def say(length: str) -> str:
        return grammar.sentence(owner, count.thing, count.past, length)

    # Without "exactly", 6 feet may be rounded.
    both, greater = (
        say(f"exactly {amount} {count.unit} and {rest} {count.part}"),
        say(f"exactly {amount} {count.unit}"),
    )
    collective = {"usage": "collective", "category": "NP"}
    return [
        _row(both, greater, LOGIC["measure"].removed, "removed", **collective),
        _row(both, say(f"exactly {rest} {count.part}"), C, "removed", **collective),
        _row(greater, both, LOGIC["measure"].added, "added", **collective),
        _row(
            both,
            say(f"exactly {amount} {count.unit} and {unrelated} {count.part}"),
            replaced_label("count"),
            "replaced",
            **collective,
        ),
        _row(both, say(f"more than {amount} {count.unit}"), E, "", quantifier=True, **collective),
    ]


def _row(premise: str, hypothesis: str, label: str, operation: str, **tags: Any) -> NewItem:
    return NewItem(
        premise, hypothesis, {"label": label}, conjuncts.tags(("and",), operation, **tags)
    )


conjunction_collective = conjuncts.conjunction_phenomenon(
    "conjunction_collective",
    slots=_slots,
    build=_build,
    conditions={"frame": ("total", "measure")},
    fixed=tuple(
        dict.fromkeys(
            word
            for row in table("collectives")
            for key in ("verb", "unit", "part")
            for word in row[key].split()
        )
    ),
)
