"""Damage found in stored data: a run's folder, or the database of a campaign."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Damage:
    """One kind of damage: its counts, what it is, what can be saved, and the first positions."""

    check: str
    count: int
    n: int
    detail: str
    examples: tuple[str, ...] = ()
