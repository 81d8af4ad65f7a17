"""Turn reviewers' marks on mined pairs into readings that confidence is fitted on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, bad_line
from grice.core.estimate import wilson
from grice.core.files import read_json_lines, read_table, unescape_formula
from grice.core.item import Item
from grice.core.item_file import read_items
from grice.mining.confidence import likelihood, shipped_weights
from grice.mining.fitting import NO_FIT, ReviewedPair, fit, shipped_fit

COLUMNS = ("id", "right", "label", "confidence", "premise", "hypothesis")
YES, NO = {"1", "yes", "y", "right", "true"}, {"0", "no", "n", "wrong", "false"}
# The gold column with people's answers in a file of `grice collect export`.
PEOPLE = "people"
FOLDS = 10


def sheet_rows(items: Iterable[Item]) -> Iterator[list[str]]:
    """Yield the rows of a sheet with an empty column `right` for a reviewer, header first."""
    yield list(COLUMNS)
    for item in items:
        label = " / ".join(map(str, item.gold.values()))
        likely = str(item.tags.get("confidence", ""))
        yield [item.id, "", label, likely, item.premise, item.hypothesis or ""]


def read_marks(path: Path) -> dict[str, bool]:
    """Read whether each marked pair is right, by its id; rows without a mark are left out.

    A sheet (.tsv or .csv) has the columns id and right. A file of `grice collect export` has
    people's label, which is right if it equals a label of the pair.
    """
    if path.suffix == ".jsonl":
        labelled = [item for item in read_items(path).items() if PEOPLE in item.gold]
        for item in labelled:
            if not isinstance(item.gold[PEOPLE], str):
                raise InputError(
                    f"{path}: people answered '{item.id}' with {item.gold[PEOPLE]}, which is no"
                    " label; ask them with the instrument 'labels'"
                )
        return {item.id: item.gold[PEOPLE] in _own_labels(item) for item in labelled}
    marks: dict[str, bool] = {}
    delimiter = "," if path.suffix == ".csv" else "\t"
    for line, row in read_table(path, delimiter=delimiter, columns=("id", "right")):
        mark = row["right"].strip().lower()
        if mark and mark not in YES | NO:
            hint = "write 1 or 0 (yes or no), or leave it empty"
            raise bad_line(path, line, f"right is '{row['right']}'", hint)
        if mark:
            marks[unescape_formula(row["id"])] = mark in YES
    return marks


def _own_labels(item: Item) -> list[object]:
    return [label for reading, label in item.gold.items() if reading != PEOPLE]


def readings_of(pairs: Path, marks: dict[str, bool]) -> list[ReviewedPair]:
    """Return the readings of the marked pairs, with the features that each pair's tags name."""
    readings, unmatched = [], dict(marks)
    for number, row in read_json_lines(pairs):
        name = row.get("id") if isinstance(row, dict) else None
        if name in unmatched:
            tags = row.get("tags", {})
            if not {"rules", "kind"} <= tags.keys():
                raise bad_line(
                    pairs, number, f"'{name}' has no tags rules and kind", "mine it again"
                )
            is_right = unmatched.pop(name)
            readings.append(ReviewedPair(str(tags["kind"]), is_right, tuple(tags["rules"])))
    if unmatched:
        example = next(iter(unmatched))
        fact = f"{len(unmatched)} marked pairs are not in it, such as '{example}'"
    elif not readings:
        fact = "no pair is marked"
    else:
        return readings
    raise InputError(f"{pairs}: {fact}; give the file of pairs that the marks were made on")


def compare_fits(new: Sequence[ReviewedPair], *, alone: bool = False) -> list[dict[str, Any]]:
    """Compare confidence before and after new readings, for each kind.

    "After" is cross-validated over ten folds. The scores are Brier scores: the mean squared error
    of the probability; lower is better.
    """
    rows = []
    for kind in Counter(reading.kind for reading in new):
        own = [reading for reading in new if reading.kind == kind]
        before = [likelihood(shipped_weights(kind), reading.features) for reading in own]
        after = _cross_validate(own, alone)
        share = sum(reading.right for reading in own) / len(own)
        low, high = wilson(share, len(own))
        numbers = {
            "right": share,
            "low": low,
            "high": high,
            "expected before": sum(before) / len(own),
            "expected after": sum(after) / len(own),
            "score before": _brier_score(before, own),
            "score after": _brier_score(after, own),
        }
        rounded = {name: round(value, 4) for name, value in numbers.items()}
        rows.append({"kind": kind, "read": len(own), **rounded})
    return rows


def _cross_validate(readings: Sequence[ReviewedPair], alone: bool) -> list[float]:
    """Return the probability of each reading by weights fitted without its fold."""
    prior = NO_FIT if alone else shipped_fit(readings[0].kind)
    likely = [0.0] * len(readings)
    for fold in range(FOLDS):
        rest = [reading for i, reading in enumerate(readings) if i % FOLDS != fold]
        weights = fit(rest, prior).weights
        for i in range(fold, len(readings), FOLDS):
            likely[i] = likelihood(weights, readings[i].features)
    return likely


def _brier_score(likely: Sequence[float], readings: Sequence[ReviewedPair]) -> float:
    errors = ((p - reading.right) ** 2 for p, reading in zip(likely, readings, strict=True))
    return sum(errors) / len(readings)
