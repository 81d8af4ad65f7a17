"""Whether a section can be believed, what it says in one sentence, and what goes wrong in it."""

from __future__ import annotations

import pytest

from grice.core.item import Item
from grice.profiling.build import build
from grice.reporting.model import Profile, ProfileSection
from tests.profiling.judges import always, failing_controls, gold, logical, pragmatic, run, suite


def section(profile: Profile, name: str) -> ProfileSection:
    return next(one for one in profile.sections if one.id == name)


def state(profile: Profile, name: str, check: str) -> str:
    return next(one.state for one in section(profile, name).checks if one.name == check)


def test_a_good_judge_passes_its_checks_and_each_names_what_shows_it() -> None:
    profile = build([(suite(), [run(logical)])])[0]
    told = {check.name: check for check in section(profile, "presupposition").checks}
    assert {
        told[name].state
        for name in ("controls", "vs. shuffled", "vs. majority", "invalid responses")
    } == {"good"}
    ids = {figure.id for figure in profile.figures}
    assert told["controls"].evidence in ids and told["vs. shuffled"].evidence in ids
    assert told["paradigms"].evidence.startswith("#items?")


def test_failed_controls_and_one_answer_throughout_are_doubts() -> None:
    assert (
        state(build([(suite(), [run(failing_controls)])])[0], "implicature", "controls") == "doubt"
    )
    habit = build([(suite(), [run(always)])])[0]
    assert {
        state(habit, "presupposition", name)
        for name in ("controls", "vs. shuffled", "vs. majority")
    } == {"doubt"}


def test_a_section_without_controls_says_so() -> None:
    assert state(build([(suite(), [run(logical)])])[0], "conjunction", "controls") == "none"


@pytest.mark.parametrize("answers", [logical, pragmatic, always, failing_controls])
def test_every_claim_has_a_short_headline_without_numbers(answers) -> None:  # type: ignore[no-untyped-def]
    profile = build([(suite(), [run(answers, sure=0.9)])])[0]
    for claim in profile.claims:
        assert 0 < len(claim.headline) <= 90, claim
        assert not any(letter.isdigit() for letter in claim.headline), claim.headline
    assert all(one.headline for one in profile.sections if one.sentences)


def calls_neutral_entailed(item: Item) -> str:
    right = gold(item, "logical")
    return (
        "entailment" if right == "neutral" and item.tags.get("phenomenon") == "factives" else right
    )


def test_wrong_answers_are_grouped_with_rate_example_and_the_pair_that_flips_it() -> None:
    profile = build([(suite(), [run(calls_neutral_entailed)])])[0]
    (group,) = section(profile, "presupposition").failures
    assert (group.phenomenon, group.right, group.given) == ("factives", "neutral", "entailment")
    assert group.rate.value == 1.0 and group.count == group.rate.n
    assert group.example.gold == {"right": "neutral", "given": "entailment"}
    assert (
        group.flip is not None
        and group.flip.gold["right"] == group.flip.gold["given"] != "entailment"
    )
    assert "given=entailment" in group.query.href and "gold.agreed=neutral" in group.query.href
    assert not section(profile, "implicature").failures


def test_on_targets_only_what_follows_neither_reading_is_wrong() -> None:
    assert not section(build([(suite(), [run(pragmatic)])])[0], "implicature").failures
    groups = section(build([(suite(), [run(always)])])[0], "implicature").failures
    assert any(" or " in group.right for group in groups)
    assert all(group.given not in group.right for group in groups)


def test_without_items_no_sentence_of_a_failure_is_kept() -> None:
    profile = build([(suite(), [run(calls_neutral_entailed)])])[0].without_items()
    (group,) = section(profile, "presupposition").failures
    assert not group.example.premise and group.flip is None and not group.query.href
