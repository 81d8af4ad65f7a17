"""A command whose streams are closed, full, or without letters for what it says ends as it would,
or in one line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grice.storage.run import Run
from tests.hand import three

JUDGE = "judge items.jsonl --by baseline/overlap --into runs"
FULL = Path("/dev/full")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    three().write(tmp_path / "items.jsonl")
    return tmp_path


def shell(where: Path, line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell, in which GRICE is the command; output is kept in a buffer, as it is where
    nobody says otherwise.
    """
    given = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["bash", "-c", line.replace("GRICE", f"{sys.executable} -m grice")],
        cwd=where,
        env={**given, "NO_COLOR": "1", "GRICE_DATA": str(where), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("verb", ["list datasets", "show items.jsonl --json", "--help"])
def test_output_that_cannot_be_written_is_said_in_one_line(
    here: Path, verb: str, unbuffered: str
) -> None:
    done = shell(here, f"GRICE {verb} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "grice: output cannot be written (No space left on device)" in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_is_no_mistake(here: Path, unbuffered: str) -> None:
    done = shell(here, "GRICE list datasets | true", PYTHONUNBUFFERED=unbuffered)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_take_nothing_away_from_a_run(here: Path, closed: str) -> None:
    assert shell(here, f"GRICE {JUDGE} {closed}").returncode == 0
    (run,) = (here / "runs").iterdir()
    assert Run.read(run).answered == 3
    assert shell(here, f"GRICE report runs -o page --no-images {closed}").returncode == 0


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
def test_progress_that_cannot_be_shown_stops_no_run(here: Path) -> None:
    assert shell(here, f"GRICE {JUDGE} 2> /dev/full").returncode == 0
    assert Run.read(next((here / "runs").iterdir())).answered == 3


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_letters_that_a_stream_lacks_are_escaped_as_json_escapes_them(
    here: Path, encoding: str
) -> None:
    row = {"premise": "Ł 😀 – she left.", "hypothesis": "She did.", "label": "neutral"}
    (here / "odd.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = shell(here, "GRICE show odd.jsonl", PYTHONIOENCODING=encoding)
    assert done.returncode == 0 and "\\u0141 \\ud83d\\ude00 \\u2013 she left." in done.stdout
    found = json.loads(shell(here, "GRICE show odd.jsonl --json", PYTHONIOENCODING=encoding).stdout)
    assert row["premise"] in json.dumps(found, ensure_ascii=False)
