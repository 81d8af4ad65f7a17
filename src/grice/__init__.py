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
    from grice.core.dataset import Dataset as Dataset
    from grice.core.estimate import Estimate as Estimate
    from grice.core.item import Item as Item
    from grice.core.item import Question as Question
    from grice.core.judgement import Judge as Judge
    from grice.core.judgement import Judgement as Judgement
    from grice.core.judgement import Learner as Learner
    from grice.core.scale import Scale as Scale
    from grice.generate.phenomenon import Phenomenon as Phenomenon
    from grice.loading import load as load
    from grice.loading import load_judge as load_judge
    from grice.loading import read_run as read_run
    from grice.reporting.board import Board as Board
    from grice.reporting.model import Profile as Profile
    from grice.storage.evaluation import evaluate as evaluate
    from grice.storage.pool import pool as pool
    from grice.storage.run import Run as Run
    from grice.storage.run import join as join
    from grice.tables.comparison import Comparison as Comparison
    from grice.tables.paper import Exhibit as Exhibit
    from grice.tables.paper import Paper as Paper
    from grice.tables.plan import Plan as Plan
    from grice.tables.table import Measure as Measure
    from grice.tables.table import Table as Table
    from grice.tables.table import load_measure as load_measure
    from grice.tables.table import tabulate as tabulate
    from grice.verbs import collect as collect
    from grice.verbs import exchange as exchange
    from grice.verbs.board import board as board
    from grice.verbs.check import check as check
    from grice.verbs.compare import compare as compare
    from grice.verbs.export_onnx import export_onnx as export_onnx
    from grice.verbs.fetch import fetch as fetch
    from grice.verbs.gate import gate as gate
    from grice.verbs.judge import judge as judge
    from grice.verbs.list import list_names as list_names
    from grice.verbs.make import make as make
    from grice.verbs.merge import merge as merge
    from grice.verbs.methods import methods as methods
    from grice.verbs.mine import mine as mine
    from grice.verbs.pack import pack as pack
    from grice.verbs.power import power as power
    from grice.verbs.profile import profile as profile
    from grice.verbs.report import report as report
    from grice.verbs.reproduce import reproduce as reproduce
    from grice.verbs.rescore import rescore as rescore
    from grice.verbs.show import show as show
    from grice.verbs.show_prompt import show_prompt as show_prompt
    from grice.verbs.table import table as table
    from grice.verbs.train import train as train

# Where the names are. Each verb is in the module of its own name in `grice.verbs`.
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
_VERBS = (
    "board check compare export_onnx fetch gate judge make merge methods mine pack power profile"
    " report reproduce rescore show show_prompt table train"
)
# Verbs of several commands: the module has a function for each, as in `grice.collect.new`.
_SEVERAL = ("collect", "exchange")
__all__ = sorted([*_PLACES, *_VERBS.split(), *_SEVERAL])


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that `import grice` and `grice --help` stay quick."""
    if name not in __all__:
        raise AttributeError(f"module 'grice' has no attribute '{name}'")
    module = import_module(f"grice.{_PLACES.get(name, f'verbs.{name}')}")
    value = globals()[name] = module if name in _SEVERAL else getattr(module, name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
