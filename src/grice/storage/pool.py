"""Several judges as one: mean of numbers, majority of labels, or distribution of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from statistics import fmean

from grice.core.errors import InputError, unknown
from grice.core.judgement import Judgement, best
from grice.core.scale import Scale
from grice.storage.response_log import frame_of
from grice.storage.run import Run
from grice.storage.run_folder import RunKind

HOW = ("mean", "majority", "distribution")


def pool(runs: Sequence[Run], name: str, how: str = "") -> Run:
    """Pool runs on the same data into the run of one judge called `name`.

    `mean` is for numbers. `majority` gives the most frequent label, and a fault for a tie;
    `distribution` also gives the shares of the labels as probabilities. The default is the mean or
    the majority.

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
    for run in runs:
        for judgement in run.judgements():
            answers.setdefault(judgement.item, []).extend(
                [] if judgement.answer is None else [judgement.answer]
            )
    judged = [_together(item, labels, scale, chosen) for item, labels in answers.items()]
    settings = {"pooled": [run.judge for run in runs], "how": chosen}
    rest = {
        "folder": first.folder,
        "about": first.about,
        "data": first.data,
        "settings": settings,
        "kind": RunKind.POOL,
    }
    return Run(
        first.dataset,
        first.fingerprint,
        scale,
        name,
        frame_of(judged, scale),
        first.total,
        **rest,  # type: ignore[arg-type]
    )


def _together(item: str, answers: Sequence[str | float], scale: Scale, how: str) -> Judgement:
    if not answers:
        return Judgement(item, fault="unanswered: nobody gave an answer")
    if how == "mean":
        return Judgement(item, fmean(float(answer) for answer in answers))
    counts = Counter(map(str, answers))
    shares = {label: counts[label] / len(answers) for label in scale.labels}
    top_two = counts.most_common(2)
    if len(top_two) > 1 and top_two[0][1] == top_two[1][1]:
        return Judgement(
            item,
            fault=(
                f"tie: {top_two[0][0]} and {top_two[1][0]}, {top_two[0][1]} of {len(answers)} each"
            ),
        )
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
