"""A phenomenon: its declaration in one file, and how its groups are drawn without repeats."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, NotRequired, TypedDict, Unpack

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Card, Item, TagValue
from grice.core.scale import NLI, Answer, Scale
from grice.generate._random import Rng, Shuffle, mix, seed_of
from grice.generate.lexicon import WORDS_VERSION, Words, lexicon
from grice.theory.readings import describe_reading

VERSION_NOTE = (
    f"Sentences of version {WORDS_VERSION}: the same name and seed give the same bytes within one"
    " version."
)
# The conditions of a group with their values: {"tense": "past"}.
Conditions = Mapping[str, str]
# The open choices of a group, each with its options: {"person": words.people}.
Slots = Mapping[str, Sequence[Any]]


class NewItem(NamedTuple):
    """A pair of a group before it has an id."""

    premise: str
    hypothesis: str | None
    gold: Mapping[str, Answer]
    tags: Mapping[str, TagValue]


class Draw:
    """The choices of one group: its conditions (`cell`), an option per slot, and a generator."""

    __slots__ = ("cell", "options", "rng", "slots", "words")

    def __init__(
        self, words: Words, cell: Conditions, slots: Mapping[str, Any], rng: Rng, options: Slots
    ) -> None:
        self.words, self.cell, self.slots, self.rng, self.options = words, cell, slots, rng, options

    def __getitem__(self, slot: str) -> Any:
        return self.slots[slot]


class _CellOptions(NamedTuple):
    """A combination of conditions with the options of its slots.

    Cells with the same options and marks are one family and share its keys: they may differ in only
    one of a group's sentences, so the same key in two of them could repeat a pair.
    """

    values: Conditions
    options: tuple[tuple[str, Sequence[Any]], ...]
    size: int
    family: int
    rank: int


@dataclass(frozen=True)
class Phenomenon:
    """A kind of paradigm of which any number can be made.

    A file `x.py` of the registry defines `x = Phenomenon("x", …)`.

    `conditions` are balanced exactly: groups take the combinations of their values in turn. `slots`
    gives the open choices under some conditions; no two groups share all of them, so if different
    options give different words no pair repeats. `marked` names conditions that show in every
    sentence. `build` turns one draw into the pairs of a group (`rows` of them); its own further
    choices come from `draw.rng`. A reading that is not one of `grice.theory.readings` brings its
    description in `new_readings`. `fixed` are words that the phenomenon is about.

    >>> from grice.core.shelf import PHENOMENA
    >>> quantifiers = PHENOMENA.find("quantifiers")
    >>> quantifiers.rows, len(quantifiers.make(groups=2, seed=7))
    (15, 30)
    """

    name: str
    kind: str
    what: str
    why: str
    slots: Callable[[Words, Conditions], Slots]
    build: Callable[[Draw], Sequence[NewItem]]
    rows: int
    readings: tuple[str, ...] = ("label",)
    tags: tuple[str, ...] = ()
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marked: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    scale: Scale = NLI
    new_readings: Mapping[str, str] = field(default_factory=dict)
    keeps: Callable[[int, NewItem], bool] | None = None

    def describe_reading(self, reading: str) -> str:
        """Describe one of its readings."""
        return self.new_readings.get(reading) or describe_reading(reading, self.kind)

    @cached_property
    def cells(self) -> tuple[_CellOptions, ...]:
        """Each combination of conditions with its options, in the order of the groups."""
        cells: list[_CellOptions] = []
        for index in range(prod(len(values) for values in self.conditions.values())):
            values = self._cell_values(index)
            options = tuple(self.slots(lexicon(), values).items())
            if not options or not all(choices for _, choices in options):
                raise InputError(
                    f"{self.name}: {values} has a slot without options; give each slot some"
                )
            size = prod(len(choices) for _, choices in options)
            marks = [values[name] for name in self.marked]
            alike = [
                cell
                for cell in cells
                if cell.size == size
                and marks == [cell.values[name] for name in self.marked]
                and cell.options == options
            ]
            family = alike[0].family if alike else index
            cells.append(_CellOptions(values, options, size, family, len(alike)))
        return tuple(cells)

    @cached_property
    def _family_sizes(self) -> Counter[int]:
        return Counter(cell.family for cell in self.cells)

    def _cell_values(self, index: int) -> dict[str, str]:
        """Return the values of a combination, balanced over every short run of groups too.

        The code is a triangular mixed radix, the largest condition first.
        """
        values, below = {}, 1
        for name, options in sorted(self.conditions.items(), key=lambda pair: -len(pair[1])):
            values[name] = options[(index // below + index % below) % len(options)]
            below *= len(options)
        return {name: values[name] for name in self.conditions}

    @cached_property
    def capacity(self) -> int:
        """The number of groups that can be made without repeats, with every condition balanced."""
        return len(self.cells) * min(
            cell.size // self._family_sizes[cell.family] for cell in self.cells
        )

    def make_group(self, index: int, seed: int) -> list[Item]:
        """Return the items of group `index` of a seed, whichever groups are made before it."""
        if not 0 <= index < self.capacity:
            raise InputError(
                f"{self.name}: group {index} is beyond the {self.capacity} it can give without"
                " repeats"
            )
        return list(self._group(index, seed))

    def stream(self, groups: int, seed: int) -> Iterator[Item]:
        """Yield the items of the first groups of a seed in order, in constant memory."""
        if groups > self.capacity:
            raise InputError(
                f"{self.name}: {groups} groups are more than the {self.capacity} it can give"
                " without repeats; ask for fewer"
            )
        if groups < 1:
            raise InputError(f"{self.name}: {groups} groups is too few; ask for at least 1")
        return (item for index in range(groups) for item in self._group(index, seed))

    def make(self, groups: int, seed: int) -> Dataset:
        """Make a Dataset of the first groups of a seed, called `name@seed`."""
        return self.as_dataset(list(self.stream(groups, seed)), groups, seed)

    def as_dataset(self, items: Sequence[Item], groups: int, seed: int) -> Dataset:
        """Return items of this phenomenon as a Dataset with its card."""
        card = Card(
            title=f"{self.name}: {self.what}",
            citation=" ".join(self.references),
            licence="Apache-2.0",
            notes=(self.why, VERSION_NOTE),
            counts={"groups": groups, "all": len(items)},
        )
        return Dataset.from_items(f"{self.name}@{seed}", self.scale, items, card=card)

    def draw(self, index: int, seed: int) -> Draw:
        """Draw the conditions and options of group `index`.

        They come from a seeded permutation of all combinations.

        Each run of as many groups as the first slot has options takes each of these options once.
        """
        position, turn = index % len(self.cells), index // len(self.cells)
        cell = self.cells[position]
        first, others = self._shuffles(cell, seed)
        round_, step = divmod(turn * self._family_sizes[cell.family] + cell.rank, first.size)
        # For one option of the first slot this runs through the others without repeat, from its own
        # start.
        digits = [first[step]]
        key = (others[round_] + mix(step + others.keys[0])) % others.size
        for _, choices in cell.options[1:]:
            key, digit = divmod(key, len(choices))
            digits.append(digit)
        slots = {name: choices[d] for (name, choices), d in zip(cell.options, digits, strict=True)}
        return Draw(
            lexicon(), cell.values, slots, Rng(seed_of(self.name, seed, index)), dict(cell.options)
        )

    @cached_property
    def _known(self) -> dict[tuple[int, int], tuple[Shuffle, Shuffle]]:
        return {}

    def _shuffles(self, cell: _CellOptions, seed: int) -> tuple[Shuffle, Shuffle]:
        """Return the order of the first slot, and that of the combinations of the others."""
        shuffles = self._known.get((cell.family, seed))
        if shuffles is None:
            size = len(cell.options[0][1])
            first = Shuffle(size, seed_of(self.name, seed, cell.family, "first"))
            others = Shuffle(cell.size // size, seed_of(self.name, seed, cell.family, "others"))
            shuffles = self._known[cell.family, seed] = first, others
        return shuffles

    def _group(self, index: int, seed: int) -> Iterator[Item]:
        draw = self.draw(index, seed)
        group = f"{self.name}/{seed}/{index}"
        shared = {"kind": self.kind, "phenomenon": self.name, "role": "target", **draw.cell}
        rows = self.build(draw)
        if self.keeps is None and len(rows) != self.rows:
            raise InputError(
                f"{self.name}: rows={self.rows}, but build returns {len(rows)}; correct rows"
            )
        for number, row in enumerate(rows):
            if self.keeps and not self.keeps(index, row):
                continue
            yield Item(
                f"{group}/{number}",
                row.premise,
                row.hypothesis,
                row.gold,
                {**shared, **row.tags},
                group,
            )


class PhenomenonParts(TypedDict):
    """Arguments that the makers of a kind of phenomenon pass on to `Phenomenon`."""

    what: NotRequired[str]
    why: NotRequired[str]
    references: NotRequired[tuple[str, ...]]
    slots: Callable[[Words, Conditions], Slots]
    build: Callable[[Draw], Sequence[NewItem]]
    fixed: NotRequired[tuple[str, ...]]
    readings: NotRequired[tuple[str, ...]]


def make_phenomenon(
    name: str,
    kind: str,
    *,
    rows: int,
    tags: Sequence[str],
    conditions: Mapping[str, tuple[str, ...]],
    marked: tuple[str, ...],
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """Define a phenomenon with the tags of its kind and its conditions, each once.

    One of ours has its texts in texts.toml; another brings them in `parts`.
    """
    every = tuple(dict.fromkeys((*tags, *conditions)))
    declared = {**texts(name), **parts}
    return Phenomenon(
        name, kind, rows=rows, tags=every, conditions=conditions, marked=marked, **declared
    )


@cache
def texts(name: str) -> Mapping[str, Any]:
    """Return `what`, `why` and `references` of one of our phenomena; empty for another's."""
    row = _all_texts().get(name)
    return {**row, "references": tuple(row["references"])} if row else {}


@cache
def _all_texts() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
