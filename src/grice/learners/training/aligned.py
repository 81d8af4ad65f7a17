"""ESIM's net (Chen et al. 2017): the words of two texts are aligned before they are pooled."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grice.core.errors import InputError
from grice.learners.training.arguments import NetShape


class AlignedNet(nn.Module):
    """A BiLSTM, soft alignment of both texts, a second BiLSTM, mean and maximum, a hidden layer."""

    def __init__(self, shape: NetShape, table: torch.Tensor, outputs: int, *, pairs: bool) -> None:
        super().__init__()
        if not pairs:
            raise InputError("'esim' aligns two texts; a task of single texts needs 'bilstm'")
        units, dropout = shape.lstm, nn.Dropout(shape.dropout)
        self.words = nn.Embedding(table.shape[0], table.shape[1], padding_idx=0, _weight=table)
        self.words.weight.requires_grad_(False)
        self.dropout = dropout
        self.first = nn.LSTM(table.shape[1], units, batch_first=True, bidirectional=True)
        self.narrow = nn.Sequential(nn.Linear(8 * units, units), nn.ReLU(), dropout)
        self.second = nn.LSTM(units, units, batch_first=True, bidirectional=True)
        self.head = nn.Sequential(
            dropout,
            nn.Linear(8 * units, shape.hidden),
            nn.Tanh(),
            dropout,
            nn.Linear(shape.hidden, outputs),
        )

    def forward(
        self, first: torch.Tensor, firsts: list[int], second: torch.Tensor, seconds: list[int]
    ) -> torch.Tensor:
        """Return the scores of each pair, given as word ids and lengths."""
        sides = [(first, firsts), (second, seconds)]
        u, v = (run_lstm(self.first, self.dropout(self.words(ids)), n) for ids, n in sides)
        u_mask, v_mask = (ids > 0 for ids, _ in sides)
        likeness = u @ v.transpose(1, 2)
        of_v = likeness.masked_fill(~v_mask.unsqueeze(1), -1e4).softmax(2) @ v
        of_u = likeness.masked_fill(~u_mask.unsqueeze(2), -1e4).softmax(1).transpose(1, 2) @ u
        pooled = []
        for states, aligned, mask, n in ((u, of_v, u_mask, firsts), (v, of_u, v_mask, seconds)):
            compared = [states, aligned, states - aligned, states * aligned]
            composed = run_lstm(self.second, self.narrow(torch.cat(compared, dim=2)), n)
            here = mask.unsqueeze(-1)
            mean = (composed * here).sum(dim=1) / here.sum(dim=1).clamp(min=1)
            pooled += [mean, composed.masked_fill(~here, -1e4).amax(dim=1)]
        return self.head(torch.cat(pooled, dim=1))  # type: ignore[no-any-return]


def run_lstm(lstm: nn.LSTM, states: Any, lengths: list[int]) -> torch.Tensor:
    """Return the states of an LSTM at each word; beyond the length of a text they are zero."""
    sizes = torch.tensor(lengths)
    packed = nn.utils.rnn.pack_padded_sequence(
        states, sizes, batch_first=True, enforce_sorted=False
    )
    return nn.utils.rnn.pad_packed_sequence(
        lstm(packed)[0], batch_first=True, total_length=states.shape[1]
    )[0]
