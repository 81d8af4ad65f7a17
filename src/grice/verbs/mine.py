"""Mining from the outside: a corpus in, a file of pairs out; parallel, resumable, sampled. What `grice mine` does."""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from grice.cluster import Cluster
from grice.core.errors import InputError
from grice.core.files import write_atomically
from grice.mining.corpora import Record, records
from grice.mining.work import Mined, Task, worker

# Fixed, so that what is parsed together, and hence the output, does not depend on the number of workers.
PART = 200


@dataclass(frozen=True)
class Sample:
    """How many pairs of each stratum are kept: the shortest, or any, drawn by the seed; `each` of 0 keeps all."""

    each: int = 0
    shortest: bool = False
    strata: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True)
class Plan:
    """A whole run of the miner."""

    corpus: Path
    out: Path
    task: Task
    sample: Sample = Sample()
    field: str = ""
    limit: int | None = None
    workers: int = 1
    engine: str = "local"

    @property
    def fingerprint(self) -> str:
        """What must be the same for a run to be gone on with: all but where the work is done."""
        stat = [(p.name, p.stat().st_size) for p in _parts_of(self.corpus)]
        task = [
            self.task.pairer,
            self.task.parser,
            self.task.trees,
            self.task.gate,
            sorted(self.task.options.items()),
        ]
        content = json.dumps([str(self.corpus), stat, task, self.field, self.limit], default=str)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


Progress = Callable[[int, int], None]


def mine(plan: Plan, progress: Progress | None = None) -> dict[str, Any]:
    """Write the pairs of a corpus and say what was found, skipped and dropped; a broken run goes on where it stopped."""
    if not plan.corpus.exists():
        raise InputError(f"{plan.corpus}: no such file or folder; check the path")
    beside = plan.out.with_name(plan.out.name + ".part")
    state = plan.out.with_name(plan.out.name + ".state")
    done, counts = _begun(plan, beside, state)
    plan.out.parent.mkdir(parents=True, exist_ok=True)
    parts = itertools.islice(_batched(records(plan.corpus, field=plan.field, limit=plan.limit)), done, None)
    with beside.open("r+b" if done else "wb") as out:
        out.seek(0, os.SEEK_END)
        for mined in _through(plan, parts):
            done += 1
            for stratum, item in mined.items:
                out.write((json.dumps([stratum, item.to_json()], ensure_ascii=False) + "\n").encode())
            counts += mined.counts
            out.flush()
            _note(
                state, {"fingerprint": plan.fingerprint, "parts": done, "bytes": out.tell(), "counts": counts}
            )
            if progress is not None:
                progress(counts["sentences"], counts["sentences"] + 1)
    written = _finish(plan, beside)
    beside.unlink()
    state.unlink(missing_ok=True)
    if progress is not None:
        progress(counts["sentences"], max(1, counts["sentences"]))
    return {"file": str(plan.out), "written": written, **dict(sorted(counts.items()))}


def _begun(plan: Plan, beside: Path, state: Path) -> tuple[int, Counter[str]]:
    """How far an earlier run of the same plan came; half a part that it left behind is cut off."""
    if not (beside.is_file() and state.is_file()):
        return 0, Counter()
    try:
        noted = json.loads(state.read_text(encoding="utf-8"))
        if noted["fingerprint"] != plan.fingerprint or beside.stat().st_size < noted["bytes"]:
            return 0, Counter()
    except (ValueError, KeyError):
        return 0, Counter()
    os.truncate(beside, noted["bytes"])
    return noted["parts"], Counter(noted["counts"])


def _note(state: Path, content: dict[str, Any]) -> None:
    with write_atomically(state) as out:
        out.write(json.dumps(content))


def _parts_of(corpus: Path) -> list[Path]:
    return [corpus] if corpus.is_file() else sorted(p for p in corpus.rglob("*") if p.is_file())


def _batched(stream: Iterable[Record]) -> Iterator[list[Record]]:
    source = iter(stream)
    while part := list(itertools.islice(source, PART)):
        yield part


def _through(plan: Plan, parts: Iterable[Sequence[Record]]) -> Iterator[Mined]:
    """Every part through the workers, results in the order of the parts."""
    return Cluster(plan.engine, plan.workers).map(partial(worker, plan.task), parts)


def _finish(plan: Plan, beside: Path) -> int:
    """Sample what was found and write it whole."""
    chosen = _sampled(beside, plan.sample) if plan.sample.each else None
    count = 0
    with beside.open("rb") as lines, write_atomically(plan.out) as out:
        for number, line in enumerate(lines):
            if chosen is None or number in chosen:
                out.write(json.dumps(json.loads(line)[1], ensure_ascii=False) + "\n")
                count += 1
    return count


def _sampled(beside: Path, sample: Sample) -> set[int]:
    """The lines to keep: groups are kept or left whole, the same text once; memory grows with the sample alone."""
    heaps: dict[str, list[tuple[Any, ...]]] = {}
    for stratum, lines, item in _groups(beside):
        if sample.strata and stratum not in sample.strata:
            continue
        draw = hashlib.blake2b(
            f"{sample.seed}/{item['premise']}/{item.get('hypothesis')}".encode(), digest_size=8
        ).hexdigest()
        rank = (len(item["premise"].split()), draw) if sample.shortest else (draw,)
        heap = heaps.setdefault(stratum, [])
        entry = (tuple(_reversed(r) for r in rank), lines)
        if any(entry[0] == other[0] for other in heap):
            continue
        if len(heap) < sample.each:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    return {line for heap in heaps.values() for _, lines in heap for line in lines}


def _reversed(value: int | str) -> int:
    """A heap keeps its largest: the smallest rank must be the largest key."""
    return -value if isinstance(value, int) else -int(value, 16)


def _groups(beside: Path) -> Iterator[tuple[str, tuple[int, ...], dict[str, Any]]]:
    """Lines that belong together: both environments of a sentence; a conjunct's change stands alone."""
    with beside.open("rb") as file:
        rows = ((number, *json.loads(line)) for number, line in enumerate(file))
        for _, group in itertools.groupby(rows, key=lambda row: (row[1], _tie(row[2]))):
            members = list(group)
            yield members[0][1], tuple(row[0] for row in members), members[0][2]


def _tie(item: Mapping[str, Any]) -> str:
    return str(item["group"]) if "environment" in item["tags"] else str(item["id"])


ADVERSARIAL = 15_000


def adversarial(recipe: str, each: int, seed: int) -> Sample:
    """ConjNLI's training set as a recipe: equal thirds of and, or (with nor) and but."""
    if recipe != "adversarial":
        raise InputError(f"there is no recipe '{recipe}'; there is: adversarial")
    return Sample(each or ADVERSARIAL // 3, strata=("and", "or", "but"), seed=seed)


def for_review(path: Path, count: int, seed: int) -> Path:
    """A sample of mined pairs beside the file, with a campaign in which people check them, as both papers did."""
    from grice.verbs.collect import begin

    lines = path.read_text(encoding="utf-8").splitlines()
    ranked = sorted(
        lines, key=lambda line: hashlib.blake2b(f"{seed}/{line}".encode(), digest_size=8).digest()
    )
    sample = path.with_name(f"{path.stem}.review.jsonl")
    with write_atomically(sample) as out:
        out.writelines(line + "\n" for line in ranked[:count])
    campaign = path.with_name(f"{path.stem}.review.toml")
    campaign.unlink(missing_ok=True)
    return begin("labels", campaign, str(sample))
