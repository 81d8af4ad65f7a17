"""Outputs that a refactoring must not change.

python -m tools.baseline FOLDER             # write them, from a clean tree
python -m tools.baseline --compare FOLDER   # write those of this tree, list what differs

Papers and sentences of a corpus need GRICE_DATA; the rest does not.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

PAPERS = ("commitmentbank", "conjnli", "imppres", "proviso", "veridicality")
SUITES = ("core", "full", "imppres", "people")
SEEDS = (0, 7, 13)
JUDGES = (
    "baseline/majority",
    "baseline/overlap",
    "baseline/random",
    "baseline/signature",
    "encoder/grice-mini",
    "baseline/overlap,threshold=0.5",
)
TEXT = """The captain refused to leave the ship. She knew that the storm was near.
He hoped to run home to the dog. The cook and the steward were very tired.
They managed to open the old door, but nobody remembered to close it again.
Anna believes that her brother or her sister paid the bill.
"""
PAIRERS = ("complements", "conjuncts", "swaps")
UNSTABLE = ("log.jsonl", "notes.json", "run.lock")  # times, or empty


def commands(data: Path | None) -> Iterator[tuple[str, list[str]]]:
    """Return each command with the file for what it prints."""
    for suite, seed in product(SUITES, SEEDS):
        out = f"made/{suite}-{seed}.jsonl"
        yield "", ["make", suite, "--groups", "3", "--seed", str(seed), "-o", out]
    for judge in JUDGES:
        yield "", ["judge", "core", "--limit", "240", "--by", judge, "--into", "runs"]
    for judge in ("baseline/overlap", "baseline/signature"):
        out = f"profiles/{Path(judge).name}"
        yield "", ["profile", judge, "--limit", "240", "--no-images", "-o", out]
    corpora = {"text": "text.txt"} | ({"corpus": f"{data}/sentences"} if data else {})
    for name, pairer in product(corpora, PAIRERS):
        out = f"mined/{name}-{pairer}.jsonl"
        yield "", ["mine", pairer, corpora[name], "--limit", "400", "--workers", "1", "-o", out]
    for paper in PAPERS if data else ():
        yield f"papers/{paper}.json", ["reproduce", paper, "--json"]


def write(folder: Path) -> None:
    """Run all commands in a folder, two at a time."""
    for part in ("made", "mined", "papers", "profiles"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "text.txt").write_text(TEXT, encoding="utf-8")
    data = Path(os.environ["GRICE_DATA"]).resolve() if "GRICE_DATA" in os.environ else None

    def run(printed: str, arguments: list[str]) -> None:
        command = [sys.executable, "-m", "grice", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(arguments)}: {done.stderr.decode()}")
        if printed:
            (folder / printed).write_bytes(done.stdout)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda command: run(*command), commands(data)))


def differences(before: Path, after: Path) -> list[str]:
    """Return the files that one folder lacks or that have other bytes."""
    first, second = (
        {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
        for folder in (before, after)
    )
    lines = []
    for path in sorted(first.keys() | second.keys()):
        if path.name in UNSTABLE:
            continue
        if path not in first or path not in second:
            lines.append(f"{'new' if path in second else 'missing'}: {path}")
        elif first[path].read_bytes() != second[path].read_bytes():
            lines.append(f"differs: {path}")
    return lines


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        with tempfile.TemporaryDirectory() as current:
            write(Path(current))
            print("\n".join(changes := differences(Path(sys.argv[2]), Path(current))) or "the same")
        sys.exit(bool(changes))
    write(Path(sys.argv[1]))
