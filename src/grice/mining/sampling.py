"""Sample mined pairs: a number per stratum, by length or at random, and a few for review."""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.core.files import write_atomically
from grice.mining.balance import ADVERSARIAL, Shares, cell_of, count_cells, quotas, shortages

# The size of ConjNLI's adversarial training set.
N_ADVERSARIAL = 15_000


@dataclass(frozen=True)
class Sampling:
    """How many pairs per stratum to keep, the shortest or random ones; `each` of 0 keeps all.

    Attributes:
        shares: Draw `total` pairs of conjuncts with these shares instead.
    """

    each: int = 0
    shortest: bool = False
    seed: int = 0
    shares: Shares | None = None
    total: int = 0


KEEP_ALL = Sampling()


def sampling_recipe(name: str, *, seed: int = 0) -> Sampling:
    """Return a sampling by name.

    `adversarial` is ConjNLI's training set: equal thirds of and, or (with nor) and but, as far as
    the labels keep the shares of the released file.
    """
    if name != "adversarial":
        raise InputError(f"there is no recipe '{name}'; there is: adversarial")
    return Sampling(seed=seed, shares=ADVERSARIAL, total=N_ADVERSARIAL)


def sample_lines(mined: Path, sampling: Sampling) -> tuple[set[int], dict[str, str]]:
    """Return the numbers of the lines to keep of a file of `[stratum, item]` lines.

    Groups stay together, the same text is kept once, and memory grows with the sample alone. With
    shares also what the file has too few of.
    """
    shares, short = sampling.shares, dict[str, str]()
    limits: Mapping[Any, int] = {}
    if shares is not None:
        limits = quotas(count_cells(mined), shares, sampling.total)
        short = shortages(limits, shares, sampling.total)
    heaps: dict[Any, list[tuple[Any, ...]]] = {}
    for stratum, lines, item in _groups(mined):
        cell = stratum if shares is None else cell_of(stratum, item)
        limit = sampling.each if shares is None else limits.get(cell, 0)
        key = f"{sampling.seed}/{item['premise']}/{item.get('hypothesis')}"
        rank = int.from_bytes(draw(key), "big")
        heap = heaps.setdefault(cell, [])
        # A heap keeps its largest: the smallest rank must be the largest key.
        by_length = (-len(item["premise"].split()), -rank)
        entry = (by_length if sampling.shortest else (-rank,), lines)
        if limit == 0 or any(entry[0] == present[0] for present in heap):
            continue
        if len(heap) < limit:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    return {line for heap in heaps.values() for _, lines in heap for line in lines}, short


def write_review_sample(pairs: Path, count: int, seed: int) -> Path:
    """Write the `count` least confident pairs to a second file, and return its path.

    Ties are drawn by the seed. Memory grows with the sample alone.
    """
    sample = pairs.with_name(f"{pairs.stem}.review.jsonl")
    with pairs.open(encoding="utf-8") as lines:
        ranked = ((_confidence(line), draw(f"{seed}/{line}"), line) for line in lines)
        chosen = heapq.nsmallest(count, ranked)
    with write_atomically(sample) as out:
        out.writelines(line if line.endswith("\n") else line + "\n" for _, _, line in chosen)
    return sample


def _confidence(line: str) -> float:
    return float(json.loads(line)["tags"].get("confidence", 1))


def draw(key: str) -> bytes:
    """Return eight bytes that look random and are the same for the same key."""
    return hashlib.blake2b(key.encode(), digest_size=8).digest()


def _groups(mined: Path) -> Iterator[tuple[str, tuple[int, ...], dict[str, Any]]]:
    """Yield (stratum, line numbers, first item) of lines that belong together.

    These are both environments of a sentence; a changed conjunct is a group of its own.
    """
    with mined.open("rb") as file:
        rows = ((number, *json.loads(line)) for number, line in enumerate(file))
        for _, group in itertools.groupby(rows, key=lambda row: (row[1], _group_key(row[2]))):
            members = list(group)
            yield members[0][1], tuple(row[0] for row in members), members[0][2]


def _group_key(item: Mapping[str, Any]) -> str:
    return str(item["group"]) if "environment" in item["tags"] else str(item["id"])
