"""Human likeness: the correlation with human means, divided by its noise ceiling."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.likeness import score_likeness
from grice.analysis.statistics.readings import named
from grice.core.estimate import Estimate
from grice.core.ratings import ABOVE_CEILING
from grice.tables.table import Measure


def human_likeness(tag: str = "") -> Measure:
    """Measure Pearson's r with human means over its noise ceiling, e.g. `human_likeness:people`.

    1 is a judge that knows the human means, 0 one that knows nothing of them; an estimate above 1
    is chance, or the judge knew these answers; tables note it. Where the items have targets
    and controls, it is of the targets. The interval is over items (by group, and by word where
    these are crossed) and, if participants are identified, over people. For a judge of labels the
    number is P(entailment) − P(contradiction).
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        score = score_likeness(frame, tag)
        return score.likeness if score else None

    return Measure(named("human_likeness", tag), compute, above_one=ABOVE_CEILING)
