"""Whatever a command is given, it ends in its result or in one line: the corpus of what was found,
and a short round.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grice.verbs.judge import judge
from grice.verbs.pack import pack
from tests.fuzzing.readers import CORPUS
from tests.fuzzing.verbs import half_written, kept_command, write_good


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for needed in ("grice_parser", "safetensors", "sqlalchemy", "torch"):
        pytest.importorskip(needed, reason="reads what the extras read")
    folder = tmp_path_factory.mktemp("fuzz") / "good"
    write_good(folder)
    for by, name in (("baseline/overlap", "run"), ("baseline/random", "other")):
        made = judge(str(folder / "items.jsonl"), by, into=folder / f"{name}s")
        assert made.folder is not None
        shutil.copytree(made.folder, folder / name)
    pack([folder / "run"], folder / "run.zip")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("found", sorted((CORPUS / "verbs").iterdir()), ids=lambda path: path.name)
def test_a_command_that_once_ended_in_a_traceback_ends_in_one_line(
    found: Path, good: Path, tmp_path: Path
) -> None:
    bent, place = kept_command(found), tmp_path / "place"
    shutil.copytree(good, place)
    bent.write(place)
    environment = {
        **os.environ,
        "NO_COLOR": "1",
        "HF_HUB_OFFLINE": "1",
        "GRICE_DATA": str(tmp_path),
    }
    ended = subprocess.run(
        [sys.executable, "-m", "grice", *bent.words],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in ended.stderr
    assert half_written(place) is None
