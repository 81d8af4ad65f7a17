"""When a run was asked, in how many sittings, and what all of them took together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.core.files import read_json, write_atomically
from grice.core.judgement import HasNotes, Judge, SumsUp
from grice.core.lines import read_raw

NOTES = "notes.json"


@contextmanager
def record_session(folder: Path, lines: Path, judge: Judge) -> Iterator[None]:
    """Note in a run's folder when it was first and last asked, and what its judge tells of its work, also after an error.

    Totals are summed over every line of the run, so that those of a sitting that was killed are in them.
    """
    before = read_notes(folder)
    dates = {"first asked": before.get("first asked", _now()), "sittings": before.get("sittings", 0) + 1}
    _write(folder, {**before, **dates})
    try:
        yield
    finally:
        told = dict(judge.notes) if isinstance(judge, HasNotes) else {}
        sums = dict(judge.sum_up(read_raw(lines))) if isinstance(judge, SumsUp) else {}
        # A sitting that asked nothing has nothing to tell.
        notes = {**before.get("notes", {}), **told, **sums}
        if folder.exists():
            _write(
                folder, {**dates, "last asked": _now() if told else before.get("last asked", _now()), "notes": notes}
            )


def read_notes(folder: Path) -> dict[str, Any]:
    """The dates, the number of sittings and the notes of a run; empty where none were kept."""
    path, remedy = folder / NOTES, "it holds dates and notes only, delete it"
    found = read_json(path, remedy) if path.is_file() else {}
    if not isinstance(found.get("notes", {}), dict) or not isinstance(found.get("sittings", 0), int):
        raise InputError(f"{path}: not the notes of a run; {remedy}")
    return found


def _write(folder: Path, value: Mapping[str, Any]) -> None:
    with write_atomically(folder / NOTES) as out:
        json.dump(value, out, indent=1, default=str)
        out.write("\n")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
