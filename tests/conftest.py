"""Fixtures that several tests share."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

# Models as small as those of the tests are slowed down by threads, the more so side by side.
os.environ.setdefault("OMP_NUM_THREADS", "1")

with suppress(ImportError):
    from hypothesis import settings

    # The same examples in every run, and none too slow for a machine that does something else too.
    settings.register_profile("grice", derandomize=True, deadline=None)
    settings.load_profile("grice")


@pytest.fixture(autouse=True)
def no_given_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output as in a pipe that nobody gave a width, whatever the terminal of the tests or an
    earlier one says.
    """
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The published files; a test that needs them is skipped where there are none."""
    named = os.environ.get("GRICE_DATA", "")
    if not named or not (Path(named) / "imppres").is_dir():
        pytest.skip("needs the published files; set GRICE_DATA to their folder")
    return Path(named)
