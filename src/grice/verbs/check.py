"""What `grice check` does: look for what is wrong with a set of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from grice.checks.check import check_dataset
from grice.checks.findings import CheckReport
from grice.checks.plausibility import Plausibility, measure_plausibility
from grice.checks.sheet import QUESTIONS, draw_sheet, read_marks, write_sheet
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.estimate import Estimate, mean
from grice.core.judgement import HasSurprisal
from grice.core.shelf import DATASETS, split_name
from grice.core.table import RowKey, Table
from grice.generate.lexicon import vocabulary
from grice.generate.suites import balanced_conditions
from grice.loading import SettingValue, load, load_judge, load_measure


def check(
    data: str | Dataset,
    *,
    leaks: bool = True,
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
) -> CheckReport:
    """Look for repeats, clashing labels, slips, imbalance and surface cues in a set of pairs.

    `data` is a Dataset, or what `grice.load` takes: the name of a dataset, phenomenon or suite, your own
    `./mine.py`, or a file of pairs; for a file, `premise`, `hypothesis` and `label` name its columns and `labels` its
    labels in order (`a,b,c`). `leaks` also trains the two classifiers that look for labels on the surface. The
    report has the findings, the worst first, and `failed`: whether any of them is an error.

    >>> report = check("quantifiers", leaks=False)
    >>> report.n, report.failed
    (1200, False)
    """
    name = data if isinstance(data, str) else data.name
    if isinstance(data, str):
        data = load(data, premise=premise, hypothesis=hypothesis, label=label, labels=labels)
    # The release called imppres promises no balance; the suite of that name does.
    balanced = {} if split_name(name)[0] in DATASETS.names() else balanced_conditions(name)
    return check_dataset(data, balanced=balanced, vocabulary=vocabulary(), leaks=leaks)


def plausible(
    data: str | Dataset, judge: str, *, settings: Mapping[str, SettingValue] | None = None, seed: int = 0
) -> Plausibility:
    """Have a language model (`hf/…`, `openai/…`) tell whether sentences are less surprising as they are.

    Two premises of a phenomenon exchange their endings; where people, acts and places belong together the model finds
    the exchange more surprising. The result has the share by phenomenon, and the couples that are least so.
    """
    model = load_judge(judge, **(settings or {}))
    if not isinstance(model, HasSurprisal):
        raise InputError(f"'{judge}' gives no surprisal of a text; use a language model, hf/… or openai/…")
    return measure_plausibility(load(data), model.surprisal, seed)


def make_sheet(
    data: str | Dataset, size: int, out: str | Path, *, seed: int = 0, beside: str | Dataset | None = None
) -> tuple[Path, Path]:
    """Write a sheet of `size` pairs for a blind reader, shuffled with as many of the set `beside`, and its key.

    Readers mark y or n under grammatical, plausible and label_right; `read_sheets` tells what they made of it.

    >>> from tempfile import mkdtemp
    >>> sheet, key = make_sheet("quantifiers@5", 20, f"{mkdtemp()}/sheet.csv", seed=3)
    >>> sheet.name, key.name
    ('sheet.csv', 'sheet.key.csv')
    """
    sets = [load(data), *([] if beside is None else [load(beside)])]
    return write_sheet(draw_sheet(sets, size, seed), Path(out))


def read_sheets(key: str | Path, sheets: Sequence[str | Path]) -> Table:
    """The share of yes of each reader and their agreement (Cohen's κ), by set and question; open marks do not count."""
    marks = read_marks(Path(key), [Path(sheet) for sheet in sheets])
    readers = marks["judge"].unique(maintain_order=True).to_list()
    rows: list[RowKey] = []
    cells: dict[tuple[RowKey, str], Estimate | None] = {}
    for name in [*sorted(marks["set"].unique()), "all"]:
        for question in QUESTIONS:
            part = marks.filter((pl.col("question") == question) & ((pl.col("set") == name) | (name == "all")))
            row = (name, question)
            rows.append(row)
            for reader in readers:
                yes = part.filter(pl.col("judge") == reader)["answer"] == "yes"
                cells[row, reader] = mean(yes.cast(pl.Float64))
            if len(readers) > 1:
                cells[row, "kappa"] = load_measure("kappa")(part)
    columns = (*readers, *(("kappa",) if len(readers) > 1 else ()))
    return Table(f"{Path(key).name}: what readers marked", ("set", "question"), tuple(rows), columns, cells)
