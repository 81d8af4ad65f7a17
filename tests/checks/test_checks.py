"""The checks find what is wrong with a set, made or published, and stay silent where nothing is."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from grice.checks.check import BatchChecker, check_dataset, check_frame
from grice.checks.findings import CheckReport, merge_findings
from grice.checks.spelling import correct_words
from grice.checks.surface import match_rules
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.generate.lexicon import vocabulary
from grice.verbs import check as verbs

LABELS = NLI.labels


def data(*pairs: tuple[str, str, str], **tags: list[str]) -> Dataset:
    items = [
        Item(
            str(i),
            premise,
            hypothesis,
            {"label": label},
            {tag: values[i] for tag, values in tags.items()},
            f"g{i}",
        )
        for i, (premise, hypothesis, label) in enumerate(pairs)
    ]
    return Dataset.from_items("hand-made", NLI, items)


def names(report: CheckReport) -> set[str]:
    return {finding.check for finding in report.findings}


GOOD = ("Ana left.", "Someone left.", "entailment")


def test_a_clean_set_has_no_error_or_warning() -> None:
    report = check_dataset(data(GOOD, ("Did Ben sing?", "Ben sang.", "neutral")))
    assert [f for f in report.findings if f.severity != "note"] == []
    assert not report.failed


def test_one_pair_with_two_answers_is_an_error_and_a_mere_repeat_is_told_apart() -> None:
    clash = data(
        GOOD, ("Ana left.", "Someone left.", "neutral"), ("Ben sang.", "Ben slept.", "neutral")
    )
    found = check_dataset(clash, leaks=False)
    assert [(f.check, f.count, f.examples) for f in found.findings] == [
        ("two gold answers", 1, ("0", "1"))
    ]
    assert found.failed
    assert names(check_dataset(data(GOOD, GOOD), leaks=False)) == {"repeated pair"}


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("final punctuation", "If it is Ana who came, it's okay"),
        ("question mark", "Did both men who came here leave."),
        ("question mark", "The men who came here left?"),
        ("a or an", "Susan has a eggplant."),
        ("a or an", "Susan has an unicorn."),
        ("a or an", "It took a hour."),
        ("doubled word", "Ana saw the the cat."),
        ("spaces", "Ana saw  the cat."),
        ("spaces", "Ana left ."),
        ("lower-case start", "ana left."),
        ("repeated punctuation", "Ana left,."),
        ("unfilled slot", "Ana saw {object}."),
        ("agreement", "Those doctors doesn't worry."),
        ("agreement", "There is exactly two cats here."),
        ("agreement", "They was late."),
        ("agreement", "Every teacher have left."),
        ("verb form", "Ana didn't used to sing."),
        ("verb form", "Ana couldn't had sung."),
    ],
)
def test_a_slip_is_found(rule: str, sentence: str) -> None:
    assert [name for name, hits in match_rules([sentence]).items() if hits] == [rule]


@pytest.mark.parametrize(
    "sentence",
    [
        "If Ana came, Ben left.",
        "Had Ana known, she would have stayed.",
        "“Go home,” said Ana, “or else.”",
        "It took an hour, a year and a one-off effort by an MP from an EU state.",
        "Ana had had enough, and said that that was so.",
        "A few have left, and a lot were late.",
        "There are a hundred cats.",
        "Did she have a unique, useful, honest answer?",
        "They didn't need it, nor did they succeed.",
        "One of these doctors is here.",
        "Do not touch it.",
        "There are two nurses at the sit-in in Lima.",
        "Does Ana have an umbrella and a university?",
    ],
)
def test_good_english_passes(sentence: str) -> None:
    assert {name: hits for name, hits in match_rules([sentence]).items() if hits} == {}


def test_what_most_sentences_do_is_a_convention_and_not_an_error() -> None:
    report = check_dataset(data(("ana left", "someone left", "entailment")), leaks=False)
    assert {(f.check, f.severity) for f in report.findings} == {
        ("lower-case start", "note"),
        ("final punctuation", "note"),
    }


def test_a_misspelt_word_is_told_with_the_word_it_may_be() -> None:
    report = check_dataset(
        data(("The hall is enourmous.", "The hall is big.", "entailment")),
        vocabulary=vocabulary(),
        leaks=False,
    )
    (finding,) = report.of("spelling")
    assert "'enourmous': is it 'enormous'?" in finding.detail
    assert finding.examples == ("0",)
    assert correct_words(["The theaters were attacked and criticized."], vocabulary()) == {}


def test_a_declared_condition_must_be_even_and_filled() -> None:
    pairs = [(f"Ana saw {n} cats.", f"Ana saw {n} animals.", LABELS[n % 3]) for n in range(30)]
    even = data(*pairs, tense=["past", "present"] * 15)
    odd = data(*pairs, tense=["past"] * 22 + ["present"] * 8)
    assert not check_dataset(even, balanced={"": ["tense"]}, leaks=False).failed
    (finding,) = check_dataset(odd, balanced={"": ["tense"]}, leaks=False).of("balance")
    assert finding.severity == "error"
    assert "'past' 22 and 'present' 8 of 30" in finding.detail
    (missing,) = check_dataset(even, balanced={"": ["tense", "number"]}, leaks=False).of(
        "slot never filled"
    )
    assert "number" in missing.detail


def test_a_set_with_modals_only_in_the_past_is_one_sided() -> None:
    past = [
        (f"Ana could lift {n} boxes.", "Ana had to lift a box.", "neutral") for n in range(2, 6)
    ]
    assert "tense of modals" in names(check_dataset(data(*past), leaks=False))
    both = [*past, ("Ana can lift it.", "Ana has to lift it.", "neutral")]
    assert "tense of modals" not in names(check_dataset(data(*both), leaks=False))


def test_connectives_only_in_the_subject_are_one_sided() -> None:
    subject = [
        (f"The {n} or the dogs ran.", "The dogs ran.", "neutral") for n in ("cats", "rats", "bats")
    ]
    assert "position of connectives" in names(check_dataset(data(*subject), leaks=False))
    both = [*subject, ("Ana saw the cats or the dogs.", "Ana saw the cats.", "neutral")]
    assert "position of connectives" not in names(check_dataset(data(*both), leaks=False))


def test_a_label_that_shows_in_the_hypothesis_is_found_and_one_that_does_not_is_not() -> None:
    things = ("cat", "dog", "hat", "cup", "pen", "box", "fox", "bag", "map", "key")
    leaky = [
        pair
        for thing in things
        for pair in (
            (f"Ana has a {thing}.", f"There is a {thing}.", "entailment"),
            (f"Ana has a {thing}.", f"There is not a {thing}.", "contradiction"),
        )
    ]
    report = check_dataset(data(*leaky))
    assert any("hypothesis only 1.000" in f.detail for f in report.of("surface cue"))
    fair = [
        pair
        for thing, other in pairwise(things)
        for pair in (
            (f"Ana has a {thing}.", f"Ana has a {thing}.", "entailment"),
            (f"Ana has a {other}.", f"Ana has a {thing}.", "neutral"),
        )
    ]
    assert report.leakage is not None
    assert not any(
        "hypothesis only" in f.detail for f in check_dataset(data(*fair)).of("surface cue")
    )


def test_findings_of_batches_add_up() -> None:
    frames = [
        data(
            ("Ana left", "Ana went.", "entailment"), GOOD, ("Ben sang.", "Ben hummed.", "neutral")
        ).frame
    ] * 2
    (finding,) = merge_findings([finding for frame in frames for finding in check_frame(frame)])
    assert (finding.check, finding.count, finding.n) == ("final punctuation", 2, 12)


def test_a_checker_of_batches_adds_up_labels_repeats_and_uneven_conditions() -> None:
    def item(number: int, text: str, tense: str) -> Item:
        tags = {"phenomenon": "hand", "tense": tense}
        return Item(str(number), text, "Someone left.", {"label": "neutral"}, tags, f"g{number}")

    checker = BatchChecker({"hand": ("tense",)})
    checker.add([item(n, f"Ana left {n} rooms.", "past") for n in range(2, 12)])
    checker.add([item(20, "Ben left.", "past"), item(21, "Ben left.", "present")])
    assert (checker.pairs, checker.labels) == (12, {"label": {"neutral": 12}})
    assert [(f.check, f.severity) for f in checker.findings()] == [
        ("repeated pair", "error"),
        ("balance", "error"),
    ]


@pytest.mark.published
def test_the_released_imppres_shows_its_known_flaws(data_folder: Path) -> None:
    report = verbs.check("imppres", leaks=False)
    assert data_folder and report.failed
    (clash,) = report.of("two gold answers")
    assert clash.count == 25
    (stops,) = report.of("final punctuation")
    assert stops.count > 800
    (questions,) = report.of("question mark")
    assert questions.count == 33
    assert [f.detail for f in report.of("spelling")] == ["'enourmous': is it 'enormous'?"]
    assert report.of("spelling")[0].count == 380
    assert [(f.count, f.detail) for f in report.of("tense of modals")] == [
        (1200, "every modal is in the past in modals")
    ]
    assert [f.count for f in report.of("position of connectives")] == [1200]


def test_controls_that_one_answer_passes_are_told() -> None:
    pairs = [
        (f"Ana saw {n} cats.", f"Ana saw {n} dogs.", "contradiction" if n < 12 else LABELS[n % 3])
        for n in range(24)
    ]
    published = data(*pairs, role=["control"] * 12 + ["target"] * 12)
    (finding,) = check_dataset(published, leaks=False).of("controls")
    assert (finding.severity, finding.count, finding.n) == ("warning", 1, 12)
    assert "contradiction is right for 12 of 12" in finding.detail
    assert (
        check_dataset(published, balanced={"": ["role"]}, leaks=False).of("controls")[0].severity
        == "note"
    )
    even = [
        (premise, hypothesis, LABELS[n % 3]) for n, (premise, hypothesis, _) in enumerate(pairs)
    ]
    assert (
        check_dataset(data(*even, role=["control"] * 12 + ["target"] * 12), leaks=False).of(
            "controls"
        )
        == []
    )
