"""Sessions of a run: dates, count, and totals over all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.core.files import read_json, write_atomically
from grice.core.judgement import HasNotes, Judge, SumsUp
from grice.core.usage import Price, sum_replies
from grice.storage.response_log import read_raw
from grice.storage.run_folder import LINES, STATE

NOTES = "notes.json"
# Number of bytes of the run's lines that the totals cover.
COVERED = "covered bytes"
# Counts of a single session, which are summed over sessions.
ADDED = ("requests", "failed in a batch and asked alone", "repeated in a batch")


@contextmanager
def record_session(folder: Path, judge: Judge, *, asks: bool) -> Iterator[None]:
    """Record a session in the run's folder: its dates and the judge's notes, after an error too.

    Totals are those of all sessions. `asks` is false where every item has its reply already.
    """
    before = read_notes(folder)
    dates = {
        "first asked": before.get("first asked", _now()),
        "sessions": before.get("sessions", 0) + 1,
    }
    if isinstance(judge, SumsUp):
        price = vars(judge.price) if judge.price else None
        # Notes of earlier versions do not say which lines they cover, and have the requests of one
        # session only.
        before = _with_totals(folder, {COVERED: -1, **before}) | {"price": price}
    _write(folder, {**before, **dates})
    try:
        yield
    finally:
        # A folder that was deleted during the run is not created again for its notes.
        if folder.exists():
            notes = dict(judge.notes) if asks and isinstance(judge, HasNotes) else {}
            last_asked = _now() if notes else before.get("last asked", _now())
            earlier = before.get("notes", {})
            notes |= {
                key: earlier[key] + notes[key] for key in ADDED if key in earlier and key in notes
            }
            after = {**before, **dates, "last asked": last_asked, "notes": {**earlier, **notes}}
            if COVERED in before:
                after = _with_totals(folder, after, requests_noted=True)
            _write(folder, after)


def merge_notes(parts: Sequence[Path], folder: Path) -> None:
    """Write the notes of a run that is merged from parts: their dates, and counts of all."""
    noted = [notes for notes in map(read_notes, parts) if notes]
    if not noted:
        return
    counts = [notes.get("notes", {}) for notes in noted]
    known = [key for key in ADDED if any(key in count for count in counts)]
    added = {key: sum(count.get(key, 0) for count in counts) for key in known}
    covered = {COVERED: -1} if any(COVERED in notes for notes in noted) else {}
    dates = {
        "first asked": min(notes["first asked"] for notes in noted),
        "last asked": max(notes["last asked"] for notes in noted),
        "sessions": sum(notes["sessions"] for notes in noted),
    }
    _write(folder, {**noted[0], **dates, **covered, "notes": {**counts[0], **added}})


def _with_totals(
    folder: Path, state: Mapping[str, Any], *, requests_noted: bool = False
) -> dict[str, Any]:
    """Return the notes with totals over every line of the run, including those of killed sessions.

    A killed session noted no requests: those that its replies show are added, unless they are
    `requests_noted`.
    """
    price = Price(**state["price"]) if state.get("price") else None
    sums = sum_replies(read_raw(folder / LINES), _replies_beside(folder), price)
    notes = state.get("notes", {})
    answered = sums["answered requests"]
    unnoted = 0 if requests_noted else max(0, answered - notes.get("answered requests", 0))
    requests = {"requests": max(notes.get("requests", 0) + unnoted, answered)}
    return {**state, COVERED: _size(folder), "notes": {**requests, **notes, **sums, **requests}}


def read_notes(folder: Path) -> dict[str, Any]:
    """Return dates, number of sessions and notes of a run, with totals over all its replies."""
    path, remedy = folder / NOTES, "it holds dates and notes only, delete it"
    stored = read_json(path, remedy) if path.is_file() else {}
    wrong = InputError(f"{path}: not the notes of a run; {remedy}")
    if not isinstance(stored.get("notes", {}), dict) or not isinstance(
        stored.get("sessions", 0), int
    ):
        raise wrong
    try:
        is_covered = stored.get(COVERED, _size(folder)) == _size(folder)
        return stored if is_covered else _with_totals(folder, stored)
    except (TypeError, ValueError, AttributeError):
        raise wrong from None


def _size(folder: Path) -> int:
    lines = folder / LINES
    return lines.stat().st_size if lines.is_file() else 0


def _replies_beside(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield replies to requests that asked about no item."""
    state = folder / STATE
    for line in state.read_bytes().splitlines() if state.is_file() else ():
        # What a line left incomplete by a crash announces was not started.
        with suppress(ValueError):
            yield from json.loads(line).get("replies", ())


def _write(folder: Path, value: Mapping[str, Any]) -> None:
    with write_atomically(folder / NOTES) as out:
        json.dump(value, out, indent=1, default=str)
        out.write("\n")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
