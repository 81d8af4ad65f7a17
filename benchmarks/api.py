"""The API judge against a mock server in a process of its own.

Two bars: with 50 ms latency and 32 connections at least 90% of the ideal rate; and 10,000 items of
which one in twenty goes wrong are all answered or faulted, none twice, the faults of each kind
counted exactly.

Run: python benchmarks/api.py [--items 9600] [--errors 10000]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import re
import tempfile
import time
from collections import Counter
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, ClassVar

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate

LATENCY = 0.05
CONNECTIONS = 32


def reply(text: str, finish: str = "stop", **message: Any) -> bytes:
    choice = {"finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    usage = {"prompt_tokens": 90, "completion_tokens": 2}
    return http(200, json.dumps({"choices": [choice], "usage": usage}))


def http(status: int, body: str) -> bytes:
    content = body.encode()
    head = (
        f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length:"
        f" {len(content)}\r\n\r\n"
    )
    return head.encode() + content


GOOD = reply("neutral")
# What every hundredth item gets for good, by the last two digits of its number; 99 fails once and
# then answers.
WRONG = {
    7: (http(400, '{"error": {"message": "too long"}}'), "http 400"),
    27: (reply("I cannot say."), "refused"),
    47: (reply("neu", "length"), "cut off"),
    67: (reply("one of the three"), "unreadable"),
    87: (reply("", refusal="no"), "refused"),
}
ONCE = http(500, "oops")


class Mock(asyncio.Protocol):
    """Answers each request after the latency, going by the number of the item in it; counts what it
    was asked.
    """

    latency = LATENCY
    faulty = False
    asked: ClassVar[Counter[int]] = Counter()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.got = transport, b""

    def data_received(self, data: bytes) -> None:
        self.got += data
        head, end, body = self.got.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.I)
        if end and length and len(body) >= int(length[1]):
            self.got = b""
            asyncio.get_running_loop().call_later(
                self.latency, self.transport.write, self.answer(body)
            )

    def answer(self, body: bytes) -> bytes:
        found = re.search(rb"item (\d+)", body)
        number = int(found[1]) if found else -1
        Mock.asked[number] += 1
        if not self.faulty:
            return GOOD
        if number % 100 == 99 and Mock.asked[number] == 1:
            return ONCE
        return WRONG[number % 100][0] if number % 100 in WRONG else GOOD


def serve(ports: Queue[int], latency: float, faulty: bool) -> None:
    Mock.latency, Mock.faulty = latency, faulty

    async def forever() -> None:
        server = await asyncio.get_running_loop().create_server(Mock, "127.0.0.1", 0)
        ports.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(forever())


def ask(items: int, latency: float, *, faulty: bool) -> dict[str, Any]:
    """Judge so many items into a folder, as `grice judge` does; the counts and the seconds."""
    ports: Queue[int] = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(ports, latency, faulty), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{ports.get()}/v1"
    data = Dataset.from_items(
        "bench", NLI, [Item(f"b/{i}", f"This is item {i}.", "So it is.") for i in range(items)]
    )
    judge = Openai("mock", url=url, connections=str(CONNECTIONS), backoff="0.05")
    try:
        with tempfile.TemporaryDirectory() as folder:
            start, worked = time.perf_counter(), time.process_time()
            run = evaluate(data, judge, into=Path(folder))
            seconds, worked = time.perf_counter() - start, time.process_time() - worked
            unique = run.frame["id"].n_unique()
            lines = run.frame.height
    finally:
        server.terminate()
    return {
        "seconds": seconds,
        "cpu ms per item": round(1000 * worked / items, 3),
        "answered": run.answered,
        "kinds": run.fault_kinds,
        "open": run.open,
        "twice": lines - unique,
        "requests": judge.notes["requests"],
    }


def main() -> None:
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--items", type=int, default=9600)
    flags.add_argument("--errors", type=int, default=10_000)
    given = flags.parse_args()
    fast = ask(given.items, LATENCY, faulty=False)
    rate, ideal = given.items / fast["seconds"], CONNECTIONS / LATENCY
    print(
        json.dumps(
            {
                "rate": round(rate, 1),
                "ideal": ideal,
                "share of ideal": round(rate / ideal, 3),
                "cpu ms per item": fast["cpu ms per item"],
                "cpu ms there are": round(1000 / ideal, 3),
            }
        )
    )
    found = ask(given.errors, 0.002, faulty=True)
    hundreds = given.errors // 100
    expected = Counter({kind: 0 for _, kind in WRONG.values()})
    for _, kind in WRONG.values():
        expected[kind] += hundreds
    print(json.dumps({**found, "expected": dict(sorted(expected.items()))}))
    assert found["kinds"] == dict(expected), "the faults do not add up"
    assert (found["answered"], found["open"], found["twice"]) == (given.errors - 5 * hundreds, 0, 0)
    assert found["requests"] == given.errors + hundreds, (
        "an item was asked more often than it failed"
    )


if __name__ == "__main__":
    main()
