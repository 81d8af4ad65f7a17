"""Conjuncts removed, added and replaced, and the labels that rules give them."""

from __future__ import annotations

import pytest
from tests.mining.trees import LIST, TWO

from grice.mining._coordination import coordinations
from grice.mining._doubts import doubts
from grice.mining._rules import label
from grice.mining.pairers.conjuncts import conjunct_edits, conjuncts
from grice.mining.pairs import MinedPair
from grice.mining.parse import load_parser


def test_a_subject_that_loses_a_conjunct_agrees_with_its_verb() -> None:
    texts = [change.text for change in conjunct_edits(TWO) if change.where.likeliest and change.operation == "removed"]
    assert texts == ["Ana is very tired.", "Ben is very tired."]


def test_a_list_keeps_its_conjunction() -> None:
    texts = [change.text for change in conjunct_edits(LIST) if change.where.likeliest and change.operation == "removed"]
    assert texts == ["She sells apples and pears.", "She sells apples and plums."]


def test_adding_is_removing_turned_round() -> None:
    pairs = [one for one in conjuncts(TWO) if isinstance(one, MinedPair)]
    removed = {(p.premise, p.hypothesis) for p in pairs if p.tags["operation"] == "removed"}
    added = {(p.hypothesis, p.premise) for p in pairs if p.tags["operation"] == "added"}
    assert removed == added and len(removed) == 2
    assert {p.gold["boolean"] for p in pairs if p.tags["operation"] == "added"} == {"neutral"}


def test_every_label_names_its_rule() -> None:
    for pair in conjuncts(LIST):
        assert isinstance(pair, MinedPair) and pair.tags["rule"] and pair.tags["category"] == "N + N"


@pytest.mark.parametrize(
    ("text", "word", "rule", "removed"),
    [
        ("He teaches physics and chemistry in Lyon.", "and", "boolean", "entailment"),
        ("Her running time was 9 minutes and 8 seconds.", "and", "measure", "contradiction"),
        ("A total of ten men and women were hurt.", "and", "collective", "contradiction"),
        ("He was born in 1970 or 1971.", "or", "exclusive", "neutral"),
        ("It will rise 64 stories, or 711 feet.", "or", "equivalent", "entailment"),
        ("The devices did not produce heat or light.", "or", "denied", "entailment"),
        ("She can play as a striker or a midfielder.", "or", "free choice", "entailment"),
        ("He wrote all but two of the songs.", "but", "exception", "contradiction"),
        ("She is neither a doctor nor a nurse.", "nor", "neither", "contradiction"),
        ("The coach of Franklin and Marshall College won.", "and", "name", "neutral"),
    ],
)
def test_non_boolean_uses_get_the_label_of_their_rule(text: str, word: str, rule: str, removed: str) -> None:
    parsed = load_parser().parse_one(text)
    where = next(one for one in coordinations(parsed) if one.word == word)
    given = label(parsed, where, "removed")
    assert (given.rule, given.label, given.boolean) == (rule, removed, "entailment")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("She is both clever and kind.", "She is clever."),
        ("He plays either the flute or the oboe.", "He plays the oboe."),
        ("We walked home, but it rained.", "It rained."),
        ("They sang and danced until midnight.", "They danced until midnight."),
    ],
)
def test_partners_commas_and_capitals_follow(text: str, result: str) -> None:
    assert result in [change.text for change in conjunct_edits(load_parser().parse_one(text))]


def test_replacements_are_numbers_plus_one_opposites_and_others_of_the_class() -> None:
    parsed = load_parser().parse_one("He left the band in 2010 but returned in March.")
    (number,) = (
        c for c in conjunct_edits(parsed) if c.operation == "replaced" and c.detail == "number" and c.where.likeliest
    )
    assert number.text == "He left the band in 2011 but returned in March."
    colours = [c for c in conjunct_edits(load_parser().parse_one("It is red or brown.")) if c.detail == "co-hyponym"]
    assert colours and all(c.text not in ("It is red or brown.",) for c in colours)


def test_the_same_seed_gives_the_same_replacements() -> None:
    parsed = load_parser().parse_one("Paris and London are large.")
    once, again = ([c.text for c in conjunct_edits(parsed, seed=s) if c.operation == "replaced"] for s in (3, 3))
    assert once == again and once


@pytest.mark.parametrize(
    ("text", "rule"),
    [("She likes [old] cats and dogs.", "square_bracket"), ("He bought nothing but trouble.", "but_between_words")],
)
def test_a_doubtful_coordination_names_the_rules_that_fire(text: str, rule: str) -> None:
    parsed = load_parser().parse_one(text)
    named = {name for where in coordinations(parsed) for name in doubts(parsed, where)}
    assert rule in named


def test_a_plain_coordination_raises_no_doubt() -> None:
    assert [doubts(TWO, where) for where in coordinations(TWO) if where.likeliest] == [[]]
