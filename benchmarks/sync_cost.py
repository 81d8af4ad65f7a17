"""What bringing answers to the disk costs a run: the same run with and without syncs, turn by turn.

The bar is 5% of a run's time. Waiting for syncs is also counted where it stops the work, in the
thread that asks; those of the thread beside it stop nothing.

Run: python -m benchmarks.sync_cost [--items 1400] [--turns 7]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from grice.loading import load, load_judge
from grice.storage.evaluation import evaluate

REAL = os.fsync


def timed(work: Callable[[], object], *, sync: bool) -> tuple[float, float, int]:
    """Seconds of the work, of its syncs in its own thread, and how many syncs there were in all."""
    waited, syncs = [0.0], [0]

    def fsync(file: int) -> None:
        began = time.perf_counter()
        if sync:
            REAL(file)
            syncs[0] += 1
        if threading.current_thread() is threading.main_thread():
            waited[0] += time.perf_counter() - began

    os.fsync = fsync  # type: ignore[assignment]
    began = time.perf_counter()
    try:
        work()
    finally:
        os.fsync = REAL
    return time.perf_counter() - began, waited[0], syncs[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1400)
    parser.add_argument("--turns", type=int, default=7)
    given = parser.parse_args()
    data, judge = load("quantifiers@7").head(given.items), load_judge("encoder/grice-mini")
    evaluate(data.head(8), judge)
    seconds: dict[bool, list[float]] = {True: [], False: []}
    waited, syncs = list[float](), list[int]()
    for _ in range(given.turns):
        for sync in random.sample((True, False), 2):
            with tempfile.TemporaryDirectory() as folder:
                ask = partial(evaluate, data, judge, into=Path(folder))
                took, held, count = timed(ask, sync=sync)
            seconds[sync].append(took)
            if sync:
                waited.append(held / took)
                syncs.append(count)
    ratios = [with_ / without for with_, without in zip(seconds[True], seconds[False], strict=True)]
    found = {
        "items": len(data),
        "turns": given.turns,
        "seconds with": statistics.median(seconds[True]),
        "seconds without": statistics.median(seconds[False]),
        "with / without, median": statistics.median(ratios),
        "with / without, range": [round(min(ratios), 3), round(max(ratios), 3)],
        "share of the run held up by syncs": statistics.median(waited),
        "syncs a run": statistics.median(syncs),
    }
    print(
        json.dumps({name: round(v, 4) if isinstance(v, float) else v for name, v in found.items()})
    )


if __name__ == "__main__":
    main()
