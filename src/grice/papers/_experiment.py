"""Many trainings as one experiment: each waits for those it starts from, several run side by side, finished ones stay."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from grice.core.errors import GriceError
from grice.core.files import write_atomically
from grice.finishing import ANSWERS
from grice.report.progress import bar
from grice.training import Course, train


@dataclass(frozen=True)
class Unit:
    """One training into `place` below the experiment's folder, once the units of the places in `after` are done."""

    place: str
    learner: str
    course: Course
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
    """Units that wait, in their order; a unit is ready when all it starts from is done."""

    waiting: list[Unit]
    done: set[str] = field(default_factory=set)

    def ready(self) -> Unit | None:
        found = next((unit for unit in self.waiting if self.done.issuperset(unit.after)), None)
        if found is not None:
            self.waiting.remove(found)
        return found


def run(units: Iterable[Unit], folder: Path, *, workers: int = 1) -> None:
    """Train all, at most `workers` at once, each worker a process of its own; what is finished is not done again."""
    waiting = list({unit.place: unit for unit in units}.values())
    if workers == 1:
        for unit in waiting:
            _train(unit, folder, quiet=False)
        return
    queue, total = _Queue(waiting), len(waiting)
    busy: dict[Future[None], Unit] = {}
    with (
        ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=_share_cores, initargs=(workers,)
        ) as pool,
        bar(f"training into {folder}", "models") as draw,
    ):
        try:
            while queue.waiting or busy:
                while len(busy) < workers and (ready := queue.ready()):
                    busy[pool.submit(_train, ready, folder, quiet=True)] = ready
                ended, _ = wait(busy, return_when=FIRST_COMPLETED)
                for one in ended:
                    unit = busy.pop(one)
                    _check(one, unit)
                    queue.done.add(unit.place)
                draw(len(queue.done), total)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _share_cores(workers: int) -> None:
    """In a worker, before torch is loaded: it would take every core, and so would each of the others."""
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))


def _check(ended: Future[None], unit: Unit) -> None:
    try:
        ended.result()
    except GriceError as error:
        error.args = (f"{unit.place}: {error}",)
        raise error from None
    except BrokenProcessPool:
        raise GriceError(
            f"{unit.place}: its process was ended, perhaps for want of memory; the same command with fewer --workers goes on"
        ) from None


def _train(unit: Unit, folder: Path, *, quiet: bool) -> None:
    train(
        unit.learner,
        unit.course,
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
