"""The Python face: what `import grice` offers, and that its values show themselves."""

from __future__ import annotations

import ast
import builtins
import inspect
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

import grice
from grice.cli import build
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.estimate import Estimate
from grice.core.scale import NLI
from grice.tables.comparison import Comparison, PairedDifference
from grice.tables.exhibit import ReproducedExhibit
from grice.tables.paper import Cell, Exhibit
from grice.tables.table import Table
from grice.tables.tabular import FORMATS, Tabular
from grice.verbs.check import make_sheet, plausible, read_sheets
from grice.verbs.mine import review_pairs
from grice.verbs.power import power_of_study
from grice.verbs.run_filter import RunFilter
from tests.hand import Says, answers, pair, three

# Written by hand: a point that has an interval, one without, and a cell that is empty.
TABLE = Table(
    "Right & sure",
    ("kind",),
    (("a",), ("b|c",)),
    ("one", "two"),
    {
        (("a",), "one"): Estimate(0.5, 4, 0.25, 0.75),
        (("a",), "two"): Estimate(0.25, 4),
        (("b|c",), "one"): Estimate(1.0, 2, 0.5, 1.0),
    },
    ("a note",),
)
COMPARISON = Comparison(
    "hand",
    "label",
    "one",
    "two",
    "kind",
    {"one": Estimate(0.5, 4), "two": Estimate(0.75, 4)},
    (PairedDifference("", "one", "two", Estimate(-0.25, 4, -0.5, 0.0), 1, 2, 0.5, 0.6, 2),),
)
EXHIBIT = ReproducedExhibit(
    Exhibit("Table 1", "Some numbers", lambda _bench: (), notes=("of the paper",)),
    [
        Cell("a", "BERT", published=0.5, ours=0.5, n=4, low=0.2, high=0.8, agrees=True),
        Cell("b", "BERT", reason="no data"),
    ],
    ("of ours",),
)
COMMANDS = typer.main.get_command(build()).commands  # type: ignore[attr-defined]
RESULTS: list[Tabular] = [TABLE, COMPARISON, EXHIBIT]


@pytest.mark.parametrize("name", grice.__all__)
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    assert inspect.getdoc(getattr(grice, name))


def test_dir_lists_the_face_and_nothing_shadows_a_builtin() -> None:
    assert set(dir(grice)) == {*grice.__all__, "__version__"}
    assert not set(grice.__all__) & set(dir(builtins))
    with pytest.raises(AttributeError, match="no attribute 'tabulat'"):
        _ = grice.tabulat


def test_editors_and_type_checkers_see_each_name_where_it_is_imported_from() -> None:
    tree = ast.parse(Path(grice.__file__).read_text(encoding="utf-8"))
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: f"{node.module}"
        for node in typed.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    places = {name: f"grice.{grice._PLACES.get(name, f'verbs.{name}')}" for name in grice.__all__}
    several = dict.fromkeys(grice._SEVERAL, "grice.verbs")
    assert seen == {**places, **several}


def test_every_command_is_a_verb_of_the_face() -> None:
    assert {name.replace("-", "_") for name in COMMANDS} - {"list"} <= set(grice.__all__)


# What only a command line has: printing, exit codes, questions. `--dry-run` is
# `grice.verbs.judge.forecast`. `--chart FILE` is the result's `write_chart`, `--judges FILE` is
# `by=[FILE]`.
PRINTED = {
    "chart",
    "judges",
    "help",
    "json",
    "format",
    "count",
    "digits",
    "interval",
    "out",
    "yes",
    "dry_run",
    "full",
}
# What `grice check` does instead of checking: functions of their own, each named by its flag.
INSTEAD: dict[str, dict[str, Any]] = {
    "check": {"plausible": plausible, "sheet": make_sheet, "marks": read_sheets},
    "power": {"people": power_of_study},
}


def test_every_flag_is_an_argument_of_the_verb_in_the_plural_where_it_may_be_repeated() -> None:
    for name, command in COMMANDS.items():
        verb = getattr(grice, {"list": "list_names"}.get(name, name.replace("-", "_")))
        for part, one in getattr(command, "commands", {"": command}).items():
            function: Any = (
                getattr(verb, part.replace("-", "_")) if inspect.ismodule(verb) else verb
            )
            function = review_pairs if (name, part) == ("mine", "review") else function
            others = INSTEAD.get(name, {})
            parameters = {
                word
                for made in (function, *others.values())
                for word in inspect.signature(made).parameters
            }
            flags = (
                {flag.name for flag in one.params if flag.param_type_name == "option"}
                - PRINTED
                - set(others)
            )
            if "columns" in parameters:
                flags -= {"premise", "hypothesis", "label", "labels"}
            if "keep" in parameters:
                flags -= set(RunFilter.__annotations__)
            missing = [
                flag
                for flag in flags
                if not {flag, f"{flag}s", flag.removeprefix("no_")} & parameters
            ]
            assert not missing, f"{name} {part}: {missing}"


def test_the_face_loads_nothing_until_a_name_is_used() -> None:
    code = "import sys, grice; dir(grice); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert not {"polars", "numpy", "altair", "rich", "typer", "torch"} & set(loaded.split())


def test_judging_gives_a_run_or_as_many_as_judges_and_keeps_them_where_told(tmp_path: Path) -> None:
    kept = grice.judge(three(), Says("neutral"), into=tmp_path / "runs")
    assert kept.folder and grice.read_run(str(kept.folder)).answered == 3
    runs = grice.judge(three(), ["baseline/overlap", Says("neutral")], into=None)
    assert [(run.judge, run.folder) for run in runs] == [("baseline/overlap", None), ("says", None)]
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]


def test_the_notes_of_a_judge_come_with_its_run() -> None:
    class Notes(Says):
        notes = {"cut": "1 longer than 4 tokens"}  # noqa: RUF012

    assert grice.judge(three(), Notes("neutral"), into=None).counts()["notes"] == Notes.notes
    assert "notes" not in grice.judge(three(), Says("neutral"), into=None).counts()


def test_a_keyword_that_no_dataset_takes_is_refused() -> None:
    with pytest.raises(TypeError, match="'limt'"):
        grice.judge(three(), "baseline/overlap", limt=3)  # type: ignore[call-overload]


def test_runs_in_memory_are_tabulated_and_compared_without_a_file() -> None:
    data = Dataset.from_items("nowhere", NLI, [pair(i, kind="ab"[i % 2]) for i in range(4)])
    good, eager = answers(data, ["entailment"] * 4, "good"), answers(data, ["neutral"] * 4, "eager")
    cell = grice.table([good, eager], down="kind").cell("a", "good")
    assert cell and (cell.value, cell.n) == (1.0, 2)
    found = grice.compare(good, eager, items=1)
    assert found.rows[0].difference.value == 1.0
    assert found.items[0]["eager"] == "neutral"
    both = grice.table([good, answers(three(), NLI.labels, "other")])
    assert (both.down, both.rows) == (("dataset",), (("nowhere",), ("hand",)))


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_a_result_comes_in_every_format(result: Tabular) -> None:
    for format in FORMATS:
        assert result.render(format).strip()
    with pytest.raises(InputError, match="no format 'xls'"):
        result.render("xls")
    frame = result.to_polars()
    assert frame.rows(named=True) == result.records()
    assert len(result.to_csv().splitlines()) == 1 + frame.height
    assert json.loads(json.dumps(result.to_json()))
    assert result.to_latex().count(r"\\") == 1 + len(result.grid().body)
    assert str(result) == repr(result) == result.render("text")
    assert len(result.grid(interval=False, count=False).to_text()) < len(str(result))


def test_a_table_in_words_in_markdown_and_in_latex() -> None:
    lines = str(TABLE).splitlines()
    assert lines[1].split() == ["kind", "one", "two"]
    assert "0.500 [0.250, 0.750] n=4" in lines[2] and lines[3].endswith("–")
    assert r"| b\|c | 1.00 | – |" in TABLE.to_markdown(digits=2, interval=False, count=False)
    assert r"\caption{Right \& sure}" in TABLE.to_latex()
    assert TABLE.to_csv().splitlines()[1] == "a,one,0.5,4,0.25,0.75,"


def test_an_exhibit_tells_why_a_cell_is_empty_and_how_many_agree() -> None:
    assert list(EXHIBIT.grid().notes) == [
        "printed / ours; ✓ rounds to the printed number",
        "of the paper",
        "of ours",
        "a: no data",
        "1 of 1 printed cells agree",
    ]
    assert EXHIBIT.to_json()[0]["exhibit"] == "Table 1"


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_a_chart_has_a_point_and_an_interval_for_each_number(result: Tabular) -> None:
    chart = result.plot().to_dict()
    lines, marks = chart["layer"]
    values = chart["datasets"][chart["data"]["name"]]
    assert len(values) == sum(point["value"] is not None for point in result.points())
    assert (lines["encoding"]["x"]["field"], lines["encoding"]["x2"]["field"]) == ("low", "high")
    assert {marks["encoding"][channel]["field"] for channel in ("color", "shape")} == {"series"}


def test_what_a_notebook_shows_is_escaped_and_has_the_numbers() -> None:
    shown = TABLE._repr_html_()
    assert "Right &amp; sure" in shown and "0.500<small" in shown
    data = three()
    assert "3 items" in data._repr_html_()
    assert "3 answered" in answers(data, NLI.labels, "a<b")._repr_html_()
    assert "a&lt;b" in answers(data, NLI.labels, "a<b")._repr_html_()


def test_pandas_is_used_where_it_is_and_asked_for_where_it_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(GriceError, match="pip install pandas"):
        TABLE.to_pandas()

    class Pandas:
        DataFrame: Any = staticmethod(list)

    monkeypatch.setitem(sys.modules, "pandas", Pandas)
    assert TABLE.to_pandas() == TABLE.records()


def test_a_notebook_gets_a_bar_where_widgets_can_draw_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from grice.core import progress

    monkeypatch.setattr("sys.stderr", io.StringIO())
    monkeypatch.setitem(sys.modules, "ipykernel", object())
    monkeypatch.setattr(progress, "find_spec", lambda _name: None)
    assert not progress.can_draw()
    monkeypatch.setattr(progress, "find_spec", lambda name: name)
    assert progress.can_draw()


def test_groups_are_for_what_can_be_made(tmp_path: Path) -> None:
    assert len(grice.load("quantifiers@7", groups=1)) == len(
        grice.load("quantifiers@7", groups="1")
    )
    three().write(tmp_path / "items.jsonl")
    with pytest.raises(InputError, match="leave groups out"):
        grice.load(tmp_path / "items.jsonl", groups=3)


def test_settings_of_a_judge_may_be_python_values() -> None:
    words, values = (
        grice.load_judge("openai/m", url="http://x/v1", max_tokens=n) for n in ("3", 3)
    )
    assert isinstance(words, grice.Judge) and isinstance(values, grice.Judge)
    assert words.identity == values.identity
