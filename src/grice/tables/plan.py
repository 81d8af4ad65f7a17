"""Power analysis: paradigms needed for a difference, and differences detectable with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from grice.tables.tabular import EMPTY, FEW, Grid, Tabular


@dataclass(frozen=True)
class PlannedSize:
    """Difference of two judges with the paradigms and items that show it; None where none do."""

    difference: float | None
    paradigms: int | None
    items: int | None


@dataclass(frozen=True, repr=False)
class Plan(Tabular):
    """Result of `grice.power`: sample sizes with their detectable differences, and the assumptions.

    `discordance` is the share of items that only one judge has right, `icc` its correlation within
    a paradigm, `items` the number of items of a paradigm, `pilot` the number of paradigms they were
    measured on (0 if they were assumed).

    >>> plan = grice.power(accuracy=0.8, items=6, icc=0.2, paradigms=[100])
    >>> [(size.paradigms, round(size.difference, 3)) for size in plan.sizes]
    [(100, 0.092)]
    """

    source: str
    discordance: float
    items: float
    icc: float
    design_effect: float
    pilot: int
    power: float
    level: float
    sizes: tuple[PlannedSize, ...] = field(default=())

    def grid(self, *, digits: int | None = None, interval: bool = True, count: bool = True) -> Grid:
        """Return a row for each size, the smallest difference first."""
        del interval, count
        places = 3 if digits is None else digits
        forms = (f"{{:.{places}f}}", "{:,}", "{:,}")
        body = [
            [
                EMPTY if value is None else form.format(value)
                for form, value in zip(forms, vars(size).values(), strict=True)
            ]
            for size in self.sizes
        ]
        title = (
            f"Differences found with {self.power:.0%} power at p < {self.level:g}: {self.source}"
        )
        return Grid(title, ("difference", "paradigms", "items"), body, self.notes, 0)

    @property
    def notes(self) -> list[str]:
        """Assumptions of the sizes, and a warning if the pilot is small."""
        measured = f"measured in {self.pilot:,} paradigms" if self.pilot else "assumed"
        text = (
            f"{measured}: only one judge is right on {self.discordance:.3f} of the items;"
            f" {self.items:.3g} items per paradigm with correlation {self.icc:.3f} (design effect"
            f" {self.design_effect:.3g})"
        )
        few = f"a pilot of fewer than {FEW} paradigms estimates this poorly: plan for more"
        return [text, *([few] if 0 < self.pilot < FEW else [])]

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per size: difference, paradigms, items."""
        return [dict(vars(size)) for size in self.sizes]

    def points(self) -> list[dict[str, Any]]:
        """Return the differences to draw, by number of paradigms."""
        same = {"series": "difference", "low": None, "high": None}
        return [
            {"row": f"{size.paradigms:,}", "value": size.difference, "n": size.items, **same}
            for size in self.sizes
            if size.paradigms
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values, with the notes."""
        return {**vars(self), "sizes": self.records(), "notes": self.notes}
