"""The plan of the house: who may open which door, and what an import may load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import grice

ROOT = Path(grice.__file__).parent
ROOMS = ("generate", "datasets", "mine", "judges", "collect", "analysis", "report")
FILES = sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Modules of grice that a file imports anywhere, functions included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {
                f"{node.module}.{alias.name}" for alias in node.names if node.module == "grice"
            }
    return {name for name in found if name == "grice" or name.startswith("grice.")}


def room(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.parent != ROOT], ids=lambda p: str(p.relative_to(ROOT))
)
def test_no_room_opens_onto_another(path: Path) -> None:
    here = path.relative_to(ROOT).parts[0]
    if here == "core":
        assert {room(name) for name in imports(path)} <= {"core"}
    elif here in ROOMS:
        assert {room(name) for name in imports(path)} <= {"core", here}, "a room opens onto the hall alone"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_stay_readable(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "a file says in a line what it is"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= 70, f"{node.name} has {length} lines; a function is a screen long"


@pytest.mark.parametrize("module", ["grice", "grice.loading", "grice.cli"])
def test_importing_grice_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {
        "torch",
        "transformers",
        "onnxruntime",
        "ray",
        "spacy",
        "starlette",
        "uvicorn",
        "sqlalchemy",
        "altair",
        "matplotlib",
        "scipy",
        "httpx",
    }
    assert not heavy & set(loaded)


def test_the_command_line_starts_without_the_data_libraries() -> None:
    code = "import sys; from grice.cli import build; build(); print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"polars", "numpy"} & set(loaded)
