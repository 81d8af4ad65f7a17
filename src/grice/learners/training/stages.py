"""Training learners by name on data by name: what `grice train` does."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import polars as pl

from grice import loading
from grice.core.dataset import GOLD, Dataset
from grice.core.errors import InputError, MissingExtra, unknown
from grice.core.judgement import Judge
from grice.core.progress import bar
from grice.core.run import Run, evaluate, join
from grice.core.scale import NLI
from grice.core.settings import whole
from grice.core.shelf import LEARNERS
from grice.judges.providers.trained import BODY
from grice.learners.training import folder
from grice.learners.training.examples import reading_of
from grice.learners.training.learner import Taught
from grice.learners.training.variants import conjoined, surrogates, together, without
from grice.models.checkpoint import checkpoint

MIXES = ("uniform", "proportional")
WAYS = ("aft", "iaft")


@dataclass(frozen=True)
class TrainingSpec:
    """What to learn, in order: `on` one task or, with `mix`, several; `then` a target after it.

    `adversarial` with `how=aft` is learnt after `on`; with `how=iaft` beside a fresh equal sample of `on` that
    contains conjunctions, in every epoch. `start` is a trained folder that takes the place of the first stage.
    `apart` names sets whose texts must not be among the training pairs; `ask` sets that are answered and scored
    like `dev` but choose nothing; `unlabelled` sets whose texts the teachers of a distilled model label.
    """

    on: Sequence[str]
    dev: Sequence[str] = ()
    then: Sequence[str] = ()
    mix: str = ""
    adversarial: str = ""
    how: str = ""
    start: str = ""
    apart: Sequence[str] = ()
    ask: Sequence[str] = ()
    unlabelled: Sequence[str] = ()
    surrogate: bool = False
    amount: int = 0

    def __post_init__(self) -> None:
        if self.mix and self.mix not in MIXES:
            raise unknown("way to mix tasks", self.mix, MIXES)
        if bool(self.adversarial) != bool(self.how) or (self.how and self.how not in WAYS):
            raise InputError(
                "adversarial training is --adversarial DATASET with --how aft or iaft, both or neither"
            )

    @property
    def staged(self) -> bool:
        return bool(self.then or self.how)

    @property
    def measured(self) -> list[str]:
        return list(dict.fromkeys([*self.dev, *self.ask]))


def train(
    learner: str,
    spec: TrainingSpec,
    *,
    out: Path,
    settings: Mapping[str, str] | None = None,
    seeds: int = 1,
    keep: bool = True,
    quiet: bool = False,
) -> list[dict[str, Any]]:
    """Train once, or once a seed; a row for each judge with its folder and its scores on the measured sets.

    A folder that holds this very training, finished, is taken as it is. Answers to the measured sets are left in its
    `answers.jsonl`, for `preds/…`; without `keep` they stay and the weights go (of several tasks the body stays).
    """
    given = dict(settings or {})
    if seeds == 1:
        return _once(learner, spec, out, given, keep=keep, quiet=quiet)
    first = whole("seed", given.get("seed", 0))
    places = {str(seed): out / f"seed-{seed}" for seed in range(first, first + seeds)}
    rows = [
        row
        for seed, place in places.items()
        for row in _once(learner, spec, place, {**given, "seed": seed}, keep=keep, quiet=quiet)
    ]
    return rows + _spread(spec, rows, list(places.values()))


def _once(
    learner: str, spec: TrainingSpec, out: Path, settings: dict[str, str], *, keep: bool, quiet: bool
) -> list[dict[str, Any]]:
    refuse(learner, spec, settings)
    request = _request(learner, spec, settings)
    with folder.alone(out):
        done = folder.finished(out, request, weights=keep)
        if done is None:
            folder.begin(out)
            judges = _trained(learner, spec, out, settings, quiet=quiet)
            done = _rows(judges, spec, out)
            folder.finish(out, request, done, weights=keep)
    return done


def refuse(learner: str, spec: TrainingSpec, settings: Mapping[str, str]) -> None:
    """Tell what is wrong with a training's settings, before anything is written."""
    make = LEARNERS.find(learner)
    first, later = _by_stage(settings)
    if later and not spec.staged:
        raise InputError(f"-M then.{next(iter(later))} is for a second stage: --then or --adversarial")
    if spec.unlabelled and not hasattr(make, "texts"):
        raise InputError("--unlabelled is for the learner 'distilled', whose teachers label the texts")
    if spec.how == "aft" and hasattr(make, "texts"):
        raise InputError(
            "--how aft has no base pairs for teachers to label; train 'encoder' with --from, or use --how iaft"
        )
    for key in ("out", "told"):
        if key in settings:
            raise InputError(f"-M {key}={settings[key]} is no setting of a training; -o names its folder")
    # A learner of one's own may do anything when it is made. What is finished is read without the extra, and a
    # training that is not says itself that it needs it.
    ours = isinstance(make, type) and issubclass(make, Taught)
    with suppress(MissingExtra):
        for given in (first, {**first, **later}) if ours else ():
            make(out=Path(), **given)


def _request(learner: str, spec: TrainingSpec, settings: Mapping[str, str]) -> dict[str, Any]:
    """All that decides what a training gives: two equal ones need not both be done."""
    make = LEARNERS.find(learner)
    names = [*spec.on, *spec.then, *filter(None, [spec.adversarial]), *spec.measured, *spec.apart]
    names += spec.unlabelled
    # A setting may name a file or several folders: vectors=FILE, teacher=A,B.
    places = [spec.start, *(part for value in settings.values() for part in value.split(","))]
    return {
        "learner": learner,
        "spec": {field.name: getattr(spec, field.name) for field in fields(spec)},
        "settings": dict(sorted(settings.items())),
        "data": {
            name: folder.mark_of(make.file(name)) if hasattr(make, "read") else loading.load(name).fingerprint
            for name in dict.fromkeys(names)
        },
        "weights": {place: folder.mark_of(Path(place)) for place in places if place and Path(place).exists()},
    }


def _trained(
    learner: str, spec: TrainingSpec, out: Path, settings: dict[str, str], *, quiet: bool
) -> dict[str, Judge]:
    """The judges of the last stage by task; an earlier stage lies beside it."""
    make = LEARNERS.find(learner)
    first, later = _by_stage(settings)
    if hasattr(make, "read"):
        return {"": _tagger(make, spec, out, first, quiet=quiet)}
    if not spec.staged:
        begun = {**first, **({"base": _body(Path(spec.start))} if spec.start else {})}
        return _stage(make, spec, out, begun, spec.on, spec.mix, quiet=quiet)
    start, place = spec.start, out
    if not start:
        plain = replace(spec, then=(), how="", adversarial="", ask=(), amount=0)
        if not spec.mix:
            plain = replace(plain, dev=_dev(spec, together([_ready(spec, name) for name in spec.on])))
        row = _once(learner, plain, out / "1", first, keep=True, quiet=quiet)[0]
        start, place = str(row["folder"]).partition("/")[2], out / "2"
    again = {**first, **later, "base": _body(Path(start))}
    if spec.how:
        return _adversarial(make, spec, place, again, quiet=quiet)
    return _stage(make, spec, place, again, spec.then, "", quiet=quiet)


def _by_stage(settings: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Settings of every stage, and those that `then.KEY` changes for the last."""
    later = {key.removeprefix("then."): value for key, value in settings.items() if key.startswith("then.")}
    return {key: value for key, value in settings.items() if not key.startswith("then.")}, later


def _body(folder: Path) -> str:
    """What of a trained folder another training starts from: of a predicate-aware model or of tasks, their encoder."""
    if not folder.is_dir():
        raise InputError(f"--from {folder}: no such folder; name one that grice train wrote")
    inner = next((folder / name for name in ("encoder", BODY) if (folder / name).is_dir()), folder)
    checkpoint(str(inner), provider="encoder").torch_files()
    return str(inner)


def _stage(
    make: Any,
    spec: TrainingSpec,
    out: Path,
    settings: dict[str, str],
    names: Sequence[str],
    mix: str,
    *,
    quiet: bool,
) -> dict[str, Judge]:
    with _told(str(out), quiet=quiet) as told:
        learner = _learner(make, spec, out, told, settings)
        if not mix:
            data = together([_ready(spec, name) for name in names])
            dev = {name: learner.lesson(_graded(spec, loading.load(name))) for name in _dev(spec, data)}
            return {"": learner.teach([learner.lesson(data)], dev)[0]}
        sets = {name: _ready(spec, name) for name in names}
        share = sum(map(len, sets.values())) // len(sets) if mix == "uniform" else None
        lessons = [learner.lesson(data, task=name, sample=share) for name, data in sets.items()]
        dev = {
            name: learner.lesson(loading.load(name), task=task) for task, name in _dev_of(sets, spec).items()
        }
        return dict(zip(sets, learner.teach(lessons, dev), strict=True))


def _adversarial(
    make: Any, spec: TrainingSpec, out: Path, settings: dict[str, str], *, quiet: bool
) -> dict[str, Judge]:
    """ConjNLI's Algorithm 1, or plain fine-tuning on the adversarial set alone."""
    with _told(str(out), quiet=quiet) as told:
        learner = _learner(make, spec, out, told, settings)
        hard = learner.lesson(loading.load(spec.adversarial))
        if spec.amount:
            hard = replace(hard, examples=hard.examples[: spec.amount])
        lessons = [hard]
        if spec.how == "iaft":
            base = learner.lesson(together([_ready(spec, name) for name in spec.on]))
            lessons.append(conjoined(base, len(hard.examples)))
        dev = {name: learner.lesson(loading.load(name)) for name in spec.dev}
        return {"": learner.teach(lessons, dev)[0]}


def _ready(spec: TrainingSpec, name: str) -> Dataset:
    data = loading.load(name)
    if spec.apart:
        data = without(data, [loading.load(other) for other in spec.apart])
    return surrogates(data) if spec.surrogate and data.scale == NLI else data


def _learner(make: Any, spec: TrainingSpec, out: Path, told: Any, settings: Mapping[str, str]) -> Any:
    learner = make(out=out, told=told, **settings)
    if spec.unlabelled:
        learner.texts = _texts(spec)
    return learner


def _texts(spec: TrainingSpec) -> list[tuple[str, str | None]]:
    held = {row for name in spec.measured for row in _pairs(loading.load(name))}
    found = (row for name in spec.unlabelled for row in _pairs(_ready(spec, name)))
    return list(dict.fromkeys(row for row in found if row not in held))


def _pairs(data: Dataset) -> Iterator[tuple[str, str | None]]:
    return data.frame.select("premise", "hypothesis").iter_rows()


def _graded(spec: TrainingSpec, data: Dataset) -> Dataset:
    return surrogates(data) if spec.surrogate and data.scale == NLI else data


def _dev(spec: TrainingSpec, data: Dataset) -> list[str]:
    """The dev sets on the scale at hand; an intermediate stage on another scale has none."""
    return [name for name in spec.dev if _graded(spec, loading.load(name)).scale == data.scale]


def _dev_of(sets: Mapping[str, Dataset], spec: TrainingSpec) -> dict[str, str]:
    """Each task's dev set: the named one that shares its source and all but the split."""
    stems = {_stem(dev): dev for dev in spec.dev}
    return {name: stems[_stem(name)] for name in sets if _stem(name) in stems}


def _stem(name: str) -> str:
    return name.rpartition("/")[0] or name


def _tagger(make: Any, spec: TrainingSpec, out: Path, settings: dict[str, str], *, quiet: bool) -> Any:
    """A learner that reads files of its own, such as `srl`."""
    with _told(str(out), quiet=quiet) as told:
        learner = _learner(make, spec, out, told, settings)
        lessons = [learner.read(name) for name in spec.on]
        return learner.tag(
            lessons,
            {name: learner.read(name) for name in spec.dev},
            {name: learner.read(name) for name in spec.ask},
        )


def _rows(judges: Mapping[str, Judge], spec: TrainingSpec, out: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    runs: dict[str, Run] = {}
    for task, judge in judges.items():
        row: dict[str, Any] = {"judge": judge.name, **({"task": task} if task else {})}
        row["folder"] = f"trained/{_folder(judge)}"
        for name in _measured(spec, task) if hasattr(judge, "judge") else ():
            data = _graded(spec, loading.load(name))
            runs[name] = evaluate(data, judge)
            row[name] = _score(data, runs[name])
        rows.append(row | dict(getattr(judge, "scores", {})))
    folder.write_answers(out, runs)
    return rows


def _measured(spec: TrainingSpec, task: str) -> list[str]:
    """What a judge of the last stage answers: no set of another task, none that chose an epoch on another scale."""
    if task:
        return [name for name in spec.measured if _stem(task) == _stem(name)]
    if not spec.then:
        return spec.measured
    return list(dict.fromkeys([*_dev(spec, _ready(spec, spec.then[0])), *spec.ask]))


def _score(data: Dataset, run: Run) -> float | None:
    """Accuracy, or Pearson's r on numbers; a set without gold has none."""
    if not data.readings:
        return None
    measure = loading.load_measure(f"{'pearson' if data.scale.numeric else 'accuracy'}:{reading_of(data)}")
    found = measure(join(data, run))
    return round(found.value, 4) if found else None


def _spread(
    spec: TrainingSpec, done: Sequence[Mapping[str, Any]], places: Sequence[Path]
) -> list[dict[str, Any]]:
    """Over seeds: the mean, its standard deviation, and how much of it items share (Zhou et al. 2020)."""
    rows = []
    for name in spec.measured:
        # A learner with scores of its own, or a set that is no task's, leaves no answers.
        if not any(name in row for row in done):
            continue
        data = _graded(spec, loading.load(name))
        if data.scale.numeric or not data.readings:
            continue
        runs = [folder.answered(place, name, data) for place in places]
        frame = join(data, *runs)
        reading = reading_of(data)
        means = [_right(one, reading) for one in frame.partition_by("judge")]
        parts = {
            part: loading.load_measure(f"instability:{part}")(frame)
            for part in ("total", "independent", "covariance")
        }
        told = {part: round(found.value, 6) if found else None for part, found in parts.items()}
        rows.append(
            {"judge": f"{len(runs)} seeds on {name}", "mean": round(statistics.mean(means), 4), **told}
        )
    return rows


def _right(frame: pl.DataFrame, reading: str) -> float:
    marks = (frame["answer"] == frame[GOLD + reading]).drop_nulls()
    return int(marks.sum()) / max(len(marks), 1)


@contextmanager
def _told(what: str, *, quiet: bool) -> Iterator[Any]:
    """A bar over the whole training; the loop's own log keeps every number."""
    if quiet:
        yield None
        return
    with bar(f"training {what}", "thousandths") as draw:
        yield lambda progress: draw(round(progress.done * 1000), 1000)


def _folder(judge: Any) -> Path:
    return Path(judge.name.partition("/")[2])
