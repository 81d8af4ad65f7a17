"""Coverage of the intervals of people's answers: `python -m benchmarks.people [--draws 400]`.

Simulated people answer items in a Latin square of two conditions, with random effects of items,
of people, and of both by condition. Counted is how often the 95% interval of a condition's mean,
of the difference of the conditions, and of a judge's human likeness has the true value; then
what a judge with people's own distributions gets, and how often one that gives every item the
same distribution is nearer to people than ten other people.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

import numpy as np
import polars as pl

from grice.analysis.energy import energy
from grice.analysis.statistics.crossed import crossed_difference, crossed_mean
from grice.analysis.statistics.likeness import score_likeness
from grice.core.estimate import Estimate, Floats
from grice.loading import load, load_judge, source
from grice.storage.evaluation import evaluate
from grice.storage.run import join

PEOPLE, ITEMS = (12, 30, 100), (16, 24)
FEW = ((8, 24), (30, 8), (8, 8))
MEAN, DIFFERENCE, LIKENESS = 0.6, 0.4, 0.6
POINTS = np.arange(1.0, 8.0)


def has(estimate: Estimate | None, truth: float) -> bool:
    """Whether the interval has the true value; no interval has it not."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return False
    return estimate.low <= truth <= estimate.high


def study(people: int, items: int, draw: np.random.Generator) -> Iterator[tuple[str, bool]]:
    """One Latin square: each person sees each item in one of two conditions."""
    item, person = (axis.ravel() for axis in np.indices((items, people)))
    second = (item + person) % 2
    value = MEAN + DIFFERENCE * second + draw.normal(0, 1, items * people)
    for unit, n, spread in ((item, items, 0.5), (person, people, 0.7)):
        value += draw.normal(0, spread, n)[unit] + draw.normal(0, 0.3, n)[unit] * (second - 0.5)
    first = second == 0
    known = crossed_mean(value[first], [item[first], person[first]])

    yield "mean", has(known, MEAN)
    yield "difference", has(crossed_difference(value, ~first, [item, person])[0], DIFFERENCE)


def frame_of(replies: Floats, **columns: Floats) -> pl.DataFrame:
    """A judge's answers to items that everybody rated; `columns` has its values or probabilities."""
    ids = [f"i{n:03d}" for n in range(len(replies))]
    tags = [[f"{k}={value:.6f}" for k, value in enumerate(row)] for row in replies]
    data = {"id": ids, "group": [None] * len(ids), "tag.people": tags, "answer": [None] * len(ids)}
    data["judge"] = ["judge"] * len(ids)
    frame = pl.DataFrame(data, schema_overrides={"group": pl.String, "answer": pl.String})
    frame = frame.with_columns(pl.lit(None, pl.Float64).alias("value"))
    return frame.with_columns(pl.Series(name, values) for name, values in columns.items())


def likeness(people: int, items: int, draw: np.random.Generator) -> bool:
    """A judge whose numbers correlate with the true means as `LIKENESS` says."""
    true, shared = draw.normal(0, 1, (2, items))
    said = LIKENESS * true + np.sqrt(1 - LIKENESS**2) * shared
    replies = true[:, None] * draw.normal(1, 0.3, people) + draw.normal(0, 0.7, people)
    replies = replies + draw.normal(0, 1, (items, people))
    score = score_likeness(frame_of(replies, value=said))
    return has(score.likeness if score else None, LIKENESS)


def ordinal(people: int, items: int, draw: np.random.Generator) -> Iterator[tuple[str, bool]]:
    """People on seven points, a judge with their population's distribution, one with a constant."""
    centre, levels = draw.uniform(1.5, 6.5, items), np.linspace(-3, 3, 61)
    weight = np.exp(-(levels**2) / 2) / np.exp(-(levels**2) / 2).sum()
    near = np.exp(-((POINTS - centre[:, None, None] - 0.5 * levels[:, None]) ** 2) / 2)
    near /= near.sum(axis=-1, keepdims=True)
    population = np.einsum("l,ilp->ip", weight, near)
    own = draw.choice(61, people, p=weight)
    edges = near[:, own].cumsum(axis=-1)
    replies = 1.0 + (draw.random((items, people, 1)) > edges).sum(axis=-1)
    constant = np.repeat(population.mean(axis=0)[None], items, axis=0)
    scores = {}
    for name, shares in (("perfect", population), ("constant", constant)):
        probs = {f"p.{int(point)}": shares[:, n] for n, point in enumerate(POINTS)}
        frame = frame_of(replies, **probs)
        scores[name] = energy()(frame)
        if name == "perfect":
            score = score_likeness(frame.with_columns(pl.lit("1").alias("answer")))
            yield "perfect judge: likeness 1", has(score.likeness if score else None, 1.0)
            yield "perfect judge: energy 0", has(scores[name], 0.0)
    others = energy("", "others")(frame)
    assert others is not None
    values = {name: score.value for name, score in scores.items() if score is not None}
    yield "perfect judge nearer than ten people", values["perfect"] < others.value
    yield "constant judge nearer than ten people", values["constant"] < others.value


# Of each set, the published runs that docs/people.md has beside the built-in model.
PUBLISHED = {
    "nope": ("DeBERTa-xlarge (all)", "RoBERTa-large (all)", "RoBERTa-large (mnli)", "BOW (all)"),
    "some_corpus/context": ("BERT-large LSTM, trained on such ratings",),
    "some_corpus/no_context": (),
    "scalar_diversity/rx22": (),
    "projection/exp2a": (),
    "projection/question": (),
    "projection/negation": (),
    "projection/modal": (),
    "projection/conditional": (),
    "megaveridicality/v1": (),
    "commitmentbank": (),
    "or_corpus/exp4": (),
}


def published() -> Iterator[str]:
    """Yield the rows of the table in docs/people.md."""
    for name, judges in PUBLISHED.items():
        data = load(name)
        known = {run.judge: run for run in source(name.partition("/")[0]).runs(data)}
        own = evaluate(data, load_judge("encoder/grice-mini"))
        runs = {judge: known[judge] for judge in judges if judge in known}
        for judge, run in {**runs, "grice-mini": own}.items():
            score = score_likeness(join(data, run))
            if score is not None:
                one, top = score.likeness, score.ceiling
                ends = f"[{one.low:.2f}, {one.high:.2f}]"
                tops = f"{top.value:.2f} [{top.low:.2f}, {top.high:.2f}]"
                yield f"| {name} | {judge} | {one.value:.2f} {ends} | {one.n:,} | {tops} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--coverage-only", action="store_true")
    parser.add_argument("--published", action="store_true", help="the table of docs/people.md")
    arguments = parser.parse_args()
    if arguments.published:
        for row in published():
            print(row, flush=True)
        return
    draws = arguments.draws
    sizes = [(people, items) for people in PEOPLE for items in ITEMS]
    print("people items  " + "  ".join(("mean", "difference", "likeness")))
    for people, items in (*sizes, *FEW):
        counts: Counter[str] = Counter()
        for seed in range(draws):
            draw = np.random.default_rng([seed, people, items])
            counts.update(name for name, covered in study(people, items, draw) if covered)
            counts["likeness"] += likeness(people, items, draw)
        shares = (counts[name] / draws for name in ("mean", "difference", "likeness"))
        print(f"{people:6} {items:5}  " + "  ".join(f"{share:.1%}" for share in shares), flush=True)
    for people, items in () if arguments.coverage_only else sizes:
        counts = Counter()
        for seed in range(draws):
            draw = np.random.default_rng([seed, people, items, 1])
            for name, is_so in ordinal(people, items, draw):
                counts[name] += is_so
        told = "; ".join(f"{name} {n / draws:.1%}" for name, n in counts.items() if name)
        print(f"{people} people, {items} items: {told}", flush=True)


if __name__ == "__main__":
    main()
