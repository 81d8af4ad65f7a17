"""A tiny data folder, written once for all tests of this room."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.datasets.tiny import write_all


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all(tmp_path_factory.mktemp("data"))
