"""Where exhibits find data and runs: published files, recorded predictions, and judges named by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from grice import api
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.judgement import Judge, Learner
from grice.core.run import Run, evaluate, join
from grice.papers._veridicality_swaps import SWAPS
from grice.report.progress import bar


@dataclass
class LocalBench:
    """Loads each dataset once and asks each given judge once; a judge that cannot answer a set is skipped with its reason."""

    judges: Mapping[str, Judge | Learner] = field(default_factory=dict)
    into: Path | None = None
    skipped: dict[tuple[str, str], str] = field(default_factory=dict)
    _data: dict[str, Dataset] = field(default_factory=dict)
    _runs: dict[str, list[Run]] = field(default_factory=dict)

    def data(self, name: str) -> Dataset:
        if name not in self._data:
            self._data[name] = self._swapped() if name == SWAPS else api.load(name)
        return self._data[name]

    def runs(self, name: str) -> Sequence[Run]:
        """The published runs on a dataset and those of the given judges, which replace published ones of the same name."""
        if name not in self._runs:
            # Swapped sentences are made here when a judge is there to answer them; nobody released answers.
            if name == SWAPS and not self.judges:
                return []
            data = self.data(name)
            published = [] if name == SWAPS else api.source(name).runs(data)
            recorded = [run for run in published if run.judge not in self.judges]
            self._runs[name] = recorded + self._asked(name, data)
        return self._runs[name]

    def joined(self, name: str) -> pl.DataFrame:
        runs = [run for run in self.runs(name) if run.frame.height]
        if not runs:
            raise InputError(f"no judge has answered {name}; name one with --by NAME=JUDGE")
        return join(self.data(name), *runs)

    def _swapped(self) -> Dataset:
        from grice.mining import swapped

        return swapped(self.data("veridicality"))

    def _asked(self, name: str, data: Dataset) -> list[Run]:
        runs = []
        for title, judge in self.judges.items():
            try:
                with bar(f"{title} on {name}") as progress:
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
        judges[title] = api.judge(name, **{**part, **settings})
    return LocalBench(judges, into)
