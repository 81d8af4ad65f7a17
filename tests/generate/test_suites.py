"""Suites, and names with seeds."""

from __future__ import annotations

from collections import Counter

import pytest

from grice import loading
from grice.core.errors import InputError
from grice.core.shelf import PHENOMENA
from grice.generate import suites


def test_the_imppres_suite_has_a_hundred_paradigms_of_sixteen_kinds() -> None:
    plan = suites.find_suite("imppres")
    assert [groups for _, groups in plan.members] == [100] * 16
    assert sorted(phenomenon.rows for phenomenon, _ in plan.members) == [12] * 7 + [19] * 9
    assert plan.pairs == 25_500
    balanced = suites.find_suite("imppres_balanced", groups=1)
    bare = suites.find_suite("imppres", groups=1).dataset().frame
    assert len(bare) == 7 * 12 + 9 * 19
    assert set(bare.rows()) < set(balanced.dataset().frame.select(bare.columns).rows())


def test_core_has_a_presupposition_in_all_environments_and_its_denial_in_four() -> None:
    factives = next(p for p, _ in suites.find_suite("core").members if p.name == "factives")
    for index in range(6):
        items = factives.make_group(index, 7)
        assert len(items) == factives.rows
        counts = Counter(
            (item.tags["presupposition"], item.tags["trigger"])
            for item in items
            if "presupposition" in item.tags
        )
        assert counts["positive", "present"] == counts["positive", "absent"] == 5
        assert counts["negated", "present"] == counts["negated", "absent"] == 4
        assert counts["neutral", "present"] == 2


def test_half_of_core_are_targets_and_every_phenomenon_has_six_paradigms() -> None:
    plan = suites.find_suite("core")
    assert plan.pairs <= 5_600
    assert min(groups for _, groups in plan.members) >= 6
    assert {p.name for p, _ in plan.members} == set(PHENOMENA.names()) - {
        "veridicality_mismatches",
        "predicates",
    }
    roles = plan.dataset().frame["tag.role"].to_list()
    assert roles.count("target") >= 0.5 * len(roles)


def test_quick_has_every_chapter_with_six_paradigms() -> None:
    plan = suites.find_suite("quick")
    assert 550 <= plan.pairs <= 650
    counts = Counter[str]()
    for phenomenon, groups in plan.members:
        counts[phenomenon.kind] += groups
    assert set(counts) == {PHENOMENA.find(name).kind for name in PHENOMENA.names()}
    assert min(counts.values()) >= 6


def test_a_name_may_carry_its_seed_and_loads_as_a_dataset() -> None:
    seven, again, other = (
        loading.load("quantifiers@7", groups="3"),
        loading.load("quantifiers@7", groups="3"),
        loading.load("quantifiers"),
    )
    assert seven.name == "quantifiers@7"
    assert seven.fingerprint == again.fingerprint
    assert len(seven) == 45 and len(other) == 1500
    assert seven.frame["premise"][0] != other.frame["premise"][0]


def test_an_unknown_name_is_refused_with_a_near_one() -> None:
    with pytest.raises(InputError, match="Did you mean 'quantifiers'"):
        suites.find_suite("quantifers")
    with pytest.raises(InputError, match="whole number"):
        loading.load("quantifiers", groups="many")


def test_every_row_is_a_target_a_control_or_there_for_balance() -> None:
    roles = suites.find_suite("full", groups=1).dataset().frame["tag.role"]
    assert set(roles) == {"target", "control", "balance"}
    assert roles.null_count() == 0
