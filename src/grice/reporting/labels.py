"""Positions of dot labels on a plane: next to the dot without overlap, or left out."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Any

from grice.reporting.figure import Figure

CORNERS = {"logical": (0.0, 0.0), "pragmatic": (1.0, 0.0), "neither": (0.5, 0.866)}
# The range of each axis of a plane and of a triangle.
SPANS = {"plane": ((-1.06, 1.06), (-1.06, 1.06)), "triangle": ((-0.12, 1.12), (-0.16, 1.08))}
# With more dots than this, only named ones have a line to the position of humans.
MOST_LINES, WIDE = 40, 560
FONT_SIZE, LETTER, LINE, DOT = 10.5, 5.6, 12.0, 4.5
# Left-middle of a name against its dot, in pixels, with the share of its width that lies to the
# left.
PLACES = (
    (8, 0, 0.0),
    (-8, 0, 1.0),
    (0, -11, 0.5),
    (0, 11, 0.5),
    (6, -9, 0.0),
    (6, 9, 0.0),
    (-6, -9, 1.0),
    (-6, 9, 1.0),
)
Box = tuple[float, float, float, float]


def plane_side(figure: Figure, width: int) -> int:
    """Return the side of one panel: large if alone, half of a page beside another."""
    return (430 if plane_columns(figure, width) == 1 else 245) if width >= WIDE else 255


def plane_columns(figure: Figure, width: int) -> int:
    """Return the number of panels side by side; two judges are stacked to leave room for names."""
    return 1 if width < WIDE or len(figure.judges) <= 2 else 2


def name_dots(figure: Figure, rows: Sequence[dict[str, Any]], width: int) -> list[dict[str, Any]]:
    """Return the rows with `label`, `lx` and `ly` where the name of a dot fits.

    Isolated dots are labelled first.
    """
    side = plane_side(figure, width)
    (x0, x1), (y0, y1) = SPANS[figure.kind]
    drawn_rows = list(rows)
    for judge in figure.judges:
        indices = [i for i, row in enumerate(drawn_rows) if row["judge"] == judge]
        dots = {
            i: (
                (drawn_rows[i]["x"] - x0) / (x1 - x0) * side,
                (y1 - drawn_rows[i]["y"]) / (y1 - y0) * side,
            )
            for i in indices
        }
        taken: list[Box] = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in dots.values()]
        # The names of the corners are below the triangle.
        taken += (
            [(0, (y1 + 0.02) / (y1 - y0) * side, side, side)] if figure.kind == "triangle" else []
        )
        for i in sorted(indices, key=lambda i: (-_alone(i, dots), drawn_rows[i]["row"])):
            box = _free(dots[i], len(drawn_rows[i]["row"]) * LETTER, side, taken)
            if box is not None:
                taken.append(box)
                lx, ly = (
                    x0 + box[0] / side * (x1 - x0),
                    y1 - (box[1] + box[3]) / 2 / side * (y1 - y0),
                )
                drawn_rows[i] = {**drawn_rows[i], "label": drawn_rows[i]["row"], "lx": lx, "ly": ly}
            elif len(indices) > MOST_LINES:
                drawn_rows[i] = {
                    key: value
                    for key, value in drawn_rows[i].items()
                    if key not in ("x0", "y0", "text0")
                }
    return drawn_rows


def _alone(index: int, dots: dict[int, tuple[float, float]]) -> float:
    """Return the distance to the nearest other dot."""
    x, y = dots[index]
    return min((hypot(x - a, y - b) for i, (a, b) in dots.items() if i != index), default=0.0)


def _free(dot: tuple[float, float], wide: float, side: float, taken: Sequence[Box]) -> Box | None:
    x, y = dot
    for dx, dy, share in PLACES:
        left, top = x + dx - share * wide, y + dy - LINE / 2
        box = (left, top, left + wide, top + LINE)
        inside = box[0] >= 0 and box[2] <= side and box[1] >= 0 and box[3] <= side
        if inside and not any(_meet(box, other) for other in taken):
            return box
    return None


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
