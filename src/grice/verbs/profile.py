"""The profile of one judge on every phenomenon: `grice profile`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from grice.cluster import Cluster
from grice.core.dataset import GOLD, Dataset
from grice.core.errors import GriceError, InputError
from grice.core.estimate import mean
from grice.loading import SettingValue, is_recorded
from grice.profiling.folder import check_page, make_folder
from grice.profiling.gather import gather, load_datasets
from grice.reporting.model import Profile
from grice.storage.run import Run, join
from grice.verbs.judge import forecast
from grice.verbs.run_filter import listed

BUILT_IN = "encoder/grice-mini"


class BelowThreshold(GriceError):
    """Accuracy of a profile below the required one; the page is written."""

    code = 3

    def __init__(self, message: str, profile: Profile) -> None:
        super().__init__(message)
        self.profile = profile


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
    engine: str = "local",
    workers: int = 2,
    gpus: float = 0.0,
    people: bool = True,
    seed: int = 0,
    images: bool = False,
    pdf: bool = False,
    items: bool = True,
    keep_going: bool = False,
    probe: bool = True,
    panel: bool = True,
    fail_under: float | None = None,
) -> Profile:
    """Evaluate a judge on every phenomenon, write the page of its profile, and return the profile.

    `against` names comparison models: other judges, `recorded` or `recorded/BERT*` for models
    published with a dataset, `panel/NAME` for a model whose answers to the suites ship with grice;
    without it two of these are shown, unless `panel` is False. `data` is core, full, published,
    all, any dataset or file by name, or several of these.

    The page is written to the folder `out`; the same call again does only what is new. `exchange`
    is the number of items in the premise-swap test, by default 200 for a judge without cost.
    `people` adds the published human means. `chapters` are files of your own. With `images` each
    chart is also a file, with `pdf` an installed browser prints the page; without `items` the page
    has no sentence of the data. `BelowThreshold` is raised at the end if the accuracy on items with
    one gold answer is below `fail_under`; the other arguments are those of `grice.judge`.

    >>> grice.profile("baseline/overlap", data="quantifiers", limit=12).title
    'What overlap infers from what is said and not said'
    """
    check_page(chapters, pdf=pdf, images=images)
    choices: dict[str, Any] = {"settings": settings, "exchange": exchange, "probe": probe}
    choices |= {"limit": limit, "seed": seed, "items": items, "keep_going": keep_going}
    choices |= {"into": Path(out) / "runs", "cluster": Cluster(engine, workers, gpus)}
    answers = gather(judge, listed(against), listed(data), panel=panel, **choices)
    judge_profile = make_folder(
        answers.pairs,
        Path(out),
        images=images,
        pdf=pdf,
        items=items,
        not_tested=answers.not_tested,
        chapters=chapters,
        exchanges=answers.exchanges,
        people=people,
    )
    if fail_under is not None:
        _require(fail_under, answers.pairs, judge_profile)
    return judge_profile


def _require(
    threshold: float, pairs: Sequence[tuple[Dataset, Sequence[Run]]], judge_profile: Profile
) -> None:
    """Raise `BelowThreshold` if accuracy on the items whose readings agree is too low."""
    rows = []
    for data, (run, *_) in pairs:
        frame = join(data, run)
        golds = [c for c in frame.columns if c.startswith(GOLD) and frame.schema[c] == pl.String]
        first = pl.coalesce(golds) if golds else pl.lit(None, dtype=pl.String)
        agree = [(pl.col(gold) == first).fill_null(value=True) for gold in golds]
        right = (pl.col("answer") == first).fill_null(value=False).cast(pl.Float64)
        paradigm = pl.concat_str(pl.lit(data.name), pl.coalesce("group", "id"), separator=" ")
        agreed = frame.filter(first.is_not_null(), *agree)
        rows.append(agreed.select(right.alias("right"), paradigm.alias("group")))
    scores = pl.concat(rows)
    accuracy = mean(scores["right"], scores["group"])
    if accuracy is None:
        raise InputError("fail_under needs items with one gold label; the data have none")
    if accuracy.value < threshold:
        raise BelowThreshold(
            f"accuracy where the readings agree is {accuracy.value:.3f} (95% CI {accuracy.low:.3f}"
            f" to {accuracy.high:.3f}, n = {accuracy.n:,}), and {threshold:g} is required",
            judge_profile,
        )


def forecast_profile(
    judge: str = BUILT_IN,
    *,
    against: str | Sequence[str] = (),
    data: str | Sequence[str] = "core",
    out: str | Path = "profile",
    settings: Mapping[str, SettingValue] | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Estimate the pending work of the same `profile` call, a row per model and dataset.

    The premise-swap test (200 items of a model without cost) and a probe of readouts (72 requests)
    come on top.
    """
    rows: list[dict[str, Any]] = []
    for dataset in load_datasets(listed(data), []):
        shared: dict[str, Any] = {"into": Path(out) / "runs", "limit": limit, "seed": seed}
        rows += forecast(dataset, judge, settings=settings, **shared)
        rivals = [name for name in listed(against) if not is_recorded(name)]
        rows += forecast(dataset, rivals, **shared)
    return rows
