"""Mine a corpus into a file of pairs: in parallel, in the same order, and resumable."""

from __future__ import annotations

import glob
import hashlib
import itertools
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

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
NOTED = {"parts", "bytes", "counts", "finished"}
PartRunner = Callable[
    [Callable[[], Callable[[Sequence[Record]], MinedPart]], Iterable[Sequence[Record]]],
    Iterator[MinedPart],
]


@dataclass(frozen=True)
class PartFiles:
    """The pairs that were mined so far, and the note of how far that is."""

    mined: Path
    state: Path


@dataclass(frozen=True)
class MiningJob:
    """A corpus, the file to write, what is mined, and how many pairs are sampled.

    Attributes:
        part: (I, N) for the I-th of N parts of the corpus.
    """

    corpus: Path
    out: Path
    task: Task
    sampling: Sampling = KEEP_ALL
    field: str = ""
    limit: int | None = None
    part: tuple[int, int] | None = None

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

    An interrupted run resumes where it stopped. A job with `part` leaves its pairs beside the
    output, and the job without joins all such parts.

    Args:
        run_parts: Runs the parts elsewhere than in this process.

    Raises:
        InputError: The corpus does not exist, or a part of it was not mined to its end.
        Busy: Another process mines into the same file.
    """
    if not job.corpus.exists():
        raise InputError(f"{job.corpus}: no such file or folder; check the path")
    to_write(job.out)
    files = _part_files(job, job.part) if job.part else _part_files(job)
    job.out.parent.mkdir(parents=True, exist_ok=True)
    finished = [] if job.part else _finished_parts(job)
    with ExitStack() as after, files.mined.open("ab") as out:
        if hold(out.fileno()) is False:
            fact = "another process is mining into this file"
            raise Busy(f"{job.out}: {fact}; wait for it or stop it")
        after.callback(_remove_unresumable, files)
        if finished:
            counts = _join_parts(finished, out)
        else:
            counts = _mine_blocks(job, files, out, run_parts, progress)
        if job.part:
            return {"file": str(files.mined), **dict(sorted(counts.items()))}
        written, short = _write_sample(job, files.mined)
        for part in (files, *finished):
            part.state.unlink(missing_ok=True)
        for part in finished:
            part.mined.unlink()
    if progress is not None:
        progress(counts["sentences"], max(1, counts["sentences"]))
    lacking = {f"short of {value}": shortage for value, shortage in short.items()}
    return {"file": str(job.out), "written": written, **lacking, **dict(sorted(counts.items()))}


def _mine_blocks(
    job: MiningJob,
    files: PartFiles,
    out: BinaryIO,
    run_parts: PartRunner | None,
    progress: ProgressCallback | None,
) -> Counter[str]:
    """Mine the sentences of a job in blocks, note each that is done, and return the counts."""
    fingerprint = job.fingerprint
    done, counts = _resume(fingerprint, files)
    start, stop = _bounds(job)
    blocks = itertools.islice(_blocks(job), start + done, stop)
    make = partial(partial, mine_part, job.task)
    for block in run_parts(make, blocks) if run_parts else map(make(), blocks):
        done += 1
        for stratum, item in block.items:
            line = json.dumps([stratum, item.to_json()], ensure_ascii=False)
            out.write(f"{line}\n".encode())
        counts += block.counts
        _note(files, out, fingerprint, done, counts)
        if progress is not None:
            progress(counts["sentences"], counts["sentences"] + 1)
    if job.part:
        _note(files, out, fingerprint, done, counts, is_finished=True)
    return counts


def _note(
    files: PartFiles,
    out: BinaryIO,
    fingerprint: str,
    done: int,
    counts: Counter[str],
    *,
    is_finished: bool = False,
) -> None:
    out.flush()
    note = {"fingerprint": fingerprint, "parts": done, "finished": is_finished}
    with write_atomically(files.state) as file:
        file.write(json.dumps({**note, "bytes": out.tell(), "counts": counts}))


def _blocks(job: MiningJob) -> Iterator[list[Record]]:
    records = read_records(job.corpus, field=job.field, limit=job.limit)
    return iter(lambda: list(itertools.islice(records, PART)), [])


def _bounds(job: MiningJob) -> tuple[int, int | None]:
    """Return the first block of a job and the one behind its last; parts differ by one at most."""
    if job.part is None:
        return 0, None
    number, of = job.part
    total = sum(1 for _ in _blocks(job))
    return total * (number - 1) // of, total * number // of


def _part_files(job: MiningJob, part: tuple[int, int] | None = None) -> PartFiles:
    name = f"{job.out.name}.{part[0]}-of-{part[1]}" if part else job.out.name
    return PartFiles(job.out.with_name(f"{name}.part"), job.out.with_name(f"{name}.state"))


def _finished_parts(job: MiningJob) -> list[PartFiles]:
    """Return the parts that were mined on their own, in order; empty if there are none.

    Raises:
        InputError: One of them is missing, unfinished or of another job.
    """
    names = (path.name for path in job.out.parent.glob(f"{glob.escape(job.out.name)}.*-of-*.state"))
    totals = {int(name.removesuffix(".state").rpartition("-of-")[2]) for name in names}
    if not totals:
        return []
    of = max(totals)
    parts = [_part_files(job, (number, of)) for number in range(1, of + 1)]
    for number, part in enumerate(parts, 1):
        note = _read_note(job.fingerprint, part)
        if note is None or not note["finished"]:
            fact = "is missing, not finished or of another corpus or other flags"
            hint = f"run it with --part {number}/{of}, or remove the files of the parts"
            raise InputError(f"{part.mined}: this part {fact}; {hint}")
    return parts


def _join_parts(parts: Sequence[PartFiles], out: BinaryIO) -> Counter[str]:
    """Copy the pairs of parts to `out`, and return the sum of their counts."""
    counts: Counter[str] = Counter()
    os.truncate(out.fileno(), 0)
    for part in parts:
        with part.mined.open("rb") as file:
            shutil.copyfileobj(file, out)
        counts += Counter(json.loads(part.state.read_text(encoding="utf-8"))["counts"])
    out.flush()
    return counts


def _remove_unresumable(files: PartFiles) -> None:
    """Remove what was mined unless a state file says how far it is complete."""
    if not files.state.exists():
        files.mined.unlink(missing_ok=True)


def _resume(fingerprint: str, files: PartFiles) -> tuple[int, Counter[str]]:
    """Return the blocks and counts of an earlier run of the same job; cut off what is not noted."""
    note = _read_note(fingerprint, files) or {"parts": 0, "bytes": 0, "counts": {}}
    os.truncate(files.mined, note["bytes"])
    return note["parts"], Counter(note["counts"])


def _read_note(fingerprint: str, files: PartFiles) -> dict[str, Any] | None:
    """Return what an earlier run of the same job noted; None if there is no such note."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        note: dict[str, Any] = json.loads(files.state.read_text(encoding="utf-8"))
        is_same = note["fingerprint"] == fingerprint
        if is_same and files.mined.stat().st_size >= note["bytes"] and {*note} >= NOTED:
            return note
    return None


def _files(corpus: Path) -> list[Path]:
    return [corpus] if corpus.is_file() else sorted(p for p in corpus.rglob("*") if p.is_file())


def _write_sample(job: MiningJob, mined: Path) -> tuple[int, dict[str, str]]:
    """Write the pairs that the sampling keeps; return their number and what is lacking."""
    sampling, sampled, short = job.sampling, None, dict[str, str]()
    if sampling.each or sampling.shares is not None:
        sampled, short = sample_lines(mined, sampling)
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
    return count, short
