"""Sensitivity of an item's answer to the prompt's wording and the order of the labels."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from grice.core.scale import Scale
from grice.judges.reply import Reading


class PromptSpread:
    """The readings of each item by its several prompts, summarised."""

    def __init__(self, prompts: int) -> None:
        self.prompts, self.items, self.alike, self.unread = prompts, 0, 0, 0
        self.deviations: list[float] = []

    def add(self, readings: Sequence[Reading], scale: Scale) -> None:
        """Count an item that at least two prompts could answer."""
        answered = [reading for reading in readings if reading.fault is None]
        self.unread += len(readings) - len(answered)
        if len(answered) < 2:
            return
        self.items += 1
        self.alike += len({reading.answer for reading in answered}) == 1
        if scale.numeric:
            values = [[float(r.answer) for r in answered if r.answer is not None]]
        else:
            values = [[r.shares[label] for r in answered] for label in scale.labels]
        self.deviations.append(statistics.fmean(statistics.pstdev(column) for column in values))

    def notes(self) -> dict[str, Any]:
        """Return the number of compared items and their deviations.

        The notes are empty for a single prompt.
        """
        if self.prompts < 2 or not self.items:
            return {}
        return {
            "items compared between prompts": self.items,
            "same answer by all prompts": self.alike,
            "mean deviation between prompts": round(statistics.fmean(self.deviations), 4),
            "replies not read": self.unread,
        }
