"""Round numerals: "ten" says, and does not say, "not one hundred"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate._everyday import batches
from grice.generate._numerals import existing, having, in_object, numeral_phenomenon, rows
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Draw, Row

# People of whom there may be a hundred at a gathering.
GUESTS = ("studying", "teaching", "media", "science", "health", "office", "stage", "law")
# People who may have joined hands.
HELPERS = (
    "standing",
    "studying",
    "public",
    "teaching",
    "outdoor_job",
    "service",
    "trade",
    "transport_job",
    "sport_job",
)


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
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


def build(draw: Draw) -> list[Row]:
    tense, contracted = draw.cell["tense"], draw.cell["negation"] == "contracted"
    if draw.cell["frame"] == "object":
        who = f"the {draw['subject'].plural} from {draw['city']}"
        frame = in_object(draw["batch"], who, True, tense, contracted)
    elif draw.cell["frame"] == "existential":
        frame = existing(draw["noun"], f"at the {draw['event']} in {draw['city']}", tense, contracted)
    else:
        owner, noun = draw["stock"]
        frame = having(f"the {owner} in {draw['city']}", noun, False, tense, contracted)
    return rows(frame, "ten", "one hundred", "numeral_ten-one hundred")


numerals_10_100 = numeral_phenomenon(
    "numerals_10_100", 'Ten and one hundred: from "ten" a listener takes "not one hundred".', slots, build
)
