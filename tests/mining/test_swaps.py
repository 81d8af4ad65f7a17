"""Verbs put where they did not stand."""

from __future__ import annotations

import pytest
from tests.mining.trees import DECLINED, KNEW

from grice.mining.pairers.swaps import swaps
from grice.mining.pairs import MinedPair
from grice.mining.parse import Sentence
from grice.mining.parsers import load_parser
from grice.theory.signature import Environment, expected_label, lexicon

TAGS = {
    "verb",
    "complement",
    "construction",
    "signature",
    "environment",
    "swap",
    "target",
    "target_signature",
}


def made(swap: str, *, of: Sentence = DECLINED) -> list[MinedPair]:
    """As the paper makes them, of the construction that is meant."""
    only = "decline to" if of is DECLINED else "know that"
    return [
        one
        for one in swaps(of, targets=3, only=only)
        if isinstance(one, MinedPair) and one.tags["swap"] == swap
    ]


def mined(text: str, targets: int = 2) -> list[MinedPair]:
    return [
        one
        for one in swaps(load_parser().parse_one(text), targets=targets)
        if isinstance(one, MinedPair)
    ]


def test_every_kind_of_swap_is_made_in_both_environments_with_the_generators_tags() -> None:
    counts = {
        swap: len(made(swap, of=KNEW))
        for swap in ("base", "main", "mismatch", "complement", "type")
    }
    assert counts == {"base": 2, "main": 6, "mismatch": 6, "complement": 6, "type": 2}
    assert all(set(pair.tags) == TAGS for swap in counts for pair in made(swap, of=KNEW))


def test_the_main_verb_is_put_in_its_form_and_brings_its_signature() -> None:
    for pair in made("main"):
        verb, _, complement = str(pair.tags["target"]).rpartition(" ")
        assert complement == "to" and pair.hypothesis == "Nike was a sponsor."
        environment: Environment = (
            "negative" if pair.tags["environment"] == "negative" else "positive"
        )
        label = expected_label(lexicon()[verb, complement], environment)
        assert pair.gold["signature"] == label
        if pair.tags["environment"] == "negative":
            assert pair.premise == f"Nike did not {verb} to be a sponsor."


def test_a_sentence_that_is_not_english_has_no_gold() -> None:
    assert all(not pair.gold for swap in ("mismatch", "type") for pair in made(swap))
    assert {pair.premise for pair in made("type")} == {
        "Nike declined that be a sponsor.",
        "Nike did not decline that be a sponsor.",
    }


def test_the_complements_verb_changes_in_premise_and_hypothesis_alike() -> None:
    for pair in made("complement", of=KNEW):
        word = pair.hypothesis.removeprefix("The answer ").removesuffix(".")
        assert pair.premise.endswith(f"that the answer {word}.") and pair.gold


@pytest.mark.parametrize(
    "text",
    [
        "While it rained, she tried to sleep.",
        "They will try to sell the house.",
        "I must admit that it caught my eye.",
        "We decided to head home because it rained.",
        "He later said that he had lied.",
        "To cope with it, the men have decided to build a wall.",
    ],
)
def test_what_may_fit_the_verb_that_goes_alone_is_a_sign(text: str) -> None:
    put_in = [pair for pair in mined(text, targets=50) if pair.tags["swap"] == "main"]
    assert all(any(rule.startswith("unfit") for rule in pair.rules) for pair in put_in)


def test_in_real_sentences_only_verbs_that_fit_are_put_in() -> None:
    of_a_thing = {
        p.tags["target"]
        for p in mined("The empire began to weaken.", targets=200)
        if p.tags["swap"] == "main"
    }
    of_a_person = {
        p.tags["target"]
        for p in mined("She began to run.", targets=200)
        if p.tags["swap"] == "main"
    }
    assert of_a_thing < of_a_person and "hope to" in of_a_person and "hope to" not in of_a_thing
    assert not [
        p for p in mined("She began to run.", targets=200) if p.tags["swap"] == "complement"
    ]


def test_a_mismatch_is_no_verb_that_takes_both_complements() -> None:
    targets = {
        p.tags["target"]
        for p in mined("She knew that it rained.", targets=900)
        if p.tags["swap"] == "mismatch"
    }
    assert "refuse to" in targets and not targets & {
        "claim to",
        "hope to",
        "expect to",
        "promise to",
    }


def test_the_gate_reads_what_should_be_english() -> None:
    for pair in mined("She began to run."):
        assert bool(pair.written) == bool(pair.gold)
        assert not pair.gold or pair.hypothesis in pair.written


def test_where_no_other_verb_fits_there_is_no_swap() -> None:
    assert mined("She could see that it rained.") == [] and mined('"Fine," he hoped to say.') == []
    told = {
        p.tags["target"]
        for p in mined("I know that it rains.", targets=200)
        if p.tags["swap"] == "main"
    }
    assert "believe that" in told and "reveal that" not in told


def test_a_quotation_that_is_half_there_gives_no_swap() -> None:
    assert mined('He refused to go home," she said.') == []


def test_saw_that_is_no_see_that_where_the_published_construction_is_meant() -> None:
    sentence = load_parser().parse_one("Slim saw that the shadows were long.")
    pairs = [
        one for one in swaps(sentence, targets=1, only="saw that") if isinstance(one, MinedPair)
    ]
    (own,) = {
        (p.tags["construction"], p.tags["signature"], p.tags["target"])
        for p in pairs
        if p.tags["swap"] == "type"
    }
    assert own == ("saw that", "o/o", "saw that")
    assert not [
        one for one in swaps(sentence, targets=1, only="see that") if isinstance(one, MinedPair)
    ]
    seen = load_parser().parse_one("We see that the shadows are long.")
    assert [one for one in swaps(seen, targets=1, only="see that") if isinstance(one, MinedPair)]
