"""Sentence encoders: frozen vectors of premise and hypothesis, with a head or their cosine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.dataset import GOLD, Dataset
from grice.core.errors import InputError, unknown
from grice.core.files import read_json
from grice.core.item import Question
from grice.core.judgement import Judge, Judgement, best, in_turn
from grice.core.scale import Answer, Scale
from grice.core.settings import read_settings, setting, with_settings
from grice.judges.head import PENALTIES, PENALTY, Head, features, fit
from grice.models.batching import Array, Texts, group_by_text, plan_batches
from grice.models.checkpoint import Checkpoint, checkpoint
from grice.models.engines import (
    EngineSettings,
    LoadedModel,
    arithmetic_identity,
    describe_arithmetic,
    load_onnx,
    load_torch,
)
from grice.models.scores import NOT_A_NUMBER, short, softmax

POOLINGS = ("mean", "cls", "max")


@dataclass(frozen=True)
class StSettings(EngineSettings):
    """Settings (`-M`) of `st/…`."""

    head: str = ""
    pooling: str = setting("", choices=POOLINGS)
    reading: str = ""
    l2: float | None = setting(None, low=0)


@with_settings(StSettings)
class St:
    """`st/NAME`: a sentence encoder with one vector per sentence.

    On numbers the answer is the cosine of the two vectors; on labels it comes from a head trained
    by `fit`. `head=FOLDER`: a head saved before. `pooling=mean|cls|max`: if the checkpoint does not
    state it. `reading`, `l2`: what `fit` learns and how strongly it is regularised. `device`,
    `dtype`, `max_length`, `batch_tokens`, `threads`.
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.name = f"st/{name}"
        self.settings = read_settings(StSettings, settings, noun="setting of st")
        self.checkpoint: Checkpoint = checkpoint(name, provider="st")
        self.pooling = self.settings.pooling or _stated_pooling(self.checkpoint)
        self.notes: dict[str, Any] = {}
        head = self.settings.head
        self.head: Head | None = Head.read(Path(head)) if head else None
        if self.head and self.head.encoder != self.sha256:
            raise InputError(
                f"{head}: was fitted on the vectors of another model than {self.name}; fit it again"
            )

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but the loaded model, so that a worker process loads its own."""
        return {key: value for key, value in vars(self).items() if key != "_model"}

    @cached_property
    def _files(self) -> dict[str, str]:
        return self.checkpoint.identity(self.checkpoint.onnx_file())

    @property
    def sha256(self) -> str:
        """The hash of the encoder's weights."""
        return self._files["sha256"]

    @property
    def longest(self) -> int:
        """The number of tokens of a sentence that are read."""
        return self.settings.longest(self.checkpoint)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The hashes of the encoder and its head, the pooling, and the relevant arithmetic."""
        parts = {**self._files, "pooling": self.pooling, "max_length": self.longest}
        parts |= arithmetic_identity(self.checkpoint.onnx_file(), self.settings, what=self.name)
        if self.head is None:
            return {**parts, "head": "cosine"}
        return {**parts, "head": _hash(self.head), "labels": list(self.head.labels)}

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """The arithmetic of its vectors on this machine."""
        return describe_arithmetic(self.checkpoint.onnx_file(), self.settings, what=self.name)

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield a judgement of each question, in their order; each sentence is encoded once."""
        pending = list(questions)
        yield from in_turn(pending, self._by_text(pending, scale))

    def _by_text(self, questions: Sequence[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield the judgements of each pair of sentences."""
        self._check(scale)
        ids_by_text = group_by_text(questions)
        texts, ids = list(ids_by_text), list(ids_by_text.values())
        first, second = self._vectors(texts)
        if self.head is None:
            # A negative cosine is clipped to the lower end of the scale.
            table = np.maximum((first * second).sum(axis=1, keepdims=True), 0)
        else:
            table = softmax(self.head.scores(features(first, second)))
        for keys, row in zip(ids, table.tolist(), strict=True):
            if not np.isfinite(row).all():
                yield from (Judgement(key, fault=NOT_A_NUMBER) for key in keys)
                continue
            if scale.low is not None and scale.high is not None:
                answer: Answer = short(scale.low + min(1.0, row[0]) * (scale.high - scale.low))
                probs = None
            elif self.head is not None:
                probs = {label: short(p) for label, p in zip(self.head.labels, row, strict=True)}
                answer = best(probs)
            yield from (Judgement(key, answer, probs=probs) for key in keys)

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge:
        """Return this judge with a head trained on the gold of one reading.

        `dev` selects the strength of regularisation.
        """
        labels, targets, texts = self._lesson(train)
        inputs = features(*self._vectors(texts))
        l2 = self.settings.l2
        penalties = [l2] if l2 is not None else [PENALTY] if dev is None else list(PENALTIES)
        heads = [Head(labels, *fit(inputs, targets, p), encoder=self.sha256) for p in penalties]
        if len(heads) > 1 and dev is not None:
            _, wanted, others = self._lesson(dev)
            seen = features(*self._vectors(others))
            heads.sort(key=lambda head: -float((np.log(softmax(head.scores(seen))) * wanted).sum()))
        fitted = copy(self)
        fitted.head, fitted.name, fitted.notes = heads[0], f"{self.name}+head", {}
        return fitted

    def save(self, folder: Path) -> None:
        """Write the head alone; `st/NAME` with `-M head=FOLDER` is this judge again."""
        if self.head is None:
            raise InputError(f"{self.name} has no head to save; fit it on labelled pairs first")
        self.head.save(folder)

    def _check(self, scale: Scale) -> None:
        has = self.head.labels if self.head else ()
        if scale.numeric and has:
            raise InputError(
                f"the head of {self.name} answers {', '.join(has)}, not numbers; ask on its labels"
            )
        if not scale.numeric and set(has) != set(scale.labels):
            description = f"answers {', '.join(has)}" if has else "has no trained head"
            remedy = "fit one on such labels and name it with -M head=FOLDER"
            raise InputError(f"{self.name} {description}, and the scale is {scale}; {remedy}")

    def _lesson(self, data: Dataset) -> tuple[tuple[str, ...], Array, list[Texts]]:
        """Return the labels of the reading, the targets, and the texts.

        Targets are a row of probabilities for each item with gold.
        """
        named = self.settings.reading or next(iter(data.readings), "")
        if named not in data.readings:
            raise unknown("reading", named, data.readings)
        scale = data.readings[named]
        frame = data.frame.drop_nulls(GOLD + named)
        if frame.is_empty():
            raise InputError(
                f"'{data.name}' has no {named} gold to learn from; name another with -M reading=…"
            )
        texts = list(frame.select("premise", "hypothesis").iter_rows())
        answers = frame[GOLD + named].to_list()
        if scale.numeric:
            assert scale.low is not None and scale.high is not None
            yes = (np.array(answers, dtype=np.float64) - scale.low) / (scale.high - scale.low)
            return (), np.stack([yes, 1 - yes], axis=1), texts
        places = [scale.labels.index(answer) for answer in answers]
        return scale.labels, np.eye(len(scale.labels))[places], texts

    def _vectors(self, texts: Sequence[Texts]) -> tuple[Array, Array]:
        """Return a unit vector for each premise and each hypothesis; each sentence is read once."""
        missing = next((first for first, second in texts if second is None), None)
        if missing is not None:
            raise InputError(
                f"{self.name} compares two sentences, and '{missing[:60]}' is a single text; use"
                " pairs"
            )
        index: dict[str, int] = {}
        for sentence in (sentence for pair in texts for sentence in pair if sentence is not None):
            index.setdefault(sentence, len(index))
        table = self.embed(list(index))
        firsts, seconds = ([index[pair[i] or ""] for pair in texts] for i in (0, 1))
        return table[firsts], table[seconds]

    def embed(self, sentences: Sequence[str]) -> Array:
        """Return a unit vector for each sentence."""
        model = self._model
        pooled, order, cut = [], [], 0
        for batch, states in model.engine.scores(
            plan_batches([(sentence, None) for sentence in sentences], model.tokens, model.budget)
        ):
            pooled.append(_pooled(states, batch.inputs["attention_mask"], self.pooling))
            order += batch.places
            cut += sum(batch.cut)
        self.notes = {
            **model.notes,
            **({f"sentences cut to {self.longest} tokens": cut} if cut else {}),
        }
        table = np.empty((len(sentences), pooled[0].shape[1]))
        table[order] = np.concatenate(pooled)
        rows: Array = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)
        return rows

    @cached_property
    def _model(self) -> LoadedModel:
        graph = self.checkpoint.onnx_file()
        if graph is not None:
            return load_onnx(self.checkpoint, graph, self.settings)
        read = attrgetter("last_hidden_state")
        return load_torch(self.checkpoint, "AutoModel", read, self.settings, what=self.name)


def _stated_pooling(checkpoint: Checkpoint) -> str:
    """Return how sentence-transformers would pool this model; by default the mean."""
    path = checkpoint.folder / "1_Pooling" / "config.json"
    stated = read_json(path, "save the model again") if path.is_file() else {}
    if stated.get("pooling_mode") in POOLINGS:
        return str(stated["pooling_mode"])
    keys = {"pooling_mode_cls_token": "cls", "pooling_mode_max_tokens": "max"}
    return next((pooling for key, pooling in keys.items() if stated.get(key)), "mean")


def _pooled(states: Array, mask: Array, pooling: str) -> Array:
    is_token = mask[:, :, None].astype(bool)
    pooled: Array = states[:, 0]
    if pooling == "max":
        pooled = np.where(is_token, states, -np.inf).max(axis=1)
    elif pooling == "mean":
        pooled = np.where(is_token, states, 0).sum(axis=1) / np.maximum(
            mask.sum(axis=1, keepdims=True), 1
        )
    return pooled


def _hash(head: Head) -> str:
    content = "\x1f".join(head.labels).encode() + head.weights.tobytes() + head.bias.tobytes()
    return hashlib.sha256(content).hexdigest()[:16]
