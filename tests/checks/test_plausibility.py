"""Sentences as they are against the same words exchanged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from grice.checks.plausibility import Couple, exchange, measure_plausibility, pair_up
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI
from grice.verbs.check import plausible

# What is done to what, in a world where each thing has one verb.
WORLD = {
    "milk.": "drank",
    "door.": "locked",
    "song.": "sang",
    "letter.": "posted",
    "soup.": "stirred",
    "fence.": "painted",
}


def data(*sentences: str) -> Dataset:
    items = [
        Item(f"m/{i}", text, "x", {"label": "neutral"}, {"phenomenon": "deeds"})
        for i, text in enumerate(sentences)
    ]
    return Dataset.from_items("mine", NLI, items)


def bits(texts: Sequence[str]) -> list[float | None]:
    """One bit a word, and ten more where a thing has not its verb; none of a text about a fault."""
    found: list[float | None] = []
    for text in texts:
        words = text.split(" ")
        odd = WORLD.get(words[-1], words[1]) != words[1]
        found.append(None if "Fault" in text else len(words) + 10.0 * odd)
    return found


def test_endings_are_exchanged_after_a_shared_word() -> None:
    rng = np.random.default_rng(0)
    couple = exchange("Ana drank the milk.", "Bo locked the door.", rng)
    assert couple == Couple(
        ("Ana drank the milk.", "Bo locked the door."),
        ("Ana drank the door.", "Bo locked the milk."),
    )
    assert exchange("Ana slept.", "Bo locked the door.", rng) is None
    assert exchange("Ana drank the milk.", "Did Bo lock the door?", rng) is None
    assert exchange("Ana drank the milk.", "Bo spilt the milk.", rng) is None


def test_what_belongs_together_is_less_surprising_as_it_is() -> None:
    sentences = [
        f"{who} {verb} the {thing}"
        for (thing, verb), who in zip(WORLD.items(), "ABCDEF", strict=True)
    ]
    found = measure_plausibility(data(*sentences), bits)
    cell = found.table.cell("deeds", found.table.columns[0])
    assert cell is not None and (cell.value, cell.n) == (1.0, 3)
    assert (found.asked, found.faults) == (3, 0)
    wrong = [
        text.replace(thing, other)
        for text, thing, other in zip(sentences, WORLD, [*list(WORLD)[1:], "milk."], strict=True)
    ]
    mixed = measure_plausibility(data(*wrong), bits).table.cell("deeds", found.table.columns[0])
    assert mixed is not None and mixed.value < 0.5


def test_a_text_without_a_surprisal_is_counted_as_a_fault() -> None:
    found = measure_plausibility(data("Fault drank the milk.", "Bo locked the door."), bits)
    assert (found.asked, found.faults) == (1, 1)
    assert found.table.cell("deeds", found.table.columns[0]) is None


def test_the_same_seed_gives_the_same_couples() -> None:
    sentences = [f"{who} saw the {thing}" for who, thing in zip("ABCDEF", WORLD, strict=True)]
    assert pair_up(sentences, 3) == pair_up(sentences, 3)
    assert pair_up(sentences, 3) != pair_up(sentences, 4)


def test_a_judge_that_is_no_language_model_is_refused() -> None:
    with pytest.raises(InputError, match="'baseline/overlap' cannot score texts"):
        plausible("quantifiers@1", "baseline/overlap")
