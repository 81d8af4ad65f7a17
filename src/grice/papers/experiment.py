"""Many trainings as one experiment: each waits for those it starts from, several run side by side, finished ones stay."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from grice import loading
from grice.core.errors import GriceError, InputError, NoMemory
from grice.core.files import write_atomically
from grice.core.progress import bar
from grice.learners.training.folder import ANSWERS
from grice.learners.training.spec import TrainingSpec
from grice.learners.training.trainer import train, validate_settings


@dataclass(frozen=True)
class Unit:
    """One training into `place` below the experiment's folder, once the units of the places in `after` are done."""

    place: str
    learner: str
    spec: TrainingSpec
    settings: Mapping[str, str]
    after: tuple[str, ...] = ()
    keep: bool = True


@dataclass(frozen=True)
class Experiment:
    """The trainings of a paper for one seed, and which of them answer for each printed row."""

    units: Sequence[Unit]
    rows: Mapping[str, Sequence[str]]

    def only(self, titles: Sequence[str]) -> Experiment:
        """The experiment for some of its rows: their units, and those these start from."""
        if not titles:
            return self
        rows = {title: self.rows[title] for title in titles}
        by_place = {unit.place: unit for unit in self.units}
        needed: dict[str, None] = {}

        def need(place: str) -> None:
            for other in by_place[place].after:
                need(other)
            needed[place] = None

        for places in rows.values():
            for place in places:
                need(place)
        return Experiment([unit for unit in self.units if unit.place in needed], rows)


@dataclass
class _Queue:
    """Units that wait, in their order; a unit is ready when all it starts from is done.

    While several `share` a device, one that finds no memory there is not given up: it is `cramped`.
    """

    waiting: list[Unit]
    share: bool = False
    cramped: list[Unit] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    failed: dict[str, GriceError] = field(default_factory=dict)

    def end(self, unit: Unit, result: Callable[[], None]) -> None:
        """Done, or given up with all that would start from it; the others go on."""
        try:
            result()
            self.done.add(unit.place)
        except GriceError as error:
            if self.share and isinstance(error, NoMemory):
                self.cramped.append(unit)
                return
            error.args = (f"{unit.place}: {error}",)
            self.failed[unit.place] = error
            lost = {unit.place}
            while more := {one.place for one in self.waiting if lost.intersection(one.after)} - lost:
                lost |= more
            self.waiting = [one for one in self.waiting if one.place not in lost]

    def ready(self) -> Unit | None:
        found = next((unit for unit in self.waiting if self.done.issuperset(unit.after)), None)
        if found is not None:
            self.waiting.remove(found)
        return found

    def again(self, *, share: bool) -> None:
        """Those that were cramped wait again, before all else."""
        self.waiting, self.cramped, self.share = self.cramped + self.waiting, [], share


def check(units: Iterable[Unit]) -> None:
    """Refuse settings that a unit's learner would refuse, before hours go into the others; nothing is written."""
    seen = set()
    for unit in units:
        same = unit.learner, frozenset(item for item in unit.settings.items() if item[0] != "seed")
        if same in seen:
            continue
        seen.add(same)
        try:
            validate_settings(unit.learner, unit.spec, unit.settings)
        except InputError as error:
            error.args = (f"{unit.place}: {error}",)
            raise


def run(units: Iterable[Unit], folder: Path, *, workers: int = 1) -> None:
    """Train all, at most `workers` at once, each worker a process of its own; what is finished is not done again.

    A training that fails takes down those that start from it alone; it is told when the others are done. One that
    found no memory beside others is tried again after them, with half as many at once.
    """
    queue = _Queue(list({unit.place: unit for unit in units}.values()), share=workers > 1)
    total = len(queue.waiting)
    if workers == 1:
        while unit := queue.ready():
            queue.end(unit, partial(_train, unit, folder, quiet=False))
    else:
        with bar(f"training into {folder}", "models") as draw:
            _side_by_side(queue, folder, workers, lambda: draw(len(queue.done), total))
            while queue.cramped:
                workers //= 2
                queue.again(share=workers > 1)
                _side_by_side(queue, folder, workers, lambda: draw(len(queue.done), total))
    for failed in queue.failed.values():
        left = total - len(queue.done)
        more = f" ({left} of {total} trainings are left; the same command goes on)" if left > 1 else ""
        failed.args = (f"{failed}{more}",)
        raise failed


def _side_by_side(queue: _Queue, folder: Path, workers: int, draw: Callable[[], None]) -> None:
    busy: dict[Future[None], Unit] = {}
    spawn = get_context("spawn")
    given = (workers, spawn.Value("i", 0))
    with ProcessPoolExecutor(workers, mp_context=spawn, initializer=_share, initargs=given) as pool:
        try:
            while True:
                while len(busy) < workers and (ready := queue.ready()):
                    busy[pool.submit(_train, ready, folder, quiet=True)] = ready
                if not busy:
                    break
                ended, _ = wait(busy, return_when=FIRST_COMPLETED)
                for one in ended:
                    queue.end(busy[one], one.result)
                    del busy[one]
                draw()
        except BrokenProcessPool:
            places = ", ".join(unit.place for unit in busy.values())
            raise GriceError(
                f"{places}: a process was ended, perhaps for want of memory; the same command with fewer --workers goes on"
            ) from None
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _share(workers: int, started: Any) -> None:
    """In a worker, before torch is loaded: it would take every core, and all of the first GPU, as would each other."""
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))
    os.environ.setdefault("PYTORCH_ALLOC_CONF", "expandable_segments:True")
    with started.get_lock():
        place = started.value
        started.value += 1
    from grice.learners.training.model import share_devices

    share_devices(place, workers)


def _train(unit: Unit, folder: Path, *, quiet: bool) -> None:
    train(
        unit.learner,
        unit.spec,
        load=loading.load,
        out=folder / unit.place,
        settings=unit.settings,
        keep=unit.keep,
        quiet=quiet,
    )


def gathered(folder: Path, title: str, places: Sequence[str]) -> str:
    """One file of the answers of all the units of a row, as a judge's name."""
    name = folder / "answers" / f"{title.replace('/', '-')}.jsonl"
    name.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(name) as out:
        for place in places:
            out.write((folder / place / ANSWERS).read_text(encoding="utf-8"))
    return f"preds/{name}"
