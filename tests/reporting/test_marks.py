"""Each mark has one meaning in all charts: of pages, and of papers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from grice.core.estimate import Estimate
from grice.profiling.sheets import AnswerSheet
from grice.reporting.chart import NARROW, WIDE, spec
from grice.reporting.drawing import CROSSED, LEVEL, REFERENCES
from grice.reporting.figure import REFERENCE_WORDS, Figure, Mark, MarkKind, Number, Query
from grice.reporting.model import Profile
from grice.reporting.palette import LIGHT
from grice.tables.figures import FIGURES

Spec = dict[str, Any]
# Shapes that stand for one thing, and what that is.
FIXED = {
    shape: REFERENCE_WORDS[kind]
    for shapes in (REFERENCES, LEVEL, CROSSED)
    for kind, shape in shapes.items()
}


def layers(node: Any, tests: tuple[str, ...] = ()) -> Iterator[tuple[Spec, str]]:
    """Yield each layer of a specification with the filters above it."""
    if isinstance(node, list):
        for one in node:
            yield from layers(one, tests)
    if not isinstance(node, dict):
        return
    tests += tuple(step["filter"] for step in node.get("transform", ()) if "filter" in step)
    if "mark" in node:
        yield node, " && ".join(tests)
    for part in ("layer", "spec", "vconcat", "hconcat"):
        yield from layers(node.get(part), tests)


def meaning_of(tests: str) -> str:
    """What the rows are that pass these filters: a reference mark names itself, also in the key."""
    found = re.findall("datum.key === '([^']*)'", tests)
    return found[0] if found else "model"


def marks(figure: Figure, width: int) -> Iterator[tuple[str, str]]:
    """Yield the shape of each mark of a chart with its meaning."""
    for layer, tests in layers(spec(figure, width)):
        mark, look = layer["mark"], layer["encoding"].get("shape")
        if look:
            for name, shape in zip(*look["scale"].values(), strict=True):
                yield shape, name if name == "people" else look["field"]
        elif mark["type"] == "tick" or "shape" in mark:
            yield mark.get("shape", "tick"), meaning_of(tests)


def every_kind(made: tuple[Profile, list[AnswerSheet]]) -> list[Figure]:
    """A figure of each kind with marks of each kind, and one of seven models."""
    half = Estimate(0.5, 40, 0.4, 0.6)
    known = [Mark("some", "", 0.4, f"{kind} of elsewhere", kind, x=0.1, y=0.2) for kind in MarkKind]
    numbers = [
        Number("some", "", judge, half, Query(0), x=0.5, y=0.5)
        for judge in (*(f"model {i}" for i in range(7)), "people")
    ]
    order = tuple(number.judge for number in numbers)
    dots = Figure("f", "F", "dots", tuple(numbers), "so", marks=tuple(known), order=order)
    return [*made[0].figures, dots]


def test_a_shape_means_one_thing_in_all_charts(made: tuple[Profile, list[AnswerSheet]]) -> None:
    figures, meanings = every_kind(made), dict[str, set[str]]()
    assert len({figure.kind for figure in figures}) >= 8
    for figure in figures:
        for width in (WIDE, NARROW):
            for shape, meaning in marks(figure, width):
                meanings.setdefault(shape, set()).add(meaning)
    assert set(REFERENCES.values()) <= set(meanings)
    for shape, found in meanings.items():
        if shape in FIXED:
            assert found == {FIXED[shape]}, shape
        else:
            assert not found & set(REFERENCE_WORDS.values()), shape


def test_colours_of_answers_mean_answers_and_no_model(
    made: tuple[Profile, list[AnswerSheet]],
) -> None:
    answers = {LIGHT[name] for name in ("follows", "unsure", "contradicts", "pragmatic", "logical")}
    seen = dict[str, set[str]]()
    for figure in every_kind(made):
        for layer, _ in layers(spec(figure)):
            for channel in ("color", "fill"):
                look = layer["encoding"].get(channel, {})
                if "range" in (look.get("scale") or {}):
                    for name, colour in zip(*look["scale"].values(), strict=True):
                        seen.setdefault(colour, set()).add(
                            "model" if look["field"] == "judge" else str(name)
                        )
    assert answers & set(seen)
    for colour in answers & set(seen):
        assert len(seen[colour]) == 1 and "model" not in seen[colour], seen[colour]


@pytest.mark.parametrize("name", FIGURES)
def test_in_figures_of_papers_black_is_the_printed_or_the_median_and_colour_is_ours(
    name: str,
) -> None:
    pytest.importorskip("altair")
    from tests.tables.test_figures import specification

    drawn = specification(name)
    ticks = [layer["mark"] for layer, _ in layers(drawn) if layer["mark"]["type"] == "tick"]
    assert all(mark["color"] == "black" for mark in ticks)
    points = [layer for layer, _ in layers(drawn) if layer["mark"]["type"] in ("point", "circle")]
    assert not [layer for layer in points if layer["mark"].get("shape") == "diamond"]
