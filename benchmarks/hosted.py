"""A server that behaves as hosted models of today do, and a command that is killed again and again:
what is asked, lost and paid.

The server refuses `max_tokens`, thinks aloud, says 429 with Retry-After and rate headers, fails for
a moment, refuses some items, cuts some replies off, and in a batch fails some requests and leaves
some undone. `grice judge` is killed by SIGKILL after a random number of requests, and given again.
Then every item is answered or counted; nothing that was kept is asked again; no batch is sent
twice; and the cost is the server's own, but for replies that were on the way when the command was
killed, which it cannot know of.

Run: python -m benchmarks.hosted [--items 2000] [--kills 10] [--only openai anthropic openai-batch
anthropic-batch]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.hand import pair
from tests.judges.hosted import PRICES, HostedModel, hosting

from grice.storage.run import Run

CONNECTIONS = 8
WAYS = ("openai", "anthropic", "openai-batch", "anthropic-batch")


def command(way: str, folder: Path, url: str, items: int) -> list[str]:
    """`grice judge` on so many items, by one by one or by batches of a fourth of them."""
    provider, _, batch = way.partition("-")
    settings = {
        "url": url,
        "readout": "json",
        "backoff": "0.002",
        # A reply that is cut off is a fault, and not asked again with more room.
        "max_tokens": "128",
        "poll": "0.05",
        "connections": str(CONNECTIONS),
    }
    settings |= {"prices": str(folder / "prices.toml")}
    settings |= {"batch": "true", "batch_size": str(max(1, items // 4))} if batch else {}
    given = [word for key, value in settings.items() for word in ("-M", f"{key}={value}")]
    asked = [
        "judge",
        "--no-probe",
        str(folder / "items.jsonl"),
        "--by",
        f"{provider}/m",
        "--into",
        str(folder / "runs"),
    ]
    return [sys.executable, "-m", "grice", *asked, *given]


def kept(folder: Path) -> set[int]:
    """The items whose replies the run has, as far as its lines are whole."""
    found = set()
    for file in folder.glob("runs/*/judgements.jsonl"):
        for line in file.read_bytes().split(b"\n")[:-1]:
            found.add(int(json.loads(line)["id"].rsplit("/", 1)[-1]))
    return found


def play(way: str, items: int, kills: int, folder: Path, seed: int = 0) -> dict[str, Any]:
    """Kill the command so often and then let it end; what came of it, by the run and by the
    server's ledger.
    """
    (folder / "items.jsonl").write_text(
        "".join(json.dumps(pair(i).to_json()) + "\n" for i in range(items))
    )
    (folder / "prices.toml").write_text(PRICES)
    drawn, known = random.Random(seed), list[tuple[set[int], int]]()
    # What a kill may hit: requests of items and, by batch, the few steps of sending, waiting and
    # collecting.
    steps = 5 if "batch" in way else max(2, 2 * items // (3 * kills))
    with hosting(HostedModel(latency=0.005)) as model:
        words = command(way, folder, model.url, items)
        while len(known) < kills:
            process = subprocess.Popen(
                words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_env()
            )
            until = model.requests + drawn.randint(1, steps)
            while process.poll() is None and model.requests < until:
                time.sleep(0.002)
            time.sleep(drawn.uniform(0, 0.02))
            if process.poll() is not None:
                break
            process.kill()
            process.wait()
            known.append((kept(folder), len(model.ledger)))
        last = subprocess.run(words, capture_output=True, text=True, env=_env(), check=False)
    if last.returncode:
        raise SystemExit(f"{way}: {last.stderr[-800:]}")
    return figures(way, Run.read(next((folder / "runs").iterdir())), model, known)


def figures(
    way: str, run: Run, model: HostedModel, known: list[tuple[set[int], int]]
) -> dict[str, Any]:
    """What must be nothing, and what is told: items by what became of them, replies lost on the
    way, both costs.
    """
    again = sum(one["item"] in items for items, before in known for one in model.ledger[before:])
    given_out = Counter(one["item"] for one in model.ledger)
    in_batches = Counter(one["item"] for one in model.ledger if one["batched"])
    lost = {item: count - 1 for item, count in given_out.items() if count > 1}
    # So many are on the way at most, and as many may have come that are not yet written. Replies of
    # one item cost the same each time, unless one came by batch.
    last = {one["item"]: one["cost"] for one in model.ledger}
    return {
        "way": way,
        "kills": len(known),
        "answered": run.answered,
        "faults": run.fault_kinds,
        "open": run.open,
        "asked again though kept": again,
        "answered by two batches": sum(count > 1 for count in in_batches.values()),
        "batches": len(model.batches),
        "replies on the way when killed": sum(lost.values()),
        "at most": 2 * len(known) * CONNECTIONS,
        "cost of the run": run.notes["cost"],
        "cost by the ledger": round(model.cost, 6),
        "of it on the way when killed": round(model.cost - sum(last.values()), 6),
        "cents apart": round(100 * abs(run.notes["cost"] - sum(last.values())), 3),
    }


def wrong(found: dict[str, Any], items: int) -> list[str]:
    """What is not as it must be."""
    twentieth = items // 20
    checks = {
        "an item is open": found["open"] == 0,
        "faults do not add up": found["faults"] == {"cut off": twentieth, "refused": twentieth},
        "answers do not add up": found["answered"] == items - 2 * twentieth,
        "what was kept was asked again": found["asked again though kept"] == 0,
        "a batch was sent twice": found["answered by two batches"] == 0,
        "more was lost than was on the way": (
            found["replies on the way when killed"] <= found["at most"]
        ),
        "the cost is not the server's": found["cents apart"] < 0.01,
    }
    return [fact for fact, holds in checks.items() if not holds]


def _env() -> dict[str, str]:
    return {
        **os.environ,
        "ANTHROPIC_API_KEY": "not-a-key-0",
        "OPENAI_API_KEY": "not-a-key-0",
        "OMP_NUM_THREADS": "1",
    }


def main() -> None:
    flags = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    flags.add_argument("--items", type=int, default=2000, help="a multiple of 20")
    flags.add_argument("--kills", type=int, default=10)
    flags.add_argument("--only", nargs="*", default=list(WAYS))
    given = flags.parse_args()
    bad = 0
    for way in given.only:
        with tempfile.TemporaryDirectory() as folder:
            found = play(way, given.items, given.kills, Path(folder))
        faults = wrong(found, given.items)
        bad += len(faults)
        print(json.dumps({**found, "wrong": faults}), flush=True)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
