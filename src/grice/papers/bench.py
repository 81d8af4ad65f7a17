"""Where exhibits find data and runs: published files, recorded predictions, and judges named by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.judgement import Judge, Learner
from grice.core.progress import bar
from grice.core.run import Run, evaluate, join
from grice.judges.providers.preds import Preds
from grice.papers.veridicality.swaps import SWAPS


@dataclass
class LocalBench:
    """Loads each dataset once and asks each given judge once; a judge that cannot answer a set is skipped with its reason.

    `trained` are the answers of models trained here, to the sets they were asked; that there are others is no news.
    """

    judges: Mapping[str, Judge | Learner] = field(default_factory=dict)
    into: Path | None = None
    trained: Mapping[str, Preds] = field(default_factory=dict)
    skipped: dict[tuple[str, str], str] = field(default_factory=dict)
    _data: dict[str, Dataset] = field(default_factory=dict)
    _replies: dict[str, list[Run]] = field(default_factory=dict)
    _runs: dict[str, list[Run]] = field(default_factory=dict)

    def beside(self, trained: Mapping[str, str]) -> LocalBench:
        """This bench, its data and its judges' answers, with models trained here: titles to `preds/FILE`."""
        mine = {title: name for title, name in trained.items() if title not in self.judges}
        read = {t: Preds(name.removeprefix("preds/"), extra="ignore") for t, name in mine.items()}
        return replace(self, trained=read, _runs={})

    def data(self, name: str) -> Dataset:
        if name not in self._data:
            self._data[name] = self._swapped() if name == SWAPS else loading.load(name)
        return self._data[name]

    def runs(self, name: str) -> Sequence[Run]:
        """The published runs on a dataset and those of the given judges, which replace published ones of the same name."""
        if name not in self._runs:
            # Swapped sentences are made here when a judge is there to answer them; nobody released answers.
            if name == SWAPS and not self.judges:
                return []
            data = self.data(name)
            published = [] if name == SWAPS else loading.source(name).runs(data)
            recorded = [run for run in published if run.judge not in {*self.judges, *self.trained}]
            if name not in self._replies:
                self._replies[name] = self._asked(name, data, self.judges)
            own = {title: judge for title, judge in self.trained.items() if judge.knows(data.ids)}
            self._runs[name] = [*recorded, *self._asked(name, data, own), *self._replies[name]]
        return self._runs[name]

    def joined(self, name: str) -> pl.DataFrame:
        runs = [run for run in self.runs(name) if run.frame.height]
        if not runs:
            raise InputError(f"no judge has answered {name}; name one with --by NAME=JUDGE")
        return join(self.data(name), *runs)

    def _swapped(self) -> Dataset:
        from grice.mining.swapped import swapped

        return swapped(self.data("veridicality"))

    def _asked(self, name: str, data: Dataset, judges: Mapping[str, Judge | Learner]) -> list[Run]:
        runs = []
        for title, judge in judges.items():
            # Recorded answers are only read, so there is nothing to wait for.
            drawn = nullcontext() if isinstance(judge, Preds) else bar(f"{title} on {name}")
            try:
                with drawn as progress:
                    run = evaluate(data, judge, into=self.into, progress=progress)
                runs.append(replace(run, judge=title))
            except GriceError as error:
                self.skipped[name, title] = str(error)
        return runs


def bench(by: Mapping[str, str], settings: Mapping[str, str], into: Path | None = None) -> LocalBench:
    """A bench with judges by name: `bench({"InferSent": "preds/infersent.jsonl"}, {})`.

    An exhibit may ask about a part of what a file of answers covers, so answers to other parts are passed over.
    """
    judges = {}
    for title, name in by.items():
        part = {"extra": "ignore"} if name.startswith("preds/") else {}
        judges[title] = loading.load_judge(name, **{**part, **settings})
    return LocalBench(judges, into)
