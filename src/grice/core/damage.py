"""What is found wrong with data at rest: a run's folder, or the database of a campaign."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Damage:
    """One kind of damage: how often out of how many, what it is and what can be saved, and the
    first places.
    """

    check: str
    count: int
    n: int
    detail: str
    examples: tuple[str, ...] = ()
