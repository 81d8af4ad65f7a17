"""Fetching: by checksum, never half, and one line where it fails.

A local server plays the authors' site.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import pty
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grice.core.errors import GriceError
from grice.core.item import Card, Remote
from grice.datasets.formats import fetch as fetch_module
from grice.datasets.formats.fetch import FetchedFile, fetch, is_restricted
from grice.storage.source import Source
from tests.datasets.formats import packed

GOOD = b"premise,hypothesis\nIt rained.,It was wet.\n"
SHA = hashlib.sha256(GOOD).hexdigest()


class Site(BaseHTTPRequestHandler):
    """Serves hand-made files by the last word of the path."""

    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.path)
        name = self.path.rpartition("/")[2]
        if name == "moved.csv":
            self.send_response(302)
            self.send_header("Location", "/new/good.csv")
            self.end_headers()
        elif name in ("good.csv", "diagnostic-full.tsv"):
            self._send(GOOD)
        elif name == "people.csv":
            self._send(PEOPLE)
        elif name == "wrong.csv":
            self._send(GOOD + b"More.,Text.\n")
        elif name == "torn.csv":
            self._send(GOOD[:10], length=len(GOOD))
        elif name == "page.zip":
            self._send(b"<html>Sign in</html>")
        elif name == "login.csv":
            self._send(b"\n<!DOCTYPE html><title>Sign in</title>")
        elif name == "endless.csv":
            self._drip(b"x" * 65_536, 0.0)
        elif name == "dripping.csv":
            self._drip(b"x", 0.05)
        elif name == "good.zip":
            self._send(packed({"a.csv": GOOD.decode()}))
        else:
            self.send_error(404)

    def _send(self, body: bytes, length: int | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(length if length is not None else len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, part: bytes, pause: float) -> None:
        self.send_response(200)
        self.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(100_000):
                self.wfile.write(part)
                time.sleep(pause)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def made(url: str, sha256: str | None = SHA, path: str = "set/file.csv") -> Source:
    def read(folder: Path, part: str) -> Any:
        raise NotImplementedError

    card = Card("Hand-made", "Nobody (2020).", "CC0", files=(Remote(path, url, sha256),))
    return Source("set", card, ("all",), read)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def one(source: Source, folder: Path, **more: Any) -> FetchedFile:
    (found,) = fetch(source, folder=folder, **more)
    return found


def test_a_good_file_arrives_whole_and_verified(site: str, tmp_path: Path) -> None:
    found = one(made(f"{site}/good.csv"), tmp_path)
    assert (found.state, found.sha256, found.size) == ("fetched", SHA, len(GOOD))
    assert (tmp_path / "set/file.csv").read_bytes() == GOOD
    assert files(tmp_path) == ["set/file.csv"]


def test_what_is_there_and_right_is_not_fetched_again(site: str, tmp_path: Path) -> None:
    one(made(f"{site}/good.csv"), tmp_path)
    before = len(Site.asked)
    assert one(made(f"{site}/good.csv"), tmp_path).state == "present"
    assert len(Site.asked) == before


def test_what_is_there_and_wrong_is_replaced(site: str, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set/file.csv").write_text("old")
    assert one(made(f"{site}/good.csv"), tmp_path).state == "fetched"
    assert (tmp_path / "set/file.csv").read_bytes() == GOOD


def test_a_redirect_is_followed(site: str, tmp_path: Path) -> None:
    assert one(made(f"{site}/moved.csv"), tmp_path).state == "fetched"


def test_without_a_known_checksum_the_file_is_unverified_and_its_own_is_told(
    site: str, tmp_path: Path
) -> None:
    found = one(made(f"{site}/good.csv", None), tmp_path)
    assert (found.state, found.sha256) == ("unverified", SHA)


@pytest.mark.parametrize(
    ("name", "sha", "message"),
    [
        (
            "wrong.csv",
            SHA,
            (
                rf"wrong.csv: the file is not the published one \(its SHA-256 is not {SHA[:12]}…\);"
                r" nothing was written"
            ),
        ),
        ("torn.csv", SHA, r"torn.csv: broke off .*; nothing was written, try again"),
        ("torn.csv", None, r"torn.csv: broke off .*; nothing was written, try again"),
        (
            "gone.csv",
            SHA,
            (
                r"gone.csv: the server answers 404; look at the set's homepage, or put the file at"
                r" .*set/file.csv"
            ),
        ),
        ("page.zip", None, r"page.zip: the server did not send a zip archive; nothing was written"),
    ],
)
def test_a_failure_is_one_line_and_leaves_what_was_there(
    site: str, tmp_path: Path, name: str, sha: str | None, message: str
) -> None:
    keep = sha is not None
    if keep:
        (tmp_path / "set").mkdir()
        (tmp_path / "set/file.csv").write_text("old")
    found = one(made(f"{site}/{name}", sha), tmp_path)
    assert found.state == "failed"
    assert found.problem and re.search(message, found.problem) and "\n" not in found.problem
    assert files(tmp_path) == (["set/file.csv"] if keep else [])
    assert not keep or (tmp_path / "set/file.csv").read_text() == "old"


def test_an_archive_is_taken_as_it_is(site: str, tmp_path: Path) -> None:
    assert one(made(f"{site}/good.zip", None, "set/file.zip"), tmp_path).state == "unverified"


def test_offline_it_says_which_file_to_put_where(tmp_path: Path) -> None:
    # Nothing listens on port 9 of this machine.
    source = made("http://127.0.0.1:9/good.csv")
    with pytest.raises(
        GriceError,
        match=(
            r"^set/file.csv: no connection to 127.0.0.1; get \S+ elsewhere and put it at"
            r" .*/set/file.csv$"
        ),
    ):
        one(source, tmp_path)
    assert files(tmp_path) == []


def test_a_file_without_an_address_says_where_to_put_it(tmp_path: Path) -> None:
    problem = one(made(""), tmp_path).problem or ""
    assert re.match(
        r"set/file.csv: no address is published for it; put the file at .*/set/file.csv", problem
    )


def test_a_file_that_was_made_from_published_ones_says_how_and_the_next_is_fetched(
    site: str, tmp_path: Path
) -> None:
    source = made(f"{site}/good.csv")
    told = Remote(
        "set/own.csv",
        "",
        derived_from="https://example.invalid/all.csv with the columns a and b alone",
    )
    source = replace(source, card=replace(source.card, files=(told, *source.card.files)))
    first, second = fetch(source, folder=tmp_path)
    assert first.state == "failed" and "it (https://example.invalid/all.csv with the columns a" in (
        first.problem or ""
    )
    assert second.state == "fetched"


PEOPLE = (
    b'Time,Who,Answer,Text\r\n9,7fd614b6f584,yes,"a, b"\r\n9,00a1bc,no,c\r\n8,7fd614b6f584,no,c'
)


def test_of_a_table_about_people_only_the_columns_that_are_read_arrive_and_persons_are_numbers(
    site: str, tmp_path: Path
) -> None:
    kept = b'Who,Answer,Text\n1,yes,"a, b"\n2,no,c\n1,no,c\n'
    source = made(f"{site}/people.csv", hashlib.sha256(kept).hexdigest())
    cut = replace(source.card.files[0], columns=("Who", "Answer", "Text"), person="Who")
    source = replace(source, card=replace(source.card, files=(cut,)))
    assert one(source, tmp_path).state == "fetched"
    assert (tmp_path / "set/file.csv").read_bytes() == kept
    assert one(source, tmp_path).state == "present"
    other = replace(
        source,
        card=replace(source.card, files=(replace(cut, columns=("Who", "Age"), sha256=None),)),
    )
    assert "no column 'Age'" in (one(other, tmp_path / "b").problem or "")
    assert files(tmp_path / "b") == []


def test_a_mirror_serves_files_under_their_place_in_the_data_folder(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = made("https://example.invalid/elsewhere.csv", path="set/good.csv")
    assert one(source, tmp_path / "a", mirror=f"{site}/").url == f"{site}/set/good.csv"
    monkeypatch.setenv("GRICE_MIRROR", site)
    assert one(source, tmp_path / "b").state == "fetched"


def test_a_folder_that_cannot_be_made_is_one_line(site: str, tmp_path: Path) -> None:
    (tmp_path / "set").write_text("a file where a folder should be")
    with pytest.raises(
        GriceError,
        match=(
            r"file.csv: cannot be written \(.*\); nothing was changed, free space or set GRICE_DATA"
        ),
    ):
        one(made(f"{site}/good.csv"), tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_folder_is_one_line(site: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(GriceError, match="cannot be written"):
            one(made(f"{site}/good.csv"), tmp_path)
    finally:
        tmp_path.chmod(0o700)


def test_a_write_that_breaks_off_leaves_what_was_there(site: str, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set/file.csv").write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # No file may grow beyond ten bytes: the system refuses in the middle of the download, as a full
    # disk does.
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(
            GriceError, match=r"file.csv: cannot be written \(File too large\); nothing was changed"
        ):
            one(made(f"{site}/good.csv"), tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert files(tmp_path) == ["set/file.csv"]
    assert (tmp_path / "set/file.csv").read_text() == "old"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("login.csv", "sent a web page"),
        ("endless.csv", "more than the 1,000,000 bytes"),
        ("dripping.csv", "too slow to wait for"),
    ],
)
def test_what_never_ends_or_is_another_page_is_refused_without_a_checksum_too(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    monkeypatch.setattr(fetch_module, "MAX_BYTES", 1_000_000)
    monkeypatch.setattr(fetch_module, "GRACE_S", 0.5 if name == "dripping.csv" else 120)
    found = one(made(f"{site}/{name}", None), tmp_path)
    assert found.state == "failed" and found.problem is not None and why in found.problem
    assert files(tmp_path) == []


def test_another_size_than_the_published_one_is_refused(site: str, tmp_path: Path) -> None:
    source = made(f"{site}/good.csv", None)
    sized = replace(source.card.files[0], size=len(GOOD) + 1)
    found = one(replace(source, card=replace(source.card, files=(sized,))), tmp_path)
    assert (
        found.problem is not None
        and f"{len(GOOD)} bytes where the published file has" in found.problem
    )


@pytest.mark.parametrize("code", [errno.EROFS, errno.ENOSPC])
def test_a_read_only_or_full_disk_is_one_line_and_leaves_nothing(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fetch_module._Downloader, "_copy", full)
    with pytest.raises(
        GriceError, match=rf"cannot be written \({os.strerror(code)}\); nothing was changed"
    ):
        one(made(f"{site}/good.csv"), tmp_path)
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("MIT", False),
        ("CC BY-SA 4.0", False),
        ("CC BY-NC 4.0 (not for commercial use)", True),
        ("none stated", True),
        ("", True),
    ],
)
def test_a_restricted_licence_is_known(licence: str, expected: bool) -> None:
    assert is_restricted(Card("x", licence=licence)) is expected


def test_a_refused_file_does_not_keep_the_next_from_coming(site: str, tmp_path: Path) -> None:
    files = (
        Remote("set/a.csv", f"{site}/gone.csv", SHA),
        Remote("set/b.csv", f"{site}/good.csv", SHA),
    )
    source = made("")
    source = replace(source, card=replace(source.card, files=files))
    assert [found.state for found in fetch(source, folder=tmp_path)] == ["failed", "fetched"]


COMMAND = [sys.executable, "-c", "from grice.cli import main; main()", "fetch"]


def grice(
    *words: str, stdin: int = subprocess.DEVNULL, **environment: str
) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, **environment}
    return subprocess.run(
        [*COMMAND, *words],
        capture_output=True,
        text=True,
        env=surroundings,
        check=False,
        stdin=stdin,
    )


def test_the_verb_shows_the_licence_first_asks_nothing_in_a_pipe_and_fails_in_one_line(
    tmp_path: Path,
) -> None:
    done = grice("veridicality", GRICE_DATA=str(tmp_path), GRICE_MIRROR="http://127.0.0.1:9")
    assert done.returncode == 1
    assert done.stdout == ""
    told = done.stderr.splitlines()
    assert [line.partition(":")[0] for line in told] == ["veridicality", "Licence", "Cite", "grice"]
    assert "put it at" in told[-1]


def test_the_verb_prints_json_of_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "glue_diagnostics/diagnostic-full.tsv"
    path.parent.mkdir()
    path.write_bytes(GOOD)
    done = grice("glue_diagnostics", "--json", GRICE_DATA=str(tmp_path))
    (row,) = json.loads(done.stdout)
    assert (row["state"], row["sha256"], row["path"]) == (
        "present",
        SHA,
        "glue_diagnostics/diagnostic-full.tsv",
    )


def test_a_bar_follows_the_download(site: str, tmp_path: Path) -> None:
    from rich.progress import Progress

    from grice.datasets.formats.bars import FileBar

    with Progress(disable=True) as progress:
        bars: list[FileBar] = []

        def bar(name: str) -> FileBar:
            bars.append(FileBar(progress, progress.add_task(name, total=None)))
            return bars[-1]

        assert one(made(f"{site}/good.csv"), tmp_path, bar=bar).state == "fetched"
        # A finished bar is taken away again.
        assert len(bars) == 1 and progress.tasks == []


def test_the_verb_fetches_and_tells_an_unknown_checksum(site: str, tmp_path: Path) -> None:
    done = grice("glue_diagnostics", GRICE_DATA=str(tmp_path), GRICE_MIRROR=site)
    assert done.returncode == 0, done.stderr
    assert "unverified" in done.stdout and SHA in done.stdout
    assert (tmp_path / "glue_diagnostics/diagnostic-full.tsv").read_bytes() == GOOD


def test_the_verb_lists_what_was_refused_and_fails(site: str, tmp_path: Path) -> None:
    done = grice("veridicality", "--json", GRICE_DATA=str(tmp_path), GRICE_MIRROR=site)
    assert done.returncode == 1
    assert json.loads(done.stdout)[0]["state"] == "failed"
    assert "1 of 1 files were not fetched; the first:" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(("answer", "code"), [(b"n\n", 1), (b"y\n", 0)])
def test_in_a_terminal_a_restricted_licence_is_asked_for(
    site: str, tmp_path: Path, answer: bytes, code: int
) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    done = grice("glue_diagnostics", stdin=theirs, GRICE_DATA=str(tmp_path), GRICE_MIRROR=site)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == code, done.stderr
    assert "Fetch it under these terms?" in done.stderr
    assert (tmp_path / "glue_diagnostics").exists() is (code == 0)


def test_a_failed_fetch_leaves_no_empty_folder(site: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert one(made(f"{site}/absent.csv"), folder).state == "failed"
    assert not folder.exists()
    (folder / "set").mkdir(parents=True)
    assert one(made(f"{site}/absent.csv"), folder).state == "failed"
    assert (folder / "set").is_dir(), "what was there before stays"
