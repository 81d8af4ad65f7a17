"""The database between servers: a copy of the file is enough, looking changes nothing, and nothing
begins anew unasked.
"""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import inspect

from grice.collecting import server
from grice.collecting.database import connect
from grice.collecting.store import Store
from grice.core.errors import GriceError, InputError
from grice.verbs.campaign_data import open_campaign
from grice.verbs.collect import agreement, export, serve, status
from tests.collecting.conftest import Open
from tests.collecting.hand import campaign, items
from tests.collecting.test_store import person, work_through
from tests.hand import held_port

LOOKING: list[Callable[[Path], Any]] = [status, agreement, export]
CAMPAIGN = (
    'title = "Mine"\ndataset = "items.jsonl"\ninstrument = "probability"\ndatabase ='
    ' "{}"\n[work]\nleast_seconds = 0\n'
)


def write_campaign(folder: Path, database: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    items(1).write(folder / "items.jsonl")
    (folder / "c.toml").write_text(CAMPAIGN.format(database))
    return folder / "c.toml"


def answers_in(file: Path, copy: Path) -> int:
    """How many answers a copy of the file alone holds."""
    shutil.copy(file, copy)
    with sqlite3.connect(copy) as connection:
        return int(
            connection.execute("SELECT count(*) FROM ratings WHERE state = 'answered'").fetchone()[
                0
            ]
        )


def test_a_new_file_is_whole_before_anyone_is_served(tmp_path: Path) -> None:
    store = Store(campaign(tmp_path), items(1))
    assert answers_in(tmp_path / "campaign.sqlite", tmp_path / "copy") == 0
    with sqlite3.connect(tmp_path / "copy") as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'secret'").fetchone() == (
            store.secret,
        )
    with store.read() as connection_:
        assert connection_.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    store.close()


def test_closing_leaves_all_answers_in_the_one_file(tmp_path: Path) -> None:
    store, other = Store(campaign(tmp_path), items(1)), Store(campaign(tmp_path), items(1))
    assert other.paused is False, (
        "another server is there, so that the file does not become whole by itself"
    )
    work_through(store, person(store))
    store.close()
    assert answers_in(tmp_path / "campaign.sqlite", tmp_path / "copy") == 5
    other.close()


@pytest.mark.slow
def test_a_server_that_is_told_to_end_leaves_all_answers_in_the_one_file(tmp_path: Path) -> None:
    path = write_campaign(tmp_path / "first")
    with held_port() as port:
        words = [sys.executable, "-m", "grice", "collect", "serve", str(path), "--port", str(port)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline()
        front, patient = f"http://127.0.0.1:{port}", httpx.HTTPTransport(retries=8)
        try:
            with httpx.Client(
                base_url=front, transport=patient, timeout=120, trust_env=False
            ) as http:
                answer_a_page(http, front)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode in (-signal.SIGTERM, 143)
    assert "Traceback" not in errors
    assert answers_in(tmp_path / "first" / "c.sqlite", tmp_path / "copy") == 5
    second = write_campaign(tmp_path / "second")
    shutil.copy(tmp_path / "first" / "c.sqlite", second.parent)
    assert status(second)["answered"] == 5


def answer_a_page(http: httpx.Client, front: str) -> None:
    from tests.collecting.hand import block_of, field, pairs_of, slide

    headers = {"origin": front}
    http.post("/join", data={}, headers=headers, follow_redirects=True)
    http.post("/start", data={"csrf": field(http.get("/").text, "csrf")}, headers=headers)
    text = http.get("/").text
    block = block_of(text)
    assert block is not None
    content = {"page": block["id"], "replies": {pair: slide(5) for pair, _, _ in pairs_of(text)}}
    done = http.post("/answer", json=content, headers={**headers, "x-csrf": block["csrf"]})
    assert done.status_code == 200, done.text


@pytest.mark.parametrize("look", LOOKING)
def test_looking_at_a_campaign_that_was_never_served_begins_nothing(
    look: Callable[[Path], Any], address: str, tmp_path: Path
) -> None:
    path = write_campaign(tmp_path / "c", address)
    with pytest.raises(
        GriceError, match=r"no answers yet; start it with: grice collect serve .*c\.toml"
    ):
        look(path)
    if address.startswith("sqlite"):
        assert not (tmp_path / "answers.sqlite").exists()
    else:
        assert not inspect(connect(address)).get_table_names()


def test_looking_sees_what_is_under_way_and_changes_no_byte(tmp_path: Path) -> None:
    path = write_campaign(tmp_path / "c")
    store, _ = open_campaign(path)
    work_through(store, person(store))
    file = path.with_suffix(".sqlite")
    before = file.read_bytes(), file.with_name("c.sqlite-wal").read_bytes()
    assert status(path)["answered"] == 5
    assert (file.read_bytes(), file.with_name("c.sqlite-wal").read_bytes()) == before
    store.close()
    before_, seen = file.read_bytes(), file.stat().st_mtime_ns
    assert status(path)["answered"] == 5
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before_, seen)


def test_looking_cannot_write(opened: Open, address: str, tmp_path: Path) -> None:
    asked = replace(campaign(tmp_path), database=address)
    opened(asked, items(1))
    looking = Store(asked, items(1), read_only=True)
    with pytest.raises(Exception, match=r"read-?only"):
        looking.pause(True)
    looking.close()


def header_only(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA journal_mode=WAL")


def without_a_secret(file: Path) -> None:
    store = Store(replace(campaign(file.parent), database=str(file)), items(1))
    with store.write() as connection:
        connection.exec_driver_sql("DELETE FROM meta")
    store.close()


@pytest.mark.parametrize("leave", [header_only, without_a_secret])
def test_a_copy_that_is_behind_is_not_filled_anew(
    leave: Callable[[Path], None], tmp_path: Path
) -> None:
    path = write_campaign(tmp_path / "c")
    file = path.with_suffix(".sqlite")
    leave(file)
    before = file.read_bytes()
    for opening in (open_campaign, status):
        with pytest.raises(InputError, match=r"c\.sqlite: holds no campaign; .*-wal"):
            opening(path)
    assert file.read_bytes() == before


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    path = write_campaign(tmp_path / "c")
    path.with_suffix(".sqlite").write_text("answers " * 1000)
    for opening in (open_campaign, status):
        with pytest.raises(GriceError, match="cannot be used"):
            opening(path)


def test_a_start_that_was_killed_before_anything_was_written_begins_again(tmp_path: Path) -> None:
    path = write_campaign(tmp_path / "c")
    path.with_suffix(".sqlite").touch()
    store, _ = open_campaign(path)
    assert store.is_new
    store.close()


def test_several_first_starts_at_once_begin_one_campaign(address: str, tmp_path: Path) -> None:
    asked = replace(campaign(tmp_path), database=address)
    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(lambda _: Store(asked, items(1)), range(6)))
    assert len({store.secret for store in stores}) == 1
    assert sum(store.is_new for store in stores) == 1
    for store in stores:
        store.close()


def test_serving_says_when_it_begins_a_new_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_campaign(tmp_path / "c")
    monkeypatch.setattr(server, "serve", lambda _app, _serving: None)
    for new in (True, False):
        told: list[str] = []
        serve(path, announce=told.append)
        assert any("a new database" in line and "c.sqlite" in line for line in told) is new
