"""Papers' figures as the papers draw them."""

from __future__ import annotations

from typing import Any

import pytest

from grice.core.shelf import PAPERS
from grice.tables.charts import draw_svg
from grice.tables.figures import FIGURES
from grice.tables.paper import Cell

QUANTILES = {"2%": 0.0, "25%": 0.2, "median": 0.4, "75%": 0.9, "98%": 1.0}
CELLS = {
    "bars": [Cell.make("some, logical", "BERT", 0.5, 0.4, judge="BERT")],
    "curve": [Cell.check("5000", "probability", 0.5, reading="page")],
    "calibration": [Cell.make("0.05", "unli/dev", 0.1, judge="BERT")],
    "heat": [Cell.make("gold 0.1", "answer 0.2", 0.5, judge="BERT")],
    "line": [Cell.make("IAFT-6k", "CD", 60.0, 61.0, judge="IAFT-6k")],
    "quantiles": [Cell.make("entailment", name, value) for name, value in QUANTILES.items()],
    "signatures": [
        Cell.make("+/- manage to", side, 1.0, judge="people", kind="data", reading="by verb")
        for side in ("positive", "negative")
    ],
}


def specification(name: str) -> dict[str, Any]:
    drawn: dict[str, Any] = FIGURES[name]("Figure 1", CELLS[name]).to_dict()
    return drawn


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_with_its_data(name: str) -> None:
    svg = draw_svg(specification(name))
    assert svg.startswith("<svg") and "Figure 1" in svg


def test_every_chart_that_a_paper_names_exists() -> None:
    charts = {exhibit.chart for name in PAPERS.names() for exhibit in PAPERS.find(name).exhibits}
    assert charts <= {"", *FIGURES}


def test_a_probability_of_zero_or_one_stays_on_the_logistic_axis() -> None:
    data = next(iter(specification("quantiles")["layer"][0:1]))
    drawn = str(specification("quantiles"))
    assert data and "9.21" in drawn and "inf" not in drawn


def test_a_signature_region_is_where_the_signature_expects_a_verb() -> None:
    drawn = str(specification("signatures"))
    assert "0.3333333333333333" in drawn and "'verb': 'manage to'" in drawn
