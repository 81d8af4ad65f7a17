"""Training of grice-mini: clauses, the pairs made of them, and the weights it starts from."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from tools.mini.clauses import Clause
from tools.mini.operators import ask, can_negate, describe, emphasize, negate
from tools.mini.pairs import (
    CONTRADICTION,
    ENTAILMENT,
    MAKERS,
    NEUTRAL,
    Texts,
    beside_operator,
    make_pairs,
    negated_clause,
    open_question,
    presupposes,
)
from tools.mini.quantities import SHARES, Amount, draw_amounts, label_of

from grice.models.checkpoint import MODELS

WALKS = Clause("a woman", "walks", "walk", False, False, "", "to the shop")
LEFT = Clause("two boys", "left", "leave", False, True, "boys", "a park")
IS = Clause("the cat", "is", "be", True, False, "", "asleep on a chair")
SOME = Clause("several dogs", "are", "be", True, True, "dogs", "in the sea")
TEXTS = Texts(
    [
        ("A woman walks to the shop", "The cat is asleep on a chair", NEUTRAL),
        ("A woman walks quickly", "A woman walks to the shop", ENTAILMENT),
    ],
    {
        "A woman walks to the shop": WALKS,
        "Two boys left a park": LEFT,
        "The cat is asleep on a chair": IS,
        "Several dogs are in the sea": SOME,
        "A woman walks quickly": Clause("a woman", "walks", "walk", False, False, "", "quickly"),
    },
)


class _Longhand(random.Random):
    """Never contracts "not"."""

    def random(self) -> float:
        return 0.9


def test_a_clause_is_negated_and_asked_in_its_tense_and_number() -> None:
    draw = _Longhand()
    assert negate(WALKS, draw) == "a woman does not walk to the shop"
    assert negate(LEFT, draw) == "two boys did not leave a park"
    assert negate(IS, draw) == "the cat is not asleep on a chair"
    assert ask(WALKS) == "does a woman walk to the shop?"
    assert ask(LEFT) == "did two boys leave a park?"
    assert ask(IS) == "is the cat asleep on a chair?"
    assert emphasize(LEFT) == "two boys did leave a park"


def test_a_described_subject_keeps_the_tense_of_its_own_clause() -> None:
    other = Clause("a girl", "sings", "sing", False, False, "", "well")
    text = ask(describe(WALKS, other, random.Random(0)))
    assert text.startswith("does a woman ") and text.endswith(" walk to the shop?")
    assert "sing" in text


def test_a_quantified_subject_has_no_negation_that_contradicts_it() -> None:
    assert can_negate(LEFT) and not can_negate(SOME)


def test_what_is_asked_stays_open_and_what_is_negated_does_not() -> None:
    labels = {
        maker: {maker(TEXTS, random.Random(n))[2] for n in range(60)}
        for maker in (open_question, negated_clause, beside_operator)
    }
    assert labels[open_question] == {NEUTRAL}
    assert labels[negated_clause] == {ENTAILMENT, CONTRADICTION}
    assert labels[beside_operator] == {ENTAILMENT, NEUTRAL, CONTRADICTION}


def test_a_premise_that_presupposes_is_not_put_under_operators_with_other_hypotheses() -> None:
    assert presupposes("A man walks his dog") and presupposes("A man stopped near a tree")
    assert presupposes("A man knows Ana") and not presupposes("Two boys play in a park.")


def test_pairs_come_from_every_maker_and_are_the_same_for_the_same_seed() -> None:
    pairs = make_pairs(TEXTS, 400, 3)
    assert pairs == make_pairs(TEXTS, 400, 3) != make_pairs(TEXTS, 400, 4)
    assert {label for _, _, label in pairs} == {ENTAILMENT, NEUTRAL, CONTRADICTION}
    for maker in MAKERS:
        premise, hypothesis, _ = maker(TEXTS, random.Random(1))
        assert premise[0].isupper() and premise != hypothesis


def test_no_pair_of_amounts_is_made_where_the_readings_differ() -> None:
    by_words = {share.words: share for share in SHARES}
    everything, some = by_words["all of the"], by_words["some of the"]
    not_all, none = by_words["not all of the"], by_words["none of the"]
    assert label_of(some, everything) is None  # neutral, or a contradiction
    assert label_of(everything, some) is None  # entailed, or a contradiction
    assert label_of(some, not_all) is None
    assert label_of(everything, not_all) == label_of(some, none) == CONTRADICTION
    three, exactly = Amount("three", (3, 10**6), (3, 3)), Amount("exactly three", (3, 3), (3, 3))
    assert label_of(three, exactly) is None and label_of(exactly, three) == ENTAILMENT
    draw = random.Random(2)
    assert all(label_of(a, b) == label for a, b, label in (draw_amounts(draw) for _ in range(200)))


@pytest.mark.slow
def test_the_shipped_integers_give_the_weights_they_were_made_from() -> None:
    pytest.importorskip("onnx")
    from tools.mini.weights import float_weights

    weights = float_weights(MODELS / "grice-mini" / "model.int8.onnx")
    assert len(weights) == 105
    layer = weights["bert.encoder.layer.5.output.dense.weight"]
    assert layer.shape == (384, 1536) and np.isfinite(layer).all() and 0.01 < layer.std() < 0.1
    assert weights["bert.embeddings.word_embeddings.weight"].shape == (30522, 384)


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    from tools.mini.weights import read_weights, write_weights

    given = {"a": np.ones((3, 4), np.float32), "b": np.arange(7_000_000, dtype=np.float32) % 512}
    write_weights(given, {"steps": 1}, tmp_path)
    read = read_weights(tmp_path)
    assert read.keys() == given.keys() and all((read[n] == given[n]).all() for n in given)
    assert all(path.stat().st_size < 16e6 for path in tmp_path.glob("*.npz"))


def test_a_temperature_per_answer_keeps_the_answers_and_mends_their_confidence() -> None:
    from tools.mini.network import calibration_error, fit_temperatures, sharpen

    draw = np.random.default_rng(0)
    scores = draw.normal(size=(4000, 3)).astype(np.float32) * 2
    sure = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    labels = (sure.cumsum(1) < draw.random((4000, 1))).sum(1)
    flat = np.where(scores.argmax(1, keepdims=True) == 0, scores * 0.3, scores)
    fitted = sharpen(flat, fit_temperatures(flat, labels))
    assert (fitted.argmax(1) == flat.argmax(1)).all()
    assert calibration_error(np.log(fitted), labels) < calibration_error(flat, labels) / 2
