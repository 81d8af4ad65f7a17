"""What every phenomenon on the shelf promises."""

from __future__ import annotations

import re
from calendar import day_name
from collections import Counter

import pytest

from grice.checks.check import check_dataset, check_frame
from grice.core.shelf import PHENOMENA
from grice.generate.lexicon import vocabulary
from grice.generate.phenomenon import Phenomenon
from grice.theory.readings import READINGS

NAMES = PHENOMENA.names()
# Ungrammatical on purpose, so the rules of good English do not bind it.
UNGRAMMATICAL = ("veridicality_mismatches",)
GROUPS = 200

pytestmark = pytest.mark.parametrize("name", NAMES)


def found(name: str) -> Phenomenon:
    phenomenon = PHENOMENA.find(name)
    assert isinstance(phenomenon, Phenomenon)
    return phenomenon


def test_it_is_named_like_its_file_and_says_what_and_why(name: str) -> None:
    phenomenon = found(name)
    assert phenomenon.name == name
    assert len(phenomenon.what) > 20 and len(phenomenon.why) > 40
    assert phenomenon.references
    assert {*phenomenon.readings} <= {*READINGS, *phenomenon.new_readings}


def test_it_repeats_from_its_seed_and_changes_with_it(name: str) -> None:
    phenomenon = found(name)
    one, two, other = (phenomenon.make(4, seed) for seed in (3, 3, 4))
    assert one.fingerprint == two.fingerprint
    assert one.frame["premise"].to_list() != other.frame["premise"].to_list()
    assert [item.id for item in phenomenon.make_group(2, 3)] == [
        i for i in one.ids if i.startswith(f"{name}/3/2/")
    ]


def test_its_items_have_the_rows_readings_and_tags_it_declares(name: str) -> None:
    phenomenon = found(name)
    data = phenomenon.make(GROUPS, 5)
    assert len(data) == GROUPS * phenomenon.rows
    assert set(data.readings) <= set(phenomenon.readings)
    assert {*phenomenon.tags, *phenomenon.conditions} <= set(data.tags)
    assert all(data.frame[f"tag.{tag}"].null_count() < len(data) for tag in data.tags)


def test_the_checks_find_nothing_wrong(name: str) -> None:
    phenomenon = found(name)
    data = phenomenon.make(GROUPS, 6)
    balanced = {phenomenon.name: tuple(phenomenon.conditions)}
    report = check_dataset(data, balanced=balanced, vocabulary=vocabulary(), leaks=False)
    allowed = {"agreement", "verb form", "doubled word"} if name in UNGRAMMATICAL else set()
    wrong = [f for f in report.findings if f.severity == "error" and f.check not in allowed]
    assert wrong == []


def test_no_pair_is_its_own_hypothesis(name: str) -> None:
    for item in found(name).stream(GROUPS, 7):
        assert item.premise != item.hypothesis, item.id


@pytest.mark.slow
def test_of_forty_thousand_pairs_few_repeat_and_no_name_crowds_out_the_others(name: str) -> None:
    """Sentences without their trigger may repeat: two groups that differ by it share them."""
    phenomenon = found(name)
    groups = min(40_000 // phenomenon.rows, phenomenon.capacity)
    data = phenomenon.make(groups, 8)
    findings = {f.check: f for f in check_frame(data.frame)}
    assert "two gold answers" not in findings
    repeated = findings.get("repeated pair")
    assert repeated is None or repeated.count <= 0.003 * len(data)
    # Names inside a sentence; its first word has a capital anyway.
    fixed = {word for text in (*phenomenon.fixed, *day_name) for word in text.lower().split()}
    first = data.frame.group_by("group").first()
    words = Counter(
        w for text in first["premise"] for w in set(re.findall(r"(?<!\. )[A-Z]\w+(?= )", text[1:]))
    )
    crowded = {w: n for w, n in words.items() if n > 0.015 * groups and w.lower() not in fixed}
    assert crowded == {}, name
