"""Folder of a leaderboard: one page per model, then chapters, pairs and the index.

A page is written again only if its runs changed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.files import read_json, write_atomically
from grice.core.progress import bar
from grice.profiling.board import board_entry, compare_all, correct_pairs
from grice.profiling.build import build
from grice.profiling.chapter import load_chapters
from grice.profiling.folder import DataWithRuns, make_stamp
from grice.reporting.board import SCHEMA, Board, BoardColumn, slug
from grice.reporting.board_page import chapter_page, index_page, pairs_page, rivals_page
from grice.reporting.folder import write_folder
from grice.storage.run import Run

ENTRY = "entry.json"
# Links from a model's page to the rest of the leaderboard.
LINKS = (("Board", "../../index.html"), ("Nearest rivals", "rivals.html"))


@dataclass(frozen=True)
class EntryJob:
    """One model's entry to write: its runs with their data, its folder and its stamp."""

    judge: str
    pairs: tuple[tuple[Dataset, Run], ...]
    folder: Path
    stamp: str
    pages: bool
    items: bool

    @property
    def done(self) -> dict[str, Any] | None:
        """The complete entry that an earlier call wrote from the same runs, or None."""
        if not (self.folder / ENTRY).is_file() or (
            self.pages and not (self.folder / "index.html").is_file()
        ):
            return None
        entry = read_json(self.folder / ENTRY, "delete the file, and it is made again")
        return entry if entry.get("stamp") == self.stamp else None


def make_board(
    pairs: Sequence[DataWithRuns],
    out: Path,
    *,
    pages: bool = True,
    items: bool = True,
    workers: int = 1,
) -> Board:
    """Write the leaderboard of all models to `out` and return it; rewrite only what changed."""
    jobs = _jobs(pairs, out, pages=pages, items=items)
    old = {job.judge: job.done for job in jobs}
    new = [job for job in jobs if old[job.judge] is None]
    fresh = dict(zip((job.judge for job in new), _work(new, workers), strict=True))
    entries = tuple(fresh.get(job.judge) or old[job.judge] or {} for job in jobs)
    columns = _columns(entries, [data.name for data, _ in pairs])
    board = Board(
        columns, entries, tuple(_pairs(pairs, columns, out, set(fresh))), out / "index.html"
    )
    texts = {"pairs.html": pairs_page(board)} if board.pairs else {}
    texts |= {
        f"chapters/{section}.html": chapter_page(board, section) for section in board.chapters
    }
    texts |= {
        f"models/{entry['folder']}/rivals.html": rivals_page(board, entry) for entry in entries
    }
    # The index is written last, so that it never links to a missing page.
    texts |= {
        "board.json": json.dumps(board.to_json(), ensure_ascii=False) + "\n",
        "index.html": index_page(board, pages=pages),
    }
    written = [f"models/{job.folder.name}" for job in new]
    written += [name for name, text in texts.items() if _write(out / name, text)]
    _sweep(
        out, {job.folder.name for job in jobs}, {f"{section}.html" for section in board.chapters}
    )
    return replace(board, made=tuple(written), kept=len(jobs) + len(texts) - len(written))


def _jobs(pairs: Sequence[DataWithRuns], out: Path, *, pages: bool, items: bool) -> list[EntryJob]:
    judges: dict[str, list[tuple[Dataset, Run]]] = {}
    for data, runs in pairs:
        for run in runs:
            if run.scale == data.scale:
                judges.setdefault(run.judge, []).append((data, run))
    if not judges:
        raise InputError(
            "no run answers on the scale of its data, so there is nothing to put on a board; judge"
            " with 'grice judge'"
        )
    often = Counter(map(slug, judges))
    return [
        EntryJob(
            judge,
            tuple(judge_pairs),
            out / "models" / _folder(judge, often[slug(judge)]),
            make_stamp([(data, [run]) for data, run in judge_pairs], (pages, items, SCHEMA)),
            pages,
            items,
        )
        for judge, judge_pairs in sorted(judges.items(), key=lambda entry: entry[0].lower())
    ]


def _folder(judge: str, often: int) -> str:
    """Return the name of a model's folder.

    A digest is added where two names differ only in characters that a folder name cannot contain.
    """
    return slug(judge) + (f"-{hashlib.sha256(judge.encode()).hexdigest()[:6]}" if often > 1 else "")


def _work(jobs: Sequence[EntryJob], workers: int) -> Iterator[dict[str, Any]]:
    with bar("models", "models") as progress:
        if workers < 2 or len(jobs) < 2:
            for done, job in enumerate(jobs, 1):
                yield _make_entry(job)
                progress(done, len(jobs))
            return
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=get_context("spawn")) as pool:
            for done, entry in enumerate(pool.map(_make_entry, jobs), 1):
                yield entry
                progress(done, len(jobs))


def _make_entry(job: EntryJob) -> dict[str, Any]:
    """Write the profile page of one model and its entry; the entry is written last."""
    (job.folder / ENTRY).unlink(missing_ok=True)
    pairs = [(data, [run]) for data, run in job.pairs]
    built = build(pairs)
    if job.pages:
        profile = built[0] if job.items else built[0].without_items()
        write_folder(
            profile,
            [(sheet.data, sheet.frame) for sheet in built[1]],
            job.folder,
            stamp=job.stamp,
            images=False,
            links=LINKS,
        )
    # On a page of many datasets, one without a phenomenon has a single row. Profiled alone, it has
    # all of its columns.
    alone = [build([pair])[0] for pair in pairs] if len(pairs) > 1 else []
    runs = [run for _, run in job.pairs]
    entry = {
        "folder": job.folder.name,
        "stamp": job.stamp,
        **board_entry(job.judge, runs, [built[0], *alone]),
    }
    _write(job.folder / ENTRY, json.dumps(entry, ensure_ascii=False) + "\n")
    return entry


def _columns(entries: Sequence[Mapping[str, Any]], data: Sequence[str]) -> tuple[BoardColumn, ...]:
    """Return the columns of all models, in the order of the chapters, then of the data."""
    order = {chapter.name: chapter.order for chapter in load_chapters()}
    columns_by_id: dict[str, BoardColumn] = {}
    for entry in entries:
        for column in entry["columns"]:
            columns_by_id.setdefault(
                column["id"],
                BoardColumn(
                    **{k: column[k] for k in ("chapter", "title", "data", "measure", "where")}
                ),
            )
    return tuple(
        sorted(
            columns_by_id.values(),
            key=lambda column: (order.get(column.chapter, 90), data.index(column.data)),
        )
    )


def _pairs(
    pairs: Sequence[DataWithRuns], columns: Sequence[BoardColumn], out: Path, fresh: set[str]
) -> list[dict[str, Any]]:
    """Compare every two models in every column; reuse the stored pairs of unchanged runs."""
    known = {}
    if (out / "board.json").is_file():
        try:
            old = read_json(out / "board.json", "delete it")["pairs"]
        except (GriceError, KeyError):
            old = []
        known = {
            (pair["column"], pair["a"], pair["b"]): pair
            for pair in old
            if not {pair["a"], pair["b"]} & fresh
        }
    comparisons = []
    for data, runs in pairs:
        comparable = sorted(
            (run for run in runs if run.scale == data.scale), key=lambda run: run.judge.lower()
        )
        comparisons += (
            compare_all(data, comparable, [c for c in columns if c.data == data.name], known)
            if len(comparable) > 1
            else []
        )
    return correct_pairs(comparisons)


def _write(path: Path, text: str) -> bool:
    """Write a file atomically and return whether its content changed."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    with write_atomically(path) as out:
        out.write(text)
    return True


def _sweep(out: Path, models: set[str], chapters: set[str]) -> None:
    """Remove the pages of models and chapters that left the leaderboard; keep all other files."""
    for entry in out.glob(f"models/*/{ENTRY}"):
        if entry.parent.name not in models:
            shutil.rmtree(entry.parent)
    for page in out.glob("chapters/*.html"):
        if page.name not in chapters:
            page.unlink()
