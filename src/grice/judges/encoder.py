"""NLI cross-encoders, by ONNX Runtime or by torch: a local folder, the built-in model, or the hub."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.errors import InputError, unknown
from grice.core.item import Question
from grice.core.judgement import Judgement, best
from grice.core.scale import NLI, Answer, Scale
from grice.judges._batching import Array, grouped, planned
from grice.judges._checkpoint import Checkpoint, checkpoint, digest
from grice.judges._engines import Ready, by_onnx, by_torch
from grice.judges._labels import columns, output_names
from grice.judges._scores import short, softmax
from grice.judges._settings import whole
from grice.judges._unit import rule

ENGINES = ("auto", "onnx", "torch")
ACTIVATIONS = ("sigmoid", "identity")
# One answer and, on a scale of labels, the probability of each label.
Read = tuple[Answer, dict[str, float] | None, str | None]


class Encoder:
    """`encoder/NAME`: a cross-encoder reads premise and hypothesis together; NAME is a folder, built in, or on the hub.

    `labels=a,b,c`: what its outputs mean, where the checkpoint does not say. `engine=onnx|torch`, `file`: what runs
    it (a folder with an .onnx graph needs no torch). `device`, `dtype=fp32|bf16`: for torch. `unit`: the rule that
    makes an answer on 0 … 1 of NLI probabilities; `activation=sigmoid|identity`: for a checkpoint of one output.
    `max_length`, `batch_tokens`, `threads`: its size and pace.
    """

    def __init__(
        self,
        name: str,
        *,
        labels: str = "",
        engine: str = "auto",
        file: str = "",
        device: str = "",
        dtype: str = "",
        unit: str = "surrogate",
        activation: str = "",
        max_length: str | int = 0,
        batch_tokens: str | int = 0,
        threads: str | int = 0,
    ) -> None:
        self.name = f"encoder/{name}"
        self.labels = tuple(part.strip() for part in labels.split(",") if part.strip())
        if engine not in ENGINES:
            raise unknown("engine", engine, ENGINES)
        if activation and activation not in ACTIVATIONS:
            raise unknown("activation", activation, ACTIVATIONS)
        self.engine, self.file, self.device, self.dtype = engine, file, device, dtype
        rule(unit)
        self.unit, self.activation = unit, activation
        self.max_length = whole("max_length", max_length)
        self.batch_tokens = whole("batch_tokens", batch_tokens)
        self.threads = whole("threads", threads)
        self.checkpoint: Checkpoint = checkpoint(name, provider="encoder")
        self.notes: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the loaded model, so that a worker elsewhere loads its own."""
        return {key: value for key, value in vars(self).items() if key not in ("_ready", "identity")}

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        graph = self._graph
        told = {"engine": "onnx"} if graph else {"engine": "torch", "dtype": self.dtype or "fp32"}
        return {
            "sha256": digest([graph] if graph else self.checkpoint.torch_files()),
            **told,
            "labels": list(self.outputs),
            "max_length": self.longest,
            **({"activation": self._activation} if len(self.outputs) == 1 else {"unit": self.unit}),
        }

    @property
    def _graph(self) -> Path | None:
        """The graph that the ONNX engine runs: when asked for, or when there is one and nobody asked for torch."""
        if self.engine == "torch":
            return None
        graph = self.checkpoint.onnx_file(self.file)
        if graph is None and self.engine == "onnx":
            raise InputError(
                f"{self.checkpoint.folder}: has no .onnx graph; make one with: grice export-onnx {self.name.partition('/')[2]} -o FOLDER"
            )
        return graph

    @property
    def outputs(self) -> tuple[str, ...]:
        return output_names(self.checkpoint.config, self.labels, where=self.name)

    @property
    def longest(self) -> int:
        return min(self.max_length or self.checkpoint.longest, self.checkpoint.longest)

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        read = self._reader(scale)
        asked = grouped(questions)
        texts, ids = list(asked), list(asked.values())
        ready = self._ready
        batches = planned(texts, ready.tokens, self.batch_tokens or ready.budget)
        self.notes, cut = {}, 0
        for batch, scores in ready.engine.scores(batches):
            for place, was_cut, answer in zip(batch.places, batch.cut, read(scores), strict=True):
                cut += was_cut * len(ids[place])
                yield from _judgements(ids[place], answer, self.longest if was_cut else None)
            if cut:
                self.notes = {"cut": f"{cut} longer than {self.longest} tokens"}

    @cached_property
    def _ready(self) -> Ready:
        if self._graph is not None:
            return by_onnx(self.checkpoint, self._graph, longest=self.longest, threads=self.threads)
        return by_torch(
            self.checkpoint,
            "AutoModelForSequenceClassification",
            lambda output: output.logits,
            longest=self.longest,
            device=self.device,
            dtype=self.dtype,
            what=self.name,
        )

    def _reader(self, scale: Scale) -> Callable[[Array], Iterator[Read]]:
        """What makes answers on the scale of a batch of scores."""
        if len(self.outputs) == 1:
            if not scale.numeric:
                raise InputError(
                    f"{self.name} has one output, which answers on numbers, not on {scale}; ask on another scale"
                )
            return lambda scores: _numbers(scores, self._activation == "sigmoid", scale)
        asked = NLI if scale.numeric else scale
        found = columns(self.outputs, asked, where=self.name)
        if not scale.numeric:
            return lambda scores: _labelled(scores, found)
        unit = rule(self.unit)
        low, high = _ends(scale)
        return lambda scores: (
            (short(low + unit(probs) * (high - low)), None, None)
            for _, probs, _ in _labelled(scores, found)
            if probs
        )

    @property
    def _activation(self) -> str:
        """As transformers' own pipeline decides: a regression is read as it is, anything else by a sigmoid."""
        config = self.checkpoint.config
        nested = config.get("sentence_transformers") or {}
        named = str(nested.get("activation_fn") or config.get("sbert_ce_default_activation_function") or "")
        if self.activation:
            return self.activation
        if named:
            return "sigmoid" if named.endswith("Sigmoid") else "identity"
        return "identity" if config.get("problem_type") == "regression" else "sigmoid"


def _labelled(scores: Array, found: Mapping[str, list[int]]) -> Iterator[Read]:
    table = softmax(scores)
    by_label = {label: table[:, places].sum(axis=1).tolist() for label, places in found.items()}
    for row in zip(*by_label.values(), strict=True):
        probs = {label: short(p) for label, p in zip(by_label, row, strict=True)}
        yield best(probs), probs, None


def _numbers(scores: Array, sigmoid: bool, scale: Scale) -> Iterator[Read]:
    low, high = _ends(scale)
    for score in scores[:, 0].astype(np.float64).tolist():
        value = 1 / (1 + np.exp(-score)) if sigmoid else score
        inside = min(1.0, max(0.0, value))
        note = None if inside == value else f"clipped: {value:.6g}"
        yield short(low + inside * (high - low)), None, note


def _ends(scale: Scale) -> tuple[float, float]:
    assert scale.low is not None and scale.high is not None
    return scale.low, scale.high


def _judgements(ids: Sequence[str], answer: Read, longest: int | None) -> Iterator[Judgement]:
    value, probs, note = answer
    raw = f"cut to {longest} tokens" if longest is not None else note
    for key in ids:
        yield Judgement(key, value, probs=probs, raw=raw)
