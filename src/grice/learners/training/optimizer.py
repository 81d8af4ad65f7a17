"""AdamW, its learning rate over the training, and the moving average of the weights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from grice.learners.training.arguments import TrainingArguments


def make_optimizer(
    module: nn.Module, arguments: TrainingArguments, *, fused: bool
) -> torch.optim.Optimizer:
    """Return AdamW without weight decay for biases and norms."""
    decayed = [p for p in module.parameters() if p.requires_grad and p.ndim > 1]
    undecayed = [p for p in module.parameters() if p.requires_grad and p.ndim <= 1]
    groups = [
        {"params": decayed, "weight_decay": arguments.weight_decay},
        {"params": undecayed, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        [g for g in groups if g["params"]], lr=arguments.learning_rate, fused=fused or None
    )


class Ema:
    """Exponential moving average of a module's weights.

    It reduces the influence of the last batches and costs one more copy of the weights.
    """

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.decay, self.steps = decay, 0
        self.weights: list[torch.Tensor] = [p for p in module.parameters() if p.requires_grad]
        self.values = [p.detach().clone() for p in self.weights]

    @torch.no_grad()
    def update(self) -> None:
        """Update the average with the weights after a step."""
        self.steps += 1
        # While few steps are made, the average decays faster, or it would hold on to the start.
        share = 1 - min(self.decay, self.steps / (self.steps + 10))
        torch._foreach_lerp_(self.values, self.weights, share)

    @contextmanager
    def average_parameters(self) -> Iterator[None]:
        """Use the averaged weights in the module within the context."""
        own = [p.detach().clone() for p in self.weights]
        self.copy_to_module()
        yield
        self._set(own)

    def copy_to_module(self) -> None:
        """Set the module's weights to the average."""
        self._set(self.values)

    def resume(self, steps: int, values: list[torch.Tensor]) -> None:
        """Continue from a saved average."""
        self.steps = steps
        self.values = [value.to(p.device) for value, p in zip(values, self.weights, strict=True)]

    @torch.no_grad()
    def _set(self, values: list[torch.Tensor]) -> None:
        torch._foreach_copy_(self.weights, values)


def linear_schedule(done: float, warmup_ratio: float) -> float:
    """Return the factor of the learning rate at this point: linear warm-up, then decay to zero."""
    if done < warmup_ratio:
        return max(done, 1e-6) / warmup_ratio
    return max(0.0, (1 - done) / (1 - warmup_ratio)) if warmup_ratio < 1 else 1.0


def epochs_needed(arguments: TrainingArguments, rows: int) -> int:
    """Return the epochs asked for, or as many as `min_steps` requires."""
    return max(
        arguments.epochs, math.ceil(arguments.min_steps / math.ceil(rows / arguments.batch_size))
    )
