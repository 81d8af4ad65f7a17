"""UNLI's printed numbers and, by fragments, the examples it prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grice.core.paper import read_printed
from grice.papers.cells import PrintedExample

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))

TABLE4 = _TABLES["TABLE4"]
TABLE5 = _TABLES["TABLE5"]
# SNLI's own columns of the training split are printed in thousands, and its totals too.
TABLE6 = _TABLES["TABLE6"]
# The check values of the released page's slider.
SLIDER = {0: 0.0, 2000: 1.2309e-4, 4000: 0.047426, 5000: 0.5, 7500: 0.764996, 9000: 0.911096, 10000: 1.0}


@dataclass(frozen=True)
class GradedExample:
    """An example with the probability people gave it, as printed, and in Table 3 what the paper's model said."""

    example: PrintedExample
    chance: float
    predicted: float | None = None

    @property
    def style(self) -> str:
        """The tables print whole per cents, three decimals, or three figures of something tiny."""
        if 0 < self.chance < 0.001:
            return ".2e"
        return ".2f" if round(100 * self.chance, 6).is_integer() else ".3f"


def _graded(
    row: str, premise: str, hypothesis: str, label: str, chance: float, predicted: float | None = None
) -> GradedExample:
    return GradedExample(PrintedExample(row, premise, hypothesis, label), chance, predicted)


TABLE1_EXAMPLES = (
    _graded("1", "A man in a white shirt…picture…", "A man takes a picture…", "entailment", 1.00),
    _graded("2", "A boy hits a ball, with a bat…", "The kid is playing in a baseball game.", "entailment", 0.78),
    _graded("3", "A wrestler in…one in blue celebrates.", "The wrestler in blue is undefeated.", "contradiction", 0.50),
    _graded("4", "Man laying on a platform…rocks.", "Man takes a nap on his couch.", "contradiction", 0.00),
)  # fmt: skip
_SINGER = "A man is singing into a microphone."
TABLE2_EXAMPLES = (
    _graded("1", _SINGER, "A man performs a song.", "neutral", 0.95),
    _graded("2", _SINGER, "A man is performing on stage.", "neutral", 0.84),
    _graded("3", _SINGER, "A male performer is singing a special and meaningful song.", "neutral", 0.15),
    _graded("4", _SINGER, "A man performing in a bar.", "neutral", 0.14),
    _graded("5", _SINGER, "A man is singing the national anthem…", "neutral", 0.006),
)
TABLE3_EXAMPLES = (
    _graded("1", "…row of aquariums…", "A man is standing by the aquariums.", "entailment", 1.0, 0.119),
    _graded("2", "A man and woman are drinking at a bar.", "A couple is out on a date", "neutral", 0.755, 0.377),
    _graded("3", "Couple walking on the beach.", "The couple are holding hands.", "neutral", 0.808, 0.308),
    _graded("4", "…on a loom.", "The woman is a seamstress.", "neutral", 0.923, 0.197),
    _graded("5", "Two girls riding an amusement park ride.", "…are screaming.", "neutral", 0.909, 0.075),
    _graded("6", "…sit at a cluttered table.", "The table is neat…", "contradiction", 4.91e-4, 0.262),
    _graded("7", "A race car sits in the pits.", "The car is going fast.", "contradiction", 2.88e-7, 0.724),
    _graded("8", "…in front of a toilet…", "A man is attempting to brew…", "contradiction", 8.32e-6, 0.504),
)
