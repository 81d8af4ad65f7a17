"""Questions and their answers: what is asked, what the speaker knows and what is taken back decide
the label.
"""

from __future__ import annotations

from collections import Counter

import pytest

from grice.core.item import Item
from grice.generate.phenomena.dialogues import FRAMES, dialogues

SCALES = dialogues.conditions["scale"]


def _labels(items: list[Item], reading: str, **tags: str) -> dict[str, str]:
    chosen = [i for i in items if all(i.tags.get(tag) == value for tag, value in tags.items())]
    return {str(i.tags["condition"]): str(i.gold[reading]) for i in chosen}


@pytest.mark.parametrize("group", [0, 1])
def test_an_answer_gives_not_all_only_where_it_was_asked_and_the_speaker_would_know(
    group: int,
) -> None:
    items = dialogues.make_group(group, seed=3)
    assert _labels(items, "pragmatic", context="stakes") == {
        "not S": "entailment",
        "S": "contradiction",
    }
    assert _labels(items, "pragmatic", qud="lower") == {"not S": "neutral", "S": "neutral"}
    assert _labels(items, "default", qud="lower") == {"not S": "entailment", "S": "contradiction"}
    assert _labels(items, "default", speaker="partial") == {"not S": "neutral", "S": "neutral"}
    taken_back = _labels(items, "pragmatic", cancelled="yes")
    assert (taken_back["not S"], taken_back["S"]) == ("contradiction", "entailment")


def test_who_has_not_stopped_did_it_unless_that_is_rejected_or_suspended() -> None:
    items = dialogues.make_group(2, seed=3)
    assert _labels(items, "pragmatic", context="question", cancelled="no", speaker="unstated") == {
        "positive": "entailment",
        "negated": "contradiction",
    }
    assert set(_labels(items, "logical", context="question", cancelled="no").values()) == {
        "neutral"
    }
    assert set(_labels(items, "pragmatic", speaker="partial").values()) == {"neutral"}
    assert _labels(items, "pragmatic", cancelled="yes")["negated"] == "entailment"


@pytest.mark.parametrize("scale", SCALES)
def test_neither_the_frame_nor_the_hypothesis_tells_the_answer(scale: str) -> None:
    by_frame: dict[str, Counter[str]] = {}
    by_asked: dict[str, Counter[str]] = {}
    for item in dialogues.stream(360, seed=8):
        if item.tags["scale"] == scale:
            label = str(item.gold["pragmatic"])
            by_frame.setdefault(str(item.tags["frame"]), Counter())[label] += 1
            by_asked.setdefault(str(item.tags["condition"]).removesuffix(" of others"), Counter())[
                label
            ] += 1
    assert set(by_frame) == set(FRAMES)
    for counts in (*by_frame.values(), *by_asked.values()):
        assert len(counts) == 3 and max(counts.values()) < 0.5 * counts.total()
