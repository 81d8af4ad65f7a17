"""Conjuncts removed, added and replaced, and the labels that rules give them."""

from __future__ import annotations

import pytest
from tests.mining.trees import LIST, TWO, sentence

from grice.mining._coordinated import Removal
from grice.mining._coordination import coordinations
from grice.mining.labels import label
from grice.mining.pairers.conjuncts import conjunct_edits, conjuncts
from grice.mining.pairs import MinedPair
from grice.mining.parsers import load_parser
from grice.mining.signals.coordination import coordination_signals
from grice.mining.signals.removal import removal_signals


def test_a_subject_that_loses_a_conjunct_agrees_with_its_verb() -> None:
    texts = [change.text for change in conjunct_edits(TWO) if change.operation == "removed"]
    assert texts == ["Ana is very tired.", "Ben is very tired."]


def test_a_list_keeps_its_conjunction() -> None:
    texts = [change.text for change in conjunct_edits(LIST) if change.operation == "removed"]
    assert texts == ["She sells apples and pears.", "She sells apples and plums."]


def test_adding_is_removing_turned_round() -> None:
    pairs = [one for one in conjuncts(TWO) if isinstance(one, MinedPair)]
    removed = {(p.premise, p.hypothesis) for p in pairs if p.tags["operation"] == "removed"}
    added = {(p.hypothesis, p.premise) for p in pairs if p.tags["operation"] == "added"}
    assert removed == added and len(removed) == 2
    assert {p.gold["boolean"] for p in pairs if p.tags["operation"] == "added"} == {"neutral"}


def test_every_label_names_its_rule() -> None:
    for pair in conjuncts(LIST):
        assert (
            isinstance(pair, MinedPair) and pair.tags["rule"] and pair.tags["category"] == "N + N"
        )


@pytest.mark.parametrize(
    ("text", "word", "rule", "removed"),
    [
        ("He teaches physics and chemistry in Lyon.", "and", "boolean", "entailment"),
        ("Her running time was 9 minutes and 8 seconds.", "and", "measure", "contradiction"),
        ("A total of ten men and women were hurt.", "and", "collective", "contradiction"),
        ("He was born in 1970 or 1971.", "or", "exclusive", "neutral"),
        ("It will rise 64 stories, or 711 feet.", "or", "equivalent", "entailment"),
        ("It will rise 64 stories or 711 ft.", "or", "equivalent", "entailment"),
        ("The vizier, or prime minister, was a rich man.", "or", "equivalent", "entailment"),
        ("He drank from a bowl, or cup, of clay.", "or", "aside", "entailment"),
        ("He is not related to Ana, Ben or Carl.", "or", "denied", "entailment"),
        ("The devices did not produce heat or light.", "or", "denied", "entailment"),
        ("She can play as a striker or a midfielder.", "or", "free choice", "entailment"),
        ("He wrote all but two of the songs.", "but", "exception", "contradiction"),
        ("She is neither a doctor nor a nurse.", "nor", "neither", "contradiction"),
        ("The coach of Franklin and Marshall College won.", "and", "name", "neutral"),
    ],
)
def test_non_boolean_uses_get_the_label_of_their_rule(
    text: str, word: str, rule: str, removed: str
) -> None:
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


@pytest.mark.parametrize(
    ("text", "result", "label_of_it"),
    [
        ("She bought three cats and a dog.", "She bought four cats and a dog.", "contradiction"),
        ("The room was small and dark.", "The room was big and dark.", "contradiction"),
        ("He met Paul and Anna.", None, "neutral"),
    ],
)
def test_a_replaced_conjunct_has_the_label_of_what_the_new_is_to_the_old(
    text: str, result: str | None, label_of_it: str
) -> None:
    pairs = [p for p in conjuncts(load_parser().parse_one(text)) if isinstance(p, MinedPair)]
    replaced = [p for p in pairs if p.tags["operation"] == "replaced"]
    assert replaced and all(
        p.gold == {"heuristic": label_of_it} for p in replaced if result in (None, p.hypothesis)
    )
    assert result is None or result in [p.hypothesis for p in replaced]


@pytest.mark.parametrize(
    "text",
    [
        "They played in 1998 and 1999.",  # a year is no count
        "He invited Marc Anthony and the band.",  # a first name that is a surname
        "The church plays and the songs were praised.",  # a building that is none
        "The rare and old books were sold.",  # opposites that may both hold
        "She won the 50 metres race and the cup.",  # a measure
        "He knows these three men and the cook.",  # all there are
        "All that is good and honest lasts.",  # not said of one thing
    ],
)
def test_no_word_is_replaced_where_the_new_one_would_say_something_else(text: str) -> None:
    made = conjuncts(load_parser().parse_one(text))
    assert not [p for p in made if isinstance(p, MinedPair) and p.tags["operation"] == "replaced"]


def test_the_same_seed_gives_the_same_replacements() -> None:
    parsed = load_parser().parse_one("Paris and London are large.")
    once, again = (
        [c.text for c in conjunct_edits(parsed, seed=s) if c.operation == "replaced"]
        for s in (3, 3)
    )
    assert once == again and once


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("He did not buy bread and milk.", "under_operator"),
        ("Only Ana and Ben came.", "under_operator"),
        ("If Ana and Ben come, we will dance.", "conditional_clause"),
    ],
)
def test_a_doubtful_coordination_names_the_rules_that_fire(text: str, rule: str) -> None:
    parsed = load_parser().parse_one(text)
    named = {
        name for where in coordinations(parsed) for name in coordination_signals(parsed, where)
    }
    assert rule in named


def test_a_finite_verb_behind_two_nouns_that_are_not_its_subject_is_doubted() -> None:
    # As a parser may misread "He rested at the break and the captain said so".
    rows = [
        "He PRP 2 nsubj",
        "rested VBD 0 root rest",
        "at IN 5 case",
        "the DT 5 det",
        "break NN 2 obl",
        "and CC 8 cc",
        "the DT 8 det",
        "captain NN 5 conj",
        "said VBD 2 parataxis say",
        "so RB 9 advmod",
        ". . 2 punct",
    ]
    parsed = sentence(*rows)
    assert "verb_behind" in coordination_signals(parsed, next(iter(coordinations(parsed))))


def test_a_plain_coordination_raises_no_doubt() -> None:
    for text in (
        "Ana and Ben are very tired.",
        "She sells apples, pears and plums.",
        "Ana and Ben said that it rained.",
    ):
        parsed = load_parser().parse_one(text)
        assert [coordination_signals(parsed, where) for where in coordinations(parsed)] == [[]]


def test_what_the_tree_does_not_have_is_no_coordination() -> None:
    rows = [
        "He PRP 2 nsubj",
        "ate VBD 0 root eat",
        "figs NNS 2 obj",
        "and CC 2 dep",
        "dates NNS 2 dep",
        ". . 2 punct",
    ]
    assert not list(coordinations(sentence(*rows)))


def test_after_all_leaves_nothing_out() -> None:
    made = conjuncts(
        load_parser().parse_one("He had not stolen it after all but Nick had never believed it.")
    )
    assert {p.tags["rule"] for p in made if isinstance(p, MinedPair)} <= {"boolean"}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Every now and then she stops to breathe.", "set_phrase"),
        (
            "If the law was struck down and the money was lost, the firm would close.",
            "conditional_clause",
        ),
    ],
)
def test_a_coordination_that_may_be_misread_is_doubted(text: str, rule: str) -> None:
    parsed = load_parser().parse_one(text)
    assert any(rule in coordination_signals(parsed, one) for one in coordinations(parsed))


@pytest.mark.parametrize(
    ("text", "rule", "sides"),
    [
        ("They build roads and other works in the town.", "points_back", "left right"),
        ("He drew each frame and then shot it.", "points_back", "left"),
        ("The target was absorbed by one firm or another.", "points_back", "left right"),
        ("The trip was marked by crime and a tough answer.", "unlike_openings", "left right"),
        ("Me, my family and friends left early.", "unlike_openings", "left"),
        ("He had little time and money.", "unlike_openings", "left"),
        ("It has three floors: stone, wood and grass.", "marks_around", "left right"),
        ("The judge says she is lucky and has named her friends.", "below_another_verb", "left"),
        ("She said he liked her work and the man was happy.", "below_another_verb", "left"),
        ("I would have told you but they stopped me.", "below_another_verb", "left"),
        ("The presidents of Peru and Chile fear it.", "together", "left right"),
        ("Faith and hope form the core of the nation.", "together", "left right"),
        ("Storms and floods caused the loss.", "together", "left right"),
        (
            "I would look elsewhere if you work and live in the town.",
            "under_a_condition",
            "left right",
        ),
        ("As soon as he was fit and ready he came.", "under_a_condition", "left right"),
        ("He hated every thing that was loud and bright.", "under_a_condition", "left right"),
        ("He wrote and produced the film.", "shared_object", "right"),
        ("She is a judge and has been since 1985.", "elliptical", "left"),
    ],
)
def test_what_does_not_stand_without_the_other_conjunct_stays(
    text: str, rule: str, sides: str
) -> None:
    parsed = load_parser().parse_one(text)
    where = list(coordinations(parsed))
    assert all(
        any(rule in removal_signals(parsed, Removal(one, side)) for one in where)
        for side in sides.split()
    )


@pytest.mark.parametrize(
    "text",
    [
        "She sells apples, pears and plums.",
        "He came home and slept.",
        "The room was small and dark.",
    ],
)
def test_what_stands_without_the_other_conjunct_may_go(text: str) -> None:
    parsed = load_parser().parse_one(text)
    where = next(coordinations(parsed))
    assert (
        removal_signals(parsed, Removal(where, "left"))
        == removal_signals(parsed, Removal(where, "right"))
        == []
    )


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('She called it a "small bomb," but he called it a toy.', 'She called it a "small bomb."'),
        ('The bird landed and he said "Stop."', "The bird landed."),
        ("It took a unanimous verdict and a long night.", "It took a unanimous verdict."),
        (
            (
                "They killed him by beating him up, setting him on fire, and throwing him into the "
                "river."
            ),
            "They killed him by beating him up and setting him on fire.",
        ),
        (
            "He sold figs, dates, and nuts, but kept the plums.",
            "He sold figs and dates, but kept the plums.",
        ),
        ('He won it "for his work on light and for his talks".', 'He won it "for his talks".'),
    ],
)
def test_marks_and_articles_follow_a_removed_conjunct(text: str, result: str) -> None:
    assert result in [change.text for change in conjunct_edits(load_parser().parse_one(text))]


def test_a_quoted_sentence_is_no_title() -> None:
    made = [
        p
        for p in conjuncts(load_parser().parse_one('"I called him again and said no."'))
        if isinstance(p, MinedPair)
    ]
    assert "name" not in {p.tags["rule"] for p in made}


def test_the_plural_of_a_conjunct_is_no_other_conjunct() -> None:
    text = "It is not in the territory of any county or counties."
    assert not list(conjunct_edits(load_parser().parse_one(text)))
