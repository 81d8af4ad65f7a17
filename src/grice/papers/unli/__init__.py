"""UNLI (Chen et al. 2020): every table and figure; most wait for u-SNLI in the data folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import polars as pl

from grice.analysis.mse import mse
from grice.analysis.pearson import pearson
from grice.analysis.spearman import spearman
from grice.core.dataset import Dataset
from grice.core.estimate import mean
from grice.papers.cells import (
    ModelColumn,
    Printed,
    PrintedExample,
    answers,
    example_cells,
    find_data,
    find_example,
    find_rows,
    model_table,
    why_untrained,
)
from grice.papers.people import answers_of_models, correlation
from grice.papers.texts import read_paper
from grice.papers.unli import printed as paper
from grice.papers.unli.experiment import EXPERIMENT, RECIPE
from grice.storage.run_folder import RunKind
from grice.tables.paper import Bench, Cell, rounds_to
from grice.theory.slider import SURROGATES, printed_probability, probability

SPLITS = ("dev", "test", "train")
LABELS = ("entailment", "neutral", "contradiction")
FOUR_DIGITS = rounds_to(4)
# Figure 1's bar is the median; its dark shade holds half of a label's pairs, its light shade 96%.
QUANTILES = {"2%": 0.02, "25%": 0.25, "median": 0.5, "75%": 0.75, "98%": 0.98}
BINS = 10
# Raw slider steps between two points of Figure 5's curve.
STEP = 500

SETS = {"dev": "unli/dev", "test": "unli/test", "variation": "nli_variation/pairs"}
SCORES = {"r": pearson("probability"), "ρ": spearman("probability"), "MSE": mse("probability")}
COLUMNS = {
    f"{name}-{key}": ModelColumn(data, score)
    for key, data in SETS.items()
    for name, score in SCORES.items()
}


HUMAN = "needs people's own answers, which were not released; --by 'Human=JUDGE' puts others' there"


def graded_examples(bench: Bench, exhibit: str) -> Iterator[Cell]:
    """Yield Tables 1–3: SNLI label, u-SNLI probability, and judges' answers.

    The answers are compared with the printed prediction.
    """
    examples = paper.EXAMPLES[exhibit]
    yield from example_cells(bench, [f"snli/{split}" for split in SPLITS], examples)
    parts = [find_rows(bench, f"unli/{split}") for split in SPLITS]
    frames = [rows.frame for rows in parts if rows.frame is not None]
    absent = next((rows.reason for rows in parts if rows.reason), "not found in u-SNLI")
    for example in examples:
        columns = [find_example(frame, example)["gold.probability"] for frame in frames]
        values = [float(value) for column in columns for value in column]
        printed, n = example.numbers[0], len(values[:1])
        make = partial(Cell.make, n=n, agreed=rounds_to(_style(printed)), reason=absent)
        yield make(example.title, "u-SNLI", values[0] if values else None, printed)
    yield from _predicted(bench, [example for example in examples if len(example.numbers) > 1])


def _style(chance: float) -> str:
    """Return the rounding of a printed number.

    The tables print whole per cents, three decimals, or three digits of very small numbers.
    """
    if 0 < chance < 0.001:
        return ".2e"
    return ".2f" if round(100 * chance, 6).is_integer() else ".3f"


def _predicted(bench: Bench, examples: Sequence[PrintedExample]) -> Iterator[Cell]:
    """Yield judges' answers with the printed prediction of the paper's model.

    The prediction is the second number of an example.
    """
    frames, absent = answers(bench, "unli/dev") if examples else ({}, "")
    for example in examples:
        for judge in dict.fromkeys(["Full-model", *frames]):
            rows = frames.get(judge)
            matches = None if rows is None else find_example(rows, example)["value"].drop_nulls()
            hits: list[float] = [] if matches is None else matches.to_list()
            prediction = float(hits[0]) if hits else None
            printed = example.numbers[1] if judge == "Full-model" else None
            make = partial(Cell.make, agreed=rounds_to(3), judge=judge, n=len(hits))
            reason = why_untrained(absent)
            yield make(example.title, judge, prediction, printed, reason=reason)


def models(bench: Bench, printed: Printed) -> Iterator[Cell]:
    """Yield Tables 4 and 5 for the printed models and every judge evaluated on u-SNLI."""
    return model_table(bench, COLUMNS, printed, agreed=FOUR_DIGITS, people={"Human": HUMAN})


def counts(bench: Bench) -> Iterator[Cell]:
    """Yield Table 6: premises, labels and pairs of each available split."""
    for column, name in (("SNLI", "snli"), ("u-SNLI", "unli")):
        for split in SPLITS:
            data, reason = find_data(bench, f"{name}/{split}")
            agreed = _to_thousands if column == "SNLI" and split == "train" else rounds_to(0)
            for kind in ("premises", *LABELS, "total"):
                count, why = (None, reason) if data is None else _count(data, kind)
                make = partial(Cell.make, n=count or 0, agreed=agreed, reason=why)
                row = f"{split} {kind}"
                yield make(row, column, count, paper.TABLE6[row, column])


def _to_thousands(ours: float, printed: float) -> bool:
    return round(ours / 1000) == round(printed / 1000)


def _count(data: Dataset, kind: str) -> tuple[int | None, str]:
    if kind == "total":
        return len(data), ""
    if kind == "premises":
        return data.frame["premise"].n_unique(), ""
    if data.frame["gold.label"].null_count() == len(data):
        return None, f"{data.name} carries no SNLI labels"
    return int((data.frame["gold.label"] == kind).sum()), ""


def arithmetic(_: Bench) -> Iterator[Cell]:
    """Yield Section 2's sums, computed from Table 6's printed counts."""
    t = paper.TABLE6
    five = 5 * t["train premises", "u-SNLI"]
    yield Cell.check("5 neutral hypotheses a premise", "pairs", five, t["train neutral", "u-SNLI"])
    for split in SPLITS:
        total = sum(t[f"{split} {label}", "u-SNLI"] for label in LABELS)
        yield Cell.check(f"{split} labels together", "pairs", total, t[f"{split} total", "u-SNLI"])
    n_pairs = sum(t[f"{split} total", "u-SNLI"] for split in SPLITS)
    yield Cell.check("all of u-SNLI", "pairs", n_pairs, 61_597)
    share = 100 * n_pairs / sum(t[f"{split} total", "SNLI"] for split in SPLITS)
    yield Cell.check("share of SNLI", "per cent", share, 12, agreed=rounds_to(0))


def quantiles(bench: Bench) -> Iterator[Cell]:
    """Yield Figure 1: quantiles of the probabilities of each label in the dev set."""
    for label in LABELS:
        scores, reason = _scores(bench, "unli/dev", label)
        for column, share in QUANTILES.items():
            quantile = scores.quantile(share, "linear")
            yield Cell.make(label, column, quantile, n=len(scores), reason=reason)


def _scores(bench: Bench, name: str, label: str) -> tuple[pl.Series, str]:
    """Return the probabilities of the pairs with an SNLI label, or why there are none."""
    rows = find_rows(bench, name).where(pl.col("gold.label") == label)
    scores = rows.apply(lambda frame: frame["gold.probability"].drop_nulls())
    if scores is None:
        return pl.Series([], dtype=pl.Float64), rows.reason
    return scores, "" if len(scores) else "no SNLI labels beside these pairs"


def heatmap(bench: Bench) -> Iterator[Cell]:
    """Yield Figure 2: for each tenth of the gold scale, the share of answers in each tenth."""
    frames, reason = answers(bench, "unli/dev")
    if not frames:
        yield Cell.make("gold 0.0", "said 0.0", None, reason=reason)
    for judge, frame in frames.items():
        rows = frame.drop_nulls(["value", "gold.probability"])
        tenths = rows.select(gold=tenth_of("gold.probability"), said=tenth_of("value"))
        for (gold,), part in sorted(tenths.partition_by("gold", as_dict=True).items()):
            row = f"gold {gold / BINS:.1f}"
            for tenth in range(BINS):
                share = int((part["said"] == tenth).sum()) / part.height
                column = f"said {tenth / BINS:.1f}"
                yield Cell.make(row, column, share, n=part.height, judge=judge)


def tenth_of(column: str) -> pl.Expr:
    """Return the tenth of the scale in which a probability is, counted from 0."""
    return (pl.col(column) * BINS).floor().clip(0, BINS - 1).cast(pl.Int64)


GRADED = ("unli/dev", "nli_variation/pairs")


def calibration(bench: Bench) -> Iterator[Cell]:
    """Yield for each tenth of a judge's answers the mean of what people said."""
    return iter(sorted(_tenths(bench), key=lambda cell: cell.row))


def _tenths(bench: Bench) -> Iterator[Cell]:
    for name in GRADED:
        frames, reason = answers_of_models(bench, name)
        if not frames:
            yield Cell.make("0.05", name, None, reason=reason)
        for judge, frame in frames.items():
            rows = frame.drop_nulls(["value", "gold.probability"])
            rows = rows.with_columns(tenth=tenth_of("value"))
            for (tenth,), part in rows.partition_by("tenth", as_dict=True).items():
                middle = f"{(float(str(tenth)) + 0.5) / BINS:.2f}"
                people = mean(part["gold.probability"], part["group"])
                yield Cell.make(middle, name, people, judge=judge)


def one_against_others(bench: Bench) -> Iterator[Cell]:
    """Yield r, ρ and squared error of one person against the mean of the others."""
    data, reason = find_data(bench, GRADED[1])
    if data is None:
        yield Cell.make("Human", "r", None, reason=reason)
        return
    pairs = _person_and_others(bench)
    person, others = pairs["value"], pairs["others"]
    squares = ((person - others) ** 2).cast(pl.Float64)
    for column, estimate in (
        ("r", correlation(person, others)),
        ("ρ", correlation(person, others, ranked=True)),
        ("MSE", mean(squares, pairs["id"])),
    ):
        yield Cell.make("Human", column, estimate, n=len(pairs))


def _person_and_others(bench: Bench) -> pl.DataFrame:
    people = [run.frame for run in bench.runs(GRADED[1]) if run.kind is RunKind.PERSON]
    rows = pl.concat([frame.select("id", "value") for frame in people]).drop_nulls()
    n, total = pl.len().over("id"), pl.col("value").sum().over("id")
    others = ((total - pl.col("value")) / (n - 1)).alias("others")
    return rows.filter(pl.len().over("id") > 1).with_columns(others)


def slider(_: Bench) -> Iterator[Cell]:
    """Yield Figure 5: the released page's function at its check values, and the paper's formula."""
    for raw in sorted({*paper.SLIDER, *range(0, 10_001, STEP)}):
        printed = paper.SLIDER.get(raw)
        check = partial(Cell.check, str(raw), "probability")
        agreed = rounds_to(".5g" if raw == 2000 else ".6f")
        yield check(probability(raw), printed, agreed=agreed, reading="the released page")
        yield check(printed_probability(raw), reading="σ(β(x − 5000)) as stated, β = 0.0002")


def surrogates(bench: Bench) -> Iterator[Cell]:
    """Yield Footnote 13: the mean probability of each SNLI label over the training pairs."""
    for label, printed in SURROGATES.items():
        scores, reason = _scores(bench, "unli/train", label)
        value = float(scores.to_numpy().mean()) if len(scores) else None
        make = partial(Cell.make, n=len(scores), agreed=FOUR_DIGITS, reason=reason)
        yield make(label, "mean", value, printed)


unli = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Table 1": partial(graded_examples, exhibit="Table 1"),
        "Table 2": partial(graded_examples, exhibit="Table 2"),
        "Figure 1": quantiles,
        "Table 3": partial(graded_examples, exhibit="Table 3"),
        "Table 4": partial(models, printed=paper.TABLE4),
        "Table 5": partial(models, printed=paper.TABLE5),
        "Figure 2": heatmap,
        "Figure 5": slider,
        "Calibration": calibration,
        "Human row": one_against_others,
        "Table 6": counts,
        "Section 2": arithmetic,
        "Footnote 13": surrogates,
    },
    experiment=EXPERIMENT,
    recipe=RECIPE,
)
