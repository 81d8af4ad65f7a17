"""Power cuts, played: what a program wrote is noted with every sync, then kept only as far as a
disk must have kept it.

A shim (power_cuts.c) notes writes, syncs and names while `judge` asks an encoder, and while people
answer a campaign on SQLite. A cut falls between any two of these. What was synced by then is there;
of the rest, nothing or, as disks do, a random beginning, its last write torn. Of a folder's names
the same. Then the same command goes on from what is left, or the database is opened: nothing that
was acknowledged before the cut may be missing, and the end is that of an undisturbed run. An answer
of `judge` is acknowledged when it is synced, at most a second or so after it is written.

Run: python -m benchmarks.power_cuts [--cuts 100] [--only judge collect]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from benchmarks import forks, kills
from benchmarks.collect import Rater, Tally, prepare
from benchmarks.visitors import free_port

SOURCE = Path(__file__).with_suffix(".c")


@dataclass(frozen=True)
class Note:
    """One thing that was done to a disk."""

    kind: str
    at: float
    inode: int
    offset: int
    path: str
    content: bytes


def build_shim(folder: Path) -> Path:
    """The shim, compiled."""
    made = folder / "power_cuts.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", SOURCE, "-o", made, "-ldl"], check=True)
    return made


def noting(shim: Path, below: Path, log: Path) -> dict[str, str]:
    """The environment in which a program's writes below a folder are noted."""
    return {**os.environ, "LD_PRELOAD": str(shim), "CUT_BELOW": str(below), "CUT_LOG": str(log)}


def read_notes(log: Path) -> list[Note]:
    """What was done, in its order."""
    raw, at, found = log.read_bytes(), 0, []
    while at < len(raw):
        end = raw.index(b"\n", at)
        kind, seconds, inode, offset, size, path = raw[at:end].decode().split(" ", 5)
        content = raw[end + 1 : end + 1 + int(size)]
        at = end + 1 + int(size)
        # What SQLite shares between processes in memory is made anew after a cut.
        if not path.endswith("-shm"):
            found.append(Note(kind, float(seconds), int(inode), int(offset), path, content))
    return found


@dataclass
class Disk:
    """What a disk holds for certain, and what is under way to it."""

    below: Path
    kept: dict[int, bytearray] = field(default_factory=lambda: defaultdict(bytearray))
    pending: dict[int, list[Note]] = field(default_factory=lambda: defaultdict(list))
    names: dict[str, int] = field(default_factory=dict)
    changes: list[Note] = field(default_factory=list)

    def do(self, note: Note) -> None:
        if note.kind in "WT":
            self.pending[note.inode].append(note)
        elif note.kind in "CMRLU":
            if note.kind == "C":
                # The number of a deleted file may be given again.
                self.kept.pop(note.inode, None)
                self.pending.pop(note.inode, None)
            self.changes.append(note)
        elif note.offset:
            self._sync_folder(note.path)
        else:
            for one in self.pending.pop(note.inode, []):
                _apply(self.kept[note.inode], one, len(one.content))

    def _sync_folder(self, folder: str) -> None:
        here = [one for one in self.changes if str(Path(_named(one)).parent) == folder]
        for one in here:
            _rename(self.names, one)
        self.changes = [one for one in self.changes if one not in here]

    def cut(self, into: Path, random: random.Random) -> None:
        """What is there after a cut; of what was under way, nothing or some."""
        some = random.random() < 0.5
        names = dict(self.names)
        for one in self.changes[: random.randrange(len(self.changes) + 1) if some else 0]:
            _rename(names, one)
        for path, inode in sorted(names.items()):
            place = into / Path(path).relative_to(self.below)
            if any(
                str(parent) not in names
                for parent in Path(path).parents
                if parent.is_relative_to(self.below / "x")
            ):
                continue
            if inode == 0:
                place.mkdir(exist_ok=True)
            elif place.parent.is_dir():
                place.write_bytes(self._content(inode, random if some else None))

    def _content(self, inode: int, random: random.Random | None) -> bytes:
        content, under_way = bytearray(self.kept.get(inode, b"")), self.pending.get(inode, [])
        for one in under_way[: random.randrange(len(under_way) + 1)] if random else []:
            _apply(content, one, len(one.content))
            if one.kind == "W" and random and random.random() < 0.1:
                _apply(content, one, random.randrange(len(one.content) + 1))
        return bytes(content)


def _apply(content: bytearray, note: Note, size: int) -> None:
    if note.kind == "T":
        del content[note.offset :]
        content.extend(bytes(note.offset - len(content)))
        return
    content.extend(bytes(max(0, note.offset - len(content))))
    content[note.offset : note.offset + size] = note.content[:size]


def _named(note: Note) -> str:
    return note.content.decode() if note.kind in "RL" else note.path


def _rename(names: dict[str, int], note: Note) -> None:
    if note.kind == "U" or note.kind == "R":
        names.pop(note.path, None)
    if note.kind != "U":
        names[_named(note)] = note.inode


def cuts(
    notes: Sequence[Note], below: Path, number: int, seed: int
) -> Iterator[tuple[float, Path, set[str]]]:
    """So many cuts at random places: the moment, what the disk holds in a folder, and the lines
    that were synced.
    """
    drawn = random.Random(seed)
    places = sorted(drawn.choices(range(1, len(notes) + 1), k=number))
    disk, done = Disk(below), 0
    for place in places:
        for note in notes[done:place]:
            disk.do(note)
        done = place
        with tempfile.TemporaryDirectory(prefix="grice-cut-") as folder:
            into = Path(folder)
            disk.cut(into, drawn)
            moment = notes[place].at if place < len(notes) else time.monotonic()
            yield moment, into, synced_lines(notes[:place])


def synced_lines(notes: Sequence[Note]) -> set[str]:
    """The items whose lines in a run were written before its file was last synced."""
    under_way, kept = set[str](), set[str]()
    for note in notes:
        if note.path.endswith(kills.LINES) and note.kind == "W":
            under_way.add(json.loads(note.content)["id"])
        elif note.path.endswith(kills.LINES) and note.kind == "S":
            kept |= under_way
    return kept


def longest_wait(notes: Sequence[Note]) -> float:
    """The longest time from the writing of a line to its sync, in seconds."""
    waiting, longest = list[float](), 0.0
    for note in notes:
        if note.path.endswith(kills.LINES) and note.kind == "W":
            waiting.append(note.at)
        elif note.path.endswith(kills.LINES) and note.kind == "S" and waiting:
            longest, waiting = max(longest, note.at - waiting[0]), []
    return longest


def cut_judge(number: int, seed: int, *, limit: int = 150) -> dict[str, float]:
    """Cuts of a run by an encoder; the same command goes on after each, and the counts of what must
    be zero.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        below, words = (
            folder / "disk",
            ["judge", "quantifiers@7", "--limit", str(limit), "--by", "encoder/grice-mini"],
        )
        below.mkdir()
        environment = noting(build_shim(folder), below, folder / "log")
        command = [sys.executable, "-m", "grice", *words, "--into", str(below / "a" / "runs")]
        subprocess.run(command, env=environment, check=True, capture_output=True, cwd=folder)
        notes, right = read_notes(folder / "log"), kills.content(below / "a" / "runs")
        found = {"cuts": 0, "lost": 0, "unreadable": 0, "doubled": 0, "differing": 0}
        forks.import_like([*words, "--into", str(folder / "first")], folder)
        for _, disk, acknowledged in cuts(notes, below, number, seed):
            runs, printed = disk / "a" / "runs", folder / "printed.txt"
            there = (
                {name.rpartition(": ")[2] for name in kills.content(runs)}
                if runs.exists()
                else set()
            )
            found["lost"] += len(acknowledged - there)
            again = forks.start(forks.command([*words, "--into", str(runs)]), printed, cwd=folder)
            found["unreadable"] += forks.wait(again, printed, seconds=300).code != 0
            now = kills.content(runs)
            found["doubled"] += sum(name.endswith(" twice") for name in now)
            found["differing"] += now != right
            found["cuts"] += 1
        return {
            **found,
            "notes": len(notes),
            "longest wait for a sync (s)": round(longest_wait(notes), 2),
        }


async def _rate(port: int, people: int, answers: int) -> list[tuple[float, tuple[int, int], int]]:
    """People at work until there are so many answers: each that was acknowledged, and when."""
    seen: list[tuple[float, tuple[int, int], int]] = []

    class Noting(Rater):
        async def answer(self, block: dict[str, object], text: str) -> None:
            before = dict(self.tally.stored)
            await super().answer(block, text)
            new = {key: raw for key, raw in self.tally.stored.items() if key not in before}
            seen.extend((time.monotonic(), key, raw) for key, raw in new.items())

    async with httpx.AsyncClient(timeout=60, trust_env=False) as http:
        front = [f"http://127.0.0.1:{port}"]
        raters = [
            Noting(http, front, number=n, tally=Tally(), think=0.3).live() for n in range(people)
        ]
        at_work = asyncio.gather(*raters)
        while len(seen) < answers and not at_work.done():
            await asyncio.sleep(0.05)
        at_work.cancel()
        await asyncio.gather(at_work, return_exceptions=True)
    return seen


def cut_collect(
    number: int, seed: int, *, people: int = 10, answers: int = 600
) -> dict[str, float]:
    """Cuts of a server on SQLite while people answer; the counts of what must be zero."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        below, port = folder / "disk", free_port()
        below.mkdir()
        campaign = prepare(below, 4000)
        environment = noting(build_shim(folder), below, folder / "log")
        served = (
            "from pathlib import Path; from benchmarks.visitors import serve;"
            f" serve(Path({str(campaign)!r}), {port})"
        )
        server = subprocess.Popen(
            [sys.executable, "-c", served], env=environment, stderr=subprocess.DEVNULL
        )
        try:
            seen = asyncio.run(_rate(port, people, answers))
        finally:
            server.kill()
            server.wait()
        notes = read_notes(folder / "log")
        found = {"cuts": 0, "acknowledged": 0, "lost": 0, "unreadable": 0, "damaged": 0}
        for moment, disk, _ in cuts(notes, below, number, seed):
            for name in ("load.toml", "items.jsonl"):
                shutil.copy(below / name, disk / name)
            before = {key: raw for at, key, raw in seen if at < moment}
            there, damage = _answers(disk / "load.sqlite", disk / "load.toml", bool(before))
            found["cuts"] += 1
            found["acknowledged"] += len(before)
            found["lost"] += sum(there.get(key) != raw for key, raw in before.items())
            found["damaged"] += damage
        return {**found, "answers": len(seen), "notes": len(notes)}


def _answers(database: Path, campaign: Path, begun: bool) -> tuple[dict[tuple[int, int], int], int]:
    """The answers that a database holds by plain SQL, and the damage that SQLite and `grice check`
    find in it.
    """
    from grice.collecting.verify import check_store
    from grice.verbs.campaign_data import open_campaign

    if not database.exists() and not begun:
        return {}, 0
    with sqlite3.connect(database) as connection:
        damage = int(connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok")
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return {}, damage
        rows = connection.execute(
            "SELECT person, pair, raw FROM ratings WHERE state = 'answered'"
        ).fetchall()
    connection.close()
    store, _ = open_campaign(campaign)
    damage += len(check_store(store)[0])
    store.close()
    return {(person, pair): raw for person, pair, raw in rows}, damage


MUST_BE_ZERO = ("lost", "unreadable", "damaged", "doubled", "differing")
KINDS: dict[str, Callable[[int, int], dict[str, float]]] = {
    "judge": cut_judge,
    "collect": cut_collect,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=list(KINDS), choices=list(KINDS))
    given = parser.parse_args()
    wrong = 0.0
    for name in given.only:
        found = KINDS[name](given.cuts, given.seed)
        print(json.dumps({"command": name, **found}), flush=True)
        wrong += sum(found.get(what, 0) for what in MUST_BE_ZERO)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
