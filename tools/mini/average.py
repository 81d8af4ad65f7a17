"""Average the weights of several trainings from one start, and calibrate the result."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tools.mini.network import calibration_error, encode, fit_temperature, load_network, predict
from tools.mini.pairs import LABELS
from tools.mini.weights import Array, read_weights, write_weights


def average(
    data: Path, start: Path, folders: Sequence[Path], out: Path, log: Callable[[str], None] = print
) -> dict[str, Any]:
    """Score each training, the mean of all and of each two, and write the best by its dev scores.

    The scores are those on all dev pairs of `prepare`; the temperature goes into the last layer.
    """
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    with lzma.open(data, "rt", encoding="utf-8") as file:
        dev = json.load(file)["dev"]
    rows = {name: encode(start, [tuple(row[:2]) for row in part]) for name, part in dev.items()}
    gold = {name: np.array([LABELS.index(row[2]) for row in part]) for name, part in dev.items()}
    model = load_network(start, device)
    trained = {folder.name: read_weights(folder) for folder in folders}
    names = list(trained)
    groups = [[name] for name in names] + [names]
    groups += [[a, b] for n, a in enumerate(names) for b in names[n + 1 :] if len(names) > 2]
    best: tuple[float, list[str], dict[str, Array], dict[str, Any]] | None = None
    for group in groups:
        mean = {
            key: np.mean([trained[name][key] for name in group], 0) for key in trained[names[0]]
        }
        model.load_state_dict({key: torch.from_numpy(value) for key, value in mean.items()})
        scores = {name: predict(model, part, device) for name, part in rows.items()}
        right = {n: float((scores[n].argmax(1) == gold[n]).mean()) for n in dev}
        first = next(iter(dev))
        temperature = fit_temperature(scores[first], gold[first])
        report = {
            "trainings": group,
            "accuracy": right,
            "temperature": temperature,
            "ece": calibration_error(scores[first], gold[first]),
            "ece_calibrated": calibration_error(scores[first] / temperature, gold[first]),
        }
        log(json.dumps(report))
        # A point of the larger set counts as three of the smaller one.
        total = right[first] + sum(right[name] for name in dev if name != first) / 3
        if best is None or total > best[0]:
            best = (total, group, mean, report)
    assert best is not None
    _, _, weights, report = best
    for key in ("classifier.weight", "classifier.bias"):
        weights[key] = weights[key] / report["temperature"]
    write_weights(weights, report, out)
    return report
