"""HTML pages of a leaderboard: judges by chapters, a page per chapter, and all pairs.

Each page is one file without external resources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grice.reporting.bars import rank_ranges
from grice.reporting.board import Board, BoardColumn, BoardQuestion
from grice.reporting.markup import render

# How many rivals are listed for a judge.
N_NEAREST = 3
# How many questions the first sentence names.
MAX_LEAD = 2
# What the matrix of pairs shows of a pair, in this order.
PAIR_KEYS = ("value", "low", "high", "n", "paradigms", "only_a", "only_b", "p", "holm")
CellFields = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A question of the table with the cells of the models that have it, and their ranks."""

    question: BoardQuestion
    cells: Mapping[str, CellFields]
    ranks: Mapping[str, str]


def index_page(board: Board, *, pages: bool) -> str:
    """Return the page with the table of models by questions.

    Each model links to its profile, or without `pages` to its nearest rivals.
    """
    columns = [_column(board, question) for question in board.questions]
    return _render(
        "index",
        board,
        title="Board",
        pages=pages,
        columns=columns,
        widest=next(iter(sorted(columns, key=_spread, reverse=True)), None),
        entries=_ranked(board, columns),
        lower_end=_lower_end,
        lead=_lead(columns),
        without=[
            entry["judge"]
            for entry in board.entries
            if not any(row["cell"]["status"] == "verdict" for row in entry["questions"])
        ],
    )


def _column(board: Board, question: BoardQuestion) -> Column:
    cells = {
        entry["judge"]: row["cell"]
        for entry in board.entries
        for row in entry["questions"]
        if row["question"]["id"] == question.id
    }
    return Column(question, cells, _ranks(cells, question))


def _decided(column: Column) -> dict[str, CellFields]:
    return {judge: cell for judge, cell in column.cells.items() if cell["status"] == "verdict"}


def _spread(column: Column) -> float:
    values = [cell["value"] for cell in _decided(column).values()]
    return max(values) - min(values) if values and column.question.unit == "share" else -1.0


def _lead(columns: Sequence[Column]) -> list[tuple[Column, tuple[str, float], tuple[str, float]]]:
    """Return the two questions on which the models differ most, each with its extremes."""
    extremes = []
    for column in sorted(columns, key=_spread, reverse=True)[:MAX_LEAD]:
        values = {judge: cell["value"] for judge, cell in _decided(column).items()}
        if len(values) > 1:
            ends = [function(values.items(), key=lambda item: item[1]) for function in (min, max)]
            extremes.append((column, ends[0], ends[1]))
    return extremes


def chapter_page(board: Board, section: str) -> str:
    """Return the page of one chapter: all judges, for each number and for each phenomenon."""
    columns = board.chapters[section]
    numbers = [
        (
            column,
            _sorted(
                (entry["judge"], entry["cells"][column.id])
                for entry in board.entries
                if column.id in entry["cells"]
            ),
        )
        for column in columns
    ]
    phenomena: dict[tuple[str, str], list[tuple[str, CellFields]]] = {}
    for entry in board.entries:
        for row in entry["rows"].get(section, ()):
            cell = {**row, "reason": "inconclusive on its own page" if row["gated"] else ""}
            phenomena.setdefault((row["row"], row["series"]), []).append((entry["judge"], cell))
    return _render(
        "chapter",
        board,
        title=board.title(columns[0]),
        home="../",
        numbers=numbers,
        phenomena=[
            (", ".join(filter(None, key)), _sorted(iter(cells))) for key, cells in phenomena.items()
        ],
    )


def pairs_page(board: Board) -> str:
    """Return pairwise model comparisons: a matrix per column, all columns for a selected pair."""
    indices = {judge: i for i, judge in enumerate(board.judges)}
    compared = [column for column in board.columns if column.reading]
    positions = {column.id: i for i, column in enumerate(compared)}
    data = {
        "judges": board.judges,
        "columns": [
            {"id": column.id, "name": f"{board.title(column)}: {column.name}"}
            for column in compared
        ],
        "inconclusive": [
            [bool(entry["cells"].get(column.id, {}).get("reason")) for entry in board.entries]
            for column in compared
        ],
        "pairs": [
            [
                positions[pair["column"]],
                indices[pair["a"]],
                indices[pair["b"]],
                *(_short(pair[key]) for key in PAIR_KEYS),
            ]
            for pair in board.pairs
        ],
    }
    return _render("pairs", board, title="Pairs", data=data)


def rivals_page(board: Board, entry: Mapping[str, Any]) -> str:
    """Return the page that compares one judge with its nearest rivals, per number and overall."""
    judge = entry["judge"]
    pairs = [_seen_from(judge, pair) for pair in board.pairs if judge in (pair["a"], pair["b"])]
    distances: dict[str, list[float]] = {}
    comparisons = []
    for column in board.columns:
        column_pairs = [pair for pair in pairs if pair["column"] == column.id]
        for pair in column_pairs:
            distances.setdefault(pair["b"], []).append(abs(pair["value"]))
        if column_pairs:
            cells = {other["judge"]: other["cells"].get(column.id) for other in board.entries}
            nearest = sorted(column_pairs, key=lambda pair: (abs(pair["value"]), pair["b"]))
            rivals = [(pair, cells[pair["b"]]) for pair in nearest[:N_NEAREST]]
            comparisons.append((column, entry["cells"].get(column.id), rivals))
    means = {name: sum(values) / len(values) for name, values in distances.items()}
    return _render(
        "rivals",
        board,
        title=f"Rivals of {judge}",
        home="../../",
        judge=judge,
        comparisons=comparisons,
        nearest=sorted(means.items(), key=lambda item: (item[1], item[0]))[:N_NEAREST],
    )


def _render(name: str, board: Board, *, title: str, home: str = "", **values: Any) -> str:
    return render(
        f"board_{name}.html", board=board, title=title, home=home, positions=_positions, **values
    )


def _seen_from(judge: str, pair: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a pair as the difference of this judge to the other."""
    if pair["a"] == judge:
        return pair
    low, high = (None if pair[end] is None else -pair[end] for end in ("high", "low"))
    flipped = {"a": judge, "b": pair["a"], "value": -pair["value"], "low": low, "high": high}
    return {**pair, **flipped}


def _ranked(board: Board, columns: Sequence[Column]) -> list[Mapping[str, Any]]:
    """Sort the entries by the first column: verdicts by lower end, other numbers, then none."""
    if not columns:
        return list(board.entries)
    first = columns[0]

    def rank(entry: Mapping[str, Any]) -> tuple[int, float]:
        cell = first.cells.get(entry["judge"])
        if cell is None:
            return 2, 0.0
        end = _lower_end(cell, first.question)
        return int(bool(cell["reason"])), end if first.question.lower_is_better else -end

    return sorted(board.entries, key=rank)


def _lower_end(cell: CellFields, column: BoardQuestion) -> float:
    """Return the end of the interval by which a cell is sorted, so that noise is not on top."""
    end = cell["high" if column.lower_is_better else "low"]
    return float(cell["value"] if end is None else end)


def _ranks(cells: Mapping[str, CellFields], question: BoardQuestion) -> Mapping[str, str]:
    """Return the range of ranks of each model in a column, of its verdicts."""
    known = {judge: cell for judge, cell in cells.items() if not cell["reason"]}
    sign = -1 if question.lower_is_better else 1
    ends = [
        sorted(
            sign * (cell["value"] if cell[end] is None else cell[end]) for end in ("low", "high")
        )
        for cell in known.values()
    ]
    return dict(zip(known, rank_ranges([(low, high) for low, high in ends]), strict=True))


def _sorted(cells: Iterator[tuple[str, CellFields]]) -> list[tuple[str, CellFields]]:
    """Sort the cells of judges by falling value, uninformative ones last."""
    return sorted(cells, key=lambda item: (bool(item[1]["reason"]), -item[1]["value"]))


def _short(value: float | None) -> float | None:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _positions(
    cell: CellFields, column: BoardColumn | BoardQuestion
) -> Sequence[tuple[str, float]]:
    """Return value, ends and shuffled-answer baseline of a cell as percent of the bar."""

    def at(value: float) -> float:
        return 100 * min(max(value if column.share else (value + 1) / 2, 0.0), 1.0)

    low, high = (cell["value"] if cell[end] is None else cell[end] for end in ("low", "high"))
    blind = [] if cell.get("blind") is None else [("b", at(cell["blind"]))]
    return [("v", at(cell["value"])), ("l", at(low)), ("h", at(high)), *blind]
