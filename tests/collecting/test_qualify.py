from __future__ import annotations

import pytest

from grice.collecting.campaign import KnownPair, Qualification
from grice.collecting.instrument import PersonReply
from grice.collecting.qualify import judge_test, passes_attention
from grice.core.scale import LIKERT5, NLI, UNIT

# Ten pairs as in UNLI: three easy ones, seven with odds to know.
TRUTH = (0.5, 0.833, 0.02, 0.015, 0.1, 0.714, 0.3, 0.6, 0.25, 0.9)
TEST = Qualification(tuple(KnownPair(f"P{n}", y, easy=n < 3) for n, y in enumerate(TRUTH)))


def replies(**changed: float) -> list[PersonReply]:
    return [PersonReply(changed.get(f"p{n}", y)) for n, y in enumerate(TRUTH)]


def test_right_answers_pass() -> None:
    assert judge_test(TEST, replies(), UNIT).passed


@pytest.mark.parametrize(
    ("said", "passed"), [(0.375, True), (0.37, False), (0.625, True), (0.63, False)]
)
def test_easy_pairs_allow_a_quarter_of_the_way_to_the_nearer_end(said: float, passed: bool) -> None:
    assert judge_test(TEST, replies(p0=said), UNIT).passed is passed


def test_at_the_ends_nothing_else_is_right() -> None:
    test = Qualification((KnownPair("P", 1.0, easy=True), KnownPair("Q", 0.2), KnownPair("R", 0.5)))
    others = [PersonReply(0.2), PersonReply(0.5)]
    assert judge_test(test, [PersonReply(1.0), *others], UNIT).passed
    assert not judge_test(test, [PersonReply(0.9999), *others], UNIT).passed


def test_the_others_need_both_correlations() -> None:
    backwards = {f"p{n}": 1 - TRUTH[n] for n in range(3, 10)}
    verdict = judge_test(TEST, replies(**backwards), UNIT)
    assert not verdict.passed
    assert verdict.report["easy missed"] == 0
    assert verdict.report["pearson"] < 0.7


def test_the_same_answer_everywhere_correlates_with_nothing() -> None:
    test = Qualification((KnownPair("P", 0.2), KnownPair("Q", 0.4), KnownPair("R", 0.5)))
    assert judge_test(test, [PersonReply(0.3)] * 3, UNIT).report["pearson"] == 0


def test_a_skipped_pair_fails() -> None:
    assert not judge_test(TEST, [PersonReply(fault="skipped"), *replies()[1:]], UNIT).passed


def test_labels_need_a_share() -> None:
    test = Qualification(tuple(KnownPair("P", label) for label in NLI.labels), share=0.6)
    assert judge_test(
        test, [PersonReply("entailment"), PersonReply("neutral"), PersonReply("neutral")], NLI
    ).passed
    assert not judge_test(
        test, [PersonReply("neutral"), PersonReply("neutral"), PersonReply("neutral")], NLI
    ).passed


def test_attention_has_a_tolerance_of_a_tenth_of_the_scale() -> None:
    assert passes_attention(KnownPair("P", 2.0), PersonReply(1.6), LIKERT5)
    assert not passes_attention(KnownPair("P", 2.0), PersonReply(1.0), LIKERT5)
    assert passes_attention(KnownPair("P", 2.0, tolerance=1.0), PersonReply(1.0), LIKERT5)
    assert not passes_attention(KnownPair("P", "neutral"), PersonReply(fault="skipped"), NLI)
