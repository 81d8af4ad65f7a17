"""The veridicality design on fresh pairs: verbs of the paper's list in generated sentences."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from grice.core.dataset import Dataset
from grice.papers.fresh import make_suites
from grice.tables.paper import FreshDesign
from grice.theory.signature import expected_label

# Half of them have a verb of the paper's list.
GROUPS = 800


def make(seed: int, groups: int | None) -> Mapping[str, Dataset]:
    """Return fresh sentences in both environments, under the signatures that the paper lists."""
    sets = {"veridicality": ["veridicality_signatures"]}
    return make_suites(sets, _adapt, seed, groups or GROUPS)


def _adapt(frame: pl.DataFrame) -> pl.DataFrame:
    """Keep the verbs of the paper's list, with its signature; a group is a sentence."""
    listed = frame.filter(pl.col("tag.printed").is_not_null())
    labels = [
        expected_label(signature, environment)
        for signature, environment in listed.select("tag.printed", "tag.environment").iter_rows()
    ]
    return listed.with_columns(
        pl.Series("gold.signature", labels).cast(listed.schema["gold.signature"]),
        pl.col("tag.printed").alias("tag.signature"),
        pl.col("group").alias("tag.sentence"),
    )


DESIGN = FreshDesign(
    make,
    ("Figure 1",),
    ("veridicality",),
    by="signature",
    named=("Table 7", "Table 8", "Table 7 by verb", "Table 8 by verb", "Figure 2"),
)
