"""What README.md and docs/first_steps.md show must run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STEPS = ROOT / "docs/first_steps.md"


@pytest.mark.slow
@pytest.mark.parametrize("page", [ROOT / "README.md", STEPS], ids=lambda page: page.name)
def test_every_command_shown_runs(page: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(
        "id,premise,hypothesis,label\na,Some left.,Not all left.,neutral\nb,All left.,Some"
        " left.,entailment\n"
    )
    (tmp_path / "answers.jsonl").write_text(
        '{"id": "a", "answer": "entailment"}\n{"id": "b", "answer": "entailment"}\n'
    )
    commands = [
        line[2:]
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.S)
        for line in block.splitlines()
    ]
    assert len(commands) >= 5
    bash = shutil.which("bash")
    assert bash
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command in commands:
        done = subprocess.run(
            [bash, "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


@pytest.mark.slow
def test_the_python_shown_runs(tmp_path: Path) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", STEPS.read_text(), re.S))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Some and all, read pragmatically" in done.stdout
