"""The numbers and examples Ross & Pavlick (2019) print."""

from __future__ import annotations

from pathlib import Path

from grice.papers.cells import read_examples
from grice.tables.paper import read_printed

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))
EXAMPLES = read_examples(Path(__file__).with_name("examples.tsv"))

TABLE_5 = _TABLES["TABLE_5"]
# D* against the target verb's own answers and against all answers, for two kinds of replacement.
TABLE_7 = _TABLES["TABLE_7"]
TABLE_8 = _TABLES["TABLE_8"]


def table_2() -> dict[str, tuple[str, int]]:
    """Return each printed construction with its signature and its number of sentences."""
    rows = ((row.partition(" "), int(count)) for (row, _), count in _TABLES["TABLE_2"].items())
    return {verb: (signature, count) for (signature, _, verb), count in rows}
