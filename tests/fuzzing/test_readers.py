"""Whatever a file holds, it is read or refused in one line: the corpus of what was found, and
inputs by the grammar.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzzing.readers import CORPUS, READERS, Reader, made_input, problem_with, warm_up

EACH = 8


def corpus() -> list[Path]:
    return sorted(path for path in CORPUS.iterdir() if path.is_file())


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    for needed in ("grice_parser", "safetensors", "sqlalchemy", "torch"):
        pytest.importorskip(needed, reason="reads what the extras read")
    warm_up()


def reader_of(path: Path) -> Reader:
    return next(
        reader
        for reader in READERS
        if reader.name == path.name.partition(".")[0].rpartition("-")[0]
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", corpus(), ids=lambda path: path.name)
def test_what_was_found_once_is_refused_in_one_line(path: Path) -> None:
    assert problem_with(reader_of(path), path.read_bytes()) is None


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_inputs_by_the_grammar_end_in_no_traceback(reader: Reader) -> None:
    for seed in range(EACH):
        raw = made_input(reader, seed)
        assert problem_with(reader, raw) is None, f"{reader.name}, seed {seed}: {raw[:500]!r}"


def test_the_same_seed_makes_the_same_input() -> None:
    for reader in READERS:
        if "parquet" not in reader.name:
            assert made_input(reader, 3) == made_input(reader, 3)
