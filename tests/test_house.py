"""The plan of the house: who may open which door, what a reader can take in, and what an import may load."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools import house

CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"


def test_layers_open_downwards_and_rooms_do_not_open_onto_each_other() -> None:
    assert not house.wrong_doors()


def test_what_is_private_to_a_room_stays_there() -> None:
    assert not house.private_imports()


def test_few_names_of_types_stand_for_several_things() -> None:
    assert len(house.homonyms()) <= 8, house.homonyms()


def test_files_and_functions_stay_readable() -> None:
    function, file = house.longest_function(), house.longest_file()
    assert function[0] <= 60, function
    assert file[0] <= 400, file


def test_the_package_does_not_grow_without_need() -> None:
    """CONTRIBUTING says what each raise of the bar was for."""
    assert house.total_lines() <= 55_700
    assert len(house.beside_the_rooms()) <= 3


def test_every_file_and_public_function_says_what_it_is() -> None:
    assert not house.files_without_docstring()
    assert not house.undocumented()


def test_every_verb_and_noun_has_an_example() -> None:
    assert not house.verbs_without_example()


def test_the_tree_in_contributing_is_the_tree_on_the_disk() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    drawn = re.search(r"```\nsrc/grice/\n(.*?)```", text, re.S)
    assert drawn is not None
    lines = [line for line in drawn[1].splitlines() if line.strip()]
    places = []
    parents: list[str] = []
    for line in lines:
        name = line.split()[0]
        depth = (len(line) - len(line.lstrip())) // 2 - 1
        parents = [*parents[:depth], name]
        places.append("".join(parents))
        assert len(line.split()) > 1, f"{name}: say what lives there"
    assert places == house.tree(), "draw the tree of CONTRIBUTING.md as tools.house.tree() gives it"


@pytest.mark.parametrize("module", ["grice", "grice.cli"])
def test_importing_grice_loads_nothing_heavy(module: str) -> None:
    heavy = {"torch", "transformers", "onnxruntime", "ray", "spacy", "starlette", "uvicorn", "sqlalchemy"}
    heavy |= {"altair", "matplotlib", "vl_convert", "scipy", "httpx", "polars", "numpy", "pandas"}
    assert not heavy & _loaded(f"import {module}")


def test_the_command_line_starts_without_the_data_libraries() -> None:
    assert not {"polars", "numpy", "rich.progress"} & _loaded("from grice.cli import build; build()")


def _loaded(code: str) -> set[str]:
    command = [sys.executable, "-c", f"import sys; {code}; print(*sorted(sys.modules))"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
