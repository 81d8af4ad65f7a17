"""Both databases, each empty for every test."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="needs the extra 'web'")

from grice.collecting.campaign import Campaign
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from tests.collecting.chromium import CHROMIUM, FLAGS
from tests.collecting.hand import Clock
from tests.hand import held_port

Open = Callable[[Campaign, Dataset], Store]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of our own on loopback, run by someone without rights; its address."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        pytest.skip("needs PostgreSQL; install Debian's postgresql")
    programs, home = found[-1].parent, Path(tempfile.mkdtemp(prefix="grice-pg-"))
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(home, "postgres")

    def call(*words: str) -> None:
        subprocess.run([*as_user, *words], check=True, capture_output=True, cwd=home)

    call(str(programs / "initdb"), "-D", f"{home}/data", "-U", "grice", "-A", "trust", "-E", "UTF8")
    control = (str(programs / "pg_ctl"), "-D", f"{home}/data", "-w", "-t", "120")
    with held_port() as port:
        options = f"-p {port} -h 127.0.0.1 -k {home} -c max_connections=200"
        call(*control, "-o", options, "-l", f"{home}/log", "start")
        try:
            yield f"postgresql://grice@127.0.0.1:{port}"
        finally:
            call(*control, "-m", "immediate", "stop")
            shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a test's answers go: a new SQLite file, or the server, emptied."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/answers.sqlite"
    server = request.getfixturevalue("postgres")
    import psycopg

    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return f"{server}/postgres"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(address: str, clock: Clock) -> Iterator[Open]:
    """Opens a campaign's store in the test's database."""
    stores: list[Store] = []

    def make(campaign: Campaign, data: Dataset) -> Store:
        stores.append(Store(replace(campaign, database=address), data, clock=clock))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield made
        made.close()
