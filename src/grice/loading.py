"""Datasets, judges, measures and runs by name or file."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError, SettingError, closest, similar_path, unknown
from grice.core.files import sha256_of
from grice.core.judge_spec import NEXT, JudgeSpec, parse_judge, read_judges
from grice.core.judge_spec import SettingValue as SettingValue
from grice.core.judgement import Judge, Learner
from grice.core.own import own_judge
from grice.core.shelf import DATASETS, JUDGES, PHENOMENA, own_fault, split_name
from grice.datasets.formats.held import HeldRows as HeldRows
from grice.datasets.formats.held import read_held, report_notes
from grice.judges.function import JudgeFunction, as_judge
from grice.judges.kinds import check_kind, find_provider
from grice.judges.panel import PANEL, panel_runs
from grice.storage.run import Run
from grice.storage.run_folder import RunKind, find_runs
from grice.storage.run_items import read_stored_items
from grice.storage.source import Source
from grice.tables.table import load_measure as load_measure

# What says how a file is read, or how much of a phenomenon is made.
READ_AS = ("premise", "hypothesis", "label", "labels", "groups")
TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")
FILES = (*TABLES, *(f"{kind}.gz" for kind in TABLES), ".parquet", ".xlsx")
# What names the models published with a dataset where a judge is named.
RECORDED = "recorded"
# A run as a verb takes it: as it is, or by its folder.
RunLike = Run | str | Path
JudgeLike = str | Judge | Learner | JudgeSpec | JudgeFunction


def load(
    name: str | Path | Dataset | HeldRows,
    *,
    groups: int | str = "",
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
) -> Dataset:
    """Load a dataset by name, pairs of a phenomenon or suite, or a table of pairs.

    Published sets have names such as `imppres/modals`; pairs of a phenomenon or suite (`core`,
    `quantifiers@7`) are generated. A table is CSV, TSV, JSON, Excel, Parquet, or a folder of such
    files; a list of dicts or a frame of polars or pandas is read alike. A `Dataset` is returned
    unchanged.

    `groups` is the number of groups of a phenomenon or suite. For a file, `premise`, `hypothesis`
    and `label` name its columns (`label="a,b"` those of annotators), and `labels="a,b,c"` its
    labels in order or `labels="1..7"` the range of its numbers. The name can contain them too,
    `"odd.csv,premise=Satz A,labels=yes,no"`, for commands that take several datasets. What is
    guessed is reported on stderr.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> len(data), data.scale.labels
    (30, ('entailment', 'neutral', 'contradiction'))
    """
    if isinstance(name, Dataset):
        return name
    columns = {"premise": premise, "hypothesis": hypothesis, "label": label, "labels": labels}
    if not isinstance(name, str | Path):
        return report_notes(read_held(name, **columns))
    name, *further = NEXT.split(str(name))
    if further:
        options = _options_in_name(name, further)
        return load(name, **{"groups": groups, **columns, **options})  # type: ignore[arg-type]
    stem, part = split_name(name)
    is_table = name.endswith(FILES) or (Path(name).is_dir() and stem not in DATASETS.names())
    if groups and (is_table or stem in DATASETS.names()):
        raise InputError(
            f"'{name}' has a fixed size; leave groups out, they are for generated data"
        )
    if is_table:
        return _read_table(name, columns)
    if stem not in DATASETS.names():
        from grice.generate.suites import load as make

        generated = make(name, groups=str(groups))
        if generated is not None:
            read_as = _own_file(name) | ({"groups": str(groups)} if groups else {})
            return replace(generated, read_as=read_as)
    return _read_source(name, stem, part)


def _options_in_name(name: str, options: Sequence[str]) -> dict[str, str]:
    """Return the options that follow a name: `odd.csv,premise=Satz A`."""
    values = dict(option.split("=", 1) for option in options)
    odd = next((key for key in values if key not in READ_AS), None)
    if odd is not None:
        raise unknown(f"setting of the data '{name}'", odd, READ_AS)
    return values


def _read_table(name: str, columns: Mapping[str, str]) -> Dataset:
    """Read a file of pairs; what is guessed is reported on stderr."""
    from grice.datasets.formats.file import read_file

    data = report_notes(read_file(Path(name), **columns))
    named = {key: value for key, value in columns.items() if value}
    return replace(data, read_as={**_own_file(name), **named})


def _read_source(name: str, stem: str, part: str) -> Dataset:
    """Load a part of a published set, or of a user's own file `./mine.py`."""
    try:
        dataset: Any = source(name).load(part)
    except Exception as error:
        if not stem.endswith(".py"):
            raise
        raise own_fault(Path(stem), error) from error
    if not isinstance(dataset, Dataset):
        fact = f"{stem}: read() returns a {type(dataset).__name__}"
        raise InputError(f"{fact}; let it return a grice.Dataset")
    return replace(dataset, read_as=_own_file(name))


def _own_file(name: str) -> dict[str, str]:
    """Return the name and checksum of a user's own file; empty for registered names."""
    path = _path_of(name)
    return {"file": name, "sha256": sha256_of(path)} if path.suffix and path.is_file() else {}


def _path_of(name: str) -> Path:
    """Return the file of a name such as `pairs.csv`, `./mine.py@7` or `./mine.py/part`."""
    path, suffix, _ = name.partition(".py")
    return Path(path + suffix) if suffix else Path(name)


def read_run(folder: str | Path) -> Run:
    """Open the folder of a run that `grice.judge` or `grice judge` kept.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into="runs")
    >>> grice.read_run(run.folder).answered
    6
    """
    return Run.read(Path(folder))


def read_runs(runs: RunLike | Sequence[RunLike]) -> list[Run]:
    """Read runs by their folders, by a folder that holds some, or by a zip of `grice pack`.

    Where several runs on the same data have the same judge name, their folder's digest is added to
    it.
    """
    sources = [runs] if isinstance(runs, RunLike) else runs
    all_runs: list[Run] = []
    for run in sources:
        if isinstance(run, Run):
            all_runs.append(run)
            continue
        # A folder named twice, alone and by the folder that holds it, is one run.
        taken = {r.folder for r in all_runs}
        all_runs += [Run.read(folder) for folder in find_runs(Path(run)) if folder not in taken]
    often = Counter((run.judge, run.fingerprint) for run in all_runs)
    named = [
        (
            replace(run, judge=f"{run.judge} {run.folder.name[-6:]}")
            if often[run.judge, run.fingerprint] > 1 and run.folder
            else run
        )
        for run in all_runs
    ]
    keys = [(run.judge, run.fingerprint) for run in named]
    # The same run from two places has the same digest too.
    return [
        (
            replace(run, judge=f"{run.judge} ({keys[: i + 1].count(keys[i])})")
            if run.folder and keys.count(keys[i]) > 1
            else run
        )
        for i, run in enumerate(named)
    ]


def is_recorded(name: str) -> bool:
    """Return whether a judge's name is `recorded`, `panel`, or one of them with `/PATTERN`."""
    return name.partition("/")[0] in (RECORDED, PANEL)


def recorded_runs(data: Dataset, name: str) -> list[Run]:
    """Return the runs of models published with a dataset that answer on its scale.

    `recorded/BERT*` selects those whose name fits the pattern, with or without a variant such as
    `(mean)`; `panel/NAME` a model of which the answers to the suites ship with the package.
    Runs of people, single or pooled, are left out.
    """
    stem, wanted = data.name.partition("/")[0], name.partition("/")[2]
    if name.partition("/")[0] == PANEL:
        runs = panel_runs(data)
        wanted = wanted and name
    else:
        runs = source(stem).runs(data) if stem in DATASETS.names() and not data.read_as else []
    models = [
        run
        for run in runs
        if run.kind is RunKind.MODEL and run.scale == data.scale and run.answered
    ]
    if not models:
        others = f" but runs of people or on another scale ({len(runs)})" if runs else ""
        remedy = f"name a judge as provider/name in place of '{name}'"
        raise InputError(f"nothing recorded for {data.name}{others}; {remedy}")
    # A pattern may leave out the variant in brackets.
    names = [(run, (run.judge, run.judge.partition(" (")[0])) for run in models]
    chosen = [run for run, of in names if not wanted or any(fits(n, wanted) for n in of)]
    if not chosen:
        raise unknown(f"model recorded for {data.name}", wanted, [run.judge for run in models])
    return chosen


def fits(name: str, pattern: str) -> bool:
    """Return whether a name is the pattern itself or fits it (`gemma*`)."""
    return fnmatchcase(name, pattern) or name == pattern


def load_data(run: Run, *, data: str | Path | Dataset = "", as_judged: bool = False) -> Dataset:
    """Load the data of a run: its stored items, the given `data`, or what its name loads now.

    If the data changed since the run was made, an error is raised; `as_judged` returns the items
    stored with the run instead.
    """
    if run.data is not None:
        return run.data
    source, columns = (
        run.folder or run.judge,
        {k: v for k, v in run.about.get("read_as", {}).items() if k in READ_AS},
    )
    stored = (
        read_stored_items(run.folder, run.dataset, run.fingerprint, run.about)
        if run.folder
        else None
    )
    if stored is not None and (as_judged or not _changed(run)):
        return stored
    try:
        named = run.about.get("read_as", {}).get("file") or run.dataset
        current = load(data, **columns) if data else load_named(str(named), **columns)
    except GriceError as error:
        flags = "".join(f" --{key} '{value}'" for key, value in columns.items())
        read = f", read with{flags}" if flags else ""
        fact = (
            f"{source}: keeps no items, and its data '{run.dataset}' (fingerprint"
            f" {run.fingerprint}{read})"
        )
        raise type(error)(
            f"{fact} cannot be had ({error}); bring it and name it with --data"
        ) from None
    if current.fingerprint != run.fingerprint:
        fact = f"{source}: '{current.name}' is not the data it was made on"
        more = ", or read the items the run keeps with --as-judged" if stored else ""
        remedy = f"bring the file as it was or judge it again{more}"
        raise InputError(
            f"{fact}: the fingerprint is now {current.fingerprint}, and was {run.fingerprint};"
            f" {remedy}"
        )
    return stored or current


def load_named(name: str, **columns: Any) -> Dataset:
    """Load the data that a run names.

    A run can come from anyone, so it does not decide which code is run.
    """
    if _path_of(name).suffix == ".py":
        raise InputError(
            f"'{name}' is Python code, which a run may not start; pass the data with --data"
        )
    return load(name, **columns)


def _changed(run: Run) -> bool:
    """Return whether the file that a run was made on exists with another content."""
    read_as = run.about.get("read_as", {})
    path = _path_of(read_as.get("file", ""))
    return "sha256" in read_as and path.is_file() and sha256_of(path) != read_as["sha256"]


def source(name: str) -> Source:
    """Return the published set that a name such as `imppres/modals` belongs to."""
    stem, _ = split_name(name)
    if not stem.endswith(".py") and stem not in DATASETS.names():
        if Path(name).suffix and ("/" in name or Path(name).is_file()):
            raise InputError(f"{name}: unknown file format; use one of {', '.join(FILES)}")
        if similar := similar_path(Path(name)) if name.endswith(FILES) or Path(name).suffix else "":
            raise InputError(f"{name}: no such file. Did you mean '{similar}'?")
        known = [*DATASETS.names(), *PHENOMENA.names()]
        raise unknown("dataset", stem, known, f"A file works too: one of {', '.join(FILES)}.")
    published = DATASETS.find(stem)
    if not isinstance(published, Source):
        raise InputError(f"'{stem}' defines no grice.Dataset source; see: grice list datasets")
    return published


def load_judge(name: str, /, **settings: SettingValue) -> Judge | Learner:
    """Load a judge by `provider/name`: `load_judge("preds/answers.npy", labels="yes,no")`.

    The folder of a saved model or the address of a server may stand without a provider. A user's
    file, `./mine.py`, is another judge after every change of it.

    >>> grice.load_judge("baseline/overlap").name
    'baseline/overlap'
    """
    if is_recorded(name):
        raise InputError(f"{name}: recorded answers, not a model; use --against {name}")
    provider, rest = split_name(name)
    own = Path(provider) if provider.endswith(".py") else None
    if own is None and not (rest and provider in JUDGES.names()):
        name, provider_settings = find_provider(name, JUDGES.names())
        provider, rest = split_name(name)
        settings = {**provider_settings, **settings}
    check_kind(provider, rest)
    make = JUDGES.find(provider)
    if not callable(make):
        raise InputError(
            f"{provider}: '{Path(provider).stem}' is a {type(make).__name__}; define a function or"
            " class that makes a judge"
        )
    try:
        odd = "name" if "name" in settings else _not_taken(make, settings)
        judge: Any = None if odd else make(rest, **settings)
    except Exception as error:
        if own is None:
            raise
        raise own_fault(own, error) from error
    if odd:
        close = closest(odd, list(inspect.signature(make).parameters))
        meant = f" Did you mean '{close}'?" if close else ""
        fact = f"'{provider}' has no setting '{odd}'.{meant} See: grice show judges/{provider}"
        raise SettingError(fact, odd)
    if own is not None:
        return own_judge(judge, own, settings)
    # An isinstance check would read what makes its identity, such as a file of answers.
    return cast("Judge | Learner", judge)


def _not_taken(make: Callable[..., object], settings: Mapping[str, SettingValue]) -> str:
    """Return a setting that the judge's factory has no keyword for, if there is one."""
    parameters = inspect.signature(make).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return ""
    return next((key for key in settings if key not in parameters), "")


def load_judges(
    by: JudgeLike | Sequence[JudgeLike], settings: Mapping[str, SettingValue] | None = None
) -> list[tuple[str, Judge | Learner]]:
    """Load judges under their given names (else an empty name), all before the first is evaluated.

    `by` can contain files of judges, such as `models.toml`. `settings` apply to each judge given by
    name, in addition to its own.
    """
    specs = _parse_specs(by)
    titles = [spec.title for spec in specs if isinstance(spec, JudgeSpec) and spec.name]
    twice = next((title for i, title in enumerate(titles) if title in titles[:i]), None)
    if twice is not None:
        raise InputError(f"two judges are called '{twice}'; give each a name of its own")
    judges: list[tuple[str, Judge | Learner]] = []
    for spec in specs:
        if not isinstance(spec, JudgeSpec):
            judges.append(("", spec))
            continue
        try:
            judge = load_judge(spec.judge, **{**(settings or {}), **spec.settings})
        except InputError as error:
            if len(specs) == 1 and not spec.name:
                raise
            remedy = ""
            if len(specs) > 1 and isinstance(error, SettingError):
                is_shared = error.setting in (settings or {})
                example = f"--by {spec.judge},{error.setting}=…"
                remedy = f"; -M is for every judge, so set it for one: {example}" * is_shared
            raise InputError(f"{spec.title}: {error}{remedy}") from None
        judges.append((spec.name, judge))
    return judges


def listed_judges(by: JudgeLike | Sequence[JudgeLike]) -> list[JudgeLike]:
    """Return one judge or several as a list."""
    return list(by) if isinstance(by, Sequence) and not isinstance(by, str) else [by]


def _parse_specs(by: JudgeLike | Sequence[JudgeLike]) -> list[Judge | Learner | JudgeSpec]:
    """Return judges, and specifications of those given by name or by a TOML file of judges."""
    specs: list[Judge | Learner | JudgeSpec] = []
    for entry in listed_judges(by):
        if isinstance(entry, str):
            specs += read_judges(Path(entry)) if entry.endswith(".toml") else [parse_judge(entry)]
        else:
            specs.append(as_judge(entry))
    return specs
