"""Asking a judge about a dataset, keeping every reply, and joining replies with what was asked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import Busy, GriceError, InputError
from grice.core.files import read_bytes, write_atomically
from grice.core.item import Question
from grice.core.judgement import Binds, Computes, Judge, Judgement, Learner
from grice.core.lines import appending, frame_of, line_of, mend, read_lines, settled
from grice.core.scale import Scale

Progress = Callable[[int, int], None]
HEADER = "run.json"
LINES = "judgements.jsonl"


@dataclass(frozen=True)
class Run:
    """Who was asked what, with which settings, and every reply: asked = answered + faults + open.

    `again` counts the items whose fault was asked again, and what became of them; `frame` holds their last reply.
    `frame` has the columns `id, answer, value, fault, p.LABEL…, raw, seconds`: `answer` on a scale of labels,
    `value` on a numeric one.
    """

    dataset: str
    fingerprint: str
    scale: Scale
    judge: str
    frame: pl.DataFrame
    asked: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    again: Mapping[str, int] = field(default_factory=dict)

    @property
    def faults(self) -> int:
        return int(self.frame["fault"].is_not_null().sum())

    @property
    def answered(self) -> int:
        return self.frame.height - self.faults

    @property
    def open(self) -> int:
        return self.asked - self.frame.height

    @property
    def fault_kinds(self) -> dict[str, int]:
        kinds = self.frame["fault"].drop_nulls().str.split(":").list.first().value_counts().sort("fault")
        return dict(kinds.iter_rows())

    def judgements(self) -> Iterator[Judgement]:
        labels = self.scale.labels
        for row in self.frame.iter_rows(named=True):
            probs = {label: row[f"p.{label}"] for label in labels if row.get(f"p.{label}") is not None}
            answer = row["value"] if self.scale.numeric else row["answer"]
            yield Judgement(row["id"], answer, row["fault"], probs or None, row["raw"], row["seconds"])

    def write(self, into: Path) -> Run:
        """Keep a run that was made in memory as a folder below `into`, whole or not at all; given back is its copy there."""
        header = {
            "dataset": self.dataset,
            "fingerprint": self.fingerprint,
            "scale": self.scale.to_json(),
            "judge": self.judge,
            "identity": dict(self.settings),
            "seed": self.seed,
            "asked": self.asked,
            "versions": dict(self.versions),
        }
        folder = into / run_name(header)
        with _locked(folder):
            _write_header(folder, header)
            with write_atomically(folder / LINES, binary=True) as out:
                out.writelines(map(line_of, self.judgements()))
        return Run.read(folder)

    @staticmethod
    def recorded(
        data: Dataset,
        judge: str,
        judgements: Iterable[Judgement],
        *,
        scale: Scale | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Run:
        """A run from replies that exist already: released predictions, a rater's answers."""
        asked = scale or data.scale
        known = set(data.ids)
        kept: dict[str, Judgement] = {}
        for judgement in judgements:
            _admit(judgement, judge, known, kept, asked)
        frame = frame_of(kept.values(), asked)
        return Run(data.name, data.fingerprint, asked, judge, frame, len(data), settings or {})

    @staticmethod
    def read(folder: Path) -> Run:
        """Open a run's folder; a last line torn by a crash is passed over, as is a fault that was asked again."""
        header = read_header(folder)
        scale = Scale.from_json(header["scale"])
        frame, again = read_lines(folder / LINES, scale)
        return Run(
            dataset=header["dataset"],
            fingerprint=header["fingerprint"],
            scale=scale,
            judge=header["judge"],
            frame=frame,
            asked=header["asked"],
            settings=header["identity"],
            seed=header["seed"],
            versions=header["versions"],
            folder=folder,
            again=again,
        )


def read_header(folder: Path) -> dict[str, Any]:
    """What `run.json` says of a run; the folder of a run has one."""
    if not (folder / HEADER).is_file():
        raise InputError(f"{folder}: not a run (no {HEADER}); name a folder made by 'grice judge'")
    header: dict[str, Any] = json.loads(read_bytes(folder / HEADER))
    return header


def evaluate(
    data: Dataset,
    judge: Judge | Learner,
    *,
    into: Path | None = None,
    scale: Scale | None = None,
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    progress: Progress | None = None,
) -> Run:
    """Ask a judge every open item of a dataset, once.

    With `into`, each reply is appended to a folder below it as it arrives; the same call goes on where an
    earlier one stopped. `again` names faults to ask again there, by kind (`timeout,http`) or all (`faults`); the
    new reply then holds, and what was answered is never asked again. `limit` asks of the first items only and leaves the rest open. A judge
    that must see data first (`baseline/majority`) is fitted on this dataset.
    """
    asked = scale or data.scale
    fitted = _ready(judge, data, asked)
    header = _header(data, fitted, asked, seed)
    if into is None:
        if again:
            raise InputError(
                f"again='{again}' asks what a kept run left; name its folder's parent with into=…"
            )
        frame = frame_of(_ask(fitted, data, set(), asked, limit, progress), asked)
        return Run(
            data.name,
            data.fingerprint,
            asked,
            fitted.name,
            frame,
            len(data),
            header["identity"],
            seed,
            header["versions"],
        )
    folder = into / run_name(header)
    with _locked(folder):
        if not (folder / HEADER).exists():
            _write_header(folder, header | _arithmetic(fitted))
        mend(folder / LINES)
        done = settled(folder / LINES, again)
        with appending(folder / LINES) as append:
            for judgement in _ask(fitted, data, done, asked, limit, progress):
                append(judgement)
        return Run.read(folder)


def left(
    data: Dataset,
    judge: Judge | Learner,
    *,
    into: Path,
    scale: Scale | None = None,
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
) -> list[Question]:
    """The questions that `evaluate` would ask if it were called like this; nothing is asked or written."""
    asked = scale or data.scale
    header = _header(data, _ready(judge, data, asked), asked, seed)
    done = settled(into / run_name(header) / LINES, again)
    return [question for question in islice(data.questions(), limit) if question.id not in done]


def join(data: Dataset, *runs: Run) -> pl.DataFrame:
    """Every reply beside its item: one row per item and judge, in the dataset's order.

    Refuses runs made on other data, and two runs of the same judge name.
    """
    if not runs:
        raise InputError("nothing to join; give at least one run")
    names = [run.judge for run in runs]
    if len(set(names)) != len(names):
        raise InputError(
            f"two runs carry the judge '{_first_repeat(names)}'; compare them under different names"
        )
    parts = []
    for run in runs:
        if run.fingerprint != data.fingerprint:
            raise InputError(
                f"the run of '{run.judge}' was made on other data ({run.dataset}, {run.fingerprint[:8]}) than "
                f"'{data.name}' ({data.fingerprint[:8]}); judge this data again"
            )
        part = data.frame.join(run.frame, on="id", how="inner", maintain_order="left")
        parts.append(part.with_columns(pl.lit(run.judge).alias("judge")))
    return pl.concat(parts, how="diagonal")


def run_name(header: Mapping[str, Any]) -> str:
    """The folder's name: readable, and different wherever an answer could differ."""
    key = {k: header[k] for k in ("fingerprint", "scale", "judge", "identity", "seed")}
    digest = hashlib.sha256(json.dumps(key, sort_keys=True, default=str).encode()).hexdigest()[:10]
    words = f"{header['dataset']}--{header['judge']}"
    return f"{re.sub(r'[^A-Za-z0-9._-]+', '-', words).strip('-.')[:100]}--{digest}"


def _ready(judge: Judge | Learner, data: Dataset, scale: Scale) -> Judge:
    """A judge that can be asked: fitted if it learns, bound to the ids if it must know them."""
    if not isinstance(judge, Judge):
        return judge.fit(data)
    return judge.bind(data.ids, scale) if isinstance(judge, Binds) else judge


def _header(data: Dataset, judge: Judge, scale: Scale, seed: int) -> dict[str, Any]:
    return {
        "dataset": data.name,
        "fingerprint": data.fingerprint,
        "scale": scale.to_json(),
        "judge": judge.name,
        "identity": dict(judge.identity),
        "seed": seed,
        "asked": len(data),
        "versions": {"grice": version("grice"), "polars": version("polars"), "numpy": version("numpy")},
    }


def _arithmetic(judge: Judge) -> dict[str, Any]:
    """How the judge computes, where it does: beside the identity, since it tells no run from another."""
    noted = dict(judge.arithmetic) if isinstance(judge, Computes) else {}
    return {"arithmetic": noted} if noted else {}


def _write_header(folder: Path, header: Mapping[str, Any]) -> None:
    if not (folder / HEADER).exists():
        with write_atomically(folder / HEADER) as out:
            json.dump(header, out, indent=1, default=str)
            out.write("\n")


def _ask(
    judge: Judge, data: Dataset, done: set[str], scale: Scale, limit: int | None, progress: Progress | None
) -> Iterator[Judgement]:
    """Replies to the open questions, each checked to be asked for, on the scale, and the only one."""
    first = list(islice(data.questions(), limit))
    questions = [question for question in first if question.id not in done]
    known, total = {q.id for q in questions}, len(first)
    kept: dict[str, Judgement] = {}
    if progress:
        progress(total - len(questions), total)
    for judgement in judge.judge(questions, scale) if questions else ():
        _admit(judgement, judge.name, known, kept, scale)
        yield judgement
        if progress:
            progress(total - len(questions) + len(kept), total)


def _admit(
    judgement: Judgement, judge: str, known: set[str], kept: dict[str, Judgement], scale: Scale
) -> None:
    if judgement.item not in known:
        raise GriceError(f"'{judge}' answered '{judgement.item}', which is not an open item of this dataset")
    if judgement.item in kept:
        raise GriceError(
            f"'{judge}' answered '{judgement.item}' twice; a judge replies once to each question"
        )
    problem = judgement.problem(scale)
    if problem:
        raise GriceError(
            f"'{judge}', item '{judgement.item}': {problem}; ask on another scale or correct the judge"
        )
    kept[judgement.item] = judgement


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "run.lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise Busy(f"{folder}: another process is writing this run; wait for it or stop it") from None
    except OSError as error:
        raise GriceError(
            f"{folder}: cannot be written ({error.strerror}); choose another folder with --into"
        ) from None
    try:
        yield
    finally:
        lock.release()


def _first_repeat(names: list[str]) -> str:
    return next(name for i, name in enumerate(names) if name in names[:i])
