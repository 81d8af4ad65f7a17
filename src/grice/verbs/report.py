"""The page of a profile from runs: what `grice report` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grice import loading
from grice.core.run import Run
from grice.loading import RunLike
from grice.profiling.folder import make_folder
from grice.reporting.model import Profile


def report(
    runs: RunLike | Sequence[RunLike], out: str | Path = "report", *, images: bool = True, items: bool = True
) -> Profile:
    """Write the page of a profile from any runs: the first one's judge is profiled, the others are its rivals.

    `runs` are runs or their folders; `out`, `images` and `items` are those of `profile`.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=12, into=None)
    >>> grice.report(run, images=False).judges
    ('baseline/overlap',)
    """
    by_data: dict[str, list[Run]] = {}
    for run in loading.read_runs(runs):
        by_data.setdefault(run.fingerprint, []).append(run)
    pairs = [(loading.load_data(same[0]), same) for same in by_data.values()]
    return make_folder(pairs, Path(out), images=images, items=items)
