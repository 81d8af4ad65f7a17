"""What the page says of judges whose habits are known: the right sentences, the right warnings, and
no more.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from grice.core.estimate import Estimate
from grice.core.item import Item
from grice.loading import load_judge
from grice.papers.imppres.printed import FIGURES
from grice.profiling.build import build
from grice.profiling.chapters.other import _short
from grice.reporting.claims import Claim, Diagnosis
from grice.reporting.formats import percent, round_percent
from grice.reporting.model import Figure, Profile
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.profiling.judges import always, failing_controls, logical, pragmatic, run, suite


def told(*runs: Run) -> Profile:
    return build([(suite(), runs)])[0]


def warned(profile: Profile) -> str:
    return " ".join(
        (*profile.warnings, *(text for section in profile.sections for text in section.warnings))
    )


@pytest.fixture(scope="module")
def logician() -> Profile:
    return told(run(logical))


def verdicts(profile: Profile) -> dict[str, str | None]:
    """Return the verdict of each claim by its topic."""
    return {claim.topic: claim.verdict for claim in profile.claims}


def claim_on(profile: Profile, topic: str) -> Claim:
    return next(claim for claim in profile.claims if claim.topic == topic)


def test_a_logical_model_is_logical_and_nothing_is_warned_of(logician: Profile) -> None:
    claim = claim_on(logician, "reading of scalar terms")
    assert claim.verdict == "logical" and rate(claim, "logical") == 1.0
    assert warned(logician) == ""


def rate(claim: Claim, name: str) -> float:
    value = claim.values[name]
    assert isinstance(value, Estimate)
    return value.value


def test_a_pragmatic_model_is_pragmatic() -> None:
    profile = told(run(pragmatic))
    claim = claim_on(profile, "reading of scalar terms")
    assert claim.verdict == "pragmatic" and rate(claim, "logical") == 0.0
    assert warned(profile) == ""


def test_presuppositions_answered_as_gold_are_inferred_and_project(logician: Profile) -> None:
    plain = claim_on(logician, "presuppositions in plain sentences")
    assert plain.verdict == "infers_trigger" and rate(plain, "taken") == 1.0
    assert plain.values["most"] == ("aspectuals", "factives")
    projection = claim_on(logician, "projection")
    assert projection.verdict == "projects" and rate(projection, "every") == 1.0
    kept = projection.values["kept"]
    assert isinstance(kept, tuple)
    assert {"negated", "interrogative", "modal", "conditional"} <= set(kept)


def test_signatures_followed_leave_no_veridicality_bias(logician: Profile) -> None:
    claim = claim_on(logician, "verb signatures")
    assert rate(claim, "followed") == 1.0 and rate(claim, "bias") == 0.0


def test_conjunctions_have_the_rates_of_both_kinds(logician: Profile) -> None:
    claim = claim_on(logician, "conjunction")
    assert rate(claim, "boolean") == rate(claim, "other") == 1.0


def test_a_constant_answer_is_the_diagnosis_of_every_chapter() -> None:
    profile = told(run(always))
    assert "answers entailment to 100% of the items of suite" in warned(profile)
    assert not [claim for claim in profile.claims if claim.supported]
    for claim in profile.claims:
        if claim.section != "people":
            assert claim.diagnoses[0].code is Diagnosis.CONSTANT_ANSWER
            assert claim.diagnoses[0].given == "entailment"


def test_an_overlap_model_is_diagnosed_and_has_no_verdict() -> None:
    profile = told(evaluate(suite(), load_judge("baseline/overlap")))
    assert not [claim for claim in profile.claims if claim.supported]
    claim = claim_on(profile, "reading of scalar terms")
    assert claim.diagnoses[0].code is Diagnosis.WORD_OVERLAP


def test_a_judge_that_shuns_a_label_is_said_to() -> None:
    def bold(item: Item) -> str:
        given = logical(item)
        return given if given != "neutral" or hash_of(item.id) % 5 == 0 else "entailment"

    assert "answers neutral to" in warned(told(run(bold)))


def test_failed_controls_leave_no_verdict_about_scales() -> None:
    profile = told(run(failing_controls))
    claim = claim_on(profile, "reading of scalar terms")
    assert claim.verdict is None and claim.gate is not None
    assert claim.gate.reasons[0].role == "control"
    assert "Controls failed" in warned(profile)


def test_controls_that_fail_in_one_set_leave_that_set_out() -> None:
    def half(item: Item) -> str:
        return failing_controls(item) if item.tags["phenomenon"] == "modals" else logical(item)

    claim = claim_on(told(run(half)), "reading of scalar terms")
    assert claim.verdict == "logical" and claim.gate is not None
    assert [check.values["failing"] for check in claim.gate.control_failures] == [("modals",)]
    assert (claim.values["passing"], claim.values["sets"]) == (1, 2)
    [part] = [check for check in claim.gate.control_failures if "failing" in check.values]
    assert part.values["over_all"] == claim.values["controls_all"]
    assert (part.values["kept"], part.values["sets"]) == (1, 2)
    assert rate(claim, "controls_all") < 1.0


def test_sets_that_follow_different_readings_make_it_mixed() -> None:
    def mixed(item: Item) -> str:
        return pragmatic(item) if item.tags["phenomenon"] == "modals" else logical(item)

    claim = claim_on(told(run(mixed)), "reading of scalar terms")
    assert claim.verdict == "mixed"
    assert claim.values["pragmatic_sets"] == ("modals",)
    assert claim.values["logical_sets"] == ("quantifiers",)


def test_overconfidence_is_the_signed_gap() -> None:
    def seldom(item: Item) -> str:
        return logical(item) if hash_of(item.id) % 2 else "neutral"

    claim = claim_on(told(run(seldom, sure=0.99)), "calibration")
    assert claim.verdict == "overconfident" and rate(claim, "certain") == 1.0
    assert 0 < rate(claim, "gap") <= rate(claim, "ece") + 1e-9


def test_unanswered_items_are_told_and_stand_outside_the_numbers() -> None:
    whole = run(logical)
    fault = pl.when(pl.int_range(pl.len()) < 5).then(pl.lit("unreadable: no label")).otherwise(None)
    answer = pl.when(pl.int_range(pl.len()) < 5).then(None).otherwise(pl.col("answer"))
    broken = replace(
        whole, frame=whole.frame.with_columns(fault.alias("fault"), answer.alias("answer"))
    )
    assert "gave no usable answer to 5 of" in warned(told(broken))


def hash_of(text: str) -> int:
    return sum(map(ord, text))


def test_each_claim_stands_beside_its_rivals_and_the_papers() -> None:
    profile = told(run(logical, "one"), run(pragmatic, "two"))
    beside = {claim.section: claim.beside for claim in reversed(profile.claims)}
    assert "two 0% (0–" in beside["implicature"] and "100% (" in beside["implicature"]
    assert (
        "BERT in IMPPRES" in beside["implicature"] and "BERT in IMPPRES" in beside["presupposition"]
    )
    assert beside["conjunction"].startswith("two ") and "RoBERTa 65%" in beside["conjunction"]
    assert profile.basis.startswith(f"From {len(suite()):,} answers on suite.")
    assert {claim.section for claim in profile.claims} <= {
        section.id for section in profile.sections
    }


def test_what_is_called_printed_is_what_the_paper_prints(logician: Profile) -> None:
    readings = next(claim for claim in logician.claims if claim.section == "implicature")
    printed = FIGURES["FIGURE_3"]
    for reading in ("logical", "pragmatic"):
        shares = [printed[f"{scale}, {reading}", "BERT"] for scale in ("determiners", "modals")]
        assert f"{round_percent(sum(shares) / 2)} {reading}" in readings.beside


def test_the_same_warning_of_many_datasets_is_one_warning() -> None:
    several = [(suite(), [run(always)])] * 5
    profile = build(several)[0]
    habits = [text for text in profile.warnings if "always" in text or "answers entailment" in text]
    assert len(habits) == 1 and "in 5 of 5 datasets" in habits[0]


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (Estimate(0.62, 480, 0.58, 0.66), "62% (58–66, n = 480)"),
        (Estimate(0.998, 2096, 0.995, 0.9996), "99.80% (99.50–99.96, n = 2,096)"),
        (Estimate(0.06, 21_700, 0.0561, 0.0639), "6.0% (5.6–6.4, n = 21,700)"),
        (Estimate(0.0, 2096, 0.0, 0.0018), "0% (0–0.2, n = 2,096)"),
        (Estimate(1.0, 90_000, 0.99996, 1.0), "100% (99.996–100, n = 90,000)"),
        (Estimate(1.0, 9, 0.7, 1.0), "100% (70–100, n = 9)"),
        (Estimate(0.5, 3), "50% (n = 3)"),
    ],
)
def test_a_share_has_as_many_decimals_as_its_interval_needs(estimate: Estimate, said: str) -> None:
    assert percent(estimate) == said


def test_rows_of_one_set_leave_out_what_all_their_names_share() -> None:
    assert _short(["pragmeval/STAC/dev", "pragmeval/GUM/dev"]) == {
        "pragmeval/STAC/dev": "STAC",
        "pragmeval/GUM/dev": "GUM",
    }
    assert _short(["sick", "med/x"]) == {"sick": "sick", "med/x": "med/x"}
    assert _short(["conjnli/dev"]) == {"conjnli/dev": "conjnli/dev"}


def test_the_comparison_counts_the_items_that_the_sections_count() -> None:
    profile = told(run(logical, "one"), run(always, "two"))
    assert profile.fingerprint is not None
    counted = sum(
        number.estimate.n
        for number in profile.fingerprint.numbers
        if number.series.startswith("Cancellability") and number.judge == "one" and number.estimate
    )
    compared = {row.stratum: row for row in profile.differences if row.broad}
    assert compared["cancellability"].difference.n == counted
    assert compared["cancellability"].query.where["tag.role"] == "target"
    assert compared["conjunction"].query.where["tag.role"] == "target"


def some_of(whole: Run, share: int) -> Run:
    return replace(whole, frame=whole.frame.filter(pl.int_range(pl.len()) % share == 0))


def calibrated(*runs: Run) -> tuple[Figure, str]:
    profile = told(*runs)
    section = next(section for section in profile.sections if section.id == "certainty")
    beside = next(claim.beside for claim in profile.claims if claim.section == "certainty")
    return (
        next(figure for figure in section.figures if figure.id == "certainty-calibration"),
        beside,
    )


def test_calibration_compares_judges_on_the_items_that_all_of_them_answered() -> None:
    one, half, bare = (
        run(logical, "one", sure=0.9),
        run(pragmatic, "half", sure=0.7),
        run(always, "bare"),
    )
    figure, beside = calibrated(one, some_of(half, 2), bare)
    counts = {
        judge: sum(n.estimate.n for n in figure.numbers if n.judge == judge and n.estimate)
        for judge in ("one", "half")
    }
    assert counts["one"] == counts["half"] < len(suite()) // 2 + 1
    assert (
        f"Only the {counts['one']:,} items that 2 judges gave probabilities for are compared"
        in figure.note
    )
    assert "bare gives no probabilities" in figure.note
    assert (
        beside.startswith(f"on the {counts['one']:,} items of all: one 0.") and "half 0." in beside
    )
    whole, beside = calibrated(one, half)
    assert "Only the" not in whole.note and beside.startswith("half 0.")


def test_a_judge_that_gives_no_probabilities_is_not_said_to_be_sure() -> None:
    alone = told(run(logical, "one"))
    assert not [section for section in alone.sections if section.id == "certainty"]
    assert (
        "graded certainty: the judge gives no probabilities and the data no human numbers"
        in alone.not_tested
    )
    beside = told(run(logical, "one"), run(pragmatic, "two", sure=0.9))
    assert not [claim for claim in beside.claims if claim.section == "certainty"]
    (figure,) = next(section for section in beside.sections if section.id == "certainty").figures
    assert figure.judges == ["two"] and figure.finding == "one gives no probabilities."


def test_judges_without_a_common_item_are_not_put_side_by_side() -> None:
    first, rest = run(logical, "one", sure=0.9), run(pragmatic, "rest", sure=0.7)
    odd = replace(rest, frame=rest.frame.filter(pl.int_range(pl.len()) % 2 == 1))
    figure, beside = calibrated(some_of(first, 2), odd)
    assert (
        figure.judges == ["one"]
        and "rest is not drawn: it shares no item" in figure.note
        and beside == ""
    )
