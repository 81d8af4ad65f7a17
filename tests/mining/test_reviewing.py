"""Marks of reviewers, and what confidence becomes by them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grice.cli.mine import mine as command
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.files import escape_formula
from grice.core.item import Item
from grice.core.scale import LIKERT5, NLI
from grice.mining.fitting import read_readings
from grice.mining.reviewing import read_marks, sheet_rows
from grice.verbs.mine import mine, review_pairs

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fred", "Gus", "Hana", "Ivo", "Jo")


@pytest.fixture
def mined(tmp_path: Path) -> Path:
    corpus = tmp_path / "x.txt"
    lines = [
        f"{name} and her sister bought a car.\n{name} did not sing or dance.\n" for name in NAMES
    ]
    corpus.write_text("".join(lines), encoding="utf-8")
    mine("conjuncts", corpus, out=tmp_path / "p.jsonl", keep=0, review=1000)
    return tmp_path / "p.jsonl"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def fill(sheet: Path, wrong: str) -> None:
    """Mark every pair as right but those whose premise has a word."""
    with sheet.open(encoding="utf-8", newline="") as lines:
        filled = list(csv.DictReader(lines, delimiter="\t"))
    with sheet.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(filled[0]), delimiter="\t")
        writer.writeheader()
        writer.writerows(
            {**row, "right": "no" if wrong in row["premise"] else "yes"} for row in filled
        )


def test_ratings_are_no_marks(tmp_path: Path) -> None:
    item = Item("a", "P.", "H.", {"label": "entailment", "people": 1.5})
    readings = {"people": LIKERT5}
    path = tmp_path / "likert.jsonl"
    Dataset.from_items("hand", NLI, [item], readings=readings).write(path)
    with pytest.raises(InputError, match=r"answered 'a' with 1\.5, which is no label"):
        read_marks(path)


def test_marks_in_the_sheet_move_the_confidence_of_pairs_like_them(
    mined: Path, tmp_path: Path
) -> None:
    sheet, readings = mined.with_suffix(".review.tsv"), tmp_path / "mine.tsv"
    assert read_marks(sheet) == {}
    fill(sheet, " and ")
    args = ["review", str(mined), str(sheet), "-o", str(readings), "--json"]
    [found] = json.loads(CliRunner().invoke(command, args).stdout)
    assert (
        found["kind"] == "conjuncts"
        and found["read"] == len(rows(mined))
        and 0 < found["right"] < 1
    )
    assert (
        found["low"] < found["right"] < found["high"]
        and found["score after"] < found["score before"]
    )
    assert (
        len(read_readings(readings).pairs) == found["read"]
        and read_readings(readings).updates_shipped
    )
    again = tmp_path / "again.jsonl"
    mine("conjuncts", tmp_path / "x.txt", out=again, keep=0, reviewed=readings)
    before = {row["id"]: float(row["tags"]["confidence"]) for row in rows(mined)}
    marked = [row for row in rows(again) if " and " in row["premise"]]
    assert marked and all(float(row["tags"]["confidence"]) < before[row["id"]] for row in marked)


def test_pairs_whose_ids_begin_like_formulas_are_found_again(tmp_path: Path) -> None:
    sheet = tmp_path / "x.review.tsv"
    items = [Item("=a", "+b", "-c", {}), Item("'-a", "b", "c", {})]
    written = [list(map(escape_formula, row)) for row in sheet_rows(items)]
    assert [row[0] for row in written] == ["id", "'=a", "''-a"]
    assert written[1][4:] == ["'+b", "'-c"]
    with sheet.open("w", encoding="utf-8", newline="") as out:
        marked = ([row[0], "right" if row[0] == "id" else "yes"] for row in written)
        csv.writer(out, delimiter="\t").writerows(marked)
    assert read_marks(sheet) == {"=a": True, "'-a": True}


def test_peoples_labels_are_marks_too_and_may_stand_alone(mined: Path, tmp_path: Path) -> None:
    labelled = [
        {**row, "gold": {**row["gold"], "people": next(iter(row["gold"].values()))}}
        for row in rows(mined)
        if row["gold"]
    ]
    labelled[0]["gold"]["people"] = {"entailment": "neutral"}.get(
        labelled[0]["gold"]["people"], "entailment"
    )
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps(row) + "\n" for row in labelled), encoding="utf-8")
    assert sum(not right for right in read_marks(gold).values()) <= 1
    [found] = review_pairs(mined, gold, out=tmp_path / "mine.tsv", alone=True)
    readings = read_readings(tmp_path / "mine.tsv")
    assert found["read"] == len(labelled) == len(readings.pairs) and not readings.updates_shipped


def test_marks_that_say_nothing_or_belong_elsewhere_are_refused(
    mined: Path, tmp_path: Path
) -> None:
    sheet = tmp_path / "s.tsv"
    for content, fact in (
        ("id\tright\nx\tmaybe\n", "s.tsv:2: right is 'maybe'; write 1 or 0"),
        ("id\tright\nx\t1\n", "1 marked pairs are not in it, such as 'x'"),
        ("id\tright\nx\t\n", "no pair is marked"),
    ):
        sheet.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=fact):
            review_pairs(mined, sheet, out=tmp_path / "mine.tsv")
    (tmp_path / "mine.tsv").write_text("swaps\t1\tx\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no reading of conjuncts"):
        mine(
            "conjuncts",
            tmp_path / "x.txt",
            out=tmp_path / "o.jsonl",
            reviewed=tmp_path / "mine.tsv",
        )
    (tmp_path / "bad.tsv").write_text("swaps\tyes\tx\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad.tsv:1: no reading"):
        mine("swaps", tmp_path / "x.txt", out=tmp_path / "o.jsonl", reviewed=tmp_path / "bad.tsv")
