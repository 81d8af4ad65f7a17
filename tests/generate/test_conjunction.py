"""Conjuncts removed, added and replaced: the labels of logic, and where English departs from them."""

from __future__ import annotations

import re

import pytest

from grice.core.shelf import PHENOMENA
from grice.generate import _conjunction as conjuncts
from grice.generate.grammar import Subject, Verb, VerbPhrase
from grice.generate.phenomena.conjunction_quantified import DOWNWARD, UPWARD, conjunction_quantified
from grice.generate.phenomenon import NewItem, Phenomenon

NAMES = [name for name in PHENOMENA.names() if name.startswith("conjunction_")]
ALL: list[Phenomenon] = [PHENOMENA.find(name) for name in NAMES]


def told(rows: list[NewItem]) -> list[tuple[str, str, str]]:
    return [(row.premise, row.hypothesis or "", str(row.gold["label"])[0]) for row in rows]


def test_and_gives_each_conjunct_and_is_given_by_none() -> None:
    frame = conjuncts.EndConjuncts("NP", "Ana bought", "Ana didn't buy", ("milk", "bread", "eggs"))
    assert told(conjuncts.conjunct_rows("and", frame)) == [
        ("Ana bought milk and bread.", "Ana bought milk.", "e"),
        ("Ana bought milk and bread.", "Ana bought bread.", "e"),
        ("Ana bought milk.", "Ana bought milk and bread.", "n"),
        ("Ana bought milk and bread.", "Ana bought milk and eggs.", "n"),
        ("Ana bought milk and bread.", "Ana didn't buy milk.", "c"),
    ]


def test_or_under_negation_denies_both() -> None:
    sang, danced, left = (
        VerbPhrase(Verb(v, v, v + "ed", v + "ed", v)) for v in ("hum", "wink", "yawn")
    )
    rows = told(conjuncts.conjunct_rows("or", conjuncts.VerbConjuncts("Ana", (sang, danced, left))))
    assert ("Ana humed or winked.", "Ana humed.", "n") in rows
    assert ("Ana didn't hum or wink.", "Ana didn't hum.", "e") in rows
    assert ("Ana didn't hum or wink.", "Ana winked.", "c") in rows


def test_neither_nor_and_but_not_deny_what_they_deny() -> None:
    yawn = VerbPhrase(Verb("yawn", "yawns", "yawned", "yawned", "yawning"))
    frame = conjuncts.SubjectConjuncts((Subject("Ana"), Subject("Ben"), Subject("Cleo")), yawn)
    assert ("Neither Ana nor Ben yawned.", "Ana yawned.", "c") in told(
        conjuncts.conjunct_rows("nor", frame)
    )
    assert ("Ana, but not Ben, yawned.", "Ben didn't yawn.", "e") in told(
        conjuncts.conjunct_rows("but", frame)
    )


def test_nor_counts_as_or_and_the_tags_are_those_of_conjnli() -> None:
    tag = conjuncts.tags(("nor",), "removed", category="NP", negation=True)
    assert tag["conjunction"] == ("or",)
    assert (tag["boolean"], tag["multiple"], tag["quantifier"], tag["negation"]) == (
        "yes",
        "no",
        "no",
        "yes",
    )


@pytest.mark.parametrize("phenomenon", ALL, ids=NAMES)
def test_the_operation_is_what_was_done_to_the_conjuncts(phenomenon: Phenomenon) -> None:
    for item in phenomenon.stream(60, 4):
        assert item.hypothesis is not None
        shorter = len(item.hypothesis) - len(item.premise)
        operation = item.tags.get("operation")
        if operation == "removed" and item.tags["negation"] == "no":
            assert shorter < 0, item
        if operation == "added" and item.tags["negation"] == "no":
            assert shorter > 0, item


@pytest.mark.parametrize("phenomenon", ALL, ids=NAMES)
def test_the_connectives_named_are_those_in_the_sentences(phenomenon: Phenomenon) -> None:
    for item in phenomenon.stream(60, 4):
        found = set(re.findall(r"\b(?:and|or|but|nor)\b", f"{item.premise} {item.hypothesis}"))
        assert found == set(item.tags["connective"]), item


def test_the_kinds_conjnli_speaks_of_are_all_there() -> None:
    items = [item for phenomenon in ALL for item in phenomenon.stream(60, 4)]
    usages = {item.tags["usage"] for item in items}
    assert usages == {"boolean", "collective", "entity", "exclusive", "equivalence", "exception"}
    assert {item.tags.get("operation") for item in items} >= {"removed", "added", "replaced"}
    assert {word for item in items for word in item.tags["connective"]} == {
        "and",
        "or",
        "but",
        "nor",
    }
    for tag in ("boolean", "multiple", "quantifier", "negation"):
        assert {item.tags[tag] for item in items} == {"yes", "no"}


def test_a_downward_quantifier_turns_removal_round() -> None:
    labels = {
        (
            str(item.tags["who"]),
            str(item.tags["connective"][0]),
            str(item.tags["operation"]),
        ): item.gold["label"]
        for item in conjunction_quantified.stream(40, 2)
    }
    assert {labels[who, "and", "removed"] for who in UPWARD} == {"entailment"}
    assert {labels[who, "or", "removed"] for who in DOWNWARD} == {"entailment"}
    assert {labels[who, "and", "added"] for who in DOWNWARD} == {"entailment"}
    assert {
        labels[who, word, "added"] for who in ("exactly two of the",) for word in ("and", "or")
    } == {"neutral"}


def test_no_sentence_with_two_coordinations_has_or_in_both() -> None:
    for item in PHENOMENA.find("conjunction_multiple").stream(300, seed=3):
        if not re.search(r"n't|Neither", str(item.hypothesis)):
            assert item.premise.count(" or ") < 2 and str(item.hypothesis).count(" or ") < 2, (
                item.premise
            )
