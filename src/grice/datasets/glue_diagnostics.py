"""The GLUE diagnostics (Wang et al. 2019): an analysis set with linguistic tags."""

from __future__ import annotations

from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.nli import read_rows
from grice.storage.source import Source, find_published

TAGS = {
    "lexical_semantics": "Lexical Semantics",
    "predicate_argument": "Predicate-Argument Structure",
    "logic": "Logic",
    "knowledge": "Knowledge",
}
# The label is blank where GLUE withholds it.
WORDS = {**{word: word for word in NLI.labels}, "": None}


def read(folder: Path, part: str) -> Dataset:
    """Read the whole set, its only part."""
    places = ("glue_diagnostics/diagnostic-full.tsv", "glue_diagnostics/diagnostic.tsv")
    path = find_published(folder, *places, source="glue_diagnostics")
    rows = read_rows(path, WORDS, ("Premise", "Hypothesis", "Label"), "Domain", *TAGS.values())
    several = {key: [_several(cell) for cell in rows.column(name)] for key, name in TAGS.items()}
    frame = rows.items(f"glue_diagnostics/{part}", {"domain": "Domain", **several})
    return Dataset("glue_diagnostics", NLI, frame, CARD)


def _several(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";") if part.strip()]


CARD = read_card("glue_diagnostics")

glue_diagnostics = Source("glue_diagnostics", CARD, ("all",), read)
