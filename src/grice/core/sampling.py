"""Samples of a dataset: evenly over its kinds and phenomena, paradigm by paradigm."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, islice, zip_longest

import polars as pl

from grice.core.dataset import TAG, Dataset
from grice.core.errors import InputError

# Tag of the kind of phenomenon; each kind has its own chapter on the page.
KIND = "kind"
# Tags that name phenomena; the first that a dataset has is used.
PHENOMENA = ("phenomenon", "set", "part", "trigger", "task", "source")


@dataclass(frozen=True)
class Slice:
    """Part of some work, of several that are done by themselves: `2/4` is the second of four.

    >>> Slice.parse("2/4").of(range(10))
    range(2, 5)
    """

    number: int
    total: int

    @staticmethod
    def parse(text: str) -> Slice:
        """Return the part that a text such as `2/4` names."""
        number, slash, total = text.partition("/")
        if not (slash and number.isdecimal() and total.isdecimal()):
            raise InputError(f"'{text}' is not a part; write I/N, such as 2/4")
        part = Slice(int(number), int(total))
        if not 1 <= part.number <= part.total:
            raise InputError(f"there is no part {text}; parts are 1/{total} to {total}/{total}")
        return part

    def of(self, indices: range) -> range:
        """Return the indices of this part: consecutive, and as many as of any other part."""
        begin, end = (len(indices) * n // self.total for n in (self.number - 1, self.number))
        return indices[begin:end]

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"


@dataclass
class _Stratum:
    """Phenomenon: items still to be drawn, in units that stay together, and the number drawn."""

    kind: str
    lot: bytes
    units: deque[list[int]]
    drawn: int = 0

    def take(self) -> list[int]:
        unit = self.units.popleft()
        self.drawn += len(unit)
        return unit

    def split(self, premises: Sequence[str]) -> None:
        """Move the premise with the most questions before the rest of the first paradigm."""
        unit = self.units.popleft()
        texts = [premises[index] for index in unit]
        chosen = max(texts, key=Counter(texts).__getitem__)
        parts = [
            [index for index in unit if (premises[index] == chosen) is same]
            for same in (False, True)
        ]
        self.units.extendleft(part for part in parts if part)

    @property
    def rank(self) -> tuple[float, bytes]:
        """Number of items at the middle of its next unit: the lowest is drawn next."""
        return self.drawn + len(self.units[0]) / 2, self.lot


def limit_items(
    data: Dataset, limit: int | None, seed: int = 0, part: Slice | None = None
) -> pl.DataFrame:
    """Return the rows of all items in their order, or of a representative sample of `limit`.

    With `part`, only those that belong to it.

    The sample takes first a paradigm of each kind, then a premise with all its questions from each
    further phenomenon, then whole paradigms of the phenomenon with the fewest items, partly drawn
    ones first. The last unit may be cut. The seed breaks ties. A larger limit adds to the sample of
    a smaller one.
    """
    rows = data.frame
    if limit is not None and limit < len(data):
        rows = rows[sorted(islice(_draw(data, seed), limit))]
    if part is None:
        return rows
    indices = part.of(range(rows.height))
    return rows.slice(indices.start, len(indices))


def _draw(data: Dataset, seed: int) -> Iterator[int]:
    """Yield the indices of all items in the order in which they are drawn."""
    strata, premises = _strata(data, seed), data.frame["premise"].to_list()
    by_kind: dict[str, list[_Stratum]] = {}
    for stratum in strata:
        by_kind.setdefault(stratum.kind, []).append(stratum)
    for members in by_kind.values():
        yield from min(members, key=lambda stratum: len(stratum.units[0])).take()
    for stratum in chain.from_iterable(zip_longest(*by_kind.values())):
        if stratum is not None and not stratum.drawn:
            stratum.split(premises)
            yield from stratum.take()
    heap = [(*stratum.rank, index) for index, stratum in enumerate(strata) if stratum.units]
    heapq.heapify(heap)
    while heap:
        *_, index = heap[0]
        yield from strata[index].take()
        if strata[index].units:
            heapq.heapreplace(heap, (*strata[index].rank, index))
        else:
            heapq.heappop(heap)


def _strata(data: Dataset, seed: int) -> list[_Stratum]:
    """Sort the paradigms by phenomenon, both in the order of hashes of name and seed."""
    ids, groups = data.ids, data.frame["group"].to_list()
    paradigms: dict[str, list[int]] = {}
    for index in sorted(range(len(data)), key=ids.__getitem__):
        group = groups[index]
        paradigms.setdefault(f"\0{ids[index]}" if group is None else group, []).append(index)
    kinds = _values(data, KIND)
    phenomena = _values(data, next((tag for tag in PHENOMENA if tag in data.tags), ""))
    lots = {
        name: blake2b(f"{seed}\0{name}".encode(), digest_size=8).digest()
        for name in {*paradigms, *phenomena}
    }
    strata: dict[tuple[str, str], _Stratum] = {}
    for name in sorted(paradigms, key=lots.__getitem__):
        unit = paradigms[name]
        kind, phenomenon = kinds[unit[0]], phenomena[unit[0]]
        strata.setdefault(
            (kind, phenomenon), _Stratum(kind, lots[phenomenon], deque())
        ).units.append(unit)
    return sorted(strata.values(), key=lambda stratum: stratum.lot)


def _values(data: Dataset, tag: str) -> list[str]:
    """Return the value of a tag for each item, a list as one text; empty where there is none."""
    if tag not in data.tags:
        return [""] * len(data)
    values = data.frame[TAG + tag].to_list()
    return [
        "\0".join(map(str, value)) if isinstance(value, list) else value or "" for value in values
    ]
