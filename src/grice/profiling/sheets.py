"""Answer tables of a profile: each dataset joined with the answers of every model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from grice.analysis.projection import surviving_rows
from grice.analysis.statistics.baselines import set_column
from grice.core.dataset import Dataset
from grice.profiling.norms import NormComparison, compare_with_norms
from grice.reporting.model import ExamplePair, Number, Query
from grice.storage.run import Run, join
from grice.tables.table import Measure

DIFFER = "tag.readings"
FAMILY = "tag.kind of scale"
# Kind of word of each set of scales.
FAMILIES = {
    "quantifiers": "quantifiers",
    "most": "quantifiers",
    "connectives": "connectives",
    "modals": "modals",
    "may_have_to": "modals",
    "might_must": "modals",
    "numerals_2_3": "numerals",
    "numerals_10_100": "numerals",
    "ordinals": "numerals",
    "gradable_adjective": "adjectives",
    "gradable_verb": "verbs",
    "believe_know": "verbs",
    "start_finish": "verbs",
    "sometimes_always": "adverbs",
    "scalar_contexts": "in contexts",
}
# Sets that are named for their two words.
SCALES = ("believe_know", "may_have_to", "might_must", "sometimes_always", "start_finish")
COUNTED = "tag.controls hold for"
AGREED = "gold.agreed"
SURE = "tag.confidence of "
# Tag of the items with probabilities from every model that gives any; absent if these are all
# items.
COMMON, EVERY = "tag.probabilities of", "all judges"
BINS = 10


@dataclass(frozen=True)
class AnswerSheet:
    """A dataset, its runs in the order of the models, and their joined frame with new columns."""

    index: int
    data: Dataset
    runs: tuple[Run, ...]
    frame: pl.DataFrame

    @property
    def judges(self) -> list[str]:
        """The names of the models; the first is the profiled one."""
        return [run.judge for run in self.runs]

    @property
    def first(self) -> pl.DataFrame:
        """The rows of the profiled model."""
        return self.frame.filter(judge=self.runs[0].judge)

    @cached_property
    def norms(self) -> tuple[NormComparison, ...]:
        """The comparison of every model with the published means of people."""
        return tuple(compare_with_norms(self.frame))

    def rows_with(self, *columns: str) -> pl.DataFrame:
        """Return the rows without nulls in these columns.

        Tags and gold columns that are empty in all of these rows are dropped.
        """
        rows = self.frame.drop_nulls(columns)
        empty = [column for column in rows.columns if rows[column].null_count() == rows.height]
        return rows.drop(
            [
                column
                for column in empty
                if column.startswith(("tag.", "gold.")) and column != COUNTED
            ]
        )

    def judges_in(self, frame: pl.DataFrame) -> list[str]:
        """Return the models that answered some of these rows, in their order.

        A published run may cover some items only.
        """
        present = set(frame["judge"].unique())
        return [judge for judge in self.judges if judge in present]

    def has(self, *columns: str) -> bool:
        """Return whether some row has values in all of these columns."""
        return (
            set(columns) <= set(self.frame.columns)
            and not self.frame.drop_nulls(columns).is_empty()
        )


def make_sheet(index: int, data: Dataset, runs: Sequence[Run]) -> AnswerSheet:
    """Join the runs to the data and derive the columns that the page filters by.

    They say whether readings differ, for which models the controls hold, and the confidence.
    """
    frame = _with_confidence(with_agreed(join(data, *runs), data))
    if {"gold.logical", "gold.pragmatic"} <= set(frame.columns):
        differs = pl.col("gold.logical") != pl.col("gold.pragmatic")
        word = pl.when(differs).then(pl.lit("differ")).when(~differs).then(pl.lit("agree"))
        frame = frame.with_columns(word.alias(DIFFER))
        sets = set_column(frame)
        if sets and sets == "tag.phenomenon":
            kind = pl.when(pl.col("gold.logical").is_not_null()).then(
                pl.col(sets).replace(FAMILIES)
            )
            frame = frame.with_columns(kind.alias(FAMILY))
    if {"tag.operator", "tag.presupposition", "tag.role", "gold.label"} <= set(frame.columns):
        surviving = (
            surviving_rows(frame)
            .group_by("id", maintain_order=True)
            .agg(pl.col("judge").alias(COUNTED))
        )
        frame = frame.join(surviving, on="id", how="left", maintain_order="left")
    return AnswerSheet(index, data, tuple(runs), frame.rechunk())


def with_agreed(frame: pl.DataFrame, data: Dataset) -> pl.DataFrame:
    """Add the label that all readings of an item share; null where they differ."""
    golds = [
        f"gold.{reading}"
        for reading, scale in data.readings.items()
        if scale == data.scale and not scale.numeric
    ]
    if not golds:
        return frame
    first = pl.coalesce(golds)
    same = pl.all_horizontal(pl.col(c).is_null() | (pl.col(c) == first) for c in golds)
    return frame.with_columns(pl.when(same).then(first).alias(AGREED))


def _with_confidence(frame: pl.DataFrame) -> pl.DataFrame:
    """Add for each model with probabilities the tenth that its highest one lies in."""
    probs = [c for c in frame.columns if c.startswith("p.")]
    if not probs:
        return frame
    sure = frame.with_columns(pl.max_horizontal(probs).alias("sure"))
    tenth = (pl.col("sure") * BINS).ceil().clip(1, BINS).cast(pl.Int64) - 1
    word = pl.format("{}–{}%", tenth * (100 // BINS), (tenth + 1) * (100 // BINS))
    sure = sure.with_columns(pl.when(pl.col("sure").is_not_null()).then(word).alias("bin"))
    for judge in frame["judge"].unique(maintain_order=True):
        judge_rows = sure.filter((pl.col("judge") == judge) & pl.col("bin").is_not_null())
        if judge_rows.height:
            column = judge_rows.select("id", pl.col("bin").alias(SURE + judge))
            sure = sure.join(column, on="id", how="left", maintain_order="left")
    known = [pl.col(c).is_not_null() for c in sure.columns if c.startswith(SURE)]
    if known:
        every = pl.all_horizontal(known)
        if not sure.filter(pl.any_horizontal(known) & ~every).is_empty():
            sure = sure.with_columns(pl.when(every).then(pl.lit(EVERY)).alias(COMMON))
    return sure.drop("bin")


def numbers(
    sheet: AnswerSheet,
    frame: pl.DataFrame,
    rows: str,
    measures: Mapping[str, Measure],
    *,
    where: Mapping[str, str] | None = None,
    reading: str = "",
    only: Iterable[str] = (),
) -> list[Number]:
    """Compute each measure for every model and value of the column `rows`, or those in `only`.

    Only the rows of `frame` with the values of `where` count, and each number stores the query that
    selects them. Without `rows` all items are one row without a name.
    """
    where = where or {}
    frame = filter_rows(frame, where)
    flat = frame.explode(rows) if rows and frame.schema[rows] == pl.List(pl.String) else frame
    judges = sheet.judges_in(frame)
    computed = []
    for value in (only or sorted(flat[rows].drop_nulls().unique())) if rows else [""]:
        here = flat.filter(pl.col(rows) == value) if rows else flat
        tags = {**where, rows: value} if rows else where
        answers = {judge: here.filter(judge=judge) for judge in judges}
        computed += [
            Number(
                plain_name(value),
                series,
                judge,
                measure(answers[judge]),
                Query(sheet.index, tags, judge, reading),
                metric=measure.metric,
            )
            for series, measure in measures.items()
            for judge in judges
        ]
    return computed


def kind_tag(rows: pl.DataFrame) -> dict[str, str]:
    """Return the tag that selects these rows among all of their data, if they share a kind."""
    kinds = rows["tag.kind"].unique().to_list() if "tag.kind" in rows.columns else []
    return {"kind": kinds[0]} if len(kinds) == 1 and kinds[0] else {}


def filter_rows(frame: pl.DataFrame, where: Mapping[str, str]) -> pl.DataFrame:
    """Return the rows with these values in these columns; a list matches if it has the value."""
    for column, value in where.items():
        several = frame.schema[column] == pl.List(pl.String)
        frame = frame.filter(
            pl.col(column).list.contains(value) if several else pl.col(column) == value
        )
    return frame


def plain_name(name: str) -> str:
    """Return the display name of a file.

    `cleft_existence` is cleft existence, `numerals_10_100` numerals 10–100, a scale ⟨believe,
    know⟩.
    """
    weak, _, strong = (
        name.partition(" - ")
        if " - " in name
        else name.partition("_")
        if name in SCALES
        else ("", "", "")
    )
    if strong:
        return f"⟨{weak}, {strong.replace('_', ' ')}⟩"
    return re.sub(r"(\d) (\d)", r"\1–\2", name.replace("_presupposition", "").replace("_", " "))


def examples(rows: pl.DataFrame, readings: Sequence[str], most: int = 2) -> tuple[ExamplePair, ...]:
    """Return the first pairs of some rows, with the gold labels of these readings."""
    items = rows.unique("id", keep="first", maintain_order=True).head(most)
    return tuple(
        ExamplePair(
            row["premise"],
            row["hypothesis"] or "",
            {r: gold for r in readings if (gold := row.get(f"gold.{r}"))},
        )
        for row in items.iter_rows(named=True)
    )
