"""How human a judge is: one that answers from people's own distributions is at the ceiling, a blind
one at zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from grice.analysis.brier import brier
from grice.analysis.ceiling import ceiling
from grice.analysis.energy import energy
from grice.analysis.human_likeness import human_likeness
from grice.core.errors import InputError
from grice.core.estimate import Estimate
from grice.core.ratings import read_replies, reply
from tests.analysis.frames import frame

Replies = Sequence[Sequence[tuple[int, int]]]
POINTS = tuple(str(point) for point in range(1, 8))


def near(value: float, abs: float = 1e-9) -> Any:
    return pytest.approx(value, abs=abs)


def crowd(
    items: int, raters: int, *, seed: int = 0, bias: float = 0.0
) -> tuple[np.ndarray, Replies]:
    """Each item's true distribution on seven points, and the points that people drew from it;
    `bias` is a person's own shift.
    """
    draw = np.random.default_rng(seed)
    centre = draw.uniform(1.5, 6.5, items)
    weights = np.exp(-((np.arange(1, 8) - centre[:, None]) ** 2) / 2)
    true = weights / weights.sum(axis=1, keepdims=True)
    own = draw.normal(0, bias, raters)
    said = [
        [(k, int(np.clip(round(draw.choice(7, p=row) + 1 + own[k]), 1, 7))) for k in range(raters)]
        for row in true
    ]
    return true, said


def judged(
    replies: Replies,
    *,
    value: np.ndarray | None = None,
    probs: np.ndarray | None = None,
    known: bool = True,
) -> pl.DataFrame:
    n = len(replies)
    answers = [None] * n if probs is None else [POINTS[i] for i in probs.argmax(axis=1)]
    table = frame(answers).with_columns(
        pl.Series("value", value if value is not None else [None] * n, dtype=pl.Float64),
        pl.Series(
            "tag.people", [[reply(k if known else "", said) for k, said in row] for row in replies]
        ),
        *(
            []
            if probs is None
            else [pl.Series(f"p.{point}", probs[:, i]) for i, point in enumerate(POINTS)]
        ),
    )
    return table.drop("p.entailment", "p.neutral", "p.contradiction")


def holds(found: Estimate | None, value: float) -> bool:
    assert found is not None and found.low is not None and found.high is not None
    return found.low <= value <= found.high


@pytest.mark.parametrize("seed", range(5))
def test_a_judge_with_peoples_own_distributions_is_at_the_ceiling_and_a_blind_one_at_zero(
    seed: int,
) -> None:
    true, said = crowd(80, 10, seed=seed)
    own = human_likeness()(judged(said, probs=true))
    assert own is not None and own.value == near(1, 0.06) and holds(own, 1)
    blind = np.random.default_rng(seed + 99).dirichlet(np.ones(7), 80)
    assert holds(human_likeness()(judged(said, probs=blind)), 0)


@pytest.mark.parametrize("seed", range(5))
def test_ten_other_people_are_where_ten_people_would_be_and_a_blind_judge_is_farther(
    seed: int,
) -> None:
    true, said = crowd(80, 20, seed=seed)
    judge, people = [row[:10] for row in said], [row[10:] for row in said]
    shares = np.array(
        [[np.mean([answer == k for _, answer in row]) for k in range(1, 8)] for row in judge]
    )
    constant = np.repeat(true.mean(axis=0)[None], 80, axis=0)
    for measure in (energy, brier):
        ten, worst, best = (measure()(judged(people, probs=p)) for p in (shares, constant, true))
        floor = measure("", "others")(judged(people, probs=true))
        assert ten is not None and floor is not None and worst is not None and best is not None
        half = (ten.high or 0) - ten.value
        assert abs(ten.value - floor.value) < 1.5 * half and holds(best, 0)
        assert best.value < floor.value < worst.value


def test_the_ceiling_is_what_split_halves_give() -> None:
    _, said = crowd(400, 12)
    found = ceiling()(judged(said, value=np.zeros(400)))
    table = np.array([[answer for _, answer in row] for row in said], dtype=float)
    r = np.corrcoef(table[:, ::2].mean(axis=1), table[:, 1::2].mean(axis=1))[0, 1]
    assert found is not None and found.value == near(float(np.sqrt(2 * r / (1 + r))), 0.01)
    assert holds(found, found.value)


def test_people_with_ways_of_their_own_make_the_interval_wider() -> None:
    rng = np.random.default_rng(5)
    # Each person answers a few items only, so that one person's way moves some means and not
    # others.
    _, said = crowd(60, 12, bias=1.5)
    few: Replies = [[row[k] for k in sorted(rng.choice(12, 4, replace=False))] for row in said]
    value = np.array([np.mean([answer for _, answer in row]) for row in said]) + rng.normal(
        0, 0.5, 60
    )
    known, unknown = (
        human_likeness()(judged(few, value=value, known=told)) for told in (True, False)
    )
    assert known is not None and unknown is not None and None not in (known.low, unknown.low)
    assert known.high - known.low > unknown.high - unknown.low  # type: ignore[operator]


def test_a_number_is_a_distribution_at_one_point() -> None:
    people: Replies = [[(1, 2), (2, 4)], [(1, 7), (2, 7)]]
    found = energy()(judged(people, value=np.array([3.0, 5.0])))
    assert found is not None and (found.value, found.n) == (near(2.0), 2)


def test_shares_of_labels_are_compared_label_by_label() -> None:
    rows = frame(["entailment", "neutral"], probs=[(0.5, 0.5, 0.0), (0.0, 1.0, 0.0)]).with_columns(
        pl.Series("tag.votes", [["=entailment", "=neutral"], ["=entailment", "=contradiction"]])
    )
    found = brier("votes")(rows)
    assert found is not None and (found.value, found.n) == (near(0.25), 2)


def test_a_judge_of_labels_that_are_no_points_is_told_to_be_asked_what_people_were_asked() -> None:
    rows = frame(["entailment"] * 3).with_columns(pl.Series("tag.people", [["=1", "=2"]] * 3))
    with pytest.raises(
        InputError,
        match=r"'entailment' is not on people's scale; ask the judge what people were asked",
    ):
        energy()(rows)
    with pytest.raises(InputError, match="no tag 'people' with people's replies"):
        human_likeness()(rows.drop("tag.people"))
    with pytest.raises(InputError, match="are labels, not numbers; use -m brier"):
        human_likeness("votes")(
            rows.with_columns(pl.Series("tag.votes", [["=entailment", "=neutral"]] * 3))
        )


def test_likeness_is_of_targets_and_of_controls_where_they_are_alone() -> None:
    _, said = crowd(60, 10)
    role = ["control" if k % 3 == 0 else "target" for k in range(60)]
    value = np.array([np.mean([answer for _, answer in row]) for row in said])
    value = np.where(np.array(role) == "control", -value, value)
    rows = judged(said, value=value).with_columns(pl.Series("tag.role", role))
    score, alone = (
        human_likeness()(part) for part in (rows, rows.filter(pl.col("tag.role") == "control"))
    )
    assert score is not None and alone is not None
    assert (score.n, alone.n) == (40, 20) and score.value > 0.9 and alone.value < -0.9


@pytest.mark.published
def test_half_of_the_people_are_at_the_ceiling_of_the_other_half(data_folder: Path) -> None:
    """Twenty participants of the fourth study answer as a judge with their shares; the other twenty
    are the people.
    """
    from grice.datasets.scalar_diversity import scalar_diversity

    data = scalar_diversity.load("rx22", data_folder).frame
    replies = read_replies(data).with_columns(
        (pl.col("rater").cast(pl.Int64) % 2 == 0).alias("judge")
    )
    shares = replies.filter("judge").group_by("id").agg(pl.col("value").mean())
    rest = (
        replies.filter(~pl.col("judge"))
        .group_by("id")
        .agg(pl.format("{}={}", "rater", "answer").alias("tag.people"))
    )
    rows = (
        data.drop("tag.people")
        .join(rest, on="id")
        .join(shares, on="id")
        .with_columns(pl.lit(None, pl.String).alias("answer"), pl.lit("half").alias("judge"))
    )
    found, blind = (
        human_likeness()(rows),
        human_likeness()(rows.with_columns(pl.col("value").reverse())),
    )
    assert (
        found is not None
        and found.value > 0.93
        and found.high is not None
        and found.high >= 1 - 0.03
    )
    assert holds(blind, 0)


@pytest.mark.published
@pytest.mark.parametrize(
    "name", ["scalar_diversity/rx22", "projection/exp1a", "some_corpus/context"]
)
def test_the_ceiling_of_published_ratings_is_that_of_halves_of_the_persons(
    data_folder: Path, name: str
) -> None:
    from grice.loading import load

    assert data_folder.is_dir()
    data = load(name).frame
    replies, draw, found = read_replies(data), np.random.default_rng(0), []
    persons = replies["rater"].unique().sort().to_list()
    for _ in range(5):
        side = dict(zip(persons, (draw.permutation(len(persons)) % 2).tolist(), strict=True))
        means = replies.group_by("id", pl.col("rater").replace_strict(side).alias("half")).agg(
            pl.col("value").mean()
        )
        both = means.pivot("half", index="id", values="value").drop_nulls()
        r = np.corrcoef(both["0"], both["1"])[0, 1]
        found.append(float(np.sqrt(2 * r / (1 + r))))
    rows = data.with_columns(
        pl.lit("entailment").alias("answer"),
        pl.lit(None, pl.Float64).alias("value"),
        pl.lit("a").alias("judge"),
    )
    got = ceiling()(rows)
    assert got is not None and got.value == near(float(np.mean(found)), 0.01)
