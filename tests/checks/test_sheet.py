"""Reading sheets: blind, even, and read again with rates and agreement."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from grice.checks.sheet import QUESTIONS, read_marks, write_sheet
from grice.core.errors import InputError
from grice.loading import load
from grice.theory.readings import describe_reading
from grice.verbs.check import make_sheet, read_sheets


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def marked(sheet: Path, name: str, **marks: dict[str, str]) -> Path:
    """A copy of the sheet with all marks y, but for those given by question and number."""
    path = sheet.with_name(name)
    with path.open("w", encoding="utf-8", newline="") as file:
        filled = [
            {**row, **{q: marks.get(q, {}).get(row["number"], "y") for q in QUESTIONS}}
            for row in rows(sheet)
        ]
        writer = csv.DictWriter(file, list(filled[0]))
        writer.writeheader()
        writer.writerows(filled)
    return path


@pytest.mark.slow
def test_a_sheet_is_even_over_sets_and_phenomena_and_shows_neither(tmp_path: Path) -> None:
    sheet, key = make_sheet("quick@4", 36, tmp_path / "sheet.csv", seed=2, beside="quantifiers@9")
    shown, hidden = rows(sheet), rows(key)
    assert list(shown[0]) == [
        "number",
        "premise",
        "hypothesis",
        "reading",
        "means",
        "label",
        *QUESTIONS,
    ]
    assert Counter(row["set"] for row in hidden) == {"quick@4": 36, "quantifiers@9": 36}
    assert set(
        Counter(row["phenomenon"] for row in hidden if row["set"] == "quick@4").values()
    ) == {4}
    assert (
        [row["number"] for row in shown]
        == [row["number"] for row in hidden]
        == [str(n) for n in range(1, 73)]
    )
    items = {item.id: item for name in ("quick@4", "quantifiers@9") for item in load(name).items()}
    for row, told in zip(shown, hidden, strict=True):
        item = items[told["id"]]
        assert (row["premise"], row["hypothesis"]) == (item.premise, item.hypothesis)
        assert item.gold[row["reading"]] == row["label"]
        assert row["means"] == describe_reading(row["reading"], str(item.tags["kind"]))
    again = make_sheet("quick@4", 36, tmp_path / "again.csv", seed=2, beside="quantifiers@9")[0]
    assert again.read_text() == sheet.read_text()


def test_two_readers_have_their_rates_and_their_agreement(tmp_path: Path) -> None:
    sheet, key = make_sheet("quantifiers@9", 10, tmp_path / "sheet.csv")
    one = marked(sheet, "one.csv", plausible={"1": "n", "2": "n"})
    two = marked(sheet, "two.csv", plausible={"1": "no", "3": "N"}, label_right={"4": ""})
    table = read_sheets(key, [one, two])
    cell = table.cell(("quantifiers@9", "plausible"), "reader 1")
    assert cell is not None and (cell.value, cell.n) == (0.8, 10) and cell.low is not None
    kappa = table.cell(("all", "plausible"), "kappa")
    # 8 of 10 agree; by their habits alone 0.8 * 0.8 + 0.2 * 0.2 would.
    assert kappa is not None and kappa.value == pytest.approx((0.8 - 0.68) / 0.32)
    left = table.cell(("all", "label_right"), "reader 2")
    assert left is not None and left.n == 9


def test_a_strange_mark_and_a_foreign_key_are_named_with_their_line(tmp_path: Path) -> None:
    sheet, key = make_sheet("quantifiers@9", 4, tmp_path / "sheet.csv")
    with pytest.raises(InputError, match=r"odd\.csv:3: 'maybe' under plausible"):
        read_sheets(key, [marked(sheet, "odd.csv", plausible={"2": "maybe"})])
    more = make_sheet("quantifiers@9", 6, tmp_path / "more.csv")[0]
    with pytest.raises(InputError, match=r"more\.csv:6: pair 5 is not in sheet\.key\.csv"):
        read_sheets(key, [more])


def test_a_sheet_of_more_pairs_than_there_are_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a sheet of 2000 pairs is more than the 1500 there are"):
        make_sheet("quantifiers@9", 2000, tmp_path / "sheet.csv")


def test_a_sheet_is_a_file_and_no_folder(tmp_path: Path) -> None:
    for place in (tmp_path, Path()):
        with pytest.raises(InputError, match="is a folder, not a file to write"):
            make_sheet("quantifiers@9", 3, place)


def test_a_sheet_is_no_device_since_its_key_lies_beside_it() -> None:
    with pytest.raises(InputError, match="/dev/null: is a device or a pipe"):
        write_sheet([], Path("/dev/null"))


@pytest.mark.parametrize(
    "name", ["=cmd|'/C calc'!A0", "'=x", "''-y", "-0.5", "'", "+1", "@a", "\tb", "plain"]
)
def test_no_cell_of_a_sheet_is_a_formula_and_ids_come_back_as_they_were(
    tmp_path: Path, name: str
) -> None:
    row = {
        "number": "1",
        "premise": name,
        "hypothesis": name,
        "reading": "",
        "means": "",
        "label": name,
    }
    sheet, key = write_sheet(
        [{**row, "set": name, "phenomenon": name, "id": name}], tmp_path / "sheet.csv"
    )
    for cell in (*rows(sheet)[0].values(), *rows(key)[0].values()):
        assert not cell.startswith(("=", "+", "@", "\t")) and (
            not cell.startswith("-") or cell == "-0.5"
        )
    marks = read_marks(key, [marked(sheet, "marked.csv")])
    assert marks["id"].to_list() == marks["set"].to_list() == [name] * 3
