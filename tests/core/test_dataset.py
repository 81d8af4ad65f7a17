from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.hand import pair, three

from grice.core.dataset import Dataset, select
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.item_file import read_items
from grice.core.scale import NLI, UNIT


def test_items_come_back_as_they_went_in() -> None:
    item = Item(
        "a/0",
        "Jo or Al sang.",
        "Jo and Al sang.",
        {"logical": "neutral", "pragmatic": "contradiction"},
        {"conj": ("or", "and")},
        "a",
    )
    data = Dataset.from_items("a", NLI, [item, pair(1)])
    assert next(data.items()) == item


def test_a_question_shows_neither_gold_nor_tags() -> None:
    assert set(vars(next(three().questions()))) == {"id", "premise", "hypothesis"}


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        ([pair(0), pair(0)], "duplicate id 'hand/0'"),
        ([pair(0, "entails")], "'entails' is not on the scale"),
        ([], "no items"),
    ],
)
def test_a_dataset_is_checked_at_birth(items: list[Item], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        Dataset.from_items("hand", NLI, items)


def test_a_category_and_a_probability_live_side_by_side() -> None:
    item = Item("u/0", "A dog runs.", "A dog is outside.", {"probability": 0.9, "label": "neutral"})
    data = Dataset.from_items("u", UNIT, [item], readings={"label": NLI})
    assert data.readings == {"probability": UNIT, "label": NLI}


def test_the_fingerprint_follows_content_and_not_order() -> None:
    data = three()
    assert replace(data, frame=data.frame.reverse()).fingerprint == data.fingerprint
    changed = data.frame.with_columns(pl.col("premise") + " ")
    assert replace(data, frame=changed).fingerprint != data.fingerprint
    relabelled = Dataset.from_items(
        "hand", NLI, [replace(i, gold={"label": "neutral"}) for i in data.items()]
    )
    assert relabelled.fingerprint != data.fingerprint


def test_the_fingerprint_is_the_same_on_every_machine() -> None:
    assert three().fingerprint == "e52621198e793af9d89c564f8aac8805"


def test_where_keeps_items_by_tag_and_matches_any_of_several_values() -> None:
    assert three().where(kind="a").ids == ["hand/0", "hand/2"]
    both = Dataset.from_items(
        "m", NLI, [replace(pair(0), tags={"c": ("and", "or")}), replace(pair(1), tags={"c": "but"})]
    )
    assert both.where(c="or").ids == ["hand/0"]
    assert select(both.frame, {"c": ["or", "but"]}).height == 2


def test_an_unknown_tag_says_which_there_are() -> None:
    with pytest.raises(InputError, match=r"'kin'. Did you mean 'kind'"):
        three().where(kin="a")


def test_a_file_of_items_reads_back_with_the_same_fingerprint(tmp_path: Path) -> None:
    data = three()
    data.write(tmp_path / "items.jsonl")
    assert read_items(tmp_path / "items.jsonl").fingerprint == data.fingerprint


def test_a_file_with_a_bad_line_names_it(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"id":"a","premise":"x"}\n{"id":"b"}\n')
    with pytest.raises(InputError, match=r"items\.jsonl:2: no text 'premise'"):
        read_items(path)
