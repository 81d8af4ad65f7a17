"""grice mine: pairs from real sentences, and the parser that reads them."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

from grice.core.errors import InputError

# How likely right a pair has to be unless told otherwise: by kind, since coordinations are harder to tell apart.
KEEP = {"complements": 0.89, "conjuncts": 0.88, "swaps": 0.91}


def mine(
    kind: str,
    corpus: str | Path,
    *,
    out: str | Path,
    each: int | None = None,
    recipe: str = "",
    contracted: bool = False,
    every: bool = False,
    targets: int = 60,
    parser: str = "",
    reparse: bool = False,
    field: str = "",
    limit: int | None = None,
    workers: int = 1,
    engine: str = "local",
    gate: bool = True,
    keep: float | None = None,
    unlisted: bool = False,
    longest: int = 40,
    seed: int = 0,
    review: int = 0,
    reviewed: str | Path = "",
) -> dict[str, Any]:
    """Make pairs of a kind (complements, conjuncts or swaps) from a corpus, a file or a folder, and write them to `out`.

    Returns the file, how many pairs were written, and the counts of what was skipped and dropped, by reason. `each` is
    the most of a verb or conjunction (0 keeps all; complements keep 40 unless told), `recipe` a sample by name; `keep` leaves
    out what is less likely right (0.88 to 0.91 by kind), `unlisted` takes verbs of no known signature too (as o/o), `review`
    also writes so many of the most doubtful pairs for people to check, and by `reviewed`, what they found, confidence is fitted.

    >>> import tempfile
    >>> corpus = Path(tempfile.mkdtemp()) / "ship.txt"
    >>> _ = corpus.write_text("The cook refused to leave the ship. The captain slept.")
    >>> counts = mine("complements", corpus, out=corpus.with_name("pairs.jsonl"))
    >>> counts["sentences"], counts["written"]
    (2, 2)
    """
    from grice.cluster import Cluster
    from grice.core.progress import bar
    from grice.core.shelf import PAIRERS
    from grice.mining.job import MiningJob, run_job
    from grice.mining.sampling import Sampling, sampling_recipe
    from grice.mining.work import Task

    choices = {"contracted": contracted, "every": every, "targets": targets, "longest": longest, "seed": seed}
    known = signature(PAIRERS.find(kind)).parameters
    options = {name: choice for name, choice in choices.items() if name in known}
    keep = _checked(KEEP.get(kind, 0.9) if keep is None else keep)
    task = Task(kind, parser, not reparse, gate, options, keep, unlisted, _own_weights(kind, reviewed))
    count = (40 if kind == "complements" else 0) if each is None else each
    plain = Sampling(count, shortest=kind == "complements", seed=seed)
    sampling = sampling_recipe(recipe, each=count, seed=seed) if recipe else plain
    job = MiningJob(Path(corpus), Path(out), task, sampling, field, limit)
    with bar(f"mine {kind}", "sentences") as progress:
        counts = run_job(job, run_parts=Cluster(engine, workers).map, progress=progress)
    if review:
        counts["review"] = str(_write_review(job.out, review, seed))
    return counts


def _checked(keep: float) -> float:
    if not 0 <= keep < 1:
        raise InputError(f"keep={keep:g}: a share of right pairs lies between 0 and 1; give one such as 0.9")
    return keep


def _own_weights(kind: str, reviewed: str | Path) -> dict[str, float] | None:
    """The weights by a file of readings, where one is named."""
    from grice.mining.confidence import weights_of

    if not reviewed:
        return None
    if not (weights := weights_of(kind, Path(reviewed))):
        raise InputError(f"{reviewed}: has no reading of {kind}; make one with grice mine review")
    return weights


def _write_review(pairs: Path, count: int, seed: int) -> Path:
    """A sample of the pairs beside their file, with a sheet and a campaign in which people check them, as both papers did."""
    import csv

    from grice.core.dataset import read_items
    from grice.core.files import escape_formula, write_atomically
    from grice.mining.reviewing import sheet_rows
    from grice.mining.sampling import write_review_sample
    from grice.verbs.collect import new

    sample = write_review_sample(pairs, count, seed)
    with write_atomically(sample.with_suffix(".tsv")) as out:
        rows = (map(escape_formula, row) for row in sheet_rows(read_items(sample).items()))
        csv.writer(out, delimiter="\t", lineterminator="\n").writerows(rows)
    campaign = sample.with_suffix(".toml")
    campaign.unlink(missing_ok=True)
    return new("labels", str(sample), campaign)


def review_pairs(pairs: str | Path, marks: str | Path, *, out: str | Path, alone: bool = False) -> list[dict[str, Any]]:
    """Turn marks on mined pairs into readings that `mine(…, reviewed=out)` fits its confidence on.

    `marks` is the sheet that `mine(…, review=N)` writes with its column `right` filled in, or a file of `collect.export`.
    The readings that ship are kept beside them unless `alone`. Returns for each kind how many were right, and how far
    confidence was off before and is after.
    """
    from grice.core.files import write_atomically
    from grice.mining.confidence import REVIEWED, read_readings
    from grice.mining.reviewing import compare_fits, read_marks, readings_of

    new = readings_of(Path(pairs), read_marks(Path(marks)))
    kept = [] if alone else read_readings(REVIEWED)
    rows = compare_fits(new, alone=alone)
    with write_atomically(Path(out)) as file:
        file.write(
            "# Mined pairs that were read, a row each: kind, whether it was right in every respect, its features\n"
        )
        file.writelines(f"{reading.to_line()}\n" for reading in (*kept, *new))
    return rows


def train_parser(
    treebank: str | Path,
    *,
    out: str | Path,
    encoder: str = "",
    teachers: int = 0,
    text: str | Path = "",
    epochs: int = 30,
    minutes: float = 600.0,
    seed: int = 1,
    log: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Train the built-in parser again on a treebank, write it to the folder `out`, and return its scores by CoNLL 2018.

    `teachers` parsers of other seeds may be trained first, for the one that is written to learn from what they think of
    `text`.
    """
    from grice.mining.train_parser import train_parser as run

    chosen = {"encoder": encoder} if encoder else {}
    return run(
        Path(treebank), Path(out), teachers=teachers, text=Path(text) if text else None, epochs=epochs, minutes=minutes,
        seed=seed, log=log, **chosen,
    )  # fmt: skip
