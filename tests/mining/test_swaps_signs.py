"""Which verbs fit where another stood, and what tells how well they fit."""

from __future__ import annotations

import pytest

from grice.mining.pairers.swaps import swaps
from grice.mining.pairs import MinedPair
from grice.mining.parsers import load_parser


def put_in(text: str) -> list[MinedPair]:
    made = swaps(load_parser().parse_one(text), targets=400)
    return [
        one
        for one in made
        if isinstance(one, MinedPair) and one.tags["swap"] == "main" and one.gold
    ]


def rules(text: str, target: str) -> set[str]:
    return {rule for pair in put_in(text) if pair.tags["target"] == target for rule in pair.rules}


@pytest.mark.parametrize(
    ("text", "target", "fits"),
    [
        ("She wanted to be safe.", "prove to", True),
        ("She wanted to sell the house.", "prove to", False),
        ("She wanted to sell the house.", "threaten to", False),
        ("She wanted to sell the house.", "plan to", True),
        ("She said that ten ships had sunk.", "estimate that", True),
        ("She said that the ship had sunk.", "estimate that", False),
    ],
)
def test_a_verb_is_put_in_only_where_its_complement_suits_it(
    text: str, target: str, fits: bool
) -> None:
    assert (target in {pair.tags["target"] for pair in put_in(text)}) == fits


def test_who_ceased_to_do_it_did_it_before() -> None:
    def environments(text: str) -> set[object]:
        return {
            pair.tags["environment"] for pair in put_in(text) if pair.tags["target"] == "cease to"
        }

    assert environments("She tried to help the children.") == {"negative"}
    assert environments("They try to help the children.") == {"positive", "negative"}


@pytest.mark.parametrize(
    "text",
    [
        "The time has come to build a bridge.",
        "She does want to sell the house.",
        "She may want to sell the house.",
        "Our Constitution says that the court has nine judges.",
    ],
)
def test_no_verb_takes_the_place_of_an_idiom_or_says_what_no_person_says(text: str) -> None:
    assert put_in(text) == []


def test_families_of_verbs_are_named_side_by_side() -> None:
    assert {"wanting VBD", "place wanting wanting", "same family True"} <= rules(
        "She planned to sell the house.", "hope to"
    )
    assert {"trying VBD", "place wanting trying", "same family False"} <= rules(
        "She planned to sell the house.", "strive to"
    )
    assert {"finding VBD", "same family False"} <= rules(
        "She said that the ship had sunk.", "discover that"
    )


@pytest.mark.parametrize(
    ("text", "target", "rule"),
    [
        ("She urgently wanted to sell the house.", "plan to", "unfit adverb"),
        ("Speaking in London, she said that the ship had sunk.", "discover that", "unfit opening"),
        ("To save money, she wanted to sell the house.", "plan to", "unfit opening"),
        ("Anna said that she had sold the house.", "notice that", "unfit own doings"),
        ("Anna said that the ship would sink.", "notice that", "modal finding"),
        ("Anna said that the ship should sail.", "notice that", "to come finding"),
        ("Anna said that the ship had sunk.", "notice that", "clean True main"),
        ("She wanted to open the shop on Monday.", "appear to", "unfit event"),
        ("She has tried to open the shop.", "happen to", "unfit event"),
    ],
)
def test_what_goes_with_the_former_verb_is_a_sign(text: str, target: str, rule: str) -> None:
    assert rule in rules(text, target)
    assert ("clean True main" in rules(text, target)) == (not rule.startswith(("unfit", "unclear")))


def test_an_adverb_of_the_whole_sentence_is_none_against_another_verb() -> None:
    assert "unfit adverb" not in rules("However, she also wanted to sell the house.", "plan to")
