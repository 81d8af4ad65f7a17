"""The encoder as a trainable model: a transformers checkpoint with a head per task.

All heads share one body.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from torch import nn

from grice.core.errors import InputError
from grice.core.scale import Scale
from grice.learners.training.examples import TaskExamples
from grice.learners.training.model import Classifier, EncodedExample, encode_target, pad_rows, pin
from grice.models.trained_folder import BODY, write_note


class MultiTaskClassifier(nn.Module):
    """Sequence classifiers that share their body; only the heads differ."""

    def __init__(self, models: Mapping[str, Any]) -> None:
        super().__init__()
        self.heads = nn.ModuleDict({_key(task): model for task, model in models.items()})
        first = next(iter(models.values()))
        for model in models.values():
            setattr(model, model.base_model_prefix, first.base_model)

    def forward(self, task: str, **inputs: torch.Tensor) -> torch.Tensor:
        """Return the logits of this task's head."""
        logits: torch.Tensor = self.heads[_key(task)](**inputs).logits
        return logits


class EncoderModel(Classifier):
    """Transformers encoder that gives a row of scores per text or pair."""

    def __init__(
        self, base: Path, scales: Mapping[str, Scale], *, dropout: float | None, max_length: int
    ) -> None:
        quiet_transformers()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(base)
        self.scales, self.max_length = dict(scales), max_length
        self.labels = {task: output_labels(base, scale) for task, scale in scales.items()}
        models = {task: _model(base, scale, dropout) for task, scale in scales.items()}
        self.module: nn.Module = MultiTaskClassifier(models)
        self.pad = int(self.tokenizer.pad_token_id or 0)
        self.segments = "token_type_ids" in self.tokenizer.model_input_names

    def encode(self, data: TaskExamples) -> list[EncodedExample]:
        """Return examples as token ids, in their order."""
        firsts = [example.first for example in data.examples]
        seconds = [example.second for example in data.examples]
        if len({second is None for second in seconds}) > 1:
            raise InputError(
                "a task has pairs or single texts, and not both; train them as two tasks"
            )
        texts = (firsts,) if seconds[0] is None else (firsts, seconds)
        coded = self.tokenizer(*texts, truncation=True, max_length=self.max_length)
        types = coded.get("token_type_ids") if self.segments else None
        labels = self.labels[data.task]
        ids = [np.array(row, np.int32) for row in coded["input_ids"]]
        kinds = [np.array(row, np.int8) for row in types] if types else [None] * len(ids)
        return [
            EncodedExample(row, encode_target(example, labels), data.task, example.weight, kind)
            for row, kind, example in zip(ids, kinds, data.examples, strict=True)
        ]

    def collate(self, rows: Sequence[EncodedExample]) -> dict[str, Any]:
        """Return the task, and padded token ids with their mask."""
        # A multiple of eight fills the matrix units of a GPU.
        ids, mask = pad_rows([row.ids for row in rows], self.pad, multiple=8)
        inputs = {"input_ids": ids, "attention_mask": mask.astype(np.int64)}
        if self.segments:
            inputs["token_type_ids"] = pad_rows([row.more for row in rows], 0, multiple=8)[0]
        return {"task": rows[0].task} | {key: pin(value) for key, value in inputs.items()}

    def save(self, folder: Path, note: Mapping[str, Any]) -> list[Path]:
        """Save each task as a folder that transformers loads; a single task in `folder` itself.

        Of several tasks the encoder they share lies in `body`, for further training.
        """
        heads: Any = self.module.heads
        several, folders = len(self.scales) > 1, []
        if several:
            next(iter(heads.values())).base_model.save_pretrained(folder / BODY)
            self.tokenizer.save_pretrained(folder / BODY)
        for task, scale in self.scales.items():
            task_folder = folder / task.replace("/", "-") if several else folder
            heads[_key(task)].save_pretrained(task_folder)
            self.tokenizer.save_pretrained(task_folder)
            write_note(task_folder, {**note, "task": task, "scale": scale.to_json()})
            folders.append(task_folder)
        return folders


def output_labels(base: Path, scale: Scale) -> tuple[str, ...]:
    """Return the order of a head's outputs.

    It is the checkpoint's own order if the checkpoint has exactly these labels, else the scale's.
    """
    held = checkpoint_labels(base)
    return (
        held
        if scale.labels and sorted(held) == sorted(scale.labels)
        else scale.labels or ("value",)
    )


def quiet_transformers() -> None:
    """Keep transformers from telling of every new head and every file it writes."""
    transformers.utils.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def checkpoint_labels(base: Path) -> tuple[str, ...]:
    """Return the labels that a checkpoint's own head answers with, in its order."""
    table = json.loads((base / "config.json").read_text(encoding="utf-8")).get("id2label") or {}
    return tuple(str(table[key]) for key in sorted(table, key=int))


def _model(base: Path, scale: Scale, dropout: float | None) -> Any:
    config = transformers.AutoConfig.from_pretrained(base)
    labels, held = output_labels(base, scale), tuple(config.id2label.values())
    config.num_labels = len(labels)
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: index for index, label in enumerate(labels)}
    config.problem_type = (
        "single_label_classification" if scale.labels else "multi_label_classification"
    )
    if dropout is not None:
        for key in ("hidden_dropout_prob", "attention_probs_dropout_prob"):
            if hasattr(config, key):
                setattr(config, key, dropout)
    auto = transformers.AutoModelForSequenceClassification
    model = auto.from_pretrained(
        base, config=config, ignore_mismatched_sizes=True, dtype=torch.float32
    )
    if held != labels:
        # A head of the same size for other labels would be kept; it has nothing to say to these.
        for name, child in model.named_children():
            if name != model.base_model_prefix:
                child.apply(model._init_weights)
    return model


def _key(task: str) -> str:
    # A module's name may hold no dot.
    return task.replace(".", "_")
