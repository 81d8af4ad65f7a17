"""Checks of a set of pairs, a run's folder, or a campaign's answers: `grice check`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from grice.checks.check import check_dataset
from grice.checks.findings import SEVERITIES, CheckReport, Finding
from grice.checks.plausibility import Plausibility, measure_plausibility
from grice.checks.sheet import QUESTIONS, draw_sheet, read_marks, write_sheet
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.estimate import Estimate, mean
from grice.core.judgement import HasSurprisal, HasVectors
from grice.core.shelf import DATASETS, split_name
from grice.generate.lexicon import vocabulary
from grice.generate.suites import balanced_conditions
from grice.loading import SettingValue, load, load_judge, load_measure
from grice.profiling.chapter import load_chapters
from grice.storage.damage import Damage
from grice.tables.table import RowKey, Table
from grice.verbs.submission import check_runs, holds_runs


def check(
    data: str | Dataset,
    *,
    leaks: bool = True,
    encoder: str = "",
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
) -> CheckReport:
    """Check a set of pairs, or verify the checksums of stored runs and campaigns.

    Pairs are checked for repeats, clashing labels, surface errors, imbalance and label leakage.

    `data` is a Dataset, or what `grice.load` takes: the name of a dataset, phenomenon or suite,
    your own `./mine.py`, or a file of pairs. For a file, `premise`, `hypothesis` and `label` name
    its columns and `labels` its labels in order (`a,b,c`). `leaks` also trains classifiers that
    predict labels from the surface, and `encoder` (`st/NAME`) one more, on a sentence encoder's
    vectors of the hypotheses alone.

    The report has the findings, the worst first, and `failed`: whether any of them is an error. For
    a run, a folder or zip of runs, or a campaign's file, every line or answer is compared with its
    checksum; for a run the report also says whether it is complete and names its judge.

    >>> report = check("quantifiers", leaks=False)
    >>> report.n, report.failed
    (1500, False)
    """
    name = data if isinstance(data, str) else data.name
    if isinstance(data, str) and holds_runs(Path(data)):
        return check_runs(data)
    if isinstance(data, str) and data.endswith(".toml") and Path(data).is_file():
        return _at_rest(data, *_check_campaign(data))
    if isinstance(data, str):
        data = load(data, premise=premise, hypothesis=hypothesis, label=label, labels=labels)
    # The release called imppres promises no balance; the suite of that name does.
    balanced = {} if split_name(name)[0] in DATASETS.names() else balanced_conditions(name)
    report = check_dataset(
        data, balanced=balanced, vocabulary=vocabulary(), leaks=leaks, embed=_embed(encoder)
    )
    more = _chapters(data, own=split_name(name)[0].endswith(".py"))
    return replace(
        report,
        findings=tuple(
            sorted(
                (*report.findings, *more), key=lambda finding: SEVERITIES.index(finding.severity)
            )
        ),
    )


def _embed(encoder: str) -> Callable[[Sequence[str]], Any] | None:
    """Return the function that gives the vectors of sentences, by the name of a judge."""
    if not encoder:
        return None
    model = load_judge(encoder)
    if not isinstance(model, HasVectors):
        raise InputError(f"'{encoder}' is not a sentence encoder; use st/…")
    return model.embed


def _chapters(data: Dataset, *, own: bool) -> list[Finding]:
    """Return the chapters of the page that the data fill, and what they lack for the others.

    A `kind` without its chapter is a warning.
    """
    filled = {
        column for column in data.frame.columns if data.frame[column].null_count() < len(data)
    }
    column = data.frame["tag.kind"] if "tag.kind" in filled else pl.Series(dtype=pl.String)
    kinds = set(column.explode() if column.dtype == pl.List else column)
    complete, lacking = [], []
    findings: list[Finding] = []
    for chapter in load_chapters():
        missing = [column for column in chapter.needs if column not in filled]
        more = [column for column in chapter.also if column not in filled]
        if chapter.needs and not missing:
            complete.append(
                chapter.name + (f" (with {_named(more)} it has more figures)" if more else "")
            )
        elif missing:
            lacking.append(f"{chapter.name} lacks {_named(missing)}")
        if missing and chapter.name in kinds:
            detail = (
                f"kind is {chapter.name}, and the chapter of that name does not read it: it lacks"
                f" {_named(missing)}"
            )
            findings.append(Finding("chapter", "warning", len(data), len(data), detail))
    if own:
        stands = (
            f"stands in {' and '.join(complete)}"
            if complete
            else "stands in no chapter but 'other'"
        )
        findings.append(Finding("chapter", "note", 0, len(data), f"{stands}; {'; '.join(lacking)}"))
    return findings


def _named(columns: Sequence[str]) -> str:
    """Return `gold.logical` as "the reading logical" and `tag.role` as "the tag role"."""
    nouns = {"gold": "the reading", "tag": "the tag"}
    return " and ".join(
        f"{nouns[kind]} {name}" for kind, _, name in (column.partition(".") for column in columns)
    )


def _check_campaign(path: str) -> tuple[list[Damage], int]:
    from grice.verbs.campaign_data import look_at

    with look_at(path) as (store, _):
        from grice.collecting.verify import check_store

        return check_store(store)


def _at_rest(name: str, damages: Sequence[Damage], n: int) -> CheckReport:
    """Return damage as findings, each an error."""
    return CheckReport(
        name,
        n,
        tuple(Finding(d.check, "error", d.count, d.n, d.detail, d.examples) for d in damages),
    )


def plausible(
    data: str | Dataset,
    judge: str,
    *,
    settings: Mapping[str, SettingValue] | None = None,
    seed: int = 0,
) -> Plausibility:
    """Measure whether a language model finds sentences less surprising as they are.

    The model is `hf/…` or `openai/…`. Two premises of a phenomenon exchange their endings; where
    people, acts and places belong together the model finds the exchange more surprising. The result
    has the share by phenomenon, and the least plausible couples.
    """
    model = load_judge(judge, **(settings or {}))
    if not isinstance(model, HasSurprisal):
        raise InputError(f"'{judge}' cannot score texts; use a language model, hf/… or openai/…")
    return measure_plausibility(load(data), model.surprisal, seed)


def make_sheet(
    data: str | Dataset,
    size: int,
    out: str | Path,
    *,
    seed: int = 0,
    beside: str | Dataset | None = None,
) -> tuple[Path, Path]:
    """Write an annotation sheet of `size` pairs for a blind reader, and its key.

    They are shuffled with as many pairs of the set `beside`, if one is named.

    Readers mark y or n under grammatical, plausible and label_right; `read_sheets` tells what they
    made of it.

    >>> from tempfile import mkdtemp
    >>> sheet, key = make_sheet("quantifiers@5", 20, f"{mkdtemp()}/sheet.csv", seed=3)
    >>> sheet.name, key.name
    ('sheet.csv', 'sheet.key.csv')
    """
    sets = [load(data), *([] if beside is None else [load(beside)])]
    return write_sheet(draw_sheet(sets, size, seed), Path(out))


def read_sheets(key: str | Path, sheets: Sequence[str | Path]) -> Table:
    """Return each reader's rate of yes and their agreement (Cohen's κ), by set and question.

    Empty marks do not count.
    """
    marks = read_marks(Path(key), [Path(sheet) for sheet in sheets])
    readers = marks["judge"].unique(maintain_order=True).to_list()
    rows: list[RowKey] = []
    cells: dict[tuple[RowKey, str], Estimate | None] = {}
    for name in [*sorted(marks["set"].unique()), "all"]:
        for question in QUESTIONS:
            part = marks.filter(
                (pl.col("question") == question) & ((pl.col("set") == name) | (name == "all"))
            )
            row = (name, question)
            rows.append(row)
            for reader in readers:
                yes = part.filter(pl.col("judge") == reader)["answer"] == "yes"
                cells[row, reader] = mean(yes.cast(pl.Float64))
            if len(readers) > 1:
                cells[row, "kappa"] = load_measure("kappa")(part)
    columns = (*readers, *(("kappa",) if len(readers) > 1 else ()))
    return Table(
        f"{Path(key).name}: what readers marked", ("set", "question"), tuple(rows), columns, cells
    )
