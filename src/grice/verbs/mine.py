"""grice mine: make pairs from real sentences."""

from __future__ import annotations

import re
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.core.errors import InputError

if TYPE_CHECKING:
    from grice.mining.job import MiningJob
    from grice.mining.sampling import Sampling

# The default confidence that a pair needs, by kind: coordinations are harder to tell apart.
KEEP = {"complements": 0.89, "conjuncts": 0.88, "swaps": 0.91}


def mine(
    kind: str,
    corpus: str | Path,
    *,
    out: str | Path,
    each: int | None = None,
    recipe: str = "",
    balance: int = 0,
    contracted: bool = False,
    targets: int = 60,
    parser: str = "",
    reparse: bool = False,
    field: str = "",
    limit: int | None = None,
    part: str = "",
    workers: int = 1,
    engine: str = "local",
    gate: bool = True,
    keep: float | None = None,
    unlisted: bool = False,
    unlabelled: bool = False,
    longest: int = 40,
    seed: int = 0,
    review: int = 0,
    reviewed: str | Path = "",
) -> dict[str, Any]:
    """Write pairs of a kind, complements, conjuncts or swaps, from a corpus; return counts.

    Args:
        each: The maximum per verb or conjunction; 0 keeps all, and complements default to 40.
        balance: Draw so many pairs of conjuncts, as near as possible to ConjNLI's shares.
        keep: Minimum confidence of a pair; 0.88 to 0.91 by kind.
        part: "I/N" mines the I-th of N parts; the same call without it then joins them.
        unlisted: Also take verbs of no known signature, as o/o; unlabelled: all, without labels.
        review: Also write so many of the least confident pairs for people to check.
        reviewed: Their readings, by `review_pairs`, which update confidence.

    >>> import tempfile
    >>> corpus = Path(tempfile.mkdtemp()) / "ship.txt"
    >>> _ = corpus.write_text("The cook refused to leave the ship. The captain slept.")
    >>> counts = mine("complements", corpus, out=corpus.with_name("pairs.jsonl"))
    >>> counts["sentences"], counts["written"]
    (2, 2)
    """
    from grice.mining.job import MiningJob
    from grice.mining.work import Task

    choices = {"contracted": contracted, "targets": targets, "longest": longest}
    options = _pairer_options(kind, {**choices, "unlabelled": unlabelled, "seed": seed})
    keep, weights = _check_share(kind, keep), _own_weights(kind, reviewed)
    task = Task(kind, parser, not reparse, gate, options, keep, unlisted, weights)
    sampling = _make_sampling(kind, recipe, balance, each, seed)
    job = MiningJob(Path(corpus), Path(out), task, sampling, field, limit, _parse_part(part))
    counts = _run(job, engine, workers)
    if review and not part:
        counts["review"] = str(_write_review(job.out, review, seed))
    return counts


def _parse_part(part: str) -> tuple[int, int] | None:
    """Return the number and total of "2/4"; None for an empty string."""
    if not part:
        return None
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", part)
    if match is None or int(match[1]) > int(match[2]):
        raise InputError(f"part={part}: not a part I of N; give one such as 1/4 to 4/4")
    return int(match[1]), int(match[2])


def _run(job: MiningJob, engine: str, workers: int) -> dict[str, Any]:
    from grice.cluster import Cluster
    from grice.core.progress import bar
    from grice.mining.job import run_job

    with bar(f"mine {job.task.pairer}", "sentences") as progress:
        return run_job(job, run_parts=Cluster(engine, workers).map, progress=progress)


def _make_sampling(kind: str, recipe: str, balance: int, each: int | None, seed: int) -> Sampling:
    from grice.mining.balance import CONJNLI
    from grice.mining.sampling import Sampling, sampling_recipe

    if (recipe or balance) and (kind != "conjuncts" or each or (recipe and balance)):
        fact = "recipe and balance draw pairs of conjuncts, one at a time and without each"
        raise InputError(f"{fact}; give one of recipe, balance and each")
    if recipe:
        return sampling_recipe(recipe, seed=seed)
    if balance:
        return Sampling(seed=seed, shares=CONJNLI, total=balance)
    if each is None:
        each = 40 if kind == "complements" else 0
    return Sampling(each, shortest=kind == "complements", seed=seed)


def _pairer_options(kind: str, choices: dict[str, Any]) -> dict[str, Any]:
    """Return the choices that the pairer of this kind takes."""
    from grice.core.shelf import PAIRERS

    parameters = signature(PAIRERS.find(kind)).parameters
    return {name: choice for name, choice in choices.items() if name in parameters}


def _check_share(kind: str, share: float | None) -> float:
    keep = KEEP.get(kind, 0.9) if share is None else share
    if not 0 <= keep < 1:
        fact = f"keep={keep:g}: a share of right pairs lies between 0 and 1"
        raise InputError(f"{fact}; give one such as 0.9")
    return keep


def _own_weights(kind: str, reviewed: str | Path) -> dict[str, float] | None:
    """Return confidence's weights by a file of readings; None if no file is named."""
    if not reviewed:
        return None
    from grice.mining.fitting import weights_of

    return weights_of(kind, Path(reviewed))


def _write_review(pairs: Path, count: int, seed: int) -> Path:
    """Write a sample of the pairs, with a sheet and a campaign in which people check it."""
    import csv

    from grice.core.files import escape_formula, write_atomically
    from grice.core.item_file import read_items
    from grice.mining.reviewing import sheet_rows
    from grice.mining.sampling import write_review_sample
    from grice.verbs.collect import new

    sample = write_review_sample(pairs, count, seed)
    with write_atomically(sample.with_suffix(".tsv")) as out:
        writer = csv.writer(out, delimiter="\t", lineterminator="\n")
        rows = sheet_rows(read_items(sample).items())
        writer.writerows(map(escape_formula, row) for row in rows)
    campaign = sample.with_suffix(".toml")
    campaign.unlink(missing_ok=True)
    return new("labels", str(sample), campaign)


def review_pairs(
    pairs: str | Path, marks: str | Path, *, out: str | Path, alone: bool = False
) -> list[dict[str, Any]]:
    """Turn marks on mined pairs into readings for `mine(…, reviewed=out)`.

    Returns for each kind how many were right, and confidence's error before and after.

    Args:
        marks: The sheet of `mine(…, review=N)` with its column `right` filled in, or a file of
            `collect.export`.
        alone: Fit confidence on these readings without the shipped weights.
    """
    from grice.mining.fitting import Readings
    from grice.mining.reviewing import compare_fits, read_marks, readings_of

    new = readings_of(Path(pairs), read_marks(Path(marks)))
    rows = compare_fits(new, alone=alone)
    Readings(new, updates_shipped=not alone).write(Path(out))
    return rows
