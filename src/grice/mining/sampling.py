"""Which of the mined pairs are kept: so many of each stratum, by length or by lot, and a few for people to check."""

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

# The size of ConjNLI's adversarial training set.
ADVERSARIAL = 15_000


@dataclass(frozen=True)
class Sampling:
    """How many pairs of each stratum are kept: the shortest, or any, drawn by the seed; `each` of 0 keeps all."""

    each: int = 0
    shortest: bool = False
    strata: tuple[str, ...] = ()
    seed: int = 0


KEEP_ALL = Sampling()


def sampling_recipe(name: str, *, each: int = 0, seed: int = 0) -> Sampling:
    """A named sampling: `adversarial` is ConjNLI's training set, equal thirds of and, or (with nor) and but."""
    if name != "adversarial":
        raise InputError(f"there is no recipe '{name}'; there is: adversarial")
    return Sampling(each or ADVERSARIAL // 3, strata=("and", "or", "but"), seed=seed)


def sample_lines(mined: Path, sampling: Sampling) -> set[int]:
    """The numbers of the lines to keep of a file of `[stratum, item]` lines.

    Groups are kept or left whole, the same text once; memory grows with the sample alone.
    """
    heaps: dict[str, list[tuple[Any, ...]]] = {}
    for stratum, lines, item in _groups(mined):
        if sampling.strata and stratum not in sampling.strata:
            continue
        lot = int.from_bytes(draw(f"{sampling.seed}/{item['premise']}/{item.get('hypothesis')}"), "big")
        heap = heaps.setdefault(stratum, [])
        # A heap keeps its largest: the smallest rank must be the largest key.
        entry = ((-len(item["premise"].split()), -lot) if sampling.shortest else (-lot,), lines)
        if any(entry[0] == other[0] for other in heap):
            continue
        if len(heap) < sampling.each:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    return {line for heap in heaps.values() for _, lines in heap for line in lines}


def write_review_sample(pairs: Path, count: int, seed: int) -> Path:
    """Write the `count` most doubtful pairs to a file beside theirs, equals drawn by the seed, and return its path.

    Memory grows with the sample alone.
    """
    sample = pairs.with_name(f"{pairs.stem}.review.jsonl")
    with pairs.open(encoding="utf-8") as lines:
        ranked = (
            (float(json.loads(line)["tags"].get("confidence", 1)), draw(f"{seed}/{line}"), line) for line in lines
        )
        chosen = heapq.nsmallest(count, ranked)
    with write_atomically(sample) as out:
        out.writelines(line if line.endswith("\n") else line + "\n" for _, _, line in chosen)
    return sample


def draw(key: str) -> bytes:
    """Eight bytes that look random and are the same for the same key."""
    return hashlib.blake2b(key.encode(), digest_size=8).digest()


def _groups(mined: Path) -> Iterator[tuple[str, tuple[int, ...], dict[str, Any]]]:
    """Lines that belong together: both environments of a sentence; a conjunct's change stands alone."""
    with mined.open("rb") as file:
        rows = ((number, *json.loads(line)) for number, line in enumerate(file))
        for _, group in itertools.groupby(rows, key=lambda row: (row[1], _group_key(row[2]))):
            members = list(group)
            yield members[0][1], tuple(row[0] for row in members), members[0][2]


def _group_key(item: Mapping[str, Any]) -> str:
    return str(item["group"]) if "environment" in item["tags"] else str(item["id"])
