"""The readings under which a pair can have an answer, each with a description."""

from __future__ import annotations

from pathlib import Path

from grice.core.words import read_rows

# What counts as following under a reading; for the one label of some kinds of pairs, by kind.
_ROWS = read_rows(Path(__file__).parent / "words" / "readings.tsv")
READINGS = {reading: text for reading, kind, text in _ROWS if kind == "–"}
LABEL_OF_KIND = {kind: text for _, kind, text in _ROWS if kind != "–"}


def describe_reading(reading: str, kind: str | None = None) -> str:
    """Describe a reading for pairs of a kind; an unknown reading is described by its name.

    >>> describe_reading("exact")
    'a numeral taken as *exactly* that many'
    >>> describe_reading("label", "presupposition")
    'what is said or taken for granted; the latter also under *not*, ...'
    """
    if reading == "label" and kind in LABEL_OF_KIND:
        return LABEL_OF_KIND[kind]
    return READINGS.get(reading, f"the answer under the reading *{reading}*")
