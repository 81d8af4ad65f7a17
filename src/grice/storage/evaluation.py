"""Evaluation of a judge on a dataset: each reply is stored as it arrives, and a run resumes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import Dataset, questions_of
from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.judgement import (
    Asker,
    BindsItems,
    HasNotes,
    Judge,
    Judgement,
    Learner,
    WorksInFolder,
)
from grice.core.progress import ProgressCallback
from grice.core.sampling import Slice, limit_items
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
    part: Slice | None = None,
    again: str = "",
    name: str = "",
    items: bool = True,
    keep_going: bool = False,
    progress: ProgressCallback | None = None,
    ask: Asker | None = None,
) -> Run:
    """Ask a judge every pending item of a dataset, once.

    With `into`, each reply is appended to a folder below it as it arrives, and the same call
    resumes an interrupted run. `again` names faults to ask again there, by kind (`timeout,http`) or
    all (`faults`); the new reply then counts, and answered items are never asked again. `limit`
    asks at most so many items, evenly over all phenomena (`limit_items`), and leaves the rest
    pending. `part` asks one part of these, in a folder of its own that `merge` joins with the
    others. `name` is the judge's name in tables. With `items` the folder also stores the items, so
    that the run can be read without its data. `UnusableReplies` is raised if the first 20 replies
    are all faults or their labels have almost no probability, except with `keep_going`. A judge
    that must see data first (`baseline/majority`) is fitted on this dataset. `ask` lets others than
    this process ask the judge.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> grice.evaluate(data, grice.load_judge("baseline/majority")).answered
    30
    """
    fitted = _ready(judge, data, scale or data.scale)
    empty = _unasked(data, fitted, scale or data.scale, seed, name)
    rows = limit_items(data, limit, seed, part)
    if into is None:
        if again:
            raise InputError(f"again='{again}' retries responses of a stored run; give into=…")
        replies = _ask(fitted, rows, set(), empty, keep_going, progress, ask)
        return replace(empty, frame=frame_of(replies, empty.scale), notes=_notes(fitted))
    folder = into / part_folder(empty, part)
    with lock_run(folder):
        empty.write_header(folder, fitted, part)
        if items:
            store_items(data, folder)
        truncate_partial_line(folder / LINES)
        if isinstance(fitted, WorksInFolder) and ask is None:
            fitted = fitted.work_in(folder)
        done, began = read_settled_ids(folder / LINES, again), time.monotonic()
        asks = not _pending(rows, done).is_empty()
        with record_session(folder, fitted, asks=asks), open_for_append(folder / LINES) as append:
            for judgement in _ask(fitted, rows, done, empty, keep_going, progress, ask):
                append(judgement)
        run = replace(Run.read(folder), data=data)
        seconds = round(time.monotonic() - began, 3)
        write_log(folder, seconds=seconds, settled_before=len(done), **run.counts())
        return run


def unasked_questions(
    data: Dataset,
    judge: Judge | Learner,
    *,
    into: Path,
    limit: int | None = None,
    seed: int = 0,
    part: Slice | None = None,
    again: str = "",
    name: str = "",
) -> list[Question]:
    """Return the questions that `evaluate` would ask with these arguments, without asking any."""
    empty = _unasked(data, _ready(judge, data, data.scale), data.scale, seed, name)
    done = read_settled_ids(into / part_folder(empty, part) / LINES, again)
    return list(questions_of(_pending(limit_items(data, limit, seed, part), done)))


def part_folder(run: Run, part: Slice | None) -> str:
    """Return the name of the folder of a run, or of one part of it."""
    return run.folder_name() + (f"--part-{part.number}-of-{part.total}" if part else "")


def _pending(rows: pl.DataFrame, done: set[str]) -> pl.DataFrame:
    """Return the rows of the items that have no reply yet."""
    return rows.filter(~pl.col("id").is_in(list(done))) if done else rows


def _ready(judge: Judge | Learner, data: Dataset, scale: Scale) -> Judge:
    """Return a judge that can be asked: fitted if it learns, bound to the ids if it needs them."""
    if not isinstance(judge, Judge):
        return judge.fit(data)
    return judge.bind(data.ids, scale) if isinstance(judge, BindsItems) else judge


def _unasked(data: Dataset, judge: Judge, scale: Scale, seed: int, name: str) -> Run:
    """Return the run before its first reply; under another name, settings have the judge's own."""
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
    rows: pl.DataFrame,
    done: set[str],
    run: Run,
    keep_going: bool,
    progress: ProgressCallback | None,
    ask: Asker | None,
) -> Iterator[Judgement]:
    """Yield replies to the pending questions; check that each is expected, valid and unique."""
    pending = _pending(rows, done)
    total, done_before = rows.height, rows.height - pending.height
    known, admitted, n_taken = set(pending["id"]), set[str](), 0
    first = FirstReplies(run.settings)

    def questions() -> Iterator[Question]:
        """Yield the pending questions until the first replies prove unusable."""
        nonlocal n_taken
        for question in questions_of(pending):
            if first.warning is not None and not keep_going:
                return
            n_taken += 1
            yield question

    if progress:
        progress(done_before, total)
    if not known:
        return
    # Replies to questions that were taken are stored, even where the first ones are unusable.
    for judgement in (
        ask(judge, questions(), run.scale) if ask else judge.judge(questions(), run.scale)
    ):
        admit(judgement, judge.name, known, admitted, run.scale)
        yield judgement
        first.add(judgement)
        if progress:
            progress(done_before + len(admitted), total)
        if first.warning and not keep_going and n_taken == len(known):
            break
    if first.warning and not keep_going:
        raise first.stop(run.judge)
