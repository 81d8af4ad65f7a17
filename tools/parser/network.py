"""Define the parser's network: a BERT encoder with biaffine heads (Dozat & Manning 2017)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from grice.mining._pieces import SHAPES

ARC, LABEL = 320, 112
INPUTS = ("input_ids", "attention_mask", "token_type_ids", "first_piece", "last_piece")
OUTPUTS = ("arcs", "labels", "tags", "pos")


class ParserNetwork(nn.Module):
    """Scores of heads, labels and tags for the words of a batch; word 0 is the root."""

    def __init__(
        self, encoder: Any, *, labels: int, tags: int, pos: int, dropout: float = 0.3
    ) -> None:
        super().__init__()
        width = encoder.config.hidden_size
        self.encoder, self.count = encoder, labels
        self.mix = nn.Parameter(torch.zeros(encoder.config.num_hidden_layers))
        self.dropout = nn.Dropout(dropout)
        self.arc_word, self.arc_head = _layer(width, ARC, dropout), _layer(width, ARC, dropout)
        self.label_word, self.label_head = (
            _layer(width, LABEL, dropout),
            _layer(width, LABEL, dropout),
        )
        self.arcs = nn.Linear(ARC, ARC, bias=False)
        self.arc_bias = nn.Linear(ARC, 1, bias=False)
        self.bilinear = nn.Linear(LABEL, labels * LABEL, bias=False)
        self.of_word, self.of_head = nn.Linear(LABEL, labels), nn.Linear(LABEL, labels, bias=False)
        self.tags, self.pos = nn.Linear(width, tags), nn.Linear(width, pos)
        nn.init.zeros_(self.arcs.weight)
        nn.init.zeros_(self.bilinear.weight)

    def words(self, batch: Mapping[str, Any]) -> Any:
        """Return a vector per word: the mean of its first and last piece in a mixture of layers."""
        inputs = {name: batch[name] for name in INPUTS[:3]}
        layers = self.encoder(**inputs, output_hidden_states=True).hidden_states[1:]
        weights = self.mix.softmax(0)
        mixed = sum(weight * layer for weight, layer in zip(weights, layers, strict=True))
        width = mixed.shape[-1]
        first, last = (
            mixed.gather(1, batch[name].unsqueeze(-1).expand(-1, -1, width)) for name in INPUTS[3:]
        )
        return self.dropout((first + last) * 0.5)

    def arc_scores(self, words: Any) -> Any:
        """Return scores of (batch, word, head)."""
        heads = self.arc_head(words)
        return self.arcs(self.arc_word(words)) @ heads.transpose(1, 2) + self.arc_bias(
            heads
        ).transpose(1, 2)

    def label_scores(self, words: Any, heads: Any = None) -> Any:
        """Return scores of (batch, word, head, label), or those at one head per word."""
        own, others = self.label_word(words), self.label_head(words)
        pairs = self.bilinear(own).unflatten(-1, (self.count, LABEL))
        by_head = self.of_head(others)
        if heads is None:
            joint = pairs.flatten(1, 2) @ others.transpose(1, 2)
            joint = joint.unflatten(1, (-1, self.count)).transpose(2, 3)
            return joint + self.of_word(own).unsqueeze(2) + by_head.unsqueeze(1)
        chosen = others.gather(1, heads.unsqueeze(-1).expand(-1, -1, LABEL))
        at_head = by_head.gather(1, heads.unsqueeze(-1).expand(-1, -1, self.count))
        return (pairs * chosen.unsqueeze(2)).sum(-1) + self.of_word(own) + at_head

    def forward(self, *inputs: Any) -> tuple[Any, ...]:
        """Return all outputs of the exported graph."""
        words = self.words(dict(zip(INPUTS, inputs, strict=True)))
        return self.arc_scores(words), self.label_scores(words), self.tags(words), self.pos(words)


def _layer(width: int, size: int, dropout: float) -> nn.Module:
    return nn.Sequential(nn.Linear(width, size), nn.GELU(), nn.Dropout(dropout))


def new_encoder(folder: Any, attention: str = "eager") -> Any:
    """Return the encoder of a checkpoint, with word shapes in the place of token types."""
    from transformers import AutoModel

    encoder = AutoModel.from_pretrained(
        folder, attn_implementation=attention, add_pooling_layer=False
    )
    old = encoder.embeddings.token_type_embeddings.weight.data
    table = nn.Embedding(len(SHAPES), old.shape[1])
    table.weight.data = old[:1].repeat(len(SHAPES), 1)
    encoder.embeddings.token_type_embeddings = table
    encoder.config.type_vocab_size = len(SHAPES)
    return encoder
