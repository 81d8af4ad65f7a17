"""Columns, entries and pairs of a leaderboard: many models by chapter, every pair compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# The heading of each measure, with its reading in braces, and the measure where lower is better.
MEASURES = {
    "accuracy": "{}, %",
    "share": "{}, %",
    "entailed": "taken from plain sentences, %",
    "projection": "taken from under operators, %",
    "calibration": "gap of certainty, %",
    "norms": "ρ with people, {}",
    "pearson": "r with people, {}",
}
LOWER = "calibration"
# The schema of board.json.
SCHEMA = 2
READINGS = {
    "label": "right",
    "signature": "right",
    "agreed": "right",
    "scale": "scales",
    "follows": "predicates",
    "happened": "verbs",
}


def slug(text: str) -> str:
    """Return a name as part of a URL: lower-case letters, digits, points and hyphens."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.") or "x"


@dataclass(frozen=True)
class BoardColumn:
    """A number that all judges have: one measure of a chapter on the items with these tags."""

    chapter: str
    title: str
    data: str
    measure: str
    where: Mapping[str, str] = field(default_factory=dict)

    @property
    def section(self) -> str:
        """The name of its chapter's page."""
        return slug(f"{self.chapter}--{self.data}")

    @property
    def id(self) -> str:
        """The name of the column in URLs and in board.json."""
        return f"{self.section}--{slug(self.measure)}"

    @property
    def question(self) -> str:
        """The key that columns of the same claim share."""
        return self.section if self.measure.startswith("share") else self.id

    @property
    def name(self) -> str:
        """The heading of the column, below the title of its chapter."""
        kind, _, reading = self.measure.partition(":")
        return MEASURES[kind].format(READINGS.get(reading, reading))

    @property
    def share(self) -> bool:
        """Whether its values are rates, shown as percentages; the others are correlations."""
        return self.measure.startswith(
            ("accuracy", "share", "entailed", "projection", "calibration")
        )

    @property
    def lower_is_better(self) -> bool:
        """Whether a lower value is better."""
        return self.measure.startswith(LOWER)

    @property
    def reading(self) -> str:
        """The reading on which pairs of judges are compared; empty if they are not compared."""
        kind, _, reading = self.measure.partition(":")
        known = {
            "accuracy": reading,
            "entailed": "label",
            "share": reading if reading != "neither" else "",
        }
        return known.get(kind, "")

    def to_json(self) -> dict[str, Any]:
        """Return the fields, the id and the heading."""
        return {**vars(self), "where": dict(self.where), "id": self.id, "name": self.name}


@dataclass(frozen=True)
class BoardQuestion:
    """A question of the first screens: the answer counted, its unit, and people's number."""

    id: str
    section: str
    title: str
    data: str
    name: str
    answer: str
    unit: str = "share"
    people: Mapping[str, Any] | None = None

    @property
    def share(self) -> bool:
        """Whether its values are rates, shown as percentages; the others are correlations."""
        return self.unit != "r"

    @property
    def lower_is_better(self) -> bool:
        """Whether a lower value is better."""
        return self.unit == "points"


@dataclass(frozen=True)
class Board:
    """A leaderboard: one entry per judge with its cells, and each pair of judges in each column.

    An entry and a pair are as board.json has them (docs/schema/board.schema.json). `made` lists the
    files that were written, and `kept` counts the pages that were up to date.

    >>> judges = ["baseline/overlap", "baseline/random"]
    >>> runs = grice.judge("quantifiers@7", judges, limit=60, into=None)
    >>> found = grice.board(runs, "site", pages=False)
    >>> found.judges, found.columns[0].title, found.columns[0].measure
    (['baseline/overlap', 'baseline/random'], 'Scalar implicature', 'share:logical')
    """

    columns: tuple[BoardColumn, ...]
    entries: tuple[Mapping[str, Any], ...]
    pairs: tuple[Mapping[str, Any], ...]
    page: Path | None = None
    made: tuple[str, ...] = ()
    kept: int = 0

    @property
    def judges(self) -> list[str]:
        """The names of the judges, in order."""
        return [entry["judge"] for entry in self.entries]

    @property
    def questions(self) -> list[BoardQuestion]:
        """The questions of all models, in the order of the chapters.

        People's number is that of the model with the most answers.
        """
        known: dict[str, BoardQuestion] = {}
        for entry in self.entries:
            for row in entry["questions"]:
                question = BoardQuestion(**row["question"])
                old = known.get(question.id)
                if old is None or _count(question.people) > _count(old.people):
                    known[question.id] = question
        order = list(self.chapters)
        return sorted(known.values(), key=lambda question: order.index(question.section))

    @property
    def chapters(self) -> dict[str, list[BoardColumn]]:
        """The columns of each chapter's page."""
        chapters: dict[str, list[BoardColumn]] = {}
        for column in self.columns:
            chapters.setdefault(column.section, []).append(column)
        return chapters

    def title(self, column: BoardColumn | BoardQuestion) -> str:
        """Return the title of a chapter, with its dataset if there are several."""
        several = len({board_column.data for board_column in self.columns}) > 1
        return f"{column.title} · {column.data}" if several else column.title

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per judge: its informative cells, verdicts and invalid responses."""
        rows = []
        for entry in self.entries:
            cells = entry["cells"].values()
            verdicts = dict.fromkeys(
                verdict for cell in cells if not cell["reason"] for verdict in cell["verdicts"]
            )
            informative_cells = f"{sum(not cell['reason'] for cell in cells)} of {len(cells)}"
            rows.append(
                {
                    "judge": entry["judge"],
                    "told": informative_cells,
                    "verdicts": ", ".join(verdicts),
                    "answered": entry["answered"],
                    "faults": entry["faults"],
                }
            )
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return the content of board.json."""
        return {
            "schema": SCHEMA,
            "columns": [column.to_json() for column in self.columns],
            "models": list(map(dict, self.entries)),
            "pairs": list(map(dict, self.pairs)),
        }


def _count(people: Mapping[str, Any] | None) -> int:
    return people["n"] if people else 0
