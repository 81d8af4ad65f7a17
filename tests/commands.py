"""Run a command of grice in this process, as a shell would run it in one of its own."""

from __future__ import annotations

import io
import os
import pty
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pytest

from grice.cli import main


@dataclass(frozen=True)
class Ended:
    """What a command printed, and its exit code; on a terminal, `err` is in `out`."""

    code: int
    out: str
    err: str


def run_command(
    words: Sequence[str],
    where: Path,
    environment: Mapping[str, str] | None = None,
    *,
    terminal: bool = False,
) -> Ended:
    """Run a command in a folder; an error that the command does not catch is raised here."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.chdir(where)
        for name, value in (environment or {}).items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["grice", *words])
        warnings.showwarning = _print_warning
        return _on_terminal(patch) if terminal else _in_pipes(patch)


def _in_pipes(patch: pytest.MonkeyPatch) -> Ended:
    out, err = io.BytesIO(), io.BytesIO()
    with open(os.devnull, encoding="utf-8") as nothing:
        code = _end(patch, nothing, _writer(out), _writer(err))
    return Ended(code, _text(out.getvalue()), _text(err.getvalue()))


def _on_terminal(patch: pytest.MonkeyPatch) -> Ended:
    ours, theirs = pty.openpty()
    printed: list[bytes] = []

    def read() -> None:
        # At the end of a terminal Linux raises an error.
        try:
            while part := os.read(ours, 65536):
                printed.append(part)
        except OSError:
            pass

    reader = threading.Thread(target=read)
    reader.start()
    try:
        with (
            open(theirs, encoding="utf-8", closefd=False) as typed,
            _writer(io.FileIO(theirs, "w")) as stream,
        ):
            code = _end(patch, typed, stream, stream)
    finally:
        reader.join()
        os.close(ours)
    return Ended(code, _text(b"".join(printed)), "")


def _end(patch: pytest.MonkeyPatch, stdin: TextIO, out: TextIO, err: TextIO) -> int:
    for name, stream in (("stdin", stdin), ("stdout", out), ("stderr", err)):
        patch.setattr(sys, name, stream)
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    for stream in (out, err):
        stream.flush()
    return code if isinstance(code, int) else int(code is not None)


def _writer(raw: io.RawIOBase | io.BytesIO) -> io.TextIOWrapper:
    buffer = raw if isinstance(raw, io.BytesIO) else io.BufferedWriter(raw)
    return io.TextIOWrapper(buffer, encoding="utf-8", write_through=True)


def _text(printed: bytes) -> str:
    return printed.decode("utf-8", errors="surrogateescape")


def _print_warning(*warning: object, **_: object) -> None:
    message, category, filename, line = warning[:4]
    print(f"{filename}:{line}: {getattr(category, '__name__', '')}: {message}", file=sys.stderr)
