"""Thousands of inputs by a grammar into every reader: none may end in a traceback, hang, or fill the memory.

Run: python -m benchmarks.fuzz [--inputs 3000] [--seed 0] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from tests.fuzzing.readers import READERS, made_input, problem_with, warm_up


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="where to put what was found, by reader")
    given = parser.parse_args()
    warm_up()
    counts, found, slowest = Counter[str](), Counter[str](), 0.0
    for number in range(given.inputs):
        reader = READERS[number % len(READERS)]
        raw = made_input(reader, given.seed + number)
        began = time.monotonic()
        problem = problem_with(reader, raw)
        slowest = max(slowest, time.monotonic() - began)
        counts[reader.name] += 1
        if problem is not None:
            found[f"{reader.name}: {problem[:120]}"] += 1
            if given.keep:
                place = given.keep / f"{reader.name}-{given.seed + number}{reader.ending}"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(raw)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    figures = {"inputs": given.inputs, "found": sum(found.values()), "slowest s": round(slowest, 2)}
    print(json.dumps({**figures, "memory GB": round(memory, 2), "kinds": dict(found.most_common(40))}, indent=1))
    sys.exit(bool(found) or memory > 2)


if __name__ == "__main__":
    main()
