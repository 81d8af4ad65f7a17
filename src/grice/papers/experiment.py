"""A paper's models trained here, as `grice reproduce PAPER --train FOLDER` compares them."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from grice import loading
from grice.cluster import LOCAL, Cluster, Job
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError, MissingData, unknown
from grice.core.files import write_atomically
from grice.core.progress import bar
from grice.learners.training.folder import ANSWERS, DONE
from grice.learners.training.spec import TrainingSpec
from grice.learners.training.trainer import TrainingOptions, train, validate_settings

# A trial of minutes: the pairs of a training set, and the settings of every learner.
QUICK_PAIRS = 500
QUICK_SETTINGS = {"epochs": "1", "min_steps": "0", "evals_per_epoch": "1"}


@dataclass(frozen=True)
class ExperimentSettings:
    """Training settings: those of every job, and `KIND.key` for the jobs of one kind."""

    folder: Path
    settings: Mapping[str, str]
    seed: int
    slim: bool

    def for_kinds(self, *kinds: str, without: Sequence[str] = (), **usual: str) -> dict[str, str]:
        """Return the default settings, overridden by those of all jobs, of each kind, and the seed.

        `without` names settings that a kind does not take from those for every job.
        """
        plain = {
            key: value
            for key, value in self.settings.items()
            if "." not in key and key not in without
        }
        own = {
            key.removeprefix(f"{kind}."): value
            for kind in kinds
            for key, value in self.settings.items()
            if key.startswith(f"{kind}.")
        }
        return {**usual, **plain, **own, **({} if "seed" in without else {"seed": str(self.seed)})}

    def path_of(self, name: str) -> str:
        """Return the path of a job of this seed, below the folder."""
        return f"{name}/seed-{self.seed}"

    def folder_of(self, name: str) -> str:
        """Return the complete path of a job of this seed."""
        return str(self.folder / self.path_of(name))

    def job(
        self, name: str, learner: str, spec: TrainingSpec, settings: Mapping[str, str], *after: str
    ) -> TrainingJob:
        """Return a training of this seed, after those named; weights are kept unless slim."""
        paths = tuple(self.path_of(name) for name in after)
        return TrainingJob(self.path_of(name), learner, spec, settings, paths, not self.slim)


@dataclass(frozen=True)
class TrainingJob:
    """One training into `path` below the experiment's folder, after the jobs of paths `after`."""

    path: str
    learner: str
    spec: TrainingSpec
    settings: Mapping[str, str]
    after: tuple[str, ...] = ()
    keep: bool = True
    quick: bool = False

    def shorten(self) -> TrainingJob:
        """Return the job as a trial of minutes."""
        return replace(self, settings={**self.settings, **QUICK_SETTINGS}, quick=True)


@dataclass(frozen=True)
class TrainingPlan:
    """The trainings of a paper for one seed, and which of them answer for each printed row.

    `files` are datasets made for the models to answer, by the path that they are written to before.
    `needs` says of a printed row that is missing here which setting would enable it.
    """

    jobs: Sequence[TrainingJob]
    rows: Mapping[str, Sequence[str]]
    files: Mapping[Path, Callable[[], Dataset]] = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)

    def select(self, titles: Sequence[str]) -> TrainingPlan:
        """Return the plan for some of its rows, or all, with the jobs that they start from."""
        if not titles:
            return self
        rows = {title: self.rows[title] for title in titles}
        by_path = {job.path: job for job in self.jobs}
        needed: set[str] = set()
        pending = [path for paths in rows.values() for path in paths]
        while pending:
            path = pending.pop()
            needed.add(path)
            pending += by_path[path].after
        return TrainingPlan([job for job in self.jobs if job.path in needed], rows, self.files)


@dataclass(frozen=True)
class ModelExperiment:
    """The models of a paper: `plan` lists their trainings for a seed.

    `kinds` are what `-M KIND.key=…` may name, the trainings that share their settings; `stands_in`
    says which data and models replace those of the paper.
    """

    paper: str
    plan: Callable[[ExperimentSettings], TrainingPlan]
    kinds: Sequence[str] = ()
    stands_in: str = ""

    def train(
        self,
        folder: Path,
        settings: Mapping[str, str],
        *,
        seeds: Sequence[int] = (0,),
        rows: Sequence[str] = (),
        cluster: Cluster = LOCAL,
        slim: bool = False,
        quick: bool = False,
    ) -> tuple[list[dict[str, str]], str]:
        """Return the judges of each seed by the title of their printed row.

        The second value says which data were used in place of others. A `quick` training is a
        trial: one epoch over a small sample of each training set.
        """
        chosen = self._plans(folder, settings, seeds=seeds, rows=rows, slim=slim)
        # Rows in the outer order: every seed of the first row comes before the second row.
        jobs = [job for same in zip(*(plan.jobs for plan in chosen), strict=True) for job in same]
        jobs = [job.shorten() for job in jobs] if quick else jobs
        check_settings(jobs)
        for path, make in chosen[0].files.items():
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                make().write(path)
        train_jobs(jobs, folder, cluster)
        trial = f" A trial: one epoch over at most {QUICK_PAIRS} pairs a set." if quick else ""
        return [
            {
                title: collect_answers(folder, f"{title}-{seed}", paths)
                for title, paths in plan.rows.items()
            }
            for seed, plan in zip(seeds, chosen, strict=True)
        ], self.stands_in + trial

    def _plans(
        self,
        folder: Path,
        settings: Mapping[str, str],
        *,
        seeds: Sequence[int],
        rows: Sequence[str],
        slim: bool,
    ) -> list[TrainingPlan]:
        for key in settings:
            kind, dot, _ = key.partition(".")
            if dot and kind not in self.kinds:
                raise unknown(f"kind of training of {self.paper}", kind, self.kinds)
        plans = [self.plan(ExperimentSettings(folder, settings, seed, slim)) for seed in seeds]
        for title in rows:
            if title in plans[0].needs:
                raise InputError(f"--row '{title}' needs {plans[0].needs[title]}")
            if title not in plans[0].rows:
                raise unknown(f"row of {self.paper} to train", title, plans[0].rows)
        return [plan.select(rows) for plan in plans]


def check_settings(jobs: Iterable[TrainingJob]) -> None:
    """Raise an error for settings that a job's learner would refuse; nothing is written.

    It saves the hours that other jobs would take before.
    """
    seen = set()
    for job in jobs:
        same = job.learner, frozenset(item for item in job.settings.items() if item[0] != "seed")
        if same in seen:
            continue
        seen.add(same)
        try:
            validate_settings(job.learner, job.spec, job.settings)
        except InputError as error:
            error.args = (f"{job.path}: {error}",)
            raise


def train_jobs(jobs: Iterable[TrainingJob], folder: Path, cluster: Cluster) -> None:
    """Train all jobs, one at once for each worker of the cluster; finished jobs are skipped.

    A training that fails takes down those that start from it alone; its error is raised when the
    others are done. One that ran out of memory is tried again after them, with half as many at
    once. Workers on other machines must write to the same folder.
    """
    waiting = {job.path: Job(job.path, job, job.after) for job in jobs}
    elsewhere = cluster.engine == "ray" or cluster.workers > 1
    make = partial(partial, _train, folder=folder, quiet=elsewhere)
    with bar(f"training into {folder}", "models") if elsewhere else nullcontext() as draw:
        done, failed = cluster.run(waiting.values(), make, setup=_share, progress=draw)
    for name, error in failed.items():
        left = len(waiting) - len(done)
        more = (
            f" ({left} of {len(waiting)} trainings are left; the same command goes on)"
            if left > 1
            else ""
        )
        error.args = (f"{name or folder}: {error}{more}",)
        raise error
    for name in done:
        if not (folder / name / DONE).is_file():
            raise GriceError(
                f"{folder / name}: was trained on another machine, whose files are not here; use a"
                " folder that all machines share"
            )


def _share(worker: int, workers: int) -> None:
    """Limit the cores and GPU memory of a worker, before torch is loaded.

    Otherwise every worker would use all cores and all of the first GPU.
    """
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))
    os.environ.setdefault("PYTORCH_ALLOC_CONF", "expandable_segments:True")
    from grice.learners.training.model import share_devices

    share_devices(worker, workers)


def _train(job: TrainingJob, folder: Path, *, quiet: bool) -> None:
    out = folder / job.path
    small = {*job.spec.on, *job.spec.then, job.spec.adversarial, *job.spec.unlabelled}

    def load(name: str) -> Dataset:
        data = loading.load(name)
        if not (job.quick and name in small) or len(data) <= QUICK_PAIRS:
            return data
        rows = sorted(random.Random(0).sample(range(len(data)), QUICK_PAIRS))
        return replace(data, frame=data.frame[rows])

    options = TrainingOptions(keep_weights=job.keep, quiet=quiet)
    train(job.learner, job.spec, load=load, out=out, settings=job.settings, options=options)


def collect_answers(folder: Path, title: str, paths: Sequence[str]) -> str:
    """Write the answers of all jobs of a row to one file; return its name as a judge."""
    name = folder / "answers" / f"{title.replace('/', '-')}.jsonl"
    name.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(name) as out:
        for path in paths:
            out.write((folder / path / ANSWERS).read_text(encoding="utf-8"))
    return f"preds/{name}"


def available_sets(*names: str) -> list[str]:
    """Return those of these datasets that are in the data folder."""
    available = []
    for name in names:
        try:
            loading.load(name)
        except MissingData:
            continue
        available.append(name)
    return available
