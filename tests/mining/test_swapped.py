"""Every listed verb in every compatible published sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.mining.swapped import form_of, swapped
from grice.theory.signature import Environment, expected_label, lexicon

ENVIRONMENTS: tuple[Environment, Environment] = ("positive", "negative")
NIKE = (
    "decline to",
    "Nike declined to be a sponsor.",
    "Nike did not decline to be a sponsor.",
    "Nike was a sponsor.",
)
KNEW = (
    "know that",
    "She knew that the shop closed.",
    "She did not know that the shop closed.",
    "The shop closed.",
)
SAW = (
    "saw that",
    "Slim saw that the shadows were long.",
    "Slim did not see that the shadows were long.",
    "The shadows were long.",
)


def published(*sentences: tuple[str, str, str, str]) -> Dataset:
    items = [
        Item(
            f"veridicality/{environment}/{number}",
            text,
            hypothesis,
            {},
            {"sentence": str(number), "environment": environment, "construction": construction},
            f"s{number}",
        )
        for number, (construction, positive, negative, hypothesis) in enumerate(sentences)
        for environment, text in zip(ENVIRONMENTS, (positive, negative), strict=True)
    ]
    return Dataset.from_items("veridicality", NLI, items)


def of_kind(data: Dataset, swap: str) -> list[Item]:
    return [item for item in data.items() if item.tags["swap"] == swap]


def tags(items: Iterable[Item], name: str) -> set[str]:
    return {str(item.tags[name]) for item in items}


def test_every_verb_is_put_into_every_compatible_sentence() -> None:
    data = swapped(published(NIKE, KNEW))
    to, that = (sum(c == complement for _, c in lexicon()) for complement in ("to", "that"))
    counts = Counter((str(i.tags["swap"]), str(i.tags["sentence"])) for i in data.items())
    # A target is never the sentence's own verb; "decline" and "know" have one complement each.
    assert counts["main", "0"] == 2 * (to - 1) and counts["main", "1"] == 2 * (that - 1)
    assert counts["mismatch", "0"] == 2 * that and counts["mismatch", "1"] == 2 * to
    assert counts["complement", "1"] == 2 * (that - 1)
    assert counts["type", "0"] == counts["type", "1"] == 2
    # What is said to be is no verb's doing.
    assert ("complement", "0") not in counts


def test_the_main_verb_takes_the_form_of_the_one_before_and_brings_its_label() -> None:
    pairs = of_kind(swapped(published(NIKE)), "main")
    for item in pairs:
        verb, _, complement = str(item.tags["target"]).rpartition(" ")
        environment: Environment = (
            "negative" if item.tags["environment"] == "negative" else "positive"
        )
        assert item.hypothesis == "Nike was a sponsor."
        assert item.gold["signature"] == expected_label(lexicon()[verb, complement], environment)
        if environment == "negative":
            assert item.premise == f"Nike did not {verb} to be a sponsor."
        else:
            assert item.premise == f"Nike {form_of(verb, 'VBD')} to be a sponsor."


def test_what_is_not_english_has_no_label() -> None:
    data = swapped(published(NIKE))
    kinds = [item for kind in ("mismatch", "type") for item in of_kind(data, kind)]
    assert kinds and all(not item.gold for item in kinds)
    assert {item.premise for item in of_kind(data, "type")} == {
        "Nike declined that be a sponsor.",
        "Nike did not decline that be a sponsor.",
    }


def test_the_complements_verb_changes_in_premise_and_hypothesis_alike() -> None:
    for item in of_kind(swapped(published(KNEW)), "complement"):
        form = form_of(str(item.tags["target"]).rpartition(" ")[0], "VBD")
        assert item.hypothesis == f"The shop {form}."
        assert item.premise.endswith(f"that the shop {form}.")


def test_saw_that_is_a_verb_type_of_its_own() -> None:
    assert tags(of_kind(swapped(published(SAW)), "type"), "target") == {"saw that"}
    assert "see that" in tags(of_kind(swapped(published(SAW)), "main"), "target")
    put_in = of_kind(swapped(published(KNEW)), "main")
    texts = {(str(i.tags["target"]), str(i.tags["environment"])): i.premise for i in put_in}
    assert texts["saw that", "positive"] == "She saw that the shop closed."
    assert texts["saw that", "negative"] == "She did not see that the shop closed."


@pytest.mark.parametrize("targets", [1, 3])
def test_some_targets_are_drawn_for_each_sentence_and_by_its_text(targets: int) -> None:
    data = swapped(published(NIKE, KNEW), targets=targets)
    for sentence in ("0", "1"):
        own = [i for i in of_kind(data, "main") if i.tags["sentence"] == sentence]
        assert len(own) == 2 * targets
    again = swapped(published(KNEW), targets=targets)
    one, other = (
        {str(i.tags["target"]) for i in of_kind(d, "main") if "shop" in i.premise}
        for d in (data, again)
    )
    assert one == other


def test_a_sentence_without_its_construction_is_counted_in_the_card() -> None:
    odd = ("refuse to", "It rained.", "It did not rain.", "It rained.")
    data = swapped(published(NIKE, odd))
    assert tags(data.items(), "sentence") == {"0"}
    assert any("1 of 2" in note for note in data.card.notes)
