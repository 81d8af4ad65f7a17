"""State of a run besides its replies: batches sent, and what the server was found to accept."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from grice.storage.run_folder import STATE


class Journal:
    """JSON lines in a run's folder, each synced to disk before what it announces is done.

    Without a folder they are in memory only.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.path = folder / STATE if folder is not None else None
        self.lines: list[dict[str, Any]] = []
        if self.path is not None and self.path.is_file():
            for line in self.path.read_bytes().splitlines():
                # An incomplete line after a crash announced nothing that was done.
                with suppress(ValueError):
                    self.lines.append(dict(json.loads(line)))

    def add(self, line: Mapping[str, Any]) -> None:
        """Append a line."""
        self.lines.append(dict(line))
        if self.path is None:
            return
        with self.path.open("ab") as out:
            out.write(b"\n" + json.dumps(line, ensure_ascii=False).encode() + b"\n")
            out.flush()
            os.fsync(out.fileno())

    def last(self, key: str) -> Any:
        """Return the last value of a key, or None if it has none."""
        return next((line[key] for line in reversed(self.lines) if key in line), None)
