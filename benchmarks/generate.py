"""How fast phenomena are generated: pairs a second on one core, start-up, and memory that does not
grow.

Run: python benchmarks/generate.py [PHENOMENON…] [--pairs N]
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time

from grice.core.shelf import PHENOMENA

START = "from grice.core.shelf import PHENOMENA; next(iter(PHENOMENA.find({name!r}).stream(1, 1)))"


def pace(name: str, pairs: int) -> tuple[int, float]:
    """Pairs made, and CPU seconds they took once the words are read."""
    phenomenon = PHENOMENA.find(name)
    groups = min(phenomenon.capacity, -(-pairs // phenomenon.rows))
    begin = time.process_time()
    made = sum(1 for _ in phenomenon.stream(groups, 1))
    return made, time.process_time() - begin


def start_up(name: str) -> float:
    """CPU seconds from a cold interpreter to the first item."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", START.format(name=name)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=PHENOMENA.names())
    parser.add_argument("--pairs", type=int, default=100_000)
    arguments = parser.parse_args()
    print(f"{'phenomenon':36} {'pairs':>8} {'pairs/s':>10} {'start s':>8} {'peak MB':>8}")
    for name in arguments.names:
        made, seconds = pace(name, arguments.pairs)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{name:36} {made:8} {made / seconds:10.0f} {start_up(name):8.2f} {peak:8}")


if __name__ == "__main__":
    main()
