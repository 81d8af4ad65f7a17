"""grice: what a language model takes from what is not said.

The verbs are those of the command line and take the same arguments; the nouns are what they take
and give.

>>> import grice
>>> judges = ["baseline/overlap", "baseline/majority"]
>>> runs = grice.judge("quantifiers@7", judges, limit=120, into=None)
>>> print(grice.table(runs, "accuracy:pragmatic", down="role").to_markdown(interval=False))
**accuracy:pragmatic on quantifiers@7**
...
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from grice.core.dataset import Dataset
    from grice.core.estimate import Estimate
    from grice.core.item import Item, Question
    from grice.core.judgement import Judge, Judgement, Learner
    from grice.core.scale import Scale
    from grice.generate.phenomenon import Phenomenon
    from grice.loading import load, load_judge, read_run
    from grice.reporting.board import Board
    from grice.reporting.model import Profile
    from grice.storage.evaluation import evaluate
    from grice.storage.pool import pool
    from grice.storage.run import Run, join
    from grice.tables.comparison import Comparison
    from grice.tables.paper import Exhibit, Paper
    from grice.tables.plan import Plan
    from grice.tables.table import Measure, Table, load_measure, tabulate
    from grice.verbs import collect, exchange
    from grice.verbs.board import board
    from grice.verbs.check import check
    from grice.verbs.compare import compare
    from grice.verbs.export_onnx import export_onnx
    from grice.verbs.fetch import fetch
    from grice.verbs.gate import gate
    from grice.verbs.judge import judge
    from grice.verbs.list import list_names
    from grice.verbs.make import make
    from grice.verbs.merge import merge
    from grice.verbs.methods import methods
    from grice.verbs.mine import mine
    from grice.verbs.pack import pack
    from grice.verbs.power import power
    from grice.verbs.profile import profile
    from grice.verbs.report import report
    from grice.verbs.reproduce import reproduce
    from grice.verbs.rescore import rescore
    from grice.verbs.show import show
    from grice.verbs.show_prompt import show_prompt
    from grice.verbs.table import table
    from grice.verbs.train import train

# Where the names are; each of the other verbs is in the module of its own name in `grice.verbs`.
_PLACES = {
    name: module
    for module, names in {
        "tables.comparison": "Comparison",
        "core.dataset": "Dataset",
        "core.estimate": "Estimate",
        "core.item": "Item Question",
        "core.judgement": "Judge Judgement Learner",
        "tables.paper": "Exhibit Paper",
        "tables.plan": "Plan",
        "storage.pool": "pool",
        "storage.evaluation": "evaluate",
        "storage.run": "Run join",
        "core.scale": "Scale",
        "tables.table": "Measure Table load_measure tabulate",
        "generate.phenomenon": "Phenomenon",
        "loading": "load load_judge read_run",
        "reporting.board": "Board",
        "reporting.model": "Profile",
        "verbs.list": "list_names",
    }.items()
    for name in names.split()
}
# Verbs of several commands: the module has a function for each, as in `grice.collect.new`.
_SEVERAL = ("collect", "exchange")
__all__ = [
    "Board",
    "Comparison",
    "Dataset",
    "Estimate",
    "Exhibit",
    "Item",
    "Judge",
    "Judgement",
    "Learner",
    "Measure",
    "Paper",
    "Phenomenon",
    "Plan",
    "Profile",
    "Question",
    "Run",
    "Scale",
    "Table",
    "board",
    "check",
    "collect",
    "compare",
    "evaluate",
    "exchange",
    "export_onnx",
    "fetch",
    "gate",
    "join",
    "judge",
    "list_names",
    "load",
    "load_judge",
    "load_measure",
    "make",
    "merge",
    "methods",
    "mine",
    "pack",
    "pool",
    "power",
    "profile",
    "read_run",
    "report",
    "reproduce",
    "rescore",
    "show",
    "show_prompt",
    "table",
    "tabulate",
    "train",
]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that `import grice` and `grice --help` stay quick."""
    if name not in __all__:
        raise AttributeError(f"module 'grice' has no attribute '{name}'")
    module = import_module(f"grice.{_PLACES.get(name, f'verbs.{name}')}")
    value = globals()[name] = module if name in _SEVERAL else getattr(module, name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
