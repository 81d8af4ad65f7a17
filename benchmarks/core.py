"""How quick the hall is: start-up, IMPPRES with every exhibit, a million judgements.

python -m benchmarks.core            # needs the published files for the second figure
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def cpu(command: list[str], times: int = 5) -> float:
    """Seconds of CPU of a fresh process, children included; the median of so many times."""
    found = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return sorted(found)[times // 2]


def startup() -> None:
    print(f"grice --help: {cpu([sys.executable, '-m', 'grice', '--help']):.2f} s of CPU (bar 0.4)")
    print(f"import grice: {cpu([sys.executable, '-c', 'import grice']):.2f} s of CPU")


def imppres() -> None:
    """All of IMPPRES read, three models joined, every exhibit with its bootstrap."""
    code = (
        "import grice\nfrom grice.verbs.reproduce import"
        " reproduce\ngrice.load('imppres')\nprint(sum(len(r.cells) for r in reproduce('imppres',"
        " by={'overlap': 'baseline/overlap'})))\n"
    )
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        print(
            f"IMPPRES, three judges, every exhibit: {cpu([sys.executable, '-c', code]):.2f} s of"
            " CPU (bar 5)"
        )


MILLION = """
import sys, time, json, resource
from pathlib import Path
import polars as pl
from grice.core.dataset import Dataset
from grice.storage.run import HEADER, LINES, Run, join
from grice.core.scale import NLI
from grice.tables.table import tabulate
from grice.analysis.accuracy import accuracy
n, folder = 1_000_000, Path(sys.argv[1])
i = pl.int_range(n, eager=True)
frame = pl.DataFrame({"id": i.cast(pl.String), "premise": "Some cakes " + i.cast(pl.String), "hypothesis": "Not all " + i.cast(pl.String),
    "group": (i // 12).cast(pl.String), "gold.label": pl.Series(["entailment", "neutral", "contradiction"]).gather(i % 3),
    "tag.cell": (i % 20).cast(pl.String)})
data = Dataset("million", NLI, frame)
if sys.argv[2] == "write":
    folder.mkdir(exist_ok=True)
    (folder / HEADER).write_text(json.dumps({"dataset": "million", "fingerprint": data.fingerprint, "scale": NLI.to_json(), "judge": "j",
        "identity": {}, "seed": 0, "asked": n, "versions": {}}))
    lines = pl.DataFrame({"id": frame["id"], "answer": pl.Series(["entailment"]).gather(i * 0)})
    lines.write_ndjson(folder / LINES)
else:
    data.fingerprint
    start = time.process_time()
    run = Run.read(folder)
    read = time.process_time()
    table = tabulate("t", join(data, run), accuracy(), down="cell")
    done = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"one million judgements: read {read - start:.2f} s, joined and tabulated by {len(table.rows)} groups {done - read:.2f} s of CPU (bar 2), {peak:.0f} MB at most (bar 1000)")
"""


def million() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = str(Path(folder) / "run")
        for step in ("write", "read"):
            subprocess.run([sys.executable, "-c", MILLION, run, step], check=True)


if __name__ == "__main__":
    began = time.monotonic()
    startup()
    million()
    if os.environ.get("GRICE_DATA"):
        os.environ["GRICE_DATA"] = str(Path(os.environ["GRICE_DATA"]).resolve())
        imppres()
    print(f"measured in {time.monotonic() - began:.0f} s")
