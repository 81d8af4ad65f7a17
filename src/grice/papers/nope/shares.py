"""Shares of the models that NOPE's authors trained, on IMPPRES's released presuppositions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grice.core.estimate import Estimate
from grice.core.words import read_rows

FILE = Path(__file__).with_suffix(".tsv")
# Those trained on MultiNLI, SNLI, ANLI and FEVER.
MODELS = ("RoBERTa-large", "DeBERTa-xlarge")


def published_shares(figure: str) -> Mapping[str, Estimate]:
    """Return each model's share in a figure of the chapter on presuppositions."""
    return {
        model: Estimate(float(value), int(n), float(low), float(high))
        for name, model, value, low, high, n in read_rows(FILE)
        if name == figure
    }
