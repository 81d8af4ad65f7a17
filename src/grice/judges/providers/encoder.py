"""NLI cross-encoders by ONNX Runtime or torch: a local folder, the built-in model, or the hub."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import Judgement, in_turn
from grice.core.scale import NLI, Answer, Scale
from grice.core.settings import read_settings, setting, with_settings
from grice.judges.labels import label_columns, output_names
from grice.judges.unit import rule, unit_setting
from grice.models.batching import Array, TokenBatch, group_by_text, paused_gc, plan_batches
from grice.models.checkpoint import Checkpoint, checkpoint
from grice.models.engines import (
    EngineSettings,
    LoadedModel,
    arithmetic_identity,
    describe_arithmetic,
    load_onnx,
    load_torch,
)
from grice.models.scores import NOT_A_NUMBER, short, shorts, softmax

ENGINES = ("auto", "onnx", "torch")
ACTIVATIONS = ("sigmoid", "identity")
# An answer, on a scale of labels the probability of each label, and a note.
ScoredAnswer = tuple[Answer, dict[str, float] | None, str | None]


@dataclass(frozen=True)
class EncoderSettings(EngineSettings):
    """Settings (`-M`) of `encoder/…`."""

    labels: tuple[str, ...] = ()
    engine: str = setting("auto", choices=ENGINES)
    file: str = ""
    unit: str = unit_setting("surrogate")
    activation: str = setting("", choices=ACTIVATIONS)


@with_settings(EncoderSettings)
class Encoder:
    """`encoder/NAME`: a cross-encoder that reads premise and hypothesis together.

    NAME is a folder, the built-in model, or a model on the hub. `labels=a,b,c`: the meaning of its
    outputs, if the checkpoint does not state it. `engine=onnx|torch`, `file`: what runs it (a
    folder with an .onnx graph needs no torch). `device`, `dtype=fp32|bf16`: for torch. `unit`: the
    rule that makes an answer on 0 … 1 of NLI probabilities; `activation=sigmoid|identity`: for a
    checkpoint of one output. `max_length`, `batch_tokens`, `threads`: its size and speed.
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.name = f"encoder/{name}"
        self.settings = read_settings(EncoderSettings, settings, noun="setting of encoder")
        self.checkpoint: Checkpoint = checkpoint(name, provider="encoder")
        self.notes: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but the loaded model, so that a worker process loads its own."""
        return {
            key: value for key, value in vars(self).items() if key not in ("_model", "identity")
        }

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The hashes of the checkpoint's files, its engine, and the meaning of its outputs."""
        graph = self._graph
        return {
            **self.checkpoint.identity(graph),
            "engine": "onnx" if graph else "torch",
            **arithmetic_identity(graph, self.settings, what=self.name),
            "labels": list(self.outputs),
            "max_length": self.longest,
            **(
                {"activation": self._activation}
                if len(self.outputs) == 1
                else {"unit": self.settings.unit}
            ),
        }

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """The arithmetic on this machine."""
        return describe_arithmetic(self._graph, self.settings, what=self.name)

    @property
    def _graph(self) -> Path | None:
        """The graph that the ONNX engine runs, or None for torch.

        ONNX is used when requested, or when there is a graph and torch was not requested.
        """
        if self.settings.engine == "torch":
            return None
        graph = self.checkpoint.onnx_file(self.settings.file)
        if graph is None and self.settings.engine == "onnx":
            make = f"grice export-onnx {self.name.removeprefix('encoder/')} -o FOLDER"
            raise InputError(f"{self.checkpoint.folder}: has no .onnx graph; make one with: {make}")
        return graph

    @property
    def outputs(self) -> tuple[str, ...]:
        """The meaning of each output of the model."""
        return output_names(self.checkpoint.config, self.settings.labels, where=self.name)

    @property
    def longest(self) -> int:
        """The number of tokens of a pair that are read."""
        return self.settings.longest(self.checkpoint)

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield a judgement of each question, in their order; equal pairs are read once."""
        pending = list(questions)
        yield from in_turn(pending, self._by_batch(pending, scale))

    def _by_batch(self, questions: Sequence[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield the judgements of each batch as it is read."""
        read = self._reader(scale)
        ids_by_text = group_by_text(questions)
        texts, ids = list(ids_by_text), list(ids_by_text.values())
        model = self._model
        batches = plan_batches(texts, model.tokens, model.budget)
        self.notes, cut = dict(model.notes), 0
        for batch, scores in model.engine.scores(batches):
            sound = np.asarray(np.isfinite(scores).all(axis=1))
            answers = zip(read(np.where(sound[:, None], scores, 0)), sound.tolist(), strict=True)
            with paused_gc:
                judgements = list(_judgements(batch, answers, ids, f"cut to {self.longest} tokens"))
            yield from judgements
            cut += sum(
                len(ids[index])
                for index, was_cut in zip(batch.places, batch.cut, strict=True)
                if was_cut
            )
            if cut:
                self.notes[f"cut to {self.longest} tokens"] = cut

    @cached_property
    def _model(self) -> LoadedModel:
        if self._graph is not None:
            return load_onnx(self.checkpoint, self._graph, self.settings)
        auto = "AutoModelForSequenceClassification"
        return load_torch(
            self.checkpoint, auto, lambda output: output.logits, self.settings, what=self.name
        )

    def _reader(self, scale: Scale) -> Callable[[Array], Iterator[ScoredAnswer]]:
        """Return a function from a batch of scores to answers on the scale."""
        if len(self.outputs) == 1:
            if not scale.numeric:
                raise InputError(
                    f"{self.name} has one output, for numbers, not for {scale}; ask on another"
                    " scale"
                )
            return lambda scores: _numbers(scores, self._activation == "sigmoid", scale)
        target_scale = NLI if scale.numeric else scale
        columns = label_columns(self.outputs, target_scale, where=self.name)
        if not scale.numeric:
            return lambda scores: _labelled(scores, columns)
        unit = rule(self.settings.unit)
        low, high = _ends(scale)
        return lambda scores: (
            (short(low + unit(probs) * (high - low)), None, None)
            for _, probs, _ in _labelled(scores, columns)
            if probs
        )

    @property
    def _activation(self) -> str:
        """The activation that transformers' own pipeline would use.

        A regression is read as it is, anything else by a sigmoid.
        """
        config = self.checkpoint.config
        nested = config.get("sentence_transformers") or {}
        named = str(
            nested.get("activation_fn") or config.get("sbert_ce_default_activation_function") or ""
        )
        if self.settings.activation:
            return self.settings.activation
        if named:
            return "sigmoid" if named.endswith("Sigmoid") else "identity"
        return "identity" if config.get("problem_type") == "regression" else "sigmoid"


def _labelled(scores: Array, columns: Mapping[str, list[int]]) -> Iterator[ScoredAnswer]:
    table = softmax(scores)
    probs = shorts(np.stack([table[:, places].sum(axis=1) for places in columns.values()], axis=1))
    labels = tuple(columns)
    for first, row in zip(probs.argmax(axis=1).tolist(), probs.tolist(), strict=True):
        yield labels[first], dict(zip(labels, row, strict=True)), None


def _numbers(scores: Array, sigmoid: bool, scale: Scale) -> Iterator[ScoredAnswer]:
    low, high = _ends(scale)
    logits = scores[:, 0].astype(np.float64)
    values = 1 / (1 + np.exp(-logits)) if sigmoid else logits
    inside = np.fmin(1.0, np.fmax(0.0, values))
    answers = shorts(low + inside * (high - low)).tolist()
    for answer, value, clipped in zip(answers, values.tolist(), inside.tolist(), strict=True):
        yield answer, None, None if clipped == value else f"clipped: {value:.6g}"


def _ends(scale: Scale) -> tuple[float, float]:
    assert scale.low is not None and scale.high is not None
    return scale.low, scale.high


def _judgements(
    batch: TokenBatch,
    answers: Iterable[tuple[ScoredAnswer, bool]],
    ids: Sequence[Sequence[str]],
    shortened: str,
) -> Iterator[Judgement]:
    """Yield a judgement for each id of each row; a row that is not finite is a fault."""
    for index, was_cut, ((value, probs, note), sound) in zip(
        batch.places, batch.cut, answers, strict=True
    ):
        raw = shortened if was_cut else note
        for key in ids[index]:
            yield (
                Judgement(key, value, None, probs, raw)
                if sound
                else Judgement(key, fault=NOT_A_NUMBER)
            )
