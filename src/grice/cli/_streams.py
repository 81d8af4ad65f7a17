"""Standard streams that are closed, full, or cannot encode the output."""

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
    """Open closed standard streams on /dev/null and escape unencodable characters.

    Otherwise the next file opened would get descriptor 0, 1 or 2.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(handle, True)
    os.close(handle)
    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "w" if fd else "r"
            setattr(sys, name, open(fd, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    codecs.register_error("as-json", _escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="as-json")
    sys.stdout = PlainOutput(sys.stdout)


class PlainOutput:
    """Standard output that escapes terminal control sequences.

    Rich, whose colours are such sequences, finds the stream itself.
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Write text with its control sequences escaped, which leaves JSON unchanged."""
        return self.rich_proxied_file.write(escape_controls(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


def flush_streams() -> None:
    """Flush the buffers; lost output is an error, lost progress is not."""
    sys.stdout.flush()
    try:
        sys.stderr.flush()
    except OSError:
        drop(2)


def drop(stream: int) -> None:
    """Redirect a file descriptor to /dev/null so that the flush at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Escape unencodable characters as JSON does, so that JSON output stays valid."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
