"""Training of a learner by name on datasets by name: `grice train`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from grice.cluster import LOCAL, Cluster
from grice.learners.training.results import TrainResult
from grice.learners.training.spec import TrainingSpec
from grice.learners.training.trainer import TrainingOptions, seed_runs, validate_settings
from grice.learners.training.trainer import train as run_training
from grice.loading import load
from grice.papers.experiment import TrainingJob, train_jobs


def train(
    learner: str,
    *,
    on: str | Sequence[str],
    out: str | Path,
    dev: str | Sequence[str] = (),
    then: str | Sequence[str] = (),
    mix: str = "",
    adversarial: str = "",
    how: str = "",
    amount: int = 0,
    start: str | Path = "",
    ask: str | Sequence[str] = (),
    apart: str | Sequence[str] = (),
    unlabelled: str | Sequence[str] = (),
    surrogate: bool = False,
    recipe: str = "",
    seeds: int = 1,
    engine: str = "local",
    workers: int = 1,
    gpus: float = 0.0,
    settings: Mapping[str, object] | None = None,
    quiet: bool = False,
) -> TrainResult:
    """Train a learner on datasets and save it to `out`; the judge is then `trained/OUT`.

    The arguments are the flags of `grice train`, `start` being `--from` and `settings` every `-M`:
    `on` names the training data, `dev` the data that select the best epoch, and `ask` further
    evaluation data. The result has the trained models, each with its folder and its scores. After
    a kill the same call resumes; once finished it does nothing.

    >>> import tempfile
    >>> data = {"on": "quantifiers", "dev": "quantifiers@1", "out": tempfile.mkdtemp()}
    >>> done = train("bow", **data, settings={"epochs": 1}, quiet=True)
    >>> list(done.models[0].scores)
    ['quantifiers@1']
    """
    spec = TrainingSpec(
        _names(on),
        _names(dev),
        then=_names(then),
        mix=mix,
        adversarial=adversarial,
        how=how,
        start=str(start) if start else "",
        apart=_names(apart),
        ask=_names(ask),
        unlabelled=_names(unlabelled),
        surrogate=surrogate,
        amount=amount,
    )
    arguments = {key: str(value) for key, value in (settings or {}).items()}
    arguments |= {"recipe": recipe} if recipe else {}
    options = TrainingOptions(seeds=seeds, quiet=quiet)
    cluster, out = Cluster(engine, workers, gpus), Path(out)
    if cluster != LOCAL:
        validate_settings(learner, spec, arguments)
        train_jobs(_jobs(learner, spec, arguments, out, seeds), out, cluster)
    return run_training(learner, spec, load=load, out=out, settings=arguments, options=options)


def _names(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _jobs(
    learner: str, spec: TrainingSpec, arguments: Mapping[str, str], out: Path, seeds: int
) -> list[TrainingJob]:
    """Return a training for each seed, as the workers of a cluster take them."""
    return [
        TrainingJob(str(path.relative_to(out)), learner, spec, {**arguments, **seed})
        for path, seed in seed_runs(out, arguments, seeds).items()
    ]
