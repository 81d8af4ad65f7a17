"""Many people at once on one campaign, the server killed again and again.

People come over HTTP, answer with known noise, send some pages twice, and try again when the server
is gone. At the end every acknowledged answer must be in the database once, no pair over what was
asked, and a third rating exactly where the first two differ by more than 2,000 steps.

Run: python -m benchmarks.collect [--people 200] [--answers 50000] [--kills 10] [--think 0]
[--database postgresql://…]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from benchmarks.visitors import Person, Server

NOISE = 700.0
PAIR = re.compile(r'data-pair="(\d+)".*?<legend>.*?statement (\d+)\b.*?</legend>', re.S)


@dataclass
class Tally:
    """What the people saw: acknowledged answers by person and pair, and how long each page took."""

    stored: dict[tuple[int, int], int] = field(default_factory=dict)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    again: int = 0
    strange: list[str] = field(default_factory=list)


def prepare(folder: Path, answers: int, database: str = "") -> Path:
    """A campaign of so many answers, counting the third ratings the noise will ask for."""
    # Two raters differ by N(0, 2σ²); a third is asked where that passes 2,000 steps.
    third = 2 * (1 - _normal(2000 / (NOISE * 2**0.5)))
    pairs = max(5, round(answers / (2 + third)))
    lines = (
        {
            "id": f"load/{n}",
            "premise": f"Situation {n // 5}.",
            "hypothesis": f"This is statement {n} of it.",
        }
        for n in range(pairs)
    )
    (folder / "items.jsonl").write_text(
        "".join(json.dumps({**line, "gold": {}}) + "\n" for line in lines)
    )
    head = (
        'title = "Load"\ndataset = "items.jsonl"\ninstrument = "probability"\ndatabase ='
        f' "{database}"\n'
    )
    (folder / "load.toml").write_text(head + "[work]\nleast_seconds = 0\nclaim_minutes = 30\n")
    return folder / "load.toml"


def _normal(z: float) -> float:
    from statistics import NormalDist

    return NormalDist().cdf(z)


def truth(statement: int) -> float:
    """Where the slider of a statement would stand without noise."""
    return 1500 + 7000 * random.Random(statement).random()


@dataclass
class Rater(Person):
    """One who answers near the truth, and now and then sends a page twice."""

    number: int = 0
    tally: Tally = field(default_factory=Tally)
    think: float = 0.0
    patience: int = 12

    async def live(self) -> None:
        # People come one after the other, not all in the same millisecond.
        await asyncio.sleep(self.think * random.random())
        await super().live()

    def note(self, what: str, seconds: float) -> None:
        self.tally.seconds[what].append(seconds)

    def is_over(self) -> bool:
        return self.idle >= self.patience

    async def answer(self, block: dict[str, Any], text: str) -> None:
        if self.think:
            await asyncio.sleep(self.think * (0.5 + random.random()))
        raws = {}
        for pair, statement in PAIR.findall(text):
            noise = random.Random(f"{self.me}/{statement}").gauss(0, NOISE)
            raws[int(pair)] = min(10_000, max(0, round(truth(int(statement)) + noise)))
        content = {
            "page": block["id"],
            "replies": {pair: {"values": {"answer": raw}} for pair, raw in raws.items()},
        }
        for _ in range(2 if self.number % 20 == 0 else 1):
            reply = await self.call(
                "POST", "/answer", json=content, headers={"x-csrf": block["csrf"]}
            )
            if reply.status_code != 200:
                self.tally.strange.append(f"{reply.status_code} {reply.text[:200]}")
                return
            self.tally.again += reply.json()["again"]
        self.tally.stored |= {(self.me, pair): raw for pair, raw in raws.items()}


async def torment(server: Server, kills: int, every: float) -> None:
    for _ in range(kills):
        await asyncio.sleep(every)
        server.kill()
        await server.start()


async def run(
    campaign: Path,
    people: int,
    *,
    kills: int = 0,
    every: float = 5.0,
    think: float = 0.0,
    patience: int = 12,
) -> tuple[Tally, float, int]:
    """Let the people work; what they saw, how long it took, and how often the server was killed."""
    server, tally = Server(campaign), Tally()
    await server.start()
    limits = httpx.Limits(max_connections=people, max_keepalive_connections=people)
    began = time.perf_counter()
    async with httpx.AsyncClient(limits=limits, timeout=60, trust_env=False) as http:
        trouble = asyncio.create_task(torment(server, kills, every))
        raters = (
            Rater(http, [server.front], number=n, tally=tally, think=think, patience=patience)
            for n in range(people)
        )
        await asyncio.gather(*(rater.live() for rater in raters))
        trouble.cancel()
        await asyncio.gather(trouble, return_exceptions=True)
    took, times = time.perf_counter() - began, server.kills
    server.kill()
    return tally, took, times


def verify(campaign: Path, tally: Tally) -> dict[str, int]:
    """Compare what was acknowledged with what is there; counts of everything that must be zero."""
    from grice.collecting.overview import ratings, status
    from grice.verbs.campaign_data import open_campaign

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
    parser.add_argument(
        "--think", type=float, default=0.0, help="mean seconds before a page is sent"
    )
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        campaign = prepare(Path(folder), given.answers, given.database)
        tally, took, kills = asyncio.run(
            run(campaign, given.people, kills=given.kills, every=given.every, think=given.think)
        )
        counts = verify(campaign, tally)
    print(
        f"{given.people} people, {counts['there']:,} answers in {took:.0f} s, server killed {kills}"
        " times"
    )
    print(f"pages sent again {tally.again:,}")
    for what, seconds in tally.seconds.items():
        shares = ", ".join(
            f"p{share} {1000 * quantile(seconds, share / 100):.0f} ms" for share in (50, 90, 95, 99)
        )
        print(f"{what}: {len(seconds):,} requests, {shares}")
    print(json.dumps(counts, indent=1))
    for words in tally.strange[:5]:
        print("strange:", words)


if __name__ == "__main__":
    main()
