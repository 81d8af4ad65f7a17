"""A pair of sentences from the data, with its gold answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ExamplePair:
    """A pair from the data with the gold answer of each reading."""

    premise: str
    hypothesis: str
    gold: Mapping[str, str]
