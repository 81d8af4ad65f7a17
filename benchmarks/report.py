"""CPU time and memory of `grice report` and `grice profile` on many plain pairs.

python -m benchmarks.report [--items 100000,1000000]

The pairs are JSON lines in twenty sets of paradigms of ten; baseline/overlap answers them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from grice.core.scale import NLI

# Most seconds and megabytes of a report without items of a million pairs, and the most that the
# time of a pair may grow from one size to the next.
MAX_SECONDS, MAX_MB, MAX_GROWTH = 30.0, 1200, 1.3
COMMANDS = {
    "judge": "judge {data} --by baseline/overlap --into {runs}",
    "report --no-items": "report {runs} --no-items -o report",
    "report": "report {runs} -o report-items",
    "profile": "profile baseline/overlap --data {data} -o profile",
}


def write_pairs(path: Path, n_items: int) -> None:
    """Write so many pairs with labels that depend on nothing in the text."""
    with path.open("w", encoding="utf-8") as out:
        for i in range(n_items):
            pair = {
                "id": f"i{i}",
                "premise": f"Guest {i} ate {'some' if i % 2 else 'all'} of the cakes.",
                "hypothesis": f"The guest {'ate' if i % 3 else 'did not eat'} cake {i % 7}.",
                "gold": {"label": NLI.labels[i * 7 % 3]},
                "tags": {"phenomenon": f"set{i % 20}"},
                "group": f"g{i // 10}",
            }
            out.write(json.dumps(pair) + "\n")


def measure(command: list[str], folder: Path) -> tuple[float, float]:
    """Return the CPU seconds and the largest memory in MB of a grice command."""
    call = [sys.executable, "-m", "grice", *command]
    process = subprocess.Popen(call, cwd=folder, stdout=subprocess.DEVNULL, stderr=sys.stderr)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Print a line for each command and size; exit with 1 if a bar is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", default="100000,1000000")
    sizes = [int(size) for size in parser.parse_args().items.split(",")]
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    is_missed = False
    print(f"{'command':18} {'items':>10} {'CPU s':>8} {'MB':>7} {'growth':>7}")
    for n_items in sizes:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            write_pairs(folder / "pairs.jsonl", n_items)
            for name, words in COMMANDS.items():
                command = words.format(data="pairs.jsonl", runs="runs").split()
                cpu, megabytes = measure(command, folder)
                seconds[name].append(cpu / n_items)
                growth = seconds[name][-1] / seconds[name][max(len(seconds[name]) - 2, 0)]
                print(f"{name:18} {n_items:10,} {cpu:8.1f} {megabytes:7.0f} {growth:7.2f}")
                is_slow = name == "report --no-items" and cpu > MAX_SECONDS
                is_missed |= growth > MAX_GROWTH or megabytes > MAX_MB or is_slow
    sys.exit(int(is_missed))


if __name__ == "__main__":
    main()
