"""Batches by token budget, and what is asked once."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.scale import NLI, Scale
from grice.judges._batching import Tokens, ahead, grouped, planned, within_budget
from grice.judges._labels import columns, output_names


def tokens(longest: int = 64) -> Tokens:
    """Whole words between marks, as BERT has them."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = {word: place for place, word in enumerate(["[PAD]", "[CLS]", "[SEP]", "a", "b", "c"])}
    made = Tokenizer(models.WordLevel(words, unk_token="c"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return Tokens(made, pad=0, longest=longest, names=["input_ids", "attention_mask", "token_type_ids"])


def test_a_batch_keeps_its_budget_and_every_text_is_in_one() -> None:
    lengths = [3, 50, 7, 7, 20, 1, 9, 40, 2]
    batches = list(within_budget(lengths, 45))
    assert sorted(i for batch in batches for i in batch) == list(range(9))
    assert all(len(batch) == 1 or max(lengths[i] for i in batch) * len(batch) <= 45 for batch in batches)
    assert batches[0] == [1], "a text beyond the budget goes alone"


def test_identical_pairs_are_asked_once_for_all_their_ids() -> None:
    asked = grouped(
        [Question("1", "a", "b"), Question("2", "a", "c"), Question("3", "a", "b"), Question("4", "a")]
    )
    assert asked == {("a", "b"): ["1", "3"], ("a", "c"): ["2"], ("a", None): ["4"]}


def test_rows_are_padded_masked_and_find_their_way_back() -> None:
    texts = [("a", "b"), ("a a a", "b b"), ("b", None)]
    batches = list(planned(texts, tokens(), 100))
    assert [batch.places for batch in batches] == [[1, 0, 2]]
    inputs = batches[0].inputs
    assert inputs["input_ids"].tolist()[1] == [1, 3, 2, 4, 2, 0, 0, 0]
    assert inputs["attention_mask"].tolist()[1] == [1, 1, 1, 1, 1, 0, 0, 0]
    assert inputs["token_type_ids"].tolist()[0] == [0, 0, 0, 0, 0, 1, 1, 1]
    assert inputs["input_ids"].tolist()[2] == [1, 4, 2, 0, 0, 0, 0, 0]


def test_a_text_that_is_too_long_is_cut_and_says_so() -> None:
    batch = next(planned([("a", "b"), ("a " * 30, "b")], tokens(longest=10), 100))
    assert dict(zip(batch.places, batch.cut, strict=True)) == {0: False, 1: True}
    assert batch.inputs["input_ids"].shape == (2, 10)


def test_values_made_ahead_keep_their_order_and_their_error() -> None:
    def values() -> Iterator[int]:
        yield from range(20)
        raise ValueError("the end")

    taken = []
    with pytest.raises(ValueError, match="the end"):
        for value in ahead(values(), depth=2):
            taken.append(value)
    assert taken == list(range(20))


def test_who_stops_taking_stops_the_making() -> None:
    made: list[int] = []

    def values() -> Iterator[int]:
        for value in range(1000):
            made.append(value)
            yield value

    taken = ahead(values(), depth=2)
    next(taken)
    taken.close()  # type: ignore[attr-defined]
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon:
            thread.join(timeout=1)
    assert len(made) < 20


def test_labels_are_found_by_name_in_any_order_and_spelling() -> None:
    found = columns(("CONTRADICTION", "Entailed", "neutral"), NLI, where="it")
    assert found == {"entailment": [1], "neutral": [2], "contradiction": [0]}


def test_a_three_way_model_answers_a_two_way_scale() -> None:
    two = Scale(labels=("entailment", "not-entailment"))
    assert columns(NLI.labels, two, where="it") == {"entailment": [0], "not-entailment": [1, 2]}


@pytest.mark.parametrize(
    "names", [("positive", "negative"), ("entailment", "neutral"), ("entailment", "neutral", "neutral")]
)
def test_labels_that_do_not_fit_the_scale_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="scale"):
        columns(names, NLI, where="it")


def test_a_checkpoint_that_does_not_name_its_labels_is_refused_with_the_flag() -> None:
    config = {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}
    with pytest.raises(InputError, match="-M labels=entailment"):
        output_names(config, (), where="it")
    assert output_names(config, ("c", "e", "n"), where="it") == ("c", "e", "n")
    with pytest.raises(InputError, match="has 3"):
        output_names(config, ("entailment", "neutral"), where="it")
