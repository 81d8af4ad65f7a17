"""Thousands of inputs by a grammar into every reader and verb: none may end in a traceback, hang,
or fill the memory.

Each input is a process of its own, forked from one that has imported everything. A third are files
for the readers, the rest whole commands with something wrong in a file or on the line. Then every
route of `collect` is sent requests by a grammar: none may be answered with the server's fault.

Run: python -m benchmarks.fuzz [--inputs 3000] [--routes 3000] [--seed 0] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.fuzzing.readers import READERS, made_input, problem_with
from tests.fuzzing.routes import fuzz_routes
from tests.fuzzing.verbs import VERBS, half_written, kept_command, made_command, write_good

from benchmarks import forks

SECONDS = 20


class Fuzzer:
    """Inputs by their numbers, and what was found."""

    def __init__(self, folder: Path, keep: Path | None) -> None:
        self.folder, self.keep = folder, keep
        self.good, self.place, self.printed = (
            folder / "good",
            folder / "place",
            folder / "printed.txt",
        )
        self.counts, self.found = Counter[str](), Counter[str]()
        self.slowest = self.memory = 0.0
        # Nothing is fetched, and nothing is drawn in colour.
        os.environ.update(
            NO_COLOR="1", HF_HUB_OFFLINE="1", GRICE_DATA=str(folder / "data"), OMP_NUM_THREADS="1"
        )
        self._beside(lambda: write_good(self.good))
        for words in (
            "judge items.jsonl --by baseline/overlap --into runs",
            "judge items.jsonl --by baseline/random --into others",
        ):
            self._well(words)
        shutil.copytree(next((self.good / "runs").iterdir()), self.good / "run")
        shutil.copytree(next((self.good / "others").iterdir()), self.good / "other")
        self._well("pack run -o run.zip")
        for words, _ in VERBS:
            self._fresh()
            forks.import_like(words.split(), self.place)

    def _beside(self, work: Callable[[], object]) -> None:
        """In a process of its own: the grammar writes Parquet, and what runs threads must not be
        forked.
        """
        ended = forks.wait(
            forks.start(work, self.printed, cwd=self.folder), self.printed, seconds=300
        )
        if ended.code:
            raise SystemExit(ended.printed)

    def _well(self, words: str) -> None:
        ended = forks.import_like(words.split(), self.good)
        if ended.code:
            raise SystemExit(f"{words} does not run: {ended.printed}")

    def _fresh(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        # The model's files are links: they are large, and no command writes into them.
        shutil.copytree(
            self.good,
            self.place,
            copy_function=lambda a, b: (os.link if "/model/" in str(a) else shutil.copy2)(a, b),
        )

    def verb(self, number: int) -> None:
        made = self.folder / "bent"
        shutil.rmtree(made, ignore_errors=True)
        if {"parquet"} & set(VERBS[number % len(VERBS)][1].values()):
            self._beside(lambda: made_command(self.good, number).keep(made))
            bent = kept_command(made)
        else:
            bent = made_command(self.good, number)
        self._fresh()
        bent.write(self.place)
        ended = forks.wait(
            forks.start(forks.command(bent.words), self.printed, cwd=self.place),
            self.printed,
            seconds=SECONDS,
        )
        problem = ended.problem or half_written(self.place)
        self._note(f"verb {' '.join(bent.words[:2])}", ended, problem)
        if problem and self.keep:
            bent.keep(self.keep / "verbs" / str(number))
            (self.keep / "verbs" / f"{number}.txt").write_text(ended.printed)

    def reader(self, number: int) -> None:
        reader = READERS[number % len(READERS)]
        made, said = self.folder / "input", self.folder / "problem.txt"
        said.unlink(missing_ok=True)

        def work() -> None:
            made.write_bytes(made_input(reader, number))
            if problem := problem_with(reader, made.read_bytes(), seconds=SECONDS):
                said.write_text(problem)

        ended = forks.wait(
            forks.start(work, self.printed, cwd=self.folder), self.printed, seconds=2 * SECONDS
        )
        problem = said.read_text() if said.exists() else ended.problem
        self._note(f"reader {reader.name}", replace(ended, printed=""), problem)
        if problem and self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{reader.name}-{number}{reader.ending}").write_bytes(made.read_bytes())

    def _note(self, what: str, ended: forks.Ended, problem: str | None) -> None:
        self.counts[what.partition(" ")[0]] += 1
        self.slowest, self.memory = max(self.slowest, ended.seconds), max(self.memory, ended.memory)
        if problem:
            self.found[f"{what}: {problem[:150]}"] += 1
            print(f"{what}: {problem[:300]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=3000)
    parser.add_argument("--routes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="where to put what was found")
    given = parser.parse_args()
    # Readers and verbs first: a process that has served requests runs threads, and is not forked.
    found = run_inputs(given.inputs, given.seed, given.keep) if given.inputs else False
    if given.routes:
        statuses, bad = fuzz_routes(given.routes, given.seed)
        print(
            json.dumps(
                {"requests": given.routes, "by status": dict(statuses), "found": bad}, indent=1
            )
        )
        found = found or bool(bad)
    sys.exit(found)


def run_inputs(inputs: int, seed: int, keep: Path | None) -> bool:
    """Inputs for readers and verbs; whether anything was found."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder).resolve(), keep)
        for number in range(inputs):
            if number % 3 == 0:
                fuzzer.reader(seed + number // 3)
            else:
                fuzzer.verb(seed + number - number // 3)
            if number % 100 == 99:
                print(f"{number + 1:,} inputs, {sum(fuzzer.found.values())} found", flush=True)
    figures = {
        "inputs": dict(fuzzer.counts),
        "found": sum(fuzzer.found.values()),
        "minutes": (time.monotonic() - began) / 60,
    }
    figures |= {"slowest s": fuzzer.slowest, "memory GB": fuzzer.memory}
    rounded = {
        name: round(value, 2) if isinstance(value, float) else value
        for name, value in figures.items()
    }
    print(json.dumps({**rounded, "kinds": dict(fuzzer.found.most_common(40))}, indent=1))
    return bool(fuzzer.found)


if __name__ == "__main__":
    main()
