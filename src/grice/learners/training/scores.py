"""How well a model does on dev while it is trained; the measures of papers are in the room of
analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grice.models.batching import Array


def dev_score(
    measure: str, outputs: Sequence[Any], targets: Sequence[Any], losses: Sequence[float]
) -> float:
    """How well a model does on dev by this measure; higher is better, so errors and losses come
    with a minus sign.
    """
    if measure == "loss":
        return -float(np.mean(losses))
    if measure == "span_f1":
        return span_f1(outputs, targets)
    if measure in ("pearson", "mse"):
        given = 1 / (1 + np.exp(-np.array([row[0] for row in outputs], dtype=np.float64)))
        wanted = np.array(targets, dtype=np.float64)
        if measure == "mse":
            return -float(np.mean((given - wanted) ** 2))
        return (
            float(np.corrcoef(given, wanted)[0, 1]) if given.std() > 0 and wanted.std() > 0 else 0.0
        )
    chosen = np.array([int(np.argmax(row)) for row in outputs])
    gold = np.array([int(np.argmax(t)) if isinstance(t, list) else t for t in targets])
    if measure == "accuracy":
        return float(np.mean(chosen == gold))
    return macro_f1(chosen, gold, len(outputs[0]))


def macro_f1(chosen: Array, gold: Array, labels: int) -> float:
    """The mean over every label of the task, those absent here counting zero as in PragmEval."""
    found = []
    for label in range(labels):
        both = int(np.sum((chosen == label) & (gold == label)))
        either = int(np.sum(chosen == label) + np.sum(gold == label))
        found.append(2 * both / either if either else 0.0)
    return float(np.mean(found))


def span_f1(outputs: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> float:
    """Micro F1 over labelled spans; verbs themselves, which are given, do not count."""
    right = found = there = 0
    for output, target in zip(outputs, targets, strict=True):
        ours, theirs = spans(output), spans(target)
        right, found, there = right + len(ours & theirs), found + len(ours), there + len(theirs)
    return 2 * right / (found + there) if found + there else 0.0


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    """(label, start, end) of each BIO span but those of the verb."""
    found, start, label = set(), 0, ""
    for place, tag in enumerate([*tags, "O"]):
        inside = tag.startswith("I-") and tag[2:] == label
        if label and not inside:
            found.add((label, start, place))
            label = ""
        if not inside and tag != "O":
            start, label = place, tag[2:]
    return {span for span in found if span[0] not in ("V", "C-V")}
