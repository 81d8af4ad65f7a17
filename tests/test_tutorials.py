"""The tutorials for a reader's first ten minutes run as they are printed."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PAIRS = """premise,hypothesis,label,kind
Ana sold Ben a bike.,Ben has a bike.,entailment,plain
Ana asked whether Ben left.,Ben left.,neutral,question
Ana and Ben left.,Ana left.,entailment,plain
Ana did not leave.,Ana left.,contradiction,plain
"""
# What each tutorial leaves behind.
TUTORIALS = {
    "i_have_a_model": ["mine/index.html", "both/index.html"],
    "i_study_language": ["items.jsonl", "page/index.html", "own/index.html"],
    "i_train_models": ["words/done.json", "learnt/index.html", "site/index.html"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TUTORIALS)
def test_every_command_of_a_tutorial_runs_and_leaves_its_files(name: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(PAIRS, encoding="utf-8")
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    commands = [line[2:] for line in text.splitlines() if line.startswith("$ grice ")]
    assert len(commands) > 5
    for command in commands:
        run = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stderr[-500:])
    assert all((tmp_path / path).is_file() for path in TUTORIALS[name])
