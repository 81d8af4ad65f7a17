"""No verdict contradicts its own numbers: claims, chips, checks and findings of many judges, by
their typed values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from benchmarks.claims import noisy

from grice.core.dataset import Dataset
from grice.core.estimate import Estimate
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.profiling.build import build
from grice.profiling.gate import PURE
from grice.reporting.claims import Claim, Test
from grice.reporting.formats import percent
from grice.reporting.model import Profile
from grice.storage.run import Run
from tests.profiling.judges import always, failing_controls, gold, logical, pragmatic, suite


def overlap(item: Item) -> str:
    return (
        "entailment"
        if set((item.hypothesis or "").lower().split()) <= set(item.premise.lower().split())
        else "neutral"
    )


def takes_denials(item: Item) -> str:
    plain = item.tags.get("role") == "target" and item.tags.get("operator") == "unembedded"
    return "entailment" if plain and item.tags["presupposition"] != "neutral" else logical(item)


def one_set_fails(item: Item) -> str:
    return failing_controls(item) if item.tags["phenomenon"] == "modals" else pragmatic(item)


def one_operator_fails(item: Item) -> str:
    control = item.tags.get("role") == "control" and item.tags.get("operator") == "modal"
    return "entailment" if control and gold(item, "label") != "entailment" else logical(item)


def shuns_neutral_in_controls(item: Item) -> str:
    """Right in two of three controls, and never neutral."""
    right = logical(item)
    return right if item.tags.get("role") != "control" or right != "neutral" else "contradiction"


JUDGES: dict[str, Callable[[Item], str]] = {
    "always": always,
    "neutral": lambda _item: "neutral",
    "contradiction": lambda _item: "contradiction",
    "logical": logical,
    "pragmatic": pragmatic,
    "failing controls": failing_controls,
    "overlap": overlap,
    "denials": takes_denials,
    "one set": one_set_fails,
    "one operator": one_operator_fails,
    "shuns": shuns_neutral_in_controls,
    "random": noisy("logical", 1.0, 1),
    **{
        f"{truth} {noise}": noisy(truth, noise, 2)
        for truth in ("mixed 70/30", "pragmatic", "logical", "not projecting", "boolean only")
        for noise in (0.3,)
    },
}
# Groups of a phenomenon that are kept.
SIZES = {"whole": 999, "small": 3, "single": 1}


@cache
def told(judge: str, size: str) -> Profile:
    seen: dict[str, dict[str, None]] = {}
    items = []
    for item in suite().items():
        groups = seen.setdefault(str(item.tags["phenomenon"]), {})
        groups.setdefault(str(item.group))
        if list(groups).index(str(item.group)) < SIZES[size]:
            items.append(item)
    data = Dataset.from_items("suite", NLI, items)
    answers = [Judgement(item.id, JUDGES[judge](item)) for item in items]
    return build([(data, [Run.recorded(data, judge, answers)])])[0]


def above(number: Estimate, line: float) -> bool:
    return number.low is not None and number.low > line


def below(number: Estimate, line: float) -> bool:
    return number.high is not None and number.high < line


def between(number: Estimate) -> bool:
    return above(number, 1 - PURE) and below(number, PURE)


def agrees(claim: Claim) -> bool:
    """Whether the numbers of a claim that is made are what its verdict says."""
    numbers = {one.measure: one.estimate for one in claim.numbers}
    first = claim.numbers[0].estimate
    if claim.verdict in ("logical", "pragmatic"):
        shares = {
            name: numbers[f"share:{name}"].value for name in ("logical", "pragmatic", "neither")
        }
        return max(shares, key=lambda name: shares[name]) == claim.verdict
    if claim.verdict == "mixed" and not claim.values.get("pragmatic_sets"):
        return between(numbers["share:logical"]) and between(numbers["share:pragmatic"])
    rules: dict[str, Callable[[], bool]] = {
        "neither": lambda: above(numbers["share:neither"], 0.5),
        "infers_trigger": lambda: above(first, 0.5),
        "infers_trigger_some": lambda: between(first),
        "projects_not": lambda: below(first, 0.5),
        "signatures": lambda: above(first, 0.5),
        "signatures_partly": lambda: below(first, PURE),
        "people": lambda: above(first, 0.0),
        "calibrated": lambda: below(first, 0.05),
    }
    return rules.get(claim.verdict or "", lambda: True)()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("judge", JUDGES)
def test_a_verdict_is_what_its_numbers_say(judge: str, size: str) -> None:
    for claim in told(judge, size).claims:
        assert not claim.supported or agrees(claim), (claim.verdict, claim.numbers)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("judge", JUDGES)
def test_a_chip_is_what_its_row_says(judge: str, size: str) -> None:
    figure = told(judge, size).fingerprint
    assert figure is not None
    for number in figure.numbers:
        assert number.estimate is not None
        rules = {
            "pragmatic": above(number.estimate, 0.5),
            "right": above(number.estimate, 0.5),
            "wrong": below(number.estimate, 0.5),
            "logical": below(number.estimate, 0.5),
            "neither": below(number.estimate, 0.5),
            "mixed": between(number.estimate),
        }
        [chip] = [
            chip.verdict
            for chip in figure.chips
            if (chip.series, chip.row) == (number.series, number.row)
        ]
        assert rules.get(chip, chip == "inconclusive"), (number.row, chip, number.estimate)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("judge", JUDGES)
def test_a_check_of_controls_passes_only_where_no_controls_are_warned_of(
    judge: str, size: str
) -> None:
    profile = told(judge, size)
    for section in profile.sections:
        claims = [claim for claim in profile.claims if claim.section == section.id and claim.gate]
        state = next((check.state for check in section.checks if check.name == "controls"), "none")
        if claims and section.id in ("implicature", "presupposition"):
            assert claims[0].gate is not None
            assert (state == "good") != bool(claims[0].gate.control_failures)
            assert state != "good" or not [
                text for text in section.warnings if "Controls failed" in text
            ]


def test_denials_fail_a_claim_only_where_they_are_accepted() -> None:
    """A few denials, none of which is accepted, do not show that denials are accepted."""
    failed = {}
    for judge, size in (("denials", "whole"), ("logical", "single"), ("pragmatic", "single")):
        claim = next(one for one in told(judge, size).claims if one.section == "presupposition")
        denied = claim.values.get("denied")
        assert claim.gate is not None and isinstance(denied, Estimate)
        reasons = {check.test for check in claim.gate.reasons}
        failed[judge, size] = (Test.DENIALS in reasons, above(denied, 0.5))
    assert failed["denials", "whole"] == (True, True)
    assert not any(accepted for key, (_, accepted) in failed.items() if key[0] != "denials")


def test_a_figure_by_trigger_says_what_its_claim_says() -> None:
    """Single triggers may have too few paradigms where all of them together have enough."""
    profile = told("logical", "whole")
    claim = next(claim for claim in profile.claims if claim.section == "presupposition")
    figure = next(
        one
        for section in profile.sections
        for one in section.figures
        if one.id == "presupposition-accommodation"
    )
    assert (
        claim.verdict == "infers_trigger" and percent(claim.numbers[0].estimate) in figure.finding
    )
    assert "of 0 of" not in figure.finding
