"""The methods paragraph of a paper, from the values of a profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grice import __version__
from grice.reporting.formats import count, join_names
from grice.reporting.model import Profile

CHECKSUM = 12
# What tells one model from another in a text, of all settings of a run.
TOLD = ("readout", "engine", "arithmetic", "date")


def methods_paragraph(profile: Profile) -> str:
    """Return how the numbers were obtained, ready for a paper, with what to cite."""
    gates = [claim.gate for claim in profile.claims if claim.gate]
    family = max((gate.family for gate in gates), default=0)
    tested = (
        " A positive claim was made only where the score was significantly above the model's own"
        " answers shuffled, the best constant answer and partial-input baselines, and where the"
        f" controls held; p values were corrected over {count(family, 'claim')} and diagnoses"
        " (Holm, 1979)."
        if family
        else ""
    )
    sources = dict.fromkeys(claim.people.source for claim in profile.claims if claim.people)
    people = f" Human judgments are from {'; '.join(sources)}." if sources else ""
    return (
        f"We evaluated {join_names(map(_model, _first_runs(profile)))} with grice {__version__} on"
        f" {join_names(map(_data, profile.method['data']))}. Intervals are 95% confidence intervals"
        " (Wilson; Student's t over paradigms where items share them); differences between models"
        f" were tested by sign flips of whole paradigms.{tested}{people}"
    )


def _first_runs(profile: Profile) -> list[Mapping[str, Any]]:
    """Return the first run of each model."""
    runs = {run["judge"]: run for run in reversed(profile.method["judges"])}
    return [runs[judge] for judge in profile.judges if judge in runs]


def _model(run: Mapping[str, Any]) -> str:
    settings = run["settings"]
    checksum = str(settings.get("sha256", ""))[:CHECKSUM]
    details = [f"weights {checksum}"] if checksum else []
    details += [f"{name} {settings[name]}" for name in TOLD if name in settings]
    return f"{run['judge']} ({'; '.join(details)})" if details else str(run["judge"])


def _data(row: Mapping[str, Any]) -> str:
    cited = f"{row['citation']}; " if row.get("citation") else ""
    checksum = str(row["fingerprint"])[:CHECKSUM]
    return f"{count(row['items'], 'pair')} of {row['data']} ({cited}fingerprint {checksum})"
