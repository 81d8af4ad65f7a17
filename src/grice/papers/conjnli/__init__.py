"""ConjNLI (Saha, Nie & Bansal 2020): all tables and figures, as far as the released files allow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.instability import instability
from grice.core.estimate import Estimate, mean
from grice.papers.cells import (
    DataRows,
    ModelColumn,
    Printed,
    answers,
    example_cells,
    find_example,
    find_rows,
    model_table,
    percent,
    printed_cells,
    truncates_to,
    why_untrained,
)
from grice.papers.conjnli import boolean, text_numbers
from grice.papers.conjnli import printed as paper
from grice.papers.conjnli.categories import categories
from grice.papers.conjnli.experiment import EXPERIMENT, RECIPE
from grice.papers.conjnli.fresh import DESIGN
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell, Reference

DEV, TEST = "conjnli/dev", "conjnli/test"
WITHHELD = "the labels of the test split are withheld by the authors"
SPLITS = {"Conj Dev": (DEV,), "Conj Test": (TEST,), "Conj All": (DEV, TEST)}
# The items that a column of Tables 3 and 9 counts, by their tags.
SUBSETS: Mapping[str, pl.Expr] = {
    "and": pl.col("tag.conjunction").list.contains("and"),
    "or": pl.col("tag.conjunction").list.contains("or"),
    "but": pl.col("tag.conjunction").list.contains("but"),
    "multiple": pl.col("tag.multiple") == "yes",
    "quant": pl.col("tag.quantifier") == "yes",
    "neg": pl.col("tag.negation") == "yes",
}


# Ordinary word lists, not fitted to Table 3, for comparison.
ORDINARY_WORDS = {
    "quant": "all, some, every, each, any, most, many, few, several, both, no, none",
    "neg": "not, no, never, none, nothing, nobody, nowhere, neither, nor",
}


def sizes(bench: Bench) -> Iterator[Cell]:
    """Yield Table 2, and the majority class that every accuracy on dev must exceed."""
    for row, names in SPLITS.items():
        rows = find_rows(bench, *names)
        for column in (*paper.LABELS, "Total"):
            count = rows.apply(partial(_labelled, column=column))
            printed, reason = paper.TABLE2[row, column], rows.reason or WITHHELD
            yield Cell.make(row, column, count, printed, n=count or 0, reason=reason)
    rows = find_rows(bench, DEV)
    counts = [rows.where(pl.col("gold.label") == label).n for label in paper.LABELS.values()]
    share = max(counts) / rows.n if rows.n else None
    yield Cell.make("Conj Dev", "majority", share, n=rows.n, reason=rows.reason)


def _labelled(frame: pl.DataFrame, column: str) -> int | None:
    if column == "Total":
        return frame.height
    if "gold.label" not in frame.columns or frame["gold.label"].null_count():
        return None
    return int((frame["gold.label"] == paper.LABELS[column]).sum())


def kinds(bench: Bench) -> Iterator[Cell]:
    """Yield Table 3: pairs with each conjunction, with several, with quantifiers and negations."""
    for row, names in SPLITS.items():
        rows = find_rows(bench, *names)
        make = partial(Cell.make, reason=rows.reason)
        for column, subset in SUBSETS.items():
            part, printed = rows.where(subset), paper.TABLE3[row, column]
            # The quantifier and negation tags use word lists fitted to these counts.
            reference: Reference = "fitted" if column in ORDINARY_WORDS else "printed"
            yield make(row, column, part.count, printed, n=part.n, reference=reference)
        for column, word_list in ORDINARY_WORDS.items():
            part = rows.where(text_numbers.has_word(tuple(word_list.split(", "))))
            printed, reading = paper.TABLE3[row, column], "ordinary word list"
            yield make(row, column, part.count, printed, n=part.n, reading=reading)


def _right(frame: pl.DataFrame) -> Estimate | None:
    return percent(accuracy("label")(frame))


COLUMNS = {
    "CD": ModelColumn(DEV, _right),
    "CT": ModelColumn(TEST, _right, WITHHELD),
    "SD": ModelColumn("snli/dev", _right),
    "MD-matched": ModelColumn("mnli/dev_matched", _right),
    "MD-mismatched": ModelColumn("mnli/dev_mismatched", _right),
}


def models(bench: Bench, printed: Printed) -> Iterator[Cell]:
    """Yield Tables 6–8: the printed models and every judge.

    Then follows whether a printed dev score can be a share of 623.
    """
    # SNLI dev replaces a base task that is not available.
    shown_columns = {"SD", *(column for _, column in printed)}
    columns = {name: column for name, column in COLUMNS.items() if name in shown_columns}
    yield from model_table(bench, columns, printed, agreed=truncates_to(2))
    rows = find_rows(bench, DEV)
    for (row, column), value in printed.items():
        if column == "CD":
            yield share_of_n(row, column, value, rows)


def share_of_n(row: str, column: str, printed: float, rows: DataRows) -> Cell:
    """Return a cell with the share of rows that a printed, truncated percentage must be.

    It agrees if there is one.
    """
    n, how = rows.n, {"reading": "as a share of n", "reason": rows.reason}
    share = 100 * math.ceil(printed * n / 100 - 1e-9) / n if n else None
    return Cell.check(row, column, share, printed, n=n, agreed=truncates_to(2), **how)


def by_conjunction(bench: Bench) -> Iterator[Cell]:
    """Yield Table 9, printed on test, whose labels are withheld; judges are scored on dev."""
    rows = find_rows(bench, TEST)
    frames, _ = answers(bench, DEV)
    everything = {name.capitalize(): SUBSETS[name] for name in ("and", "or", "but", "multiple")}
    for column, subset in {**everything, "All": pl.lit(True)}.items():
        for row in dict.fromkeys(row for row, _ in paper.TABLE9):
            printed = paper.TABLE9[row, column]
            yield Cell.make(row, column, None, printed, judge=row, reading="test", reason=WITHHELD)
            yield share_of_n(row, column, printed, rows.where(subset))
        for judge, frame in frames.items():
            yield Cell.make(judge, column, _right(frame.filter(subset)), judge=judge, reading="dev")


def amounts(bench: Bench) -> Iterator[Cell]:
    """Yield Figure 3: dev accuracy by the amount of adversarial data.

    A judge named 'IAFT-6k' is the point at 6k.
    """
    frames, _ = answers(bench, DEV)
    for amount in paper.AMOUNTS:
        row = f"IAFT-{amount}"
        # Only the point at 15k is printed as a number: it is IAFT in Table 7.
        printed = paper.TABLE7["IAFT", "CD"] if amount == "15k" else None
        estimate = _right(frames[row]) if row in frames else None
        yield Cell.make(
            row, "CD", estimate, printed, judge=row, agreed=truncates_to(2), reason=why_untrained()
        )


def predictions(bench: Bench) -> Iterator[Cell]:
    """Yield Table 11: whether the answers of the models and judges are the printed gold."""
    frames = [answers(bench, name)[0] for name in (DEV, TEST)]
    models = dict.fromkeys(
        [*(model for _, model in paper.TABLE11), *(j for by_judge in frames for j in by_judge)]
    )
    for example in paper.EXAMPLES["Table 11"]:
        for model in models:
            hits = [
                find_example(by_judge[model], example)["answer"]
                for by_judge in frames
                if model in by_judge
            ]
            predicted = pl.concat(hits) if hits else pl.Series([], dtype=pl.String)
            right = (
                int((predicted == example.label).sum()) / len(predicted) if len(predicted) else None
            )
            printed = paper.TABLE11.get((example.row, model))
            reason = "" if len(predicted) else why_untrained()
            row = f"{example.title} is {example.label}"
            yield Cell.make(
                row, model, right, printed, n=len(predicted), judge=model, reason=reason
            )


def seeds(bench: Bench) -> Iterator[Cell]:
    """Yield Section 6.5: the spread over seeds.

    Judges named 'RoBERTa-M#1', 'RoBERTa-M#2' … are the seeds of one model.
    """
    by_judge, _ = answers(bench, DEV)
    for model in dict.fromkeys(
        ["RoBERTa-M", *(name.partition("#")[0] for name in by_judge if "#" in name)]
    ):
        frames = [frame for name, frame in by_judge.items() if name.startswith(model + "#")]
        reason = f"needs runs of several seeds: --by '{model}#1=JUDGE' --by '{model}#2=JUDGE' …"
        spread = _spread(frames) if len(frames) > 1 else {}
        for column in ("mean", "total-sd", "independent-sd", "covariance"):
            printed = paper.SECTION65.get((model, column))
            yield Cell.make(model, column, spread.get(column), printed, judge=model, reason=reason)
    total, alone = (paper.SECTION65["RoBERTa-M", f"{kind}-sd"] for kind in ("total", "independent"))
    printed = paper.SECTION65["RoBERTa-M", "covariance"]
    yield Cell.check(
        "RoBERTa-M",
        "covariance",
        total**2 - alone**2,
        printed,
        reading="from the printed deviations",
    )


def _spread(frames: list[pl.DataFrame]) -> dict[str, Estimate | None]:
    """Return mean and deviations in points of accuracy, and the covariance in their squares."""
    together = pl.concat(frames, how="diagonal")
    right = (pl.col("answer") == pl.col("gold.label")).cast(pl.Float64)
    by_item = together.group_by("id", maintain_order=True).agg(right.mean().alias("right"))
    parts = {
        name: instability(name, "label")(together)
        for name in ("total", "independent", "covariance")
    }
    return {
        "mean": percent(mean(by_item["right"])),
        "total-sd": percent(parts["total"]),
        "independent-sd": percent(parts["independent"]),
        "covariance": percent(percent(parts["covariance"])),
    }


def _examples(exhibit: str) -> Callable[[Bench], Iterator[Cell]]:
    return lambda bench: example_cells(bench, (DEV, TEST), paper.EXAMPLES[exhibit])


conjnli = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Section 3.4": lambda _: printed_cells(
            paper.SECTION34, "the two annotators' own labels are not released"
        ),
        "Appendix A.3": lambda _: printed_cells(
            paper.APPENDIX3, "CoNLL 2005 has a licence of its own and is not read here"
        ),
        "Section 1": text_numbers.conjunctions_in_snli,
        "Section 6.1 swapped": text_numbers.swapped_accuracy,
        "Section 4": text_numbers.shares,
        "Section 4.1": boolean.validation,
        "Section 6.2": boolean.fragments,
        "Section 6.2 corrected": boolean.corrected,
        "Table 1": _examples("Table 1"),
        "Table 2": sizes,
        "Table 3": kinds,
        "Table 4": categories,
        "Table 5": _examples("Table 5"),
        "Table 6": partial(models, printed=paper.TABLE6),
        "Table 7": partial(models, printed=paper.TABLE7),
        "Table 8": partial(models, printed=paper.TABLE8),
        "Table 9": by_conjunction,
        "Figure 3": amounts,
        "Table 10": _examples("Table 10"),
        "Table 11": predictions,
        "Section 6.1": partial(models, printed=paper.SECTION61),
        "Section 6.5": seeds,
        "Section 6.7": boolean.by_boolean,
    },
    experiment=EXPERIMENT,
    recipe=RECIPE,
    fresh=DESIGN,
)
