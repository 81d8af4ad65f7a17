"""A short round of the checker on each database: histories of people, trouble and servers against
the tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.histories import MUST_BE_ZERO, Postgres, play_rounds


@pytest.fixture
def server() -> Iterator[Postgres]:
    if not list(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")):
        pytest.skip("needs PostgreSQL; install Debian's postgresql")
    made = Postgres()
    yield made
    made.remove()


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_round_with_trouble_breaks_no_promise(
    database: str, request: pytest.FixtureRequest
) -> None:
    postgres = request.getfixturevalue("server") if database == "postgresql" else None
    total = play_rounds(0, 12, 40, postgres, seconds=10)
    assert total["rounds"] == 1
    assert total["acknowledged"] >= 80
    assert sum(n for what, n in total.items() if what.startswith("trouble")) >= 1
    assert {name: total[name] for name in MUST_BE_ZERO} == dict.fromkeys(MUST_BE_ZERO, 0)
