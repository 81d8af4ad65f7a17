"""A model whose scores are no numbers has not answered, and the run says so."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from grice.core.dataset import Dataset
from grice.core.item import Item, Question
from grice.core.scale import NLI, UNIT, Scale
from grice.judges.providers.encoder import Encoder
from grice.judges.providers.st import St
from grice.learners.training.judges import _judgement
from grice.storage.evaluation import evaluate

FAULT = "not a number: the model's scores are nan or infinite"
PAIRS = [Question(f"q{n}", "A dog ran.", f"{n} dogs ran.") for n in range(4)]


class Broken:
    """An engine that gives `value` for the first question, and its inner engine's scores for the
    others.
    """

    def __init__(self, inner: Any, value: float, column: int) -> None:
        self.inner, self.value, self.column = inner, value, column

    def scores(self, batches: Any) -> Iterator[tuple[Any, Any]]:
        for batch, scores in self.inner.scores(batches):
            wrong = np.array(scores)
            for row, place in enumerate(batch.places):
                if place == 0:
                    wrong[row, self.column] = self.value
            yield batch, wrong


@pytest.mark.parametrize("scale", [UNIT, NLI])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_an_encoders_score_that_is_no_number_is_a_fault(value: float, scale: Scale) -> None:
    judge, sound = Encoder("grice-mini"), Encoder("grice-mini")
    model = sound._model
    judge.__dict__["_model"] = SimpleNamespace(
        apart=False,
        tokens=model.tokens,
        budget=model.budget,
        notes=model.notes,
        engine=Broken(model.engine, value, 1),
    )
    found = {judgement.item: judgement for judgement in judge.judge(PAIRS, scale)}
    right = {judgement.item: judgement for judgement in sound.judge(PAIRS, scale)}
    assert (found["q0"].answer, found["q0"].fault) == (None, FAULT)
    assert all(found[key] == right[key] for key in ("q1", "q2", "q3"))


def test_a_run_counts_it(tmp_path: Any) -> None:
    judge = Encoder("grice-mini")
    model = judge._model
    judge.__dict__["_model"] = SimpleNamespace(
        apart=False,
        tokens=model.tokens,
        budget=model.budget,
        notes=model.notes,
        engine=Broken(model.engine, np.nan, 0),
    )
    data = Dataset.from_items("hand", UNIT, [Item(q.id, q.premise, q.hypothesis) for q in PAIRS])
    run = evaluate(data, judge, into=tmp_path)
    assert (run.answered, run.faults, run.open) == (3, 1, 0)


def test_a_sentence_whose_vector_is_no_number_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = St("all-MiniLM-L6-v2")
    first = np.array([[np.nan, 0.0], [0.6, 0.8]])
    monkeypatch.setattr(
        judge, "_vectors", lambda _texts: (first, np.array([[1.0, 0.0], [1.0, 0.0]]))
    )
    wrong, right = judge.judge(PAIRS[:2], UNIT)
    assert (wrong.answer, wrong.fault) == (None, FAULT)
    assert right.answer == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("own", "scores"), [(UNIT, [np.nan]), (UNIT, [-np.inf]), (NLI, [0.0, np.nan, 1.0])]
)
def test_a_trained_models_score_that_is_no_number_is_a_fault(
    own: Scale, scores: list[float]
) -> None:
    found = _judgement("q", np.array(scores), own, own)
    assert (found.answer, found.fault) == (None, FAULT)


def test_a_trained_models_score_of_any_size_is_a_share() -> None:
    assert _judgement("q", np.array([-1000.0]), UNIT, UNIT).answer == pytest.approx(0.0)
