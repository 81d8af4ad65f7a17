"""Which items a part of a dataset takes: whole paradigms, over all phenomena alike."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice, zip_longest

from grice.core.dataset import TAG, Dataset
from grice.core.item import Question

# The tags that tell kinds of items apart, the first that a dataset has.
STRATA = ("phenomenon", "part", "trigger")


def limit_questions(data: Dataset, limit: int | None, seed: int = 0) -> list[Question]:
    """All questions in their order; or `limit` of them, so that a small part stands for the whole.

    Paradigms are drawn by the seed, the phenomena taking turns, and each paradigm is whole but perhaps the last; items without
    either are taken from the first on. A larger limit adds to what a smaller one took.
    """
    questions = list(data.questions())
    if limit is None or limit >= len(questions):
        return questions
    chosen = set(islice(_drawn(data, seed), limit))
    return [question for place, question in enumerate(questions) if place in chosen]


def _drawn(data: Dataset, seed: int) -> Iterator[int]:
    """The places of all items: paradigm after paradigm, one phenomenon after the other."""
    kinds = _strata(data)
    if len(set(kinds)) == 1 and data.frame["group"].null_count() == len(data):
        yield from range(len(data))
        return
    piles: dict[str, dict[str, list[int]]] = {}
    for place, (group, item) in enumerate(data.frame.select("group", "id").iter_rows()):
        piles.setdefault(kinds[place], {}).setdefault(group if group is not None else f"\0{item}", []).append(place)
    shuffled = []
    for kind, groups in sorted(piles.items()):
        drawn = list(groups.values())
        random.Random(f"{seed} {kind}").shuffle(drawn)
        shuffled.append(drawn)
    for turn in zip_longest(*shuffled):
        for group in turn:
            yield from group or ()


def _strata(data: Dataset) -> list[str]:
    """What kind each item is of; one kind for all where no tag tells them apart."""
    named = next((tag for tag in STRATA if tag in data.tags), None)
    if named is None:
        return [""] * len(data)
    values = data.frame[TAG + named].to_list()
    return ["\0".join(map(str, value)) if isinstance(value, list) else str(value) for value in values]
