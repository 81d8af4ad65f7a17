"""Data and runs of exhibits: published files, recorded predictions, and the user's judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import polars as pl

from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError, MissingData
from grice.core.files import data_folder
from grice.core.judge_spec import JudgeSpec, parse_judge
from grice.core.judgement import Judge, Learner
from grice.core.progress import bar
from grice.judges.providers.preds import Preds
from grice.loading import SettingValue
from grice.storage.evaluation import evaluate
from grice.storage.run import Run, join
from grice.storage.source import find_published
from grice.tables.paper import Computed, DerivedDataset

# Verbs put into each sentence for a model trained here, which answers on a CPU.
TRAINED_TARGETS = 1


@dataclass
class LocalBench:
    """Evaluation context that loads each dataset once and asks each judge once.

    A judge that cannot answer a set is skipped with its reason. `targets` is how many verbs are put
    into each sentence of veridicality; 0 means all.

    `trained` are the answers of models trained here to the sets they were evaluated on; other sets
    are skipped without a reason. `fresh` are datasets in place of the published ones; with them no
    published file is read.
    """

    judges: Mapping[str, Judge | Learner] = field(default_factory=dict)
    into: Path | None = None
    trained: Mapping[str, Preds] = field(default_factory=dict)
    targets: int = 0
    fresh: Mapping[str, Dataset] = field(default_factory=dict)
    skipped: dict[tuple[str, str], str] = field(default_factory=dict)
    _data: dict[str, Dataset] = field(default_factory=dict)
    _replies: dict[str, list[Run]] = field(default_factory=dict)
    _runs: dict[str, list[Run]] = field(default_factory=dict)
    _computed: dict[str, object] = field(default_factory=dict)

    def with_trained(self, trained: Mapping[str, str]) -> LocalBench:
        """Return this bench with models trained here, given as titles with `preds/FILE`.

        Its data and its judges' answers stay loaded.
        """
        names = {title: name for title, name in trained.items() if title not in self.judges}
        read = {t: Preds(name.removeprefix("preds/"), extra="ignore") for t, name in names.items()}
        return replace(self, trained=read, targets=TRAINED_TARGETS, _runs={}, _computed={})

    def data(self, name: str | DerivedDataset) -> Dataset:
        """Return a dataset by its name, or derived from others; it is loaded or derived once."""
        key = str(name)
        if key in self.fresh:
            return self.fresh[key]
        if key not in self._data:
            if isinstance(name, DerivedDataset):
                self._data[key] = name.make(self)
            elif self.fresh:
                raise MissingData(f"no fresh pairs stand for {name}")
            else:
                self._data[key] = loading.load(name)
        return self._data[key]

    def runs(self, name: str | DerivedDataset) -> Sequence[Run]:
        """Return the published runs on a dataset and those of the given judges.

        A given judge replaces a published one of the same name.
        """
        key = str(name)
        if key not in self._runs:
            derived = isinstance(name, DerivedDataset)
            # Nobody released answers to what is made here, so it is made only where a judge may
            # answer it.
            if derived and not self.judges and not self.trained:
                return []
            data = self.data(name)
            released = [] if derived or self.fresh else loading.source(key).runs(data)
            recorded = [run for run in released if run.judge not in {*self.judges, *self.trained}]
            if key not in self._replies:
                self._replies[key] = self._evaluate(key, data, self.judges, items=not derived)
            own = {title: judge for title, judge in self.trained.items() if judge.knows(data.ids)}
            self._runs[key] = [
                *recorded,
                *self._evaluate(key, data, own, items=False),
                *self._replies[key],
            ]
        return self._runs[key]

    def judgements(self, name: str | DerivedDataset) -> pl.DataFrame:
        """Return the judgements of all runs that have any, joined with the items of the dataset."""
        runs = [run for run in self.runs(name) if run.frame.height]
        if not runs:
            raise InputError(f"no judge has answered {name}; name one with --by NAME=JUDGE")
        return join(self.data(name), *runs)

    def once(self, key: str, make: Callable[[], Computed]) -> Computed:
        """Return what `make` gives, computed once for all exhibits of the bench."""
        if key not in self._computed:
            self._computed[key] = make()
        return cast(Computed, self._computed[key])

    def file(self, *paths: str, source: str) -> Path:
        """Return the first of these files of a published source that is in the data folder."""
        if self.fresh:
            raise MissingData(f"{source} is published, not fresh")
        return find_published(data_folder(), *paths, source=source)

    def _evaluate(
        self, name: str, data: Dataset, judges: Mapping[str, Judge | Learner], *, items: bool
    ) -> list[Run]:
        """Ask each judge; `items` are stored with its answers unless they can be made again."""
        runs = []
        for title, judge in judges.items():
            # Recorded answers are only read, so there is nothing to wait for.
            drawn = nullcontext() if isinstance(judge, Preds) else bar(f"{title} on {name}")
            try:
                with drawn as progress:
                    run = evaluate(
                        data, judge, into=self.into, keep_going=True, progress=progress, items=items
                    )
                runs.append(replace(run, judge=title))
            except GriceError as error:
                self.skipped[name, title] = str(error)
        return runs


def bench(
    by: Mapping[str, str | JudgeSpec],
    settings: Mapping[str, str],
    into: Path | None = None,
    targets: int = 0,
) -> LocalBench:
    """Return an evaluation context with the judges loaded by name.

    An example: `bench({"InferSent": "preds/infersent.jsonl"}, {})`. An exhibit may ask about a part
    of what a file of answers covers, so answers to other parts are passed over.
    """
    judges: dict[str, Judge | Learner] = {}
    for title, judge_spec in by.items():
        spec = parse_judge(judge_spec) if isinstance(judge_spec, str) else judge_spec
        part: dict[str, SettingValue] = (
            {"extra": "ignore"} if spec.judge.startswith("preds/") else {}
        )
        ((_, judges[title]),) = loading.load_judges(spec, {**part, **settings})
    return LocalBench(judges, into, targets=targets)
