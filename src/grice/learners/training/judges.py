"""Judges of trained folders: a saved model, and a judge that sees one text only."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.core.errors import InputError
from grice.core.files import sha256_of
from grice.core.item import Question
from grice.core.judgement import HasArithmetic, Judge, Judgement, best
from grice.core.scale import Scale
from grice.learners.training.examples import TASK, InputExample, TaskExamples, visible_texts
from grice.models.engines import EngineSettings, describe_arithmetic
from grice.models.scores import NOT_A_NUMBER, short, softmax
from grice.models.trained_folder import read_note

if TYPE_CHECKING:
    from grice.learners.training.model import TrainableModel
    from grice.models.batching import Array

BATCH_SIZE = 64
# Weights, words and configuration; and the records of the training, which change no answer.
ANSWERING = (".safetensors", ".json", ".txt", ".npy")
RECORDS = ("done.json", "environment.json")


@dataclass(frozen=True)
class PartialViewJudge:
    """A judge that sees only the side of a pair that its learner saw, such as the hypothesis."""

    name: str
    inner: Judge
    side: str

    @property
    def identity(self) -> Mapping[str, Any]:
        """Identity of the inner judge, with the visible side."""
        return {**self.inner.identity, "side": self.side}

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """Arithmetic of the inner judge."""
        return self.inner.arithmetic if isinstance(self.inner, HasArithmetic) else {}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield the inner judge's answers to the visible texts."""
        partial_inputs = [
            Question(q.id, *visible_texts(q.premise, q.hypothesis, self.side)) for q in questions
        ]
        yield from self.inner.judge(partial_inputs, scale)


class SavedModelJudge:
    """A saved model, loaded from its folder by `load` at the first question."""

    def __init__(self, folder: str, load: Callable[[Path], TrainableModel]) -> None:
        self.name, self.folder, self.load = f"trained/{folder}", Path(folder), load
        note = read_note(self.folder)
        self.kind, self.side = str(note["kind"]), str(note["side"])
        self.scale = Scale.from_json(note["scale"])

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """Its learner, the visible side of a pair, and the hashes of the files it depends on."""
        files = sorted(
            path
            for path in self.folder.rglob("*")
            if path.suffix in ANSWERING and path.name not in RECORDS
        )
        hashes = {path.relative_to(self.folder).as_posix(): sha256_of(path) for path in files}
        return {"kind": self.kind, "side": self.side, **hashes}

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """In fp32 on the best device there is, as `judge` asks for."""
        return describe_arithmetic(None, EngineSettings(), what=self.name)

    @cached_property
    def _model(self) -> TrainableModel:
        return self.load(self.folder)

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield answers on the scale it was trained on; labels may be in another order."""
        from grice.learners.training.model import predict

        own = self.scale
        if scale.numeric != own.numeric or sorted(scale.labels) != sorted(own.labels):
            raise InputError(f"{self.name} answers on {own}, not on {scale}; ask on its own scale")
        items = list(questions)
        target = own.labels[0] if own.labels else 0.5
        examples = [
            InputExample(*visible_texts(q.premise, q.hypothesis, self.side), target) for q in items
        ]
        if not examples:
            return
        rows = self._model.encode(TaskExamples(TASK, own, examples))
        answers = predict(self._model, rows, BATCH_SIZE, bf16=False)
        for question, scores in zip(items, answers, strict=True):
            yield _judgement(question.id, scores, own, scale)


def _judgement(item: str, scores: Array, own: Scale, scale: Scale) -> Judgement:
    if not all(map(math.isfinite, scores.tolist())):
        return Judgement(item, fault=NOT_A_NUMBER)
    if own.labels:
        shares = softmax(scores[None])[0].tolist()
        probs = {label: short(p) for label, p in zip(own.labels, shares, strict=True)}
        probs = {label: probs[label] for label in scale.labels}
        return Judgement(item, best(probs), probs=probs)
    assert scale.low is not None and scale.high is not None
    share = 1 / (1 + math.exp(min(-float(scores[0]), 700.0)))
    return Judgement(item, short(scale.low + share * (scale.high - scale.low)))
