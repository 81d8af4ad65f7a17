"""One colour and one mark per judge, distinguishable in grey; other series have their own tones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# The light values are what a chart file shows; the page swaps each for the variable of its name.
LIGHT = {
    "ink": "#16202a",
    "quiet": "#54606c",
    "grid": "#dbe0e5",
    "paper": "#fefefe",
    "panel": "#f5f6f8",
    "blue": "#0072b2",
    "orange": "#d55e00",
    "green": "#00875f",
    "pink": "#b0568a",
    "sky": "#3b9bd1",
    "yellow": "#b98a00",
    "violet": "#5e3c99",
    "brown": "#7f4f24",
    "teal": "#0b7a75",
    "red": "#b3202c",
    "olive": "#6b7a1e",
    "navy": "#27408b",
    "slate": "#3d4f60",
    "amber": "#e2a53b",
    "plum": "#8c4a6b",
    "pale": "#d3dae0",
    "grey": "#9aa5ae",
    "edge": "#75818d",
    "black": "#10161c",
    "follows": "#1f5f99",
    "unsure": "#dfe4e9",
    "contradicts": "#d67d1e",
    "pragmatic": "#6f3699",
    "logical": "#86c9ab",
}
# The model of the page is drawn in ink, and no model in the colour of an answer. The second six are
# hollow, so that all marks differ.
JUDGES = (
    "ink",
    "teal",
    "brown",
    "pink",
    "sky",
    "yellow",
    "violet",
    "blue",
    "green",
    "red",
    "olive",
    "navy",
)
# From this number of models on, a table of all comes first, and charts fade all but the page's own.
MANY_MODELS = 7
# A hollow diamond is people and nobody else.
SHAPES = ("circle", "square", "triangle-up", "triangle-right", "triangle-down", "cross")
# Readings, answers and signatures: from dark to pale, so that they differ in grey as well.
TONES = ("slate", "amber", "pale", "plum", "grey", "quiet")
MEANINGS = {
    "entailment": "follows",
    "neutral": "unsure",
    "contradiction": "contradicts",
    "logical": "logical",
    "pragmatic": "pragmatic",
    "neither": "pale",
}
PEOPLE = "people"


def judge_colours(names: Sequence[str], order: Sequence[str]) -> list[str]:
    """Return the colour of each judge, by its index in the profile; humans are black.

    Of many judges all but the first are faded.
    """
    if len(order) >= MANY_MODELS:
        return [
            LIGHT["black" if name == PEOPLE else "edge" if _place(name, order) else "ink"]
            for name in names
        ]
    return [
        LIGHT["black"] if name == PEOPLE else LIGHT[JUDGES[_place(name, order) % len(JUDGES)]]
        for name in names
    ]


def judge_fills(names: Sequence[str], order: Sequence[str]) -> list[str]:
    """Return the fill of each judge's mark: its colour, or white for a hollow mark and people."""
    places = [0 if name == PEOPLE else _place(name, order) for name in names]
    inked = judge_colours(names, order)
    return [
        LIGHT["paper"] if name == PEOPLE or position // len(SHAPES) % 2 else colour
        for name, position, colour in zip(names, places, inked, strict=True)
    ]


def judge_shapes(names: Sequence[str], order: Sequence[str]) -> list[str]:
    """Return the shape of each judge's mark."""
    return [
        SHAPES[_place(name, order) % len(SHAPES)] if name != PEOPLE else "diamond" for name in names
    ]


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


def tones(names: Sequence[str], meanings: Mapping[str, str]) -> list[str]:
    """Return a tone for each name that is not a judge: by meaning if all have one, else in turn."""
    known = {**MEANINGS, **meanings}
    if all(name in known for name in names):
        return [LIGHT[known[name]] for name in names]
    return [LIGHT[TONES[i % len(TONES)]] for i in range(len(names))]


def shapes(names: Sequence[str]) -> list[str]:
    """Return a shape for each name, so that colour is never the only cue."""
    return [SHAPES[i % len(SHAPES)] for i in range(len(names))]
