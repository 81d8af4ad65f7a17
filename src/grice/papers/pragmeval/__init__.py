"""PragmEval (Sileo et al. 2022): every table, as far as released data and numbers allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.f1 import f1
from grice.core.dataset import Dataset
from grice.core.estimate import Estimate
from grice.papers.cells import (
    answers,
    average,
    example_cells,
    find_data,
    find_rows,
    lies_within,
    percent,
    printed_cells,
    score_or_reason,
    why_untrained,
)
from grice.papers.pragmeval import printed as paper
from grice.papers.pragmeval.experiment import EXPERIMENT, RECIPE
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell, rounds_to
from grice.tables.table import Measure

SPLITS = ("train", "dev", "test")
TASKS = tuple(dict.fromkeys(task for tasks in paper.COLUMNS.values() for task in tasks))
ONE_DIGIT = rounds_to(1)
# A mean of printed numbers carries their rounding and its own: half a tenth each.
ROUNDING = lies_within(0.1)

Scores = dict[tuple[str, str], Estimate | None]


def part(task: str, split: str) -> str:
    """Return the name of a task's split as a dataset."""
    return f"pragmeval/{task}/{split}"


def measure_of(task: str, data: Dataset) -> Measure:
    """Return the paper's measure for a task: accuracy, or macro-F1 over the labels file."""
    return f1("label", data.scale.labels) if task in paper.BY_F1 else accuracy("label")


def task_scores(
    bench: Bench, tasks: Sequence[str] = TASKS, split: str = "dev"
) -> tuple[Scores, dict[str, str]]:
    """Return every judge's per cent on a split of every task, and why a task has none."""
    scores: Scores = {}
    reasons: dict[str, str] = {}
    for task in tasks:
        frames, reasons[task] = answers(bench, part(task, split))
        for judge, frame in frames.items():
            score, reason = score_or_reason(frame, measure_of(task, bench.data(part(task, split))))
            scores[judge, task], reasons[task] = percent(score), reasons[task] or reason
    return scores, reasons


def examples(bench: Bench) -> Iterator[Cell]:
    """Yield Table 1: each example looked up in its task."""
    for task, task_examples in paper.EXAMPLES.items():
        yield from example_cells(bench, [part(task, split) for split in SPLITS], task_examples)


def largest_share(data: Dataset) -> float:
    """Return the share of the most frequent class."""
    counts: list[int] = data.frame["gold.label"].value_counts()["count"].to_list()
    return max(counts) / len(data)


def constant_score(task: str, data: Dataset) -> float:
    """Return the majority baseline in per cent, by the task's measure."""
    share = largest_share(data)
    return 100 * (
        2 * share / (1 + share) / len(data.scale.labels) if task in paper.BY_F1 else share
    )


def tasks(bench: Bench) -> Iterator[Cell]:
    """Yield Table 2: printed models and judges, then the largest class.

    Three printed baselines equal the largest class.
    """
    scores, reasons = task_scores(bench)
    judges = dict.fromkeys(judge for judge, _ in scores)
    for row in dict.fromkeys([*(row for row, _ in paper.TABLE2), *judges]):
        for column, members in paper.COLUMNS.items():
            printed = paper.TABLE2.get((row, column))
            if row in judges or printed is not None:
                score = average([scores.get((row, task)) for task in members])
                make = partial(Cell.make, judge=row, agreed=ONE_DIGIT)
                why = _why(row, members, reasons, scores)
                yield make(row, column, score, printed, reason=why)
    on_test, _ = task_scores(bench, split="test")
    for judge in dict.fromkeys(judge for judge, _ in on_test):
        for column, members in paper.COLUMNS.items():
            score = average([on_test.get((judge, task)) for task in members])
            if score is not None:
                yield Cell.make(judge, column, score, judge=judge, reading="on test")
    for split in ("dev", "test"):
        yield from _largest_class(bench, split)


def _why(row: str, members: Sequence[str], reasons: Mapping[str, str], scores: Scores) -> str:
    if row == "Human estimate":
        return "an estimate made from reported agreement; see Section 4.2"
    if row == "Previous work":
        return "quoted from other papers"
    absent = next((reasons[task] for task in members if reasons[task]), "")
    left = [part(task, "dev") for task in members if (row, task) not in scores]
    is_evaluated = any(judge == row for judge, _ in scores)
    return why_untrained(
        absent, f"{row} has not answered {', '.join(left)}" if is_evaluated and left else ""
    )


def _largest_class(bench: Bench, split: str) -> Iterator[Cell]:
    """Yield the mean score of the most frequent class by column, and the rows that it explains."""
    reading = f"largest class of {split}"
    for column, members in paper.COLUMNS.items():
        parts = {task: find_data(bench, part(task, split)) for task in members}
        scores = [constant_score(task, data) for task, (data, _) in parts.items() if data]
        reason = next((why for _, why in parts.values() if why), "")
        score = None if reason else sum(scores) / len(scores)
        n = sum(len(data) for data, _ in parts.values() if data)
        make = partial(Cell.make, n=n, reading=reading, reason=reason)
        yield make("largest class", column, score)
        for row in ("CBoW", "BiLSTM", "BiLSTM+ELMo") if column in ("Verifiability", "MRDA") else ():
            yield make(row, column, score, paper.TABLE2[row, column], agreed=ONE_DIGIT)


AVERAGES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("PragmEval-AVG", ""): tuple(paper.COLUMNS),
    ("Pairs-AVG", "all pair tasks, as stated"): paper.PAIRS,
    ("Pairs-AVG", "without Emergent, as reproduced"): tuple(
        c for c in paper.PAIRS if c != "Emergent"
    ),
    ("Single-AVG", ""): paper.SINGLE,
}


GLUE = {
    "GLUE-AVG": "GLUE's tasks are not read here, but for MultiNLI",
    "GLUE-diagnostics": (
        "no predictions are released; glue_diagnostics is read here, but not scored as GLUE does"
    ),
}


def averages(bench: Bench) -> Iterator[Cell]:
    """Yield Table 3: the means of Table 2's printed columns, and those of every judge.

    GLUE is given as printed.
    """
    scores, reasons = task_scores(bench)
    for row in dict.fromkeys(row for row, _ in paper.TABLE3):
        for (column, reading), members in AVERAGES.items():
            mean = sum(paper.TABLE2[row, member] for member in members) / len(members)
            check = partial(Cell.check, n=len(members), agreed=ROUNDING, reading=reading)
            yield check(row, column, mean, paper.TABLE3[row, column])
        for column in ("GLUE-AVG", "GLUE-diagnostics"):
            yield Cell.make(row, column, None, paper.TABLE3[row, column], reason=GLUE[column])
    yield from printed_cells(
        paper.TABLE3_SPREAD, "the spread of the authors' six runs; no predictions are released"
    )
    for judge in dict.fromkeys(judge for judge, _ in scores):
        columns = {
            c: average([scores.get((judge, t)) for t in ts]) for c, ts in paper.COLUMNS.items()
        }
        for (column, reading), members in AVERAGES.items():
            score = average([columns[member] for member in members])
            needed = [task for member in members for task in paper.COLUMNS[member]]
            why = _why(judge, needed, reasons, scores)
            yield Cell.make(judge, column, score, judge=judge, reading=reading, reason=why)


def subtasks(bench: Bench) -> Iterator[Cell]:
    """Yield Table 4: tasks of the three corpora that have several, and their means."""
    columns = dict.fromkeys(column for _, column in paper.TABLE4)
    scores, reasons = task_scores(bench, list(columns))
    rows = dict.fromkeys([*(row for row, _ in paper.TABLE4), *(judge for judge, _ in scores)])
    for row in rows:
        for task in columns:
            printed = paper.TABLE4.get((row, task))
            if (row, task) in scores or printed is not None:
                why = _why(row, [task], reasons, scores)
                score = scores.get((row, task))
                yield Cell.make(row, task, score, printed, judge=row, agreed=ONE_DIGIT, reason=why)
        for column in ("Persuasion", "EmoBank", "Squinky"):
            parts = [paper.TABLE4.get((row, task)) for task in paper.COLUMNS[column]]
            known = [value for value in parts if value is not None]
            if len(known) == len(parts):
                reading = "mean of this table, beside Table 2"
                check = partial(Cell.check, n=len(known), agreed=ROUNDING, reading=reading)
                yield check(row, column, sum(known) / len(known), paper.TABLE2[row, column])


def classes(bench: Bench) -> Iterator[Cell]:
    """Yield Table 5: F1 of single classes for every judge, and the class sizes in the splits."""
    printed_models = list(dict.fromkeys(c for _, c in paper.TABLE5 if c != "Support"))
    for row in dict.fromkeys(row for row, _ in paper.TABLE5):
        task, _, label = row.partition(".")
        for split in ("dev", "test"):
            rows = find_rows(bench, part(task, split)).where(pl.col("gold.label") == label)
            make = partial(Cell.make, n=rows.n, reading=f"of {split}", reason=rows.reason)
            yield make(row, "Support", rows.count, paper.TABLE5[row, "Support"])
        frames, absent = answers(bench, part(task, "dev"))
        for model in dict.fromkeys([*printed_models, *frames]):
            printed = paper.TABLE5.get((row, model))
            yield _class_cell(row, model, label, frames.get(model), printed, absent)


def _class_cell(
    row: str, model: str, label: str, frame: pl.DataFrame | None, printed: float | None, absent: str
) -> Cell:
    why = why_untrained(absent)
    score = None
    if frame is not None:
        score, why = score_or_reason(frame, f1("label", [label]))
    return Cell.make(row, model, percent(score), printed, judge=model, agreed=ONE_DIGIT, reason=why)


def people(bench: Bench) -> Iterator[Cell]:
    """Yield Section 4.2: the estimates of human accuracy, each by its formula."""
    row = "Human estimate"
    printed = {
        column: value
        for (name, column), value in (paper.TABLE2 | paper.TABLE4).items()
        if name == row
    }
    parts = paper.COLUMNS["EmoBank"]
    for column, source in (("Sarcasm", "Oraby et al. 2016"), ("PDTB", "Prasad et al. 2014")):
        yield Cell.make(row, column, None, printed[column], reason=f"quoted from {source}")
    attached = paper.GUM_LABELLING * (1 - paper.NO_RELATION / 100)
    mean = sum(printed[task] for task in parts) / len(parts)
    for column, value, n, how in (
        ("GUM", attached, 0, "labelling × attached share"),
        ("EmoBank", mean, 3, "mean of Table 4"),
    ):
        check = partial(Cell.check, agreed=ONE_DIGIT, reading=how)
        yield check(row, column, value, printed[column], n=n)
    for task in parts:
        reason = "needs EmoBank's single ratings, not part of the release"
        yield Cell.make(row, task, None, printed[task], reason=reason)
    yield from _verifiability(bench, printed["Verifiability"])
    yield from _unattached(bench)


def _unattached(bench: Bench) -> Iterator[Cell]:
    """Yield the share of pairs with no relation, 20% of GUM and of STAC by Sections 3.2 and 4.2."""
    for task in ("GUM", "STAC"):
        for split in SPLITS:
            rows = find_rows(bench, part(task, split))
            none = rows.where(pl.col("gold.label") == "no_relation").n
            share = 100 * none / rows.n if rows.n else None
            make = partial(Cell.make, n=rows.n, agreed=rounds_to(0), reason=rows.reason)
            yield make(f"{task} no relation", split, share, paper.NO_RELATION)


def _verifiability(bench: Bench, printed: float) -> Iterator[Cell]:
    """Yield the human estimate from κ and the class shares: κ + (1 − κ)Σp²."""
    kappa = paper.VERIFIABILITY_KAPPA
    for name, splits in (*((split, (split,)) for split in SPLITS), ("all", SPLITS)):
        rows = find_rows(bench, *(part("Verifiability", split) for split in splits))
        counts = rows.apply(lambda frame: frame["gold.label"].value_counts(sort=True)["count"])
        chance = None if counts is None else sum((count / rows.n) ** 2 for count in counts)
        estimate = None if chance is None else 100 * (kappa + (1 - kappa) * chance)
        reading = f"κ + (1 − κ)Σp², {name}"
        make = partial(Cell.make, agreed=rounds_to(0), reading=reading, reason=rows.reason)
        yield make("Human estimate", "Verifiability", estimate, printed, n=rows.n)


pragmeval = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Table 1": examples,
        "Table 2": tasks,
        "Table 3": averages,
        "Table 4": subtasks,
        "Table 5": classes,
        "Section 4.2": people,
    },
    experiment=EXPERIMENT,
    recipe=RECIPE,
)
