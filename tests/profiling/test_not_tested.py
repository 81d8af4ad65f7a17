from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import LIKERT5, NLI
from grice.profiling.build import _beyond
from tests.hand import three


@dataclass
class Holds:
    data: Dataset


def told(*sets: Dataset) -> list[str]:
    return _beyond(cast(Any, [Holds(data) for data in sets]))


def test_the_page_says_what_its_data_could_not_test() -> None:
    assert [line.partition(":")[0] for line in told(three())] == [
        "certainty against people's own probabilities",
        "discourse and speech acts",
    ]


def test_what_the_data_do_test_is_not_listed() -> None:
    rated = Dataset.from_items(
        "rated",
        NLI,
        [Item("a", "Jo knows.", "It is so.", {"human": 1.5})],
        readings={"human": LIKERT5},
    )
    tasks = Dataset.from_items(
        "pragmeval/GUM/dev", NLI, [Item("b", "x", "y", {"label": "neutral"})]
    )
    assert told(rated, tasks) == []
