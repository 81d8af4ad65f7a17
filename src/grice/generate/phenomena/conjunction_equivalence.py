""" "Or" that repeats a measure in other units: either half may be left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.conjuncts import LOGIC, replaced_label


class Measured(NamedTuple):
    """Things measured in one unit and in another (`factor` times it plus `offset`), with ranges."""

    things: Mapping[str, tuple[int, int]]
    verb: str
    unit: str
    other: str
    factor: float
    tail: str = ""
    offset: int = 0
    exact: bool = False
    step: int = 1

    def convert(self, amount: int) -> int:
        """Convert an amount to the other unit, rounded."""
        return round(amount * self.factor + self.offset)


def _read(row: Mapping[str, str]) -> Measured:
    things = {}
    for text in row["things"].split(" | "):
        thing, _, span = text.partition(": ")
        low, high = span.split()
        things[thing] = int(low), int(high)
    return Measured(
        things,
        row["verb"],
        row["unit"],
        row["other"],
        float(row["factor"]),
        row["tail"],
        int(row["offset"]),
        row["exact"] == "yes",
        int(row["step"]),
    )


MEASURED = tuple(_read(row) for row in table("measures"))


def _slots(words: Words, cell: Conditions) -> Slots:
    measured = _measured(cell)
    amounts = [
        (thing, n)
        for thing, (low, high) in measured.things.items()
        for n in range(low, high + 1, measured.step)
    ]
    return {"owner": words.names, "amount": amounts}


def _measured(cell: Conditions) -> Measured:
    return next(measured for measured in MEASURED if measured.unit == cell["unit"])


def _build(draw: Draw) -> list[NewItem]:
    measure, (thing, number) = _measured(draw.cell), draw["amount"]
    owner = grammar.possessive(draw["owner"].name)
    about = "" if measure.exact else "about "
    far = (
        number
        + max(2, measure.step)
        + measure.step * draw.rng.randbelow(1 + number // (5 * measure.step))
    )

    def say(*amount: str) -> str:
        return grammar.sentence(owner, thing, measure.verb, *amount, measure.tail)

    def both(amount: int) -> str:
        comma = "," if measure.tail else ""
        return say(
            f"{amount} {measure.unit}, or {about}{measure.convert(amount):,} {measure.other}{comma}"
        )

    left, right = (
        say(f"{number} {measure.unit}"),
        say(f"{about}{measure.convert(number):,} {measure.other}"),
    )
    tag = conjuncts.tags(("or",), usage="equivalence", category="NP")
    either = say(f"either {number} or {far} {measure.unit}")
    plain = conjuncts.tags(("or",), "removed", usage="exclusive", category="NP", quantifier=True)
    same = LOGIC["equivalence"]
    return [
        NewItem(both(number), left, {"label": same.removed}, {**tag, "operation": "removed"}),
        NewItem(both(number), right, {"label": same.removed}, {**tag, "operation": "removed"}),
        NewItem(left, both(number), {"label": same.added}, {**tag, "operation": "added"}),
        NewItem(
            both(number),
            both(far),
            {"label": replaced_label("count")},
            {**tag, "operation": "replaced"},
        ),
        NewItem(either, left, {"label": LOGIC["exclusive"].removed}, plain),
    ]


conjunction_equivalence = conjuncts.conjunction_phenomenon(
    "conjunction_equivalence",
    slots=_slots,
    build=_build,
    conditions={"unit": tuple(measured.unit for measured in MEASURED)},
    fixed=tuple(
        dict.fromkeys(
            word
            for measured in MEASURED
            for text in (
                *measured.things,
                measured.verb,
                measured.unit,
                measured.other,
                measured.tail,
            )
            for word in text.split()
        )
    ),
)
