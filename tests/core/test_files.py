from __future__ import annotations

import errno
import gzip
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grice.core.errors import GriceError, InputError
from grice.core.files import read_json_lines, read_table, read_text, write_atomically
from grice.core.parsing import parse_toml


def test_a_byte_order_mark_is_no_part_of_the_first_header(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes("\ufeffPremise\tLabel\nx\ty\n".encode())
    assert list(read_table(path)) == [(2, {"Premise": "x", "Label": "y"})]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_ends_a_line(tmp_path: Path, end: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(end.join(["a,b", "1,2", "3,4"]).encode())
    assert [row for _, row in read_table(path, delimiter=",")] == [
        {"a": "1", "b": "2"},
        {"a": "3", "b": "4"},
    ]


def test_quotes_mean_what_the_file_says_they_mean(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text('a\tb\n"He said ""no""."\tx\n')
    assert next(read_table(path))[1]["a"] == 'He said "no".'
    assert next(read_table(path, quoted=False))[1]["a"] == '"He said ""no""."'


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", r"a\.csv: the file is empty"),
        (b"a,b\n1,2\n1\n", r"a\.csv:3: 1 fields where the header has 2"),
        (b'a,b\n1,2\n"1,2\n3,4\n', r"a\.csv:3: unbalanced quotes"),
        (b"a,b\n1,2\n\xff,2\n", r"a\.csv:3: byte 0xff is not UTF-8"),
        (b"a,c\n1,2\n", r"a\.csv:1: no column 'b'; the columns are a, c"),
    ],
)
def test_bad_tables_name_file_line_and_remedy(tmp_path: Path, content: bytes, error: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=error):
        list(read_table(path, delimiter=",", columns=["b"]))


def test_a_folder_or_a_missing_file_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        read_text(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_text(tmp_path / "none.txt")


def test_bad_json_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n\n{"a": \n')
    with pytest.raises(InputError, match=r"a\.jsonl:3: not JSON"):
        list(read_json_lines(path))


def test_packed_files_are_read_in_place(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"hello"))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("in/a.txt", "inside")
    assert read_text(tmp_path / "a.txt.gz") == "hello"
    assert read_text(tmp_path / "a.zip" / "in" / "a.txt") == "inside"
    with pytest.raises(InputError, match="no such member"):
        read_text(tmp_path / "a.zip" / "b.txt")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"hello" * 100)[:-9])
    with pytest.raises(GriceError, match="cannot be read"):
        read_text(tmp_path / "b.txt.gz")


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), write_atomically(path) as out:
        out.write("new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "a.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(GriceError, match="No space left on device"), write_atomically(path) as out:
        out.write("new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = " + "[" * 3000 + "]" * 3000, "it is nested too deeply"),
        ("x = " + "{a=" * 3000, "it is nested too deeply"),
        ("x = " + "9" * 5000, "it holds a number of thousands of digits"),
        ("x = 0x" + "f" * 5000, "it holds a number of thousands of digits"),
        ("x = [1, {y = 0x" + "f" * 5000 + "}]", "it holds a number of thousands of digits"),
        ("x = ", "Invalid value"),
    ],
)
def test_toml_that_no_stack_or_number_can_hold_is_told_in_a_few_words(
    text: str, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        parse_toml(text)


def test_many_writers_of_one_file_at_once_do_not_sweep_away_each_others_parts(
    tmp_path: Path,
) -> None:
    def write(words: str) -> None:
        for _ in range(60):
            with write_atomically(tmp_path / "a.txt") as out:
                out.write(words * 100)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, "abcdefgh"))
    assert len(set((tmp_path / "a.txt").read_text())) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_device_takes_what_is_written_and_stays_a_device() -> None:
    with write_atomically(Path("/dev/null")) as out:
        out.write("gone")
    assert Path("/dev/null").is_char_device()
    if Path("/dev/full").exists():
        with (
            pytest.raises(GriceError, match="No space left on device"),
            write_atomically(Path("/dev/full"), binary=True) as out,
        ):
            out.write(b"x" * 10)
        assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
def test_a_pipe_gets_what_is_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit((tmp_path / "pipe").read_bytes)
        with (
            write_atomically(tmp_path / "pipe", binary=True) as out,
            zipfile.ZipFile(out, "w") as archive,
        ):
            archive.writestr("a", "b")
        (tmp_path / "got.zip").write_bytes(read.result(10))
    assert (tmp_path / "pipe").is_fifo() and zipfile.ZipFile(tmp_path / "got.zip").read("a") == b"b"


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
def test_a_link_stays_and_the_file_it_leads_to_is_replaced_whole(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for name in ("old", "new"):
        (tmp_path / name).symlink_to(Path("there") / f"{name}.txt")
    (tmp_path / "there" / "old.txt").write_text("before")
    with pytest.raises(ZeroDivisionError), write_atomically(tmp_path / "old") as out:
        out.write(str(1 / 0))
    assert (tmp_path / "old").read_text() == "before"
    for name in ("old", "new"):
        with write_atomically(tmp_path / name) as out:
            out.write("after")
        assert (tmp_path / name).is_symlink() and (
            tmp_path / "there" / f"{name}.txt"
        ).read_text() == "after"
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(GriceError, match="round"), write_atomically(tmp_path / "round") as out:
        out.write("never")
    assert (tmp_path / "round").is_symlink()
