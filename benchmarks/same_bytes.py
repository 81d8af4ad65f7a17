"""Whether the same command writes the same bytes, whatever the seed of Python's hashes and the
number of threads.

python -m benchmarks.same_bytes [--runs 10] [profile baseline/overlap --no-images]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

THREADS = (1, 2, 3, 4, 8)
# log.jsonl and notes.json say when a run was asked. The converter numbers the objects of a PDF in a
# random order.
LEFT_OUT = ("log.jsonl", "notes.json", ".pdf")


def write_folder(command: Sequence[str], folder: Path, run: int) -> dict[str, str]:
    """Call grice with a hash seed and a number of threads of this run; give the digest of each file
    it wrote.
    """
    settings = {"PYTHONHASHSEED": str(run), "POLARS_MAX_THREADS": str(THREADS[run % len(THREADS)])}
    call = [sys.executable, "-c", "from grice.cli import main; main()", *command, "-o", "out"]
    subprocess.run(
        call, cwd=folder, env={**os.environ, **settings}, check=True, stdout=subprocess.DEVNULL
    )
    files = sorted(
        path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(LEFT_OUT)
    )
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def differing(command: Sequence[str], folder: Path, runs: int) -> tuple[int, list[str]]:
    """Run a command many times; give the number of files, and the names of those that are not the
    same in all runs.
    """
    digests = []
    for run in range(runs):
        place = folder / str(run)
        place.mkdir(parents=True)
        digests.append(write_folder(command, place, run))
    names = sorted(set().union(*digests))
    return len(names), [name for name in names if len({digest.get(name) for digest in digests}) > 1]


def main() -> None:
    """Print how many files differ, and which."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--into", type=Path, help="keep the folders here")
    args, command = parser.parse_known_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        count, names = differing(command or ["profile"], args.into or Path(folder), args.runs)
    seconds = time.perf_counter() - start
    print(
        f"{args.runs} runs of grice {' '.join(command or ['profile'])} in {seconds:.0f} s:"
        f" {len(names)} of {count} files differ"
    )
    print(*names, sep="\n", end="\n" if names else "")


if __name__ == "__main__":
    main()
