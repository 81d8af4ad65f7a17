from __future__ import annotations

import pytest

from grice.theory.signature import (
    SIGNATURES,
    environment,
    expected_label,
    find_construction,
    lexicon,
)


def test_the_lexicon_has_the_papers_137_constructions_in_eight_signatures() -> None:
    assert len(lexicon()) == 137
    assert set(lexicon().values()) == set(SIGNATURES)


@pytest.mark.parametrize(
    ("sentence", "construction", "where"),
    [
        ("Ada managed to open the door.", ("manage", "to", "+/-"), "positive"),
        ("Ada did not manage to open the door.", ("manage", "to", "+/-"), "negative"),
        ("They haven't forgotten to call.", ("forget", "to", "-/+"), "negative"),
        ("He told her that it rained.", ("tell", "that", "o/o"), "positive"),
        ("The programmes have helped to cut costs.", ("help", "to", "+/o"), "positive"),
        ("I planned to leave.", ("plan", "to", "o/o"), "positive"),
    ],
)
def test_the_verb_and_its_environment_are_found(
    sentence: str, construction: tuple[str, str, str], where: str
) -> None:
    found = find_construction(sentence)
    assert found is not None
    assert (found.verb, found.complement, found.signature) == construction
    assert environment(sentence, found) == where


def test_a_sentence_without_a_complement_has_no_construction() -> None:
    assert find_construction("Ada opened the door.") is None


def test_a_signature_predicts_by_environment() -> None:
    assert (
        expected_label("-/+", "positive"),
        expected_label("-/+", "negative"),
        expected_label("-/o", "negative"),
    ) == ("contradiction", "entailment", "neutral")


@pytest.mark.parametrize(
    ("sentence", "construction"),
    [
        ("He saw that it rained.", ("saw", "that", "o/o")),
        ("He felt that it rained.", ("felt", "that", "o/o")),
        ("He has seen that it rained.", ("see", "that", "+/+")),
        ("He feels that it rained.", ("feel", "that", "o/o")),
    ],
)
def test_saw_that_and_felt_that_are_verb_types_of_their_own(
    sentence: str, construction: tuple[str, str, str]
) -> None:
    found = find_construction(sentence)
    assert found is not None and (found.verb, found.complement, found.signature) == construction
