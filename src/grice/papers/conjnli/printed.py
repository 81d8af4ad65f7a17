"""ConjNLI's printed numbers and, by fragments, the examples it prints."""

from __future__ import annotations

from pathlib import Path

from grice.papers.cells import read_examples
from grice.tables.paper import read_printed

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))

TABLE2 = _TABLES["TABLE2"]
TABLE3 = _TABLES["TABLE3"]
TABLE6 = _TABLES["TABLE6"]
TABLE7 = _TABLES["TABLE7"]
TABLE8 = _TABLES["TABLE8"]
TABLE9 = _TABLES["TABLE9"]
SECTION34 = _TABLES["SECTION34"]
# The text names no split; 53.10 is a share of the 1,000 test pairs only, 35.15 of the 623 dev pairs
# only.
SECTION61 = _TABLES["SECTION61"]
SECTION62 = _TABLES["SECTION62"]
APPENDIX3 = _TABLES["APPENDIX3"]
SECTION65 = _TABLES["SECTION65"]
SECTION67 = _TABLES["SECTION67"]
LABELS = {"Ent": "entailment", "Neu": "neutral", "Contra": "contradiction"}
TABLE11 = _TABLES["TABLE11"]
AMOUNTS = ("6k", "9k", "12k", "15k", "18k")
# Table 4 prints sentences, not pairs, with the categories of their conjuncts.
EXAMPLES = read_examples(Path(__file__).with_name("examples.tsv"))
