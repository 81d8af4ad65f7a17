"""The numbers IMPPRES prints, row by row, and which rows it labels wrongly."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from grice.core.words import read_rows
from grice.papers.cells import read_examples
from grice.tables.paper import read_printed

MODELS = ("BERT", "BOW", "InferSent")
FIGURES = read_printed(Path(__file__).with_suffix(".txt"))
FIGURE_5, FIGURE_6, FIGURE_7 = FIGURES["FIGURE_5"], FIGURES["FIGURE_6"], FIGURES["FIGURE_7"]
# Row 10 of Figure 13 is printed "sprint/run" a second time, where the list of conditions has
# run/sprint.
ROW_10 = "sprint/run (row 10), pragmatic"
EXAMPLES = read_examples(Path(__file__).with_name("examples.tsv"))
# The meaning of a printed name: the sets and conditions of permuted labels, the sets of triggers,
# the relations.
NAMES: dict[str, dict[str, str]] = defaultdict(dict)
for _where, _name, _meaning in read_rows(Path(__file__).with_name("names.tsv")):
    NAMES[_where][_name] = _meaning
FIGURE_2_SETS = NAMES["FIGURE_2"]
FIGURE_6_SETS = NAMES["FIGURE_6"]
FIGURE_12_CONDITIONS = NAMES["FIGURE_12"]
