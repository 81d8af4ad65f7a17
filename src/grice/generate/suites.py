"""Phenomena and suites by name: as a dataset, or streamed into a file with its card."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from grice.core.dataset import GOLD, TAG, Dataset, frame_of
from grice.core.errors import InputError, unknown
from grice.core.files import sha256_of, write_atomically
from grice.core.item import Card, Item
from grice.core.scale import NLI
from grice.core.shelf import PHENOMENA
from grice.generate.checks import Finding, balance, merged, quick
from grice.generate.phenomenon import Phenomenon

GROUPS = 100
# Spread evenly over the phenomena: some twenty seconds of the built-in model, and paradigms enough of each (four or
# more) that a judge who always gets one right can be told from one who guesses.
CORE_PAIRS = 6000
BATCH = 20_000
# The paper's sixteen files.
IMPPRES = (
    "connectives", "gradable_adjective", "gradable_verb", "modals", "numerals_10_100", "numerals_2_3", "quantifiers",
    "all_n", "both", "change_of_state", "cleft_existence", "cleft_uniqueness", "only", "possessed_definites_existence",
    "possessed_definites_uniqueness", "questions",
)  # fmt: skip
# Sentences nobody says, which control an experiment and profile no model.
NOT_CORE = ("veridicality_mismatches",)

Told = Callable[[int, int], None]
# Groups that a worker makes at a time; fixed, so that the work is cut the same for any number of workers.
PART = 2_000


class Part(NamedTuple):
    """A stretch of groups of one member of a recipe: what a worker makes."""

    name: str
    groups: int | None
    seed: int
    member: int
    first: int
    last: int


# Runs a maker over parts somewhere else and gives the results in the parts' order.
Scatter = Callable[[Callable[[], Callable[[Part], list[Item]]], Iterable[Part]], Iterator[list[Item]]]


@dataclass(frozen=True)
class Recipe:
    """What to make: phenomena, each with its number of groups, under one name and seed."""

    name: str
    parts: tuple[tuple[Phenomenon, int], ...]
    seed: int

    @property
    def pairs(self) -> int:
        return sum(phenomenon.rows * groups for phenomenon, groups in self.parts)

    def stream(self) -> Iterator[Item]:
        """Every item, one after the other, in constant memory; too many groups are refused before the first."""
        streams = [phenomenon.stream(groups, self.seed) for phenomenon, groups in self.parts]
        return (item for stream in streams for item in stream)

    def dataset(self) -> Dataset:
        if len(self.parts) == 1:
            phenomenon, groups = self.parts[0]
            return phenomenon.make(groups, self.seed)
        items = list(self.stream())
        counts = Counter(str(item.tags["phenomenon"]) for item in items)
        card = Card(SUITES[self.name], licence="Apache-2.0", counts={"all": len(items), **counts})
        return Dataset.from_items(f"{self.name}@{self.seed}", NLI, items, card=card)


SUITES = {
    "core": "Every phenomenon, in equal parts: small enough for the built-in model to judge in about twenty seconds",
    "full": "Every phenomenon, as many groups of each",
    "imppres": "Fresh paradigms of the sixteen kinds of IMPPRES: 25,500 pairs",
}


def recipe(name: str, groups: int | None = None, seed: int = 0) -> Recipe:
    """What a name means: a phenomenon, a suite, or a user's own file; `name@7` gives the seed."""
    stem, at, number = name.rpartition("@")
    if at and number.lstrip("-").isdigit():
        name, seed = stem, int(number)
    if name in SUITES:
        return Recipe(name, tuple(_members(name, groups)), seed)
    if not name.endswith(".py") and name not in PHENOMENA.names():
        raise unknown(
            "phenomenon or suite",
            name,
            [*PHENOMENA.names(), *SUITES],
            f"Your own file works too: ./{name}.py",
        )
    return Recipe(name, ((_phenomenon(name), groups or GROUPS),), seed)


def load(name: str, groups: str = "") -> Dataset | None:
    """The dataset of a phenomenon, a suite or a user's own phenomenon; None where the name means none of these."""
    stem = name.rpartition("@")[0] or name
    if groups and not groups.isdigit():
        raise InputError(f"groups are a whole number, not '{groups}'")
    known = stem in SUITES or stem in PHENOMENA.names()
    if not known and not (stem.endswith(".py") and isinstance(PHENOMENA.find(stem), Phenomenon)):
        return None
    return recipe(name, int(groups) if groups else None).dataset()


def conditions(name: str) -> list[str]:
    """The conditions that the phenomenon or all members of the suite promise to balance; none for other data."""
    stem = name.rpartition("@")[0] or name
    if stem.endswith(".py") or stem in PHENOMENA.names():
        found = PHENOMENA.find(stem)
        return list(found.conditions) if isinstance(found, Phenomenon) else []
    return []


def parts(name: str, groups: int | None, seed: int) -> Iterator[Part]:
    """A recipe cut into stretches, in the order in which their items stand."""
    for member, (_, count) in enumerate(recipe(name, groups, seed).parts):
        for first in range(0, count, PART):
            yield Part(name, groups, seed, member, first, min(first + PART, count))


def maker() -> Callable[[Part], list[Item]]:
    """What a worker does: the items of a part."""

    def make(part: Part) -> list[Item]:
        plan = recipe(part.name, part.groups, part.seed)
        phenomenon = plan.parts[part.member][0]
        return [
            item for index in range(part.first, part.last) for item in phenomenon.make_group(index, plan.seed)
        ]

    return make


def write(
    name: str,
    path: Path,
    *,
    groups: int | None = None,
    seed: int = 0,
    told: Told | None = None,
    scatter: Scatter | None = None,
) -> dict[str, Any]:
    """Make and check the pairs batch by batch, write them to `path`, and a card beside it; returns the card.

    With `scatter` others make the items; they are checked and written here, so the bytes are the same.
    """
    plan = recipe(name, groups, seed)
    items = plan.stream()
    if scatter:
        items = (item for made in scatter(maker, parts(name, groups, seed)) for item in made)
    if path.suffix not in (".jsonl", ".parquet"):
        raise InputError(f"{path}: a file of pairs ends in .jsonl or .parquet")
    watch = _Watch(plan, told)
    sink = _parquet if path.suffix == ".parquet" else _json_lines
    sink(path, watch.batches(items))
    card = {
        "name": plan.name,
        "seed": plan.seed,
        "version": version("grice"),
        "groups": {phenomenon.name: n for phenomenon, n in plan.parts},
        "pairs": watch.pairs,
        "labels": {reading: dict(sorted(labels.items())) for reading, labels in sorted(watch.labels.items())},
        "findings": [finding.to_json() for finding in watch.findings()],
        "sha256": sha256_of(path),
    }
    with write_atomically(path.with_suffix(".card.json")) as out:
        out.write(json.dumps(card, ensure_ascii=False, indent=1) + "\n")
    return card


@dataclass
class _Watch:
    """Looks at every batch on its way to the file: counts, labels, quick checks, balance. Its size does not grow."""

    plan: Recipe
    told: Told | None
    pairs: int = 0
    labels: dict[str, Counter[str]] = field(default_factory=dict)
    found: list[Finding] = field(default_factory=list)
    taken: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)

    def batches(self, items: Iterator[Item]) -> Iterator[list[Item]]:
        while batch := list(islice(items, BATCH)):
            self.look(batch)
            yield batch
            if self.told:
                self.told(self.pairs, self.plan.pairs)

    def look(self, batch: Sequence[Item]) -> None:
        self.pairs += len(batch)
        self.found = merged([*self.found, *quick(_texts(batch))])
        declared = {phenomenon.name: tuple(phenomenon.conditions) for phenomenon, _ in self.plan.parts}
        last = None
        for item in batch:
            for reading, label in item.gold.items():
                self.labels.setdefault(reading, Counter())[str(label)] += 1
            if item.group != last:
                last = item.group
                name = str(item.tags["phenomenon"])
                for tag in declared[name]:
                    self.taken.setdefault((name, tag), Counter())[str(item.tags[tag])] += 1

    def findings(self) -> list[Finding]:
        """The quick ones, and whether the conditions came out as evenly as was promised."""
        uneven = [
            finding
            for (name, tag), counts in self.taken.items()
            for finding in balance(_as_rows(name, tag, counts), [tag])
        ]
        return [*self.found, *uneven]


def _texts(batch: Sequence[Item]) -> pl.DataFrame:
    """Only what the quick checks read."""
    readings = dict.fromkeys(reading for item in batch for reading in item.gold)
    return pl.DataFrame(
        {
            "id": [item.id for item in batch],
            "premise": [item.premise for item in batch],
            "hypothesis": pl.Series([item.hypothesis for item in batch], dtype=pl.String),
            **{GOLD + r: pl.Series([item.gold.get(r) for item in batch], strict=False) for r in readings},
        }
    )


def _as_rows(name: str, tag: str, counts: Counter[str]) -> pl.DataFrame:
    """The least rows that are as uneven as the counts, scaled down where there are many."""
    scale = max(1, max(counts.values()) // 1000)
    values = [value for value, count in counts.items() for _ in range(max(1, count // scale))]
    return pl.DataFrame(
        {"group": list(range(len(values))), TAG + "phenomenon": [name] * len(values), TAG + tag: values}
    )


def _members(suite: str, groups: int | None) -> Iterator[tuple[Phenomenon, int]]:
    if suite == "imppres":
        yield from ((_phenomenon(name), groups or GROUPS) for name in IMPPRES)
        return
    every = [_phenomenon(name) for name in PHENOMENA.names() if _built_in(name)]
    if suite == "full":
        yield from ((phenomenon, groups or GROUPS) for phenomenon in every)
        return
    chosen = [phenomenon for phenomenon in every if phenomenon.name not in NOT_CORE]
    share = CORE_PAIRS / len(chosen)
    yield from ((phenomenon, groups or max(1, round(share / phenomenon.rows))) for phenomenon in chosen)


def _built_in(name: str) -> bool:
    """A suite is the same for everyone, whatever else is installed."""
    return importlib.util.find_spec(f"{PHENOMENA.package}.{name}") is not None


def _phenomenon(name: str) -> Phenomenon:
    found = PHENOMENA.find(name)
    if not isinstance(found, Phenomenon):
        raise InputError(f"'{name}' defines no Phenomenon; see the tutorial docs/add_a_phenomenon.md")
    return found


def _json_lines(path: Path, batches: Iterable[list[Item]]) -> None:
    encode = json.JSONEncoder(ensure_ascii=False).encode
    with write_atomically(path) as out:
        for batch in batches:
            out.write("".join(encode(item.to_json()) + "\n" for item in batch))


def _parquet(path: Path, batches: Iterable[list[Item]]) -> None:
    """Each batch a file of its own in a folder beside the target, then all of them as one, never all in memory."""
    import tempfile

    with write_atomically(path, binary=True) as out, tempfile.TemporaryDirectory(dir=path.parent) as folder:
        parts = []
        for number, batch in enumerate(batches):
            parts.append(Path(folder) / f"{number}.parquet")
            frame_of(batch, None, NLI).write_parquet(parts[-1])
        lists = {
            c
            for part in parts
            for c, kind in pl.read_parquet_schema(part).items()
            if kind == pl.List(pl.String)
        }
        pl.concat([_with_lists(part, lists) for part in parts], how="diagonal").sink_parquet(out)


def _with_lists(part: Path, lists: set[str]) -> pl.LazyFrame:
    """A tag that holds several values anywhere holds a list everywhere."""
    schema = pl.read_parquet_schema(part)
    single = [c for c in schema if c in lists and schema[c] == pl.String]
    return pl.scan_parquet(part).with_columns(pl.concat_list(c) for c in single)
