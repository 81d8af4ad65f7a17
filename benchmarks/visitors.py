"""People who come to a campaign over HTTP, and servers that can be killed: what the benchmarks of
`collect` share.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import re
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

BLOCK = re.compile(r'<script type="application/json" id="block">(.*?)</script>', re.S)
# Imported once, in the process from which servers are forked: under load a kill would else cost
# half a minute.
IMPORTED = [
    "benchmarks.visitors",
    "grice.collecting.app",
    "grice.collecting.server",
    "grice.verbs.collect",
    "polars",
]


def serve(campaign: Path, port: int, offset: Path | None = None) -> None:
    """The real server, without the limits on one address; its clock may be set from outside, by a
    file.
    """
    from grice.collecting.app import make_app
    from grice.collecting.security import Serving
    from grice.collecting.server import serve as run
    from grice.verbs.campaign_data import open_campaign

    store, _ = open_campaign(campaign)
    if offset is not None:
        steady = store.clock
        store.clock = lambda: steady() + float(offset.read_text() or 0)
    serving = Serving(port=port, joins_per_minute=1e9, requests_per_second=1e9)
    run(make_app(store, serving), serving)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Server:
    """The server as a process of its own that can be killed."""

    campaign: Path
    offset: Path | None = None
    port: int = field(default_factory=free_port)
    kills: int = 0
    starting: bool = False

    @property
    def front(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _begin(self) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(IMPORTED)
        self.process = context.Process(
            target=_serve_quietly, args=(self.campaign, self.port, self.offset)
        )
        self.process.start()

    async def start(self) -> None:
        """Until it answers; where it found no database it is started again, since the next one may."""
        self._begin()
        for _ in range(1200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    self.starting = False
                    return
            await asyncio.sleep(0.1)
            if not self.process.is_alive():
                await asyncio.sleep(0.3)
                self._begin()
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        self.starting = True
        self.process.kill()
        self.process.join()
        self.kills += 1


def _serve_quietly(campaign: Path, port: int, offset: Path | None) -> None:
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    serve(campaign, port, offset)


@dataclass
class Person:
    """One who joins, answers what is offered until there is no more, and asks again when there is
    no server.
    """

    http: httpx.AsyncClient
    fronts: Sequence[str]
    cookie: str = ""
    idle: int = 0
    asked: float = 0.0

    @property
    def me(self) -> int:
        """The person's number in the campaign."""
        return int(self.cookie.partition("=")[2].partition(".")[0])

    async def call(self, method: str, path: str, **how: Any) -> httpx.Response:
        """Ask any server until one answers; 503 is asked again, as a page does."""
        for attempt in range(400):
            front = random.choice(self.fronts)
            headers = {"origin": front, "cookie": self.cookie, **how.get("headers", {})}
            began = time.perf_counter()
            try:
                reply = await self.http.request(method, front + path, **{**how, "headers": headers})
                if reply.status_code != 503:
                    self.note(f"{method} {path}", time.perf_counter() - began)
                    return reply
            except httpx.HTTPError:
                self.note("broken off", time.perf_counter() - began)
            await asyncio.sleep(min(2.0, 0.1 * 2 ** min(attempt, 5)) * (0.5 + random.random()))
        raise RuntimeError("the servers stayed away")

    async def live(self) -> None:
        """From joining to the end."""
        self.cookie = (await self.call("POST", "/join")).headers["set-cookie"].partition(";")[0]
        csrf = re.search(r'name="csrf" value="(\w+)"', (await self.call("GET", "/")).text)
        assert csrf
        await self.call("POST", "/start", data={"csrf": csrf[1]})
        while not self.is_over():
            self.asked = time.monotonic()
            page = await self.call("GET", "/")
            found = BLOCK.search(page.text)
            if found is not None:
                self.idle = 0
                await self.answer(json.loads(found[1]), page.text)
                continue
            # Third ratings, and claims that others left, may still come up.
            self.idle += 1
            await asyncio.sleep(0.5 + random.random())

    def note(self, what: str, seconds: float) -> None:
        """How long a request took."""

    def is_over(self) -> bool:
        """Whether this person goes home."""
        raise NotImplementedError

    async def answer(self, block: dict[str, Any], text: str) -> None:
        """What is done with a page."""
        raise NotImplementedError
