"""A paper's design on fresh pairs, beside its printed numbers and the published pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.estimate import Estimate, wilson
from grice.core.item import Item
from grice.core.scale import NLI
from grice.core.shelf import PAPERS
from grice.papers.bench import LocalBench
from grice.papers.fresh import COMPARED, reproduce_on_fresh, subtract
from grice.papers.imppres.fresh import make as make_imppres
from grice.papers.veridicality.fresh import make as make_veridicality
from grice.tables.exhibit import ReproducedExhibit
from grice.tables.paper import Cell, FreshDesign
from grice.verbs.reproduce import reproduce
from tests.datasets.tiny import write_conjnli
from tests.hand import Says


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder without any published file."""
    monkeypatch.setenv("GRICE_DATA", str(tmp_path / "data"))
    return tmp_path


def find(result: ReproducedExhibit, row: str, column: str) -> Cell:
    (cell,) = [c for c in result.cells if (c.row, c.column, c.reading) == (row, column, "")]
    return cell


def test_a_difference_has_newcombes_interval() -> None:
    first, second = (Estimate(k / n, n, *wilson(k / n, n)) for k, n in ((56, 70), (48, 80)))
    difference = subtract(first, second)
    assert difference.value == pytest.approx(0.2)
    assert (difference.low, difference.high) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert subtract(first, Estimate(0.6, 80)).low is None


def test_fresh_imppres_has_the_rows_of_the_paper() -> None:
    sets = make_imppres(7, 2)
    frame = sets["imppres/presupposition"].frame
    assert frame.height == 2 * 9 * 19
    assert frame["tag.set"].n_unique() == 9 and "all_n_presupposition" in set(frame["tag.set"])
    scalar = sets["imppres/implicature"].frame
    assert scalar.height == 2 * 7 * 12 and set(scalar["tag.role"]) == {"target", "control"}
    assert sets["imppres/implicature_dec2019"].frame["tag.set"].n_unique() == 3


@pytest.mark.usefixtures("nowhere")
def test_every_figure_of_imppres_has_fresh_numbers_beside_the_printed() -> None:
    design = PAPERS.find("imppres").fresh
    assert isinstance(design, FreshDesign)
    by = {"o": "baseline/overlap"}
    compared, *figures = reproduce("imppres", by=by, into=None, on="7", groups=2)
    assert tuple(figure.exhibit.id for figure in figures) == design.exhibits
    for figure in figures:
        own = [cell for cell in figure.cells if cell.judge == "o" and cell.column.endswith("fresh")]
        assert any(cell.ours is not None for cell in own), figure.exhibit.id
        assert any(cell.published is not None for cell in figure.cells), figure.exhibit.id
    fresh = find(compared, "implicature, logical, target", "fresh")
    assert fresh.n == 2 * 7 * 6 and fresh.low is not None and fresh.kind == "yours"
    assert find(compared, "implicature, logical", "published").reason


def test_a_judge_that_follows_signatures_gets_the_expected_means() -> None:
    data = make_veridicality(7, 80)["veridicality"]
    labels = dict(zip(data.ids, data.frame["gold.signature"].cast(str), strict=True))
    bench = LocalBench({"exact": Says(labels)}, fresh={"veridicality": data})
    figure = PAPERS.find("veridicality").exhibit("Figure 1")
    means = {
        (cell.row, cell.column): cell.ours
        for cell in figure.cells(bench)
        if cell.judge == "exact" and cell.ours is not None
    }
    expected = {"+": 1.0, "-": -1.0, "o": 0.0}
    assert {row.partition(" ")[0] for row, _ in means} >= {"+/+", "+/-", "-/+", "o/o"}
    assert len(means) > 40
    for (row, side), value in means.items():
        signature = row.partition(" ")[0]
        assert value == expected[signature[0 if side == "positive" else -1]], row


def test_a_file_of_pairs_stands_for_the_papers_set(nowhere: Path) -> None:
    write_conjnli(nowhere / "data")
    pairs = nowhere / "mined.jsonl"
    rows = [
        {"id": f"m{n}", "premise": "A and B left.", "hypothesis": "A left.", "label": label}
        for n, label in enumerate(["entailment", "entailment", "neutral"])
    ]
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    by = {"always": "baseline/majority"}
    compared, *_ = reproduce("conjnli", ["Table 8"], by=by, into=None, on=str(pairs))
    assert compared.exhibit == COMPARED
    fresh = find(compared, "dev", "fresh")
    assert (fresh.n, round(fresh.ours or 0, 3)) == (3, 0.667)
    assert find(compared, "dev", "difference").ours is not None


@pytest.mark.parametrize("paper", ["pragmeval", "unli"])
def test_a_paper_without_a_design_says_so(paper: str) -> None:
    with pytest.raises(InputError, match=f"{paper} has no fresh pairs: its"):
        reproduce(paper, by={"o": "baseline/overlap"}, on="7")


def test_fresh_pairs_need_a_judge_and_an_exhibit_of_the_design() -> None:
    paper = PAPERS.find("imppres")
    with pytest.raises(InputError, match="--by"):
        reproduce_on_fresh(paper, paper.exhibits, LocalBench(), "7", 1)
    with pytest.raises(InputError, match="Table 4"):
        reproduce("imppres", ["Table 4"], by={"o": "baseline/overlap"}, into=None, on="7", groups=1)
    with pytest.raises(InputError, match="--on"):
        reproduce("imppres", groups=3)


def test_mined_conjunctions_are_scored_by_the_papers_rules_and_by_category(tmp_path: Path) -> None:
    items = [
        Item(
            str(n),
            "Ana and Ben sleep.",
            f"{name} sleeps.",
            {"heuristic": label, "boolean": "entailment"},
            {"category": category, "operation": "removed"},
        )
        for n, (name, label, category) in enumerate(
            [("Ana", "entailment", "Name + Name"), ("Ben", "neutral", "VP + VP")]
        )
    ]
    file = tmp_path / "mined.jsonl"
    Dataset.from_items("mined", NLI, items).write(file)
    compared, table = reproduce(
        "conjnli", ["Table 4"], by={"o": "baseline/overlap"}, into=None, on=str(file)
    )
    fresh = {c.row: (c.ours, c.n) for c in compared.cells if c.column == "fresh"}
    assert fresh == {"dev": (0.5, 2), "dev, removed": (0.5, 2)}
    right = {c.row: c.ours for c in table.cells if c.column == "accuracy fresh"}
    assert right == {"NP + NP": 0.0, "VP + VP": 100.0}
