"""Any file of texts or pairs is a dataset, and what is wrong with one is said with its line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

import grice
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError
from grice.core.item import Item
from grice.core.scale import LIKERT5, NLI, UNIT
from grice.datasets.formats.file import read_file

HEAD = "premise,hypothesis,label\n"


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_csv_with_the_usual_names_needs_no_flags(tmp_path: Path) -> None:
    data = grice.load(
        str(
            write(
                tmp_path / "mine.csv",
                "id,premise,hypothesis,label,topic\na,It rained.,It was wet.,entailment,rain\nb,Ann left.,Ben left.,-,\n",
            )
        )
    )
    assert data.scale == NLI
    assert data.ids == ["a", "b"]
    assert data.frame["gold.label"].to_list() == ["entailment", None]
    assert data.frame["tag.topic"].to_list() == ["rain", None]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("sentence1\tsentence2\tgold_label", ("A.", "B.", "neutral")),
        ("Sentence_A\tSentence_B\tEntailment_Judgment", ("A.", "B.", "neutral")),
        ("context\thypothesis\tanswer", ("A.", "B.", "neutral")),
    ],
)
def test_names_of_columns_are_detected(tmp_path: Path, names: str, expected: tuple[str, str, str]) -> None:
    frame = read_file(write(tmp_path / "mine.tsv", f"{names}\nA.\tB.\tNEUTRAL\nC.\tD.\tENTAILMENT\n")).frame
    assert (frame["premise"][0], frame["hypothesis"][0], frame["gold.label"][0]) == expected


def test_flags_name_columns_and_labels(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv", "q,r,verdict\nA.,B.,0\nC.,D.,2\n")
    data = read_file(path, premise="q", hypothesis="r", label="verdict", labels="yes,maybe,no")
    assert data.frame["gold.label"].to_list() == ["yes", "no"]
    assert data.scale.labels == ("yes", "maybe", "no")


def test_numbers_from_zero_to_one_are_probabilities(tmp_path: Path) -> None:
    data = read_file(write(tmp_path / "mine.csv", f"{HEAD}A.,B.,0.25\nC.,D.,1\n"))
    assert data.scale == UNIT
    assert data.frame["gold.label"].to_list() == [0.25, 1.0]


def test_other_words_are_labels_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv", "text,label\nLovely!,positive\nHm.,neutral\nAwful.,negative\n")
    data = read_file(path)
    assert data.scale.labels == ("negative", "neutral", "positive")
    assert data.frame["hypothesis"].null_count() == 3


@pytest.mark.parametrize("name", ["mine.jsonl", "mine.jsonl.gz", "mine.ndjson", "mine.csv.gz", "mine.parquet"])
def test_every_kind_of_file_gives_the_same_items(tmp_path: Path, name: str) -> None:
    rows = [
        {"premise": "A.", "hypothesis": "B.", "label": "neutral"},
        {"premise": "C.", "hypothesis": "D.", "label": "entailment"},
    ]
    path = tmp_path / name
    if name.endswith(".parquet"):
        pl.DataFrame(rows).write_parquet(path)
    elif ".csv" in name:
        write(path, gzip.compress(f"{HEAD}A.,B.,neutral\nC.,D.,entailment\n".encode()))
    else:
        text = "".join(json.dumps(row) + "\n" for row in rows).encode()
        write(path, gzip.compress(text) if name.endswith(".gz") else text)
    data = grice.load(str(path))
    assert data.frame["premise"].to_list() == ["A.", "C."]
    assert data.frame["gold.label"].to_list() == ["neutral", "entailment"]


def test_our_own_items_come_back_with_their_readings_and_tags(tmp_path: Path) -> None:
    items = [
        Item("a", "A.", "B.", {"label": "neutral", "chance": 0.3}, {"words": ("x", "y")}, "g"),
        Item("b", "C.", None, {"label": "entailment"}, {"words": ("z",)}),
    ]
    data = Dataset.from_items("mine", NLI, items, readings={"label": NLI, "chance": UNIT})
    data.write(tmp_path / "mine.jsonl")
    back = grice.load(str(tmp_path / "mine.jsonl"))
    assert back.fingerprint == data.fingerprint


def test_ratings_beyond_one_get_a_range_of_their_own(tmp_path: Path) -> None:
    items = [Item("a", "A.", "B.", {"human": -2.0}), Item("b", "C.", "D.", {"human": 1.5})]
    Dataset.from_items("mine", LIKERT5, items).write(tmp_path / "mine.jsonl")
    scale = grice.load(str(tmp_path / "mine.jsonl")).scale
    assert (scale.low, scale.high) == (-2, 2)


def test_a_byte_order_mark_and_any_line_end_are_fine(tmp_path: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        text = "\ufeff" + end.join(["premise,hypothesis,label", "A.,B.,neutral", ""])
        assert len(read_file(write(tmp_path / "mine.csv", text))) == 1


BAD: dict[str, tuple[str, str | bytes, str]] = {
    "no premise column": ("mine.csv", "eins,zwei\nA.,B.\n", r"mine.csv:1: no premise column; name one of eins, zwei with --premise"),
    "unknown label": ("mine.csv", f"{HEAD}A.,B.,entailment\nC.,D.,entails\n", r"mine.csv:3: unknown label 'entails'; the scale is"),
    "duplicate id": ("mine.csv", f"id,{HEAD}a,A.,B.,neutral\na,C.,D.,neutral\n", r"mine.csv:3: the id 'a' stands twice; ids are unique; see line 2"),
    "no id": ("mine.csv", f"id,{HEAD},A.,B.,neutral\n", r"mine.csv:2: no id in 'id'"),
    "no text": ("mine.csv", f"{HEAD}A.,,neutral\n", r"mine.csv:2: no text in 'hypothesis'; every row has a text"),
    "empty": ("mine.csv", "", r"mine.csv: the file is empty; it needs at least one row"),
    "header only": ("mine.csv", HEAD, r"mine.csv: the file is empty; it needs at least one row"),
    "encoding": ("mine.csv", f"{HEAD}A.,B.,neutral\nCaf\xe9.,D.,neutral\n".encode("latin-1"), r"mine.csv:3: byte 0xe9 is not UTF-8; save the file as UTF-8"),
    "quotes": ("mine.csv", f'{HEAD}A.,B.,neutral\n"C.,D.,neutral\nE.,F.,neutral\n', r"mine.csv:3: unbalanced quotes .*; close the quote"),
    "fields": ("mine.tsv", "premise\thypothesis\tlabel\nA.\tB.\n", r"mine.tsv:2: 2 fields where the header has 3; check delimiters"),
    "not json": ("mine.jsonl", '{"premise": "A."}\n{"premise": \n', r"mine.jsonl:2: not JSON .*; each line is one JSON object"),
    "not an object": ("mine.jsonl", '["A."]\n', r"mine.jsonl:1: not a JSON object; each line is one object"),
    "codes": ("mine.csv", f"{HEAD}A.,B.,0\nC.,D.,1\n", r"mine.csv: the labels are numbers \(0, 1\); name them with --labels"),
    "mixed": ("mine.csv", f"{HEAD}A.,B.,neutral\nC.,D.,contradiction\nE.,F.,0.5\n", r"mine.csv:4: unknown label '0.5'"),
    "own duplicate": ("mine.jsonl", '{"id": "a", "premise": "A.", "gold": {}}\n{"id": "a", "premise": "B.", "gold": {}}\n', r"mine.jsonl:2: the id 'a' stands twice; it is also on line 1"),
    "own label": ("mine.jsonl", '{"premise": "A.", "gold": {"label": "entailment"}}\n{"premise": "B.", "gold": {"label": "entails"}}\n', r"mine.jsonl:2: unknown label 'entails'; the scale is"),
    "own premise": ("mine.jsonl", '{"premise": "A.", "gold": {}}\n{"text": "B.", "gold": {}}\n', r"mine.jsonl:2: no text 'premise'"),
    "not parquet": ("mine.parquet", "premise", r"mine.parquet: not a Parquet file"),
    "not gzip": ("mine.csv.gz", "premise", r"mine.csv.gz: cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_with_place_and_remedy(tmp_path: Path, case: str) -> None:
    name, text, message = BAD[case]
    with pytest.raises(GriceError, match=message) as caught:
        grice.load(str(write(tmp_path / name, text)))
    assert "\n" not in str(caught.value)


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv", f"{HEAD}A.,B.,neutral\n")
    with pytest.raises(
        InputError, match=r"mine.csv:1: no column 'verdict'; the columns are premise, hypothesis, label"
    ):
        read_file(path, label="verdict")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").mkdir()
    with pytest.raises(InputError, match=r"mine.csv: is a folder, not a file; name the file inside it"):
        grice.load(str(tmp_path / "mine.csv"))
    with pytest.raises(InputError, match="is a folder, not a file"):
        grice.load(str(tmp_path))


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mine.csv: no such file; check the path"):
        grice.load(str(tmp_path / "mine.csv"))
