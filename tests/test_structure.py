"""The structure of the source: layers, sizes, names, language, and what an import may load."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools import structure

CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"
# The values of today. Lower a bar with each improvement; never raise one.
MAX_HOMONYMS = 0
MAX_MUTUAL_IMPORTS = 1
MAX_LINES = 76_900
MAX_STATEMENTS = 42_500
MAX_LONG_FUNCTIONS = 0
MAX_LONG_FILES = 0
MAX_LONG_LINES = 14
MAX_FORMAT_SKIPS = 0
MAX_FUNCTIONS_OVER_COMPLEXITY_20 = 0
MAX_FUNCTIONS_WITH_MANY_PARAMETERS = 8
MAX_VAGUE_NAMES = 14
MAX_PROSE_DECISIONS = 4
MAX_FORBIDDEN_WORDS = 0


def test_layers_import_downwards_and_packages_of_one_layer_do_not_import_each_other() -> None:
    assert not structure.layer_violations()
    assert not structure.private_imports()


def test_types_have_names_of_their_own() -> None:
    assert len(structure.homonyms()) <= MAX_HOMONYMS, structure.homonyms()


def test_functions_and_files_stay_readable() -> None:
    assert len(structure.long_functions()) <= MAX_LONG_FUNCTIONS, structure.long_functions()
    assert len(structure.long_files()) <= MAX_LONG_FILES, structure.long_files()
    assert len(structure.modules_beside_packages()) <= 3


@pytest.mark.parametrize(
    ("name", "bar"),
    [
        ("modules that import each other", MAX_MUTUAL_IMPORTS),
        ("lines", MAX_LINES),
        ("lines longer than 100", MAX_LONG_LINES),
        ("statements", MAX_STATEMENTS),
        ("'fmt: skip' comments", MAX_FORMAT_SKIPS),
        ("functions with more than 7 parameters", MAX_FUNCTIONS_WITH_MANY_PARAMETERS),
        ("vague local names", MAX_VAGUE_NAMES),
        ("expressions that read prose", MAX_PROSE_DECISIONS),
        ("lines with a forbidden word", MAX_FORBIDDEN_WORDS),
    ],
)
def test_measures_only_improve(measures: dict[str, int], name: str, bar: int) -> None:
    assert measures[name] <= bar


@pytest.mark.parametrize(
    ("source", "is_language"),
    [
        ("def f(token: Token) -> bool:\n    return token.text.startswith('a')", True),
        (
            "def f(s: Sentence) -> bool:\n    return any(t.text in ',;' or 'a' in t.text"
            " for t in (t for t in s.tokens[2:] if t))",
            True,
        ),
        ("def f(s: Sentence) -> bool:\n    return 'a' in s.subject(1).text.lower()", True),
        ("def f(claim: Claim) -> bool:\n    return 'a' in claim.text", False),
        ("def f(token) -> bool:\n    return 'a' in token.text", False),
    ],
)
def test_text_of_a_parsed_token_is_language_and_not_prose(
    source: str, is_language: bool, tmp_path: Path
) -> None:
    path = tmp_path / "written.py"
    path.write_text(source)
    assert bool(structure.prose_decisions([structure.Module(path)])) is not is_language


def test_functions_stay_simple() -> None:
    over = structure.complex_functions(20)
    assert len(over) <= MAX_FUNCTIONS_OVER_COMPLEXITY_20, over


@pytest.fixture(scope="module")
def measures() -> dict[str, object]:
    return dict(structure.measures())


def test_every_file_and_public_function_says_what_it_is() -> None:
    assert not structure.files_without_docstring()
    assert not structure.undocumented_functions()


def test_every_public_name_has_an_example() -> None:
    assert not structure.commands_without_example()


def test_contributing_draws_the_packages_as_they_are() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    drawing = re.search(r"```\nsrc/grice/\n(.*?)```", text, re.S)
    assert drawing is not None
    lines = [line for line in drawing[1].splitlines() if line.strip()]
    paths = []
    parents: list[str] = []
    for line in lines:
        name = line.split()[0]
        depth = (len(line) - len(line.lstrip())) // 2 - 1
        parents = [*parents[:depth], name]
        paths.append("".join(parents))
        assert len(line.split()) > 1, f"{name}: say what it holds"
    assert paths == structure.tree(), (
        "draw the tree of CONTRIBUTING.md as tools.structure.tree() gives it"
    )


@pytest.mark.parametrize("module", ["grice", "grice.cli"])
def test_importing_grice_loads_nothing_heavy(module: str) -> None:
    heavy = {
        "torch",
        "transformers",
        "onnxruntime",
        "ray",
        "spacy",
        "starlette",
        "uvicorn",
        "sqlalchemy",
    }
    heavy |= {"altair", "matplotlib", "vl_convert", "scipy", "httpx", "polars", "numpy", "pandas"}
    assert not heavy & _loaded(f"import {module}")


def test_the_command_line_starts_without_the_data_libraries() -> None:
    assert not {"polars", "numpy", "rich.progress"} & _loaded(
        "from grice.cli import build; build()"
    )


def _loaded(code: str) -> set[str]:
    command = [sys.executable, "-c", f"import sys; {code}; print(*sorted(sys.modules))"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
