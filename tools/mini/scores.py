"""Score models side by side on the sets of the card of grice-mini: python -m tools.mini scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import polars as pl

import grice
from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.judgement import Judge
from grice.storage.run import join

# Each set with its measures.
CARD = {
    "snli/dev": ("accuracy:label", "calibration:ece"),
    "cad_nli/dev": ("accuracy:label",),
    "conjnli/dev": ("accuracy:label",),
    "sick/trial": ("accuracy:label",),
    "sick/train": ("accuracy:label",),
    "imppres/implicature": ("accuracy:logical", "accuracy:pragmatic"),
    "imppres/presupposition": ("accuracy:label",),
    "veridicality": ("accuracy:signature", "accuracy:stated", "accuracy:reproduced"),
    "nli_variation/pairs": ("pearson:probability", "spearman:probability", "mse:probability"),
    "nli_variation/contexts": ("pearson:probability", "spearman:probability", "mse:probability"),
}
CONTROLS = ("imppres/presupposition", "core@71", "core@5")
OPERATORS = ("negated", "interrogative", "modal", "conditional")


def score_models(names: Sequence[str], log: Callable[[str], None] = print) -> None:
    """Print each score with its interval and n, one column per model."""
    judges = [loading.load_judge(name) for name in names]
    for name, measures in CARD.items():
        data = loading.load(name)
        for measure in measures:
            _print_row(f"{name} {measure}", data, measure, judges, log)
    for name in CONTROLS:
        data = loading.load(name)
        present = pl.col("tag.trigger") != "absent" if "tag.trigger" in data.frame.columns else True
        for operator in OPERATORS:
            chosen = (pl.col("tag.role") == "control") & (pl.col("tag.operator") == operator)
            part = replace(data, frame=data.frame.filter(chosen & present))
            _print_row(f"{name} {operator} controls", part, "accuracy:label", judges, log)


def _print_row(
    title: str, data: Dataset, measure: str, judges: Sequence[object], log: Callable[[str], None]
) -> None:
    gold = f"gold.{measure.split(':')[1]}"
    if gold in data.frame.columns:
        data = replace(data, frame=data.frame.drop_nulls(gold))
    cells = []
    for judge in judges:
        assert isinstance(judge, Judge)
        try:
            estimate = loading.load_measure(measure)(join(data, grice.evaluate(data, judge)))
        except InputError as error:
            cells.append(str(error))
            continue
        cells.append(
            "–"
            if estimate is None
            else f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}] n={estimate.n}"
        )
    log(f"{title:45} " + "  ".join(cells))
