"""Or that says the same again in other units: either half may be left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate._conjunction import C, E, N
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


class Measured(NamedTuple):
    """What is measured, in one unit and in another, over which range."""

    things: tuple[str, ...]
    verb: str
    unit: str
    other: str
    convert: Callable[[int], int]
    low: int
    high: int
    tail: str = ""
    exact: bool = False


def _miles(kilometres: int) -> int:
    return round(kilometres * 0.621371)


def _feet(metres: int) -> int:
    return round(metres * 3.28084)


def _pounds(kilos: int) -> int:
    return round(kilos * 2.20462)


def _fahrenheit(celsius: int) -> int:
    return round(celsius * 1.8 + 32)


def _days(weeks: int) -> int:
    return 7 * weeks


def _minutes(hours: int) -> int:
    return 60 * hours


MEASURED = (
    Measured(("journey", "bicycle ride", "hike", "commute", "road trip", "train line", "detour", "pilgrimage"), "was", "kilometres", "miles", _miles, 12, 400, "long"),
    Measured(("boat", "garden", "swimming pool", "fishing net", "driveway", "workshop", "greenhouse", "rope bridge"), "was", "metres", "feet", _feet, 6, 60, "long"),
    Measured(("suitcase", "dog", "rucksack", "mountain bike", "sack of flour", "toolbox", "canoe", "anvil"), "weighed", "kilograms", "pounds", _pounds, 11, 45),
    Measured(("oven", "grill", "pizza oven", "deep fryer", "engine", "iron", "toaster", "barbecue"), "reached", "degrees Celsius", "degrees Fahrenheit", _fahrenheit, 110, 240),
    Measured(("holiday", "internship", "apprenticeship", "strike", "course", "expedition", "sick leave", "training"), "lasted", "weeks", "days", _days, 2, 40, exact=True),
    Measured(("shift", "flight", "night watch", "rehearsal", "bus journey", "drive home", "surgery", "hike"), "took", "hours", "minutes", _minutes, 2, 16, exact=True),
)  # fmt: skip


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    one = _measured(cell)
    return {"owner": words.names, "thing": one.things, "number": range(one.low, one.high + 1)}


def _measured(cell: Mapping[str, str]) -> Measured:
    return next(one for one in MEASURED if one.unit == cell["unit"])


def build(draw: Draw) -> list[Row]:
    one, number = _measured(draw.cell), draw["number"]
    owner = grammar.possessive(draw["owner"].name)
    about = "" if one.exact else "about "
    far = number + 2 + draw.rng.below(8)

    def say(*amount: str) -> str:
        return grammar.sentence(owner, draw["thing"], one.verb, *amount, one.tail)

    def both(amount: int) -> str:
        comma = "," if one.tail else ""
        return say(f"{amount} {one.unit}, or {about}{one.convert(amount):,} {one.other}{comma}")

    left, right = say(f"{number} {one.unit}"), say(f"{about}{one.convert(number):,} {one.other}")
    tag = conjuncts.tags(("or",), usage="equivalence", category="NP")
    either = say(f"either {number} or {far} {one.unit}")
    plain = conjuncts.tags(("or",), "removed", usage="exclusive", category="NP", quantifier=True)
    return [
        Row(both(number), left, {"label": E}, {**tag, "operation": "removed"}),
        Row(both(number), right, {"label": E}, {**tag, "operation": "removed"}),
        Row(left, both(number), {"label": E}, {**tag, "operation": "added"}),
        Row(both(number), both(far), {"label": C}, {**tag, "operation": "replaced"}),
        Row(either, left, {"label": N}, plain),
    ]


conjunction_equivalence = Phenomenon(
    name="conjunction_equivalence",
    kind="conjunction",
    what="A measure in one unit, or the same in another: either half gives the whole.",
    why=(
        "This or joins two names of one amount, so each half follows and gives the other by arithmetic; another amount contradicts. Amounts are "
        "exact up to the rounding that \"about\" announces. \"Either … or …\" with two amounts is the control."
    ),
    slots=slots,
    build=build,
    rows=5,
    tags=(*conjuncts.TAGS, "unit"),
    conditions={"unit": tuple(one.unit for one in MEASURED)},
    fixed=tuple(dict.fromkeys(word for one in MEASURED for text in (*one.things, one.verb, one.unit, one.other, one.tail) for word in text.split())),
    references=("Saha, Nie & Bansal (2020), Table 1 and appendix A.2.",),
)  # fmt: skip
