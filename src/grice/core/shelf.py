"""Registry of plugins: file `x.py` defines `x` (a class may be `X`)."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from grice.core.errors import GriceError, InputError, bad_line, unknown


@dataclass(frozen=True)
class Shelf:
    """Registry of one kind of plugin: files of a package, entry points and a user's own file.

    With `folders`, each plugin is a folder of the package, and other files are ignored.
    """

    package: str
    kind: str
    folders: bool = False

    def names(self) -> list[str]:
        """Return the available names, without importing any of them."""
        spec = importlib.util.find_spec(self.package)
        places = list(spec.submodule_search_locations or []) if spec else []
        files = [m.name for m in pkgutil.iter_modules(places) if m.ispkg == self.folders]
        return sorted({*files, *(point.name for point in _installed(self.package))})

    def has(self, name: str) -> bool:
        """Return whether the name is available, or is the path of a user's own file."""
        return self._own(name) is not None or name in self.names()

    def _own(self, name: str) -> Path | None:
        """Return the Python file that a path names, also as a folder where plugins are folders."""
        if self.folders and "/" in name and (Path(name) / "__init__.py").is_file():
            return Path(name) / "__init__.py"
        return Path(name) if name.endswith(".py") else None

    def find(self, name: str) -> Any:
        """Return the plugin called `name`, or that of a path to a user's own file or folder."""
        if own := self._own(name):
            return _define(_from_path(own), Path(name).stem)
        for point in _installed(self.package):
            if point.name == name:
                return point.load()
        if name not in self.names():
            raise unknown(self.kind, name, self.names(), f"Your own file works too: ./{name}.py")
        return _define(importlib.import_module(f"{self.package}.{name}"), name)


@cache
def _installed(group: str) -> EntryPoints:
    """Return entry points, cached: they do not change while we run, and reading them is slow."""
    return entry_points(group=group)


def split_name(name: str) -> tuple[str, str]:
    """Split `imppres/modals` into plugin name and rest; a path is one name: `./mine.py/part`."""
    path, suffix, rest = name.partition(".py")
    if suffix and (not rest or rest.startswith("/")):
        return path + suffix, rest.removeprefix("/")
    stem, _, rest = name.partition("/")
    return stem, rest


def _define(module: ModuleType, name: str) -> Any:
    camel = "".join(part.capitalize() for part in name.split("_"))
    for candidate in (name, camel):
        if hasattr(module, candidate):
            return getattr(module, candidate)
    raise InputError(
        f"{module.__file__}: defines neither '{name}' nor '{camel}'; rename the file or the"
        " definition"
    )


def _from_path(path: Path) -> ModuleType:
    # A user's own folder may import its files: `from mine.printed import …`.
    name = path.resolve().parent.name if path.name == "__init__.py" else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InputError(f"{path}: no such file; check the path")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise own_fault(path, error) from error
    return module


def own_fault(path: Path, error: Exception) -> GriceError:
    """Return an error in a user's own file as one line; a `GriceError` is returned unchanged."""
    if isinstance(error, GriceError):
        return error
    lines = [
        at.lineno for at in extract_tb(error.__traceback__) if Path(at.filename).name == path.name
    ]
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(lines), None)
    message = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())[:200]
    return bad_line(path, line, f"{type(error).__name__}: {message}", "correct the file")


DATASETS = Shelf("grice.datasets", "dataset")
JUDGES = Shelf("grice.judges.providers", "judge")
LEARNERS = Shelf("grice.learners", "learner")
MEASURES = Shelf("grice.analysis", "measure")
PAPERS = Shelf("grice.papers", "paper", folders=True)
PHENOMENA = Shelf("grice.generate.phenomena", "phenomenon")
PAIRERS = Shelf("grice.mining.pairers", "pairer")
CHAPTERS = Shelf("grice.profiling.chapters", "chapter")
# Registries that a user may list, by the name of their kind.
SHELVES = {
    "datasets": DATASETS,
    "phenomena": PHENOMENA,
    "judges": JUDGES,
    "learners": LEARNERS,
    "measures": MEASURES,
    "papers": PAPERS,
    "chapters": CHAPTERS,
}
