"""Training learners by name on data by name: what `grice train` does. Variants are operations on the data."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from grice import api
from grice.core.dataset import GOLD, Dataset
from grice.core.errors import InputError, unknown
from grice.core.judgement import Judge
from grice.core.run import evaluate, join
from grice.core.scale import NLI, UNIT
from grice.core.shelf import LEARNERS
from grice.judges._lessons import Lesson, reading_of
from grice.judges._unit import SURROGATE
from grice.report.progress import bar

MIXES = ("uniform", "proportional")
WAYS = ("aft", "iaft")
CONJUNCTION = re.compile(r"\b(?:and|or|but|nor)\b", re.IGNORECASE)
BARE = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Course:
    """What to learn, in order: `on` one task or, with `mix`, several; `then` a target after it.

    `adversarial` with `how=aft` is learnt after `on`; with `how=iaft` beside a fresh equal sample of `on` that
    contains conjunctions, in every epoch. `apart` names sets whose texts must not be among the training pairs.
    """

    on: Sequence[str]
    dev: Sequence[str] = ()
    then: Sequence[str] = ()
    mix: str = ""
    adversarial: str = ""
    how: str = ""
    apart: Sequence[str] = ()
    surrogate: bool = False
    amount: int = 0

    def __post_init__(self) -> None:
        if self.mix and self.mix not in MIXES:
            raise unknown("way to mix tasks", self.mix, MIXES)
        if bool(self.adversarial) != bool(self.how) or (self.how and self.how not in WAYS):
            raise InputError(
                "adversarial training is --adversarial DATASET with --how aft or iaft, both or neither"
            )


def train(
    learner: str,
    course: Course,
    *,
    out: Path,
    settings: Mapping[str, str] | None = None,
    seeds: int = 1,
) -> list[dict[str, Any]]:
    """Train once, or once a seed; a row for each judge with its folder and its scores on the dev sets."""
    given = dict(settings or {})
    if seeds == 1:
        return _rows(_trained(learner, course, out, given), course)
    first = int(given.get("seed", 0))
    rows, runs = [], []
    for seed in range(first, first + seeds):
        judges = _trained(learner, course, out / f"seed-{seed}", {**given, "seed": str(seed)})
        rows += _rows(judges, course)
        runs.append(judges)
    return rows + _spread(course, runs)


def _trained(learner: str, course: Course, out: Path, settings: dict[str, str]) -> dict[str, Judge]:
    """The judges of the last stage by task; earlier stages lie beside it."""
    make = LEARNERS.find(learner)
    if hasattr(make, "read"):
        return {"": _tagger(make, course, out, settings)}
    staged = bool(course.then or course.how == "aft" or course.how == "iaft")
    first = _stage(make, course, out / "1" if staged else out, settings, course.on, course.mix)
    if not staged:
        return first
    base = next(iter(first.values()))
    folder = _folder(base)
    # A predicate-aware model goes on from its encoder; its small maps are learnt again.
    body = folder / "encoder"
    again = {**settings, "base": str(body if body.is_dir() else folder)}
    if course.how:
        return _adversarial(make, course, out / "2", again)
    return _stage(make, course, out / "2", again, course.then, "")


def _stage(
    make: Any, course: Course, out: Path, settings: dict[str, str], names: Sequence[str], mix: str
) -> dict[str, Judge]:
    with _told(str(out)) as told:
        learner = make(out=out, told=told, **settings)
        if not mix:
            data = together([_ready(course, name) for name in names])
            dev = {name: learner.lesson(_graded(course, api.load(name))) for name in _dev(course, data)}
            return {"": learner.teach([learner.lesson(data)], dev)[0]}
        sets = {name: _ready(course, name) for name in names}
        share = sum(map(len, sets.values())) // len(sets) if mix == "uniform" else None
        lessons = [learner.lesson(data, task=name, sample=share) for name, data in sets.items()]
        dev = {
            name: learner.lesson(api.load(name), task=task) for task, name in _dev_of(sets, course).items()
        }
        return dict(zip(sets, learner.teach(lessons, dev), strict=True))


def _adversarial(make: Any, course: Course, out: Path, settings: dict[str, str]) -> dict[str, Judge]:
    """ConjNLI's Algorithm 1, or plain fine-tuning on the adversarial set alone."""
    with _told(str(out)) as told:
        learner = make(out=out, told=told, **settings)
        hard = learner.lesson(api.load(course.adversarial))
        if course.amount:
            hard = replace(hard, examples=hard.examples[: course.amount])
        lessons = [hard]
        if course.how == "iaft":
            base = learner.lesson(together([_ready(course, name) for name in course.on]))
            lessons.append(conjoined(base, len(hard.examples)))
        dev = {name: learner.lesson(api.load(name)) for name in course.dev}
        return {"": learner.teach(lessons, dev)[0]}


def conjoined(base: Lesson, sample: int) -> Lesson:
    """The examples with a conjunction, so many of them afresh in every epoch."""
    chosen = [e for e in base.examples if CONJUNCTION.search(f"{e.first} {e.second or ''}")]
    if not chosen:
        raise InputError("no base pair contains and, or, but or nor; iaft needs some")
    return replace(base, examples=chosen, sample=sample)


def together(sets: Sequence[Dataset]) -> Dataset:
    """Datasets on one scale as one; ids are made different by the set's name."""
    if len(sets) == 1:
        return sets[0]
    scales = {data.scale for data in sets}
    if len(scales) > 1:
        raise InputError(
            f"the sets stand on different scales ({'; '.join(map(str, scales))}); train them as tasks with --mix"
        )
    frames = []
    for data in sets:
        gold = GOLD + reading_of(data)
        frames.append(
            data.frame.select(
                (pl.lit(f"{data.name}:") + pl.col("id")).alias("id"),
                "premise",
                "hypothesis",
                pl.col(gold).alias(f"{GOLD}label"),
            )
        )
    return Dataset("+".join(data.name for data in sets), sets[0].scale, pl.concat(frames))


def without(data: Dataset, others: Sequence[Dataset]) -> Dataset:
    """The items that share no premise or hypothesis with the other sets, letters and digits alone compared."""
    texts = {
        _bare(text)
        for other in others
        for column in ("premise", "hypothesis")
        for text in other.frame[column].drop_nulls().to_list()
    }
    # One- or two-word texts occur everywhere and give nothing away.
    texts = {text for text in texts if len(text) > 12}
    kept = [
        _bare(first) not in texts and _bare(second or "") not in texts
        for first, second in data.frame.select("premise", "hypothesis").iter_rows()
    ]
    return replace(data, frame=data.frame.filter(pl.Series(kept)))


def surrogates(data: Dataset, means: Mapping[str, float] = SURROGATE) -> Dataset:
    """NLI labels as the mean graded answer to each: UNLI's surrogate scores; its paper's numbers unless told."""
    if data.scale != NLI:
        raise InputError(
            f"'{data.name}' is on {data.scale}; surrogate scores are made of entailment, neutral, contradiction"
        )
    column = GOLD + reading_of(data)
    score = (
        pl.col(column)
        .replace_strict(means, default=None, return_dtype=pl.Float64)
        .alias(f"{GOLD}probability")
    )
    return Dataset(
        f"{data.name} (surrogate scores)", UNIT, data.frame.select("id", "premise", "hypothesis", score)
    )


def surrogate_means(graded: Dataset, reading: str, label: str) -> dict[str, float]:
    """The mean graded answer to each label, from a set that has both."""
    columns = (GOLD + reading, GOLD + label)
    rows = graded.frame.select(columns).drop_nulls().group_by(columns[1]).agg(pl.col(columns[0]).mean())
    found = {str(name): float(mean) for name, mean in rows.iter_rows()}
    missing = [name for name in NLI.labels if name not in found]
    if missing:
        raise InputError(
            f"'{graded.name}' has no graded pair labelled {missing[0]}; use the paper's surrogate scores"
        )
    return found


def _ready(course: Course, name: str) -> Dataset:
    data = api.load(name)
    if course.apart:
        data = without(data, [api.load(other) for other in course.apart])
    return surrogates(data) if course.surrogate and data.scale == NLI else data


def _graded(course: Course, data: Dataset) -> Dataset:
    return surrogates(data) if course.surrogate and data.scale == NLI else data


def _dev(course: Course, data: Dataset) -> list[str]:
    """The dev sets on the scale at hand; an intermediate stage on another scale has none."""
    return [name for name in course.dev if _graded(course, api.load(name)).scale == data.scale]


def _dev_of(sets: Mapping[str, Dataset], course: Course) -> dict[str, str]:
    """Each task's dev set: the named one that shares its source and all but the split."""
    stems = {_stem(dev): dev for dev in course.dev}
    return {name: stems[_stem(name)] for name in sets if _stem(name) in stems}


def _stem(name: str) -> str:
    return name.rpartition("/")[0] or name


def _tagger(make: Any, course: Course, out: Path, settings: dict[str, str]) -> Any:
    """A learner that reads files of its own, such as `srl`."""
    with _told(str(out)) as told:
        learner = make(out=out, told=told, **settings)
        lessons = [learner.read(name) for name in course.on]
        return learner.tag(lessons, {name: learner.read(name) for name in course.dev})


def _rows(judges: Mapping[str, Judge], course: Course) -> list[dict[str, Any]]:
    rows = []
    for task, judge in judges.items():
        row: dict[str, Any] = {"judge": judge.name, **({"task": task} if task else {})}
        row["folder"] = f"trained/{_folder(judge)}"
        if hasattr(judge, "judge"):
            for name in course.dev:
                row |= _score(judge, name, task)
        rows.append(row | dict(getattr(judge, "scores", {})))
    return rows


def _score(judge: Judge, name: str, task: str) -> dict[str, Any]:
    """Accuracy, or Pearson's r on numbers; a set of another task is left out."""
    if task and _stem(task) != _stem(name):
        return {}
    data = api.load(name)
    measure = api.measure(f"{'pearson' if data.scale.numeric else 'accuracy'}:{reading_of(data)}")
    found = measure(join(data, evaluate(data, judge)))
    return {name: round(found.value, 4) if found else None}


def _spread(course: Course, judges: Sequence[Mapping[str, Judge]]) -> list[dict[str, Any]]:
    """Over seeds: the mean, its standard deviation, and how much of it items share (Zhou et al. 2020)."""
    rows = []
    for name in course.dev:
        data = api.load(name)
        if data.scale.numeric or any("" not in seed for seed in judges):
            continue
        runs = [replace(evaluate(data, seed[""]), judge=f"seed {place}") for place, seed in enumerate(judges)]
        frame = join(data, *runs)
        reading = reading_of(data)
        means = [_right(one, reading) for one in frame.partition_by("judge")]
        parts = {
            part: api.measure(f"instability:{part}")(frame) for part in ("total", "independent", "covariance")
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
def _told(what: str) -> Iterator[Any]:
    """A bar over the whole training; the loop's own log keeps every number."""
    with bar(f"training {what}", "thousandths") as draw:
        yield lambda progress: draw(round(progress.done * 1000), 1000)


def _folder(judge: Any) -> Path:
    return Path(judge.name.partition("/")[2])


def _bare(text: str) -> str:
    return BARE.sub("", text.lower())
