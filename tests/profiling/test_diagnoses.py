"""Diagnoses and the verdicts that stand where no reading prevails, each with its own test."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from benchmarks.claims import chance, draw_label, random_label

from grice.core.dataset import Dataset
from grice.core.estimate import Estimate
from grice.core.item import Item
from grice.core.scale import NLI
from grice.core.shelf import PHENOMENA
from grice.profiling.build import build
from grice.reporting.claims import Claim, Diagnosis, DiagnosisResult, Test
from grice.reporting.model import Profile
from tests.profiling.judges import gold, logical, run, run_on, suite

Answers = Callable[[Item], str]


def profile_of(answers: Answers) -> Profile:
    return build([(suite(), [run(answers)])])[0]


def claim_in(profile: Profile, section: str, position: int = -1) -> Claim:
    return [claim for claim in profile.claims if claim.section == section][position]


def diagnosis(claim: Claim, code: Diagnosis) -> DiagnosisResult | None:
    return next((result for result in claim.diagnoses if result.code is code), None)


def is_scalar_target(item: Item) -> bool:
    return item.tags["kind"] == "implicature" and item.tags["role"] == "target"


def seldom_pragmatic(item: Item) -> str:
    """Answer scalar targets by a coin, but hardly ever by the implicature."""
    if not is_scalar_target(item) or gold(item, "logical") == gold(item, "pragmatic"):
        return logical(item)
    others = [label for label in NLI.labels if label != gold(item, "pragmatic")]
    return random_label(1, item, among=others)


def test_answers_that_avoid_the_implicature_draw_few() -> None:
    claim = claim_in(profile_of(seldom_pragmatic), "implicature")
    assert claim.verdict == "few_implicatures" and claim.supported
    pragmatic = claim.values["pragmatic"]
    assert isinstance(pragmatic, Estimate) and pragmatic.value == 0.0


@pytest.mark.parametrize("shares", [(1 / 3, 1 / 3, 1 / 3), (0.1, 0.8, 0.1), (0.45, 0.1, 0.45)])
def test_guesses_on_scalar_targets_are_no_verdict(shares: tuple[float, float, float]) -> None:
    def guess(item: Item) -> str:
        return draw_label(shares, "guess", 3, item.id) if is_scalar_target(item) else logical(item)

    assert claim_in(profile_of(guess), "implicature").verdict is None


def seldom_neutral(item: Item) -> str:
    """Miss nine of ten neutral answers about verbs."""
    if item.tags["kind"] != "veridicality" or logical(item) != "neutral":
        return logical(item)
    return "neutral" if chance("seldom", item.id) < 0.1 else "entailment"


def test_a_label_that_is_missed_is_rare_where_it_is_correct() -> None:
    claim = claim_in(profile_of(seldom_neutral), "veridicality")
    result = diagnosis(claim, Diagnosis.RARELY_ANSWERS)
    assert claim.verdict is None and result is not None
    assert result.values["label"] == result.expected == "neutral"
    assert result.estimate is not None and result.estimate.value < 1 / 3
    assert result.estimate.n < len(suite()) and len(result.items) == 3
    assert result.corrected_p < 0.05


def test_uniform_guesses_are_not_rare() -> None:
    profile = profile_of(lambda item: random_label(2, item))
    assert not any(
        diagnosis(claim, Diagnosis.RARELY_ANSWERS) for claim in profile.claims if claim.gate
    )


def test_uniform_guesses_are_told_as_guesses_and_a_reader_who_guesses_half_is_not() -> None:
    def half(item: Item) -> str:
        is_read = chance("read", 3, item.id) < 0.5
        return logical(item) if is_read else random_label(1, item)

    guessing = claim_in(profile_of(lambda item: random_label(1, item)), "presupposition", 0)
    result = diagnosis(guessing, Diagnosis.GUESSES)
    assert result and result.estimate and result.estimate.value < 0.5 and guessing.verdict is None
    assert abs(result.estimate.value - float(str(result.values["shuffled"]))) < 0.1
    for claim in profile_of(half).claims:
        assert diagnosis(claim, Diagnosis.GUESSES) is None


def test_people_have_the_diagnosis_of_the_phenomenon() -> None:
    profile = profile_of(seldom_neutral)
    parent = claim_in(profile, "veridicality")
    claim = next(claim for claim in profile.claims if claim.topic.endswith("what happened"))
    assert claim.verdict is None and claim.gate is not None
    assert Test.PARENT in {check.test for check in claim.gate.reasons}
    assert {result.code for result in parent.diagnoses} <= {
        result.code for result in claim.diagnoses
    }


def scales(groups: int) -> Dataset:
    items = PHENOMENA.find("quantifiers").stream(groups, 0)
    return Dataset.from_items("scales", NLI, items)


def test_few_paradigms_are_too_few_with_the_number_needed() -> None:
    data = scales(6)

    def guess(item: Item) -> str:
        return random_label(4, item) if is_scalar_target(item) else logical(item)

    claim = claim_in(build([(data, [run_on(data, guess)])])[0], "implicature")
    result = diagnosis(claim, Diagnosis.TOO_FEW_ITEMS)
    assert claim.verdict is None and result is not None
    assert result.values["paradigms"] == 6 < int(str(result.values["needed_paradigms"]))


def test_enough_paradigms_without_a_result_are_inconclusive_with_the_number_needed() -> None:
    data = scales(60)

    def guess(item: Item) -> str:
        return random_label(5, item) if is_scalar_target(item) else logical(item)

    claim = claim_in(build([(data, [run_on(data, guess)])])[0], "implicature")
    assert claim.status == "inconclusive" and claim.gate is not None
    assert claim.gate.paradigms_needed and claim.gate.paradigms_needed > claim.gate.paradigms


def test_cancelled_implicatures_are_a_verdict_of_their_own() -> None:
    def guess_on_presuppositions(item: Item) -> str:
        is_guess = (
            item.tags["kind"] == "cancellability"
            and item.tags["role"] == "target"
            and item.tags["inference"] == "presupposition"
        )
        return random_label(3, item) if is_guess else logical(item)

    claim = claim_in(profile_of(guess_on_presuppositions), "cancellability")
    assert claim.verdict == "cancellable_some" and claim.supported
    implicated = claim.values["implicature"]
    assert isinstance(implicated, Estimate) and implicated.value == 1.0


def test_rare_labels_read_right_are_told_apart() -> None:
    items = [
        Item(
            f"i{number}",
            f"Premise {number}.",
            f"Hypothesis {number}.",
            {"label": "entailment" if number % 10 else "neutral"},
            group=str(number),
        )
        for number in range(400)
    ]
    data = Dataset.from_items("skewed", NLI, items)

    def timid(item: Item) -> str:
        right = str(item.gold["label"])
        return right if right == "neutral" or chance("timid", item.id) < 0.85 else "neutral"

    claim = claim_in(build([(data, [run_on(data, timid)])])[0], "other")
    assert claim.verdict == "right_labels" and claim.supported
    constant = claim_in(build([(data, [run_on(data, lambda _item: "entailment")])])[0], "other")
    assert constant.verdict is None
