"""How the page words a probability, said again in Python."""

from __future__ import annotations

import math


def in_words(chance: float) -> str:
    """A probability as people read it: per cent, and near the ends as odds, `1.0% (1 in 100)`."""
    if chance in (0, 1):
        return "0% (impossible)" if chance == 0 else "100% (certain)"
    rare = min(chance, 1 - chance)
    if rare >= 0.1:
        return f"{100 * chance:.0f}%"
    digits = max(1, 1 - math.floor(math.log10(100 * rare)))
    odds = f"1 in {float(f'{1 / rare:.2g}'):,.0f}"
    return f"{100 * chance:.{digits}f}% ({odds if chance < 0.5 else 'all but ' + odds})"
