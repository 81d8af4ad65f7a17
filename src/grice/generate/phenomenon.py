"""A phenomenon: what one file of the shelf declares, and how its groups are drawn without repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Card, Item, TagValue
from grice.core.scale import NLI, Answer, Scale
from grice.generate._random import Rng, Shuffle, mix, seed_of
from grice.generate.lexicon import Words, lexicon


class Row(NamedTuple):
    """One pair of a group, before it has an id."""

    premise: str
    hypothesis: str | None
    gold: Mapping[str, Answer]
    tags: Mapping[str, TagValue]


class Draw:
    """What one group is made of: its cell of conditions, one option for each slot, and further chance."""

    __slots__ = ("cell", "rng", "slots", "words")

    def __init__(self, words: Words, cell: Mapping[str, str], slots: Mapping[str, Any], rng: Rng) -> None:
        self.words, self.cell, self.slots, self.rng = words, cell, slots, rng

    def __getitem__(self, slot: str) -> Any:
        return self.slots[slot]


class _Cell(NamedTuple):
    """A combination of conditions. Cells with the same options and marks are one family and share out its keys:
    they may differ in one of a group's sentences only, so the same key in two of them could repeat a pair.
    """

    values: Mapping[str, str]
    options: tuple[tuple[str, Sequence[Any]], ...]
    size: int
    family: int
    rank: int


@dataclass(frozen=True)
class Phenomenon:
    """File `x.py` of the shelf defines `x = Phenomenon("x", …)`.

    `conditions` are balanced exactly: group i takes cell i, i+1, … of their product. `slots` gives the open
    choices of a cell; no two groups share all of them, so if different options give different words no pair
    repeats. `marked` names conditions that show in every sentence. `build` turns one draw into rows; its own further choices come from `draw.rng`.
    """

    name: str
    kind: str
    what: str
    why: str
    slots: Callable[[Words, Mapping[str, str]], Mapping[str, Sequence[Any]]]
    build: Callable[[Draw], Sequence[Row]]
    rows: int
    readings: tuple[str, ...] = ("label",)
    tags: tuple[str, ...] = ()
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marked: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    scale: Scale = NLI

    @cached_property
    def cells(self) -> tuple[_Cell, ...]:
        """Each combination of conditions with its options, in the order in which groups take them."""
        found: list[_Cell] = []
        for index in range(prod(len(values) for values in self.conditions.values())):
            values = self._cell_values(index)
            options = tuple(self.slots(lexicon(), values).items())
            if not options or not all(choices for _, choices in options):
                raise InputError(f"{self.name}: {values} has a slot without options; give each slot some")
            size = prod(len(choices) for _, choices in options)
            marks = [values[name] for name in self.marked]
            alike = [
                cell
                for cell in found
                if cell.size == size
                and marks == [cell.values[name] for name in self.marked]
                and cell.options == options
            ]
            family = alike[0].family if alike else index
            found.append(_Cell(values, options, size, family, len(alike)))
        return tuple(found)

    @cached_property
    def _family_sizes(self) -> Counter[int]:
        return Counter(cell.family for cell in self.cells)

    def _cell_values(self, index: int) -> dict[str, str]:
        """A triangular mixed radix, the largest condition first: every short run of groups is balanced too."""
        values, below = {}, 1
        for name, options in sorted(self.conditions.items(), key=lambda pair: -len(pair[1])):
            values[name] = options[(index // below + index % below) % len(options)]
            below *= len(options)
        return {name: values[name] for name in self.conditions}

    @cached_property
    def capacity(self) -> int:
        """How many groups there are without repeats, every condition balanced."""
        return len(self.cells) * min(cell.size // self._family_sizes[cell.family] for cell in self.cells)

    def make_group(self, index: int, seed: int) -> list[Item]:
        """Group `index` of a seed, whatever was asked for before it."""
        if not 0 <= index < self.capacity:
            raise InputError(
                f"{self.name}: group {index} is beyond the {self.capacity} it can give without repeats"
            )
        return list(self._group(index, seed))

    def stream(self, groups: int, seed: int) -> Iterator[Item]:
        """Items one after the other, in constant memory."""
        if groups > self.capacity:
            raise InputError(
                f"{self.name}: {groups} groups are more than the {self.capacity} it can give without repeats; ask for fewer"
            )
        if groups < 1:
            raise InputError(f"{self.name}: {groups} groups are none; ask for at least 1")
        return (item for index in range(groups) for item in self._group(index, seed))

    def make(self, groups: int, seed: int) -> Dataset:
        """A Dataset of the first groups of a seed, called `name@seed`."""
        return self.as_dataset(list(self.stream(groups, seed)), groups, seed)

    def as_dataset(self, items: Sequence[Item], groups: int, seed: int) -> Dataset:
        """Items of this phenomenon as a Dataset with its card."""
        card = Card(
            title=f"{self.name}: {self.what}",
            citation=" ".join(self.references),
            licence="Apache-2.0",
            notes=(self.why,),
            counts={"groups": groups, "all": len(items)},
        )
        return Dataset.from_items(f"{self.name}@{seed}", self.scale, items, card=card)

    def draw(self, index: int, seed: int) -> Draw:
        """The options of group `index`: a seeded permutation of all combinations, that of the first slot even.

        Each run of as many groups as the first slot has options takes each of them once.
        """
        place, turn = index % len(self.cells), index // len(self.cells)
        cell = self.cells[place]
        first, others = self._shuffles(cell, seed)
        round_, step = divmod(turn * self._family_sizes[cell.family] + cell.rank, first.size)
        # For one option of the first slot this runs through the others without repeat, from its own start.
        digits = [first[step]]
        key = (others[round_] + mix(step + others.keys[0])) % others.size
        for _, choices in cell.options[1:]:
            key, digit = divmod(key, len(choices))
            digits.append(digit)
        slots = {name: choices[d] for (name, choices), d in zip(cell.options, digits, strict=True)}
        return Draw(lexicon(), cell.values, slots, Rng(seed_of(self.name, seed, index)))

    @cached_property
    def _known(self) -> dict[tuple[int, int], tuple[Shuffle, Shuffle]]:
        return {}

    def _shuffles(self, cell: _Cell, seed: int) -> tuple[Shuffle, Shuffle]:
        """The order of the first slot, and that of the combinations of the others."""
        found = self._known.get((cell.family, seed))
        if found is None:
            size = len(cell.options[0][1])
            first = Shuffle(size, seed_of(self.name, seed, cell.family, "first"))
            others = Shuffle(cell.size // size, seed_of(self.name, seed, cell.family, "others"))
            found = self._known[cell.family, seed] = first, others
        return found

    def _group(self, index: int, seed: int) -> Iterator[Item]:
        draw = self.draw(index, seed)
        group = f"{self.name}/{seed}/{index}"
        shared = {"kind": self.kind, "phenomenon": self.name, **draw.cell}
        for number, row in enumerate(self.build(draw)):
            yield Item(
                f"{group}/{number}", row.premise, row.hypothesis, row.gold, {**shared, **row.tags}, group
            )
