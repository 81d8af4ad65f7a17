"""Data of one's own: every tag becomes rows, labels and numbers have charts, and unlabelled data
say so.
"""

from __future__ import annotations

import grice
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import Scale
from grice.profiling.build import build
from grice.reporting.chart import svg
from grice.reporting.model import Profile
from grice.storage.run import Run

POLARITY = Scale(("good", "bad"))


def made(count: int = 60) -> Dataset:
    def item(i: int) -> Item:
        tags = {"length": ("short", "long")[i % 2], "topic": f"topic {i % 3}", "line": f"line {i}"}
        return Item(f"i{i}", f"Text {i}.", gold={"label": ("good", "bad")[i // 2 % 2]}, tags=tags)

    return Dataset.from_items("mine", POLARITY, [item(i) for i in range(count)])


def profile(data: Dataset) -> Profile:
    """Right on all short texts; good throughout on long ones."""
    answers = [
        Judgement(item.id, str(item.gold["label"]) if item.tags["length"] == "short" else "good")
        for item in data.items()
    ]
    return build([(data, [Run.recorded(data, "j", answers)])])[0]


def test_each_tag_with_few_values_has_a_figure_the_most_telling_first() -> None:
    figures = [figure for section in profile(made()).sections for figure in section.figures]
    by_tag = [figure.title for figure in figures if figure.title.startswith("Right by ")]
    assert by_tag == ["Right by length", "Right by topic"], (
        "a tag that differs on every item makes no rows"
    )
    length = next(figure for figure in figures if figure.title == "Right by length")
    assert length.rows == ["short", "long"] and length.numbers[0].estimate is not None
    assert length.numbers[0].estimate.n == 30 and "tag.length=short" in length.numbers[0].query.href


def test_a_tag_of_several_words_makes_an_id_that_an_address_can_hold() -> None:
    tags = [
        {"speaker age": ("young", "old")[i % 2], "speaker-age": ("a", "b")[i // 2 % 2]}
        for i in range(40)
    ]
    items = [
        Item(f"i{i}", f"Text {i}.", gold={"label": "good"}, tags=tag) for i, tag in enumerate(tags)
    ]
    data = Dataset.from_items("mine", POLARITY, items)
    found = build(
        [(data, [Run.recorded(data, "j", [Judgement(item.id, "good") for item in items])])]
    )[0]
    ids = [figure.id for figure in found.figures]
    assert len(set(ids)) == len(ids) and not any(" " in one for one in ids)
    assert sum("by-speaker-age" in one for one in ids) == 2


def test_given_answers_stand_against_right_ones() -> None:
    figure = next(
        f for s in profile(made()).sections for f in s.figures if f.id.endswith("confusion")
    )
    shares = {(number.row, number.series): number.value for number in figure.numbers}
    assert shares["good", "good"] == 1.0 and 0 < shares["bad", "good"] < 1
    assert svg(figure).startswith("<svg")


def test_a_gold_of_shares_has_its_charts_and_its_distance() -> None:
    shares = [0.9, 0.6, 0.3, 0.1] * 10
    golds = [
        {"label": "good" if s > 0.5 else "bad", "share_good": s, "share_bad": 1 - s} for s in shares
    ]
    items = [Item(f"i{i}", f"Text {i}.", gold=gold) for i, gold in enumerate(golds)]
    readings = {"share_good": Scale(low=0.0, high=1.0), "share_bad": Scale(low=0.0, high=1.0)}
    data = Dataset.from_items("mine", POLARITY, items, readings=readings)
    soft = [
        Judgement(f"i{i}", "good" if s > 0.5 else "bad", probs={"good": s, "bad": 1 - s})
        for i, s in enumerate(shares)
    ]
    hard = [Judgement(f"i{i}", "good") for i in range(len(shares))]
    runs = [Run.recorded(data, "soft", soft), Run.recorded(data, "hard", hard)]
    found = build([(data, runs)])[0]
    section = next(one for one in found.sections if one.id == "shares")
    assert (
        "are 0.00 (0.00 to 0.09, n = 40) away from people's" in section.sentences[0]
        and "hard 0.53" in section.sentences[0]
    )
    by_share, by_label = section.figures
    assert all(abs(n.value - (n.x or 0.0)) < 1e-9 for n in by_share.numbers if n.judge == "soft")
    assert {n.row: n.value for n in by_label.numbers if n.judge == "hard"} == {
        "good": 1.0,
        "bad": 0.0,
    }
    assert [round(mark.value, 3) for mark in by_label.marks] == [0.475, 0.525]
    assert all(svg(figure).startswith("<svg") for figure in section.figures)
    assert not any("share_" in figure.title for figure in found.figures), (
        "no chart of a share against another number"
    )
    cells = grice.table(runs, "brier").cells
    assert {column: round(one.value, 3) for (_, column), one in cells.items() if one} == {
        "soft": 0.0,
        "hard": 0.735,
    }


def test_unlabelled_data_say_so_and_show_the_answers() -> None:
    items = [Item(f"i{i}", f"Text {i}.") for i in range(12)]
    data = Dataset.from_items("bare", POLARITY, items)
    answers = [Judgement(item.id, "good" if i < 9 else "bad") for i, item in enumerate(items)]
    found = build([(data, [Run.recorded(data, "j", answers)])])[0]
    assert "There are no right answers in the data." in found.basis
    assert found.claims[0].text.startswith("j answers good most often: 75%")
    figure = next(f for f in found.figures if f.id.startswith("unlabelled"))
    assert {number.series: number.value for number in figure.numbers} == {"good": 0.75, "bad": 0.25}
    assert found.fingerprint is None and not any(
        "answers: not in the data" in text for text in found.not_tested
    )


def test_numbers_without_right_ones_are_shown_by_tenths() -> None:
    items = [Item(f"i{i}", f"Text {i}.") for i in range(10)]
    data = Dataset.from_items("bare", Scale(low=0.0, high=1.0), items)
    answers = [Judgement(item.id, 0.05 if i < 5 else 0.95) for i, item in enumerate(items)]
    found = build([(data, [Run.recorded(data, "j", answers)])])[0]
    figure = next(f for f in found.figures if f.id.startswith("unlabelled"))
    assert {n.row: n.value for n in figure.numbers if n.value} == {"0 to 0.1": 0.5, "0.9 to 1": 0.5}
    assert svg(figure).startswith("<svg")


def test_labelled_data_after_data_without_labels_have_their_errors_on_the_first_screen() -> None:
    items = [Item(f"i{i}", f"Text {i}.") for i in range(12)]
    bare = Dataset.from_items("bare", POLARITY, items)
    answers = [Judgement(item.id, "good") for item in items]
    labelled = made()
    rights = [
        Judgement(item.id, str(item.gold["label"]) if item.tags["length"] == "short" else "good")
        for item in labelled.items()
    ]
    pairs = [
        (bare, [Run.recorded(bare, "j", answers)]),
        (labelled, [Run.recorded(labelled, "j", rights)]),
    ]
    profile = build(pairs)[0]
    assert [section.data for section in profile.sections] == ["bare", "mine"]
    assert [row.query.data for row in profile.first_screen.rows] == [1]
    assert "“bad”" in profile.first_screen.lead
