"""`grice show ./mine.py`: what a user's own file defines, or the one line that says what is wrong
with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grice.core.errors import GriceError
from grice.verbs.show import show as describe

PHENOMENON = """
from grice.generate.phenomenon import Phenomenon, NewItem
def slots(words, cell):
    return {"name": ["Ana", "Bo", "Cy"]}
def build(draw):
    return [NewItem(f"{draw['name']} forgot to call.", f"{draw['name']} called.", {"label": "contradiction"}, {})]
mine = Phenomenon(name="mine", kind="veridicality", what="Forgetting.", why="Who forgot to did not.", slots=slots, build=build, rows=1)
"""
DATASET = """
from grice.core.dataset import Dataset
from grice.core.item import Card, Item
from grice.core.scale import NLI
from grice.storage.source import Source
def read(folder, part):
    return Dataset.from_items(f"mine/{part}", NLI, [Item("mine/a/0", "Ana left.", "Somebody left.", {"label": "entailment"})])
mine = Source("mine", Card("Two of mine"), ("a", "b"), read)
"""
JUDGE = """
from grice.core.judgement import Judgement
class Mine:
    \"\"\"Says neutral.\"\"\"
    name, identity = "mine", {}
    def __init__(self, name="", *, mood="good"): pass
    def judge(self, questions, scale):
        for question in questions:
            yield Judgement(question.id, "neutral")
"""
FACTORY = """
from grice.core.judgement import Judge
def mine(name: str, *, mood: str = "good") -> Judge: ...
"""
LEARNER = """
class Mine:
    \"\"\"Learns nothing.\"\"\"
    def __init__(self, *, rate="1"): pass
    def fit(self, train, dev=None): ...
"""
MEASURE = """
from grice.tables.table import Measure
def mine(reading: str = "") -> Measure:
    \"\"\"Counts.\"\"\"
    return Measure("mine", lambda frame: None)
"""
PAPER = """
from grice.tables.paper import Paper
mine = Paper("mine", "On mine", "Nobody (2020)", ())
"""


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def shown(code: str, name: str = "./mine.py") -> dict[str, Any]:
        Path("mine.py").write_text(code, encoding="utf-8")
        return describe(name)

    return shown


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        (PHENOMENON, "phenomenon", {"what": "Forgetting.", "why": "Who forgot to did not."}),
        (DATASET, "dataset", {"title": "Two of mine", "parts": ["a", "b"], "n": 1}),
        (JUDGE, "judge", {"title": "Says neutral.", "settings": ["mood='good'"]}),
        (FACTORY, "judge", {"settings": ["mood: str = 'good'"]}),
        (LEARNER, "learner", {"title": "Learns nothing.", "settings": ["rate='1'"]}),
        (MEASURE, "measure", {"title": "Counts."}),
        (PAPER, "paper", {"title": "On mine"}),
    ],
)
def test_what_a_file_defines_is_shown(
    show: Any, code: str, kind: str, said: dict[str, Any]
) -> None:
    found = show(code)
    assert found["kind"] == kind
    assert {key: found[key] for key in said} == said


def test_a_phenomenon_shows_a_group_and_a_dataset_a_part(show: Any) -> None:
    (item,) = show(PHENOMENON)["items"]
    assert item["premise"].endswith("forgot to call.")
    assert show(DATASET, "./mine.py/b")["items"][0]["hypothesis"] == "Somebody left."


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = 1\n", "defines neither 'mine' nor 'Mine'"),
        ("mine = 3\n", "cannot tell what 'mine' (int) is"),
        ("\nmine = (\n", "mine.py:2: SyntaxError: "),
        (
            "import no_such_package\n",
            "mine.py:1: ModuleNotFoundError: No module named 'no_such_package'; correct",
        ),
        (
            "from grice.core.errors import InputError\nraise InputError('out of cakes; bake')",
            "out of cakes; bake",
        ),
        (
            PHENOMENON.replace("draw['name']} called", "draw['nam']} called"),
            "mine.py:6: KeyError: 'nam'; correct",
        ),
        (
            DATASET.replace(
                "return Dataset", "raise ZeroDivisionError('by 0')\n    return Dataset"
            ),
            "mine.py:7: Zero",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(show: Any, code: str, said: str) -> None:
    with pytest.raises(GriceError) as caught:
        show(code)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(GriceError, match="no such file"):
        describe(str(tmp_path / "none.py"))


def test_a_shelf_may_be_named_for_a_file_that_does_not_say(show: Any) -> None:
    found = show("def mine(name, *, mood='good'):\n    'Judges.'\n", "judges/./mine.py")
    assert (found["kind"], found["title"]) == ("judge", "Judges.")
