"""Signals against a pair with a conjunct removed or added, and sentences that are repaired."""

from __future__ import annotations

import pytest

from grice.mining._coordinated import Removal
from grice.mining._coordination import coordinations
from grice.mining.pairers.conjuncts import conjunct_edits, conjuncts
from grice.mining.pairs import MinedPair, Skip
from grice.mining.parsers import load_parser
from grice.mining.signals.coordination import coordination_signals
from grice.mining.signals.removal import removal_signals


def _pairs(text: str) -> list[MinedPair]:
    return [one for one in conjuncts(load_parser().parse_one(text)) if isinstance(one, MinedPair)]


def _removed(text: str) -> set[str]:
    return {pair.hypothesis for pair in _pairs(text) if pair.tags["operation"] == "removed"}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("It is the greatest threat to peace and trade.", "best_of"),
        ("She walked back and forth in the hall.", "set_phrase"),
        ("The losses were mostly in steel, coal and timber.", "under_operator"),
        ("The changes were largely legal and financial.", "under_operator"),
        ("She did not say that the soup was cold and salty.", "under_operator"),
        ("No firm should gain by moving jobs and plants.", "under_operator"),
    ],
)
def test_what_speaks_against_a_coordination_is_a_doubt(text: str, rule: str) -> None:
    parsed = load_parser().parse_one(text)
    assert any(rule in coordination_signals(parsed, one) for one in coordinations(parsed))


@pytest.mark.parametrize(
    ("text", "rule", "side"),
    [
        ("We hope and expect to win the vote.", "shared_object", "right"),
        ("We can win, and we will.", "elliptical", "left"),
        ("The winners are Ana and Ben.", "plural_kept", "right"),
        ("British and French officials must agree on the price.", "together", "left"),
        ("Now the shop is shut and will soon be sold.", "fronted", "left"),
        ("They built a ship of that size, but which used less fuel.", "points_back", "left"),
    ],
)
def test_what_is_left_may_lose_something(text: str, rule: str, side: str) -> None:
    parsed = load_parser().parse_one(text)
    assert any(rule in removal_signals(parsed, Removal(one, side)) for one in coordinations(parsed))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("It has a good script and ending.", "It has a good ending."),
        ("They lost in the third and fifth games.", "They lost in the third game."),
        ("He first built a house, but then sold the land.", "He then sold the land."),
        ("He sells shares in the U.S. and in France.", "He sells shares in the U.S."),
        ("The flats will be sold in May and be ready in June.", "The flats will be ready in June."),
        (
            "He did not say that either Ana or Ben won or that we lost.",
            "He did not say that either Ana or Ben won.",
        ),
        (
            "He faced many dangers, both at home and in the city.",
            "He faced many dangers in the city.",
        ),
    ],
)
def test_what_is_left_is_mended(text: str, made: str) -> None:
    edits = conjunct_edits(load_parser().parse_one(text))
    assert made in {edit.text for edit in edits if edit.operation == "removed"}


@pytest.mark.parametrize(
    "text",
    [
        "He works for Gruber and Co.",
        "S and P cut the rating.",
        "She looked and looked.",
        "Food and rent are seen as risks.",
        "The children played hide-and-seek in the park.",
        "She could not help but laugh.",
        "He talked to men of both parties about roads and bridges.",
        "I and my brother will do all we can.",
    ],
)
def test_half_a_name_half_a_phrase_and_one_of_several_are_never_left(text: str) -> None:
    assert not _removed(text)


def test_of_a_question_nothing_follows() -> None:
    assert conjuncts(load_parser().parse_one("Did Ana sing and dance?")) == [Skip("a question")]


def test_amounts_of_two_clauses_are_no_measure() -> None:
    pairs = _pairs("Starts were up 45 percent, and permits were up 60 percent.")
    assert {pair.gold["heuristic"] for pair in pairs if pair.tags["operation"] == "removed"} == {
        "entailment"
    }


def test_what_does_not_follow_is_no_sign_against_an_addition() -> None:
    pairs = _pairs("Rain is the greatest threat to cats and dogs.")
    signs = {pair.tags["operation"]: pair.rules for pair in pairs if pair.tags["side"] == "right"}
    assert "doubt best_of" in signs["removed"] and "doubt best_of" not in signs["added"]
    assert "plain" in signs["added"] and "plain" not in signs["removed"]


def test_a_denial_is_a_sign_against_an_addition_too() -> None:
    added = [
        one
        for one in _pairs("She did not say that the soup was cold and salty.")
        if one.tags["operation"] == "added"
    ]
    assert added and all("doubt under_operator" in pair.rules for pair in added)


def test_what_ends_its_sentence_is_told_from_what_goes_on() -> None:
    assert all("ends" in pair.rules for pair in _pairs("Ana sang and danced."))
    assert all(
        {"goes on", "pronoun behind"} <= set(pair.rules)
        for pair in _pairs("Ana saw cows and sheep when she left.")
    )


@pytest.mark.parametrize(
    "text",
    [
        "Cities not served by road or rail can be reached by air.",  # which cities
        "A person who does not work in a shop or factory is poor.",
        "It is not a shop and often sells bread or milk.",  # another verb is denied
        "They are not found in the sea except in one or two bays.",
        "He ran home but fell but rose again.",
        "The towns will be known as Villages or Boroughs.",
    ],
)
def test_what_is_not_denied_or_contrasts_twice_gives_nothing(text: str) -> None:
    removed = (pair for pair in _pairs(text) if pair.tags["operation"] == "removed")
    assert {pair.tags["changed"] for pair in removed} <= {"and"}


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("The coins were made of gold or silver.", "The coins were made of gold or"),
        ("The season begins in November or December.", "The season begins in November or"),
        ("She speaks neither French nor Spanish.", ""),
        ("Legal anthropology, or history, is young.", ""),
    ],
)
def test_under_or_a_word_is_replaced_wherever_it_stands(text: str, made: str) -> None:
    replaced = [pair for pair in _pairs(text) if pair.tags["changed"] == "or"]
    replaced = [pair for pair in replaced if pair.tags["operation"] == "replaced"]
    assert any(pair.hypothesis.startswith(made) for pair in replaced) == bool(made)
    assert {pair.gold["heuristic"] for pair in replaced} <= {"neutral"}


def test_a_space_stays_behind_a_quotation() -> None:
    text = 'It was called a "dispute", or "debate", and ended late.'
    assert not [made for made in _removed(text) if '"and' in made]
    assert 'It was called a "dispute" and ended late.' in _removed(text)


def test_what_but_rather_contrasts_is_not_affirmed() -> None:
    pairs = _pairs("The product is not the goal, but rather a process is sought.")
    assert "The product is the goal, but rather a process is sought." not in {
        pair.hypothesis for pair in pairs
    }
