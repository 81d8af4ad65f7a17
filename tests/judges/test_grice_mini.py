"""The built-in model: small enough to ship, described, and good at what it says."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from grice import loading
from grice.core.files import sha256_of
from grice.core.item import Question
from grice.core.judgement import Judge
from grice.core.scale import NLI, UNIT
from grice.models.checkpoint import MODELS
from grice.models.integers import cpu_family
from grice.storage.evaluation import evaluate
from grice.storage.run import join

FOLDER = MODELS / "grice-mini"
WEIGHTS = "9299618d8949986c73a1a00392900b352996d87b8f4c7984d72da7dbf2a8108d"
# Its answers to core@0, of which DATA is the fingerprint: a line "id answer" for each item.
DATA = "91e876be79378da5f35e29c9beb0d9f8"
ANSWERS = "4d6e88993c9979c332ef79a9dcf061b3c683c65b0eb1d84cf5380f74fd69d332"
PAIRS = [
    ("Two dogs run along the beach.", "Animals are outside.", "entailment"),
    ("Two dogs run along the beach.", "The dogs are asleep at home.", "contradiction"),
    ("Two dogs run along the beach.", "The dogs belong to a farmer.", "neutral"),
    ("A woman in a red coat buys apples.", "A person is shopping.", "entailment"),
    ("A woman in a red coat buys apples.", "Nobody is buying anything.", "contradiction"),
    ("A woman in a red coat buys apples.", "The woman will bake a cake.", "neutral"),
]


def judge() -> Judge:
    made = loading.load_judge("encoder/grice-mini")
    assert isinstance(made, Judge)
    return made


def test_it_is_at_most_25_megabytes_with_card_and_tokenizer() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 25_000_000
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"## {part}" in card for part in ("Data", "Limits", "Scores", "Made again"))


def test_its_weights_are_the_ones_that_were_measured() -> None:
    assert sha256_of(FOLDER / "model.int8.onnx") == WEIGHTS


@pytest.mark.slow
@pytest.mark.skipif(
    cpu_family() != "x86_64", reason="floats round differently here: docs/machines.md says how much"
)
def test_it_answers_the_same_on_every_cpu() -> None:
    data = loading.load("core@0")
    assert data.fingerprint == DATA, "other items have other answers; write down what they are"
    said = {j.item: j.answer for j in judge().judge(data.questions(), NLI)}
    lines = "".join(f"{key} {said[key]}\n" for key in data.ids)
    assert hashlib.sha256(lines.encode()).hexdigest() == ANSWERS


def test_it_answers_plain_pairs_mostly_as_people_would() -> None:
    questions = [Question(str(n), first, second) for n, (first, second, _) in enumerate(PAIRS)]
    answers = {j.item: j.answer for j in judge().judge(questions, NLI)}
    # It is a small model: the cake is a contradiction to it.
    assert sum(answers[str(n)] == label for n, (*_, label) in enumerate(PAIRS)) >= 5


def test_it_answers_with_a_probability_where_one_is_asked_for() -> None:
    questions = [Question("yes", *PAIRS[0][:2]), Question("no", *PAIRS[1][:2])]
    said = {j.item: float(j.answer or 0) for j in judge().judge(questions, UNIT)}
    assert said["no"] < 0.3 < 0.6 < said["yes"]


@pytest.mark.slow
@pytest.mark.published
def test_it_keeps_its_score_on_snli(data_folder: Path) -> None:  # noqa: ARG001
    data = loading.load("snli/dev").head(800)
    data = replace(data, frame=data.frame.drop_nulls("gold.label"))
    found = loading.load_measure("accuracy:label")(join(data, evaluate(data, judge())))
    assert found is not None and found.value > 0.84
