"""Verbs put where they did not stand."""

from __future__ import annotations

from tests.mining.trees import DECLINED, KNEW

from grice.mining.pairers.swaps import swaps
from grice.mining.pairs import MinedPair
from grice.theory.signature import expected_label, lexicon

TAGS = {"verb", "complement", "construction", "signature", "environment", "swap", "target", "target_signature"}


def made(swap: str, *, of: object = DECLINED) -> list[MinedPair]:
    assert of in (DECLINED, KNEW)
    return [one for one in swaps(of, targets=3) if isinstance(one, MinedPair) and one.tags["swap"] == swap]


def test_every_kind_of_swap_is_made_in_both_environments_with_the_generators_tags() -> None:
    counts = {swap: len(made(swap, of=KNEW)) for swap in ("base", "main", "mismatch", "complement", "type")}
    assert counts == {"base": 2, "main": 6, "mismatch": 6, "complement": 6, "type": 2}
    assert all(set(pair.tags) == TAGS for swap in counts for pair in made(swap, of=KNEW))


def test_the_main_verb_is_put_in_its_form_and_brings_its_signature() -> None:
    for pair in made("main"):
        verb, _, complement = str(pair.tags["target"]).rpartition(" ")
        assert complement == "to" and pair.hypothesis == "Nike was a sponsor."
        assert pair.gold["signature"] == expected_label(lexicon()[verb, complement], pair.tags["environment"])  # type: ignore[arg-type]
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
