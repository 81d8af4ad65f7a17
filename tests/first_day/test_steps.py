"""The first day of a newcomer with things of one's own: each step runs, and its output says what it
should.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.first_day.bench import lay_out, run

HERE = Path(__file__).parent
TUTORIAL = HERE.parents[1] / "docs/add_a_phenomenon.md"
STEPS = [
    line
    for line in (HERE / "steps.txt").read_text(encoding="utf-8").splitlines()
    if line and line[0] != "#"
]


def change(line: str) -> None:
    """What a line with `!` does to the files."""
    what, *names = shlex.split(line.removeprefix("! "))
    if what == "mv":
        shutil.move(names[0], names[1])
    elif what == "rm":
        shutil.rmtree(names[0]) if Path(names[0]).is_dir() else Path(names[0]).unlink()
    else:
        text = Path(what).read_text(encoding="utf-8")
        assert names[0] in text
        Path(what).write_text(text.replace(names[0], names[1]), encoding="utf-8")


def test_thirty_steps_go_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path)
    for name, text in re.findall(
        r"`([\w.]+)`:\n\n```\w+\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), re.DOTALL
    ):
        Path(name).write_text(text, encoding="utf-8")
    steps = 0
    for line in STEPS:
        if line.startswith("!"):
            change(line)
            continue
        command, _, said = line.partition(" => ")
        code, out, err = run(command.removeprefix("grice "), monkeypatch, capfd)
        steps += 1
        assert code == 0 or (code == 1 and "open" in out and "--limit" not in command), (
            f"{command}\n{out}{err}"
        )
        for words in re.split(r"\|(?! )", said):
            assert words in out + err, f"{command}\nlacks {words!r}:\n{out}{err}"
    assert steps >= 30
    assert (tmp_path / "out.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (tmp_path / "page/index.html").is_file() and (tmp_path / "report/index.html").is_file()
