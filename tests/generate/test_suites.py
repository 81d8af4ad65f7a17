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
    # The paper's 12 and 19 pairs, with three for balance and ten without the trigger.
    rows = sorted(phenomenon.rows for phenomenon, _ in plan.members)
    assert rows == [12] + [12 + 3] * 6 + [19 + 10] * 9


def test_half_of_core_are_targets_and_every_phenomenon_has_six_paradigms() -> None:
    plan = suites.find_suite("core")
    assert plan.pairs <= 6_000
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
