"""Names on a plane that do not cover each other, the triangle of readings, the forest of
differences, the histogram.
"""

from __future__ import annotations

import pytest

from grice.core.estimate import Estimate
from grice.profiling.differences import forest
from grice.profiling.triangle import triangle_figure
from grice.reporting.chart import spec, svg
from grice.reporting.labels import FONT_SIZE, LETTER, SPANS, plane_side
from grice.reporting.model import Difference, Figure, Number, Query

HALF = Estimate(0.5, 40, 0.4, 0.6)


def plane(count: int, *, people: bool = False) -> Figure:
    places = [(((7 * i) % 21 - 10) / 10, ((11 * i) % 19 - 9) / 9) for i in range(count)]
    dots = [
        Number(f"verb {i} that", "factive", "a", HALF, Query(0), x, y)
        for i, (x, y) in enumerate(places)
    ]
    dots += (
        [
            Number(f"verb {i} that", "factive", "people", HALF, Query(0), y, x)
            for i, (x, y) in enumerate(places)
        ]
        if people
        else []
    )
    return Figure("p", "Plane", "plane", tuple(dots), "so", across="plain | negated")


def boxes(figure: Figure, judge: str) -> list[tuple[float, float, float, float]]:
    side, ((x0, x1), (y0, y1)) = plane_side(figure, 560), SPANS["plane"]
    found = []
    for row in spec(figure)["datasets"]["rows"]:
        if row.get("label") and row["judge"] == judge:
            left, middle = (row["lx"] - x0) / (x1 - x0) * side, (y1 - row["ly"]) / (y1 - y0) * side
            found.append(
                (
                    left,
                    middle - FONT_SIZE / 2,
                    left + len(row["label"]) * LETTER,
                    middle + FONT_SIZE / 2,
                )
            )
    return found


@pytest.mark.parametrize("count", [5, 60])
def test_names_do_not_cover_each_other_and_what_does_not_fit_is_left_out(count: int) -> None:
    named = boxes(plane(count), "a")
    assert 3 <= len(named) <= count
    for i, a in enumerate(named):
        assert not any(
            a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for b in named[i + 1 :]
        )


def test_a_dot_says_both_of_its_numbers_and_where_people_put_it() -> None:
    first = spec(plane(4, people=True))["datasets"]["rows"][1]
    assert first["text"] == "verb 1 that, a: plain -0.30, negated +0.22, n=40"
    assert (first["x0"], first["y0"]) == (first["y"], first["x"]) and "people" in first["text0"]
    assert "verb 1 that" in svg(plane(4))


def test_shares_of_three_readings_are_a_place_in_the_triangle() -> None:
    shares = {"logical": 0.2, "pragmatic": 0.3, "neither": 0.5}
    numbers = [
        Number("some", name, "a", Estimate(share, 10), Query(0)) for name, share in shares.items()
    ]
    figure = triangle_figure(numbers, (), "a")
    (dot,) = figure.numbers
    assert dot.x == pytest.approx(0.3 + 0.25) and dot.y == pytest.approx(0.5 * 0.866)
    assert (
        spec(figure)["datasets"]["rows"][0]["text"]
        == "some, a: 20% logical, 30% pragmatic, 50% neither, n=10"
    )
    assert "nearest are 0 to logical, 0 to pragmatic, 1 to neither" in figure.finding


def test_differences_are_a_forest_from_gain_to_loss_filled_where_they_stand() -> None:
    def row(stratum: str, value: float, holm: float) -> Difference:
        found = Estimate(value, 80, value - 0.1, value + 0.1)
        return Difference(stratum, "label", "b", found, 20, 3, 4, holm / 2, holm, Query(0))

    figure = forest([row("low", -0.2, 0.5), row("high", 0.4, 0.01)], "a")
    assert figure is not None and figure.rows == ["high", "low"] and figure.judges == ["b"]
    assert [(one["sure"], one["paradigms"]) for one in spec(figure)["datasets"]["rows"]] == [
        (True, "20 p."),
        (False, "20 p."),
    ]
    assert figure.finding == "1 of 2 differences are significant after correction."
    assert svg(figure).startswith("<svg")


def test_calibration_has_the_histogram_of_confidences() -> None:
    sizes = {0.44: 10, 0.97: 30}
    bins = [
        Number(f"{sure}", "", "b", Estimate(0.5, n), Query(0), sure, 0.5)
        for sure, n in sizes.items()
    ]
    figure = Figure("c", "Sure", "reliability", tuple(bins), "so", across="right", order=("a", "b"))
    rows = spec(figure)["datasets"]["rows"]
    assert [(row["middle"], row["share"]) for row in rows] == [(0.45, 0.25), (0.95, 0.75)]
    assert ">b</text>" in svg(figure), "a rival alone with probabilities is named"


def test_a_row_named_if_is_drawn() -> None:
    dots = tuple(Number(row, "", "a", HALF, Query(0)) for row in ("plain", "if"))
    assert ">if\u200b</text>" in svg(Figure("f", "F", "dots", dots, "so"))
