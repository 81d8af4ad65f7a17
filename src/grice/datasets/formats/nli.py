"""The layout that SNLI, MultiNLI and their descendants share, as JSON lines or tab-separated text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.run import Run
from grice.core.scale import NLI
from grice.datasets.formats.frames import json_rows, label, recorded_raters

# `-` stands where the annotators did not agree.
GOLD: Mapping[str, str | None] = {**{word: word for word in NLI.labels}, "-": None}
VOTES: Mapping[str, str | None] = {**GOLD, "": None}
LABELS = tuple(f"label{i}" for i in range(1, 6))


@dataclass(frozen=True)
class Rows:
    """The rows of a file with their gold labels; whatever else it holds stays as it is."""

    path: Path
    lines: Sequence[int]
    rows: Sequence[Mapping[str, Any]]
    gold: Sequence[str | None]

    def column(self, name: str) -> list[Any]:
        """The values of a column; None in rows that lack it."""
        return [row.get(name) for row in self.rows]

    def votes(self) -> list[list[str | None]]:
        """What each annotator said, in the order of the file; a blank is no vote."""
        if self.rows and "annotator_labels" in self.rows[0]:
            given = [row["annotator_labels"] for row in self.rows]
        else:
            names = [name for name in (self.rows[0] if self.rows else ()) if name in LABELS]
            given = [[row[name] for name in names] for row in self.rows]
        return [
            [label(self.path, line, vote, VOTES) for vote in votes]
            for line, votes in zip(self.lines, given, strict=True)
        ]


def read_rows(path: Path, known: Mapping[str, str | None] = GOLD) -> Rows:
    """Read either form by the file's name; quotes in the tab-separated one are part of the text."""
    if ".jsonl" in path.name:
        numbered = json_rows(path, "sentence1", "sentence2", "gold_label")
    else:
        numbered = list(read_table(path, quoted=False, columns=("sentence1", "sentence2", "gold_label")))
    gold = [label(path, line, row["gold_label"], known) for line, row in numbered]
    return Rows(path, [line for line, _ in numbered], [row for _, row in numbered], gold)


def annotator_runs(data: Dataset, votes: Mapping[str, Sequence[str | None]]) -> list[Run]:
    """The annotators by their place in the row; who they were is not published."""
    return recorded_raters(data, votes, scale=NLI, name="annotator")
