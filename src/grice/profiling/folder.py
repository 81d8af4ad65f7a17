"""Folder of a profile, built again only if what it depends on changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

from grice import __version__
from grice.core.dataset import Dataset
from grice.profiling.exchange import Exchange
from grice.reporting.model import FILE, SCHEMA, STAMP, Profile
from grice.reporting.paper import find_browser, print_page
from grice.storage.run import Run
from grice.tables.charts import check_images

DataWithRuns = tuple[Dataset, Sequence[Run]]
# The columns of a run that a profile depends on, besides the probabilities.
ANSWERS = ("id", "answer", "value", "fault", "cells")


class Content(TypedDict, total=False):
    """What a profile has besides the answers: the keywords of `profiling.build.build`."""

    not_tested: Sequence[str]
    chapters: Sequence[str]
    exchanges: Sequence[Exchange]
    people: bool
    measures: Sequence[str]


def check_page(chapters: Sequence[str], *, pdf: bool, images: bool) -> None:
    """Report an error in a user's own chapter, or what is missing to draw, before any work."""
    if chapters:
        from grice.profiling.chapter import load_chapters

        load_chapters(chapters)
    if pdf:
        find_browser()
    if images:
        check_images()


def make_folder(
    pairs: Sequence[DataWithRuns],
    out: Path,
    *,
    images: bool = False,
    pdf: bool = False,
    items: bool = True,
    **content: Unpack[Content],
) -> Profile:
    """Build the profile of datasets with their runs and write it to `out` unless up to date.

    With `pdf`, the installed browser also prints the page.
    """
    texts = (content.get("not_tested", ()), [e.text for e in content.get("exchanges", ())])
    options = (images, items, content.get("people", True), *texts, content.get("measures", ()))
    stamp = make_stamp(pairs, options, content.get("chapters", ()))
    page, profile = out / "index.html", None
    if page.is_file() and (out / FILE).is_file() and _read_stamp(out) == stamp:
        profile = replace(Profile.read(out), page=page, fresh=False)
    else:
        # Only here, since importing what builds and draws takes longer than reading a profile.
        from grice.profiling.build import build
        from grice.reporting.folder import write_folder

        built, sheets = build(pairs, **content)
        profile = replace(built if items else built.without_items(), page=page)
        parts = [(sheet.data, sheet.frame) for sheet in sheets]
        write_folder(profile, parts, out, stamp=stamp, images=images)
    if pdf and (profile.fresh or not page.with_suffix(".pdf").is_file()):
        print_page(page)
    return profile


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
