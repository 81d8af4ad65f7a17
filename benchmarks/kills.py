"""Commands killed at random moments, over and over: what is there at the end is what an undisturbed command gives.

`judge` goes on where it was killed, so that it comes to its end between the kills; `make`, `mine` and `train` leave their
old output or the new one, never half of it.

Run: python -m benchmarks.kills [--kills 100] [--only judge make mine train]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SENTENCES = (
    "Ada left and Bo stayed.",
    "Bo forgot to lock the door.",
    "Cy said that it rained or snowed.",
    "Ada knows that Bo left.",
)


def words_of(what: str, folder: Path) -> tuple[list[str], Path]:
    """The command, and where its output lies."""
    out = folder / what
    if what == "judge":
        return ["judge", "quantifiers@7", "--by", "encoder/grice-mini", "--into", str(out)], out
    if what == "make":
        return ["make", "core", "--groups", "150", "--seed", "3", "-o", str(out / "made.jsonl")], out
    if what == "mine":
        corpus = folder / "corpus.txt"
        corpus.write_text("".join(f"{SENTENCES[n % 4]}\n" for n in range(1500)))
        return ["mine", "conjuncts", str(corpus), "-o", str(out / "mined.jsonl")], out
    settings = ["-M", "epochs=3", "-M", "vectors=" + _vectors(folder)]
    return ["train", "bow", "--on", "quantifiers@7", "-o", str(out), *settings], out


def _vectors(folder: Path) -> str:
    path = folder / "vectors.txt"
    if not path.exists():
        drawn = random.Random(1)
        rows = (
            f"{word} " + " ".join(f"{drawn.gauss(0, 1):.3f}" for _ in range(20))
            for word in ("some", "all", "not", "a", "the")
        )
        path.write_text("\n".join(rows) + "\n")
    return str(path)


def start(words: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "grice", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def content(out: Path) -> dict[str, str]:
    """The hash of every file that counts, by name; a run's folder and logs of times are the same but for their order."""
    found = {}
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.suffix in (".jsonl", ".safetensors") and path.name != "log.jsonl":
            # A run that was taken up again asks in another order; its lines are the same, each once.
            lines = path.read_bytes().split(b"\n")
            raw = b"\n".join(sorted(lines)) if path.name == "judgements.jsonl" else path.read_bytes()
            found[str(path.relative_to(out))] = hashlib.sha256(raw).hexdigest()
    return found


def torment(what: str, kills: int, minutes: float, folder: Path) -> dict[str, float]:
    """Kill a command so often, or for so long; counts of what must be zero."""
    (folder / "calm").mkdir()
    words, out = words_of(what, folder / "calm")
    began = time.monotonic()
    if start(words).wait():
        raise SystemExit(f"{what} does not run")
    took, right = time.monotonic() - began, content(out)
    (folder / "wild").mkdir()
    words, out = words_of(what, folder / "wild")
    done = half = tried = 0
    ends = time.monotonic() + 60 * minutes
    while tried < kills and time.monotonic() < ends:
        tried += 1
        process = start(words)
        try:
            process.wait(took * random.uniform(0.3, 1.05))
            done += 1
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        now = content(out)
        half += what in ("make", "mine") and any(right.get(name) != found for name, found in now.items())
        if now == right and (what != "judge" or done):
            # It came to its end; from here everything begins again.
            for path in sorted(out.rglob("*"), reverse=True):
                path.unlink() if path.is_file() else path.rmdir()
    if start(words).wait():
        raise SystemExit(f"{what} does not go on after kills")
    differ = content(out) != right
    left = len([path for path in out.rglob("*") if path.name.endswith(".part")])
    return {
        "kills": tried - done,
        "came to the end": done,
        "half-written": half,
        "differs at the end": differ,
        "parts left": left,
        "seconds undisturbed": round(took, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=60.0, help="for each command, at most")
    parser.add_argument("--only", nargs="*", default=["judge", "make", "mine", "train"])
    given = parser.parse_args()
    wrong = 0.0
    for what in given.only:
        with tempfile.TemporaryDirectory() as folder:
            found = torment(what, given.kills, given.minutes, Path(folder))
        print(json.dumps({"command": what, **found}), flush=True)
        wrong += found["half-written"] + found["differs at the end"] + found["parts left"]
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
