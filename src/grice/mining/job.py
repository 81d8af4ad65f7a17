"""A corpus in, a file of pairs out: in parallel, in the same order whatever the workers, and resumable."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from grice.core.errors import Busy, InputError
from grice.core.files import hold, to_write, write_atomically
from grice.core.progress import ProgressCallback
from grice.mining.corpora import Record, read_records
from grice.mining.sampling import KEEP_ALL, Sampling, draw, sample_lines
from grice.mining.work import MinedPart, Task, mine_part

# Fixed, so that what is parsed together, and hence the output, does not depend on the number of workers.
PART = 500
# Pairs among which the same one is written once.
REMEMBERED = 200_000
PartRunner = Callable[
    [Callable[[], Callable[[Sequence[Record]], MinedPart]], Iterable[Sequence[Record]]], Iterator[MinedPart]
]


@dataclass(frozen=True)
class MiningJob:
    """A corpus, the file to write, what is mined, and how much of it is kept."""

    corpus: Path
    out: Path
    task: Task
    sampling: Sampling = KEEP_ALL
    field: str = ""
    limit: int | None = None

    @property
    def fingerprint(self) -> str:
        """A hash of everything but the sampling; an interrupted run is resumed only if it is the same."""
        stat = [(p.name, p.stat().st_size) for p in _files(self.corpus)]
        task = [self.task.pairer, self.task.parser, self.task.trees, self.task.gate, self.task.keep, self.task.unlisted]
        task += [sorted(self.task.options.items()), sorted((self.task.weights or {}).items())]
        content = json.dumps([str(self.corpus), stat, task, self.field, self.limit, PART], default=str)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


def run_job(
    job: MiningJob, *, run_parts: PartRunner | None = None, progress: ProgressCallback | None = None
) -> dict[str, Any]:
    """Write the pairs of a corpus and return the file and the counts of what was found, skipped and dropped.

    A run that was interrupted goes on where it stopped. `run_parts` runs the parts elsewhere than in this process.
    """
    if not job.corpus.exists():
        raise InputError(f"{job.corpus}: no such file or folder; check the path")
    mined = to_write(job.out).with_name(job.out.name + ".part")
    state = job.out.with_name(job.out.name + ".state")
    fingerprint = job.fingerprint
    job.out.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as after, mined.open("ab") as out:
        if hold(out.fileno()) is False:
            raise Busy(f"{job.out}: another process is mining into this file; wait for it or stop it")
        after.callback(_sweep, mined, state)
        done, counts = _resume(fingerprint, mined, state)
        records = read_records(job.corpus, field=job.field, limit=job.limit)
        parts = itertools.islice(iter(lambda: list(itertools.islice(records, PART)), []), done, None)
        make = partial(partial, mine_part, job.task)
        for part in run_parts(make, parts) if run_parts else map(make(), parts):
            done += 1
            for stratum, item in part.items:
                out.write((json.dumps([stratum, item.to_json()], ensure_ascii=False) + "\n").encode())
            counts += part.counts
            out.flush()
            note = {"fingerprint": fingerprint, "parts": done, "bytes": out.tell(), "counts": counts}
            with write_atomically(state) as noted:
                noted.write(json.dumps(note))
            if progress is not None:
                progress(counts["sentences"], counts["sentences"] + 1)
        written = _write_sample(job, mined)
        state.unlink(missing_ok=True)
    if progress is not None:
        progress(counts["sentences"], max(1, counts["sentences"]))
    return {"file": str(job.out), "written": written, **dict(sorted(counts.items()))}


def _sweep(mined: Path, state: Path) -> None:
    """Leave what was mined where a note tells how far it came; without one there is nothing to go on from."""
    if not state.exists():
        mined.unlink(missing_ok=True)


def _resume(fingerprint: str, mined: Path, state: Path) -> tuple[int, Counter[str]]:
    """How far an earlier run of the same job came; half a part that it left behind is cut off."""
    parts, size, counts = 0, 0, Counter[str]()
    with suppress(OSError, ValueError, KeyError, TypeError):
        noted = json.loads(state.read_text(encoding="utf-8"))
        if noted["fingerprint"] == fingerprint and mined.stat().st_size >= noted["bytes"]:
            parts, size, counts = noted["parts"], noted["bytes"], Counter(noted["counts"])
    os.truncate(mined, size)
    return parts, counts


def _files(corpus: Path) -> list[Path]:
    return [corpus] if corpus.is_file() else sorted(p for p in corpus.rglob("*") if p.is_file())


def _write_sample(job: MiningJob, mined: Path) -> int:
    """Write the pairs that the sampling keeps, and return how many there are."""
    kept = sample_lines(mined, job.sampling) if job.sampling.each else None
    count, seen = 0, set[bytes]()
    with mined.open("rb") as lines, write_atomically(job.out) as out:
        for number, line in enumerate(lines):
            item = json.loads(line)[1]
            key = draw(f"{item['premise']}/{item.get('hypothesis')}")
            if key not in seen and (kept is None or number in kept):
                # A corpus repeats itself nearby, and memory must not grow with it.
                seen = {key} if len(seen) > REMEMBERED else seen
                seen.add(key)
                out.write(json.dumps(item, ensure_ascii=False) + "\n")
                count += 1
    return count
