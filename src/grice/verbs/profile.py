"""Making a profile and its folder: what `grice profile` and `grice report` do."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grice import __version__
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.run import Run
from grice.profiling.build import build
from grice.profiling.gather import gather
from grice.reporting.folder import STAMP, write_folder
from grice.reporting.model import Profile
from grice.verbs.table import named

BUILT_IN = "encoder/grice-mini"


@dataclass(frozen=True)
class Made:
    """A profile as JSON, where its page lies, and whether anything had to be drawn."""

    found: Mapping[str, Any]
    page: Path
    fresh: bool
    profile: Profile

    def _repr_html_(self) -> str:
        return self.profile._repr_html_()


def profile(
    judge: str = BUILT_IN,
    *,
    against: Sequence[str] = (),
    data: str = "core",
    out: str | Path = "profile",
    chapters: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    images: bool = True,
    items: bool = True,
) -> Made:
    """Ask, count, draw: one judge on every phenomenon. The same call again asks and draws only what is new.

    Without `items` no sentence of the data is on the page. `chapters` are files with chapters of your own.
    """
    found = gather(judge, against, data, into=Path(out) / "runs", settings=settings, limit=limit, seed=seed)
    return _make(found.pairs, found.not_tested, Path(out), images=images, items=items, chapters=chapters)


def report(
    folders: Sequence[str | Path], out: str | Path, *, images: bool = True, items: bool = True
) -> Made:
    """The same page from any runs: the first run's judge is profiled, the others on the same data are its rivals."""
    from grice import loading

    by_data: dict[str, list[Run]] = {}
    for run in named([Path(folder) for folder in folders]):
        by_data.setdefault(run.fingerprint, []).append(run)
    pairs = [(loading.load(runs[0].dataset), runs) for runs in by_data.values()]
    for data, runs in pairs:
        if data.fingerprint != runs[0].fingerprint:
            raise InputError(
                f"{runs[0].folder}: '{data.name}' is not the data it was made on; judge it again"
            )
    return _make(pairs, [], Path(out), images=images, items=items)


def _make(
    pairs: Sequence[tuple[Dataset, Sequence[Run]]],
    not_tested: Sequence[str],
    out: Path,
    *,
    images: bool,
    items: bool,
    chapters: Sequence[str] = (),
) -> Made:
    stamp = _stamp(pairs, not_tested, images, items, chapters)
    page, written = out / "index.html", out / STAMP
    fresh = not (page.is_file() and written.is_file() and written.read_text() == stamp)
    # Counted anew although nothing may have to be drawn: profile.json has no kinds of charts, axes or explanations,
    # so a profile read back from it could not show its figures.
    built, sheets = build(pairs, not_tested=not_tested, chapters=chapters)
    built = replace(built if items else built.without_items(), page=page, fresh=fresh)
    if fresh:
        write_folder(built, [(one.data, one.frame) for one in sheets], out, stamp=stamp, images=images)
    return Made(built.to_json(), page, fresh=fresh, profile=built)


def _stamp(
    pairs: Sequence[tuple[Dataset, Sequence[Run]]],
    not_tested: Sequence[str],
    images: bool,
    items: bool,
    chapters: Sequence[str],
) -> str:
    """All that the folder depends on: the answers themselves, what was left out, the user's chapters, and this version."""
    digest = hashlib.sha256(f"{__version__}\x1c{images}\x1c{items}\x1c{list(not_tested)}".encode())
    for file in filter(Path.is_file, map(Path, chapters)):
        digest.update(file.read_bytes())
    for data, runs in pairs:
        digest.update(data.fingerprint.encode())
        for run in runs:
            digest.update(f"\x1c{run.judge}\x1c{run.asked}\x1c".encode())
            for column in ("id", "answer", "value", "fault"):
                digest.update(run.frame[column].hash(seed=0).to_numpy().tobytes())
    return digest.hexdigest()
