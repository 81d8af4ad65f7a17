"""Power cuts at random moments, played from what a program wrote and synced: nothing acknowledged
is lost.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.power_cuts import Disk, Note, build_shim, cut_collect, noting, read_notes

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None or sys.platform != "linux",
    reason="needs gcc on Linux, to note what is written",
)


@pytest.mark.slow
def test_a_cut_takes_no_synced_answer_of_a_run() -> None:
    # In a process of its own, that has no threads yet: it forks.
    told = (
        "import json; from benchmarks.power_cuts import cut_judge; print(json.dumps(cut_judge(6, 1,"
        " limit=40)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", told],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["cuts"] == 6
    assert {name: found[name] for name in ("lost", "unreadable", "doubled", "differing")} == {
        "lost": 0,
        "unreadable": 0,
        "doubled": 0,
        "differing": 0,
    }


@pytest.mark.slow
def test_a_cut_takes_no_acknowledged_answer_of_a_campaign() -> None:
    found = cut_collect(12, 1, people=4, answers=40)
    assert found["acknowledged"] > 0
    assert (found["lost"], found["damaged"]) == (0, 0)


def written(folder: Path, program: str) -> list[Note]:
    """What a program does to the folder `disk`."""
    (folder / "disk").mkdir()
    environment = noting(build_shim(folder), folder / "disk", folder / "log")
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, cwd=folder)
    return read_notes(folder / "log")


def after_cut(folder: Path, notes: list[Note]) -> dict[str, str]:
    """The files that a disk must hold when all that was not synced is gone."""
    disk, into = Disk(folder / "disk"), folder / "left"
    for note in notes:
        disk.do(note)
    into.mkdir()
    seed = next(n for n in range(100) if random.Random(n).random() >= 0.5)
    disk.cut(into, random.Random(seed))
    return {
        str(path.relative_to(into)): path.read_text() for path in into.rglob("*") if path.is_file()
    }


def test_the_played_disk_forgets_what_was_not_synced(tmp_path: Path) -> None:
    program = (
        "import os\n"
        "folder = os.open('disk', os.O_RDONLY)\n"
        "for name in 'abc':\n"
        "    file = os.open(f'disk/{name}', os.O_WRONLY | os.O_CREAT)\n"
        "    os.write(file, b'one ')\n"
        "    os.fsync(file) if name != 'b' else None\n"
        "    os.fsync(folder) if name != 'c' else None\n"
        "    os.write(file, b'two')\n"
    )
    assert after_cut(tmp_path, written(tmp_path, program)) == {"a": "one ", "b": ""}


def test_a_file_made_whole_is_there_after_a_cut(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path\n"
        "from grice.core.files import write_atomically\n"
        "with write_atomically(Path('disk/new/folder/file.txt')) as out:\n"
        "    out.write('whole')\n"
    )
    assert after_cut(tmp_path, written(tmp_path, program)) == {"new/folder/file.txt": "whole"}
