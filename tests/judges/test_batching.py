"""Batches by token budget, and what is asked once."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from grice.core.errors import GriceError, InputError
from grice.core.item import Question
from grice.core.scale import NLI, Scale
from grice.judges.labels import label_columns, output_names
from grice.models.batching import (
    PausedGc,
    Tokens,
    group_by_text,
    plan_batches,
    prefetch,
    split_by_budget,
)
from grice.models.torch import ComputeDevice, Torch


def tokens(longest: int = 64) -> Tokens:
    """Whole words between marks, as BERT has them."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = {word: place for place, word in enumerate(["[PAD]", "[CLS]", "[SEP]", "a", "b", "c"])}
    made = Tokenizer(models.WordLevel(words, unk_token="c"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return Tokens(
        made, pad=0, longest=longest, names=["input_ids", "attention_mask", "token_type_ids"]
    )


def test_a_batch_keeps_its_budget_and_every_text_is_in_one() -> None:
    lengths = [3, 50, 7, 7, 20, 1, 9, 40, 2]
    batches = list(split_by_budget(lengths, 45))
    assert sorted(i for batch in batches for i in batch) == list(range(9))
    assert all(
        len(batch) == 1 or max(lengths[i] for i in batch) * len(batch) <= 45 for batch in batches
    )
    assert batches[0] == [1], "a text beyond the budget goes alone"


def test_identical_pairs_are_asked_once_for_all_their_ids() -> None:
    asked = group_by_text(
        [
            Question("1", "a", "b"),
            Question("2", "a", "c"),
            Question("3", "a", "b"),
            Question("4", "a"),
        ]
    )
    assert asked == {("a", "b"): ["1", "3"], ("a", "c"): ["2"], ("a", None): ["4"]}


def test_rows_are_padded_masked_and_find_their_way_back() -> None:
    texts = [("a", "b"), ("a a a", "b b"), ("b", None)]
    batches = list(plan_batches(texts, tokens(), 100))
    assert [batch.places for batch in batches] == [[1, 0, 2]]
    inputs = batches[0].inputs
    assert inputs["input_ids"].tolist()[1] == [1, 3, 2, 4, 2, 0, 0, 0]
    assert inputs["attention_mask"].tolist()[1] == [1, 1, 1, 1, 1, 0, 0, 0]
    assert inputs["token_type_ids"].tolist()[0] == [0, 0, 0, 0, 0, 1, 1, 1]
    assert inputs["input_ids"].tolist()[2] == [1, 4, 2, 0, 0, 0, 0, 0]


def test_a_text_that_is_too_long_is_cut_and_says_so() -> None:
    batch = next(plan_batches([("a", "b"), ("a " * 30, "b")], tokens(longest=10), 100))
    assert dict(zip(batch.places, batch.cut, strict=True)) == {0: False, 1: True}
    assert batch.inputs["input_ids"].shape == (2, 10)


def test_a_text_counts_as_cut_just_when_something_was_left_over() -> None:
    made = tokens(longest=9)
    texts = [("a " * first, "b " * second) for first in range(12) for second in range(12)]
    encoded = made.encode([*texts, *(("a " * first, None) for first in range(12))])
    found = [made.cut(row) for row in encoded]
    assert found == [bool(row.overflowing) for row in encoded] and 0 < sum(found) < len(found)


def test_every_text_is_in_one_batch_when_the_budget_is_a_device_s() -> None:
    texts = [("a " * (number % 30), "b") for number in range(20_000)]
    batches = list(plan_batches(texts, tokens(), 65_536))
    assert sorted(place for batch in batches for place in batch.places) == list(range(20_000))
    shapes = [batch.inputs["input_ids"].shape for batch in batches]
    assert max(rows * width for rows, width in shapes) <= 65_536
    assert len(batches) <= 8, "of like lengths, in windows of thousands"


def test_the_search_for_cycles_goes_on_when_the_last_is_out() -> None:
    pause = PausedGc()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="inside"), pause:
        with pause:
            assert not gc.isenabled()
        assert not gc.isenabled(), "one is still inside"
        raise ValueError("inside")
    assert gc.isenabled()
    gc.disable()
    try:
        with pause:
            pass
        assert not gc.isenabled(), "whoever had stopped it wants it so"
    finally:
        gc.enable()


def devices() -> list[str]:
    """A CPU by number takes the way of a device: batches made ahead, several in flight."""
    import torch

    return ["cpu:0"] + ["cuda"] * torch.cuda.is_available()


@pytest.mark.parametrize("device", devices())
def test_batches_in_flight_come_back_in_order_with_their_own_scores(device: str) -> None:
    import torch

    def model(input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        assert attention_mask.any()
        return torch.stack([(input_ids * attention_mask).sum(1), token_type_ids.sum(1)], dim=1)

    texts = [("a " * (number % 7), "b c " * (number % 5)) for number in range(300)]
    batches = list(plan_batches(texts, tokens(), 100))
    assert len(batches) > 20
    plain = list(Torch(model, ComputeDevice("cpu", "fp32"), lambda out: out).scores(batches))
    flown = list(Torch(model, ComputeDevice(device, "fp32"), lambda out: out).scores(batches))
    for (before, wanted), (after, found) in zip(plain, flown, strict=True):
        assert before is after and np.array_equal(wanted, found)


@pytest.mark.parametrize("device", ["cpu", "cpu:0"])
def test_a_batch_too_large_for_the_device_is_run_in_parts(device: str) -> None:
    import torch

    sizes: list[int] = []

    def model(input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:  # noqa: ARG001
        if len(input_ids) > most:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")
        sizes.append(len(input_ids))
        return (input_ids * attention_mask).sum(1, keepdim=True)

    batches = list(
        plan_batches([("a " * (number % 7), None) for number in range(60)], tokens(), 200)
    )
    most = 1000
    wanted = [
        scores
        for _, scores in Torch(model, ComputeDevice("cpu", "fp32"), lambda out: out).scores(batches)
    ]
    assert max(sizes) > 9
    sizes.clear()
    most = 4
    found = list(Torch(model, ComputeDevice(device, "fp32"), lambda out: out).scores(batches))
    assert max(sizes) <= 4 and sum(sizes) == 60
    for (after, scores), before, expected in zip(found, batches, wanted, strict=True):
        assert after is before and np.array_equal(scores, expected)
    most = 0
    with pytest.raises(GriceError, match=r"no memory left for a single text; .*-M device=cpu"):
        list(Torch(model, ComputeDevice(device, "fp32"), lambda out: out).scores(batches))


def test_values_made_ahead_keep_their_order_and_their_error() -> None:
    def values() -> Iterator[int]:
        yield from range(20)
        raise ValueError("the end")

    taken = []
    with pytest.raises(ValueError, match="the end"):
        for value in prefetch(values(), depth=2):
            taken.append(value)
    assert taken == list(range(20))


def test_who_stops_taking_stops_the_making() -> None:
    made: list[int] = []

    def values() -> Iterator[int]:
        for value in range(1000):
            made.append(value)
            yield value

    before = set(threading.enumerate())
    taken = prefetch(values(), depth=2)
    next(taken)
    taken.close()  # type: ignore[attr-defined]
    (maker,) = set(threading.enumerate()) - before
    maker.join(120)
    # One is taken, two wait, and one more was made before the end was seen.
    assert not maker.is_alive() and len(made) <= 4


def test_labels_are_found_by_name_in_any_order_and_spelling() -> None:
    found = label_columns(("CONTRADICTION", "Entailed", "neutral"), NLI, where="it")
    assert found == {"entailment": [1], "neutral": [2], "contradiction": [0]}


def test_a_three_way_model_answers_a_two_way_scale() -> None:
    two = Scale(labels=("entailment", "not-entailment"))
    assert label_columns(NLI.labels, two, where="it") == {
        "entailment": [0],
        "not-entailment": [1, 2],
    }


@pytest.mark.parametrize(
    "names",
    [("positive", "negative"), ("entailment", "neutral"), ("entailment", "neutral", "neutral")],
)
def test_labels_that_do_not_fit_the_scale_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="scale"):
        label_columns(names, NLI, where="it")


def test_a_checkpoint_that_does_not_name_its_labels_is_refused_with_the_flag() -> None:
    config = {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}
    with pytest.raises(InputError, match="-M labels=entailment"):
        output_names(config, (), where="it")
    assert output_names(config, ("c", "e", "n"), where="it") == ("c", "e", "n")
    with pytest.raises(InputError, match="has 3"):
        output_names(config, ("entailment", "neutral"), where="it")
