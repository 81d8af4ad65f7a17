"""What the surface gives away: every set that promises balance keeps its labels from who sees one
sentence only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from grice.checks import leakage
from grice.checks.leakage import CHANCE, ENCODER, find_leaks, inference_rows, measure_leakage
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.core.shelf import PHENOMENA
from grice.generate.phenomenon import Phenomenon

# Of presuppositions rival readings are not balanced by design: docs/surface_cues.md.
BALANCED = ("label", "logical")
# What people said of twenty predicates is no paradigm: it promises no balance.
UNEVEN = ("predicates",)
# The readings of belief pull apart, some scales go both ways and others one way, and rules and
# stages leave fewer sentences to balance with: docs/surface_cues.md.
PULLED_APART = (
    "believe_know",
    "may_have_to",
    "modals",
    "most",
    "numerals_10_100",
    "ordinals",
    "sometimes_always",
    "start_finish",
)
SETS = [
    name
    for name in PHENOMENA.names()
    if PHENOMENA.find(name).kind in ("implicature", "presupposition")
]


@pytest.mark.parametrize("name", [name for name in SETS if name not in UNEVEN])
def test_who_sees_the_hypothesis_alone_is_no_better_than_the_commonest_label(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _assert_even(name, "hypothesis only", monkeypatch)


@pytest.mark.parametrize(
    "name", [n for n in SETS if n not in UNEVEN and PHENOMENA.find(n).kind == "presupposition"]
)
def test_who_counts_shared_words_knows_nothing_of_a_presupposition(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _assert_even(name, "overlap", monkeypatch)


def _assert_even(name: str, classifier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leakage, "CLASSIFIERS", {classifier: leakage.CLASSIFIERS[classifier]})
    phenomenon = PHENOMENA.find(name)
    assert isinstance(phenomenon, Phenomenon)
    table = measure_leakage(inference_rows(phenomenon.make(700 // phenomenon.rows, 17)))
    for row in table.rows:
        chance, got = table.cell(row, CHANCE), table.cell(row, classifier)
        if row[1] in BALANCED:
            assert chance and got and got.value <= chance.value + 0.03, (row, got)


@pytest.mark.parametrize(
    "name", [name for name in SETS if PHENOMENA.find(name).kind == "implicature"]
)
def test_on_a_scale_neither_the_hypothesis_nor_shared_words_tell_the_answer_under_any_reading(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {"hypothesis only": leakage.words_of_hypothesis, "overlap": leakage.shared_words}
    monkeypatch.setattr(leakage, "CLASSIFIERS", kept)
    leaks = find_leaks(measure_leakage(inference_rows(PHENOMENA.find(name).make(100, 18))))
    assert [leak.detail for leak in leaks if name not in PULLED_APART] == []


def _told(label: str, number: int) -> Item:
    word = {"entailment": "red", "neutral": "blue", "contradiction": "green"}[label]
    return Item(
        f"{label}{number}",
        f"Box {number}.",
        f"It is {word}.",
        gold={"label": label},
        group=str(number),
    )


def test_an_encoder_that_reads_the_hypothesis_finds_what_is_there() -> None:
    items = [
        _told(label, number)
        for number in range(30)
        for label in ("entailment", "neutral", "contradiction")
    ]

    def embed(sentences: Sequence[str]) -> np.ndarray:
        return np.array(
            [[word in text for word in ("red", "blue", "green")] for text in sentences], dtype=float
        )

    table = measure_leakage(Dataset.from_items("boxes", NLI, items), embed=embed)
    got = table.cell(("all", "label"), ENCODER)
    assert got is not None and got.value == 1.0
    assert [finding for finding in find_leaks(table) if ENCODER in finding.detail]


def test_an_encoder_that_reads_nothing_finds_nothing() -> None:
    items = [
        _told(label, number)
        for number in range(30)
        for label in ("entailment", "neutral", "contradiction")
    ]
    table = measure_leakage(
        Dataset.from_items("boxes", NLI, items), embed=lambda texts: np.ones((len(texts), 4))
    )
    got = table.cell(("all", "label"), ENCODER)
    assert got is not None and got.value <= 0.5
