"""Folder of a profile, built again only if what it depends on changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grice import __version__
from grice.core.dataset import Dataset
from grice.profiling.build import build
from grice.profiling.exchange import Exchange
from grice.reporting.folder import STAMP, write_folder
from grice.reporting.model import SCHEMA, Profile
from grice.reporting.paper import print_page
from grice.storage.run import Run

DataWithRuns = tuple[Dataset, Sequence[Run]]
# The columns of a run that a profile depends on, besides the probabilities.
ANSWERS = ("id", "answer", "value", "fault", "cells")


def make_folder(
    pairs: Sequence[DataWithRuns],
    out: Path,
    *,
    not_tested: Sequence[str] = (),
    images: bool = False,
    pdf: bool = False,
    items: bool = True,
    chapters: Sequence[str] = (),
    exchanges: Sequence[Exchange] = (),
    people: bool = True,
    measures: Sequence[str] = (),
) -> Profile:
    """Build the profile of datasets with their runs and write it to `out` unless up to date.

    With `pdf`, the installed browser also prints the page.
    """
    premise_swaps = tuple(exchange.text for exchange in exchanges)
    options = (images, items, people, tuple(not_tested), premise_swaps, tuple(measures))
    stamp = make_stamp(pairs, options, chapters)
    page = out / "index.html"
    if page.is_file() and _read_stamp(out) == stamp:
        if pdf and not page.with_suffix(".pdf").is_file():
            print_page(page)
        return replace(Profile.read(out), page=page, fresh=False)
    profile, parts = build(
        pairs,
        not_tested=not_tested,
        chapters=chapters,
        exchanges=exchanges,
        people=people,
        measures=measures,
    )
    profile = profile if items else profile.without_items()
    write_folder(
        profile, [(sheet.data, sheet.frame) for sheet in parts], out, stamp=stamp, images=images
    )
    if pdf:
        print_page(page)
    return replace(profile, page=page)


def _read_stamp(out: Path) -> str:
    """Return the stamp of a complete folder; "" if there is none."""
    path = out / STAMP
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def make_stamp(
    pairs: Sequence[DataWithRuns], options: Sequence[object], chapters: Sequence[str] = ()
) -> str:
    """Return the digest of what a folder depends on.

    This is the answers and their data, the options, a user's own chapters, and this version.
    """
    digest = hashlib.sha256("\x1c".join(map(str, (__version__, SCHEMA, *options))).encode())
    for file in filter(Path.is_file, map(Path, chapters)):
        digest.update(file.read_bytes())
    for data, runs in pairs:
        digest.update(f"\x1c{data.name}\x1c{data.fingerprint}".encode())
        for run in runs:
            digest.update(f"\x1c{run.judge}\x1c{run.total}\x1c".encode())
            for column in run.frame.columns:
                if column in ANSWERS or column.startswith("p."):
                    digest.update(run.frame[column].hash(seed=0).to_numpy().tobytes())
    return digest.hexdigest()
