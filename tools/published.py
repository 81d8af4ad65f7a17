"""Compute shares of published predictions for the page again: `python -m tools.published`.

Reads the predictions that Parrish et al. (2021) published on IMPPRES's released presuppositions, as
`grice fetch imppres` stores them, and writes the shares with n and interval into the package.
"""

from __future__ import annotations

import polars as pl

from grice import loading
from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, mean
from grice.core.files import write_atomically
from grice.papers.nope.shares import FILE, MODELS
from grice.storage.run import Run, join

IS_PLAIN = pl.col("tag.operator") == "unembedded"
IS_PRESUPPOSITION = (pl.col("tag.role") == "target") & (pl.col("tag.presupposition") == "positive")
# The items of each figure; on all of them the share is that of right answers.
FIGURES = {
    "controls": pl.col("tag.role") == "control",
    "accommodation": IS_PRESUPPOSITION & IS_PLAIN,
    "filter": IS_PRESUPPOSITION & ~IS_PLAIN,
}


def published_share(data: Dataset, run: Run, figure: str) -> Estimate | None:
    """Return the share of a model's right answers to the items of a figure."""
    rows = join(data, run).filter(FIGURES[figure])
    return mean((rows["answer"] == rows["gold.label"]).cast(pl.Float64), rows["group"])


def main() -> None:
    """Write the shares of all models."""
    data = loading.load("imppres/presupposition")
    lines = ["# figure, model, share, low, high, n; written by python -m tools.published"]
    for figure in FIGURES:
        for model in MODELS:
            (run,) = loading.recorded_runs(data, f"recorded/{model} (all)")
            share = published_share(data, run, figure)
            assert share is not None
            numbers = [f"{value:.4f}" for value in (share.value, share.low, share.high)]
            lines.append("\t".join([figure, model, *numbers, str(share.n)]))
    with write_atomically(FILE) as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
