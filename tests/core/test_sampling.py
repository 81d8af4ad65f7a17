"""A part of a dataset: every kind and phenomenon, whole paradigms."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import polars as pl
from tests.hand import three

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.sampling import limit_items
from grice.core.scale import NLI
from grice.loading import load


def drawn_ids(data: Dataset, limit: int | None, seed: int = 0) -> list[str]:
    return limit_items(data, limit, seed)["id"].to_list()


def crossed() -> Dataset:
    """Five phenomena of ten paradigms of four items, one after the other as a suite has them."""
    items = [
        Item(
            f"{kind}/{group}/{n}",
            f"P {kind} {group} {n}",
            "H",
            {},
            {"phenomenon": kind},
            f"{kind}/{group}",
        )
        for kind in "abcde"
        for group in range(10)
        for n in range(4)
    ]
    return Dataset.from_items("crossed", NLI, items)


def test_a_limit_takes_whole_paradigms_of_every_phenomenon() -> None:
    ids = drawn_ids(crossed(), 40)
    assert Counter(one[0] for one in ids) == dict.fromkeys("abcde", 8)
    assert set(Counter(one.rsplit("/", 1)[0] for one in ids).values()) == {4}
    assert ids == sorted(ids), "in the order of the data"


def test_a_larger_limit_adds_to_a_smaller_one_and_another_seed_draws_others() -> None:
    data = crossed()
    parts = [set(drawn_ids(data, limit)) for limit in (7, 8, 40, 199, 200)]
    assert [len(part) for part in parts] == [7, 8, 40, 199, 200]
    assert all(small < large for small, large in pairwise(parts))
    assert parts[2] != set(drawn_ids(data, 40, seed=1))


def kinds() -> Dataset:
    """One kind of twenty phenomena, whose paradigms are of four premises with three questions, and
    two small kinds.
    """
    items = [
        Item(
            f"{name}/{group}/{n}",
            f"P {name} {group} {n // 3}",
            f"H {n}",
            {},
            {"kind": name[0], "phenomenon": name},
            f"{name}/{group}",
        )
        for name, size in [(f"a{i:02}", 12) for i in range(20)] + [("y", 6), ("z", 3)]
        for group in range(5)
        for n in range(size)
    ]
    return Dataset.from_items("kinds", NLI, items)


def test_every_kind_comes_first_with_a_whole_paradigm_then_every_phenomenon_with_a_whole_premise() -> (
    None
):
    ids = drawn_ids(kinds(), 21)
    assert Counter(one[0] for one in ids) == {"a": 12, "y": 6, "z": 3}
    drawn = Counter(one.rpartition("/")[0] for one in drawn_ids(kinds(), 21 + 19 * 3))
    assert sorted(drawn.values()) == [3] * 20 + [6, 12]
    assert len({one.partition("/")[0] for one in drawn}) == 22


def test_paradigms_that_were_begun_are_finished_before_others_are() -> None:
    drawn = Counter(item.rpartition("/")[0] for item in drawn_ids(kinds(), 21 * 12 + 4 * 3))
    assert sorted(drawn.values()) == [3] * 4 + [6, 6] + [12] * 20


def test_the_order_of_the_items_and_the_alphabet_decide_nothing() -> None:
    data = kinds()
    turned = Dataset.from_items("turned", NLI, reversed(list(data.items())))
    for limit in (10, 50, 200):
        assert set(drawn_ids(data, limit)) == {*drawn_ids(turned, limit)}
    first = {item.partition("/")[0] for item in drawn_ids(data, 21 + 5 * 3)} - {"y", "z"}
    assert first != set(sorted(f"a{i:02}" for i in range(20))[:6])


def test_core_has_every_kind_from_120_items_on_and_every_phenomenon_from_500_on() -> None:
    frame = load("core").frame
    for limit, column, count in ((120, "tag.kind", 6), (500, "tag.phenomenon", 50)):
        chosen = drawn_ids(load("core"), limit)
        assert len(chosen) == limit
        assert (
            frame.filter(pl.col("id").is_in(chosen))[column].n_unique()
            == count
            == frame[column].n_unique()
        )


def test_items_without_paradigm_or_phenomenon_are_drawn_by_lot() -> None:
    plain = Dataset.from_items("plain", NLI, [Item(f"p/{i}", f"P {i}", "H") for i in range(90)])
    drawn = [set(drawn_ids(plain, limit, seed)) for limit, seed in ((30, 0), (60, 0), (30, 1))]
    assert [len(one) for one in drawn] == [30, 60, 30]
    assert drawn[0] < drawn[1]
    assert drawn[0] != drawn[2]
    assert max(int(one[2:]) for one in drawn[0]) > 60, "not the first ones"
    assert len(drawn_ids(three(), None)) == 3
