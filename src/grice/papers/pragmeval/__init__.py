"""PragmEval (Sileo et al. 2022): every table, as far as released data and numbers allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
                why = _why(row, members, reasons, scores)
                yield Cell.make(
                    row, column, score, printed, judge=row, agreed=ONE_DIGIT, reason=why
                )
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
        held_parts = [(task, *find_data(bench, part(task, split))) for task in members]
        parts = [(task, data) for task, data, _ in held_parts if data is not None]
        reason = next((why for _, _, why in held_parts if why), "")
        score = (
            None if reason else sum(constant_score(task, data) for task, data in parts) / len(parts)
        )
        n = sum(len(data) for _, data in parts)
        yield Cell.make("largest class", column, score, n=n, reading=reading, reason=reason)
        for row in ("CBoW", "BiLSTM", "BiLSTM+ELMo") if column in ("Verifiability", "MRDA") else ():
            printed = paper.TABLE2[row, column]
            yield Cell.make(
                row, column, score, printed, n=n, agreed=ONE_DIGIT, reading=reading, reason=reason
            )


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
            printed = paper.TABLE3[row, column]
            yield Cell.check(
                row, column, mean, printed, n=len(members), agreed=ROUNDING, reading=reading
            )
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
                printed = paper.TABLE2[row, column]
                reading = "mean of this table, beside Table 2"
                mean = sum(known) / len(known)
                yield Cell.check(
                    row, column, mean, printed, n=len(known), agreed=ROUNDING, reading=reading
                )


def classes(bench: Bench) -> Iterator[Cell]:
    """Yield Table 5: F1 of single classes for every judge, and the class sizes in the splits."""
    printed_models = list(dict.fromkeys(c for _, c in paper.TABLE5 if c != "Support"))
    for row in dict.fromkeys(row for row, _ in paper.TABLE5):
        task, _, label = row.partition(".")
        for split in ("dev", "test"):
            data, reason = find_data(bench, part(task, split))
            count = None if data is None else int((data.frame["gold.label"] == label).sum())
            support = paper.TABLE5[row, "Support"]
            yield Cell.make(
                row, "Support", count, support, n=count or 0, reading=f"of {split}", reason=reason
            )
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
    yield Cell.make(
        row, "Sarcasm", None, printed["Sarcasm"], reason="quoted from Oraby et al. 2016"
    )
    yield Cell.make(row, "PDTB", None, printed["PDTB"], reason="quoted from Prasad et al. 2014")
    attached = paper.GUM_LABELLING * (1 - paper.NO_RELATION / 100)
    yield Cell.check(
        row, "GUM", attached, printed["GUM"], agreed=ONE_DIGIT, reading="labelling × attached share"
    )
    parts = paper.COLUMNS["EmoBank"]
    mean = sum(printed[task] for task in parts) / len(parts)
    yield Cell.check(
        row, "EmoBank", mean, printed["EmoBank"], n=3, agreed=ONE_DIGIT, reading="mean of Table 4"
    )
    for task in parts:
        reason = "needs EmoBank's single ratings, not part of the release"
        yield Cell.make(row, task, None, printed[task], reason=reason)
    yield from _verifiability(bench, printed["Verifiability"])
    yield from _unattached(bench)


def _unattached(bench: Bench) -> Iterator[Cell]:
    """Yield the share of pairs with no relation, 20% of GUM and of STAC by Sections 3.2 and 4.2."""
    for task in ("GUM", "STAC"):
        for split in SPLITS:
            data, reason = find_data(bench, part(task, split))
            n = 0 if data is None else len(data)
            none = None if data is None else int((data.frame["gold.label"] == "no_relation").sum())
            share = None if none is None else 100 * none / n
            row = f"{task} no relation"
            yield Cell.make(
                row, split, share, paper.NO_RELATION, n=n, agreed=rounds_to(0), reason=reason
            )


def _verifiability(bench: Bench, printed: float) -> Iterator[Cell]:
    """Yield the human estimate from κ and the class shares: κ + (1 − κ)Σp²."""
    golds: dict[str, pl.Series] = {}
    reason = ""
    for split in (*SPLITS, "all"):
        data, absent = (
            (None, reason) if split == "all" else find_data(bench, part("Verifiability", split))
        )
        if data is not None:
            golds[split] = data.frame["gold.label"]
        elif split == "all" and not reason:
            golds[split] = pl.concat(list(golds.values()))
        reason = reason or absent
        yield _chance_corrected(split, golds.get(split), printed, absent)


def _chance_corrected(split: str, gold: pl.Series | None, printed: float, reason: str) -> Cell:
    estimate, n = None, 0
    if gold is not None:
        n = len(gold)
        chance = sum((count / n) ** 2 for count in Counter(gold).values())
        estimate = 100 * (paper.VERIFIABILITY_KAPPA + (1 - paper.VERIFIABILITY_KAPPA) * chance)
    reading = f"κ + (1 − κ)Σp², {split}"
    return Cell.make(
        "Human estimate",
        "Verifiability",
        estimate,
        printed,
        n=n,
        agreed=rounds_to(0),
        reading=reading,
        reason=reason,
    )


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
