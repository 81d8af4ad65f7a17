"""Steps recorded as CUDA graphs: the same training, also where a head takes no part or a model
cannot be recorded.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from grice.learners.training.arguments import TrainingArguments
from grice.learners.training.cuda_graphs import OFTEN, GraphRecorder
from grice.learners.training.loop import train_model
from grice.learners.training.model import TrainBatch
from tests.learners.tiny_model import BagModel, task_examples

gpu = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="recording a step needs a CUDA device"
)


def batch(rows: int, **inputs: Any) -> TrainBatch:
    ids = torch.arange(rows * 2).reshape(rows, 2)
    return TrainBatch(
        {"ids": ids, **inputs}, torch.zeros(rows, dtype=torch.int64), torch.ones(rows)
    )


def test_batches_of_one_shape_are_told_by_their_tensors_and_their_task() -> None:
    assert batch(3, task="a").shape == batch(3, task="a").shape
    assert batch(3, task="a").shape != batch(4, task="a").shape
    assert batch(3, task="a").shape != batch(3, task="b").shape
    assert batch(3, lengths=[1, 2, 2]).shape is None


def test_a_batch_takes_over_what_another_holds() -> None:
    held, other = batch(2, task="a"), batch(2, task="a")
    other.inputs["ids"] += 5
    other.targets += 1
    other.weights *= 0.5
    place = held.inputs["ids"]
    held.fill(other)
    assert held.inputs["ids"] is place and place.tolist() == [[5, 6], [7, 8]]
    assert held.targets.tolist() == [1, 1] and held.weights.tolist() == [0.5, 0.5]


@gpu
def test_recorded_training_gives_the_weights_of_a_plain_one() -> None:
    found = []
    for graphs in (True, False):
        torch.manual_seed(1)
        model = BagModel()
        arguments = TrainingArguments(
            epochs=6,
            batch_size=8,
            learning_rate=0.05,
            precision="fp32",
            cuda_graphs=graphs,
            ema=0.9,
        )
        result = train_model(
            model, [task_examples()], {"dev": task_examples(32, seed=1)}, arguments
        )
        found.append((model.module.state_dict(), result.history[-1].get("recorded")))
    assert [recorded for _, recorded in found] == [1, None]
    for key, value in found[0][0].items():
        assert torch.allclose(value, found[1][0][key], atol=1e-5)


@gpu
def test_weights_that_take_no_part_have_no_gradient() -> None:
    heads = nn.ModuleDict({name: nn.Linear(2, 3) for name in "ab"}).cuda()
    weights = list(heads.parameters())

    def passes(given: TrainBatch) -> torch.Tensor:
        output = heads[given.inputs["task"]](given.inputs["ids"].float())
        loss = (
            nn.functional.cross_entropy(output, given.targets, reduction="none") * given.weights
        ).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    recorder = GraphRecorder(passes, weights)
    with torch.cuda.stream(recorder.stream):
        for _ in range(OFTEN + 1):
            for task in "ab":
                plain = float(recorder(batch(4, task=task)))
                there = [weight.grad is not None for weight in weights]
                assert there == [task == "a"] * 2 + [task == "b"] * 2
    assert len(recorder.recorded) == 2 and not recorder.refused
    assert plain == pytest.approx(float(passes(batch(4, task="b").to("cuda"))))


class Looking(BagModel):
    """Waits for the device in the middle of a step, which no recording can."""

    def losses(self, output: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        assert output.sum().item() < float("inf")
        return super().losses(output, targets)


@gpu
def test_a_model_that_cannot_be_recorded_is_trained_as_it_is() -> None:
    arguments = TrainingArguments(epochs=6, batch_size=8, learning_rate=0.05, precision="fp32")
    result = train_model(
        Looking(), [task_examples()], {"dev": task_examples(32, seed=1)}, arguments
    )
    assert result.history[-1]["recorded"] == 0 and result.history[-1]["refused"]
