"""ConjNLI's design on fresh pairs: generated conjunctions, or a file of mined pairs."""

from __future__ import annotations

from collections.abc import Mapping

from grice.core.dataset import Dataset
from grice.papers.fresh import make_suites
from grice.tables.paper import FreshDesign

PHENOMENA = (
    "conjunction_boolean",
    "conjunction_collective",
    "conjunction_entities",
    "conjunction_equivalence",
    "conjunction_exceptions",
    "conjunction_exclusive",
    "conjunction_multiple",
    "conjunction_quantified",
)


def make(seed: int, groups: int | None) -> Mapping[str, Dataset]:
    """Return fresh pairs in place of the dev split."""
    return make_suites({"conjnli/dev": PHENOMENA}, lambda frame: frame, seed, groups)


DESIGN = FreshDesign(make, ("Table 4", "Table 8", "Table 9"), ("conjnli/dev",), by="operation")
