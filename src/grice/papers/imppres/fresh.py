"""IMPPRES's design on fresh pairs: the suite `imppres` of the generator."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from grice.core.dataset import Dataset
from grice.generate.suites import IMPPRES
from grice.papers.fresh import make_suites
from grice.papers.imppres.scalar import DECEMBER, SETS
from grice.tables.paper import FreshDesign

SCALAR = tuple(name for names in SETS.values() for name in names)
# Where the generator's name of a set is not the published one.
PUBLISHED_NAMES = {
    "all_n": "all_n_presupposition",
    "both": "both_presupposition",
    "only": "only_presupposition",
    "questions": "question_presupposition",
}
FIGURES = (2, 3, 4, 5, 6, 7, *range(8, 14))


def make(seed: int, groups: int | None) -> Mapping[str, Dataset]:
    """Return fresh presuppositions and implicatures, for determiners and numerals twice."""
    sets = {
        "imppres/presupposition": [name for name in IMPPRES if name not in SCALAR],
        "imppres/implicature": SCALAR,
        "imppres/implicature_dec2019": [name for key in DECEMBER for name in SETS[key]],
    }
    return make_suites(sets, _adapt, seed, groups)


def _adapt(frame: pl.DataFrame) -> pl.DataFrame:
    """Keep the paper's rows: targets, and controls with the trigger; name sets as published."""
    if "tag.presupposition" in frame.columns:
        frame = frame.filter(pl.col("tag.trigger").fill_null("") != "absent")
    return frame.filter(pl.col("tag.role").is_in(["target", "control"])).with_columns(
        pl.col("tag.phenomenon").replace(PUBLISHED_NAMES).alias("tag.set")
    )


DESIGN = FreshDesign(
    make,
    tuple(f"Figure {n}" for n in FIGURES),
    ("imppres/presupposition", "imppres/implicature"),
    by="role",
)
