"""PragmEval's printed numbers, the sizes of its release, and how its tasks make the columns of its tables."""

from __future__ import annotations

from pathlib import Path

from grice.core.paper import read_printed
from grice.papers.cells import PrintedExample

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))

# Table 2's columns; where a corpus has several tasks the column is their mean.
COLUMNS: dict[str, tuple[str, ...]] = {
    "PDTB": ("PDTB",),
    "STAC": ("STAC",),
    "GUM": ("GUM",),
    "Emergent": ("Emergent",),
    "SwitchBoard": ("SwitchBoard",),
    "MRDA": ("MRDA",),
    "Persuasion": tuple(f"Persuasiveness-{x}" for x in ("Eloquence", "Relevance", "Specificity", "Strength")),
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
# Class by class; the support stands in the last column.
TABLE5 = _TABLES["TABLE5"]
# The release as its authors put it out: rows by split, classes in the labels file, share of the largest class.
RELEASE = _TABLES["RELEASE"]
# Section 4.2's ingredients, as its sources report them.
GUM_LABELLING = 86.58
NO_RELATION = 20.0
VERIFIABILITY_KAPPA = 0.73

# Table 1 by fragments: the task, the texts, and the class the task's files call so.
EXAMPLES = {
    "PDTB": PrintedExample("PDTB", "it was censorship", "it was outrageous", "Conjunction"),
    "STAC": PrintedExample("STAC", "what?", "i literally lost", "Question_answer_pair"),
    "GUM": PrintedExample("GUM", "do not drink", "if underage…", "condition"),
    "Emergent": PrintedExample("Emergent", "a meteorite landed in nicaragua.", "…meteorite hits managua", "for"),
    "SwitchBoard": PrintedExample("SwitchBoard", "well, a little different, actually", None, "Hedge"),
    "MRDA": PrintedExample("MRDA", "yeah that's that's that's what i meant", None, "Acknowledge-answer"),
    "Persuasiveness-Specificity": PrintedExample("Persuasion", "co-operation is essential…", "lions hunt…", "low"),
    "Sarcasm": PrintedExample("SarcasmV2", "don't quit your day job", "…sell this joke…", "sarc"),
    "Squinky-Informativeness": PrintedExample("Squinky informativeness", "boo ya.", None, "low"),
    "Squinky-Implicature": PrintedExample("Squinky implicature", "boo ya.", None, "high"),
    "Squinky-Formality": PrintedExample("Squinky formality", "boo ya.", None, "low"),
    "Verifiability": PrintedExample("Verifiability", "i've been a physician for 20 years.", None, "experiential"),
    "EmoBank-Valence": PrintedExample("EmoBank valence", "i wanted to be there..", None, "low"),
    "EmoBank-Arousal": PrintedExample("EmoBank arousal", "i wanted to be there..", None, "high"),
    "EmoBank-Dominance": PrintedExample("EmoBank dominance", "i wanted to be there..", None, "low"),
}  # fmt: skip
