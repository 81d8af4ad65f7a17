"""Random numbers from a seed: the same on every machine and Python version."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1


def seed_of(*parts: object) -> int:
    """Return a 64-bit seed made of the parts: the first bits of their SHA-256."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


def mix(number: int) -> int:
    """Apply the finaliser of splitmix64 (Steele, Lea & Flood 2014)."""
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _MASK
    return number ^ (number >> 31)


class Rng:
    """A splitmix64 generator; `random.Random` is reproducible only within one Python version."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def copy(self) -> Rng:
        """Return a generator in the same state."""
        return Rng(self.state)

    def randbelow(self, n: int) -> int:
        """Return a number from 0 to n-1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        return mix(self.state) % n

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.randbelow(len(options))]

    def pick_other(self, options: Sequence[T], *taken: T) -> T:
        """Return one of the options that is none of `taken`; there must be one."""
        start = self.randbelow(len(options))
        for step in range(len(options)):
            option = options[(start + step) % len(options)]
            if option not in taken:
                return option
        raise ValueError("every option is taken")


class Shuffle:
    """A seeded permutation of 0 … size-1 in constant memory.

    It is a Feistel network with cycle-walking.
    """

    __slots__ = ("half", "keys", "mask", "size")

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self.half = max(1, ((size - 1).bit_length() + 1) // 2)
        self.mask = (1 << self.half) - 1
        self.keys = tuple(mix((seed + turn * 0x9E3779B97F4A7C15) & _MASK) for turn in range(1, 5))

    def __getitem__(self, index: int) -> int:
        half, mask = self.half, self.mask
        while True:
            left, right = index >> half, index & mask
            for key in self.keys:
                left, right = right, left ^ (mix(right ^ key) & mask)
            index = left << half | right
            if index < self.size:
                return index
