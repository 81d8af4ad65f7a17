"""Several judges as one: mean of numbers, majority of labels, or distribution of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from statistics import fmean
from typing import Any

import polars as pl

from grice.core.errors import InputError, unknown
from grice.core.judgement import Judgement, best
from grice.core.ratings import reply
from grice.core.scale import Scale
from grice.storage.response_log import frame_of
from grice.storage.run import Run
from grice.storage.run_folder import RunKind

HOW = ("mean", "majority", "distribution")


def pool(runs: Sequence[Run], name: str, how: str = "") -> Run:
    """Pool runs on the same data into the run of one judge called `name`.

    `how` is `mean` (numbers), `majority` (the most frequent label; a tie is an invalid response) or
    `distribution` (label shares as probabilities; the answer is the most frequent label, at a tie
    the first of the scale). The default is `mean` for numbers, else `majority`. The single answers
    stay in the column `replies`, so that rates are of all of them, with intervals over items and
    judges.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> judge = grice.load_judge("baseline/random")
    >>> runs = [grice.evaluate(data, judge, seed=seed) for seed in range(3)]
    >>> grice.pool(runs, "all three").answered
    30
    """
    if not runs:
        raise InputError(f"no runs to pool as '{name}'; give at least one")
    scale, first = runs[0].scale, runs[0]
    chosen = how or ("mean" if scale.numeric else "majority")
    if chosen not in HOW:
        raise unknown("way to pool", chosen, HOW)
    if (chosen == "mean") != scale.numeric:
        fits = "mean" if scale.numeric else "majority or distribution"
        raise InputError(f"answers on {scale} have no {chosen}; pool '{name}' by {fits}")
    odd = next(
        (run for run in runs if run.scale != scale or run.fingerprint != first.fingerprint), None
    )
    if odd is not None:
        raise InputError(
            f"'{odd.judge}' answered other data or on {odd.scale}; pool runs on the same data and"
            " scale"
        )
    answers: dict[str, list[str | float]] = {}
    replies: dict[str, list[str]] = {}
    for number, run in enumerate(runs, 1):
        for judgement in run.judgements():
            labels = answers.setdefault(judgement.item, [])
            of_item = replies.setdefault(judgement.item, [])
            if judgement.answer is not None:
                labels.append(judgement.answer)
                of_item.append(reply(number, judgement.answer))
    judged = [_together(item, labels, scale, chosen) for item, labels in answers.items()]
    frame = frame_of(judged, scale).with_columns(
        pl.Series("replies", list(replies.values()), dtype=pl.List(pl.String))
    )
    settings = {"pooled": [run.judge for run in runs], "how": chosen}
    changed: dict[str, Any] = {"judge": name, "frame": frame, "settings": settings}
    unknown_of_pool: dict[str, Any] = {"seed": 0, "versions": {}, "again": {}, "notes": {}}
    return replace(first, kind=RunKind.POOL, **changed, **unknown_of_pool)


def _together(item: str, answers: Sequence[str | float], scale: Scale, how: str) -> Judgement:
    if not answers:
        return Judgement(item, fault="unanswered: nobody gave an answer")
    if how == "mean":
        return Judgement(item, fmean(float(answer) for answer in answers))
    counts = Counter(map(str, answers))
    shares = {label: counts[label] / len(answers) for label in scale.labels}
    top_two = counts.most_common(2)
    if how == "majority" and len(top_two) > 1 and top_two[0][1] == top_two[1][1]:
        (first, count), (second, _) = top_two
        fault = f"tie: {first} and {second}, {count} of {len(answers)} each"
        return Judgement(item, fault=fault)
    return Judgement(item, best(shares), probs=shares if how == "distribution" else None)


def pool_by(runs: Sequence[Run], spec: str) -> list[Run]:
    """Pool some of the runs: `people` takes all runs of people.

    `NAME=PATTERN,how=mean` takes the runs whose judge matches the pattern. People whom their
    campaign excluded are in no pool.
    """
    selector, _, how = spec.partition(",how=")
    name, equals, pattern = selector.partition("=")
    chosen = [
        run
        for run in runs
        if (fnmatchcase(run.judge, pattern) if equals else run.kind is RunKind.PERSON)
        and "excluded" not in run.settings
    ]
    if not name or not chosen:
        what = f"judge is called like '{pattern}'" if equals else "run is of a person"
        names = ", ".join(dict.fromkeys(run.judge for run in runs))
        raise InputError(
            f"--pool {spec}: no {what}; name a pattern, as in --pool people='p*'; there are {names}"
        )
    by_data: dict[str, list[Run]] = {}
    for run in chosen:
        by_data.setdefault(run.fingerprint, []).append(run)
    return [run for run in runs if run not in chosen] + [
        pool(same, name, how) for same in by_data.values()
    ]
