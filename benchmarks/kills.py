"""Commands killed at random moments, over and over: what is there at the end is what an undisturbed
command gives.

A command is killed, started again as it was, killed again, until it comes to its end; then its
files are compared with those of one that nobody disturbed, and everything begins anew. After each
kill, what was there before must still be there, unchanged and once: a line of a run, a file that
was written.

Run: python -m benchmarks.kills [--kills 100] [--minutes 60] [--only encoder openai hf ray train
make mine]
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks import forks

SENTENCES = (
    "Ada left and Bo stayed.",
    "Bo forgot to lock the door.",
    "Cy said that it rained or snowed.",
    "Ada knows that Bo left.",
)
LINES = "judgements.jsonl"


@contextmanager
def beside(work: Callable[[Connection], None]) -> Iterator[str]:
    """Something that runs in a process of its own until we are done; the first thing it tells."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=work, args=(there,))
    process.start()
    try:
        yield str(here.recv())
    finally:
        process.terminate()
        process.join()


def answer_requests(told: Connection) -> None:
    """An API whose answer depends on the question."""
    from benchmarks.api import LATENCY, Mock, reply

    class Varied(Mock):
        latency = LATENCY / 2

        def answer(self, body: bytes) -> bytes:
            return reply(("entailment", "neutral", "contradiction")[zlib.crc32(body) % 3])

    async def forever() -> None:
        server = await asyncio.get_running_loop().create_server(Varied, "127.0.0.1", 0)
        told.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        await server.serve_forever()

    asyncio.run(forever())


def hold_cluster(told: Connection) -> None:
    """A Ray cluster that outlives the commands that join it."""
    os.environ["RAY_AUTH_MODE"] = "disabled"
    import ray

    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    ray.init(
        "local", num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False
    )
    told.send(ray.get_runtime_context().gcs_address)
    signal.pause()


def make_model(told: Connection) -> None:
    """A tiny causal model on the disk."""
    from tests.judges.models import causal_model

    told.send(str(causal_model(Path(tempfile.mkdtemp(prefix="grice-kills-")), "gpt2")))


@dataclass
class Kind:
    """A command: its words, where `{out}` is its folder of output and `{corpus}`, … a file made
    beforehand.
    """

    words: str
    beside: Callable[[Connection], None] | None = None
    environment: dict[str, str] = field(default_factory=dict)
    changes: bool = False
    earliest: float = 0.02


KINDS = {
    "encoder": Kind("judge quantifiers@7 --limit 150 --by encoder/grice-mini --into {out}"),
    "openai": Kind(
        "judge quantifiers@7 --limit 300 --no-probe --by openai/mock -M url={told} -M connections=4 -M"
        " backoff=0.05 --into {out}",
        answer_requests,
    ),
    "hf": Kind("judge quantifiers@7 --limit 150 --by hf/{told} --into {out}", make_model),
    "ray": Kind(
        "judge quantifiers@7 --limit 400 --by encoder/grice-mini --engine ray --workers 2 --into"
        " {out}",
        hold_cluster,
        {"RAY_ADDRESS": "{told}", "RAY_AUTH_MODE": "disabled"},
        # Until then its workers begin.
        earliest=0.5,
    ),
    "train": Kind(
        "train bow --on quantifiers@7 -o {out}/model -M epochs=3 -M vectors={folder}/vectors.txt",
        changes=True,
    ),
    "make": Kind("make core --groups 20 --seed 3 -o {out}/made.jsonl"),
    "mine": Kind("mine conjuncts {folder}/corpus.txt --workers 1 -o {out}/mined.jsonl"),
}


def write_inputs(folder: Path) -> None:
    """What some of the commands read."""
    (folder / "corpus.txt").write_text("".join(f"{SENTENCES[n % 4]}\n" for n in range(80)))
    drawn = random.Random(1)
    rows = (
        f"{word} " + " ".join(f"{drawn.gauss(0, 1):.3f}" for _ in range(20))
        for word in ("some", "all", "not", "a", "the")
    )
    (folder / "vectors.txt").write_text("\n".join(rows) + "\n")


def content(out: Path) -> dict[str, str]:
    """Every file that counts by its name, a line of a run by its item, without the seconds that it
    took.
    """
    found: dict[str, str] = {}
    for path in sorted(out.rglob("*")):
        name = str(path.relative_to(out))
        if path.name == LINES:
            lines = path.read_bytes()
            # A line torn by the kill was not acknowledged.
            for line in lines[: lines.rfind(b"\n") + 1].splitlines():
                said = {
                    key: value
                    for key, value in json.loads(line).items()
                    if key not in ("seconds", "sum")
                }
                key = f"{name}: {said['id']}"
                found[key + " twice" if key in found else key] = json.dumps(said)
        elif path.suffix in (".jsonl", ".safetensors", ".parquet") and path.name != "log.jsonl":
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


@dataclass
class Torment:
    """One kind of command, killed over and over."""

    kind: Kind
    folder: Path
    told: str

    def __post_init__(self) -> None:
        self.environment = {
            key: value.format(told=self.told) for key, value in self.kind.environment.items()
        }
        self.printed = self.folder / "printed.txt"
        write_inputs(self.folder)

    @staticmethod
    def lines(found: dict[str, str]) -> int:
        return sum(LINES in name for name in found)

    def words(self, out: Path) -> list[str]:
        return [
            word.format(out=out, told=self.told, folder=self.folder)
            for word in self.kind.words.split()
        ]

    def start(self, out: Path) -> int:
        work = forks.command(self.words(out))
        return forks.start(work, self.printed, cwd=self.folder, environment=self.environment)

    def calm(self) -> tuple[float, dict[str, str]]:
        """How long an undisturbed command takes, and what it writes; what it imports is imported
        here first.
        """
        forks.import_like(self.words(self.folder / "first"), self.folder, self.environment)
        ended = forks.wait(self.start(self.folder / "calm"), self.printed, seconds=600)
        if ended.code:
            raise SystemExit(f"{self.kind.words} does not run: {ended.printed[-500:]}")
        return ended.seconds, content(self.folder / "calm")

    def run(self, kills: int, minutes: float) -> dict[str, float]:
        """Kill so often, or for so long; the counts."""
        took, right = self.calm()
        out, counts, ends = self.folder / "wild", Counter[str](), time.monotonic() + 60 * minutes
        before: dict[str, str] = {}
        while counts["kills"] < kills and time.monotonic() < ends:
            process = self.start(out)
            time.sleep(took * random.uniform(self.kind.earliest, 1.0))
            os.kill(process, signal.SIGKILL)
            ended = forks.wait(process, self.printed, seconds=60)
            now = content(out)
            counts["lost"] += sum(now.get(name) != found for name, found in before.items())
            counts["doubled"] += sum(name.endswith(" twice") for name in now)
            if ended.code == -signal.SIGKILL:
                counts["kills"] += 1
                counts["in mid-work"] += now != right and (
                    not self.lines(right) or self.lines(now) > 0
                )
                # What is there already is there to stay; a training's own checkpoints change until
                # its end.
                before = {name: found for name, found in now.items() if found == right.get(name)}
                counts["differing"] += len(now) > len(before) and not self.kind.changes
            else:
                counts["came to the end"] += 1
                counts["failed"] += ended.code != 0
                counts["differing"] += now != right
                counts["parts left"] += sum(1 for _ in out.rglob("*.part"))
                shutil.rmtree(out)
                before = {}
        again = forks.wait(self.start(out), self.printed, seconds=600)
        counts["failed"] += again.code != 0
        counts["differing"] += content(out) != right
        counts["parts left"] += sum(1 for _ in out.rglob("*.part"))
        names = ("kills", "in mid-work", "came to the end", *MUST_BE_ZERO)
        return {**{name: counts[name] for name in names}, "seconds undisturbed": round(took, 1)}


MUST_BE_ZERO = ("lost", "doubled", "differing", "failed", "parts left")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=60.0, help="for each command, at most")
    parser.add_argument("--only", nargs="*", default=list(KINDS), choices=list(KINDS))
    given = parser.parse_args()
    wrong = 0.0
    for name in given.only:
        kind = KINDS[name]
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            told = stack.enter_context(beside(kind.beside)) if kind.beside else ""
            found = Torment(kind, Path(folder), told).run(given.kills, given.minutes)
        print(json.dumps({"command": name, **found}), flush=True)
        wrong += sum(found[what] for what in MUST_BE_ZERO)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
