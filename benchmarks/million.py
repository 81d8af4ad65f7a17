"""CPU time and peak memory of the commands on many items, by size.

python -m benchmarks.million [--items 100000,1000000] [--sizes mixed]

The items are JSON lines, in paradigms of twelve, or of 1, 2, 3, … with `--sizes mixed`: the sums of
paradigms, of which the paired test needs the distribution, then differ in many ways.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

# Bars: seconds of CPU and megabytes at a million items, and growth per item from size to size.
JUDGE, TABLE, MEMORY, GROWTH = 25.0, 12.0, 1200.0, 1.3
LABELS = ("entailment", "neutral", "contradiction")
COMMANDS = {
    "judge": ("judge items.jsonl --by baseline/overlap", JUDGE),
    "judge, second model": ("judge items.jsonl --by baseline/random", JUDGE),
    "judge, nothing pending": ("judge items.jsonl --by baseline/random", JUDGE),
    "table": ("table runs", TABLE),
    "table by tag": ("table runs --down cell", TABLE),
    "compare": ("compare runs", TABLE),
    "compare by tag": ("compare runs --group-by cell", TABLE),
    "check": ("check items.jsonl", JUDGE),
    "pack": ("pack runs -o runs.zip", JUDGE),
}


def write_items(path: Path, items: int, *, mixed: bool) -> None:
    """Write items with a gold label, a tag and a paradigm each."""
    group, left = 0, 12
    with path.open("w", encoding="utf-8") as out:
        for i in range(items):
            line = {
                "id": f"i{i}",
                "premise": f"Some of the guests at table {i % 977} ate the cake number {i}.",
                "hypothesis": f"Not all of the guests ate cake {i}.",
                "gold": {"label": LABELS[i % 3]},
                "tags": {"cell": str(20 * i // items)},
                "group": str(group),
            }
            out.write(json.dumps(line) + "\n")
            left -= 1
            if not left:
                group += 1
                left = group if mixed else 12


def measure(command: str, folder: Path) -> tuple[float, float]:
    """Return the seconds of CPU and the peak memory in megabytes of a command of grice."""
    words = [sys.executable, "-m", "grice", *command.split()]
    process = os.fork()
    if not process:
        os.chdir(folder)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(sys.executable, words)
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"'grice {command}' failed; give it by hand")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Print, for each command and size, its CPU time and memory, and its growth per item."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", default="100000,1000000")
    parser.add_argument("--sizes", choices=("equal", "mixed"), default="equal")
    args = parser.parse_args()
    before: dict[str, float] = {}
    missed = 0
    print(f"{'command':24} {'items':>10} {'CPU s':>8} {'MB':>6} {'growth':>7}")
    for items in map(int, args.items.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            write_items(Path(folder) / "items.jsonl", items, mixed=args.sizes == "mixed")
            for name, (command, bar) in COMMANDS.items():
                seconds, megabytes = measure(command, Path(folder))
                growth = seconds / items / before.get(name, seconds / items)
                before[name] = seconds / items
                missed += (
                    growth > GROWTH
                    or (items <= 1_000_000 < 2 * items and seconds > bar)
                    or megabytes > MEMORY
                )
                print(
                    f"{name:24} {items:10,} {seconds:8.2f} {megabytes:6.0f} {growth:7.2f}",
                    flush=True,
                )
    print(f"bars missed: {missed} (judge {JUDGE} s, table {TABLE} s, {MEMORY} MB, growth {GROWTH})")
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
