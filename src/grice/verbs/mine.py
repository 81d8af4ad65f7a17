"""grice mine: pairs from real sentences, and the parser that reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

# The options that each pairer takes, besides the sentence.
OPTIONS = {
    "complements": ("contracted", "longest"),
    "conjuncts": ("every", "longest", "seed"),
    "swaps": ("targets", "seed"),
}
# Sentences of a verb that complements keep, as in the paper.
EACH = {"complements": 40}


def mine(
    kind: str,
    corpus: str | Path,
    *,
    out: str | Path,
    each: int | None = None,
    recipe: str = "",
    contracted: bool = False,
    every: bool = False,
    targets: int = 2,
    parser: str = "",
    reparse: bool = False,
    field: str = "",
    limit: int | None = None,
    workers: int = 1,
    engine: str = "local",
    gate: bool = True,
    longest: int = 40,
    seed: int = 0,
    review: int = 0,
) -> dict[str, Any]:
    """Make pairs of a kind (complements, conjuncts or swaps) from a corpus, a file or a folder, and write them to `out`.

    Returns the file, how many pairs were written, and the counts of what was skipped and dropped, by reason. `each`
    and `recipe` choose the sample, `review` also writes so many pairs with a campaign for people to check them.

    >>> import tempfile
    >>> corpus = Path(tempfile.mkdtemp()) / "ship.txt"
    >>> _ = corpus.write_text("The cook refused to leave the ship. The captain slept.")
    >>> counts = mine("complements", corpus, out=corpus.with_name("pairs.jsonl"))
    >>> counts["sentences"], counts["written"]
    (2, 2)
    """
    from grice.cluster import Engine
    from grice.core.progress import bar
    from grice.core.shelf import PAIRERS
    from grice.mining.job import MiningJob, run_job
    from grice.mining.sampling import Sampling, sampling_recipe, write_review_sample
    from grice.mining.work import Task
    from grice.verbs.collect import begin

    PAIRERS.find(kind)
    settings = {
        "contracted": contracted,
        "every": every,
        "targets": targets,
        "longest": longest,
        "seed": seed,
    }
    options = {name: settings[name] for name in OPTIONS.get(kind, ())}
    # What swaps write is often no English, so that the gate would drop it.
    task = Task(kind, parser, not reparse, gate and kind != "swaps", options)
    count = EACH.get(kind, 0) if each is None else each
    sampling = Sampling(count, shortest=kind == "complements", seed=seed)
    if recipe:
        sampling = sampling_recipe(recipe, each=count, seed=seed)
    job = MiningJob(Path(corpus), Path(out), task, sampling, field, limit)
    scatter = Engine(engine, workers).scatter
    with bar(f"mine {kind}", "sentences") as progress:
        counts = run_job(job, workers=workers, scatter=scatter, progress=progress)
    if review:
        sample = write_review_sample(job.out, review, seed)
        campaign = job.out.with_name(f"{job.out.stem}.review.toml")
        campaign.unlink(missing_ok=True)
        counts["review"] = str(begin("labels", campaign, str(sample)))
    return counts


def train_parser(
    treebank: str | Path,
    *,
    out: str | Path,
    minutes: float = 60.0,
    seed: int = 1,
    log: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Train the built-in pipeline again on a treebank, write it to the folder `out`, and return its scores."""
    from grice.mining.training import train_pipeline

    return train_pipeline(Path(treebank), Path(out), minutes=minutes, seed=seed, log=log)
