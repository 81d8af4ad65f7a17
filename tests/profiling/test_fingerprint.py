"""The first picture: every phenomenon on one axis, with a verdict a row, and one mark a judge
everywhere.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from grice.profiling.build import build
from grice.reporting.chart import spec, svg
from grice.reporting.model import Figure, Profile
from grice.reporting.palette import JUDGES, judge_colours, judge_fills, judge_shapes
from tests.profiling.judges import always, failing_controls, logical, pragmatic, run, suite


@pytest.fixture(scope="module")
def profile() -> Profile:
    return build([(suite(), [run(pragmatic, "one"), run(logical, "two"), run(always, "three")])])[0]


def drawn(profile: Profile) -> Figure:
    assert profile.fingerprint is not None
    return profile.fingerprint


def test_every_chapter_has_a_group_and_every_row_a_chip(profile: Profile) -> None:
    figure = drawn(profile)
    assert profile.figures[0] is figure
    assert [name.partition(":")[0] for name in figure.series] == [
        "Scalar implicature",
        "Presupposition",
        "Verb veridicality",
        "Conjunction",
        "Cancellability",
    ]
    assert {(c.series, c.row) for c in figure.chips} == {
        (number.series, number.row) for number in figure.numbers
    }
    verdicts = {chip.series.partition(":")[0]: chip.verdict for chip in figure.chips}
    assert verdicts["Scalar implicature"] == "pragmatic" and verdicts["Conjunction"] == "right"


def test_a_row_whose_section_tells_nothing_is_faded_and_says_so() -> None:
    figure = drawn(build([(suite(), [run(failing_controls)])])[0])
    rows = [number for number in figure.numbers if number.series.startswith("Scalar")]
    assert rows and all(number.gated for number in rows)
    assert {c.verdict for c in figure.chips if c.series.startswith("Scalar")} == {"inconclusive"}


def test_one_definition_with_named_data_and_judges_by_one_field(profile: Profile) -> None:
    made = spec(drawn(profile))
    assert set(made["datasets"]) == {"rows", "marks"}
    plain = [row for row in made["datasets"]["rows"] if "key" not in row]
    assert {"row", "series", "judge", "value", "low", "high", "n", "gated", "href", "text"} <= set(
        plain[0]
    )
    scales = list(found_scales(made, "judge"))
    assert scales and all(scale["domain"] == ["one", "two", "three"] for scale in scales)
    assert svg(drawn(profile)).startswith("<svg")


def found_scales(node: Any, field: str) -> Any:
    """The scales of all encodings of a field."""
    if isinstance(node, dict):
        if node.get("field") == field and node.get("scale"):
            yield node["scale"]
        for one in node.values():
            yield from found_scales(one, field)
    elif isinstance(node, list):
        for one in node:
            yield from found_scales(one, field)


def test_twelve_judges_have_twelve_marks_the_same_in_every_figure(profile: Profile) -> None:
    names = [f"judge {i}" for i in range(len(JUDGES))]
    marks = list(
        zip(
            judge_shapes(names, names),
            judge_fills(names, names),
            judge_colours(names, names),
            strict=True,
        )
    )
    in_grey = {(shape, fill == colour) for shape, fill, colour in marks}
    assert len(set(marks)) == len(in_grey) == 12
    # Of many all but the first are faded; of a few each has its colour.
    assert len({colour for *_, colour in marks[1:]}) == 1 and marks[0][2] != marks[1][2]
    assert len(set(judge_colours(names[:6], names[:6]))) == 6
    assert judge_colours(names[3:4], names) == judge_colours(names, names)[3:4]
    assert all(figure.order == profile.judges for figure in profile.figures)


def test_the_numbers_of_the_first_picture_are_in_its_table_and_in_json(profile: Profile) -> None:
    figure = drawn(profile)
    found = json.loads(json.dumps(profile.to_json()["fingerprint"]))
    assert (
        len(found["numbers"]) == len(figure.numbers) and found["chips"][0]["verdict"] == "pragmatic"
    )
    assert figure.table.columns == ("one", "two", "three")
    assert figure.table.rows[0][0].startswith("Scalar implicature: ")
