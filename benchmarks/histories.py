"""A checker that looks from outside: people, an administrator and trouble, every request and reply
kept as a history.

Round after round, a campaign with claims of 2 to 6 seconds is served by two processes on one
database. People answer, skip, walk away and send twice; the administrator pauses and excludes;
servers are killed, the clock is set, and the database is stopped (PostgreSQL at once and without
warning; SQLite by someone who holds its lock). Then the tables are read by plain SQL and compared
with the history: what was acknowledged must be there once and unchanged, nothing that nobody sent,
no pair over what was asked, and a third rating exactly where the first two differ.

Run: python -m benchmarks.histories [--minutes 60] [--people 300] [--pairs 300] [--database
sqlite|postgresql]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from benchmarks.visitors import Person, Server, free_port

SHOWN = re.compile(r'data-pair="(\d+)"')
OFFSET = "clock-offset"


@dataclass
class History:
    """What went out and what came back, by person; and what was done to them."""

    sent: dict[tuple[int, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    kept: list[tuple[int, dict[int, int], int, float]] = field(default_factory=list)
    shown: list[tuple[int, frozenset[int], float, float]] = field(default_factory=list)
    excluded: dict[int, float] = field(default_factory=dict)
    pauses: list[tuple[float, float]] = field(default_factory=list)
    trouble: Counter[str] = field(default_factory=Counter)
    strange: list[str] = field(default_factory=list)


class Postgres:
    """A PostgreSQL of our own on loopback, which can be stopped without warning."""

    def __init__(self) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
        if not found:
            raise SystemExit("needs PostgreSQL; install Debian's postgresql")
        self.home = Path(tempfile.mkdtemp(prefix="grice-pg-"))
        self.as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.as_user:
            shutil.chown(self.home, "postgres")
        self.port, self.programs = free_port(), found[-1].parent
        self._call("initdb", "-D", f"{self.home}/data", "-U", "grice", "-A", "trust", "-E", "UTF8")
        self.address = f"postgresql://grice@127.0.0.1:{self.port}/postgres"
        self.start()

    def _call(self, program: str, *words: str) -> None:
        subprocess.run(
            [*self.as_user, self.programs / program, *words],
            check=True,
            capture_output=True,
            cwd=self.home,
        )

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k {self.home} -c max_connections=200"
        self._call(
            "pg_ctl",
            "-D",
            f"{self.home}/data",
            "-w",
            "-o",
            options,
            "-l",
            f"{self.home}/log",
            "start",
        )

    def stop(self) -> None:
        self._call("pg_ctl", "-D", f"{self.home}/data", "-w", "-m", "immediate", "stop")

    def empty(self) -> None:
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)


@dataclass
class Round:
    """One campaign from its beginning to the check of its tables."""

    folder: Path
    people: int
    pairs: int
    seconds: float
    postgres: Postgres | None = None
    history: History = field(default_factory=History)
    over: bool = False

    def __post_init__(self) -> None:
        lines = (
            {
                "id": f"h/{n}",
                "premise": f"Situation {n // 5}.",
                "hypothesis": f"Statement {n}.",
                "gold": {},
            }
            for n in range(self.pairs)
        )
        (self.folder / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        (self.folder / OFFSET).write_text("0")
        place = self.postgres.address if self.postgres else ""
        claims = random.uniform(2, 6) / 60
        head = (
            'title = "History"\ndataset = "items.jsonl"\ninstrument = "probability"\ndatabase ='
            f' "{place}"\n'
        )
        self.campaign = self.folder / "h.toml"
        self.campaign.write_text(
            head + f"[work]\nleast_seconds = 0\nclaim_minutes = {claims:.4f}\n"
        )

    async def play(self) -> dict[str, int]:
        """The whole round; the counts of what must be zero."""
        self.servers = [Server(self.campaign, self.folder / OFFSET) for _ in range(2)]
        for server in self.servers:
            await server.start()
        fronts = [server.front for server in self.servers]
        limits = httpx.Limits(
            max_connections=self.people + 10, max_keepalive_connections=self.people + 10
        )
        async with httpx.AsyncClient(limits=limits, timeout=60, trust_env=False) as http:
            people = [Visitor(http, fronts, round=self) for _ in range(self.people)]
            trouble = Trouble(Visitor(http, fronts, round=self), self)
            await asyncio.gather(trouble.make(), *(one.live() for one in people))
        for server in self.servers:
            server.kill()
        return check(self)

    def is_done(self) -> bool:
        """Whether every pair has what was asked for, and nobody holds one."""
        left = "SELECT count(*) FROM pairs WHERE kind = 'work' AND taken < wanted"
        held = "SELECT count(*) FROM ratings WHERE state = 'open'"
        return not any(rows_of(self, query)[0][0] for query in (left, held))


@dataclass
class Visitor(Person):
    """Someone who answers, skips, walks away for a while, or sends a page twice."""

    round: Round = field(kw_only=True)

    async def live(self) -> None:
        await asyncio.sleep(3 * random.random())
        await super().live()

    def is_over(self) -> bool:
        return self.round.over

    async def answer(self, block: dict[str, Any], text: str) -> None:
        pairs = [int(pair) for pair in SHOWN.findall(text)]
        self.round.history.shown.append((self.me, frozenset(pairs), self.asked, time.monotonic()))
        await asyncio.sleep(random.choice((0.0, 0.1, 0.1, 0.5, 7.0)) * random.random())
        history, raws = self.round.history, {pair: random.randrange(10_001) for pair in pairs}
        skipped = {pair for pair in pairs if random.random() < 0.02}
        replies = {
            pair: {"skip": True} if pair in skipped else {"values": {"answer": raw}}
            for pair, raw in raws.items()
        }
        for pair in set(pairs) - skipped:
            history.sent[self.me, pair].add(raws[pair])
        for _ in range(2 if random.random() < 0.05 else 1):
            sent = time.monotonic()
            content = {"page": block["id"], "replies": replies}
            reply = await self.call(
                "POST", "/answer", json=content, headers={"x-csrf": block["csrf"]}
            )
            if reply.status_code == 200:
                said = {pair: raw for pair, raw in raws.items() if pair not in skipped}
                history.kept.append((self.me, said, reply.json()["late"], sent))
                if reply.json()["stored"] + reply.json()["late"] != len(pairs):
                    history.strange.append(f"{reply.json()} for {len(pairs)} pairs")
            elif reply.status_code not in (403, 410, 422, 429):
                history.strange.append(f"{reply.status_code} {reply.text[:200]}")


@dataclass
class Trouble:
    """Kills, pauses, exclusions, a clock that is set, and a database that is gone."""

    administrator: Visitor
    round: Round

    async def make(self) -> None:
        """All kinds beside each other until the time is up; then people finish what is left."""
        ends = time.monotonic() + self.round.seconds
        kinds = (
            (self.kill, 1),
            (self.kill, 1),
            (self.pause, 6),
            (self.exclude, 6),
            (self.set_clock, 10),
        )
        await asyncio.gather(
            *(
                self._again(what, seconds, ends)
                for what, seconds in (*kinds, (self.stop_database, 10))
            )
        )
        patience = time.monotonic() + 600
        while not await asyncio.to_thread(self.round.is_done) and time.monotonic() < patience:
            await asyncio.sleep(1)
        self.round.over = True

    async def _again(
        self, what: Callable[[], Awaitable[None]], seconds: float, ends: float
    ) -> None:
        while True:
            await asyncio.sleep(seconds * (0.5 + random.random()))
            if time.monotonic() > ends:
                return
            await what()
            self.round.history.trouble[what.__name__] += 1

    async def kill(self) -> None:
        server = next(one for one in random.sample(self.round.servers, 2) if not one.starting)
        server.kill()
        await asyncio.sleep(random.random())
        await server.start()

    async def administer(self, **form: str) -> bool:
        from grice.collecting.security import Keys
        from grice.verbs.campaign_data import open_campaign

        try:
            store, _ = open_campaign(self.round.campaign, read_only=True)
        except Exception:
            return False
        keys = Keys(store)
        key, csrf = keys.admin, keys.csrf("admin")
        store.close()
        entered = await self.administrator.call("GET", "/admin", params={"key": key})
        cookie, content = entered.headers["set-cookie"].partition(";")[0], {"csrf": csrf, **form}
        reply = await self.administrator.call(
            "POST", "/admin/change", data=content, headers={"cookie": cookie}
        )
        if reply.status_code not in (303, 422):
            self.round.history.strange.append(f"admin {reply.status_code} {reply.text[:200]}")
        return reply.status_code == 303

    async def pause(self) -> None:
        if await self.administer(action="pause"):
            began = time.monotonic()
            await asyncio.sleep(1.5 * random.random())
            self.round.history.pauses.append((began, time.monotonic()))
        while not await self.administer(action="resume"):
            await asyncio.sleep(0.3)

    async def exclude(self) -> None:
        history = self.round.history
        if not history.kept or len(history.excluded) >= max(1, self.round.people // 20):
            return
        person = random.choice(history.kept)[0]
        if await self.administer(action="exclude", person=str(person), reason="by lot"):
            history.excluded.setdefault(person, time.monotonic())

    async def set_clock(self) -> None:
        (self.round.folder / OFFSET).write_text(str(random.choice((-5, 0, 60, 3600))))

    async def stop_database(self) -> None:
        if self.round.postgres is not None:
            await asyncio.to_thread(self.round.postgres.stop)
            await asyncio.sleep(2 * random.random())
            await asyncio.to_thread(self.round.postgres.start)
            return
        held = sqlite3.connect(
            self.round.campaign.with_suffix(".sqlite"), timeout=20, isolation_level=None
        )
        try:
            held.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(2 * random.random())
            held.execute("ROLLBACK")
        except sqlite3.OperationalError:
            pass
        finally:
            held.close()


def rows_of(played: Round, query: str) -> list[tuple[Any, ...]]:
    """Rows by plain SQL, past everything that grice does with them."""
    if played.postgres is not None:
        import psycopg

        with psycopg.connect(played.postgres.address) as connection:
            return connection.execute(query.encode()).fetchall()
    with sqlite3.connect(played.campaign.with_suffix(".sqlite")) as connection_:
        return connection_.execute(query).fetchall()


def check(played: Round) -> dict[str, int]:
    """The tables against the history."""
    history = played.history
    answered = rows_of(played, "SELECT person, pair, raw, at FROM ratings WHERE state = 'answered'")
    there = {(person, pair): raw for person, pair, raw, _ in answered}
    gone = {row[0] for row in rows_of(played, "SELECT id FROM persons WHERE excluded IS NOT NULL")}
    lost = 0
    for person, said, late, _ in history.kept:
        lost += max(0, sum(there.get((person, pair)) != raw for pair, raw in said.items()) - late)
    touched = {pair for person, pair in there if person in gone}
    by_pair: dict[int, list[tuple[float, int, int]]] = defaultdict(list)
    for person, pair, raw, at in answered:
        if person not in gone:
            by_pair[pair].append((at, person, raw))
    over = thirds = 0
    for pair in range(1, played.pairs + 1):
        raws = [raw for _, _, raw in sorted(by_pair[pair])]
        asked = 2 + (len(raws) > 1 and abs(raws[0] - raws[1]) > 2000)
        # After an exclusion one who was at it already may have finished a third rating that is not
        # needed any more.
        over += len(raws) > asked + (pair in touched)
        thirds += pair not in touched and len(raws) != asked
    wrong = rows_of(
        played, "SELECT count(*) FROM pairs WHERE kind = 'work' AND (taken > wanted OR taken < 0)"
    )[0][0]
    return {
        "acknowledged": len(
            {(person, pair) for person, said, _, _ in history.kept for pair in said}
        ),
        "stored": len(there),
        "lost or changed": lost,
        "stored twice": len(answered) - len(there),
        "never sent": sum(raw not in history.sent[key] for key, raw in there.items()),
        "pairs rated too often": over + wrong,
        "third ratings wrong": thirds,
        "pairs not finished": sum(len(by_pair[pair]) < 2 for pair in range(1, played.pairs + 1)),
        "kept after exclusion": sum(
            asked > history.excluded[person]
            for person, said, late, asked in history.kept
            if person in history.excluded
            and len(said) > late
            and not _before(history, person, said)
        ),
        "given during a pause": _given_in_pauses(history),
        "damage found by grice check": _damage(played),
        "strange replies": len(history.strange),
    }


def _before(history: History, person: int, said: dict[int, int]) -> bool:
    """Whether the same page was acknowledged before the exclusion, so that this was its second
    sending.
    """
    return any(
        who == person and pairs == said and asked <= history.excluded[person]
        for who, pairs, _, asked in history.kept
    )


def _given_in_pauses(history: History) -> int:
    """Pages asked for and shown within one pause that hold a pair this person had never seen."""
    seen: dict[int, set[int]] = defaultdict(set)
    given = 0
    for person, pairs, asked, came in sorted(history.shown, key=lambda one: one[3]):
        inside = any(began < asked and came < ended for began, ended in history.pauses)
        given += inside and not pairs <= seen[person]
        seen[person] |= pairs
    return given


def _damage(played: Round) -> int:
    from grice.collecting.verify import check_store
    from grice.verbs.campaign_data import open_campaign

    store, _ = open_campaign(played.campaign, read_only=True)
    found, _ = check_store(store)
    store.close()
    return len(found)


MUST_BE_ZERO = (
    "lost or changed",
    "stored twice",
    "never sent",
    "pairs rated too often",
    "third ratings wrong",
    "pairs not finished",
    "kept after exclusion",
    "given during a pause",
    "damage found by grice check",
    "strange replies",
)


def play_rounds(
    minutes: float, people: int, pairs: int, postgres: Postgres | None, *, seconds: float = 40.0
) -> Counter[str]:
    """Rounds until the time is up; all counts added together."""
    ends, total = time.monotonic() + 60 * minutes, Counter[str]()
    while not total["rounds"] or time.monotonic() < ends:
        with tempfile.TemporaryDirectory() as folder:
            if postgres is not None:
                postgres.empty()
            played = Round(Path(folder), people, pairs, seconds, postgres)
            began = time.monotonic()
            found = asyncio.run(played.play())
            found |= {f"trouble: {what}": n for what, n in played.history.trouble.items()}
            total.update(found)
            total["rounds"] += 1
            print(json.dumps({"seconds": round(time.monotonic() - began), **found}), flush=True)
            for words in played.history.strange[:3]:
                print("strange:", words, flush=True)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=40.0, help="of trouble in each round")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    given = parser.parse_args()
    postgres = Postgres() if given.database == "postgresql" else None
    try:
        total = play_rounds(
            given.minutes, given.people, given.pairs, postgres, seconds=given.seconds
        )
    finally:
        if postgres is not None:
            postgres.remove()
    print(
        json.dumps({"database": given.database, "people a round": given.people, **total}, indent=1)
    )
    sys.exit(any(total[name] for name in MUST_BE_ZERO))


if __name__ == "__main__":
    main()
