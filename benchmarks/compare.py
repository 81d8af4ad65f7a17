"""How the time of `grice compare` grows with the items: paradigms of twelve, and paradigms of every
size from one up.

python -m benchmarks.compare [--items 100000,200000,400000,1000000]

Both judges are right in half of the items. In the second form each paradigm is won whole by one of
them, so that the sums of paradigms, of which the test needs the distribution, differ in as many
ways as so many items allow.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from benchmarks.core import cpu
from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.storage.run import Run

# Growth of the time for each item from one size to the next that still counts as in proportion.
BAR = 1.3
Rights = npt.NDArray[np.bool_]


def draw_plain(
    items: int, draw: np.random.Generator
) -> tuple[npt.NDArray[np.int64], Rights, Rights]:
    """Each item's paradigm, and whether the first and the second judge are right: paradigms of 12,
    by chance.
    """
    return np.arange(items) // 12, draw.random(items) < 0.5, draw.random(items) < 0.5


def draw_worst(
    items: int, draw: np.random.Generator
) -> tuple[npt.NDArray[np.int64], Rights, Rights]:
    """The same with paradigms of 1, 2, 3, … items, in each of which one judge is right throughout
    and the other never.
    """
    sizes = np.arange(1, int((2 * items) ** 0.5) + 2)
    place = np.repeat(sizes - 1, sizes)[:items]
    first = (draw.random(len(sizes)) < 0.5)[place]
    return place, first, ~first


FORMS = {"plain": draw_plain, "many sizes": draw_worst}


def write_runs(form: str, items: int, folder: Path) -> list[str]:
    """The folders of two runs on so many items."""
    place, *rights = FORMS[form](items, np.random.default_rng(0))
    number = pl.int_range(items, eager=True)
    gold = pl.Series(NLI.labels).gather(number % 3)
    frame = pl.DataFrame(
        {
            "id": number.cast(pl.String),
            "premise": "Some cakes " + number.cast(pl.String),
            "hypothesis": "Not all " + number.cast(pl.String),
            "group": pl.Series(place).cast(pl.String),
            "gold.label": gold,
            "tag.cell": (number // max(items // 20, 1)).cast(pl.String),
        }
    )
    data = Dataset("many", NLI, frame)
    other = pl.Series(NLI.labels).gather((number + 1) % 3)
    folders = []
    for name, right in zip("ab", rights, strict=True):
        answers = pl.select(pl.when(pl.Series(right)).then(gold).otherwise(other)).to_series()
        run = Run.from_columns(data, name, data.ids, answers.to_list()).write(folder)
        folders.append(str(run.folder))
    return folders


def main() -> None:
    """Print, for each form and size, the seconds of CPU of the command, and for each item beside
    the size before.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", default="100000,200000,400000,1000000")
    parser.add_argument("--times", type=int, default=3)
    args = parser.parse_args()
    sizes, worst = [int(one) for one in args.items.split(",")], 0.0
    print(f"{'form':12} {'flags':18} {'items':>10} {'CPU s':>8} {'µs/item':>8} {'growth':>7}")
    for form in FORMS:
        before: dict[str, float] = {}
        for items in sizes:
            with tempfile.TemporaryDirectory() as folder:
                runs = write_runs(form, items, Path(folder))
                for flags in ("", "--group-by cell"):
                    command = [sys.executable, "-m", "grice", "compare", *runs, *flags.split()]
                    seconds = cpu(command, args.times)
                    growth = seconds / items / before[flags] if flags in before else 1.0
                    worst, before[flags] = max(worst, growth), seconds / items
                    print(
                        f"{form:12} {flags or '-':18} {items:10,} {seconds:8.2f}"
                        f" {1e6 * seconds / items:8.1f} {growth:7.2f}",
                        flush=True,
                    )
    print(f"largest growth for each item from one size to the next: {worst:.2f} (bar {BAR})")
    sys.exit(worst > BAR)


if __name__ == "__main__":
    main()
