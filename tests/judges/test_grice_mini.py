"""The built-in model: small enough to ship, described, and good at what it says."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tools.mini.clauses import Clause
from tools.mini.pairs import Texts, make_pairs

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
WEIGHTS = "9a375aa5986c6a437079c752dbfb23271604c7e285f6d109936353054fcc8894"
# Its answers to pairs made of a few clauses, a line for each, and some of their probabilities.
ANSWERS = "dc117d149e19b821a243b8e80255e2e71eb4195dead6eeeadf4db052ee9ba066"
TEXTS = Texts(
    [
        ("A tall man throws a red ball in a garden", "A man is outdoors", "entailment"),
        ("Two girls sing on a stage", "The girls are asleep", "contradiction"),
    ],
    {
        "A tall man throws a red ball in a garden": Clause(
            "a tall man", "throws", "throw", False, False, "", "a red ball in a garden"
        ),
        "Two girls sing on a stage": Clause(
            "two girls", "sing", "sing", False, True, "girls", "on a stage"
        ),
        "The girls are asleep": Clause("the girls", "are", "be", True, True, "", "asleep"),
        "A man is outdoors": Clause("a man", "is", "be", True, False, "", "outdoors"),
        "Snow fell": Clause("snow", "fell", "fall", False, False, "", "on the old bridge"),
        "There was a queue": Clause(
            "there", "was", "be", True, False, "", "a long queue before the bakery at noon"
        ),
        "The committee has postponed": Clause(
            "the committee", "has", "have", True, False, "", "postponed its third meeting"
        ),
        "Five dogs": Clause("five dogs", "chased", "chase", False, True, "dogs", "a lorry"),
    },
)
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
    pairs = dict.fromkeys(pair[:2] for pair in make_pairs(TEXTS, 2_000, 0))
    questions = [Question(str(n), *texts) for n, texts in enumerate(pairs)]
    said = {j.item: j for j in judge().judge(questions, NLI)}
    lines = [f"{q.premise}|{q.hypothesis}|{said[q.id].answer}\n" for q in questions]
    lines += [f"{(said[q.id].probs or {})['neutral']:.6f}\n" for q in questions[:200]]
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == ANSWERS


@pytest.mark.slow
def test_it_reads_what_operators_leave_open() -> None:
    data = loading.load("core@71")
    for operator in ("negated", "interrogative", "modal", "conditional"):
        rows = (pl.col("tag.role") == "control") & (pl.col("tag.operator") == operator)
        plain = rows & pl.col("tag.presupposition").is_null()
        part = replace(data, frame=data.frame.filter(plain))
        found = loading.load_measure("accuracy:label")(join(part, evaluate(part, judge())))
        assert len(part) > 40 and found is not None and found.value >= 0.95


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
