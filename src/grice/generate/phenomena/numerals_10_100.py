"""Round numerals: "ten" implicates "not one hundred"."""

from __future__ import annotations

from grice.generate import _numerals as numerals
from grice.generate._everyday import batches
from grice.generate._scenes import TIES, crowds
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["frame"] == "object":
        return {"batch": batches("many"), "subject": words.people}
    if cell["frame"] == "existential":
        return {"crowd": crowds("many"), "tie": TIES}
    return {"stock": _stocks(), "city": [noun.singular for noun in words.nouns_of("city")]}


def _stocks() -> list[tuple[str, str]]:
    """Return organisations with things of which they can have ten or a hundred."""
    return [
        (row["owner"], thing) for row in table("stocks") for thing in row["things"].split(" | ")
    ]


def _frame(draw: Draw) -> numerals.NumberFrame:
    if draw.cell["frame"] == "object":
        return numerals.object_frame(draw, draw["subject"].text)
    if draw.cell["frame"] == "existential":
        return numerals.existential_frame(draw, draw["crowd"].text(draw["tie"]))
    owner, noun = draw["stock"]
    return numerals.possession_frame(draw, f"the {owner} in {draw['city']}", noun)


def _build(draw: Draw) -> list[NewItem]:
    return numerals.frame_rows(draw, _frame, "ten", "one hundred")


numerals_10_100 = numerals.numeral_phenomenon(
    "numerals_10_100",
    'Ten and one hundred: from "ten" a listener takes "not one hundred".',
    _slots,
    _build,
)
