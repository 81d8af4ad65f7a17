"""What is read has bounds, and what cannot be read is one line: files that never end, lines, depth,
half characters.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.hand import three

from grice.core import limits
from grice.core.errors import GriceError, InputError
from grice.core.files import read_bytes, read_json_lines, read_table, write_atomically
from grice.core.item import Question
from grice.core.item_file import read_items
from grice.core.judgement import Judgement
from grice.core.parquet import read_parquet
from grice.core.parsing import parse_json
from grice.core.scale import NLI, UNIT, Scale
from grice.datasets.formats.file import read_file
from grice.judges.providers.preds import Preds
from grice.storage.evaluation import evaluate
from grice.storage.run import Run

ZEROS = b"0" * 2_000_000


def packed(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside.csv", ZEROS)
    return path / "inside.csv"


def test_files_are_read_within_a_bound_however_they_are_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain.csv").write_bytes(ZEROS)
    (tmp_path / "small.csv.gz").write_bytes(gzip.compress(ZEROS))
    places = [tmp_path / "plain.csv", tmp_path / "small.csv.gz", packed(tmp_path / "some.zip")]
    assert {read_bytes(place) for place in places} == {ZEROS}
    monkeypatch.setenv(limits.BYTES, "1000000")
    for place in places:
        with pytest.raises(
            InputError,
            match=r"more than 1,000,000 bytes once unpacked; raise it with GRICE_MAX_BYTES",
        ):
            read_bytes(place)
    monkeypatch.setenv(limits.BYTES, "many")
    with pytest.raises(InputError, match="GRICE_MAX_BYTES is 'many', not a number of bytes"):
        read_bytes(places[0])


def test_parquet_is_read_within_the_bound_of_what_it_unpacks_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.DataFrame({"id": range(60_000), "text": ["the same text again " * 5] * 60_000})
    frame.write_parquet(tmp_path / "long.parquet", row_group_size=7_000)
    pl.DataFrame({"id": pl.repeat(1, 3_000_000, eager=True)}).write_parquet(
        tmp_path / "many.parquet"
    )
    pl.DataFrame({"id": pl.Series([], dtype=pl.Int64)}).write_parquet(tmp_path / "none.parquet")
    assert read_parquet(tmp_path / "long.parquet").equals(frame)
    assert read_parquet(tmp_path / "none.parquet").schema == {"id": pl.Int64}
    monkeypatch.setenv(limits.BYTES, "2000000")
    for name in ("long", "many"):
        assert (tmp_path / f"{name}.parquet").stat().st_size < 1_000_000
        with pytest.raises(
            InputError,
            match=r"more than 2,000,000 bytes once unpacked; raise it with GRICE_MAX_BYTES",
        ):
            read_parquet(tmp_path / f"{name}.parquet")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="a device or a pipe"):
        read_bytes(tmp_path / "pipe.csv")


@pytest.mark.parametrize(
    "raw",
    [gzip.compress(b"a" * 1000, mtime=0)[:-20], b"\x1f\x8b" + b"\x00" * 50, b"no gzip at all"],
)
def test_a_broken_gz_is_one_line(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "x.csv.gz").write_bytes(raw)
    with pytest.raises(GriceError, match=r"x\.csv\.gz: cannot be read"):
        read_bytes(tmp_path / "x.csv.gz")


def test_a_gz_with_a_bad_byte_in_the_middle_is_one_line(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress(np.random.default_rng(1).bytes(5000)))
    whole[40:60] = b"\xff" * 20
    (tmp_path / "x.csv.gz").write_bytes(whole)
    with pytest.raises(GriceError, match="cannot be read"):
        read_bytes(tmp_path / "x.csv.gz")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"premise": "\\ud800"}', "lone surrogate"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' * 100_000, "nested too deeply"),
        (f'{{"premise": "x", "gold": {{"label": {"9" * 5000}}}}}', "thousands of digits"),
        ("{", "not JSON"),
    ],
)
def test_lines_that_are_no_data_are_one_line(tmp_path: Path, line: str, why: str) -> None:
    (tmp_path / "x.jsonl").write_text(line + "\n")
    with pytest.raises(
        InputError, match=rf"x\.jsonl:1: not JSON .*{why}|x\.jsonl:1: {why}"
    ) as told:
        list(read_json_lines(tmp_path / "x.jsonl"))
    assert "\n" not in str(told.value)
    assert parse_json('"\\ud83d\\ude00"') == "\U0001f600", "a whole pair is a character"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            {"premise": "a", "gold": "entailment", "tags": {}},
            "'gold' is 'entailment'; it is an object",
        ),
        ({"premise": "a", "gold": {}, "tags": ["x"]}, r"'tags' is \['x'\]"),
        ({"premise": "a", "gold": {"label": {"a": 1}}}, "label gold {'a': 1} is no answer"),
        ({"premise": "a", "hypothesis": 3, "gold": {}}, "hypothesis 3 is no text"),
        ({"premise": "a", "gold": {"p": 10**400}}, "hundreds of digits"),
        ({"premise": "a", "gold": {"p": float("nan")}}, "nan or infinite"),
    ],
)
def test_items_of_the_wrong_shape_are_one_line(
    tmp_path: Path, line: dict[str, Any], why: str
) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps(line) + "\n")
    for read in (read_items, read_file):
        with pytest.raises(InputError, match=why if read is read_items else None):
            read(tmp_path / "x.jsonl")


def test_a_text_and_a_line_have_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.TEXT, "1000")
    (tmp_path / "x.jsonl").write_text(
        json.dumps({"id": "long", "premise": "word " * 300, "gold": {}}) + "\n"
    )
    with pytest.raises(
        InputError,
        match=r"item 'long': a premise of more than 1,000 bytes; raise it with GRICE_MAX_TEXT",
    ):
        read_items(tmp_path / "x.jsonl")
    monkeypatch.setenv(limits.LINE, "500")
    with pytest.raises(InputError, match=r"x\.jsonl:1: a line of more than 500 characters"):
        read_items(tmp_path / "x.jsonl")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("premise,label,label\na,b,c\n")
    with pytest.raises(InputError, match="two columns are called 'label'; rename one"):
        list(read_table(tmp_path / "x.csv", delimiter=",", repeated=("premise",)))
    # A published file cannot be renamed, so its reader says which column has its name twice.
    assert next(read_table(tmp_path / "x.csv", delimiter=",", repeated=("label",)))[1] == {
        "premise": "a",
        "label": "c",
    }


def test_a_number_without_end_is_on_no_scale() -> None:
    assert not UNIT.accepts(10**400)
    assert not Scale(low=0, high=1e308).accepts(10**400)


class Echo:
    """Says of everything what a server sent."""

    name, identity = "own/echo", {"said": 1}

    def judge(self, questions: Any, _scale: Scale) -> Any:
        for question in questions:
            yield Judgement(
                question.id,
                fault="unreadable: \ud800 x",
                raw=json.dumps(["\ud800"], ensure_ascii=False),
            )


@pytest.mark.parametrize("kept", [True, False])
def test_half_a_character_in_a_reply_is_kept_escaped_and_ends_no_run(
    tmp_path: Path, kept: bool
) -> None:
    data = three()
    for _ in range(2):
        run = evaluate(data, Echo(), into=tmp_path if kept else None)
        assert run.faults == 3
        assert run.frame["fault"][0] == "unreadable: \\ud800 x"
        assert json.loads(run.frame["raw"][0]) == ["\ud800"], (
            "what came back can be read again as it was"
        )
    if kept:
        assert run.folder is not None
        assert Run.read(run.folder).faults == 3


def write_array(path: Path, table: Any) -> Path:
    np.save(path, table)
    return path


@pytest.mark.parametrize(
    "make",
    [
        lambda p: write_array(p, np.array([["a", "b", "c"]])),
        lambda p: write_array(p, np.array([[1j, 0, 0]])),
        lambda p: p.write_bytes(
            b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape':"
            b" (1000000000, 9)}"
        ),
        lambda p: p.write_bytes(b"\x93NUMPY"),
        lambda p: p.write_bytes(b""),
        lambda p: p.write_bytes(zipped()),
    ],
)
def test_arrays_that_are_none_are_one_line(tmp_path: Path, make: Callable[[Path], Any]) -> None:
    make(tmp_path / "x.npy")
    with pytest.raises(GriceError, match=r"x\.npy: not "):
        Preds(str(tmp_path / "x.npy"), labels=",".join(NLI.labels)).bind(["0"], NLI)


def zipped() -> bytes:
    out = io.BytesIO()
    np.savez(out, a=np.zeros(3))
    return out.getvalue()


def test_an_answer_that_its_own_probabilities_rule_out_is_refused(tmp_path: Path) -> None:
    line = {
        "id": "0",
        "answer": "neutral",
        "probs": {"entailment": 1.0, "neutral": 0.0, "contradiction": 0.0},
    }
    (tmp_path / "x.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(InputError, match="the answer 'neutral' has the probability 0 beside it"):
        list(Preds(str(tmp_path / "x.jsonl")).judge([Question("0", "a")], NLI))


def test_what_a_killed_writer_left_is_swept_by_the_next_and_others_parts_stay(
    tmp_path: Path,
) -> None:
    out = tmp_path / "made.jsonl"
    (tmp_path / ".made.jsonl.dead.part").write_text("half")
    (tmp_path / ".other.jsonl.dead.part").write_text("another's")
    with write_atomically(out) as first, write_atomically(out) as second:
        first.write("1")
        second.write("2")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".other.jsonl.dead.part",
        "made.jsonl",
    ]
