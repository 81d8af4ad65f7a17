"""The common layout of SNLI, MultiNLI and derived sets, as JSON lines or tab-separated text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.scale import NLI
from grice.datasets.formats.frames import columns, json_rows, label, recorded_raters
from grice.storage.run import Run

# `-` means that the annotators did not agree.
GOLD: Mapping[str, str | None] = {**{word: word for word in NLI.labels}, "-": None}
VOTES: Mapping[str, str | None] = {**GOLD, "": None}
LABELS = tuple(f"label{i}" for i in range(1, 6))


@dataclass(frozen=True)
class PairRows:
    """The rows of a file with their gold labels; whatever else it holds stays as it is."""

    path: Path
    lines: Sequence[int]
    rows: Sequence[Mapping[str, Any]]
    gold: Sequence[str | None]
    texts: tuple[str, str]

    def column(self, name: str) -> list[Any]:
        """Return the values of a column; None in rows that lack it."""
        return [row.get(name) for row in self.rows]

    def items(
        self,
        prefix: str,
        tags: Mapping[str, str | Sequence[Any]],
        group: Sequence[str | None] | None = None,
    ) -> pl.DataFrame:
        """Return the pairs as items under ids `prefix/row`.

        A tag is given as the name of its column, or as its values.
        """
        values = {
            tag: self.column(column) if isinstance(column, str) else column
            for tag, column in tags.items()
        }
        premise, hypothesis = map(self.column, self.texts)
        return columns(
            prefix, premise, hypothesis, gold={"label": self.gold}, group=group, tags=values
        )

    def votes(self) -> list[list[str | None]]:
        """Return the label of each annotator, in the order of the file; a blank is no vote."""
        if self.rows and "annotator_labels" in self.rows[0]:
            votes = [row["annotator_labels"] for row in self.rows]
        else:
            names = [name for name in (self.rows[0] if self.rows else ()) if name in LABELS]
            votes = [[row[name] for name in names] for row in self.rows]
        numbered = zip(self.lines, votes, strict=True)
        return [
            [label(self.path, line, vote, VOTES) for vote in item_votes]
            for line, item_votes in numbered
        ]


def read_rows(
    path: Path,
    known: Mapping[str, str | None] = GOLD,
    fields: tuple[str, str, str] = ("sentence1", "sentence2", "gold_label"),
    *needed: str,
    quoted: bool = False,
) -> PairRows:
    """Read JSON lines or tab-separated text, depending on the file's name.

    Without `quoted`, quotation marks are part of the text.

    `fields` are the columns of premise, hypothesis and label; the file must have them and those
    `needed`.
    """
    if ".json" in path.name:
        numbered = json_rows(path, *fields, *needed)
    else:
        numbered = list(read_table(path, quoted=quoted, columns=(*fields, *needed)))
    gold = [label(path, line, row[fields[2]], known) for line, row in numbered]
    return PairRows(
        path, [line for line, _ in numbered], [row for _, row in numbered], gold, fields[:2]
    )


def annotator_runs(data: Dataset, votes: Mapping[str, Sequence[str | None]]) -> list[Run]:
    """Return the annotators as runs by position in the row; their identity is not published."""
    return recorded_raters(data, votes, scale=NLI, name="annotator")
