"""Label mass: the total probability that a model gives to the labels."""

from __future__ import annotations

import polars as pl

from grice.core.estimate import Estimate, mean
from grice.tables.table import Measure


def label_mass() -> Measure:
    """Measure the mean total probability that a language model gives to the labels.

    A low mass means that the model was about to write something else. Responses without a mass, as
    of judges that are no language models, are outside n.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        if "mass" not in frame.columns or frame["mass"].null_count() == frame.height:
            return None
        return mean(frame["mass"], frame["group"])

    return Measure("label_mass", compute)
