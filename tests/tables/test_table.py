from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.analysis.frames import drawn
from tests.hand import Says, answers, pair, three

import grice
from grice.analysis.accuracy import accuracy
from grice.core.dataset import Dataset
from grice.core.errors import InputError, MissingExtra
from grice.core.scale import NLI
from grice.storage.evaluation import evaluate
from grice.storage.run import join
from grice.tables.charts import check_chart
from grice.tables.table import load_measure, tabulate
from grice.tables.tabular import EMPTY


def test_a_table_counts_by_tags_down_and_across() -> None:
    data = three()
    frame = join(
        data, answers(data, NLI.labels, "good"), answers(data, ["entailment"] * 3, "eager")
    )
    table = tabulate("t", frame, accuracy(), down="kind")
    good, eager = table.cell("a", "good"), table.cell("a", "eager")
    assert good and eager
    assert (good.value, good.n, eager.value, eager.n) == (1.0, 2, 0.5, 2)
    assert table.rows == (("a",), ("b",))


def test_judges_are_never_pooled_by_accident() -> None:
    data = three()
    frame = join(data, answers(data, NLI.labels, "a"), answers(data, NLI.labels, "b"))
    with pytest.raises(InputError, match="one judge at a time"):
        tabulate("t", frame, accuracy(), across="kind")


def test_an_item_with_several_values_counts_in_each_row() -> None:
    data = Dataset.from_items(
        "m", NLI, [replace(pair(0), tags={"c": ("and", "or")}), replace(pair(1), tags={"c": "or"})]
    )
    table = tabulate(
        "t", join(data, answers(data, ["entailment", "neutral"])), accuracy(), down="c"
    )
    one, two = table.cell("and", "hand"), table.cell("or", "hand")
    assert one and two
    assert (one.n, two.n) == (1, 2)


def test_what_was_not_answered_is_outside_n_and_told_below() -> None:
    data = three()
    frame = join(
        data,
        evaluate(data, Says({"hand/0": "entailment", "hand/1": "refused", "hand/2": "refused"})),
    )
    table = tabulate("t", frame, accuracy())
    cell = table.cell((), "says")
    assert cell
    assert (cell.value, cell.n) == (1.0, 1)
    assert table.notes == ("not answered and not counted: says: 2 refused",)


def test_an_empty_cell_is_a_dash_in_print_and_n_zero_in_json() -> None:
    data = Dataset.from_items(
        "m",
        NLI,
        [replace(pair(0), tags={"a": "x", "b": "1"}), replace(pair(1), tags={"a": "y", "b": "2"})],
    )
    table = tabulate(
        "t", join(data, answers(data, ["neutral"] * 2)), accuracy(), down="a", across="b"
    )
    assert "–" in str(table)
    assert [cell["n"] for cell in table.to_json()["cells"]] == [1, 0, 0, 1]


def test_html_escapes_what_it_shows() -> None:
    data = Dataset.from_items("m", NLI, [replace(pair(0), tags={"a": "<b>"})])
    assert (
        "&lt;b&gt;"
        in tabulate("t", join(data, answers(data, ["neutral"])), accuracy(), down="a")._repr_html_()
    )


def test_the_number_of_paradigms_stands_wherever_n_is_and_few_are_warned_of() -> None:
    items = [pair(i, "entailment", group=f"g{i // 4}", kind="ab"[i < 8]) for i in range(96)]
    data = Dataset.from_items("hand", NLI, items)
    frame = join(data, evaluate(data, Says("entailment")))
    for measure in ("accuracy", "f1"):
        table = tabulate("Right", frame, measure, down="kind")
        shown = [table.render(format) for format in ("text", "md", "tex")]
        assert all("n=88/22" in text and "n=8/2" in text for text in shown)
        assert all(
            "1 of 2 cells rest on fewer than 20 paradigms: b · says (2)" in text for text in shown
        )
        assert table.to_csv().splitlines()[0].endswith("n,low,high,paradigms")
        made = table.to_json()
        assert [cell["paradigms"] for cell in made["cells"]] == [22, 2]
        assert made["notes"][0] == "n is items/paradigms" and "fewer than 20" in made["notes"][1]
    alone = tabulate(
        "Right", frame.with_columns(pl.lit(None, pl.String).alias("group")), "accuracy"
    )
    assert (
        alone.to_json()["cells"][0]["paradigms"] == 96
        and not alone.warnings
        and "n=96" in str(alone)
    )


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
@pytest.mark.parametrize("odd_name", ["a\x00\x1b[2J\x08\ufffe", "if"])
def test_no_name_of_a_tag_ends_the_process_that_draws(
    odd_name: str, ending: str, tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    data = three()
    odd = data.frame.with_columns(pl.lit(odd_name).alias("tag.kind"))
    data = replace(data, frame=odd)
    frame = join(data, answers(data, NLI.labels, "good\x00"))
    tabulate("t", frame, accuracy(), down="kind").write_chart(tmp_path / f"a.{ending}")
    assert (tmp_path / f"a.{ending}").stat().st_size > 500


def test_a_table_says_when_a_measure_has_no_number() -> None:
    frame = drawn(6).with_columns(pl.lit("filler").alias("tag.role"))
    made = tabulate("t", frame, load_measure("projection"))
    assert list(made.cells.values()) == [None]
    assert any(note == f"{EMPTY}: {load_measure('projection').empty}" for note in made.notes)
    assert not any(
        note.startswith(EMPTY)
        for note in tabulate("t", drawn(6), load_measure("accuracy:label")).notes
    )


def test_a_chart_without_the_packages_that_draw_it_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtra, match=r"grice\[images\]"):
        check_chart(tmp_path / "a.svg")
    with pytest.raises(MissingExtra):
        grice.profile("baseline/overlap", data="quantifiers", out=tmp_path / "out", images=True)
    assert not (tmp_path / "out").exists()
    profile = grice.profile("baseline/overlap", data="quantifiers", limit=60, out=tmp_path / "out")
    assert "grice[images]" in profile.figures[0]._repr_html_()
