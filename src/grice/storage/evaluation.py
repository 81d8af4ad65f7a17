"""Evaluation of a judge on a dataset: each reply is stored as it arrives, and a run resumes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from itertools import takewhile
from operator import length_hint
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import BindsItems, HasNotes, Judge, Judgement, Learner, WorksInFolder
from grice.core.progress import ProgressCallback
from grice.core.sampling import limit_questions
from grice.core.scale import Scale
from grice.storage.response_log import (
    frame_of,
    open_for_append,
    read_settled_ids,
    truncate_partial_line,
)
from grice.storage.run import Run, admit, new_run
from grice.storage.run_folder import LINES, lock_run, write_log
from grice.storage.run_items import store_items
from grice.storage.run_warnings import FirstReplies
from grice.storage.sessions import record_session


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
    30
    """
    fitted = _ready(judge, data, scale or data.scale)
    empty = _unasked(data, fitted, scale or data.scale, seed, name)
    if into is None:
        if again:
            raise InputError(
                f"again='{again}' retries responses of a stored run; name the folder of runs with"
                " into=…"
            )
        replies = _ask(fitted, data, set(), empty, limit, keep_going, progress)
        return replace(empty, frame=frame_of(replies, empty.scale), notes=_notes(fitted))
    folder = into / empty.folder_name()
    with lock_run(folder):
        empty.write_header(folder, fitted)
        if items:
            store_items(data, folder)
        truncate_partial_line(folder / LINES)
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
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    name: str = "",
) -> list[Question]:
    """Return the questions that `evaluate` would ask with these arguments, without asking any."""
    empty = _unasked(data, _ready(judge, data, data.scale), data.scale, seed, name)
    done = read_settled_ids(into / empty.folder_name() / LINES, again)
    return [question for question in limit_questions(data, limit, seed) if question.id not in done]


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
    return new_run(
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
        admit(judgement, judge.name, known, admitted, run.scale)
        yield judgement
        first.add(judgement)
        if progress:
            progress(total - len(questions) + len(admitted), total)
        if first.warning and not keep_going and not length_hint(left):
            break
    if first.warning and not keep_going:
        raise first.stop(run.judge)
