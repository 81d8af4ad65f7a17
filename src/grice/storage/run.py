"""Evaluation of a judge on a dataset: storing replies and joining them with the items."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib.metadata import version
from itertools import takewhile
from operator import length_hint
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.files import write_atomically
from grice.core.item import Question
from grice.core.judgement import (
    BindsItems,
    HasArithmetic,
    HasNotes,
    Judge,
    Judgement,
    Learner,
    WorksInFolder,
)
from grice.core.progress import ProgressCallback
from grice.core.sampling import limit_questions
from grice.core.scale import Answer, Scale
from grice.storage.response_log import (
    frame_of,
    frame_of_columns,
    line_of,
    mend,
    open_for_append,
    read_lines,
    read_settled_ids,
    seal_header,
)
from grice.storage.run_folder import HEADER, LINES, RunKind, lock_run, read_header, write_log
from grice.storage.run_items import describe_data, keep_items
from grice.storage.run_warnings import LOW_MASS, FirstReplies, RunWarning, find_warning
from grice.storage.sessions import read_notes, record_session


@dataclass(frozen=True)
class Run:
    """Evaluation of one judge on a dataset: its settings and every reply.

    total = asked + open, and asked = answered + faults.

    `again` counts the items whose fault was asked again, and their outcomes; `frame` holds their
    last reply. `frame` has the columns `id, answer, value, fault, p.LABEL…, raw, seconds, mass,
    cells`: `answer` on a scale of labels, `value` on a numeric one. `about` describes the data:
    scales, licence, how a file was read. Only a run just made has its `data` and the judge's
    `notes`.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into=None)
    >>> run.judge, run.answered, run.faults
    ('baseline/overlap', 6, 0)
    """

    dataset: str
    fingerprint: str
    scale: Scale
    judge: str
    frame: pl.DataFrame
    total: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    kind: RunKind = RunKind.MODEL
    folder: Path | None = None
    again: Mapping[str, int] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict, compare=False)
    data: Dataset | None = field(default=None, compare=False, repr=False)

    @property
    def asked(self) -> int:
        """Number of items with a reply, an answer or a fault."""
        return self.frame.height

    @property
    def faults(self) -> int:
        """Number of items with a fault instead of an answer."""
        return int(self.frame["fault"].is_not_null().sum())

    @property
    def answered(self) -> int:
        """Number of items with an answer."""
        return self.frame.height - self.faults

    @property
    def open(self) -> int:
        """Number of items without a reply."""
        return self.total - self.asked

    @property
    def fault_kinds(self) -> dict[str, int]:
        """Number of faults of each kind."""
        kinds = (
            self.frame["fault"]
            .drop_nulls()
            .str.split(":")
            .list.first()
            .value_counts()
            .sort("fault")
        )
        return dict(kinds.iter_rows())

    @property
    def warning(self) -> RunWarning | None:
        """Reason that the replies are unusable: low label mass, or faults alone."""
        faults, masses = (self.frame[column].drop_nulls().to_list() for column in ("fault", "mass"))
        return find_warning(self.answered, faults, masses, self.settings, LOW_MASS)

    def counts(self) -> dict[str, Any]:
        """Return a row of a list of runs: judge, dataset, counts, the judge's notes, folder."""
        return {
            "judge": self.judge,
            "dataset": self.dataset,
            "asked": self.asked,
            "answered": self.answered,
            "faults": self.faults,
            "kinds": self.fault_kinds,
            "open": self.open,
            **({"warnings": {self.warning.kind.value: self.warning.text}} if self.warning else {}),
            **({"again": dict(self.again)} if self.again else {}),
            "run": str(self.folder) if self.folder else "",
            **({"notes": dict(self.notes)} if self.notes else {}),
        }

    def to_polars(self) -> pl.DataFrame:
        """Return every reply as a row."""
        return self.frame

    def judgements(self) -> Iterator[Judgement]:
        """Yield every reply as a `Judgement`."""
        labels = self.scale.labels
        for row in self.frame.iter_rows(named=True):
            probs = {
                label: row[f"p.{label}"] for label in labels if row.get(f"p.{label}") is not None
            }
            answer = row["value"] if self.scale.numeric else row["answer"]
            rest = {key: row[key] for key in ("raw", "seconds", "mass")}
            cells = tuple(json.loads(row["cells"])) if row["cells"] else None
            yield Judgement(row["id"], answer, row["fault"], probs or None, cells=cells, **rest)

    def write(self, into: Path, *, items: bool = True) -> Run:
        """Write a run that was made in memory to a folder below `into`, completely or not at all.

        Returns the run read from there.

        Without `items` its data are not stored with it.
        """
        folder = into / self._folder_name()
        with lock_run(folder):
            self._write_header(folder)
            if items and self.data is not None:
                keep_items(self.data, folder)
            with write_atomically(folder / LINES, binary=True) as out:
                out.writelines(map(line_of, self.judgements()))
        return replace(Run.read(folder), data=self.data, notes=self.notes)

    @staticmethod
    def recorded(
        data: Dataset,
        judge: str,
        judgements: Iterable[Judgement],
        *,
        scale: Scale | None = None,
        settings: Mapping[str, Any] | None = None,
        kind: RunKind = RunKind.MODEL,
    ) -> Run:
        """Build a run from existing replies, each checked: a rater's answers, a harness's log."""
        answer_scale = scale or data.scale
        known = set(data.ids)
        by_item: dict[str, Judgement] = {}
        for judgement in judgements:
            _admit(judgement, judge, known, by_item, answer_scale)
        return _run(
            data,
            judge,
            answer_scale,
            frame_of(by_item.values(), answer_scale),
            settings=settings or {},
            kind=kind,
        )

    @staticmethod
    def from_columns(
        data: Dataset,
        judge: str,
        ids: Sequence[str],
        answers: Sequence[Answer],
        *,
        scale: Scale | None = None,
        probs: Mapping[str, Sequence[Any]] | None = None,
        kind: RunKind = RunKind.MODEL,
    ) -> Run:
        """Build a run from the columns of a published file of answers.

        Ids that the data lack are left out.
        """
        answer_scale = scale or data.scale
        frame = frame_of_columns(ids, answers, answer_scale, probs or {})
        return _run(
            data,
            judge,
            answer_scale,
            frame.filter(pl.col("id").is_in(data.frame["id"].implode())),
            kind=kind,
        )

    @staticmethod
    def read(folder: Path) -> Run:
        """Read a run from its folder, or from an archive (`runs.zip/NAME`).

        An incomplete last line is skipped, and so is a fault that was asked again.
        """
        header = read_header(folder)
        scale = Scale.from_json(header["scale"])
        frame, again = read_lines(folder / LINES, scale, sealed="sum" in header)
        if frame.height > header["asked"]:
            fact = f"{frame.height:,} items have a reply where {header['asked']:,} were asked"
            raise GriceError(f"{folder}: {fact}; see what can be saved with: grice check {folder}")
        rest = {key: header[key] for key in ("dataset", "fingerprint", "judge", "seed", "versions")}
        rest |= {
            "settings": header["identity"],
            "total": header["asked"],
            "about": header.get("data", {}),
        }
        rest["kind"] = RunKind(header["kind"])
        notes = read_notes(folder).get("notes", {})
        return Run(scale=scale, frame=frame, folder=folder, again=again, notes=notes, **rest)

    def _header(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "fingerprint": self.fingerprint,
            "scale": self.scale.to_json(),
            "judge": self.judge,
            "kind": self.kind.value,
            "identity": dict(self.settings),
            "seed": self.seed,
            "asked": self.total,
            "versions": dict(self.versions),
            "data": dict(self.about),
        }

    def _folder_name(self) -> str:
        """Return a readable name that differs wherever an answer could differ."""
        header = self._header()
        key = {k: header[k] for k in ("fingerprint", "scale", "judge", "identity", "seed")}
        digest = hashlib.sha256(json.dumps(key, sort_keys=True, default=str).encode()).hexdigest()[
            :10
        ]
        label = f"{self.dataset}--{self.judge}"
        return f"{re.sub(r'[^A-Za-z0-9._-]+', '-', label).strip('-.')[:100]}--{digest}"

    def _write_header(self, folder: Path, judge: Judge | None = None) -> None:
        """Write the header once.

        How a judge computes is noted apart from its identity, because it does not distinguish runs.
        """
        if not (folder / HEADER).exists():
            noted: dict[str, Any] = (
                {"arithmetic": dict(judge.arithmetic)} if isinstance(judge, HasArithmetic) else {}
            )
            with write_atomically(folder / HEADER) as out:
                json.dump(seal_header(self._header() | noted), out, indent=1)
                out.write("\n")

    def _repr_html_(self) -> str:
        counts = (
            f"{self.answered:,} answered, {self.faults:,} faults, {self.open:,} open of"
            f" {self.total:,}"
        )
        summary = f"<b>{escape(self.judge)}</b> on {escape(self.dataset)}: {counts}"
        return summary + str(self.frame.head(5)._repr_html_())


def _run(data: Dataset, judge: str, scale: Scale, frame: pl.DataFrame, **rest: Any) -> Run:
    about = describe_data(data)
    return Run(
        data.name, data.fingerprint, scale, judge, frame, len(data), data=data, about=about, **rest
    )


def evaluate(
    data: Dataset,
    judge: Judge | Learner,
    *,
    into: Path | None = None,
    scale: Scale | None = None,
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    name: str = "",
    items: bool = True,
    keep_going: bool = False,
    progress: ProgressCallback | None = None,
) -> Run:
    """Ask a judge every pending item of a dataset, once.

    With `into`, each reply is appended to a folder below it as it arrives, and the same call
    resumes an interrupted run. `again` names faults to ask again there, by kind (`timeout,http`) or
    all (`faults`); the new reply then counts, and answered items are never asked again. `limit`
    asks at most so many items, evenly over all phenomena (`limit_questions`), and leaves the rest
    pending. `name` is the judge's name in tables. With `items` the folder also stores the items, so
    that the run can be read without its data. `UnusableReplies` is raised if the first 20 replies
    are all faults or their labels have almost no probability, except with `keep_going`. A judge
    that must see data first (`baseline/majority`) is fitted on this dataset.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> grice.evaluate(data, grice.load_judge("baseline/majority")).answered
    28
    """
    fitted = _ready(judge, data, scale or data.scale)
    empty = _unasked(data, fitted, scale or data.scale, seed, name)
    if into is None:
        if again:
            raise InputError(
                f"again='{again}' asks what a kept run left; name its folder's parent with into=…"
            )
        replies = _ask(fitted, data, set(), empty, limit, keep_going, progress)
        return replace(empty, frame=frame_of(replies, empty.scale), notes=_notes(fitted))
    folder = into / empty._folder_name()
    with lock_run(folder):
        empty._write_header(folder, fitted)
        if items:
            keep_items(data, folder)
        mend(folder / LINES)
        fitted = fitted.work_in(folder) if isinstance(fitted, WorksInFolder) else fitted
        done, began = read_settled_ids(folder / LINES, again), time.monotonic()
        asks = any(question.id not in done for question in limit_questions(data, limit, seed))
        with record_session(folder, fitted, asks=asks), open_for_append(folder / LINES) as append:
            for judgement in _ask(fitted, data, done, empty, limit, keep_going, progress):
                append(judgement)
        run = replace(Run.read(folder), data=data)
        write_log(
            folder,
            seconds=round(time.monotonic() - began, 3),
            settled_before=len(done),
            **run.counts(),
        )
        return run


def unasked_questions(
    data: Dataset,
    judge: Judge | Learner,
    *,
    into: Path,
    scale: Scale | None = None,
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    name: str = "",
) -> list[Question]:
    """Return the questions that `evaluate` would ask with these arguments, without asking any."""
    answer_scale = scale or data.scale
    empty = _unasked(data, _ready(judge, data, answer_scale), answer_scale, seed, name)
    done = read_settled_ids(into / empty._folder_name() / LINES, again)
    return [question for question in limit_questions(data, limit, seed) if question.id not in done]


def join(data: Dataset, *runs: Run) -> pl.DataFrame:
    """Return every reply joined with its item: one row per item and judge, in the dataset's order.

    Refuses runs made on other data, and two runs of the same judge name.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> runs = [grice.evaluate(data, grice.load_judge(f"baseline/{name}")) for name in ("overlap", "random")]
    >>> grice.join(data, *runs).height
    56
    """
    if not runs:
        raise InputError("nothing to join; give at least one run")
    names = [run.judge for run in runs]
    if len(set(names)) != len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"two runs carry the judge '{twice}'; compare them under different names")
    parts = []
    for run in runs:
        if run.fingerprint != data.fingerprint:
            raise InputError(
                f"the run of '{run.judge}' was made on other data ({run.dataset}, fingerprint"
                f" {run.fingerprint}) than '{data.name}' (fingerprint {data.fingerprint}); judge"
                " this data again"
            )
        part = data.frame.join(run.frame, on="id", how="inner", maintain_order="left")
        if part.height != run.frame.height:
            odd = run.frame.join(data.frame, on="id", how="anti")["id"][0]
            raise InputError(
                f"the run of '{run.judge}' answers '{odd}', which '{data.name}' has not; judge it"
                " again"
            )
        parts.append(part.with_columns(pl.lit(run.judge).alias("judge")))
    return pl.concat(parts, how="diagonal", rechunk=True)


def _ready(judge: Judge | Learner, data: Dataset, scale: Scale) -> Judge:
    """Return a judge that can be asked: fitted if it learns, bound to the ids if it needs them."""
    if not isinstance(judge, Judge):
        return judge.fit(data)
    return judge.bind(data.ids, scale) if isinstance(judge, BindsItems) else judge


def _unasked(data: Dataset, judge: Judge, scale: Scale, seed: int, name: str) -> Run:
    """Return the run of a judge before its first reply.

    Under another `name`, the judge's own name is among the settings.
    """
    identity = {**judge.identity, **({"judge": judge.name} if name and name != judge.name else {})}
    versions = {name: version(name) for name in ("grice", "polars", "numpy")}
    frame = frame_of([], scale)
    return _run(
        data, name or judge.name, scale, frame, settings=identity, seed=seed, versions=versions
    )


def _notes(judge: Judge) -> dict[str, Any]:
    """Return what a judge notes about its work, such as how many pairs it truncated."""
    return dict(judge.notes) if isinstance(judge, HasNotes) else {}


def _ask(
    judge: Judge,
    data: Dataset,
    done: set[str],
    run: Run,
    limit: int | None,
    keep_going: bool,
    progress: ProgressCallback | None,
) -> Iterator[Judgement]:
    """Yield replies to the pending questions; check that each is expected, valid and unique."""
    wanted = limit_questions(data, limit, run.seed)
    questions = [question for question in wanted if question.id not in done]
    known, total = {q.id for q in questions}, len(wanted)
    admitted: dict[str, Judgement] = {}
    first, left = FirstReplies(run.settings), iter(questions)
    if progress:
        progress(total - len(questions), total)
    # A judge that takes questions one by one gets no more of them; pending replies are still
    # stored.
    pending = takewhile(lambda _: keep_going or first.warning is None, left)
    for judgement in judge.judge(pending, run.scale) if questions else ():
        _admit(judgement, judge.name, known, admitted, run.scale)
        yield judgement
        first.add(judgement)
        if progress:
            progress(total - len(questions) + len(admitted), total)
        if first.warning and not keep_going and not length_hint(left):
            break
    if first.warning and not keep_going:
        raise first.stop(run.judge)


def _admit(
    judgement: Judgement, judge: str, known: set[str], kept: dict[str, Judgement], scale: Scale
) -> None:
    if judgement.item not in known:
        raise GriceError(
            f"'{judge}' answered '{judgement.item}', which is not an open item of this dataset"
        )
    if judgement.item in kept:
        raise GriceError(
            f"'{judge}' answered '{judgement.item}' twice; a judge replies once to each question"
        )
    if problem := judgement.problem(scale):
        raise GriceError(
            f"'{judge}', item '{judgement.item}': {problem}; ask on another scale or correct the"
            " judge"
        )
    kept[judgement.item] = judgement
