"""How far a judge goes with people, as a share of how far people go with each other: correlation
over ceiling.
"""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.likeness import score_likeness
from grice.analysis.statistics.readings import named
from grice.core.estimate import Estimate
from grice.core.table import Measure


def human_likeness(tag: str = "") -> Measure:
    """`human_likeness:people`: Pearson's r of a judge's numbers with people's means, over the
    `ceiling` of such an r.

    1 is a judge that knows what people say on average, 0 one that knows nothing of it. The interval
    is over items (by group) and, where the persons are told apart, over people. A judge of labels
    says P(entailment) − P(contradiction).
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        score = score_likeness(frame, tag)
        return score.likeness if score else None

    return Measure(named("human_likeness", tag), compute)
