"""PragmEval's printed numbers and the tasks of each printed column."""

from __future__ import annotations

from pathlib import Path

from grice.papers.cells import read_examples
from grice.tables.paper import read_printed

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))

# Table 2's columns; where a corpus has several tasks the column is their mean.
COLUMNS: dict[str, tuple[str, ...]] = {
    "PDTB": ("PDTB",),
    "STAC": ("STAC",),
    "GUM": ("GUM",),
    "Emergent": ("Emergent",),
    "SwitchBoard": ("SwitchBoard",),
    "MRDA": ("MRDA",),
    "Persuasion": tuple(
        f"Persuasiveness-{x}" for x in ("Eloquence", "Relevance", "Specificity", "Strength")
    ),
    "Sarcasm": ("Sarcasm",),
    "Squinky": ("Squinky-Informativeness", "Squinky-Implicature", "Squinky-Formality"),
    "Verifiability": ("Verifiability",),
    "EmoBank": ("EmoBank-Valence", "EmoBank-Arousal", "EmoBank-Dominance"),
}
# "All scores are accuracy scores except SwitchBoard/MRDA, which are macro-F1 scores."
BY_F1 = ("SwitchBoard", "MRDA")
SINGLE = ("SwitchBoard", "MRDA", "Squinky", "Verifiability", "EmoBank")
PAIRS = tuple(column for column in COLUMNS if column not in SINGLE)

TABLE2 = _TABLES["TABLE2"]
TABLE3 = _TABLES["TABLE3"]
# The half-widths printed after ± in Table 3, in the same order.
TABLE3_SPREAD = _TABLES["TABLE3_SPREAD"]
TABLE4 = _TABLES["TABLE4"]
# Class by class; the last column is the support.
TABLE5 = _TABLES["TABLE5"]
# Section 4.2's ingredients, as its sources report them.
GUM_LABELLING = 86.58
NO_RELATION = 20.0
VERIFIABILITY_KAPPA = 0.73

# Table 1 by fragments: the task, the texts, and the class the task's files call so.
EXAMPLES = read_examples(Path(__file__).with_name("examples.tsv"))
