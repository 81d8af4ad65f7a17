"""How PragmEval's tasks are made of their corpora (Section 3): quantiles, subsampling, repeats.

For corpora whose ratings or labels are free, such as EmoBank, Squinky and Persuasion.
"""

from __future__ import annotations

import random

import polars as pl

# The share of the frequent class of STAC, GUM, SwitchBoard and MRDA, and of the dev split.
FREQUENT_SHARE, DEV_SHARE = 0.2, 0.1


def outer_thirds(rows: pl.DataFrame, rating: str, low: str, high: str) -> pl.DataFrame:
    """Return the rows of the lowest and the highest third of a rating, with the column `label`.

    Rows that equal a quantile go to the middle third, which is left out.

    >>> ratings = pl.DataFrame({"rating": [1, 2, 3, 4, 5, 6]})
    >>> outer_thirds(ratings, "rating", "Low", "High")["label"].to_list()
    ['Low', 'Low', 'High', 'High']
    """
    first, second = (rows[rating].quantile(share, "linear") for share in (1 / 3, 2 / 3))
    lowest = pl.when(pl.col(rating) < first).then(pl.lit(low))
    label = lowest.when(pl.col(rating) > second).then(pl.lit(high))
    return rows.with_columns(label.alias("label")).filter(pl.col("label").is_not_null())


def subsample_class(
    rows: pl.DataFrame, label: str, *, share: float = FREQUENT_SHARE, seed: int = 0
) -> pl.DataFrame:
    """Return the rows with as many of one class, drawn by the seed, as make up the share.

    >>> rows = pl.DataFrame({"label": ["none"] * 90 + ["cause"] * 8})
    >>> subsample_class(rows, "none")["label"].value_counts(sort=True)["count"].to_list()
    [8, 2]
    """
    places = [i for i, name in enumerate(rows["label"]) if name == label]
    others = len(rows) - len(places)
    n_drawn = min(len(places), round(others * share / (1 - share)))
    left = set(places) - set(random.Random(seed).sample(places, n_drawn))
    return rows[[i for i in range(len(rows)) if i not in left]]


def without_repeats(rows: pl.DataFrame, *texts: str) -> pl.DataFrame:
    """Return the first row of each text or pair of texts."""
    return rows.unique(list(texts), keep="first", maintain_order=True)


def split_dev(
    rows: pl.DataFrame, *, by: str = "", share: float = DEV_SHARE, seed: int = 0
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return training and dev rows; with `by`, the rows of a document stay together."""
    keys = rows[by].unique(maintain_order=True).to_list() if by else list(range(len(rows)))
    random.Random(seed).shuffle(keys)
    chosen = keys[: round(share * len(keys))]
    if by:
        is_dev = pl.col(by).is_in(chosen)
        return rows.filter(~is_dev), rows.filter(is_dev)
    return rows[sorted(set(range(len(rows))) - set(chosen))], rows[sorted(chosen)]
