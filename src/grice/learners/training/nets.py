"""Networks over word vectors, as in the papers: bags of words and BiLSTMs, for texts and pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from grice.core.errors import InputError, first_line
from grice.core.files import read_json
from grice.core.scale import Scale
from grice.learners.training.aligned import AlignedNet, run_lstm
from grice.learners.training.arguments import NetShape
from grice.learners.training.examples import TaskExamples
from grice.learners.training.model import Classifier, EncodedExample, encode_target, pad_rows, pin
from grice.learners.training.vectors import UNKNOWN, WordVectors, tokenize
from grice.models.trained_folder import write_note

WORDS, WEIGHTS, CONFIG = "words.txt", "model.safetensors", "config.json"


class WordVectorNet(nn.Module):
    """Word vectors, optionally a BiLSTM, and pooling; the vectors of two texts are concatenated."""

    def __init__(self, shape: NetShape, table: torch.Tensor, outputs: int, *, pairs: bool) -> None:
        super().__init__()
        self.shape, self.pairs = shape, pairs
        self.words = nn.Embedding(table.shape[0], table.shape[1], padding_idx=0, _weight=table)
        self.words.weight.requires_grad_(False)
        width = table.shape[1]
        self.lstm = (
            nn.LSTM(width, shape.lstm, batch_first=True, bidirectional=True) if shape.lstm else None
        )
        text_width = 2 * shape.lstm or width
        input_width = text_width if not pairs else text_width * (4 if shape.matched else 2)
        layers: list[nn.Module] = [nn.Dropout(shape.dropout)]
        if shape.hidden:
            layers += [nn.Linear(input_width, shape.hidden), nn.Tanh(), nn.Dropout(shape.dropout)]
        self.head = nn.Sequential(*layers, nn.Linear(shape.hidden or input_width, outputs))

    def forward(
        self, first: torch.Tensor, firsts: list[int], second: Any = None, seconds: Any = None
    ) -> torch.Tensor:
        """Return the scores of each text or pair, given as word ids and lengths."""
        u = self._read(first, firsts)
        if second is None:
            return self.head(u)  # type: ignore[no-any-return]
        v = self._read(second, seconds)
        parts = [u, v, (u - v).abs(), u * v] if self.shape.matched else [u, v]
        return self.head(torch.cat(parts, dim=1))  # type: ignore[no-any-return]

    def _read(self, ids: torch.Tensor, lengths: list[int]) -> torch.Tensor:
        states = self.words(ids)
        if self.lstm is not None:
            states = run_lstm(self.lstm, states, lengths)
        mask = (ids > 0).unsqueeze(-1)
        if self.shape.pool == "max":
            return states.masked_fill(~mask, -1e4).amax(dim=1)  # type: ignore[no-any-return]
        total = (states * mask).sum(dim=1)
        return total if self.shape.pool == "sum" else total / mask.sum(dim=1).clamp(min=1)  # type: ignore[no-any-return]


class WordVectorModel(Classifier):
    """A net with its words; learns one task."""

    def __init__(
        self, shape: NetShape, vectors: WordVectors, scale: Scale, *, pairs: bool, max_length: int
    ) -> None:
        self.shape, self.scale, self.pairs, self.max_length = shape, scale, pairs, max_length
        self.words, self.places = vectors.words, vectors.index()
        outputs = len(scale.labels) or 1
        make = AlignedNet if shape.pool == "aligned" else WordVectorNet
        self.module: nn.Module = make(shape, torch.from_numpy(vectors.table), outputs, pairs=pairs)

    def encode(self, data: TaskExamples) -> list[EncodedExample]:
        """Return examples as word ids, the second text after the first."""
        if data.scale != self.scale:
            raise InputError(
                f"a word-vector net learns one task: this one predicts {self.scale}, but"
                f" '{data.task}' has {data.scale}. Train one net per scale"
            )
        encoded = []
        for example in data.examples:
            first, second = (
                self.ids(example.first),
                self.ids(example.second) if example.second is not None else [],
            )
            if bool(second) != self.pairs:
                raise InputError("a task has pairs or single texts, and not both; train them apart")
            target = encode_target(example, self.scale.labels)
            ids = np.array(first + second, np.int32)
            encoded.append(EncodedExample(ids, target, data.task, example.weight, len(first)))
        return encoded

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's words."""
        unknown = self.places[UNKNOWN]
        return [self.places.get(word, unknown) for word in tokenize(text)[: self.max_length]] or [
            unknown
        ]

    def collate(self, rows: Sequence[EncodedExample]) -> dict[str, Any]:
        """Return padded word ids of the texts, one array per side, with their lengths."""
        firsts = [row.ids[: row.more] for row in rows]
        inputs = {"first": pin(pad_rows(firsts, 0)[0]), "firsts": [len(ids) for ids in firsts]}
        if self.pairs:
            seconds = [row.ids[row.more :] for row in rows]
            inputs |= {
                "second": pin(pad_rows(seconds, 0)[0]),
                "seconds": [len(ids) for ids in seconds],
            }
        return inputs

    def save(self, folder: Path, note: Mapping[str, Any]) -> list[Path]:
        """Write weights, words and configuration into the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        save_file(self.module.state_dict(), folder / WEIGHTS)
        (folder / WORDS).write_text("\n".join(self.words) + "\n", encoding="utf-8")
        scale = {"scale": self.scale.to_json()}
        config = {
            "grice_net": asdict(self.shape),
            **scale,
            "pairs": self.pairs,
            "max_length": self.max_length,
        }
        (folder / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        write_note(folder, {**note, **scale})
        return [folder]

    @staticmethod
    def load(folder: Path) -> WordVectorModel:
        """Load the model that `save` wrote."""
        config = read_json(folder / CONFIG, "train the model again")
        try:
            weights = load_file(folder / WEIGHTS)
            words = (folder / WORDS).read_text(encoding="utf-8").split("\n")[:-1]
            vectors = WordVectors(words, weights["words.weight"].numpy())
            scale = Scale.from_json(config["scale"])
            shape = NetShape(**config["grice_net"])
            model = WordVectorModel(
                shape, vectors, scale, pairs=config["pairs"], max_length=config["max_length"]
            )
            model.module.load_state_dict(weights)
        except (SafetensorError, OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            why = first_line(error)
            raise InputError(
                f"{folder}: its model cannot be loaded ({why}); train it again"
            ) from None
        return model
