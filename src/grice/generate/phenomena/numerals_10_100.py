"""Round numerals: "ten" implicates "not one hundred"."""

from __future__ import annotations

from grice.generate import _numerals as numerals
from grice.generate._everyday import batches
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

# People of whom there may be a hundred at a gathering.
GUESTS = ("studying", "teaching", "media", "science", "health", "office", "stage", "law")
# People who may have joined hands.
HELPERS = (
    "standing", "studying", "public", "teaching", "outdoor_job", "service", "trade", "transport_job", "sport_job",
)  # fmt: skip


def _slots(words: Words, cell: Conditions) -> Slots:
    cities = [noun.singular for noun in words.nouns_of("city")]
    if cell["frame"] == "object":
        return {"batch": batches("many"), "subject": words.nouns_of(*HELPERS), "city": cities}
    if cell["frame"] == "existential":
        events = [row["event"] for row in table("big_events")]
        return {"noun": [noun.plural for noun in words.nouns_of(*GUESTS)], "event": events, "city": cities}
    return {"stock": _stocks(words), "city": cities}


def _stocks(words: Words) -> list[tuple[str, str]]:
    """An organisation with what it has many of."""
    return [
        (row["owner"], noun.plural)
        for row in table("stocks")
        for noun in words.nouns_of(*row["kinds"].split())
        if noun.countable
    ]


def _frame(draw: Draw) -> numerals.NumberFrame:
    if draw.cell["frame"] == "object":
        who = f"the {draw['subject'].plural} from {draw['city']}"
        return numerals.object_frame(draw, who, plural=True)
    if draw.cell["frame"] == "existential":
        return numerals.existential_frame(draw, draw["noun"], f"at the {draw['event']} in {draw['city']}")
    owner, noun = draw["stock"]
    return numerals.possession_frame(draw, f"the {owner} in {draw['city']}", noun)


def _build(draw: Draw) -> list[NewItem]:
    return numerals.frame_rows(draw, _frame, "ten", "one hundred", contrast="city")


numerals_10_100 = numerals.numeral_phenomenon(
    "numerals_10_100", 'Ten and one hundred: from "ten" a listener takes "not one hundred".', _slots, _build
)
