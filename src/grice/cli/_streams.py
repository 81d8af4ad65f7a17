"""The streams of a command where they are closed, full, or lack letters for what is said."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from grice.core.errors import escape_controls


def open_streams() -> None:
    """Let closed streams lead nowhere, lest a file get their number, and escape letters that the
    others lack.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(handle, True)
    os.close(handle)
    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(fd, "w" if fd else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
    codecs.register_error("as-json", _escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="as-json")
    sys.stdout = PlainOutput(sys.stdout)


class PlainOutput:
    """Standard output that writes out what a terminal would obey; rich, whose colours are such
    commands, finds the stream itself.
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Write text with its commands escaped, which leaves JSON what it is."""
        return self.rich_proxied_file.write(escape_controls(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of some lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


def flush_streams() -> None:
    """Write out what is kept in buffers; it is a mistake that output could not be written, but not
    that progress was lost.
    """
    sys.stdout.flush()
    try:
        sys.stderr.flush()
    except OSError:
        drop(2)


def drop(stream: int) -> None:
    """Let a stream lead nowhere from here, so that what is still in its buffer is not tried again
    at the end.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def _escape(error: UnicodeError) -> tuple[str, int]:
    """As JSON escapes them, so that what is printed as JSON stays JSON."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
