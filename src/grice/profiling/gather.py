"""Select the data and models of a profile, and note what is missing and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Required, TypedDict, Unpack

from grice import loading
from grice.cluster import LOCAL, Cluster
from grice.cluster.judging import asker
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError, MissingData
from grice.core.judgement import Judge, Learner
from grice.core.progress import bar
from grice.core.shelf import DATASETS
from grice.judges.panel import shown_models
from grice.judges.probe import choose_readout
from grice.loading import SettingValue
from grice.profiling.exchange import DEFAULT, Exchange, ask_exchanged, free_to_ask
from grice.storage.evaluation import evaluate
from grice.storage.run import Run

# Published datasets, each by the part that has gold labels.
PUBLISHED = ("imppres", "veridicality", "conjnli/dev", "unli")


@dataclass
class ProfileInputs:
    """Datasets with their runs, the profiled model first, and what is missing."""

    pairs: list[tuple[Dataset, list[Run]]] = field(default_factory=list)
    not_tested: list[str] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)


class Evaluation(TypedDict, total=False):
    """How every model is evaluated: keywords of `evaluate`."""

    into: Required[Path]
    limit: int | None
    seed: int
    items: bool
    keep_going: bool


def gather(
    judge: str,
    against: Sequence[str],
    data: Sequence[str],
    *,
    settings: Mapping[str, SettingValue] | None = None,
    exchange: int | None = None,
    probe: bool = True,
    panel: bool = False,
    cluster: Cluster = LOCAL,
    **evaluation: Unpack[Evaluation],
) -> ProfileInputs:
    """Evaluate every model on every dataset and store the answers in `into`.

    What is missing is listed in `not_tested`. `exchange` items are evaluated again with swapped
    premises; None means 200 for a model that costs nothing, else 0. `panel` shows two recorded
    models beside it on a suite where `against` names none.
    """
    inputs = ProfileInputs()
    names = [judge, *(name for name in against if not loading.is_recorded(name))]
    models = [*loading.load_judges(judge, settings), *loading.load_judges(names[1:])]
    judges = dict(zip(names, models, strict=False))
    datasets = load_datasets(data, inputs.not_tested)
    where: dict[str, Any] = {"limit": None, "seed": 0, **evaluation}
    if panel and not against and where["limit"] is None:
        against = shown_models(datasets, judges[judge][1])
    recorded = _recorded(against, datasets, inputs)
    if probe and datasets:
        judges = _probed(judges, datasets[0], where)
    for dataset in datasets:
        runs = _ask(judge, judges[judge], dataset, inputs, cluster, evaluation)
        if not runs:  # then the other models are not evaluated on it either
            continue
        model = judges[judge][1]
        count = (DEFAULT if free_to_ask(model) else 0) if exchange is None else exchange
        if count:
            inputs.exchanges += _swapped(dataset, runs[0], model, count, cluster, where)
        for name in against:
            if name in judges:
                runs += _ask(name, judges[name], dataset, inputs, cluster, evaluation)
            taken = {run.judge for run in runs}
            runs += [
                replace(run, judge=f"{run.judge} (published)") if run.judge in taken else run
                for run in recorded.get((name, dataset.name), ())
            ]
        inputs.pairs.append((dataset, runs))
    if not inputs.pairs:
        why = inputs.not_tested[0] if inputs.not_tested else f"'{', '.join(data)}' has no data"
        raise InputError(f"nothing to profile: {why}")
    return inputs


def _probed(
    judges: Mapping[str, tuple[str, Judge | Learner]], data: Dataset, evaluation: Mapping[str, Any]
) -> dict[str, tuple[str, Judge | Learner]]:
    """Return the judges, each language model with the readout that its probe chose."""
    begun = {key: evaluation[key] for key in ("into", "limit", "seed")}
    return {
        name: (label, choose_readout(model, data, name=label, **begun))
        for name, (label, model) in judges.items()
    }


def _swapped(
    data: Dataset,
    run: Run,
    judge: Judge | Learner,
    count: int,
    cluster: Cluster,
    evaluation: Mapping[str, Any],
) -> list[Exchange]:
    """Return the premise-swap test of a run on this many items; none if no item can be swapped."""
    options = {key: evaluation[key] for key in ("seed", "items") if key in evaluation}
    into = evaluation["into"].with_name("exchanged")
    ask = asker(judge, cluster)
    swapped = ask_exchanged(data, run, judge, count=count, into=into, ask=ask, **options)
    return [swapped] if swapped else []


def load_datasets(choices: Sequence[str], not_tested: list[str]) -> list[Dataset]:
    """Load `core`, `full`, the available published sets, all of these, or data by name or path.

    Missing published sets among several are added to `not_tested`.
    """
    several = {"published": list(PUBLISHED), "all": ["core", *PUBLISHED]}
    names = list(
        dict.fromkeys(name for choice in choices for name in several.get(choice) or _parts(choice))
    )
    loaded = []
    for name in names:
        try:
            loaded.append(loading.load(name))
        except MissingData as error:
            if len(names) == 1:
                raise
            not_tested.append(f"{name}: {error}")
    return loaded


def _parts(name: str) -> list[str]:
    """Return a name as it is, or the tasks of a set whose parts have labels of their own.

    Of the tasks (PragmEval's), only the dev splits are used where there are any.
    """
    if name not in DATASETS.names() or loading.source(name).has_default_part:
        return [name]
    parts = loading.source(name).parts
    # PragmEval prints scores on its dev splits.
    return [f"{name}/{part}" for part in [p for p in parts if p.endswith("/dev")] or parts]


def _ask(
    spec: str,
    named: tuple[str, Judge | Learner],
    data: Dataset,
    inputs: ProfileInputs,
    cluster: Cluster,
    evaluation: Evaluation,
) -> list[Run]:
    """Return the model's run on a dataset; none, with a note, if it cannot answer on the scale."""
    name, judge = named
    try:
        with bar(f"{name or spec} on {data.name}") as progress:
            ask = asker(judge, cluster)
            return [evaluate(data, judge, name=name, progress=progress, ask=ask, **evaluation)]
    except InputError as error:
        inputs.not_tested.append(f"{data.name} by {name or spec}: {error}")
        return []


def _recorded(
    against: Sequence[str], datasets: Sequence[Dataset], inputs: ProfileInputs
) -> dict[tuple[str, str], list[Run]]:
    """Return the published runs by their name in `against` and their dataset, each once.

    Raise `InputError` for a name without a run on any dataset.
    """
    runs: dict[tuple[str, str], list[Run]] = {}
    seen: set[tuple[str, str]] = set()
    for name in filter(loading.is_recorded, against):
        reasons = []
        for data in datasets:
            try:
                new = [
                    run
                    for run in loading.recorded_runs(data, name)
                    if (run.judge, data.name) not in seen
                ]
            except GriceError as error:
                reasons.append(f"{data.name} by {name}: {error}")
                continue
            runs[name, data.name] = new
            seen |= {(run.judge, data.name) for run in new}
        if datasets and len(reasons) == len(datasets):
            raise InputError("; ".join(reasons))
        inputs.not_tested += reasons
    return runs
