"""Many people at once on one campaign, the server killed again and again.

People come over HTTP, answer with known noise, send some pages twice, and try again when the server is gone. At the
end every acknowledged answer must be in the database once, no pair over what was asked, and a third rating exactly
where the first two differ by more than 2,000 steps.

Run: python benchmarks/collect.py [--people 200] [--answers 50000] [--kills 10] [--think 0] [--database postgresql://…]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

NOISE = 700.0
FRONT = "http://127.0.0.1:{port}"
BLOCK = re.compile(r'<script type="application/json" id="block">(.*?)</script>', re.S)
PAIR = re.compile(r'data-pair="(\d+)".*?<legend>.*?statement (\d+)\b.*?</legend>', re.S)


@dataclass
class Tally:
    """What the people saw: acknowledged answers by person and pair, and how long each page took."""

    stored: dict[tuple[int, int], int] = field(default_factory=dict)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    again: int = 0
    broken: int = 0
    strange: list[str] = field(default_factory=list)


def prepare(folder: Path, answers: int, database: str = "") -> Path:
    """A campaign of so many answers, counting the third ratings the noise will ask for."""
    # Two raters differ by N(0, 2σ²); a third is asked where that passes 2,000 steps.
    third = 2 * (1 - _normal(2000 / (NOISE * 2**0.5)))
    pairs = max(5, round(answers / (2 + third)))
    lines = (
        {"id": f"load/{n}", "premise": f"Situation {n // 5}.", "hypothesis": f"This is statement {n} of it."}
        for n in range(pairs)
    )
    (folder / "items.jsonl").write_text("".join(json.dumps({**line, "gold": {}}) + "\n" for line in lines))
    head = f'title = "Load"\ndataset = "items.jsonl"\ninstrument = "probability"\ndatabase = "{database}"\n'
    (folder / "load.toml").write_text(head + "[work]\nleast_seconds = 0\nclaim_minutes = 30\n")
    return folder / "load.toml"


def _normal(z: float) -> float:
    from statistics import NormalDist

    return NormalDist().cdf(z)


def serve(campaign: Path, port: int) -> None:
    """The real server, without the limits that would stop so many people from one address."""
    from grice.collecting.app import make_app
    from grice.collecting.security import Serving
    from grice.collecting.server import serve as run
    from grice.verbs.collect import open_campaign

    store, _ = open_campaign(campaign)
    serving = Serving(port=port, joins_per_minute=1e9, requests_per_second=1e9)
    run(make_app(store, serving), serving)


def truth(statement: int) -> float:
    """Where the slider of a statement would stand without noise."""
    return 1500 + 7000 * random.Random(statement).random()


@dataclass
class Person:
    """One who joins, answers until nothing is left, and keeps trying when there is no server."""

    number: int
    http: httpx.AsyncClient
    tally: Tally
    think: float
    patience: int = 12
    cookie: str = ""

    async def call(self, method: str, path: str, **how: Any) -> httpx.Response:
        for attempt in range(200):
            headers = {"cookie": self.cookie, **how.get("headers", {})}
            began = time.perf_counter()
            try:
                reply = await self.http.request(method, path, **{**how, "headers": headers})
                if reply.status_code != 503:
                    self.tally.seconds[f"{method} {path}"].append(time.perf_counter() - began)
                    return reply
            except httpx.HTTPError:
                self.tally.broken += 1
            await asyncio.sleep(min(2.0, 0.1 * 2 ** min(attempt, 5)) * (0.5 + random.random()))
        raise RuntimeError("the server stayed away")

    async def live(self) -> None:
        # People come one after the other, not all in the same millisecond.
        await asyncio.sleep(self.think * random.random())
        joined = await self.call("POST", "/join")
        self.cookie = joined.headers["set-cookie"].partition(";")[0]
        csrf = re.search(r'name="csrf" value="(\w+)"', (await self.call("GET", "/")).text)
        assert csrf
        await self.call("POST", "/start", data={"csrf": csrf[1]})
        idle = 0
        while idle < self.patience:
            page = await self.call("GET", "/")
            found = BLOCK.search(page.text)
            if found is None:
                # Third ratings may still come up while others are at work.
                idle += 1
                await asyncio.sleep(0.5 + random.random())
                continue
            idle = 0
            if self.think:
                await asyncio.sleep(self.think * (0.5 + random.random()))
            await self.answer(json.loads(found[1]), page.text)

    async def answer(self, block: dict[str, Any], text: str) -> None:
        mine = int(self.cookie.partition("=")[2].partition(".")[0])
        raws = {}
        for pair, statement in PAIR.findall(text):
            noise = random.Random(f"{mine}/{statement}").gauss(0, NOISE)
            raws[int(pair)] = min(10_000, max(0, round(truth(int(statement)) + noise)))
        content = {"page": block["id"], "replies": {pair: {"values": {"answer": raw}} for pair, raw in raws.items()}}
        for _ in range(2 if self.number % 20 == 0 else 1):
            reply = await self.call("POST", "/answer", json=content, headers={"x-csrf": block["csrf"]})
            if reply.status_code != 200:
                self.tally.strange.append(f"{reply.status_code} {reply.text[:200]}")
                return
            self.tally.again += reply.json()["again"]
        self.tally.stored |= {(mine, pair): raw for pair, raw in raws.items()}


class Server:
    """The server as a process of its own that can be killed."""

    def __init__(self, campaign: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.words = [sys.executable, __file__, "--serve", str(campaign), "--port", str(self.port)]
        self.process: subprocess.Popen[bytes] | None = None
        self.kills = 0

    async def start(self) -> None:
        self.process = subprocess.Popen(self.words)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            await asyncio.sleep(0.1)
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    async def torment(self, kills: int, every: float) -> None:
        for _ in range(kills):
            await asyncio.sleep(every)
            self.kill()
            self.kills += 1
            await self.start()


async def run(
    campaign: Path, people: int, *, kills: int = 0, every: float = 5.0, think: float = 0.0, patience: int = 12
) -> tuple[Tally, float, int]:
    """Let the people work; what they saw, how long it took, and how often the server was killed."""
    server, tally = Server(campaign), Tally()
    await server.start()
    front = FRONT.format(port=server.port)
    limits = httpx.Limits(max_connections=people, max_keepalive_connections=people)
    began = time.perf_counter()
    async with httpx.AsyncClient(
        base_url=front, headers={"origin": front}, limits=limits, timeout=60, trust_env=False
    ) as http:
        torment = asyncio.create_task(server.torment(kills, every))
        await asyncio.gather(*(Person(n, http, tally, think, patience).live() for n in range(people)))
        torment.cancel()
        await asyncio.gather(torment, return_exceptions=True)
    took = time.perf_counter() - began
    server.kill()
    return tally, took, server.kills


def verify(campaign: Path, tally: Tally) -> dict[str, int]:
    """Compare what was acknowledged with what is there; counts of everything that must be zero."""
    from grice.collecting.overview import ratings, status
    from grice.verbs.collect import open_campaign

    store, data = open_campaign(campaign)
    there: dict[tuple[int, str], int] = {}
    by_item: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for row in ratings(store):
        if row["state"] == "answered":
            there[int(row["person"].partition("/")[2]), row["id"]] = row["raw"]
            by_item[row["id"]].append((row["at"], row["raw"]))
    stand = status(store)
    store.close()
    # Pairs are numbered from 1 in the order of the data.
    ids = data.ids
    acknowledged = {(who, ids[pair - 1]): raw for (who, pair), raw in tally.stored.items()}
    wrong_third = over = 0
    for replies in by_item.values():
        raws = [raw for _, raw in sorted(replies)]
        asked = 2 + (len(raws) > 1 and abs(raws[0] - raws[1]) > 2000)
        over += len(raws) > asked
        wrong_third += len(raws) != asked
    return {
        "acknowledged": len(acknowledged),
        "there": len(there),
        "lost or changed": sum(there.get(key) != raw for key, raw in acknowledged.items()),
        "pairs over what was asked": over,
        "pairs with a third rating too many or too few": wrong_third,
        "pairs not finished": len(data) - len(by_item),
        "third ratings": stand["third ratings"],
        "strange replies": len(tally.strange),
    }


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--answers", type=int, default=50_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between kills")
    parser.add_argument("--think", type=float, default=0.0, help="mean seconds before a page is sent")
    parser.add_argument("--database", default="")
    parser.add_argument("--serve", type=Path)
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve, given.port)
        return
    with tempfile.TemporaryDirectory() as folder:
        campaign = prepare(Path(folder), given.answers, given.database)
        tally, took, kills = asyncio.run(
            run(campaign, given.people, kills=given.kills, every=given.every, think=given.think)
        )
        counts = verify(campaign, tally)
    print(f"{given.people} people, {counts['there']:,} answers in {took:.0f} s, server killed {kills} times")
    print(f"broken off {tally.broken:,}, pages sent again {tally.again:,}")
    for what, seconds in tally.seconds.items():
        shares = ", ".join(f"p{share} {1000 * quantile(seconds, share / 100):.0f} ms" for share in (50, 90, 95, 99))
        print(f"{what}: {len(seconds):,} requests, {shares}")
    print(json.dumps(counts, indent=1))
    for words in tally.strange[:5]:
        print("strange:", words)


if __name__ == "__main__":
    main()
