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
from grice.profiling.chapters.implicature import PRINTED, _printed_marks
from grice.profiling.chapters.other import _short
from grice.profiling.phrases import percent
from grice.reporting.model import Figure, Number, Profile, Query
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.profiling.judges import always, failing_controls, logical, pragmatic, run, suite


def told(*runs: Run) -> Profile:
    return build([(suite(), runs)])[0]


def texts(profile: Profile) -> str:
    return " ".join(profile.summary)


def warned(profile: Profile) -> str:
    return " ".join(
        (*profile.warnings, *(text for section in profile.sections for text in section.warnings))
    )


@pytest.fixture(scope="module")
def logician() -> Profile:
    return told(run(logical))


def test_a_logical_judge_is_called_logical_and_nothing_is_warned_of(logician: Profile) -> None:
    assert "It reads scalar terms logically: 100%" in texts(logician)
    assert "pragmatically" not in texts(logician)
    assert warned(logician) == ""


def test_a_pragmatic_judge_is_called_pragmatic() -> None:
    profile = told(run(pragmatic))
    assert "It reads scalar terms pragmatically: 0%" in texts(profile)
    assert "logically" not in texts(profile)
    assert warned(profile) == ""


def test_who_answers_presuppositions_right_accommodates_and_projects(logician: Profile) -> None:
    assert "It takes most presuppositions from plain sentences: 100%" in texts(logician)
    assert "clearly those of aspectuals and factives" in texts(logician)
    assert "They project" in texts(logician) and "negation 100%" in texts(logician)


def test_who_follows_signatures_has_no_veridicality_bias(logician: Profile) -> None:
    assert "It follows the verbs' signatures in 100%" in texts(logician)
    assert "it infers something where nothing follows in 0%" in texts(logician)


def test_who_gets_conjunctions_right_is_said_to_with_both_kinds(logician: Profile) -> None:
    assert "of conjunctions right" in texts(logician) and "where they are boolean" in texts(
        logician
    )


def test_always_entailment_is_a_habit_and_tells_nothing() -> None:
    profile = told(run(always))
    assert "answers entailment to 100% of the items of suite" in warned(profile)
    assert "Its reading of scalar terms cannot be told" in texts(profile)
    assert "What it presupposes cannot be told" in texts(profile)
    assert "Whether it reads conjunctions cannot be told" in texts(profile)
    assert "Whether it follows the verbs' signatures cannot be told" in texts(profile)
    assert not [claim for claim in profile.claims if claim.made]


def test_an_overlap_judge_never_contradicts_and_its_targets_are_not_read() -> None:
    profile = told(evaluate(suite(), load_judge("baseline/overlap")))
    assert "never answers contradiction" in warned(profile)
    assert "Its reading of scalar terms cannot be told: it gets only" in texts(profile)
    assert "Controls fail" in warned(profile)


def test_a_judge_that_shuns_a_label_is_said_to() -> None:
    def bold(item: Item) -> str:
        given = logical(item)
        return given if given != "neutral" or hash_of(item.id) % 5 == 0 else "entailment"

    assert "answers neutral to" in warned(told(run(bold)))


def test_failed_controls_silence_every_claim_about_targets() -> None:
    profile = told(run(failing_controls))
    implicature = next(section for section in profile.sections if section.id == "implicature")
    assert "Controls fail" in implicature.warnings[0] and "mean nothing" in implicature.warnings[0]
    assert "cannot be told" in texts(profile) and "reads scalar terms" not in texts(profile)
    assert "It takes most" not in texts(profile)


def test_controls_that_fail_in_one_set_leave_that_set_out() -> None:
    def half(item: Item) -> str:
        return failing_controls(item) if item.tags["phenomenon"] == "modals" else logical(item)

    profile = told(run(half))
    assert "Controls fail for modals: their targets mean nothing" in warned(profile)
    assert "It reads scalar terms logically, where its controls hold: 100%" in texts(profile)


def test_a_set_read_otherwise_than_the_rest_is_named() -> None:
    def mixed(item: Item) -> str:
        return pragmatic(item) if item.tags["phenomenon"] == "modals" else logical(item)

    assert "modals is read pragmatically" in texts(told(run(mixed)))


def test_overconfidence_is_told_by_its_size() -> None:
    def seldom(item: Item) -> str:
        return logical(item) if hash_of(item.id) % 2 else "neutral"

    profile = told(run(seldom, sure=0.99))
    section = next(section for section in profile.sections if section.id == "certainty")
    assert "it is at least 95% sure on 100%" in section.sentences[0]
    assert section.sentences[0].startswith("It is too sure, by ")


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


def test_what_is_called_printed_is_what_the_paper_prints() -> None:
    marks = _printed_marks(
        [Number(row, "", "a judge", None, Query(0, {}, "a judge")) for row in PRINTED]
    )
    shown = {(mark.row, mark.series): (mark.value, mark.label) for mark in marks}
    for row, name in PRINTED.items():
        for reading in ("logical", "pragmatic"):
            assert shown[row, reading][0] == FIGURES["FIGURE_3"][f"{name}, {reading}", "BERT"]
    connectives, verbs = shown["connectives", "pragmatic"], shown["gradable verb", "pragmatic"]
    assert (
        connectives[0] == 0.083 and "corrected from the authors' counts: 0.0083" in connectives[1]
    )
    assert shown["gradable adjective", "pragmatic"][0] == 0.022 and "corrected" not in verbs[1]


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
    counted = {
        figure.title: number.estimate.n
        for figure in profile.overview
        for number in figure.numbers
        if number.estimate and number.judge == "one" and len(figure.rows) == 1
    }
    compared = {row.stratum: row for row in profile.differences if row.broad}
    assert compared["deniability"].difference.n == counted["Deniability"]
    assert compared["deniability"].query.where["tag.role"] == "target"
    assert "tag.role" not in compared["conjunction"].query.where


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
