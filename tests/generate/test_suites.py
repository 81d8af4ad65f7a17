"""Suites, and names with seeds."""

from __future__ import annotations

import pytest

from grice import loading
from grice.core.errors import InputError
from grice.core.shelf import PHENOMENA
from grice.generate import suites


def test_the_imppres_suite_has_the_papers_sizes() -> None:
    plan = suites.find_suite("imppres")
    # The paper's 12 and 19 pairs, with two fillers, five controls of the sentence and twenty of its
    # presupposition.
    assert plan.pairs == 49_400
    assert (
        sorted(phenomenon.rows for phenomenon, _ in plan.members)
        == [12 + 2] * 7 + [19 + 5 + 20] * 9
    )


def test_core_is_small_and_gives_each_phenomenon_about_the_same() -> None:
    plan = suites.find_suite("core")
    assert 5_000 <= plan.pairs <= 5_500
    assert min(groups for _, groups in plan.members) >= suites.CORE_GROUPS
    sizes = [phenomenon.rows * groups for phenomenon, groups in plan.members]
    assert max(sizes) < 2 * min(sizes)
    assert {p.name for p, _ in plan.members} == set(PHENOMENA.names()) - {
        "veridicality_mismatches",
        "predicates",
    }


def test_a_name_may_carry_its_seed_and_loads_as_a_dataset() -> None:
    seven, again, other = (
        loading.load("quantifiers@7", groups="3"),
        loading.load("quantifiers@7", groups="3"),
        loading.load("quantifiers"),
    )
    assert seven.name == "quantifiers@7"
    assert seven.fingerprint == again.fingerprint
    assert len(seven) == 42 and len(other) == 1400
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
