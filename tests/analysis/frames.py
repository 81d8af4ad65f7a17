"""Joined judgements made by hand or by a seed, for tests of measures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from grice.core.scale import NLI

LABELS = NLI.labels


def frame(
    answers: Sequence[str | None],
    golds: Sequence[str | None] | None = None,
    *,
    judge: str = "hand",
    groups: Sequence[str | None] | None = None,
    probs: list[tuple[float, float, float]] | None = None,
    **columns: list[object],
) -> pl.DataFrame:
    """One judge's rows; further columns by name with `_` for the dot: `tag_role`, `gold_logical`."""
    n = len(answers)
    table = probs if probs is not None else [(None, None, None)] * n
    return pl.DataFrame(
        {
            "id": [f"hand/{i}" for i in range(n)],
            "group": pl.Series(groups or [None] * n, dtype=pl.String),
            "judge": [judge] * n,
            "answer": pl.Series(answers, dtype=pl.String),
            "value": pl.Series([None] * n, dtype=pl.Float64),
            "fault": [None if a is not None else "skipped: no reply" for a in answers],
            **{
                f"p.{label}": pl.Series([row[i] for row in table], dtype=pl.Float64)
                for i, label in enumerate(LABELS)
            },
            **({} if golds is None else {"gold.label": pl.Series(golds, dtype=pl.String)}),
            **{
                name.replace("_", ".", 1): pl.Series(values, strict=False)
                for name, values in columns.items()
            },
        }
    )


def drawn(n: int, *, seed: int = 0, judge: str = "hand", groups: int | None = None) -> pl.DataFrame:
    """Answers that follow the gold two times in three, with probabilities, a numeric gold and every
    tag a measure reads.
    """
    draw = np.random.default_rng([seed, n])
    gold = draw.integers(3, size=n)
    human = np.clip((1 - gold) + draw.normal(0, 0.7, n), -2, 2)
    draw = np.random.default_rng([seed, n, sum(map(ord, judge))])
    soft = (
        draw.dirichlet((1, 1, 1), size=n)
        + 2 * np.eye(3)[np.where(draw.random(n) < 0.67, gold, draw.integers(3, size=n))]
    )
    soft /= soft.sum(axis=1, keepdims=True)
    return pl.DataFrame(
        {
            "id": [f"drawn/{i}" for i in range(n)],
            "group": [None if groups is None else f"g{i * groups // n}" for i in range(n)],
            "judge": [judge] * n,
            "answer": [LABELS[i] for i in soft.argmax(axis=1)],
            "value": human + draw.normal(0, 0.5, n),
            "fault": pl.Series([None] * n, dtype=pl.String),
            "mass": soft.max(axis=1),
            **{f"p.{label}": soft[:, i] for i, label in enumerate(LABELS)},
            "gold.label": [LABELS[i] for i in gold],
            "gold.logical": [LABELS[i] for i in gold],
            "gold.pragmatic": [LABELS[(i + 1) % 3] for i in gold],
            "gold.signature": [LABELS[i] for i in gold],
            "gold.human": human,
            "tag.environment": ["positive" if i % 2 else "negative" for i in range(n)],
            "tag.construction": [f"v{i % 5}" for i in range(n)],
            "tag.scale": [f"s{i % 3}" for i in range(n)],
            "tag.role": ["control" if i % 4 == 3 else "target" for i in range(n)],
            "tag.operator": ["negated" if i % 4 else "unembedded" for i in range(n)],
            "tag.people": [
                [f"{k}={v:.2f}" for k, v in enumerate(row)]
                for row in human[:, None] + draw.normal(0, 0.8, (n, 6))
            ],
            "tag.votes": [
                [f"{k}={LABELS[i if k % 3 else (i + 1) % 3]}" for k in range(6)] for i in gold
            ],
            "tag.presupposition": [None if i % 4 == 3 else "positive" for i in range(n)],
        },
        schema_overrides={"group": pl.String},
    )
