"""The complement whole and alone, negations that read well, and sources that are left out."""

from __future__ import annotations

import pytest

from grice.mining._english import inflect, tidy
from grice.mining.pairers.complements import complements
from grice.mining.pairs import MinedPair, Skip
from grice.mining.parsers import load_parser
from grice.mining.sources import unfit_reason, unfit_text


def pairs(text: str) -> dict[str, MinedPair]:
    """Environment to pair."""
    found = (
        one for one in complements(load_parser().parse_one(text)) if isinstance(one, MinedPair)
    )
    return {str(one.tags["environment"]): one for one in found}


def reasons(text: str) -> set[str]:
    return {
        one.reason for one in complements(load_parser().parse_one(text)) if isinstance(one, Skip)
    }


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        (
            "The mayor declined to name the firm, but said it was small.",
            "The mayor named the firm.",
        ),
        ("The mayor declined to name the firm and the crowd left.", "The mayor named the firm."),
        ("The mayor declined to name the firm, citing a contract.", "The mayor named the firm."),
        ("They managed to nod and smile.", "They nodded and smiled."),
        (
            "The minister believes that prices will fall, according to a spokesman.",
            "Prices will fall.",
        ),
        (
            "She knew that the shop was closed and the road was wet.",
            "The shop was closed and the road was wet.",
        ),
        ("She knew that the shop was closed, that the road was wet.", "The shop was closed."),
        ('He said that the price "is what I pay."', 'The price "is what I pay."'),
        ("He demanded that they leave the town.", "They left the town."),
        ("We are proposing that the tax be cut.", "The tax is cut."),
        (
            "She asked the mayor to mend the roof and also to paint the door.",
            "The mayor mended the roof and also painted the door.",
        ),
        (
            "The shop plans to sell bread and be open on Sundays.",
            "The shop sells bread and is open on Sundays.",
        ),
        (
            "They expect the mayor to say that the road has holes and also to close it.",
            "The mayor says that the road has holes and also closes it.",
        ),
        (
            "I urge the council promptly to approve the plan.",
            "The council promptly approves the plan.",
        ),
    ],
)
def test_the_hypothesis_is_the_complement_and_no_more(text: str, hypothesis: str) -> None:
    assert pairs(text)["positive"].hypothesis == hypothesis


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        (
            "I strongly believe that the plan is good.",
            "I do not strongly believe that the plan is good.",
        ),
        (
            "We also urgently need to mend the roof.",
            "We also do not urgently need to mend the roof.",
        ),
        ("He clearly wanted to leave.", "He clearly did not want to leave."),
    ],
)
def test_not_reaches_an_adverb_of_manner_alone(text: str, negated: str) -> None:
    assert pairs(text)["negative"].premise == negated


@pytest.mark.parametrize(
    "text",
    [
        "The team has already begun to mend the roof.",
        "I have long believed that the plan is good.",
        "To save money, the mayor agreed to close the pool.",
        "Some farmers managed to sell their land.",
        "We want to mend the roof, and we can.",
        "We need to mend the roof, and that is why we came.",
        "They waited to mend the roof.",
    ],
)
def test_what_goes_with_no_negation_gives_no_negative(text: str) -> None:
    assert "negative" not in pairs(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("They have until the end of May to leave.", ""),
        ("The army tried to take the town but was beaten.", "what is said is undone"),
        ("She declined to speak at all.", "a polarity item"),
        ("The vote virtually guaranteed that he would win.", "a focus adverb"),
        ("The storm would force them to leave.", "a modal, the speaker or an adverb"),
        ("We may have to wait.", "a modal, the speaker or an adverb"),
        ('The author notes that "all roads lead to Rome".', "a modal, the speaker or an adverb"),
        ("I understand that the shop is closed.", "a modal, the speaker or an adverb"),
    ],
)
def test_what_is_no_complement_or_is_taken_back_gives_no_pair(text: str, reason: str) -> None:
    assert "positive" not in pairs(text) and (not reason or reason in reasons(text))


@pytest.mark.parametrize(
    "text",
    [
        "The firm was sold. they say it was cheap.",
        "He wants to spend his tax?cut money.",
        "They argued that the because of rain was late.",
        'He left,"they said.',
        "The bank cut interest rates rates again.",
        "It is an another reason to leave.",
        "It used to be in the—below a hundred.",
        "The car stopped // She left.",
    ],
)
def test_broken_sources_are_unfit(text: str) -> None:
    assert unfit_text(text, 40)


def test_capitals_inside_are_those_of_names() -> None:
    parse = load_parser().parse_one
    assert unfit_reason(parse("The U.S. Wants to sell its grain."), 40) == "a capital inside"
    assert (
        unfit_reason(parse("CIVIL RIGHTS The mayor wants to build a new road for the town."), 40)
        == "a headline"
    )
    assert (
        unfit_reason(parse("HARPER She wants to build a new road for the town."), 40)
        == "a headline"
    )
    assert (
        unfit_reason(parse("HARPER Norway's king wants to build a new road."), 40) == "a headline"
    )
    assert unfit_reason(parse("NATO wants to build a new road for the town."), 40) == ""
    assert unfit_reason(parse("The U.S. Senate wants to sell its grain."), 40) == ""


def test_a_pair_with_no_sign_against_it_is_clean_and_one_cut_short_is_not() -> None:
    assert "clean True" in pairs("The mayor hoped to win.")["positive"].rules
    cut = pairs("The mayor said that it rained, but the town was dry.")["positive"].rules
    assert {"clean False", "unclear end"} <= set(cut)


def test_articles_and_forms_are_those_of_english() -> None:
    assert (
        tidy("the Qur'an says that a uranium mine is an X-ray")
        == "The Qur'an says that a uranium mine is an X-ray"
    )
    assert inflect("bear", "VBN") == "borne"
