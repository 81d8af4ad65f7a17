"""Forward and backward passes as CUDA graphs: one launch instead of about a thousand.

The launches of a small model keep a large GPU waiting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import torch
from torch import nn

from grice.core.errors import first_line
from grice.learners.training.model import TrainBatch

# A shape is recorded once it has come so often: recording costs about as much as a few steps.
OFTEN = 3
Passes = Callable[[TrainBatch], torch.Tensor]


@dataclass
class _CapturedGraph:
    graph: torch.cuda.CUDAGraph
    batch: TrainBatch
    loss: torch.Tensor
    # Weights that take no part, such as another task's head, must have no gradient at all.
    grads: list[torch.Tensor | None]


class GraphRecorder:
    """Runner of the forward and backward pass, with a CUDA graph per frequent batch shape.

    `passes` gives the loss and leaves the gradients. Where a model cannot be recorded, `refused`
    says why and the passes are run as they are. All of it happens on one stream of its own.
    """

    def __init__(self, passes: Passes, weights: Sequence[nn.Parameter]) -> None:
        self.passes, self.weights = passes, weights
        self.stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        self.stream.wait_stream(torch.cuda.current_stream())
        self.pool = torch.cuda.graph_pool_handle()
        self.seen: Counter[Hashable] = Counter()
        self.recorded: dict[Hashable, _CapturedGraph] = {}
        # One place for each gradient, which all recordings fill.
        self.places: dict[int, torch.Tensor] = {}
        self.refused = ""

    def __call__(self, batch: TrainBatch) -> torch.Tensor:
        """Compute the loss and gradients; shapes that recur are replayed as graphs."""
        shape = batch.shape
        captured = self.recorded.get(shape)
        self._set(captured.grads if captured else [None] * len(self.weights))
        if captured:
            captured.batch.fill(batch)
            captured.graph.replay()
            return captured.loss
        loss = self.passes(batch.to(self.stream.device))
        self.seen[shape] += 1
        if self.seen[shape] == OFTEN and shape is not None and not self.refused:
            # For the steps to come: recording computes nothing.
            self._record(shape, batch)
        return loss

    def _set(self, grads: Sequence[torch.Tensor | None]) -> None:
        for weight, grad in zip(self.weights, grads, strict=True):
            weight.grad = grad

    def _record(self, shape: Hashable, batch: TrainBatch) -> None:
        """Capture the graph of a shape and keep the gradients of the last plain step.

        The optimiser has yet to use those gradients.
        """
        own = [weight.grad for weight in self.weights]
        for index, grad in enumerate(own):
            if grad is not None and index not in self.places:
                self.places[index] = torch.empty_like(grad)
        grads = [None if grad is None else self.places[index] for index, grad in enumerate(own)]
        held = batch.to(self.stream.device)
        buffers = [grad for grad in grads if grad is not None]
        self._set(grads)
        graph = torch.cuda.CUDAGraph()
        try:
            # Batches are made ahead in another thread, whose own calls must not spoil the
            # recording.
            with torch.cuda.graph(graph, self.pool, self.stream, capture_error_mode="thread_local"):
                torch._foreach_zero_(buffers)
                loss = self.passes(held)
            self.recorded[shape] = _CapturedGraph(graph, held, loss, grads)
        except RuntimeError as error:
            # Recordings hold memory of their own, for want of which this one may have failed.
            self.recorded.clear()
            self.refused = first_line(error)
        self._set(own)
