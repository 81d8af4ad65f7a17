"""The profile of one judge on every phenomenon: `grice profile`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grice.loading import SettingValue
from grice.profiling.chapter import load_chapters
from grice.profiling.folder import make_folder
from grice.profiling.gather import gather
from grice.reporting.model import Profile
from grice.reporting.paper import find_browser

BUILT_IN = "encoder/grice-mini"


def profile(
    judge: str = BUILT_IN,
    *,
    against: str | Sequence[str] = (),
    data: str | Sequence[str] = "core",
    out: str | Path = "profile",
    chapters: Sequence[str] = (),
    settings: Mapping[str, SettingValue] | None = None,
    limit: int | None = None,
    exchange: int | None = None,
    people: bool = True,
    seed: int = 0,
    images: bool = False,
    pdf: bool = False,
    items: bool = True,
    keep_going: bool = False,
    probe: bool = True,
    panel: bool = True,
) -> Profile:
    """Evaluate a judge on every phenomenon, write the page of its profile, and return the profile.

    `against` names comparison models: other judges, `recorded` for the models published with a
    dataset, `recorded/BERT*` for those whose name fits, or `panel/NAME` for a model of which the
    answers to the suites ship with grice; without `against` two of these are shown, unless `panel`
    is False. A judge may have a display name and settings of its own,
    `NAME=provider/name,key=value`. `data` is core, full, published, all, any dataset or file by
    name, or several of these.

    The page is written to the folder `out`; the same call again evaluates and draws only what is
    new. `exchange` is the number of items in the premise-swap test, by default 200 for a judge
    without cost; a judge whose answers do not depend on the premise gets no claim. Without `people`
    the published human means are left out. `chapters` are files with user-defined chapters. With
    `images` each chart is also written as files, with `pdf` an installed browser prints the page;
    without `items` the page has no sentence of the data.
    `keep_going` continues even if the first 20 replies are invalid. `probe`: see `grice.judge`.

    >>> found = grice.profile("baseline/overlap", data="quantifiers", limit=12)
    >>> found.title, found.page.name
    ('What overlap infers from what is said and not said', 'index.html')
    """
    load_chapters(chapters)  # report an error in one before the evaluation
    if pdf:
        find_browser()
    rivals = [against] if isinstance(against, str) else against
    datasets = [data] if isinstance(data, str) else data
    rest: dict[str, Any] = {
        "settings": settings,
        "limit": limit,
        "seed": seed,
        "items": items,
        "exchange": exchange,
        "keep_going": keep_going,
        "probe": probe,
        "panel": panel,
    }
    answers = gather(judge, rivals, datasets, into=Path(out) / "runs", **rest)
    return make_folder(
        answers.pairs,
        Path(out),
        not_tested=answers.not_tested,
        images=images,
        pdf=pdf,
        items=items,
        chapters=chapters,
        exchanges=answers.exchanges,
        people=people,
    )
