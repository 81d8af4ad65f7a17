"""The plan of the house as numbers: doors, names, lengths, docstrings. `python -m tools.house` prints them."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import grice

ROOT = Path(grice.__file__).parent
# Each layer may import those before it; the rooms of one layer do not see each other.
LAYERS = (
    ("core",),
    ("theory",),
    ("models",),
    ("generate", "datasets", "mining", "checks", "judges", "learners", "collecting", "analysis", "reporting"),
    ("loading", "cluster"),
    ("papers",),
    ("profiling",),
    ("verbs",),
    ("cli",),
    ("__init__", "__main__"),
)
LEVEL = {room: level for level, layer in enumerate(LAYERS) for room in layer}
# CamelCase at the top of a module is a type by another name.
TYPE_NAME = re.compile(r"_?[A-Z][A-Za-z]*[a-z][A-Za-z]*")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of the package."""

    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        """The file as a syntax tree."""
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @property
    def place(self) -> str:
        """Its path below the package."""
        return str(self.path.relative_to(ROOT))

    @property
    def room(self) -> str:
        """The room it is in; a module beside the rooms is its own."""
        return self.path.relative_to(ROOT).parts[0].removesuffix(".py")

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.path.read_text(encoding="utf-8").count("\n")

    def imports(self) -> set[str]:
        """Modules of grice that it imports anywhere, functions included."""
        found = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
        return {name for name in found if name.startswith("grice.")}

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Functions of the module and methods of its classes, by qualified name."""
        for node in self.tree.body:
            if isinstance(node, Function):
                yield node.name, node
            elif isinstance(node, ast.ClassDef):
                yield from ((f"{node.name}.{one.name}", one) for one in node.body if isinstance(one, Function))


def modules() -> list[Module]:
    """Every file of the package."""
    return [Module(path) for path in sorted(ROOT.rglob("*.py"))]


def wrong_doors() -> list[str]:
    """Imports of a layer above, or of another room of the same layer."""
    found = []
    for module in modules():
        level = LEVEL.get(module.room, -1)
        for name in sorted(module.imports()):
            room = name.split(".")[1]
            if room == module.room or name == "grice.__version__":
                continue
            if room not in LEVEL or LEVEL[room] >= level:
                found.append(f"{module.place} imports {name}")
    return found


def private_imports() -> list[str]:
    """Modules or names with an underscore that are imported from another room."""
    return [
        f"{module.place} imports {name}"
        for module in modules()
        for name in sorted(module.imports())
        if name.split(".")[1] != module.room
        and any(part.startswith("_") and not part.startswith("__") for part in name.split("."))
    ]


def homonyms() -> dict[str, list[str]]:
    """Names of classes and types that stand for several things, and where."""
    places = defaultdict(list)
    for module in modules():
        classes = [node.name for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
        assigned = [node.targets[0] for node in module.tree.body if isinstance(node, ast.Assign)]
        types = [one.id for one in assigned if isinstance(one, ast.Name) and TYPE_NAME.fullmatch(one.id)]
        for name in (*classes, *types):
            places[name.removeprefix("_")].append(module.place)
    return {name: found for name, found in sorted(places.items()) if len(found) > 1}


def undocumented() -> list[str]:
    """Public functions and methods without a docstring."""
    return [
        f"{module.place}:{node.lineno} {name}"
        for module in modules()
        for name, node in module.functions()
        if not any(part.startswith("_") for part in name.split("."))
        and not ast.get_docstring(node)
        # An overload has the docstring of what it overloads.
        and not any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list)
    ]


def files_without_docstring() -> list[str]:
    """Files that do not say in a line what they are."""
    return [module.place for module in modules() if not ast.get_docstring(module.tree)]


def tree() -> list[str]:
    """Rooms and modules of the package and the folders of Python in each room, as CONTRIBUTING.md draws them."""
    beside = sorted(path.name for path in ROOT.glob("*.py") if path.name != "__main__.py")
    found = []
    for room in (name for layer in LAYERS for name in layer):
        if f"{room}.py" in beside:
            found.append(f"{room}.py")
        if (ROOT / room).is_dir():
            inner = sorted(path.name for path in (ROOT / room).iterdir() if (path / "__init__.py").is_file())
            # Each folder of papers/ is a paper; a new one changes no plan.
            found += [f"{room}/", *(f"{room}/{name}/" for name in (["NAME"] if room == "papers" else inner))]
    return found


def longest_function() -> tuple[int, str]:
    """The longest function, in lines, and its name."""
    lengths = [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{module.place} {node.name}")
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, Function)
    ]
    return max(lengths)


def longest_file() -> tuple[int, str]:
    """The longest file, in lines, and its name."""
    return max((module.lines, module.place) for module in modules())


def beside_the_rooms() -> list[str]:
    """Modules that are in no room."""
    return [module.place for module in modules() if module.path.parent == ROOT and "__" not in module.place]


def total_lines() -> int:
    """Lines of Python in the package."""
    return sum(module.lines for module in modules())


def verbs_without_example() -> list[str]:
    """Public verbs and nouns whose docstring has no example that runs."""
    return [
        name
        for name in grice.__all__
        if callable(getattr(grice, name)) and ">>>" not in (getattr(grice, name).__doc__ or "")
    ]


def measures() -> dict[str, object]:
    """Every number of the plan, by name."""
    return {
        "wrong doors": len(wrong_doors()),
        "private imports across rooms": len(private_imports()),
        "class names that stand for several things": len(homonyms()),
        "longest function": "{} lines: {}".format(*longest_function()),
        "longest file": "{} lines: {}".format(*longest_file()),
        "public functions without a docstring": len(undocumented()),
        "public verbs and nouns without a running example": len(verbs_without_example()),
        "modules beside the rooms": len(beside_the_rooms()),
        "lines of Python": total_lines(),
    }


if __name__ == "__main__":
    for measure, value in measures().items():
        print(f"{measure:50} {value}")
