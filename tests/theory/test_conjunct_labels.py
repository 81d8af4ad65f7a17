"""The labels of changed coordinations, and that what is generated carries them."""

from __future__ import annotations

import pytest

from grice.core.item import Item
from grice.core.shelf import PHENOMENA
from grice.theory.conjuncts import CONJNLI, LOGIC, ConjunctLabels, logical_labels


def test_a_downward_context_turns_and_into_or() -> None:
    for one, other in (("and", "or"), ("or", "and")):
        assert logical_labels(one, "downward") == logical_labels(other)
        assert logical_labels(one, "none") == ConjunctLabels("neutral", "neutral", "neutral")


def test_conjnli_takes_every_replaced_conjunct_for_a_contradiction() -> None:
    assert {labels.replaced for labels in CONJNLI.values()} == {"contradiction"}


def use_of(item: Item) -> str:
    usage = str(item.tags["usage"])
    if usage == "boolean":
        return "or" if item.tags["connective"] == ("or",) else "and"
    return "measure" if usage == "collective" else usage


@pytest.mark.parametrize(
    ("phenomenon", "operations"),
    [
        ("conjunction_boolean", ("removed", "added", "replaced")),
        ("conjunction_entities", ("removed", "added", "replaced")),
        ("conjunction_equivalence", ("removed", "added", "replaced")),
        # Here both years may be replaced, and "some" may be narrowed to "all but one".
        ("conjunction_exclusive", ("removed", "added")),
        ("conjunction_exceptions", ("removed", "replaced")),
        ("conjunction_collective", ("removed",)),
    ],
)
def test_generated_pairs_carry_the_labels_of_logic(
    phenomenon: str, operations: tuple[str, ...]
) -> None:
    data = PHENOMENA.find(phenomenon).make(40, seed=1)
    plain = [item for item in data.items() if item.tags["negation"] == "no"]
    checked = [item for item in plain if item.tags.get("operation") in operations]
    assert checked
    for item in checked:
        assert item.gold["label"] == LOGIC[use_of(item)].label_for(item.tags["operation"]), item
