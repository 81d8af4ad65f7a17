"""Running commands as a user does, in a folder with a newcomer's files."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from grice.cli import main

FILES = Path(__file__).parent / "files"


def run(
    command: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """The exit code, output and errors of a command; whatever is not caught by it fails the test."""
    monkeypatch.setattr(sys, "argv", ["grice", *shlex.split(command)])
    capfd.readouterr()
    with pytest.raises(SystemExit) as done:
        main()
    out, err = capfd.readouterr()
    return int(done.value.code or 0), out, err


def lay_out(folder: Path) -> None:
    """The files of a first day in a folder."""
    for file in FILES.iterdir():
        (folder / file.name.removesuffix(".txt")).write_bytes(file.read_bytes())
