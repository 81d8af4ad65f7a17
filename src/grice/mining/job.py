"""Mine a corpus into a file of pairs: in parallel, in the same order, and resumable."""

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

# Fixed, so that what is parsed together, and hence the output, is the same for any number of
# workers.
PART = 500
# Pairs among which duplicates are written once.
MAX_REMEMBERED = 200_000
PartRunner = Callable[
    [Callable[[], Callable[[Sequence[Record]], MinedPart]], Iterable[Sequence[Record]]],
    Iterator[MinedPart],
]


@dataclass(frozen=True)
class MiningJob:
    """A corpus, the file to write, what is mined, and how many pairs are sampled."""

    corpus: Path
    out: Path
    task: Task
    sampling: Sampling = KEEP_ALL
    field: str = ""
    limit: int | None = None

    @property
    def fingerprint(self) -> str:
        """Return a hash of all but the sampling; an interrupted run resumes only if it is equal."""
        stat = [(p.name, p.stat().st_size) for p in _files(self.corpus)]
        task = self.task
        settings = [task.pairer, task.parser, task.trees, task.gate, task.keep, task.unlisted]
        settings += [sorted(task.options.items()), sorted((task.weights or {}).items())]
        parts = [str(self.corpus), stat, settings, self.field, self.limit, PART]
        content = json.dumps(parts, default=str)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


def run_job(
    job: MiningJob, *, run_parts: PartRunner | None = None, progress: ProgressCallback | None = None
) -> dict[str, Any]:
    """Write the pairs of a corpus, and return the file and counts of pairs and skips by reason.

    An interrupted run resumes where it stopped.

    Args:
        run_parts: Runs the parts elsewhere than in this process.

    Raises:
        InputError: The corpus does not exist.
        Busy: Another process mines into the same file.
    """
    if not job.corpus.exists():
        raise InputError(f"{job.corpus}: no such file or folder; check the path")
    mined = to_write(job.out).with_name(job.out.name + ".part")
    state = job.out.with_name(job.out.name + ".state")
    fingerprint = job.fingerprint
    job.out.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as after, mined.open("ab") as out:
        if hold(out.fileno()) is False:
            fact = "another process is mining into this file"
            raise Busy(f"{job.out}: {fact}; wait for it or stop it")
        after.callback(_remove_unresumable, mined, state)
        done, counts = _resume(fingerprint, mined, state)
        records = read_records(job.corpus, field=job.field, limit=job.limit)
        parts = itertools.islice(
            iter(lambda: list(itertools.islice(records, PART)), []), done, None
        )
        make = partial(partial, mine_part, job.task)
        for part in run_parts(make, parts) if run_parts else map(make(), parts):
            done += 1
            for stratum, item in part.items:
                line = json.dumps([stratum, item.to_json()], ensure_ascii=False)
                out.write(f"{line}\n".encode())
            counts += part.counts
            out.flush()
            note = {"fingerprint": fingerprint, "parts": done}
            with write_atomically(state) as file:
                file.write(json.dumps({**note, "bytes": out.tell(), "counts": counts}))
            if progress is not None:
                progress(counts["sentences"], counts["sentences"] + 1)
        written = _write_sample(job, mined)
        state.unlink(missing_ok=True)
    if progress is not None:
        progress(counts["sentences"], max(1, counts["sentences"]))
    return {"file": str(job.out), "written": written, **dict(sorted(counts.items()))}


def _remove_unresumable(mined: Path, state: Path) -> None:
    """Remove what was mined unless a state file says how far it is complete."""
    if not state.exists():
        mined.unlink(missing_ok=True)


def _resume(fingerprint: str, mined: Path, state: Path) -> tuple[int, Counter[str]]:
    """Return the parts and counts of an earlier run of the same job; cut off an incomplete part."""
    parts, size, counts = 0, 0, Counter[str]()
    with suppress(OSError, ValueError, KeyError, TypeError):
        note = json.loads(state.read_text(encoding="utf-8"))
        if note["fingerprint"] == fingerprint and mined.stat().st_size >= note["bytes"]:
            parts, size, counts = note["parts"], note["bytes"], Counter(note["counts"])
    os.truncate(mined, size)
    return parts, counts


def _files(corpus: Path) -> list[Path]:
    return [corpus] if corpus.is_file() else sorted(p for p in corpus.rglob("*") if p.is_file())


def _write_sample(job: MiningJob, mined: Path) -> int:
    """Write the pairs that the sampling keeps, and return their number."""
    sampled = sample_lines(mined, job.sampling) if job.sampling.each else None
    count, seen = 0, set[bytes]()
    with mined.open("rb") as lines, write_atomically(job.out) as out:
        for number, line in enumerate(lines):
            item = json.loads(line)[1]
            key = draw(f"{item['premise']}/{item.get('hypothesis')}")
            if key not in seen and (sampled is None or number in sampled):
                # A corpus repeats itself within short distances; memory must not grow with it.
                seen = {key} if len(seen) > MAX_REMEMBERED else seen
                seen.add(key)
                out.write(json.dumps(item, ensure_ascii=False) + "\n")
                count += 1
    return count
