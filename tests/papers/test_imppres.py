from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.judges.providers.preds import Preds
from grice.papers.bench import LocalBench
from grice.papers.imppres import imppres, printed
from grice.papers.imppres.annotation import read_sheets
from grice.papers.imppres.scalar import read_counts
from grice.tables.paper import Cell
from tests.hand import answers
from tests.papers.bench import HandBench

E, N, C = NLI.labels
HEADER = (
    "Dataset,Trigger,Model,Logical,spec_relation,Control,lexemes,Num Examples,Accuracy_%,accuracy"
)


def agreeing(id: str, bench: LocalBench) -> dict[tuple[str, bool | None], int]:
    return dict(Counter((cell.reading, cell.agrees) for cell in imppres.exhibit(id).cells(bench)))


def found(cells: list[Cell], row: str, judge: str, reading: str = "") -> Cell:
    return next(c for c in cells if (c.row, c.judge, c.reading) == (row, judge, reading))


@pytest.fixture(scope="module")
def bench(data_folder: Path) -> LocalBench:
    """The published files, read once for all tests."""
    assert data_folder.is_dir()
    return LocalBench()


@pytest.mark.published
@pytest.mark.parametrize("id, cells", [("Figure 5", 4), ("Figure 6", 9), ("Figure 7", 12)])
def test_every_presupposition_cell_of_the_released_models_agrees(
    id: str, cells: int, bench: LocalBench
) -> None:
    rows = imppres.exhibit(id).cells(bench)
    for model in ("BERT", "BOW"):
        assert [c.agrees for c in rows if c.judge == model] == [True] * cells
    third = [c for c in rows if c.judge == "InferSent"]
    assert len(third) == cells and all(c.published is not None for c in third)
    assert all(c.agrees is not False and (c.ours is not None or c.reason) for c in third)


@pytest.mark.published
def test_figure_7_rests_on_the_paradigms_that_pass_both_controls(bench: LocalBench) -> None:
    rows = imppres.exhibit("Figure 7").cells(bench)
    order = ("negated", "modal", "interrogative", "conditional")
    for model, counts in (("BERT", (429, 366, 391, 285)), ("BOW", (167, 106, 154, 139))):
        assert tuple(found(rows, f"{operator}, positive", model).n for operator in order) == counts
    assert found(rows, "modal, positive", "BERT").ours == pytest.approx(0.803, abs=5e-4)


@pytest.mark.published
@pytest.mark.parametrize(
    "id, expected",
    [
        (
            "Figure 2",
            {("as printed", True): 10, ("as printed", False): 26, ("corrected", True): 36},
        ),
        ("Figure 3", {("", True): 34, ("", False): 2}),
        ("Figure 4", {("", True): 15}),
        ("Figure 8", {("", True): 36}),
        ("Figure 9", {("", True): 36}),
        ("Figure 10", {("", True): 36}),
        ("Figure 11", {("", True): 36}),
        (
            "Figure 12",
            {
                ("as printed", True): 12,
                ("as printed", False): 24,
                ("corrected", True): 33,
                ("corrected", False): 3,
            },
        ),
        (
            "Figure 13",
            {("as printed", True): 33, ("as printed", False): 3, ("corrected", True): 36},
        ),
        ("Section 4", {("", True): 6, ("", False): 5}),
        ("Table 2", {("released", True): 21, ("released", False): 3, ("dec2019", True): 24}),
        ("Table 3", {("", True): 7}),
        ("Table 4", {("", True): 6}),
    ],
)
def test_cells_agree_where_the_released_counts_say_so(
    id: str, expected: dict[tuple[str, bool], int], bench: LocalBench
) -> None:
    counted = agreeing(id, bench)
    assert {key: n for key, n in counted.items() if key[1] is not None} == expected


@pytest.mark.published
def test_per_pair_and_per_scale_readings_are_both_shown(bench: LocalBench) -> None:
    rows = imppres.exhibit("Figure 3").cells(bench)
    assert found(rows, "gradable adjectives, logical", "BOW").ours == pytest.approx(
        0.1769, abs=5e-5
    )
    assert found(rows, "gradable adjectives, logical", "BOW", "per pair").ours == pytest.approx(
        0.16, abs=5e-5
    )
    corrected = imppres.exhibit("Figure 2").cells(bench)
    assert found(corrected, "numerals, opposite", "BERT", "corrected").published == 0.76


@pytest.mark.published
def test_a_third_models_file_carries_its_printed_numbers_and_another_has_none(
    bench: LocalBench, tmp_path: Path
) -> None:
    data = bench.data("imppres/presupposition")
    file = tmp_path / "third.jsonl"
    file.write_text("".join(json.dumps({"id": i, "answer": E}) + "\n" for i in data.ids))
    own = LocalBench({"InferSent": Preds(str(file)), "mine": Preds(str(file))})
    rows = imppres.exhibit("Figure 6").cells(own)
    third, mine = found(rows, "All N", "InferSent"), found(rows, "All N", "mine")
    assert (third.published, third.ours, third.n, third.agrees) == (0.67, 1.0, 100, False)
    assert (mine.published, mine.ours, mine.agrees) == (None, 1.0, None)
    empty = found(imppres.exhibit("Figure 7").cells(own), "modal, positive", "InferSent")
    assert (empty.ours, empty.n, empty.published) == (None, 0, 0.0)
    assert "no paradigm passes both controls" in empty.reason


@pytest.mark.published
def test_prediction_files_put_into_the_folder_are_the_third_model(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BERT's own files under the third name: found without a flag, and measured against the third
    model's print.
    """
    released = data_folder / "imppres"
    (tmp_path / "imppres").mkdir()
    (tmp_path / "imppres/presupposition").symlink_to(released / "presupposition")
    folder = tmp_path / "imppres/predictions/presuppositions"
    folder.mkdir(parents=True)
    for file in released.glob("predictions/presupposition*/*_bert.npy"):
        (folder / file.name.replace("_bert", "_infersent")).write_bytes(file.read_bytes())
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    rows = imppres.exhibit("Figure 5").cells(LocalBench())
    third = found(rows, "negated", "InferSent")
    assert (third.published, third.n, third.agrees) == (0.32, 900, False)
    assert third.ours == pytest.approx(1.0, abs=0.005)
    assert found(rows, "negated", "BERT").ours is None


@pytest.mark.published
def test_a_judge_that_answers_the_scalar_sets_gets_the_same_figures(bench: LocalBench) -> None:
    """One that always follows the pragmatic gold is pragmatic everywhere, numerals and determiners
    as the paper had them.
    """
    sets = [bench.data(name) for name in ("imppres/implicature", "imppres/implicature_dec2019")]
    runs = {
        data.name: [answers(data, data.frame["gold.pragmatic"].to_list(), "mine")] for data in sets
    }
    hand = HandBench(*sets, runs=runs)
    for id in ("Figure 2", "Figure 3", "Figure 12"):
        rows = [c for c in imppres.exhibit(id).cells(hand) if c.judge == "mine"]
        assert len(rows) == 12
        assert all(c.ours == 1.0 for c in rows if not c.row.endswith(", logical"))
    whole = imppres.exhibit("Figure 4").cells(hand)
    assert found(whole, "all six, neither", "mine").ours == 0.0


def test_without_any_published_file_every_exhibit_is_empty_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    for exhibit in imppres.exhibits:
        cells = exhibit.cells(LocalBench())
        assert all(cell.ours is None and cell.reason for cell in cells), exhibit.id
        if exhibit.id != "Figure 1":
            assert cells


def test_figure_1_is_an_illustration_and_says_so() -> None:
    assert imppres.exhibit("figure 1").cells(HandBench()) == []
    assert "illustration" in imppres.exhibit("Figure 1").notes[0]


def test_the_wrong_labels_are_permutations() -> None:
    assert set(printed.FIGURE_2_SETS) == set(printed.FIGURE_2_SETS.values())
    assert set(printed.FIGURE_12_CONDITIONS) == set(printed.FIGURE_12_CONDITIONS.values())
    assert sum(a != b for a, b in printed.FIGURE_2_SETS.items()) == 5
    assert sum(a != b for a, b in printed.FIGURE_12_CONDITIONS.items()) == 4


def test_scalar_counts_are_averaged_over_scales_and_pooled_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    folder = tmp_path / "imppres/predictions"
    folder.mkdir(parents=True)
    lines = [
        HEADER,
        (
            "log_gradable_verb.jsonl,gradable_verbs,Bert-Large,TRUE,implicature_PtoN,,ran -"
            " sprinted,10,100,1"
        ),
        (
            "log_gradable_verb.jsonl,gradable_verbs,Bert-Large,TRUE,implicature_PtoN,,tried -"
            " managed,30,0,0"
        ),
    ]
    (folder / "SI_results.csv").write_bytes("\r\n".join(lines).encode())
    assert read_counts(folder / "SI_results.csv")["right"].to_list() == [10.0, 0.0]
    rows = imppres.exhibit("Figure 13").cells(HandBench())
    plain, pooled = (
        found(rows, "run/not sprint, logical", "BERT", "corrected"),
        found(rows, "run/not sprint, logical", "BERT", "per pair"),
    )
    assert (plain.ours, plain.n, plain.published) == (0.5, 40, 0.33)
    assert (pooled.ours, pooled.published) == (0.25, None)


def paradigm(number: int) -> list[Item]:
    """The smallest paradigm Figure 7 can read: a plain trigger, a control and one embedded target."""
    group = f"p{number}"
    rows = (
        ("target", "unembedded", "positive", E),
        ("control", "modal", None, N),
        ("target", "modal", "positive", E),
    )
    return [
        Item(
            f"{group}/{i}",
            "It may be that the cat of Jo slept.",
            "Jo has a cat.",
            {"label": label},
            {
                "role": role,
                "operator": operator,
                "set": "only_presupposition",
                **({"presupposition": kind} if kind else {}),
            },
            group,
        )
        for i, (role, operator, kind, label) in enumerate(rows)
    ]


def test_projection_is_empty_where_no_paradigm_survives_and_counts_those_that_do() -> None:
    name = "imppres/presupposition"
    data = Dataset.from_items(name, NLI, paradigm(0) + paradigm(1))
    runs = [answers(data, [E, N, E, E, N, C], "half"), answers(data, [N, N, E, E, E, E], "none")]
    rows = imppres.exhibit("Figure 7").cells(HandBench(data, runs={name: runs}))
    half, none = found(rows, "modal, positive", "half"), found(rows, "modal, positive", "none")
    assert (half.ours, half.n) == (0.5, 2)
    assert (none.ours, none.n, none.agrees) == (None, 0, None) and "n = 0" in none.reason
    absent = found(rows, "modal, positive", "InferSent")
    assert absent.published == 0.0 and "--by InferSent=" in absent.reason


def test_a_spreadsheet_is_read_without_further_packages(tmp_path: Path) -> None:
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    sheet = (
        f'<worksheet {space}><sheetData><row><c r="E1" t="s"><v>0</v></c></row><row><c r="E2"'
        ' t="s"><v>1</v></c><c r="F2" t="s"><v>2</v></c><c r="G2"'
        ' t="s"><v>3</v></c></row><row/></sheetData></worksheet>'
    )
    path = tmp_path / "notes.xlsx"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr(
            "xl/sharedStrings.xml",
            "<sst"
            f" {space}><si><t>pairID</t></si><si><t>7c</t></si><si><t>N</t></si><si><t>Y?</t></si></sst>",
        )
        for i in (1, 2, 3):
            book.writestr(f"xl/worksheets/sheet{i}.xml", sheet)
    assert read_sheets(path) == [{"7c": (False, True)}] * 3
