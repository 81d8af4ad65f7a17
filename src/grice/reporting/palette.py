"""Colours that the colour-blind tell apart (Okabe & Ito), for paper and, by name, for the page's light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# The light values are what a chart file shows; the page swaps each for the variable of its name.
LIGHT = {
    "ink": "#1c2733", "quiet": "#56636f", "grid": "#dde3e9", "paper": "#fefefe",
    "blue": "#0072b2", "orange": "#d55e00", "green": "#00875f", "pink": "#b0568a", "sky": "#3b9bd1", "yellow": "#b98a00",
    "grey": "#9aa5ae", "black": "#10161c",
}  # fmt: skip
JUDGES = ("blue", "orange", "green", "pink", "sky", "yellow")
LABELS = {"entailment": "green", "neutral": "grey", "contradiction": "pink"}
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")


def colours(names: Sequence[str], meanings: Mapping[str, str]) -> list[str]:
    """A colour for each name: by its meaning if all have one (labels always do), else in turn."""
    known = {**LABELS, **meanings}
    if all(name in known for name in names):
        return [LIGHT[known[name]] for name in names]
    return [LIGHT[JUDGES[i % len(JUDGES)]] for i in range(len(names))]


def shapes(names: Sequence[str]) -> list[str]:
    """A shape for each name, so that colour is never the only sign."""
    return [SHAPES[i % len(SHAPES)] for i in range(len(names))]
