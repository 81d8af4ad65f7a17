"""Folder of a profile, rewritten only if its content would change."""

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
from grice.reporting.model import Profile
from grice.storage.run import Run

DataWithRuns = tuple[Dataset, Sequence[Run]]


def make_folder(
    pairs: Sequence[DataWithRuns],
    out: Path,
    *,
    not_tested: Sequence[str] = (),
    images: bool = True,
    items: bool = True,
    chapters: Sequence[str] = (),
    exchanges: Sequence[Exchange] = (),
    people: bool = True,
    measures: Sequence[str] = (),
) -> Profile:
    """Build the profile of datasets with their runs and write it to `out` unless up to date."""
    stamp = _stamp(
        pairs,
        [*not_tested, *(exchange.text for exchange in exchanges), str(people), *measures],
        images,
        items,
        chapters,
    )
    page = out / "index.html"
    # The profile is always computed, even if nothing is written: profile.json lacks chart types,
    # axes and explanations, so figures cannot be restored from it.
    profile, parts = build(
        pairs,
        not_tested=not_tested,
        chapters=chapters,
        exchanges=exchanges,
        people=people,
        measures=measures,
    )
    profile = profile if items else profile.without_items()
    written = out / STAMP
    fresh = not (page.is_file() and written.is_file() and written.read_text() == stamp)
    if fresh:
        write_folder(
            profile, [(sheet.data, sheet.frame) for sheet in parts], out, stamp=stamp, images=images
        )
    return replace(profile, page=page, fresh=fresh)


def _stamp(
    pairs: Sequence[DataWithRuns],
    not_tested: Sequence[str],
    images: bool,
    items: bool,
    chapters: Sequence[str],
) -> str:
    """Return the digest of what the folder depends on: answers, options, chapters and version."""
    digest = hashlib.sha256(f"{__version__}\x1c{images}\x1c{items}\x1c{list(not_tested)}".encode())
    for file in filter(Path.is_file, map(Path, chapters)):
        digest.update(file.read_bytes())
    for data, runs in pairs:
        digest.update(data.fingerprint.encode())
        for run in runs:
            digest.update(f"\x1c{run.judge}\x1c{run.total}\x1c".encode())
            for column in ("id", "answer", "value", "fault"):
                digest.update(run.frame[column].hash(seed=0).to_numpy().tobytes())
    return digest.hexdigest()
