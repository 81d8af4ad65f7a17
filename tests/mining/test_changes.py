"""What a changed conjunct asserts: denials, dates, amounts, rivals, directions, exceptions."""

from __future__ import annotations

import pytest

from grice.mining.pairers.conjuncts import conjunct_edits, conjuncts
from grice.mining.pairs import MinedPair
from grice.mining.parsers import load_parser


def replaced(text: str, sort: str) -> list[str]:
    edits = conjunct_edits(load_parser().parse_one(text))
    return list(dict.fromkeys(edit.text for edit in edits if edit.detail == sort))


@pytest.mark.parametrize(
    ("text", "sort", "texts"),
    [
        (
            "The captain sang and danced in the hall.",
            "denial",
            ["The captain sang and did not dance in the hall."],
        ),
        (
            "The boat sank, but Ana is alive.",
            "denial",
            ["The boat did not sink, but Ana is alive.", "The boat sank, but Ana is not alive."],
        ),
        ("Ana was invited but did not come.", "denial", ["Ana was invited but came."]),
        (
            "She was born in Rome in 1950 and moved to Paris.",
            "date",
            ["She was born in Rome in 1951 and moved to Paris."],
        ),
        (
            "It premiered on 27 June 2016 and airs every Friday.",
            "date",
            ["It premiered on 28 June 2016 and airs every Friday."],
        ),
        (
            "The island measures 2,999 km from north to south and 80 km from east to west.",
            "amount",
            [
                "The island measures 3,000 km from north to south and 80 km from east to west.",
                "The island measures 2,999 km from north to south and 81 km from east to west.",
            ],
        ),
        (
            "She is a resident of Boston and a member of the Democratic Party.",
            "rival",
            ["She is a resident of Boston and a member of the Republican Party."],
        ),
        (
            "He played in the East-West Bowl and was named best player.",
            "direction",
            ["He played in the North-South Bowl and was named best player."],
        ),
        (
            "Ana wrote all but one of the songs.",
            "exception",
            ["Ana wrote all but two of the songs."],
        ),
    ],
)
def test_a_conjunct_is_changed_in_each_way(text: str, sort: str, texts: list[str]) -> None:
    assert replaced(text, sort) == texts


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("Some people sang and danced in the hall.", "denial"),
        ("The captain may sing and dance.", "denial"),
        ("The captain sang and often danced.", "denial"),
        ("The captain sang and danced because he was glad.", "denial"),
        ("He said that the captain sang and danced.", "denial"),
        ("If the captain sang, he danced and laughed.", "denial"),
        ("She visited Rome in 1950 and moved to Paris.", "date"),
        ("She was born before 1950 and moved to Paris.", "date"),
        ("The river carried 30 km of wood and 4 boats.", "amount"),
        ("He was born in West Virginia and moved to Paris.", "direction"),
    ],
)
def test_what_would_not_be_excluded_is_not_changed(text: str, sort: str) -> None:
    assert replaced(text, sort) == []


def test_the_label_is_contradiction_unless_both_may_hold() -> None:
    def labels(text: str, sort: str) -> set[str]:
        pairs = conjuncts(load_parser().parse_one(text))
        mined = (pair for pair in pairs if isinstance(pair, MinedPair))
        return {pair.gold["heuristic"] for pair in mined if pair.tags.get("replaced") == sort}

    assert labels("The captain sang and danced in the hall.", "denial") == {"contradiction"}
    direction = labels("He played in the East-West Bowl and was named best player.", "direction")
    assert direction == {"neutral"}


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("He did not visit Rome or Paris.", {"entailment", "neutral"}),
        ("The town is known as Emmer or Immer.", {"entailment"}),
        ("He was born in 1970 or 1971.", {"neutral"}),
        # What follows depends on the reader, or on what limits the negation.
        ("The flowers are red or white.", set()),
        ("Every page has a letter or a postcard.", set()),
        ("The town was not cold, nor was it dark.", set()),
        ("He did not leave because it was cold or dark.", set()),
    ],
)
def test_or_is_written_only_where_readers_agree(text: str, labels: set[str]) -> None:
    outcome = conjuncts(load_parser().parse_one(text))
    pairs = [pair for pair in outcome if isinstance(pair, MinedPair)]
    kept = [pair for pair in pairs if pair.tags["operation"] != "replaced"]
    assert {pair.gold["heuristic"] for pair in kept} == labels
