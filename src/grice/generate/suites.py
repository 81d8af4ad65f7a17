"""Phenomena and suites by name, as a dataset or as a stream of items."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.item import Card, Item
from grice.core.sampling import Slice
from grice.core.scale import NLI
from grice.core.shelf import PHENOMENA
from grice.generate._presupposition import ROWS, Environments
from grice.generate.phenomenon import VERSION_NOTE, NewItem, Phenomenon
from grice.theory.norms import norms, scale_key

GROUPS = 100
# The rows of a scalar paradigm.
PARADIGM = 12
# Spread evenly over the phenomena, and of each at least as many paradigms as a claim of the profile
# needs: cancellability, a chapter of its own, has twice as many.
CORE_PAIRS, CORE_GROUPS = 2000, {"cancellability": 12}
FEWEST_CORE_GROUPS = 6
# Of the five environments of a presupposition core has the unrelated hypothesis in two, in turn.
N_UNRELATED = 2
# Some phenomena of every chapter, with at least six paradigms a chapter.
QUICK = {
    "aspectuals": 3,
    "factives": 3,
    "quantifiers": 3,
    "connectives": 3,
    "dialogues": 6,
    "cancellability": 6,
    "conjunction_boolean": 6,
    "conjunction_collective": 6,
    "veridicality_signatures": 20,
}
# The paper's sixteen files.
IMPPRES = (
    "connectives",
    "gradable_adjective",
    "gradable_verb",
    "modals",
    "numerals_10_100",
    "numerals_2_3",
    "quantifiers",
    "all_n",
    "both",
    "change_of_state",
    "cleft_existence",
    "cleft_uniqueness",
    "only",
    "possessed_definites_existence",
    "possessed_definites_uniqueness",
    "questions",
)
# Unnatural sentences, which are controls of an experiment, and sentences with published human
# means.
NOT_CORE = ("veridicality_mismatches", "predicates")
SUITES = {
    "core": (
        "Every phenomenon, in equal parts: small enough for the built-in model to judge in about"
        " ten seconds"
    ),
    "quick": (
        "Some phenomena of every chapter, about 600 pairs: enough for a verdict in clear cases"
    ),
    "full": "Every phenomenon, as many groups of each",
    "imppres": "IMPPRES's own design: 100 new paradigms of each of its sixteen kinds, 25,500 pairs",
    "imppres_balanced": (
        "The same paradigms with the pairs that balance labels and the controls without the trigger"
    ),
    "people": (
        "The scales, predicates and verbs of which published experiments tell what people infer"
    ),
}
# Phenomena whose predicates and verbs have norms; those with scales are found by their scales.
NORMED = ("factives", "predicates", "veridicality_signatures")
# Groups that a worker makes at a time; fixed, so that the work is cut the same for any number of
# workers.
GROUPS_PER_RANGE = 2_000


class GroupRange(NamedTuple):
    """Consecutive groups of one member of a suite: the unit of work of a worker."""

    suite: str
    groups: int | None
    seed: int
    member: int
    first: int
    last: int


# Runs a maker over ranges somewhere else and gives the results in their order.
Scatter = Callable[
    [Callable[[], Callable[[GroupRange], list[Item]]], Iterable[GroupRange]], Iterator[list[Item]]
]


@dataclass(frozen=True)
class Suite:
    """Phenomena, each with its number of groups, under one name and seed.

    `groups` is the number that was asked for, if any.
    """

    name: str
    members: tuple[tuple[Phenomenon, int], ...]
    seed: int
    groups: int | None = None

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(phenomenon.rows * groups for phenomenon, groups in self.members)

    def stream(self, scatter: Scatter | None = None, part: Slice | None = None) -> Iterator[Item]:
        """Yield every item in order, or those of a part, in constant memory; check the capacity.

        With `scatter` others make the items; they and their order are the same.
        """
        streams = [phenomenon.stream(groups, self.seed) for phenomenon, groups in self.members]
        if scatter is None and part is None:
            return (item for stream in streams for item in stream)
        ranges = list(self.ranges())
        if part is not None:
            ranges = [ranges[index] for index in part.of(range(len(ranges)))]
        batches = scatter(range_maker, ranges) if scatter else map(range_maker(), ranges)
        return (item for batch in batches for item in batch)

    def ranges(self) -> Iterator[GroupRange]:
        """Split the suite into ranges of groups, in the order of their items."""
        for member, (_, count) in enumerate(self.members):
            for first in range(0, count, GROUPS_PER_RANGE):
                last = min(first + GROUPS_PER_RANGE, count)
                yield GroupRange(self.name, self.groups, self.seed, member, first, last)

    def dataset(self, scatter: Scatter | None = None) -> Dataset:
        """Return all items as a Dataset called `name@seed`."""
        items = list(self.stream(scatter))
        if len(self.members) == 1:
            phenomenon, groups = self.members[0]
            return phenomenon.as_dataset(items, groups, self.seed)
        counts = Counter(str(item.tags["phenomenon"]) for item in items)
        card = Card(
            SUITES[self.name],
            licence="Apache-2.0",
            notes=(VERSION_NOTE,),
            counts={"all": len(items), **counts},
        )
        return Dataset.from_items(f"{self.name}@{self.seed}", NLI, items, card=card)


def find_suite(name: str, groups: int | None = None, seed: int = 0) -> Suite:
    """Find a suite, a phenomenon or a user's file by name, with `groups` of each phenomenon.

    `name@7` gives the seed.
    """
    stem, at, number = name.rpartition("@")
    if at and number.lstrip("-").isdigit():
        name, seed = stem, int(number)
    if name in SUITES:
        return Suite(name, tuple(_members(name, groups)), seed, groups)
    if not name.endswith(".py") and name not in PHENOMENA.names():
        raise unknown(
            "phenomenon or suite",
            name,
            [*PHENOMENA.names(), *SUITES],
            f"Your own file works too: ./{name}.py",
        )
    return Suite(name, ((_phenomenon(name), groups or GROUPS),), seed, groups)


def range_maker() -> Callable[[GroupRange], list[Item]]:
    """Return the function by which a worker makes the items of a range."""

    def make(part: GroupRange) -> list[Item]:
        phenomenon = find_suite(part.suite, part.groups, part.seed).members[part.member][0]
        indices = range(part.first, part.last)
        return [item for index in indices for item in phenomenon.make_group(index, part.seed)]

    return make


def load(name: str, groups: str = "") -> Dataset | None:
    """Make the dataset of a phenomenon, a suite or a user's phenomenon; None for other names."""
    stem = name.rpartition("@")[0] or name
    if groups and not groups.isdigit():
        raise InputError(f"groups are a whole number, not '{groups}'")
    known = stem in SUITES or stem in PHENOMENA.names()
    if not known and not (stem.endswith(".py") and isinstance(PHENOMENA.find(stem), Phenomenon)):
        return None
    return find_suite(name, int(groups) if groups else None).dataset()


def balanced_conditions(name: str) -> dict[str, tuple[str, ...]]:
    """Return the conditions that each phenomenon of a name promises to balance.

    The name is that of a phenomenon or suite; for other data there are none.
    """
    stem = name.rpartition("@")[0] or name
    members: list[object] = []
    if stem in SUITES:
        members = [phenomenon for phenomenon, _ in _members(stem, None)]
    elif stem.endswith(".py") or stem in PHENOMENA.names():
        members = [PHENOMENA.find(stem)]
    return {
        member.name: tuple(member.conditions)
        for member in members
        if isinstance(member, Phenomenon) and member.conditions
    }


def _members(suite: str, groups: int | None) -> Iterator[tuple[Phenomenon, int]]:
    if suite in ("imppres", "imppres_balanced"):
        for name in IMPPRES:
            member = _phenomenon(name)
            selected = _select(member, _is_bare) if suite == "imppres" else member
            yield selected, groups or GROUPS
        return
    if suite == "quick":
        for name, count in QUICK.items():
            yield _core_member(_phenomenon(name)), groups or count
        return
    every = [_phenomenon(name) for name in PHENOMENA.names() if _built_in(name)]
    if suite == "people":
        # As many pairs of each, whatever its rows: verbs are many and have two pairs a group.
        yield from (
            (phenomenon, groups or round(GROUPS * PARADIGM / phenomenon.rows))
            for phenomenon in _normed(every)
        )
        return
    if suite == "full":
        yield from ((phenomenon, groups or GROUPS) for phenomenon in every)
        return
    chosen = [phenomenon for phenomenon in every if phenomenon.name not in NOT_CORE]
    share = CORE_PAIRS / len(chosen)
    for phenomenon in chosen:
        fewest = CORE_GROUPS.get(phenomenon.name, FEWEST_CORE_GROUPS)
        yield _core_member(phenomenon), groups or max(fewest, round(share / phenomenon.rows))


def _core_member(phenomenon: Phenomenon) -> Phenomenon:
    """Return the phenomenon with the pairs that core has of it."""
    return _select(phenomenon, _in_core) if phenomenon.rows == ROWS else phenomenon


def _select(phenomenon: Phenomenon, keeps: Callable[[int, NewItem], bool]) -> Phenomenon:
    """Return the phenomenon with the pairs that `keeps` selects, as many in each group."""
    selected = replace(phenomenon, keeps=keeps)
    return replace(selected, rows=len(selected.make_group(0, 0)))


def _is_bare(_index: int, row: NewItem) -> bool:
    """Return whether a pair is one of the paper's: none for balance or without the trigger."""
    return row.tags["role"] != "balance" and row.tags.get("trigger") != "absent"


def _in_core(index: int, row: NewItem) -> bool:
    """Return whether core has a pair of a presupposition.

    In turn it has the unrelated hypothesis in two environments only, and leaves out the negated
    presupposition under one operator, with the trigger and without it.
    """
    _, *operators = Environments._fields
    match row.tags.get("presupposition"):
        case "neutral":
            turn = Environments._fields.index(str(row.tags["operator"])) - index
            return turn % len(Environments._fields) < N_UNRELATED
        case "negated" if row.tags["role"] != "balance":
            return row.tags["operator"] != operators[index % len(operators)]
        case _:
            return True


def _normed(every: Iterable[Phenomenon]) -> Iterator[Phenomenon]:
    """Yield phenomena whose scales have human norms, with only those scales.

    The phenomena of `NORMED` are included.
    """
    for phenomenon in every:
        declared = (
            phenomenon.conditions.get("scale", ()) if phenomenon.kind == "implicature" else ()
        )
        scales = tuple(scale for scale in declared if (scale_key(scale), "weak") in norms("scale"))
        if scales:
            yield replace(phenomenon, conditions={**phenomenon.conditions, "scale": scales})
        elif phenomenon.name in NORMED or (
            phenomenon.kind == "implicature" and _one_scale(phenomenon) in norms("scale")
        ):
            yield phenomenon


def _one_scale(phenomenon: Phenomenon) -> tuple[str, str]:
    """Return the only scale of a phenomenon without a choice of scales, as the norms name it."""
    return scale_key(str(phenomenon.make_group(0, 0)[0].tags.get("scale", ""))), "weak"


def _built_in(name: str) -> bool:
    """Return whether a phenomenon ships with grice; suites are the same for everyone."""
    return importlib.util.find_spec(f"{PHENOMENA.package}.{name}") is not None


def _phenomenon(name: str) -> Phenomenon:
    plugin = PHENOMENA.find(name)
    if not isinstance(plugin, Phenomenon):
        raise InputError(
            f"'{name}' defines no Phenomenon; see the tutorial docs/add_a_phenomenon.md"
        )
    return plugin
