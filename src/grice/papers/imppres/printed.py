"""The numbers IMPPRES prints, row by row, and which rows it labels wrongly."""

from __future__ import annotations

from pathlib import Path

from grice.core.paper import read_printed

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))

MODELS = ("BERT", "BOW", "InferSent")

FIGURE_2 = _TABLES["FIGURE_2"]
# The plotting code sorts labels with "Determiners" second, but its table calls them "quantifiers", sorted last.
FIGURE_2_SETS = {
    "connectives": "connectives",
    "determiners": "gradable adjectives",
    "gradable adjectives": "gradable verbs",
    "gradable verbs": "modals",
    "modals": "numerals",
    "numerals": "determiners",
}

FIGURE_3 = _TABLES["FIGURE_3"]

FIGURE_5 = _TABLES["FIGURE_5"]

FIGURE_6 = _TABLES["FIGURE_6"]
FIGURE_6_SETS = {
    "All N": "all_n_presupposition",
    "Both": "both_presupposition",
    "Change of state": "change_of_state",
    "Cleft existence": "cleft_existence",
    "Cleft uniqueness": "cleft_uniqueness",
    "Only": "only_presupposition",
    "Possess. existence": "possessed_definites_existence",
    "Possess. uniqueness": "possessed_definites_uniqueness",
    "Question": "question_presupposition",
}

FIGURE_7 = _TABLES["FIGURE_7"]

FIGURE_8 = _TABLES["FIGURE_8"]

FIGURE_9 = _TABLES["FIGURE_9"]

FIGURE_10 = _TABLES["FIGURE_10"]

FIGURE_11 = _TABLES["FIGURE_11"]

FIGURE_12 = _TABLES["FIGURE_12"]
# The numerals' relation names (no_impl_NtoP …) sort differently from the other sets', the labels did not follow.
FIGURE_12_CONDITIONS = {
    "10/100": "not 100/not 10",
    "10/not 100": "10/100",
    "100/10": "100/10",
    "not 10/not 100": "not 10/not 100",
    "not 100/10": "10/not 100",
    "not 100/not 10": "not 100/10",
}

# Row 10 is printed "sprint/run" a second time, where run/sprint stands in the list of conditions.
ROW_10 = "sprint/run (row 10), pragmatic"
FIGURE_13 = _TABLES["FIGURE_13"]
