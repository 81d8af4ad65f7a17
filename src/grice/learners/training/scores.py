"""Dev scores during training; the measures of papers are in `grice.analysis`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grice.models.batching import Array


def dev_score(
    measure: str, outputs: Sequence[Any], targets: Sequence[Any], losses: Sequence[float]
) -> float:
    """Return the score of a model on dev by this measure.

    Higher is better, so errors and losses are negated.
    """
    if measure == "loss":
        return -float(np.mean(losses))
    if measure == "span_f1":
        return span_f1(outputs, targets)
    if measure in ("pearson", "mse"):
        predicted = 1 / (1 + np.exp(-np.array([row[0] for row in outputs], dtype=np.float64)))
        wanted = np.array(targets, dtype=np.float64)
        if measure == "mse":
            return -float(np.mean((predicted - wanted) ** 2))
        return (
            float(np.corrcoef(predicted, wanted)[0, 1])
            if predicted.std() > 0 and wanted.std() > 0
            else 0.0
        )
    chosen = np.array([int(np.argmax(row)) for row in outputs])
    gold = np.array([int(np.argmax(t)) if isinstance(t, list) else t for t in targets])
    if measure == "accuracy":
        return float(np.mean(chosen == gold))
    return macro_f1(chosen, gold, len(outputs[0]))


def macro_f1(chosen: Array, gold: Array, labels: int) -> float:
    """Return the mean F1 over all labels; labels absent here count zero, as in PragmEval."""
    scores = []
    for label in range(labels):
        both = int(np.sum((chosen == label) & (gold == label)))
        either = int(np.sum(chosen == label) + np.sum(gold == label))
        scores.append(2 * both / either if either else 0.0)
    return float(np.mean(scores))


def span_f1(outputs: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> float:
    """Return micro F1 over labelled spans; the verbs, which are part of the input, do not count."""
    n_correct = n_predicted = n_gold = 0
    for output, target in zip(outputs, targets, strict=True):
        predicted, gold = spans(output), spans(target)
        n_correct, n_predicted, n_gold = (
            n_correct + len(predicted & gold),
            n_predicted + len(predicted),
            n_gold + len(gold),
        )
    return 2 * n_correct / (n_predicted + n_gold) if n_predicted + n_gold else 0.0


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    """Return (label, start, end) of each BIO span except those of the verb."""
    bio_spans, start, label = set(), 0, ""
    for index, tag in enumerate([*tags, "O"]):
        inside = tag.startswith("I-") and tag[2:] == label
        if label and not inside:
            bio_spans.add((label, start, index))
            label = ""
        if not inside and tag != "O":
            start, label = index, tag[2:]
    return {span for span in bio_spans if span[0] not in ("V", "C-V")}
