"""Record models for the panel: `python -m tools.panel NAME JUDGE [-M KEY=VALUE] [--suite quick@0]`.

The judge answers `core@0` and `quick@0`, or those that are named; the answers go into the package.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

import grice
from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.judgement import Judge
from grice.judges import panel
from grice.judges.panel import PanelModel
from grice.models.checkpoint import Checkpoint
from grice.storage.run import Run

SUITES = ("core@0", "quick@0")


def record(data: Dataset, run: Run) -> dict[str, Any]:
    """Return a run's probabilities as they are stored; refuse a run with an item without any."""
    labels = data.scale.labels or ()
    by_item = {judgement.item: judgement.probs for judgement in run.judgements()}
    missing = [item for item in data.ids if by_item.get(item) is None]
    if missing:
        raise InputError(
            f"{run.judge}: {len(missing):,} items of {data.name} have no probabilities"
        )
    rows = [[(by_item[item] or {})[label] for label in labels] for item in sorted(data.ids)]
    steps = np.round(np.array(rows) * panel.STEPS).astype("<u2")
    return {
        "fingerprint": data.fingerprint,
        "labels": list(labels),
        "probabilities": base64.b85encode(steps.tobytes()).decode(),
        "controls": round(_controls_right(data, run), 4),
    }


def _controls_right(data: Dataset, run: Run) -> float:
    """Return the share of right answers to the controls with one label under all readings."""
    answers = {judgement.item: judgement.answer for judgement in run.judgements()}
    controls = [item for item in data.items() if item.tags.get("role") == "control"]
    labels = [(item.id, set(item.gold.values()) - {None}) for item in controls]
    right = [answers[item] in golds for item, golds in labels if len(golds) == 1]
    return fmean(right) if right else 0.0


def write_model(model: PanelModel) -> Path:
    """Write a recorded model's file, the same bytes for the same answers."""
    panel.FOLDER.mkdir(parents=True, exist_ok=True)
    path = panel.FOLDER / f"{model.name}.json.gz"
    content = {"about": model.about, "suites": model.suites}
    text = json.dumps(content, indent=1, sort_keys=True).encode()
    path.write_bytes(gzip.compress(text, 9, mtime=0))
    panel.panel_models.cache_clear()
    return path


def record_model(
    name: str,
    judge: Judge,
    suites: dict[str, Any],
    *,
    into: Path | None = None,
    about: dict[str, str] | None = None,
) -> PanelModel:
    """Return what a judge answers to the suites, with its identity and today's date.

    Args:
        into: Where its runs are stored, so that the same call resumes.
    """
    recorded = {
        title: record(data, grice.evaluate(data, judge, into=into))
        for title, data in suites.items()
    }
    identity = {str(key): str(value) for key, value in judge.identity.items() if key != "folder"}
    checkpoint = getattr(judge, "checkpoint", None)
    if not isinstance(checkpoint, Checkpoint) or not checkpoint.parameters:
        raise InputError(f"{judge.name}: its folder does not state its size; name a local model")
    facts = {"parameters": str(checkpoint.parameters), "date": datetime.now(UTC).date().isoformat()}
    return PanelModel(name, {**identity, **(about or {}), **facts}, recorded)


def main() -> None:
    """Record one model and write its file."""
    parser = argparse.ArgumentParser(prog="python -m tools.panel", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("judge", help="as for grice judge --by")
    parser.add_argument("-M", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--about", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument("--runs", type=Path, help="a folder for its runs, to resume")
    given = parser.parse_args()
    settings, about = (dict(pair.split("=", 1) for pair in part) for part in (given.M, given.about))
    judge = loading.load_judge(given.judge, **settings)
    assert isinstance(judge, Judge)
    suites = {name: loading.load(name) for name in given.suite or SUITES}
    model = record_model(given.name, judge, suites, into=given.runs, about=about)
    path = write_model(model)
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
