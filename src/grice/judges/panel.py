"""Recorded answers of real models to the suites, shipped with the package: `panel/NAME`.

A file per model has its probabilities for each item in 16 bits, what the model was, and the
fingerprint of the suite it answered. `python -m tools.panel` records it.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.judgement import Judge, Judgement, Learner
from grice.models.checkpoint import Checkpoint
from grice.storage.run import Run

PANEL = "panel"
FOLDER = Path(__file__).parent / "panel_answers"
STEPS = 65535


@dataclass(frozen=True, eq=False)
class PanelModel:
    """A recorded model.

    Attributes:
        about: The hash of its weights, its parameters, the date, and how it was asked.
        suites: By the name of a suite: its fingerprint, labels and probabilities, and the share
            of the controls that it gets right.
    """

    name: str
    about: Mapping[str, str]
    suites: Mapping[str, Mapping[str, Any]]

    def run(self, data: Dataset) -> Run:
        """Return its run on a suite; refuse it if the suite's sentences have changed since."""
        suite = self.suites[data.name]
        if suite["fingerprint"] != data.fingerprint:
            raise InputError(
                f"{PANEL}/{self.name}: recorded on another version of {data.name}; record it again"
                " with python -m tools.panel"
            )
        steps = np.frombuffer(base64.b85decode(suite["probabilities"]), dtype="<u2")
        rows = steps.reshape(-1, len(suite["labels"])) / STEPS
        judgements = []
        for item, row in zip(sorted(data.ids), rows.tolist(), strict=True):
            probs = dict(zip(suite["labels"], row, strict=True))
            answer = max(probs, key=lambda label: probs[label])
            judgements.append(Judgement(item, answer, None, probs))
        return Run.recorded(data, f"{PANEL}/{self.name}", judgements, settings=dict(self.about))


@cache
def panel_models() -> tuple[PanelModel, ...]:
    """Return the recorded models by name."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.json.gz")))


def panel_runs(data: Dataset) -> list[Run]:
    """Return the run of each recorded model that answered this suite."""
    return [model.run(data) for model in panel_models() if data.name in model.suites]


def shown_models(data: Iterable[Dataset], judge: Judge | Learner) -> list[str]:
    """Return the models that a profile of these data shows beside a judge, two at most.

    They are the closest in size and the best on controls, or the two best where the judge's size
    is unknown. A model is not shown beside itself.
    """
    weights = getattr(judge, "identity", {}).get("sha256")
    fingerprints = {(dataset.name, dataset.fingerprint) for dataset in data}
    controls = {}
    for model in panel_models():
        shares = [
            suite["controls"]
            for name, suite in model.suites.items()
            if (name, suite["fingerprint"]) in fingerprints
        ]
        if shares and model.about.get("sha256") != weights:
            controls[model] = max(shares)
    ranked = sorted(controls, key=lambda model: -controls[model])
    checkpoint = getattr(judge, "checkpoint", None)
    if isinstance(checkpoint, Checkpoint) and (size := checkpoint.parameters):
        closest = sorted(ranked, key=lambda model: abs(log(int(model.about["parameters"]) / size)))
        ranked = [*closest[:1], *(model for model in ranked if model is not closest[0])]
    return [f"{PANEL}/{model.name}" for model in ranked[:2]]


def _read(path: Path) -> PanelModel:
    content = json.loads(gzip.decompress(path.read_bytes()))
    return PanelModel(path.name.removesuffix(".json.gz"), **content)
