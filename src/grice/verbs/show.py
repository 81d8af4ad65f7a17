"""Description of one dataset, plugin, paper, file or run: `grice show`."""

from __future__ import annotations

import inspect
from collections import Counter
from pathlib import Path
from typing import Any

from grice.core.errors import GriceError, InputError, unknown
from grice.core.files import is_file
from grice.core.shelf import DATASETS, SHELVES, own_fault, split_name
from grice.loading import FILES, load, load_data, read_runs, source
from grice.storage.run import Run
from grice.storage.run_folder import HEADER
from grice.storage.sessions import COVERED, read_notes
from grice.storage.source import Source
from grice.tables.paper import Paper


def show(name: str | Path, *, faults: bool = False, **columns: str) -> dict[str, Any]:
    """Describe a dataset, phenomenon, judge, learner, measure, paper, file or run.

    `kind/name` names the registry.

    With `faults`, each reply of a run that could not be read, with what came back. For a file,
    `premise=`, `hypothesis=`, `label=` and `labels=` are those of `load`.

    >>> found = grice.show("quantifiers")
    >>> found["kind"], len(found["items"])
    ('phenomenon', 15)
    """
    name = str(name)
    if is_file(Path(name) / HEADER):
        return _run(Path(name), faults)
    if faults:
        raise InputError(
            f"{name}: --faults lists the invalid responses of a run; pass a run folder"
        )
    if _holds_runs(Path(name)):
        rows = [run.counts() for run in read_runs(name)]
        return {"kind": "runs", "name": name, "title": f"{len(rows)} runs", "runs": rows}
    kind, _, rest = name.partition("/")
    if kind in SHELVES and rest:
        return _thing(kind, rest, columns)
    if split_name(name)[0].endswith(".py"):
        return _own(name, columns)
    if name.endswith(FILES) or (Path(name).is_dir() and kind not in DATASETS.names()):
        return _dataset(name, columns)
    for shelf_kind, shelf in SHELVES.items():
        if kind in shelf.names() and (shelf_kind in ("datasets", "phenomena") or not rest):
            return _thing(shelf_kind, name, columns)
    known = [n for shelf in SHELVES.values() for n in shelf.names()]
    raise unknown("dataset, phenomenon, judge, measure or paper", name, known)


def _own(name: str, flags: dict[str, str]) -> dict[str, Any]:
    """Describe what a user's own file defines; errors inside it are reported in one line."""
    path = split_name(name)[0]
    try:
        return _thing(_kind_of(path), name, flags)
    except Exception as error:
        raise own_fault(Path(path), error) from error


def _kind_of(path: str) -> str:
    """Return the registry that a file belongs to, by its object or return annotation."""
    from grice.generate.phenomenon import Phenomenon
    from grice.profiling.chapter import Chapter

    plugin = DATASETS.find(path)
    for plugin_type, kind in (
        (Source, "datasets"),
        (Phenomenon, "phenomena"),
        (Paper, "papers"),
        (Chapter, "chapters"),
    ):
        if isinstance(plugin, plugin_type):
            return kind
    returned = str(inspect.signature(plugin).return_annotation) if callable(plugin) else ""
    for sign, word, kind in (
        ("judge", "Judge", "judges"),
        ("fit", "Learner", "learners"),
        ("", "Measure", "measures"),
    ):
        if word in returned or (sign and callable(getattr(plugin, sign, None))):
            return kind
    raise InputError(
        f"{path}: cannot tell what '{Path(path).stem}' ({type(plugin).__name__}) is; say so, as in"
        f" 'grice show judges/{path}', or annotate what it returns"
    )


def _thing(kind: str, name: str, flags: dict[str, str]) -> dict[str, Any]:
    if kind == "datasets":
        return _dataset(name, flags)
    plugin = SHELVES[kind].find(name)
    if isinstance(plugin, Paper):
        exhibits = [{"id": e.id, "title": e.title, "notes": list(e.notes)} for e in plugin.exhibits]
        about = {
            "title": plugin.title,
            "citation": plugin.citation,
            "notes": list(plugin.notes),
            "exhibits": exhibits,
        }
        return {"kind": "paper", "name": name, **about}
    if kind == "phenomena":
        sample = [item.to_json() for item in plugin.make(1, 0).items()]
        about = {"title": plugin.kind, "what": plugin.what, "why": plugin.why, "items": sample}
        return {"kind": "phenomenon", "name": name, **about}
    if kind == "chapters":
        return {
            "kind": "chapter",
            "name": name,
            "title": plugin.title,
            "what": plugin.what,
            "good": plugin.good,
        }
    about = {
        "title": first_line(plugin),
        "about": inspect.getdoc(plugin) or "",
        "settings": _settings(plugin),
    }
    return {"kind": kind.removesuffix("s"), "name": name, **about}


def _settings(factory: Any) -> list[str]:
    """Return the parameters of a factory; of a neural learner, the settings of `-M`."""
    from grice.learners.training.learner import NeuralLearner

    if isinstance(factory, type) and issubclass(factory, NeuralLearner):
        return [
            f"{key} = {value!r}"
            for part in (factory.settings, factory.default_arguments)
            for key, value in vars(part).items()
        ]
    parameters = inspect.signature(factory).parameters.values()
    return [
        str(parameter)
        for parameter in parameters
        if parameter.name != "name" and parameter.kind != inspect.Parameter.VAR_KEYWORD
    ]


def _dataset(name: str, flags: dict[str, str]) -> dict[str, Any]:
    about: dict[str, Any] = {"kind": "dataset", "name": name}
    own, part = split_name(name)
    table = name.endswith(FILES) or (Path(name).is_dir() and own not in DATASETS.names())
    if not table:
        published = source(name)
        about |= {
            "title": published.card.title,
            **published.card.to_json(),
            "parts": list(published.parts),
        }
    try:
        data = load(name, **flags)
    except GriceError as error:
        if table or own.endswith(".py") or part not in ("", *published.parts):
            raise
        return about | {"missing": str(error)}
    return about | {
        "title": about.get("title") or data.card.title,
        **({"notes": list(data.card.notes)} if table else {}),
        "n": len(data),
        "scale": str(data.scale),
        "fingerprint": data.fingerprint,
        "readings": {reading: str(scale) for reading, scale in data.readings.items()},
        "tags": {tag: _values(data.frame[f"tag.{tag}"]) for tag in data.tags},
        "items": [item.to_json() for item in data.head(5).items()],
    }


def _values(series: Any) -> dict[str, Any]:
    flat = series.explode() if "List" in str(series.dtype) else series
    counts = Counter(flat.drop_nulls())
    return {"distinct": len(counts), "most": dict(counts.most_common(8))}


def _holds_runs(path: Path) -> bool:
    return (path.suffix == ".zip" and path.is_file()) or (
        path.is_dir() and any(path.glob(f"*/{HEADER}"))
    )


def _faults(run: Run) -> list[dict[str, Any]]:
    """Return the items with invalid responses: the reason, the question, and the response."""
    faulty = run.frame.filter(run.frame["fault"].is_not_null()).select("id", "fault", "raw")
    try:
        texts = load_data(run, as_judged=True).frame.select("id", "premise", "hypothesis")
    except GriceError:
        return faulty.to_dicts()
    return faulty.join(texts, on="id", how="left", maintain_order="left").to_dicts()


def _run(folder: Path, faults: bool) -> dict[str, Any]:
    run = Run.read(folder)
    run_notes = read_notes(folder)
    return {
        "kind": "run",
        "name": str(folder),
        "title": f"{run.judge} on {run.dataset}",
        "asked": run.asked,
        "answered": run.answered,
        "faults": run.fault_kinds,
        "open": run.open,
        "warnings": {run.warning.kind.value: run.warning.text} if run.warning else {},
        "again": dict(run.again),
        **{key: value for key, value in run_notes.items() if key not in ("notes", COVERED)},
        "notes": dict(run.notes),
        "scale": str(run.scale),
        "fingerprint": run.fingerprint,
        "settings": dict(run.settings),
        "seed": run.seed,
        "versions": dict(run.versions),
        **({"faulty": _faults(run)} if faults else {}),
    }


def first_line(value: Any) -> str:
    """Return the first line of the docstring of an object, or of its module."""
    text = inspect.getdoc(value) or inspect.getdoc(inspect.getmodule(value)) or ""
    return text.strip().split("\n")[0]
