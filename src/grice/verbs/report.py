"""The page of a profile from existing runs: `grice report`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from grice.core.errors import unknown
from grice.loading import RunLike
from grice.profiling.folder import check_page, make_folder
from grice.profiling.measured import load_measures
from grice.reporting.folder import write_chart
from grice.reporting.model import Profile
from grice.tables.charts import check_chart
from grice.verbs.run_filter import Names, RunFilter, choose_runs, judges_of, listed, without_people


def report(
    runs: RunLike | Sequence[RunLike],
    out: str | Path = "report",
    *,
    of: str = "",
    chapters: Sequence[str] = (),
    images: bool = False,
    pdf: bool = False,
    items: bool = True,
    measure: Names = (),
    chart: str | Path | None = None,
    **keep: Unpack[RunFilter],
) -> Profile:
    """Write the page of a profile from any runs.

    The judge `of`, by default the first one's, is profiled; the others are comparison models.

    `runs` are runs, their folders, or a zip of `pack`; `judge=`, `dataset=` and `pool=` select
    among them as for `table`. `out`, `chapters`, `images`, `pdf` and `items` are those of
    `profile`. Each `measure` gets a chart on the page. `chart` is a file for the first chart: svg,
    pdf, png or html.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=12, into=None)
    >>> grice.report(run).judges
    ('baseline/overlap',)
    """
    check_page(chapters, pdf=pdf, images=images)
    load_measures(listed(measure))
    check_chart(Path(chart) if chart else None)
    chosen = choose_runs(runs, keep)
    judges = judges_of(chosen)
    if of and of not in judges:
        raise unknown("judge", of, judges)
    first = of or judges[0]
    chosen = without_people(chosen, first)
    pairs = [(same.data, sorted(same.runs, key=lambda run: run.judge != first)) for same in chosen]
    pairs.sort(key=lambda pair: pair[1][0].judge != first)
    profile = make_folder(
        pairs,
        Path(out),
        chapters=chapters,
        images=images,
        pdf=pdf,
        items=items,
        measures=listed(measure),
    )
    if chart:
        write_chart(profile, Path(chart))
    return profile
