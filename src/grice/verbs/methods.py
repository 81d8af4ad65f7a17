"""Prompt sensitivity of a result: `grice methods`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from grice.analysis.statistics.methods import effects
from grice.analysis.statistics.readings import gold_column, score_of
from grice.core.dataset import select_known
from grice.core.errors import InputError
from grice.core.methods import MethodEffects, expand_methods
from grice.storage.run import Run, join
from grice.verbs.run_filter import choose_runs


def methods(
    run: Run | str | Path,
    *,
    reading: str = "",
    threshold: float | None = None,
    where: Mapping[str, str | Sequence[str]] | None = None,
) -> MethodEffects:
    """Estimate the prompt sensitivity of a run's accuracy, or of its mean score.

    The mean score is taken where no reading is named.

    `run` was made with `methods`. `reading` names the gold answers. The claim tested is that the
    mean is above or below `threshold` (one over the number of labels for accuracy, 0 for a score).
    `where` selects items with these tags.

    >>> from grice.core.methods import parse_method
    >>> from grice.core.judgement import Judgement
    >>> data = grice.load("quantifiers@7", groups=4)
    >>> said = [(f"wording={w}", a) for w, a in (("1", "neutral"), ("2", "entailment"))]
    >>> cells = tuple({"method": name, "answer": answer} for name, answer in said)
    >>> run = Run.recorded(data, "mine/x", [Judgement(i, "neutral", cells=cells) for i in data.ids])
    >>> found = grice.methods(run, reading="logical")
    >>> found.mean.n, found.components[0].source, found.verdict
    (120, 'wording', 'inconclusive')
    """
    (same,) = choose_runs(run, {})
    frame = join(same.data, *same.runs)
    rows = select_known(expand_methods(frame, samples=True), where or {})
    if reading or not _scored(frame):
        gold = gold_column(rows, reading)
        if rows[gold].null_count() == rows.height:
            golds = [column for column in rows.columns if column.startswith("gold.")]
            has = (
                ", ".join(
                    c.removeprefix("gold.") for c in golds if rows[c].null_count() < rows.height
                )
                or "none"
            )
            raise InputError(
                f"no evaluated item has a gold label for the reading '{gold[5:]}'; choose one of:"
                f" {has}"
            )
        value = pl.when(pl.col("answer").is_not_null()).then(pl.col("answer") == pl.col(gold))
        chance = 1 / max(2, sum(column.startswith("p.") for column in frame.columns))
        return effects(
            rows,
            value,
            what=f"accuracy:{gold.partition('.')[2]}",
            threshold=chance if threshold is None else threshold,
        )
    return effects(rows, score_of(rows), what="score", threshold=threshold or 0.0)


def _scored(frame: pl.DataFrame) -> bool:
    """Return whether answers are numbers, or labels that make a score."""
    if frame["value"].null_count() < frame.height:
        return True
    if not {"p.entailment", "p.contradiction"} <= set(frame.columns):
        raise InputError(
            "the labels are not entailment, neutral, contradiction; name a reading with reading=…"
        )
    return True
