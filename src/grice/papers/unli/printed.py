"""UNLI's printed numbers and, by fragments, the examples it prints."""

from __future__ import annotations

from pathlib import Path

from grice.papers.cells import read_examples
from grice.tables.paper import read_printed

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))

TABLE4 = _TABLES["TABLE4"]
TABLE5 = _TABLES["TABLE5"]
# SNLI's own columns of the training split are printed in thousands, and its totals too.
TABLE6 = _TABLES["TABLE6"]
# The check values of the released page's slider.
SLIDER = {int(step): value for (step, _), value in _TABLES["SLIDER"].items()}
# With the probability that people gave, and in Table 3 the prediction of the paper's model.
EXAMPLES = read_examples(Path(__file__).with_name("examples.tsv"))
