"""CPU seconds of a command on Ray, all its workers and the cluster together, beside those of one
process; starting the cluster is left out. The bar is 1.15 times for the built-in model on 5,000
pairs.

Run: python -m benchmarks.ray_engine [--workers 2] [--only judge make]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

from benchmarks.kills import beside, hold_cluster, write_inputs

WORDS = {
    "judge": "judge core --limit 5000 --by encoder/grice-mini --into {out}",
    "make": "make core --groups 200 --seed 3 -o {out}.jsonl",
    "mine": "mine conjuncts corpus.txt -o {out}.jsonl",
}


def note_seconds(seen: dict[int, float]) -> None:
    """Note the CPU seconds of each process of the cluster until now."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            seen[process.pid] = sum(process.cpu_times()[:2])


def seconds_of(words: list[str], folder: Path, environment: dict[str, str]) -> float:
    """Return the CPU seconds of a command and of what the cluster does meanwhile."""
    before: dict[int, float] = {}
    note_seconds(before)
    seen = dict(before)
    command = subprocess.Popen(
        [sys.executable, "-m", "grice", *words],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    # Ray's workers are nobody's to wait for, so they are looked at while they live.
    while command.poll() is None:
        note_seconds(seen)
        time.sleep(0.1)
    if command.returncode:
        raise SystemExit(f"grice {' '.join(words)} does not run")
    return sum(seen.values()) - sum(before.values())


def main() -> None:
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--workers", default="2")
    flags.add_argument("--only", nargs="*", default=list(WORDS), choices=list(WORDS))
    given = flags.parse_args()
    with tempfile.TemporaryDirectory() as place, beside(hold_cluster) as address:
        folder = Path(place)
        write_inputs(folder)
        ray = {"RAY_ADDRESS": address, "RAY_AUTH_MODE": "disabled"}
        for name in given.only:
            one = [] if name != "mine" else ["--workers", "1"]
            more = ["--engine", "ray", "--workers", given.workers]
            alone = seconds_of([*WORDS[name].format(out="here").split(), *one], folder, {})
            spread = seconds_of([*WORDS[name].format(out="there").split(), *more], folder, ray)
            figures = {"one process, s": alone, "Ray, s": spread, "times": spread / alone}
            print(name, json.dumps({key: round(n, 2) for key, n in figures.items()}), flush=True)


if __name__ == "__main__":
    main()
