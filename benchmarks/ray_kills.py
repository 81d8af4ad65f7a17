"""A Ray cluster of three nodes, each in a network namespace of its own, whose workers, nodes and
head are killed while grice judges, makes, mines and trains.

A command is started, something is killed, and the command is started again until it ends well; then
its files are compared with those of one process that nobody disturbed. A node that was killed joins
again before the next command.

Run as root, with iproute2: python -m benchmarks.ray_kills [--kills 30] [--heads 1] [--only judge
make mine train] [--seed 0]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.kills import write_inputs

HEAD = "10.77.0.1:6379"
# A command that has not ended so many seconds after it would have undisturbed hangs.
PATIENCE = 60.0
WORDS = {
    "judge": "judge quantifiers@7 --by encoder/grice-mini --into {out}",
    "make": "make core --groups 40 --seed 3 -o {out}/made.jsonl",
    "mine": "mine conjuncts corpus.txt -o {out}/mined.jsonl",
    "train": "train bow --on quantifiers@7 --dev quantifiers@1 -o {out}/model --seeds 3 -M epochs=4"
    " -M vectors=vectors.txt",
}
# What must have the same bytes; the others hold dates, speeds and the name of the folder.
COMPARED = ("judgements.jsonl", "made.jsonl", "mined.jsonl", "answers.jsonl", "model.safetensors")


def ip(*words: str, check: bool = True) -> str:
    return subprocess.run(["ip", *words], check=check, capture_output=True, text=True).stdout


@dataclass
class Nodes:
    """Three nodes on one network; the first is the head, where the commands run."""

    folder: Path
    environment: dict[str, str]

    @classmethod
    @contextmanager
    def started(cls, folder: Path) -> Iterator[Nodes]:
        token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex()}
        nodes = cls(folder, {**os.environ, **token, "RAY_ADDRESS": HEAD, "NO_COLOR": "1"})
        try:
            ip("netns", "add", "grice-hub")
            ip("-n", "grice-hub", "link", "add", "hub", "type", "bridge")
            ip("-n", "grice-hub", "link", "set", "hub", "up")
            for number in range(3):
                nodes.connect(number)
            nodes.start_missing()
            yield nodes
        finally:
            for number in range(3):
                nodes.end(number)
                ip("netns", "del", f"grice-{number}", check=False)
            ip("netns", "del", "grice-hub", check=False)

    def connect(self, number: int) -> None:
        """Make the namespace of a node and its cable to the hub."""
        node, port = f"grice-{number}", f"port{number}"
        ip("netns", "add", node)
        cable = ["link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", node]
        ip("-n", "grice-hub", *cable)
        ip("-n", "grice-hub", "link", "set", port, "master", "hub", "up")
        ip("-n", node, "addr", "add", f"10.77.0.{number + 1}/24", "dev", "eth0")
        ip("-n", node, "link", "set", "lo", "up")
        ip("-n", node, "link", "set", "eth0", "up")
        ip("-n", node, "route", "add", "default", "via", "10.77.0.254")

    def processes(self, number: int) -> list[int]:
        return [int(word) for word in ip("netns", "pids", f"grice-{number}", check=False).split()]

    def run(self, number: int, words: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
        """Run this on a node."""
        inside = ["ip", "netns", "exec", f"grice-{number}", sys.executable, "-m", *words]
        with log.open("wb") as out:
            return subprocess.Popen(
                inside, cwd=self.folder, env=self.environment, stdout=out, stderr=out
            )

    def start_missing(self) -> None:
        """Start the nodes that do not run; without its head a cluster begins anew."""
        if not self.processes(0):
            for number in (1, 2):
                self.end(number)
        for number in range(3):
            if self.processes(number):
                continue
            place = f"--node-ip-address=10.77.0.{number + 1}"
            head = ["--head", "--port=6379", "--include-dashboard=false"]
            head += [f"--temp-dir={self.folder}/ray"]
            where = [f"--address={HEAD}"] if number else head
            size = ["--num-cpus=1", "--object-store-memory=80000000"]
            words = ["ray.scripts.scripts", "start", place, *where, *size]
            log = self.folder / f"node-{number}.log"
            if self.run(number, words, log).wait(180):
                raise SystemExit(f"node {number} does not start: {log.read_text()[-800:]}")

    def end(self, number: int, spared: Sequence[int] = ()) -> None:
        """Kill every process of a node."""
        for process in set(self.processes(number)) - set(spared):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def workers(self) -> list[int]:
        """Return the processes that do grice's work."""
        found = []
        for process in (process for number in range(3) for process in self.processes(number)):
            with suppress(OSError):
                if Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::Worker"):
                    found.append(process)
        return found


def content(out: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(out.rglob("*")) if path.name in COMPARED)
    return {str(path.relative_to(out)): path.read_bytes() for path in paths}


def wait(command: subprocess.Popen[bytes], seconds: float) -> int | None:
    with suppress(subprocess.TimeoutExpired):
        return command.wait(seconds)
    command.kill()
    command.wait()
    return None


class Trial:
    """A command that is disturbed once and then started again until it ends well."""

    def __init__(self, nodes: Nodes, name: str) -> None:
        self.nodes, self.name, self.log = nodes, name, nodes.folder / f"{name}.log"
        begun = time.monotonic()
        here = nodes.folder / f"{name}-here"
        one = ["--workers", "1"] if name == "mine" else []
        words = [*WORDS[name].format(out=here.name).split(), *one]
        subprocess.run(
            [sys.executable, "-m", "grice", *words],
            cwd=nodes.folder,
            check=True,
            capture_output=True,
        )
        self.seconds, self.right = time.monotonic() - begun, content(here)

    def start(self, out: Path) -> subprocess.Popen[bytes]:
        words = WORDS[self.name].format(out=out.name).split()
        return self.nodes.run(0, ["grice", *words, "--engine", "ray", "--workers", "3"], self.log)

    def run(self, victim: str, draw: random.Random) -> Counter[str]:
        """Kill a worker, a node or the head once; return the counts."""
        out, counts = self.nodes.folder / "out", Counter({victim: 1})
        shutil.rmtree(out, ignore_errors=True)
        self.nodes.start_missing()
        command = self.start(out)
        self.disturb(victim, command, draw)
        for _ in range(4):
            code = wait(command, 3 * self.seconds + PATIENCE)
            if code == 0:
                break
            last = self.log.read_text(errors="replace").strip().splitlines()[-1:]
            counts["hung"] += code is None
            counts["no line"] += code is not None and not "".join(last).startswith("grice: ")
            counts["started again"] += 1
            print(self.name, victim, code, *last, file=sys.stderr, flush=True)
            self.nodes.start_missing()
            command = self.start(out)
        counts["failed"] += code != 0
        counts["differing"] += content(out) != self.right
        return counts

    def disturb(self, victim: str, command: subprocess.Popen[bytes], draw: random.Random) -> None:
        """Wait until the workers are there and for a while, then kill."""
        until = time.monotonic() + PATIENCE
        while not self.nodes.workers() and command.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(draw.uniform(0, self.seconds))
        if victim == "head":
            self.nodes.end(0, spared=[command.pid])
        elif victim == "node":
            self.nodes.end(draw.choice([1, 2]))
        elif workers := self.nodes.workers():
            with suppress(ProcessLookupError):
                os.kill(draw.choice(workers), signal.SIGKILL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--heads", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=list(WORDS), choices=list(WORDS))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    draw = random.Random(given.seed)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="grice-kills-") as place:
        folder = Path(place)
        write_inputs(folder)
        with Nodes.started(folder) as nodes:
            trials = [Trial(nodes, name) for name in given.only]
            others = [draw.choice(["worker", "node"]) for _ in range(given.kills - given.heads)]
            for number, victim in enumerate(["head"] * given.heads + others):
                trial = trials[number % len(trials)]
                begun = time.monotonic()
                counts += trial.run(victim, draw)
                took = round(time.monotonic() - begun)
                print(trial.name, victim, f"{took} s", json.dumps(counts), flush=True)
    sys.exit(any(counts[what] for what in ("hung", "no line", "failed", "differing")))


if __name__ == "__main__":
    main()
