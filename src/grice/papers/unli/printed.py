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
SLIDER = {
    0: 0.0,
    2000: 1.2309e-4,
    4000: 0.047426,
    5000: 0.5,
    7500: 0.764996,
    9000: 0.911096,
    10000: 1.0,
}
# With the probability that people gave, and in Table 3 the prediction of the paper's model.
EXAMPLES = read_examples(Path(__file__).with_name("examples.tsv"))
