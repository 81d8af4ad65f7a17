"""Read a treebank of JSON lines: its rows, which may be used, and its labels."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, MissingData
from grice.core.parsing import parse_json
from grice.mining.transformer import ParserLabels

TreeRow = dict[str, Any]
# Texts of these genres are licensed for non-commercial use only (GUM's LICENSE.txt).
NON_COMMERCIAL = {"whow", "fiction", "essay", "letter", "podcast"}
# Textbooks that are not from OpenStax: their licence is not stated in the corpus.
UNSTATED = {"GUM_textbook_alamo", "GUM_textbook_artwork", "GUM_textbook_evoethics"}


def read_rows(path: Path) -> Iterator[TreeRow]:
    """Yield the sentences of one file."""
    if not path.is_file():
        raise MissingData(
            f"{path} is not there; the treebank is in the data folder, give the path of its folder"
        )
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield parse_json(line)
            except ValueError as error:
                raise InputError(
                    f"{path}:{number}: not JSON ({error}); fetch the file again"
                ) from None


def allows_commercial_use(row: TreeRow) -> bool:
    """Return whether the corpus states a licence of the document that allows commercial use."""
    document = row["id"].rsplit("-", 1)[0]
    return (
        row["source"] != "gentle"
        and row["genre"] not in NON_COMMERCIAL
        and document not in UNSTATED
    )


def read_split(
    folder: Path, part: str, keep: Callable[[TreeRow], bool] = lambda _: True
) -> list[TreeRow]:
    """Return the sentences of a split that `keep` accepts."""
    return [row for row in read_rows(folder / f"{part}.jsonl.gz") if keep(row)]


class TreebankLabels(ParserLabels):
    """The labels of a treebank."""

    @classmethod
    def of(cls, rows: Iterable[TreeRow]) -> TreebankLabels:
        """Return the labels of a treebank in alphabetical order."""
        sets: tuple[set[str], set[str], set[str]] = (set(), set(), set())
        for row in rows:
            for names, column in zip(sets, ("deprels", "xpos", "upos"), strict=True):
                names.update(row[column])
        return cls(*(tuple(sorted(names)) for names in sets))

    def to_json(self) -> dict[str, list[str]]:
        """Return plain lists, for a file."""
        return {name: list(values) for name, values in asdict(self).items()}
