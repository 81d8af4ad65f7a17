"""What all controls keep, whatever they control."""

from __future__ import annotations

import re

import pytest

from grice.core.shelf import PHENOMENA
from grice.generate.lexicon import table

# Who vouches for a clause or doubts it, in the carriers of controls.
VOUCHES = re.compile(
    r"(?:As|Clearly|Perhaps|If|What) ([\w’'-]+) (?:rightly says|is right|says is)|, (?:as |or so"
    r" )?([\w’'-]+) (?:well knows|rightly says|says)\b"
)


def test_no_carrier_speaks_of_what_one_says_again_and_again() -> None:
    """Not "Ana is fond of saying that Bo got the job"."""
    for row in table("carriers"):
        assert not re.search(r"\b(?:fond|often|always)\b", " ".join(row.values())), row


@pytest.mark.parametrize("name", ("carriers", "verdicts"))
def test_no_carrier_calls_a_clause_that_which_may_be_the_clause_within_it(name: str) -> None:
    """ "Bo told us that Ana said that it rained, but that was not true": which of the two?"""
    for row in table(name):
        assert not re.search(r"\b[Tt]hat (?:is|was|may)\b", " ".join(row.values())), row


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in PHENOMENA.names()
        if PHENOMENA.find(name).kind in ("implicature", "presupposition")
    ],
)
def test_who_vouches_for_a_clause_is_not_in_it(name: str) -> None:
    """Not "As Ana rightly says, Ana has finished"."""
    for item in PHENOMENA.find(name).stream(250, 5):
        told = VOUCHES.search(item.premise) if item.tags["role"] != "target" else None
        if told is not None:
            assert item.premise.count(told[1] or told[2]) == 1, item.premise
