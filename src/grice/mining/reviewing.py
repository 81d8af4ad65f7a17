"""What reviewers say of mined pairs, as readings that confidence is fitted on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from grice.core.dataset import read_items
from grice.core.errors import InputError, bad_line
from grice.core.estimate import wilson
from grice.core.files import read_json_lines, read_table, unescape_formula
from grice.core.item import Item
from grice.mining.confidence import REVIEWED, ReviewedPair, fit_weights, likelihood, read_readings, weights_of

COLUMNS = ("id", "right", "label", "confidence", "premise", "hypothesis")
YES, NO = {"1", "yes", "y", "right", "true"}, {"0", "no", "n", "wrong", "false"}
# People's own answer in a file of `grice collect export`.
PEOPLE = "people"
FOLDS = 10


def sheet_rows(items: Iterable[Item]) -> Iterator[list[str]]:
    """The rows of a sheet in which a reviewer fills in the column `right`, its header first."""
    yield list(COLUMNS)
    for item in items:
        label, likely = " / ".join(map(str, item.gold.values())), str(item.tags.get("confidence", ""))
        yield [item.id, "", label, likely, item.premise, item.hypothesis or ""]


def read_marks(path: Path) -> dict[str, bool]:
    """Whether each pair that was marked is right, by its id; rows without a mark are passed over.

    A sheet (.tsv or .csv) has the columns id and right; a file of `grice collect export` has people's label, which is
    right where it is the pair's own.
    """
    if path.suffix == ".jsonl":
        asked = [item for item in read_items(path).items() if PEOPLE in item.gold]
        return {item.id: item.gold[PEOPLE] in [v for k, v in item.gold.items() if k != PEOPLE] for item in asked}
    marks: dict[str, bool] = {}
    delimiter = "," if path.suffix == ".csv" else "\t"
    for line, row in read_table(path, delimiter=delimiter, columns=("id", "right")):
        mark = row["right"].strip().lower()
        if mark and mark not in YES | NO:
            raise bad_line(path, line, f"right is '{row['right']}'", "write 1 or 0 (yes or no), or leave it empty")
        if mark:
            marks[unescape_formula(row["id"])] = mark in YES
    return marks


def readings_of(pairs: Path, marks: dict[str, bool]) -> list[ReviewedPair]:
    """The readings of the pairs that were marked, by the rules that each pair carries."""
    found, left = [], dict(marks)
    for number, row in read_json_lines(pairs):
        name = row.get("id") if isinstance(row, dict) else None
        if name in left:
            tags = row.get("tags", {})
            if not {"rules", "kind"} <= tags.keys():
                raise bad_line(pairs, number, f"'{name}' has no tags rules and kind", "mine it again")
            found.append(ReviewedPair(str(tags["kind"]), left.pop(name), tuple(tags["rules"])))
    if left or not found:
        missing = (
            f"{len(left)} marked pairs are not in it, such as '{next(iter(left))}'" if left else "no pair is marked"
        )
        raise InputError(f"{pairs}: {missing}; give the file of pairs that the marks were made on")
    return found


def compare_fits(new: Sequence[ReviewedPair], *, alone: bool = False) -> list[dict[str, Any]]:
    """For each kind: how many were right, what confidence said of them before, and what it says when fitted on them too.

    What is fitted is asked of readings it has not seen (ten folds). The score is Brier's: the mean square of what is
    missing, the smaller the better.
    """
    shipped = [] if alone else read_readings(REVIEWED)
    rows = []
    for kind in Counter(reading.kind for reading in new):
        own = [reading for reading in new if reading.kind == kind]
        before = [likelihood(weights_of(kind), reading.features) for reading in own]
        after = [0.0] * len(own)
        for fold in range(FOLDS):
            rest = [reading for place, reading in enumerate(own) if place % FOLDS != fold]
            weights = fit_weights([*(reading for reading in shipped if reading.kind == kind), *rest])
            for place in range(fold, len(own), FOLDS):
                after[place] = likelihood(weights, own[place].features)
        share = sum(reading.right for reading in own) / len(own)
        low, high = wilson(share, len(own))
        numbers = {
            "right": share, "low": low, "high": high, "expected before": sum(before) / len(own),
            "expected after": sum(after) / len(own), "score before": _brier(before, own), "score after": _brier(after, own),
        }  # fmt: skip
        rows.append({"kind": kind, "read": len(own), **{name: round(value, 4) for name, value in numbers.items()}})
    return rows


def _brier(likely: Sequence[float], readings: Sequence[ReviewedPair]) -> float:
    return sum((p - reading.right) ** 2 for p, reading in zip(likely, readings, strict=True)) / len(readings)
