"""Semantic roles: a tagger with the predicate marked by its segment, and an encoder with roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional

from grice.core.errors import InputError
from grice.core.scale import Scale
from grice.learners.training.encoders import EncoderModel, quiet_transformers
from grice.learners.training.examples import TaskExamples
from grice.learners.training.model import EncodedExample, pad_rows, pin
from grice.models.batching import Array
from grice.models.trained_folder import read_note, write_note

OUTSIDE = "O"
# "The size of the predicate-aware representations of the premise and the hypothesis is set to 40."
SIZE = 40
FUSION = "fusion.safetensors"


class RoleTagger:
    """Tagger that gives one BIO tag per word, from words and the position of their predicate.

    An example's first text is its words with spaces between, its second the predicate's place, its
    target the tags.
    """

    def __init__(self, base: Path, tags: Sequence[str], *, max_length: int) -> None:
        quiet_transformers()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(base)
        if "token_type_ids" not in self.tokenizer.model_input_names:
            raise InputError(
                f"{base}: has no segments to mark the predicate by; use a BERT-like checkpoint"
            )
        self.tags, self.max_length = list(tags), max_length
        self.places = {tag: index for index, tag in enumerate(self.tags)}
        config = transformers.AutoConfig.from_pretrained(base)
        config.id2label = dict(enumerate(self.tags))
        config.label2id = self.places
        auto = transformers.AutoModelForTokenClassification
        model = auto.from_pretrained(
            base, config=config, ignore_mismatched_sizes=True, dtype=torch.float32
        )
        self.module: nn.Module = _TokenLogits(model)
        self.allowed = allowed_transitions(self.tags)

    def encode(self, data: TaskExamples) -> list[EncodedExample]:
        """Return word pieces with the predicate's segment, the tag and the word of each piece."""
        encoded = []
        for example in data.examples:
            words, target = example.first.split(" "), [str(tag) for tag in example.target]  # type: ignore[union-attr]
            coded = self.tokenizer(
                words, is_split_into_words=True, truncation=True, max_length=self.max_length
            )
            owners = coded.word_ids()
            predicate = int(example.second or 0)
            segments = np.array([owner == predicate for owner in owners], np.int8)
            wanted = np.array([self._piece(owners, index, target) for index in range(len(owners))])
            ids = np.array(coded["input_ids"], np.int32)
            encoded.append(
                EncodedExample(ids, target, data.task, example.weight, (segments, wanted, owners))
            )
        return encoded

    def _piece(self, owners: Sequence[int | None], position: int, target: Sequence[str]) -> int:
        """Return the tag of a piece: the first piece of a word has its tag, the others its inside.

        [CLS] and [SEP] are outside, as in the paper.
        """
        owner = owners[position]
        if owner is None:
            return self.places[OUTSIDE]
        tag = target[owner]
        if tag.startswith("B-") and position and owners[position - 1] == owner:
            tag = "I-" + tag[2:]
        return self.places.get(tag, self.places[OUTSIDE])

    def collate(self, rows: Sequence[EncodedExample]) -> dict[str, Any]:
        """Return padded word pieces; the segment marks the predicate."""
        ids, mask = pad_rows([row.ids for row in rows], 0, multiple=8)
        segments, _ = pad_rows([row.more[0] for row in rows], 0, multiple=8)
        inputs = {
            "input_ids": ids,
            "attention_mask": mask.astype(np.int64),
            "token_type_ids": segments,
        }
        return {key: pin(value) for key, value in inputs.items()}

    def targets(self, rows: Sequence[EncodedExample]) -> torch.Tensor:
        """Return the tag of each piece."""
        return pin(pad_rows([row.more[1] for row in rows], -100, multiple=8)[0])

    def losses(self, output: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean cross-entropy over the pieces of each sentence."""
        piece_losses = functional.cross_entropy(
            output.float().transpose(1, 2), targets, reduction="none", ignore_index=-100
        )
        return piece_losses.sum(dim=1) / (targets >= 0).sum(dim=1)

    def decode(self, output: torch.Tensor, rows: Sequence[EncodedExample]) -> list[Any]:
        """Return the tags of the words of each sentence, on its best path."""
        scores = functional.log_softmax(output.float(), dim=-1).numpy()
        return [self._tags(scores[index], row) for index, row in enumerate(rows)]

    def _tags(self, scores: Array, row: EncodedExample) -> list[str]:
        """Return the tag of each word's first piece on the best path; truncated words get O."""
        path = viterbi(scores[: len(row.ids)], self.allowed)
        tags = [OUTSIDE] * len(row.target)
        for index, owner in reversed(list(enumerate(row.more[2]))):
            if owner is not None:
                tags[owner] = self.tags[path[index]]
        return tags

    def save(self, folder: Path, note: Mapping[str, Any]) -> list[Path]:
        """Write a checkpoint for token classification into the folder."""
        model: Any = self.module.model
        model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        write_note(folder, note)
        return [folder]


class _TokenLogits(nn.Module):
    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, **inputs: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.model(**inputs).logits
        return logits


def allowed_transitions(tags: Sequence[str]) -> Array:
    """Return which tag (column) may follow which (row); the last row is the start.

    No sequence starts inside, and an inside tag follows the beginning or inside of its own
    argument.
    """
    allowed = np.ones((len(tags) + 1, len(tags)), dtype=bool)
    for index, tag in enumerate(tags):
        if tag.startswith("I-"):
            allowed[:, index] = [before[2:] == tag[2:] for before in tags] + [False]
    return allowed


def viterbi(scores: Array, may: Array) -> list[int]:
    """Return the best path through scores (positions × tags) along allowed transitions."""
    barred = np.where(may, 0.0, -1e9)
    best = scores[0] + barred[-1]
    back = []
    for row in scores[1:]:
        steps = best[:, None] + barred[:-1]
        came = steps.argmax(axis=0)
        back.append(came)
        best = steps[came, np.arange(len(row))] + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


class FusionNet(nn.Module):
    """The encoder's [CLS] with linear maps of the frozen role encoder's [CLS] of both texts."""

    def __init__(self, body: Any, width: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.body = body
        self.premise, self.hypothesis = nn.Linear(width, SIZE), nn.Linear(width, SIZE)
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(body.config.hidden_size + 2 * SIZE, labels)

    def forward(self, roles: torch.Tensor, **inputs: torch.Tensor) -> torch.Tensor:
        """Return the scores of each pair, from its tokens and the role vectors of its two texts."""
        first = self.body(**inputs).last_hidden_state[:, 0]
        both = [self.premise(roles[:, 0]), self.hypothesis(roles[:, 1])]
        return self.head(self.drop(torch.cat([first, *both], dim=1)))  # type: ignore[no-any-return]


class PredicateAwareModel(EncoderModel):
    """Encoder for pairs with late fusion of role vectors, which are computed once per sentence."""

    def __init__(
        self, base: Path, srl: Path, scale: Scale, *, dropout: float | None, max_length: int
    ) -> None:
        quiet_transformers()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(base)
        self.scales, self.labels, self.max_length = (
            {"task": scale},
            {"task": scale.labels},
            max_length,
        )
        self.pad = int(self.tokenizer.pad_token_id or 0)
        self.segments = "token_type_ids" in self.tokenizer.model_input_names
        body = transformers.AutoModel.from_pretrained(
            base, dtype=torch.float32, add_pooling_layer=False
        )
        self.roles = transformers.AutoModel.from_pretrained(
            srl, dtype=torch.float32, add_pooling_layer=False
        ).eval()
        self.role_tokenizer = transformers.AutoTokenizer.from_pretrained(srl)
        self.kept: dict[str, Array] = {}
        rate = 0.1 if dropout is None else dropout
        self.module = FusionNet(body, self.roles.config.hidden_size, len(scale.labels), rate)

    def encode(self, data: TaskExamples) -> list[EncodedExample]:
        """Return token ids as an encoder has them, with the role vectors of both texts."""
        encoded = super().encode(data)
        self._learn_roles(
            [text for example in data.examples for text in (example.first, example.second or "")]
        )
        for row, example in zip(encoded, data.examples, strict=True):
            row.more = (row.more, self.kept[example.first], self.kept[example.second or ""])
        return encoded

    def collate(self, rows: Sequence[EncodedExample]) -> dict[str, Any]:
        """Return the inputs of an encoder, and the role vectors."""
        plain = [
            EncodedExample(row.ids, row.target, row.task, row.weight, row.more[0]) for row in rows
        ]
        inputs = super().collate(plain)
        del inputs["task"]
        return inputs | {"roles": pin(np.stack([np.stack(row.more[1:]) for row in rows]))}

    def _learn_roles(self, texts: Sequence[str]) -> None:
        new = sorted({text for text in texts if text not in self.kept}, key=len)
        device, size = "cuda" if torch.cuda.is_available() else "cpu", self.max_length
        self.roles.to(device)
        for start in range(0, len(new), 256):
            part = new[start : start + 256]
            coded = self.role_tokenizer(
                part, padding=True, truncation=True, max_length=size, return_tensors="pt"
            )
            with torch.inference_mode():
                vectors = (
                    self.roles(**coded.to(device)).last_hidden_state[:, 0].float().cpu().numpy()
                )
            self.kept.update(zip(part, vectors, strict=True))

    def save(self, folder: Path, note: Mapping[str, Any]) -> list[Path]:
        """Write both encoders and the layers that join them into the folder."""
        module: Any = self.module
        module.body.save_pretrained(folder / "encoder")
        self.tokenizer.save_pretrained(folder / "encoder")
        self.roles.save_pretrained(folder / "srl")
        self.role_tokenizer.save_pretrained(folder / "srl")
        rest = {k: v for k, v in self.module.state_dict().items() if not k.startswith("body.")}
        save_file(rest, folder / FUSION)
        write_note(
            folder, {**note, "scale": self.scales["task"].to_json(), "max_length": self.max_length}
        )
        return [folder]

    @staticmethod
    def load(folder: Path) -> PredicateAwareModel:
        """Load the model that `save` wrote."""
        note = read_note(folder)
        scale, size = Scale.from_json(note["scale"]), note["max_length"]
        model = PredicateAwareModel(
            folder / "encoder", folder / "srl", scale, dropout=None, max_length=size
        )
        model.module.load_state_dict(load_file(folder / FUSION), strict=False)
        return model
