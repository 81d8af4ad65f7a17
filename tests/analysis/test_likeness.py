"""Two judges beside people: who is nearer, paired over items; and what one judge scores, with its
ceiling.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import grice
from grice.analysis.statistics.crossed import crossed_error
from grice.analysis.statistics.likeness import compare_people, score_likeness
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.ratings import ABOVE_CEILING, read_replies, reply
from grice.core.scale import Scale
from grice.storage.run import Run, join
from tests.analysis.test_human_likeness import POINTS, crowd, holds, near

LIKERT = Scale(labels=POINTS)


def asked(said: Any, group: int = 1) -> grice.Dataset:
    """Items that people rated from 1 to 7; `group` of them share a paradigm."""
    items = [
        Item(
            f"i{k}",
            f"Sentence {k}.",
            None,
            {},
            {"people": tuple(reply(*one) for one in row), "half": "ab"[k % 2]},
            f"g{k // group}",
        )
        for k, row in enumerate(said)
    ]
    return grice.Dataset.from_items("hand", LIKERT, items)


def run(data: grice.Dataset, judge: str, probs: np.ndarray) -> Run:
    answers = [POINTS[i] for i in probs.argmax(axis=1)]
    return Run.from_columns(
        data,
        judge,
        data.ids,
        answers,
        probs={p: probs[:, i].tolist() for i, p in enumerate(POINTS)},
    )


def runs(seed: int, items: int = 80) -> tuple[grice.Dataset, Run, Run]:
    true, said = crowd(items, 10, seed=seed)
    data = asked(said)
    return (
        data,
        run(data, "good", true),
        run(data, "blind", np.random.default_rng(seed + 50).dirichlet(np.ones(7), items)),
    )


@pytest.mark.parametrize("measure", ["human_likeness", "energy", "brier"])
def test_who_answers_as_people_do_is_surely_nearer_than_who_does_not_read(measure: str) -> None:
    _, good, blind = runs(1)
    found = grice.compare(good, blind, measure=measure, group_by="half")
    whole, *parts = found.rows
    better = whole.difference.value if measure == "human_likeness" else -whole.difference.value
    assert (
        better > 0 and whole.p < 0.001 and whole.only_a > whole.only_b and whole.difference.n == 80
    )
    assert [row.stratum for row in parts] == ["a", "b"] and parts[0].holm >= parts[0].p
    back = grice.compare(blind, good, measure=measure)
    assert back.rows[0].difference.value == near(-whole.difference.value)
    table = {
        judge: grice.table([one], measure).cells
        for judge, one in (("good", good), ("blind", blind))
    }
    assert found.accuracy["good"] == next(iter(table["good"].values()))
    assert measure in str(found) and "first nearer" in str(found)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["human_likeness", "energy"])
def test_the_same_judge_twice_does_not_differ_and_two_alike_seldom_do(measure: str) -> None:
    data, good, _ = runs(2)
    same = Run.from_columns(
        data,
        "same",
        data.ids,
        good.frame["answer"].to_list(),
        probs={p: good.frame[f"p.{p}"].to_list() for p in POINTS},
    )
    assert grice.compare(good, same, measure=measure).rows[0].p == 1
    alarms = 0
    for seed in range(40):
        _, said = crowd(40, 8, seed=seed)
        data, draw = asked(said), np.random.default_rng(seed)
        twins = [run(data, name, draw.dirichlet(np.ones(7), 40)) for name in "ab"]
        alarms += grice.compare(*twins, measure=measure).rows[0].p < 0.05
    assert alarms <= 6


def test_people_with_ways_of_their_own_make_the_interval_of_a_distance_wider() -> None:
    true, said = crowd(60, 12, bias=1.5)
    data = asked(said)
    frame = join(data, run(data, "a", true))
    nobody = frame.with_columns(
        pl.col("tag.people").list.eval(pl.element().str.replace(r"^\d+", ""))
    )
    known, unknown = (grice.load_measure("energy")(one) for one in (frame, nobody))
    assert known is not None and unknown is not None and known.value == near(unknown.value)
    assert known.low is not None and unknown.low is not None and known.low < unknown.low


def test_the_crossed_error_is_what_drawing_items_and_people_anew_gives() -> None:
    """The jackknife terms of every reply, summed by item and by person, give the variance that
    the mean distance has over fresh items and fresh people.
    """
    values = []
    for seed in range(150):
        true, said = crowd(20, 8, bias=1.0, seed=seed)
        data = asked(said)
        values.append(grice.load_measure("energy")(join(data, run(data, "a", true))))
    drawn = np.std([value.value for value in values if value], ddof=1)
    halves = [(value.high - value.low) / 2 for value in values if value]  # type: ignore[operator]
    # Student's t with about ten degrees of freedom.
    assert np.median(halves) / 2.2 == pytest.approx(drawn, rel=0.25)


@pytest.mark.parametrize("people", [4, 40])
def test_a_distance_does_not_depend_on_how_many_people_answered(people: int) -> None:
    """People's own distribution is at 0 and a single point far away, with 4 people as with 40."""
    true, said = crowd(300, people, seed=people)
    data = asked(said)
    exact = grice.load_measure("energy")(join(data, run(data, "a", true)))
    others = grice.load_measure("energy:people,others")(join(data, run(data, "a", true)))
    assert holds(exact, 0) and exact is not None and others is not None
    assert exact.value == near(0, 0.03) and others.value == near(0.11, 0.02)


def test_words_crossed_with_clauses_are_drawn_anew_too() -> None:
    """A judge right about clauses and wrong about verbs varies over verbs, not over clauses."""
    draw = np.random.default_rng(0)
    clause, verb = (axis.ravel() for axis in np.indices((20, 20)))
    effect = draw.normal(0, 1, 20)
    influence = (effect - effect.mean())[verb] / 400
    one, both = (crossed_error(influence, units) for units in ([clause], [clause, verb]))
    assert one is not None and both is not None
    assert one.error < 1e-12 or both.error > 5 * one.error
    assert both.error == near(float(np.std(influence * 20, ddof=1)) * 20**0.5, 0.05)


def test_measures_beside_people_come_one_at_a_time_and_need_people() -> None:
    _, good, blind = runs(3, 20)
    with pytest.raises(
        InputError, match="one measure beside people at a time, not energy, accuracy:label"
    ):
        grice.compare(good, blind, measure=["energy", "accuracy:label"])
    with pytest.raises(InputError, match="no tag 'votes' with people's replies"):
        grice.compare(good, blind, measure="human_likeness:votes")
    data = asked([[(1, 4), (2, 4)]] * 4)
    flat = [run(data, name, np.eye(7)[[3] * 4]) for name in "ab"]
    with pytest.raises(InputError, match="hand has no human_likeness for both judges"):
        grice.compare(*flat, measure="human_likeness")


def test_a_score_has_its_interval_and_its_ceiling() -> None:
    data, good, _ = runs(5)
    found = score_likeness(join(data, good))
    assert (
        found is not None and holds(found.likeness, 1) and holds(found.ceiling, found.ceiling.value)
    )
    assert found.correlation == near(found.likeness.value * found.ceiling.value)
    assert set(found.to_json()) == {"likeness", "ceiling", "correlation"}
    one = compare_people(
        join(data, good, Run.from_columns(data, "b", data.ids, ["4"] * 79 + ["5"])), "good", "b", ""
    )
    assert one[0].difference.value > 0.5


def test_a_likeness_above_one_is_noted_by_table_and_compare() -> None:
    _, replies = crowd(40, 3, seed=4)
    data = asked(replies)
    shares = np.array(
        [[sum(x == int(p) for _, x in row) / len(row) for p in POINTS] for row in replies]
    )
    known, blind = run(data, "known", shares), run(data, "blind", np.roll(shares, 1, axis=0))
    table = grice.table([known, blind], "human_likeness")
    values = [cell.value for cell in table.cells.values() if cell]
    assert values[0] > 1 > values[1]
    assert [note for note in table.notes if ABOVE_CEILING in note] == [
        f"human_likeness above 1: {ABOVE_CEILING}"
    ]
    assert not any(ABOVE_CEILING in note for note in grice.table([blind], "human_likeness").notes)
    assert f"known above 1: {ABOVE_CEILING}" in str(
        grice.compare(known, blind, measure="human_likeness")
    )
    assert ABOVE_CEILING not in str(grice.compare(known, blind, measure="energy"))


RATED = (
    "scalar_diversity/asked/rx22",
    "some_corpus/asked/context",
    "some_corpus/asked/no_context",
    "or_corpus/asked/exp3",
    "or_corpus/asked/exp4",
    "nope/asked/main",
    "nope/priors",
    "projection/asked/exp1a",
    "projection/asked/exp1b",
    "projection/asked/exp2a",
    "projection/asked/exp3b",
    "projection/asked/prior1",
    "projection/asked/prior2a",
    "projection/asked/question",
    "projection/asked/negation",
    "projection/asked/modal",
    "projection/asked/conditional",
    "megaveridicality/asked/v1",
    "commitmentbank/asked",
)


def halved(data: grice.Dataset) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The items with every second reply to each as people's, and as a judge the mean of the others."""
    replies = read_replies(data.frame).with_columns(
        (pl.int_range(pl.len()).over("id") % 2 == 0).alias("judge")
    )
    said = replies.filter("judge").group_by("id").agg(pl.col("value").mean())
    kept = (
        replies.filter(~pl.col("judge"))
        .group_by("id")
        .agg(pl.format("{}={}", "rater", "answer").alias("tag.people"))
    )
    rows = data.frame.drop("tag.people").join(kept, on="id").join(said, on="id").sort("id")
    return (
        rows.with_columns(pl.lit(None, pl.String).alias("answer"), pl.lit("half").alias("judge")),
        replies,
    )


@pytest.mark.published
@pytest.mark.parametrize("name", RATED)
def test_a_judge_with_peoples_own_answers_is_at_the_ceiling_and_a_blind_one_at_zero(
    data_folder: Path, name: str
) -> None:
    """Half of the people are a judge of the other half: what keeps it from 1 is its own noise,
    which its ceiling tells.
    """
    assert data_folder.is_dir()
    rows, replies = halved(grice.load(name))
    found = score_likeness(rows)
    assert found is not None
    value = (
        replies.filter("judge")
        .group_by("id")
        .agg(
            pl.col("value").mean().alias("mean"), (pl.col("value").var() / pl.len()).alias("noise")
        )
    )
    there = value.filter(pl.col("id").is_in(rows["id"].to_list())).drop_nulls()
    reach = float(
        np.sqrt(1 - there["noise"].to_numpy().mean() / there["mean"].to_numpy().var(ddof=1))
    )
    half = (found.likeness.high or 0) - (found.likeness.low or 0)
    assert abs(found.likeness.value - reach) < half, (found, reach)
    blind = [
        score_likeness(rows.with_columns(pl.col("value").shuffle(seed=seed))) for seed in range(3)
    ]
    assert sum(one is not None and holds(one.likeness, 0) for one in blind) >= 2, blind
