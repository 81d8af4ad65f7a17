"""Verbs put where they did not stand."""

from __future__ import annotations

import pytest

from grice.mining.pairers.swaps import swaps
from grice.mining.pairs import MinedPair
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


def mined(text: str, targets: int = 2) -> list[MinedPair]:
    return [
        one
        for one in swaps(load_parser().parse_one(text), targets=targets)
        if isinstance(one, MinedPair)
    ]


def test_the_main_verb_is_put_in_its_form_and_brings_its_signature() -> None:
    pairs = [pair for pair in mined("She declined to leave.") if pair.tags["swap"] == "main"]
    assert len(pairs) == 4 and all(set(pair.tags) == TAGS for pair in pairs)
    for pair in pairs:
        verb, _, complement = str(pair.tags["target"]).rpartition(" ")
        environment: Environment = (
            "negative" if pair.tags["environment"] == "negative" else "positive"
        )
        label = expected_label(lexicon()[verb, complement], environment)
        assert pair.gold["signature"] == label and pair.hypothesis == "She left."
        if environment == "negative":
            assert pair.premise == f"She did not {verb} to leave."


@pytest.mark.parametrize(
    "text",
    [
        "While it rained, she tried to sleep.",
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


def test_no_verb_is_put_in_where_the_speaker_takes_the_content_back() -> None:
    made = mined("She claimed that it rained, although it did not.", targets=50)
    assert not [pair for pair in made if pair.tags["swap"] == "main"]


def test_no_state_is_put_in_under_a_wish() -> None:
    made = mined("They hoped to decide to leave early.", targets=50)
    inner = {pair.tags["target"] for pair in made if pair.tags["swap"] == "complement"}
    assert inner and not {"seem to", "want to", "wish to", "need to"} & inner
