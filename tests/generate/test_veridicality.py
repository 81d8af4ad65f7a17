"""Constructions, their signatures, and the swaps that put one in another's place."""

from __future__ import annotations

from collections import Counter

import pytest

from grice.generate import _veridicality as verbs
from grice.generate.grammar import Subject, Verb, VerbPhrase
from grice.generate.phenomena.veridicality_mismatches import veridicality_mismatches
from grice.generate.phenomena.veridicality_signatures import veridicality_signatures
from grice.generate.phenomena.veridicality_swaps import veridicality_swaps
from grice.theory.signature import SIGNATURES, expected_label, lexicon


def test_there_are_at_least_137_constructions_over_all_eight_signatures() -> None:
    found = verbs.constructions()
    assert len({one.name for one in found}) == len(found) >= 137
    assert {one.signature for one in found} == set(SIGNATURES)
    assert {one.complement for one in found} == {"to", "that"}


def test_the_printed_signature_is_the_papers_and_is_found_under_british_spelling() -> None:
    known = {one.name: one for one in verbs.constructions()}
    assert known["realise that"].printed == "+/+"
    assert (known["happen to"].signature, known["happen to"].printed) == ("+/-", "o/o")
    assert known["be lucky enough to"].printed is None
    shared = [one for one in known.values() if one.printed]
    assert len(shared) > 60
    assert all(one.printed in lexicon().values() for one in shared)


@pytest.mark.parametrize(
    ("name", "positive", "negative"),
    [
        ("forget to", "Ana forgot to lock the shed.", "Ana didn't forget to lock the shed."),
        (
            "be glad that",
            "Ana was glad that Ben had locked the shed.",
            "Ana wasn't glad that Ben had locked the shed.",
        ),
        (
            "hope that",
            "Ana hoped that Ben would lock the shed.",
            "Ana didn't hope that Ben would lock the shed.",
        ),
        (
            "have the chance to",
            "Ana had the chance to lock the shed.",
            "Ana didn't have the chance to lock the shed.",
        ),
    ],
)
def test_a_construction_makes_its_sentence_and_its_negation(
    name: str, positive: str, negative: str
) -> None:
    one = next(c for c in verbs.constructions() if c.name == name)
    shed = VerbPhrase(Verb("lock", "locks", "locked", "locked", "locking"), "the shed")
    scene = verbs.Scene(Subject("Ana"), Subject("Ben"), shed)
    assert verbs.premise(one, scene, "positive") == positive
    assert verbs.premise(one, scene, "negative") == negative
    assert (
        scene.complement(one.complement)
        == ("Ana" if one.complement == "to" else "Ben") + " locked the shed."
    )


def test_every_construction_comes_up_with_the_label_of_its_signature_in_both_environments() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for item in veridicality_signatures.stream(8000, 3):
        environment = item.tags["environment"]
        assert environment in ("positive", "negative")
        assert item.gold["signature"] == expected_label(str(item.tags["signature"]), environment)  # type: ignore[arg-type]
        seen[str(item.tags["construction"]), str(environment)] += 1
    assert len(seen) == 2 * len(verbs.constructions())


def test_a_swap_brings_the_targets_label_as_main_verb_and_changes_nothing_as_complement() -> None:
    signatures = {one.name: one.signature for one in verbs.constructions()}
    for item in veridicality_swaps.stream(200, 3):
        one = (
            item.tags["target"]
            if item.tags["swap"] in ("target", "main")
            else item.tags["construction"]
        )
        assert item.gold["signature"] == expected_label(
            signatures[str(one)],
            item.tags["environment"],  # type: ignore[arg-type]
        )
        if item.tags["swap"] in ("base", "complement"):
            assert item.tags["construction"] != item.tags["target"]


def test_the_main_swap_differs_from_its_base_in_the_verb_alone() -> None:
    group = [
        item
        for item in veridicality_swaps.make_group(2, 3)
        if item.tags["environment"] == "positive"
    ]
    base, main = (next(i for i in group if i.tags["swap"] == swap) for swap in ("base", "main"))
    assert base.hypothesis == main.hypothesis
    assert base.premise != main.premise
    assert base.premise.split()[-2:] == main.premise.split()[-2:]


def test_a_mismatch_has_no_gold_and_its_natural_partners_have() -> None:
    for item in veridicality_mismatches.stream(100, 3):
        natural = item.tags["swap"] in ("target", "base")
        assert bool(item.gold) == natural
        if item.tags["swap"] == "type":
            wrong = {"to": " that ", "that": " to "}[str(item.tags["complement"])]
            assert wrong in item.premise
