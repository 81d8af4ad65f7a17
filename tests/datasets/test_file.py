"""Any file of texts or pairs is a dataset, and what is wrong with one is said with its line."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Sequence
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
                "id,premise,hypothesis,label,topic\na,It rained.,It was wet.,entailment,rain\nb,Ann"
                " left.,Ben left.,-,\n",
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
def test_names_of_columns_are_detected(
    tmp_path: Path, names: str, expected: tuple[str, str, str]
) -> None:
    frame = read_file(
        write(tmp_path / "mine.tsv", f"{names}\nA.\tB.\tNEUTRAL\nC.\tD.\tENTAILMENT\n")
    ).frame
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
    path = write(
        tmp_path / "mine.csv", "text,label\nLovely!,positive\nHm.,neutral\nAwful.,negative\n"
    )
    data = read_file(path)
    assert data.scale.labels == ("negative", "neutral", "positive")
    assert data.frame["hypothesis"].null_count() == 3


@pytest.mark.parametrize(
    "name", ["mine.jsonl", "mine.jsonl.gz", "mine.ndjson", "mine.csv.gz", "mine.parquet"]
)
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
    "no premise column": (
        "mine.csv",
        "eins,zwei\nA.,B.\n",
        r"mine.csv:1: no premise column; name one of eins, zwei with --premise",
    ),
    "unknown label": (
        "mine.csv",
        f"{HEAD}A.,B.,entailment\nC.,D.,entails\n",
        r"mine.csv:3: unknown label 'entails'; the scale is",
    ),
    "duplicate id": (
        "mine.csv",
        f"id,{HEAD}a,A.,B.,neutral\na,C.,D.,neutral\n",
        r"mine.csv:3: duplicate id 'a' .first used on line 2.; give every item its own id",
    ),
    "no id": ("mine.csv", f"id,{HEAD},A.,B.,neutral\n", r"mine.csv:2: no id in 'id'"),
    "no text": (
        "mine.csv",
        f"{HEAD}A.,,neutral\n",
        r"mine.csv:2: no text in 'hypothesis'; every row has a text",
    ),
    "empty": ("mine.csv", "", r"mine.csv: the file is empty; it needs at least one row"),
    "header only": ("mine.csv", HEAD, r"mine.csv: the file is empty; it needs at least one row"),
    "encoding": (
        "mine.csv",
        f"{HEAD}A.,B.,neutral\nCaf\xe9.,D.,neutral\n".encode("latin-1"),
        r"mine.csv:3: byte 0xe9 is not UTF-8; save the file as UTF-8",
    ),
    "quotes": (
        "mine.csv",
        f'{HEAD}A.,B.,neutral\n"C.,D.,neutral\nE.,F.,neutral\n',
        r"mine.csv:3: unbalanced quotes .*; close the quote",
    ),
    "fields": (
        "mine.tsv",
        "premise\thypothesis\tlabel\nA.\tB.\n",
        r"mine.tsv:2: 2 fields where the header has 3; check delimiters",
    ),
    "not json": (
        "mine.jsonl",
        '{"premise": "A."}\n{"premise": \n',
        r"mine.jsonl:2: not JSON .*; each line is one JSON object",
    ),
    "not an object": (
        "mine.jsonl",
        '["A."]\n',
        r"mine.jsonl:1: not a JSON object; each row is one object",
    ),
    "codes": (
        "mine.csv",
        f"{HEAD}A.,B.,0\nC.,D.,1\n",
        (
            r"mine.csv: the labels are numbers \(0, 1\); name the labels with --labels, first the"
            r" one of 0, or the range"
        ),
    ),
    "mixed": (
        "mine.csv",
        f"{HEAD}A.,B.,neutral\nC.,D.,contradiction\nE.,F.,0.5\n",
        r"mine.csv:4: unknown label '0.5'",
    ),
    "own duplicate": (
        "mine.jsonl",
        '{"id": "a", "premise": "A.", "gold": {}}\n{"id": "a", "premise": "B.", "gold": {}}\n',
        r"mine.jsonl:2: duplicate id 'a'; it is also on line 1",
    ),
    "own label": (
        "mine.jsonl",
        (
            '{"premise": "A.", "gold": {"label": "entailment"}}\n{"premise": "B.", "gold":'
            ' {"label": "entails"}}\n'
        ),
        r"mine.jsonl:2: unknown label 'entails'; the scale is",
    ),
    "own premise": (
        "mine.jsonl",
        '{"premise": "A.", "gold": {}}\n{"text": "B.", "gold": {}}\n',
        r"mine.jsonl:2: no text 'premise'",
    ),
    "not parquet": ("mine.parquet", "premise", r"mine.parquet: not a Parquet file"),
    "not gzip": ("mine.csv.gz", "premise", r"mine.csv.gz: cannot be read"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_with_place_and_remedy(tmp_path: Path, case: str) -> None:
    name, text, message = BAD[case]
    with pytest.raises(GriceError, match=message) as caught:
        grice.load(str(write(tmp_path / name, text)))
    assert "\n" not in str(caught.value)


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv", f"{HEAD}A.,B.,neutral\n")
    with pytest.raises(
        InputError,
        match=r"mine.csv:1: no column 'verdict'; the columns are premise, hypothesis, label",
    ):
        read_file(path, label="verdict")


def test_a_folder_without_tables_and_a_run_are_no_data(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").mkdir()
    with pytest.raises(InputError, match=r"empty.csv: holds no table; name a file"):
        grice.load(str(tmp_path / "empty.csv"))
    run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into=tmp_path)
    assert run.folder is not None
    with pytest.raises(InputError, match=r"is a run, not data; read it with 'grice table'"):
        grice.load(run.folder)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mine.csv: no such file; check the path"):
        grice.load(str(tmp_path / "mine.csv"))


def gold(path: Path, **columns: str) -> dict[str, list[object]]:
    frame = grice.load(path, **columns).frame
    return {
        c.removeprefix("gold."): frame[c].to_list() for c in frame.columns if c.startswith("gold.")
    }


@pytest.mark.parametrize("sign", [";", "|", "\t"])
def test_another_sign_between_columns_is_found_and_said(
    tmp_path: Path, sign: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(
        tmp_path / "mine.csv",
        f"{HEAD}A, b.,C.,neutral\n".replace(",", sign).replace(f"A{sign}", "A,"),
    )
    assert grice.load(path).frame["premise"].to_list() == ["A, b."]
    assert "note: " in (said := capfd.readouterr().err) and "columns parted by" in said


def test_json_is_an_array_of_rows_or_an_object_of_columns(tmp_path: Path) -> None:
    rows = [
        {"premise": "A.", "hypothesis": "B.", "label": "neutral"},
        {"premise": "C.", "hypothesis": "D.", "label": "entailment"},
    ]
    for found in (
        rows,
        {"version": 1, "data": rows},
        {key: [row[key] for row in rows] for key in rows[0]},
    ):
        data = grice.load(write(tmp_path / "mine.json", json.dumps(found)))
        assert (data.frame["premise"].to_list(), data.scale) == (["A.", "C."], NLI)
    for text, said in (
        ('{"a": 1}', "no array of rows"),
        ("[1]", "not a JSON object"),
        ("[{]", ":1: not JSON"),
    ):
        with pytest.raises(InputError, match=said):
            grice.load(write(tmp_path / "mine.json", text))


def test_excel_is_read_where_its_extra_is_installed_and_asked_for_where_not(tmp_path: Path) -> None:
    try:
        from openpyxl import Workbook
    except ModuleNotFoundError:
        with pytest.raises(GriceError, match=r"pip install 'grice\[xlsx\]'"):
            grice.load(write(tmp_path / "mine.xlsx", b"PK"))
        return
    book = Workbook()
    for row in (
        ["premise", "hypothesis", "label"],
        ["A.", "B.", "neutral"],
        [None, None, None],
        ["C.", "D.", "entailment"],
    ):
        book.active.append(row)
    book.save(tmp_path / "mine.xlsx")
    assert gold(tmp_path / "mine.xlsx") == {"label": ["neutral", "entailment"]}
    with pytest.raises(InputError, match="not an Excel file"):
        grice.load(write(tmp_path / "bad.xlsx", b"PK"))


def test_a_folder_of_parts_is_one_dataset_with_the_part_as_a_tag(tmp_path: Path) -> None:
    for name in ("b", "a"):
        write(tmp_path / f"{name}.csv", f"{HEAD}A {name}.,B.,neutral\n")
    data = grice.load(tmp_path)
    assert (data.ids, data.frame["tag.part"].to_list()) == (["0", "1"], ["a", "b"])
    own = tmp_path / "own"
    for name in ("x", "y"):
        Dataset.from_items(
            name, NLI, [Item(name, "A.", "B.", {"label": "neutral"}, {"t": "1"})]
        ).write(own / f"{name}.jsonl")
    assert grice.load(own).frame["tag.part"].to_list() == ["x", "y"]


@pytest.mark.parametrize("name", ["dataset_dict.json", "dataset_info.json"])
def test_a_dataset_saved_to_disk_is_refused_with_the_way_to_parquet(
    tmp_path: Path, name: str
) -> None:
    pl.DataFrame({"premise": ["A."], "hypothesis": ["B."]}).write_ipc_stream(
        tmp_path / "data-00000-of-00001.arrow"
    )
    write(tmp_path / name, "{}")
    with pytest.raises(
        InputError, match=r"save_to_disk \(Arrow\)\. Save it as Parquet: dataset\.to_parquet"
    ):
        grice.load(tmp_path)


def test_an_arrow_file_is_refused_with_the_kinds_that_are_read(tmp_path: Path) -> None:
    pl.DataFrame({"premise": ["A."], "hypothesis": ["B."]}).write_ipc(tmp_path / "a.arrow")
    with pytest.raises(InputError, match=r"csv.*parquet"):
        grice.load(tmp_path / "a.arrow")


def test_distributions_are_gold_as_objects_and_as_columns(tmp_path: Path) -> None:
    given = [{"entailment": 0.7, "neutral": 0.3}, {"entailment": 0.5, "contradiction": 0.5}]
    rows = [{"premise": f"A{i}.", "hypothesis": "B.", "label": one} for i, one in enumerate(given)]
    found = gold(write(tmp_path / "mine.json", json.dumps(rows)))
    assert found["label"] == ["entailment", None], "a tie has no gold label"
    assert found["share_entailment"] == [0.7, 0.5] and found["share_contradiction"] == [0.0, 0.5]
    text = "premise,hypothesis,entailment,neutral,contradiction\nA.,B.,70,20,10\nC.,D.,1,1,3\n"
    found = gold(write(tmp_path / "mine.csv", text))
    assert (found["label"], found["share_neutral"]) == (["entailment", "contradiction"], [0.2, 0.2])
    with pytest.raises(
        InputError, match=r"mine.csv:2: shares sum to 0.5; they are counts, or sum to 1 or 100"
    ):
        grice.load(write(tmp_path / "mine.csv", text.replace("70,20,10", "0.2,0.2,0.1")))
    run = grice.judge(tmp_path / "mine.json", "baseline/overlap", into=None)
    cell = grice.table(run, "accuracy").cell((), "baseline/overlap")
    assert cell and cell.n == 1


def test_annotators_are_counted_together(tmp_path: Path) -> None:
    text = "premise,hypothesis,rater1,rater2,rater3\nA.,B.,yes,yes,no\nC.,D.,no,yes,\n"
    found = gold(write(tmp_path / "mine.csv", text))
    assert (found["label"], found["share_no"]) == (["yes", None], [pytest.approx(1 / 3), 0.5])
    numbers = write(tmp_path / "n.csv", "premise,hypothesis,x,y\nA.,B.,1,4\nC.,D.,7,\n")
    assert gold(numbers, label="x,y", labels="1..7") == {"label": [2.5, 7.0]}


def test_one_label_or_none_is_guessed_within_its_family_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    for label, scale in (("neutral", NLI.labels), ("Yes", ("yes", "no")), ("", NLI.labels)):
        assert grice.load(write(path, f"{HEAD}A.,B.,{label}\n")).scale.labels == scale
    with pytest.raises(
        InputError, match=r"the only label is 'odd'; name all labels with --labels odd,…"
    ):
        grice.load(write(path, f"{HEAD}A.,B.,odd\n"))
    assert gold(path, labels="odd,even") == {"label": ["odd"]}
    assert grice.load(write(path, f"{HEAD}A.,B.,3.5\nC.,D.,5\n")).scale.high == 5


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("mine.json", "[" * 50_000, "nested too deeply"),
        ("mine.json", '[{"premise": "A.", "n": ' + "9" * 5000 + "}]", "thousands of digits"),
        ("mine.json", '[{"premise": "\\ud800"}]', "lone surrogate"),
        ("mine.json", '[{"premise": "A.", "premise": "B."}]', "two values for 'premise'"),
        (
            "mine.jsonl",
            '{"premise": "A.", "label": "x", "label": "y"}',
            "mine.jsonl:1: not JSON .it has two values for 'label'",
        ),
        (
            "mine.csv",
            ",".join(f"c{n}" for n in range(150_000)) + "\n1\n",
            "no premise column|fields where the header has",
        ),
    ],
)
def test_a_table_that_would_be_read_wrongly_or_not_at_all_is_refused(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        grice.load(write(tmp_path / name, text))


def excel(path: Path, *rows: Sequence[object]) -> Path:
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_excel_with_a_cell_far_off_or_broken_within_is_read_or_refused_at_once(
    tmp_path: Path,
) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    head = ["premise", "hypothesis", "label"]
    path = excel(tmp_path / "mine.xlsx", head, ["A.", "B.", "neutral"])
    book = openpyxl.load_workbook(path)
    book.active.cell(1 << 20, 1 << 14, "far")
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(InputError, match="no text in 'premise'"):
        grice.load(tmp_path / "far.xlsx")
    with pytest.raises(InputError, match="two columns are called 'premise'"):
        grice.load(
            excel(tmp_path / "twice.xlsx", ["premise", *head], ["A.", "A.", "B.", "neutral"])
        )
    broken: dict[str, tuple[bytes, bytes]] = {
        "cut": (b"</sheetData>", b""),
        "cell": (b'r="A2"', b'r="ZZZZ2"'),
    }
    for name, (old, new) in broken.items():
        with (
            zipfile.ZipFile(path) as given,
            zipfile.ZipFile(tmp_path / f"{name}.xlsx", "w") as made,
        ):
            for member in given.namelist():
                made.writestr(
                    member,
                    (
                        given.read(member).replace(old, new)
                        if "sheet1" in member
                        else given.read(member)
                    ),
                )
        with pytest.raises(InputError, match="not an Excel file"):
            grice.load(tmp_path / f"{name}.xlsx")


def test_excel_that_unpacks_to_more_than_is_allowed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openpyxl")
    path = excel(tmp_path / "mine.xlsx", ["premise"], ["A" * 30_000])
    monkeypatch.setenv("GRICE_MAX_BYTES", "20000")
    with pytest.raises(InputError, match="more than 20,000 bytes once unpacked"):
        grice.load(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "q.jsonl",
            (
                '{"premise": "A.", "options": ["x", "y"], "answer": "x"}\n{"premise": "B.",'
                ' "answer": "y"}\n'
            ),
        ),
        ("q.json", '[{"premise": "A.", "options": ["x", "y"], "label": "x"}]'),
        ("q.csv", "premise,options,label\nA.,x|y,x\nB.,x|z,z\n"),
        (
            "own.jsonl",
            (
                '{"id": "a", "premise": "A.", "gold": {"label": "x"}, "tags": {}, "options": ["x",'
                ' "y"]}\n'
            ),
        ),
    ],
)
def test_a_file_whose_items_have_options_of_their_own_is_refused(
    tmp_path: Path, name: str, text: str
) -> None:
    with pytest.raises(InputError, match="'options'") as told:
        read_file(write(tmp_path / name, text))
    assert "\n" not in str(told.value) and name in str(told.value)
