"""Jeretič, Warstadt, Bhooshan & Williams (2020): Are NLI models IMPPRESsive?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.projection import surviving_rows
from grice.core.estimate import Estimate
from grice.core.words import read_rows
from grice.datasets.formats.nope_models import JUDGES as NOPE_MODELS
from grice.papers.cells import DataRows, Printed, answers, example_cells, find_rows
from grice.papers.imppres import annotation, effects, printed
from grice.papers.imppres.experiment import EXPERIMENT, RECIPE
from grice.papers.imppres.fresh import DESIGN
from grice.papers.imppres.printed import FIGURES
from grice.papers.imppres.scalar import (
    Spot,
    condition_rows,
    control_rows,
    figure,
    neither_shares,
    target_rows,
)
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell, rounds_to

# The rows of the printed paradigms.
TABLE_2, TABLE_3 = (
    [row for table, *row in read_rows(Path(__file__).with_name("paradigms.tsv")) if table == name]
    for name in ("TABLE_2", "TABLE_3")
)
DETERMINERS = condition_rows("determiners", "some", "all", not_weak="none")
VERBS = condition_rows("gradable verbs", "run", "sprint")


def table_1(bench: Bench) -> Iterator[Cell]:
    """Yield the number of pairs of each kind in the released paradigms.

    The printed sentences are an adapted sample.
    """
    rows = find_rows(bench, "imppres/presupposition").where(pl.col("tag.role") == "target")
    for column, names in TABLE_1.items():
        for name in names:
            part = rows.where(pl.col(f"tag.{column}") == name)
            yield Cell.make(name, f"pairs by {column}", part.count, n=part.n, reason=part.reason)


TABLE_1 = {
    "operator": ("unembedded", "negated", "modal", "interrogative", "conditional"),
    "presupposition": ("positive", "negated", "neutral"),
}


def table_2(bench: Bench) -> Iterator[Cell]:
    """Yield the share of pairs with the printed label, by row of the paradigm.

    It is given for the release and for the paper's version.
    """
    for reading, name in (
        ("released", "imppres/implicature"),
        ("dec2019", "imppres/implicature_dec2019"),
    ):
        rows = find_rows(bench, name)
        for premise, hypothesis, condition, logical, pragmatic in TABLE_2:
            part = rows.where(pl.col("tag.condition") == condition)
            row = f"{premise} → {hypothesis}: {logical} / {pragmatic}"
            for column, label in (("logical", logical), ("pragmatic", pragmatic)):
                yield _labelled(row, column, part, label, gold=column, reading=reading)


def table_3(bench: Bench) -> Iterator[Cell]:
    """Yield the share of pairs with the printed label, by row of the paradigm."""
    rows = find_rows(bench, "imppres/presupposition")
    for row, tag, value, label in TABLE_3:
        # A target has a presupposition; the others are controls.
        role = "target" if tag == "presupposition" else "control"
        part = rows.where(pl.col(f"tag.{tag}") == value, pl.col("tag.role") == role)
        yield _labelled(f"{row}: {label}", "labelled so", part, label)


def _labelled(
    row: str, column: str, rows: DataRows, label: str, *, gold: str = "label", reading: str = ""
) -> Cell:
    right = rows.where(pl.col(f"gold.{gold}") == label)
    share = float(right.n) / rows.n if rows.n else None
    return Cell.make(row, column, share, 1.0, n=rows.n, reading=reading, reason=rows.reason)


def figure_4(bench: Bench) -> Iterator[Cell]:
    """Yield BERT's bars of Figure 10, and §6.2's three shares over all six conditions."""
    yield from figure(bench, DETERMINERS, FIGURES["FIGURE_10"], models=("BERT",))
    overall = {
        row.replace("determiners", "all six"): spot
        for row, spot in target_rows().items()
        if spot.set == "determiners"
    }
    text = {("all six, logical", "BERT"): 0.36, ("all six, pragmatic", "BERT"): 0.55}
    yield from figure(bench, overall, text, models=("BERT",))
    for judge, estimate, reason in neither_shares(bench, "determiners", ("BERT",)):
        number = 0.09 if judge == "BERT" else None
        make = partial(Cell.make, judge=judge, agreed=rounds_to(".2g"), reason=reason)
        yield make("all six, neither", judge, estimate, number)


Pick = Callable[[pl.DataFrame, str], Estimate | None]


def presuppositions(bench: Bench, rows: Printed, pick: Pick, empty: str) -> Iterator[Cell]:
    """Yield a cell per printed row and per model of the paper or judge on the bench."""
    frames, reason = answers(bench, "imppres/presupposition")
    # The NOPE paper's models answered these sentences too; they are in that paper's exhibits.
    for judge in dict.fromkeys(
        [*printed.MODELS, *(name for name in frames if name not in NOPE_MODELS)]
    ):
        frame = frames.get(judge)
        absent = (
            f"no predictions of {judge} in the data folder; add them or give --by {judge}=JUDGE"
        )
        for row in dict.fromkeys(row for row, _ in rows):
            estimate = None if frame is None else pick(frame, row)
            make = partial(Cell.make, judge=judge, agreed=rounds_to(".2g"))
            why = empty if frame is not None else reason or absent
            yield make(row, judge, estimate, rows.get((row, judge)), reason=why)


def figure_5(bench: Bench) -> Iterator[Cell]:
    """Yield accuracy on the controls of each operator."""

    def controls(frame: pl.DataFrame, operator: str) -> Estimate | None:
        role = (pl.col("tag.role") == "control") & (pl.col("tag.operator") == operator)
        return accuracy("label")(frame.filter(role))

    return presuppositions(bench, printed.FIGURE_5, controls, "no control answered: n = 0")


def figure_6(bench: Bench) -> Iterator[Cell]:
    """Yield how often the presupposition of an unembedded trigger is labelled as entailed."""

    def accommodated(frame: pl.DataFrame, trigger: str) -> Estimate | None:
        plain = (pl.col("tag.operator") == "unembedded") & (
            pl.col("tag.presupposition") == "positive"
        )
        return entailed()(
            frame.filter(plain & (pl.col("tag.set") == printed.FIGURE_6_SETS[trigger]))
        )

    return presuppositions(bench, printed.FIGURE_6, accommodated, "no pair answered: n = 0")


def figure_7(bench: Bench) -> Iterator[Cell]:
    """Yield accuracy on targets under each operator, where the paradigm's controls are correct."""
    surviving: dict[str, pl.DataFrame] = {}

    def projected(frame: pl.DataFrame, row: str) -> Estimate | None:
        judge = str(frame["judge"][0])
        if judge not in surviving:
            surviving[judge] = surviving_rows(frame)
        operator, presupposition = row.split(", ")
        return accuracy("label")(
            surviving[judge].filter(
                (pl.col("tag.operator") == operator)
                & (pl.col("tag.presupposition") == presupposition)
            )
        )

    return presuppositions(
        bench, printed.FIGURE_7, projected, "n = 0: no paradigm passes both controls"
    )


def _relabelled(figure: str) -> dict[str, str]:
    """Map each printed row to the row of its numbers; the part before the comma is the name."""
    names, rows = printed.NAMES[figure], ((row, *row.partition(",")) for row, _ in FIGURES[figure])
    return {row: names.get(name, name) + comma + rest for row, name, comma, rest in rows}


def _scalar(
    name: str, spots: dict[str, Spot], relabelled: dict[str, str] | None = None
) -> Callable[[Bench], Iterator[Cell]]:
    return lambda bench: figure(bench, spots, FIGURES[name], relabelled)


imppres = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Table 1": table_1,
        "Section 4": annotation.cells,
        "Section 5": effects.dev_accuracy,
        "Section 6.2": effects.effects,
        "Table 2": table_2,
        "Figure 2": _scalar("FIGURE_2", control_rows(), _relabelled("FIGURE_2")),
        "Figure 3": _scalar("FIGURE_3", target_rows()),
        "Figure 4": figure_4,
        "Table 3": table_3,
        "Figure 5": figure_5,
        "Figure 6": figure_6,
        "Figure 7": figure_7,
        "Table 4": lambda bench: example_cells(
            bench,
            ("imppres/implicature", "imppres/implicature_dec2019"),
            printed.EXAMPLES["Table 4"],
            reading="pragmatic",
        ),
        "Table 5": lambda bench: example_cells(
            bench, ("imppres/presupposition",), printed.EXAMPLES["Table 5"]
        ),
        "Figure 8": _scalar("FIGURE_8", condition_rows("gradable adjectives", "good", "excellent")),
        "Figure 9": _scalar(
            "FIGURE_9",
            condition_rows(
                "connectives",
                "A or B",
                "A and B",
                not_weak="neither A nor B",
                not_strong="not both A and B",
            ),
        ),
        "Figure 10": _scalar("FIGURE_10", DETERMINERS),
        "Figure 11": _scalar(
            "FIGURE_11", condition_rows("modals", "can", "have to", not_weak="cannot")
        ),
        "Figure 12": _scalar(
            "FIGURE_12", condition_rows("numerals", "10", "100"), _relabelled("FIGURE_12")
        ),
        "Figure 13": _scalar(
            "FIGURE_13",
            VERBS,
            {**_relabelled("FIGURE_13"), printed.ROW_10: "run/sprint, pragmatic"},
        ),
    },
    experiment=EXPERIMENT,
    recipe=RECIPE,
    fresh=DESIGN,
)
