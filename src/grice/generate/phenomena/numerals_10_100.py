"""Round numerals: "ten" implicates "not one hundred"."""

from __future__ import annotations

from grice.generate._numerals import numeral_phenomenon
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Slots


def _stocks(words: Words) -> Slots:
    """Return organisations with things of which they can have ten or a hundred."""
    stocks = [
        (row["owner"], thing) for row in table("stocks") for thing in row["things"].split(" | ")
    ]
    return {"stock": stocks, "city": [noun.singular for noun in words.nouns_of("city")]}


numerals_10_100 = numeral_phenomenon(
    "numerals_10_100",
    ("ten", "one hundred"),
    "many",
    _stocks,
    lambda draw: (f"the {draw['stock'][0]} in {draw['city']}", draw["stock"][1]),
)
