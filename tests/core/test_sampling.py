"""A part of a dataset: whole paradigms over all phenomena."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from tests.hand import three

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.sampling import limit_questions
from grice.core.scale import NLI


def crossed() -> Dataset:
    """Five phenomena of ten paradigms of four items, one after the other as a suite has them."""
    items = [
        Item(f"{kind}/{group}/{n}", f"P {kind} {group} {n}", "H", {}, {"phenomenon": kind}, f"{kind}/{group}")
        for kind in "abcde"
        for group in range(10)
        for n in range(4)
    ]
    return Dataset.from_items("crossed", NLI, items)


def test_a_limit_takes_whole_paradigms_of_every_phenomenon() -> None:
    ids = [question.id for question in limit_questions(crossed(), 40)]
    assert Counter(one[0] for one in ids) == dict.fromkeys("abcde", 8)
    assert set(Counter(one.rsplit("/", 1)[0] for one in ids).values()) == {4}
    assert ids == sorted(ids), "in the order of the data"


def test_a_larger_limit_adds_to_a_smaller_one_and_another_seed_draws_others() -> None:
    data = crossed()
    parts = [{question.id for question in limit_questions(data, limit)} for limit in (7, 8, 40, 199, 200)]
    assert [len(part) for part in parts] == [7, 8, 40, 199, 200]
    assert all(small < large for small, large in pairwise(parts))
    assert parts[2] != {question.id for question in limit_questions(data, 40, seed=1)}


def test_items_without_paradigm_or_phenomenon_are_taken_from_the_first_on() -> None:
    plain = Dataset.from_items("plain", NLI, [Item(f"p/{i}", f"P {i}", "H") for i in range(9)])
    assert [question.id for question in limit_questions(plain, 2)] == ["p/0", "p/1"]
    assert len(limit_questions(three(), None)) == 3
