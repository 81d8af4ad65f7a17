"""Every verb and noun of the Python face has an example, and every example gives what it says."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path
from types import ModuleType

import pytest

import grice

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run(name: str, thing: object) -> doctest.TestResults:
    """Run the examples of a docstring, those of methods included."""
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    module = (
        thing
        if isinstance(thing, ModuleType)
        else sys.modules[getattr(thing, "__module__", "grice")]
    )
    names = {**vars(module), "grice": grice}
    for test in doctest.DocTestFinder(exclude_empty=True).find(thing, name, globs=names):
        runner.run(test)
    return runner.summarize(verbose=False)


@pytest.mark.parametrize("name", grice.__all__)
def test_the_example_of_a_name_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = run(name, getattr(grice, name))
    assert tried, f"grice.{name} has no example"
    assert not failed


def test_the_example_of_the_package_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(grice.__doc__ or "", {}, "grice", None, None)
    assert test.examples
    assert not doctest.DocTestRunner(optionflags=FLAGS).run(test).failed
