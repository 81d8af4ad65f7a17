"""Generation of pairs of a phenomenon or suite, as a Dataset or as a checked file: `grice make`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, overload

from grice.checks.check import BatchChecker
from grice.checks.findings import Finding
from grice.cluster import Cluster
from grice.core.dataset import Dataset
from grice.core.files import sha256_of, write_atomically
from grice.core.item import Item
from grice.core.progress import ProgressCallback, bar
from grice.core.sampling import Slice
from grice.generate.suites import Suite, find_suite
from grice.generate.writing import write_items

BATCH = 5_000


@dataclass(frozen=True)
class MadeFile:
    """A file of generated pairs and its card: counts, labels, findings of the checks, hash."""

    path: Path
    name: str
    seed: int
    version: str
    groups: Mapping[str, int]
    pairs: int
    labels: Mapping[str, Mapping[str, int]]
    findings: tuple[Finding, ...]
    sha256: str

    @property
    def failed(self) -> bool:
        """True if the checks found an error."""
        return any(finding.severity == "error" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return the card as it is written beside the file."""
        card = {key: value for key, value in vars(self).items() if key != "path"}
        return {**card, "findings": [finding.to_json() for finding in self.findings]}


@overload
def make(
    phenomenon: str,
    *,
    groups: int | None = None,
    seed: int = 0,
    out: None = None,
    engine: str = "local",
    workers: int = 2,
    progress: ProgressCallback | None = None,
) -> Dataset: ...
@overload
def make(
    phenomenon: str,
    *,
    groups: int | None = None,
    seed: int = 0,
    out: str | Path,
    part: str = "",
    engine: str = "local",
    workers: int = 2,
    progress: ProgressCallback | None = None,
) -> MadeFile: ...
def make(
    phenomenon: str,
    *,
    groups: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    part: str = "",
    engine: str = "local",
    workers: int = 2,
    progress: ProgressCallback | None = None,
) -> Dataset | MadeFile:
    """Generate pairs of a phenomenon, a suite, or your own file `./mine.py`.

    The suites are core, full, imppres and people.

    `groups` is the number of groups of each phenomenon (default 100; core has its own). The same
    `seed` gives the same pairs; `name@7` gives the seed too. Without `out` the pairs are returned
    as a Dataset. With `out`, a `.jsonl` or `.parquet` file, they are checked and written batch by
    batch, a card is written beside the file, and the `MadeFile` is returned. `part="2/4"`
    writes the second of four files whose lines together are those of the whole. `engine="ray"` uses
    `workers` of a Ray cluster; the bytes are the same. `progress` is called with the number of
    pairs done and in total; without it a progress bar is shown.

    >>> data = make("quantifiers", groups=2, seed=7)
    >>> data.name, len(data)
    ('quantifiers@7', 30)
    """
    suite = find_suite(phenomenon, groups, seed)
    scatter = Cluster(engine, workers).map if engine == "ray" else None
    own_part = Slice.parse(part) if part else None
    if out is None:
        return suite.dataset(scatter)
    with nullcontext(progress) if progress else bar(f"make {phenomenon}", "pairs") as draw:
        return _write(suite, suite.stream(scatter, own_part), Path(out), draw)


def _write(suite: Suite, items: Iterator[Item], path: Path, progress: ProgressCallback) -> MadeFile:
    checker = BatchChecker({member.name: tuple(member.conditions) for member, _ in suite.members})
    write_items(path, _checked(items, checker, suite.pairs, progress))
    dataset_file = MadeFile(
        path=path,
        name=suite.name,
        seed=suite.seed,
        version=version("grice"),
        groups={member.name: count for member, count in suite.members},
        pairs=checker.pairs,
        labels={
            reading: dict(sorted(counts.items()))
            for reading, counts in sorted(checker.labels.items())
        },
        findings=tuple(checker.findings()),
        sha256=sha256_of(path),
    )
    with write_atomically(path.with_suffix(".card.json")) as out:
        out.write(json.dumps(dataset_file.to_json(), ensure_ascii=False, indent=1) + "\n")
    return dataset_file


def _checked(
    items: Iterator[Item], checker: BatchChecker, total: int, progress: ProgressCallback
) -> Iterator[list[Item]]:
    """Yield the items, checking each batch before it is written."""
    while batch := list(islice(items, BATCH)):
        checker.add(batch)
        yield batch
        progress(checker.pairs, total)
