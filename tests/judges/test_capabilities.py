"""What a judge can do beyond answering is declared in core.judgement, and found there alone."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import grice
from grice.core import judgement
from grice.core.judgement import CAPABILITIES, Judge, Learner
from grice.core.shelf import JUDGES

PROTOCOLS = (Judge, Learner, *CAPABILITIES)
# Members that stand for a capability: a judge with one of these has it under its declared name or
# not at all.
MEMBERS = {
    name: one.__name__ for one in CAPABILITIES for name in vars(one) if not name.startswith("_")
}
DECLARED = {name for one in PROTOCOLS for name in vars(one) if not name.startswith("_")}
# Facts about a model that only the machinery of its own room reads.
PROBED = {"candidates", "in_orders", "order_of"}
OWN = {
    "Hf": PROBED,
    "Openai": PROBED,
    "Encoder": {"outputs", "longest"},
    "St": {"embed", "sha256", "longest", "save"},
}
EXPECTED = {
    "Encoder": {"HasArithmetic", "HasNotes"},
    "Hf": {"BindsItems", "HasArithmetic", "HasNotes", "HasSurprisal", "ShowsPrompt"},
    "Openai": {
        "BindsItems",
        "EstimatesCost",
        "HasNotes",
        "HasSurprisal",
        "RunsAlone",
        "ShowsPrompt",
        "SumsUp",
        "WorksInFolder",
    },
    "Preds": {"BindsItems", "HasRecordedAnswers"},
    "St": {"HasArithmetic", "HasNotes"},
}


def provider(name: str) -> ModuleType:
    module = inspect.getmodule(JUDGES.find(name))
    assert module is not None
    return module


def judges(name: str) -> list[type]:
    """The classes of a provider that answer or learn."""
    module = provider(name)
    classes = [
        one
        for _, one in inspect.getmembers(module, inspect.isclass)
        if one.__module__ == module.__name__
    ]
    return [one for one in classes if {"judge", "fit"} & set(vars(one))]


def members(cls: type) -> set[str]:
    """Public methods and properties of a class, and the public facts that it sets when it is made."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(cls)))  # type: ignore[arg-type]
    body = next(
        node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == cls.__name__
    )
    made = {
        node.attr
        for node in ast.walk(body)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value) == "self"
    }
    methods = {
        name for name, value in vars(cls).items() if callable(value) or isinstance(value, property)
    }
    methods |= {
        name for name, value in vars(cls).items() if type(value).__name__ == "cached_property"
    }
    return {name for name in made | methods if not name.startswith("_")}


@pytest.mark.parametrize("name", JUDGES.names())
def test_what_a_judge_can_do_is_declared(name: str) -> None:
    for cls in judges(name):
        methods = {
            name
            for name, value in vars(cls).items()
            if inspect.isfunction(value) or isinstance(value, property)
        }
        public = {name for name in methods if not name.startswith("_")}
        assert public <= DECLARED | OWN.get(cls.__name__, set()), (
            f"{cls.__name__} has undeclared members"
        )


@pytest.mark.parametrize("name", JUDGES.names())
def test_each_judge_has_the_capabilities_it_is_known_for(name: str) -> None:
    for cls in judges(name):
        found = {MEMBERS[member] for member in members(cls) if member in MEMBERS}
        assert found == EXPECTED.get(cls.__name__, set()), cls.__name__


@pytest.mark.parametrize(
    ("name", "settings", "has"),
    [
        ("openai/m", {"url": "http://127.0.0.1:9/v1"}, EXPECTED["Openai"]),
        ("encoder/grice-mini", {}, EXPECTED["Encoder"]),
        ("preds/answers.jsonl", {}, EXPECTED["Preds"]),
        ("baseline/random", {}, set()),
    ],
)
def test_a_capability_is_seen_by_isinstance(
    name: str, settings: dict[str, str], has: set[str]
) -> None:
    judge: Any = grice.load_judge(name, **settings)
    assert {one.__name__ for one in CAPABILITIES if isinstance(judge, one)} == has


def test_no_capability_is_looked_up_by_its_name() -> None:
    root = Path(judgement.__file__).parents[1]
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr"):
                asked = node.args[1].value if isinstance(node.args[1], ast.Constant) else ""
                assert asked not in MEMBERS, f"{path}:{node.lineno} asks for {asked} by its name"
