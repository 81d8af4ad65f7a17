"""From a corpus to a file: formats, bad input, the gate, sampling, resuming, many workers."""

from __future__ import annotations

import doctest
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from grice.core.errors import Busy, InputError
from grice.core.item_file import read_items
from grice.mining import job as jobs
from grice.mining.corpora import read_records, split_sentences
from grice.mining.grammar_check import faults
from grice.mining.job import MiningJob, run_job
from grice.mining.parsers import load_parser
from grice.mining.sampling import Sampling, sampling_recipe
from grice.mining.work import Task
from grice.verbs import mine as verb
from grice.verbs.mine import mine

TEXT = """The captain refused to leave the ship.
She knew that the storm was near. He hoped to run home to the dog.
The cook and the steward were very tired.
"""


def job(
    corpus: Path, out: Path, pairer: str = "complements", sampling: Sampling | None = None
) -> MiningJob:
    return MiningJob(corpus, out, Task(pairer), sampling or Sampling())


def written(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_pair_can_be_traced_to_its_place(tmp_path: Path) -> None:
    corpus = tmp_path / "ship.txt"
    corpus.write_text(TEXT, encoding="utf-8")
    counts = run_job(job(corpus, tmp_path / "pairs.jsonl"))
    rows = written(tmp_path / "pairs.jsonl")
    assert counts["sentences"] == 4 and counts["written"] == len(rows) == 6
    lines = TEXT.splitlines()
    for row in rows:
        name, line, span = row["tags"]["source"].split(":")
        start, end = map(int, span.split("-"))
        source = lines[int(line) - 1][start:end]
        assert name == "ship.txt" and (row["premise"] == source) == (
            row["tags"]["environment"] == "positive"
        )
    assert len(read_items(tmp_path / "pairs.jsonl")) == 6


def test_text_json_conllu_gz_and_folders_are_read_alike(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_text("Ana sang.\n", encoding="utf-8")
    with gzip.open(folder / "b.jsonl.gz", "wt", encoding="utf-8") as out:
        out.write('{"text": "Ben ran. Cy sat."}\n{"sentence1": "Di swam."}\n')
    (folder / "c.conllu").write_text(
        "# text = Ed ate.\n1\tEd\tEd\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n"
        "2\tate\teat\tVERB\tVBD\t_\t0\troot\t_\t_\n\n",
        encoding="utf-8",
    )
    found = list(read_records(folder))
    assert [r.text for r in found] == ["Ana sang.", "Ben ran.", "Cy sat.", "Di swam.", "Ed ate."]
    assert not any(r.fault for r in found)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x00\x01\x02PK\x00", "binary"),
        ("Er sagte, daß er müde sei.".encode("latin-1"), "not UTF-8"),
        (b"word and " * 12_000, "a line longer than 50,000 bytes"),
        (b"", "empty file"),
    ],
)
def test_bad_input_is_counted_and_passed_over(tmp_path: Path, content: bytes, reason: str) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "bad.txt").write_bytes(content)
    (folder / "good.txt").write_text(TEXT, encoding="utf-8")
    counts = run_job(job(folder, tmp_path / "out.jsonl"))
    assert counts[f"passed over: {reason}"] == 1
    assert counts["written"] == 6


@pytest.mark.parametrize("pairer", ["complements", "conjuncts", "swaps"])
def test_emoji_nested_quotes_and_long_sentences_never_break_it(tmp_path: Path, pairer: str) -> None:
    odd = [
        "😀 and 😀 or 😀 but to that nor.",
        "“He said ‘I tried to ‘go’ and “stay”’”.",
        "and",
        "and and and or or.",
        "to to to that that.",
        "word and word " * 60,
        "x" * 3000 + " and y.",
        "(( and )) to [ that ] be.",
        "\u202eand to that\u200d.",
    ]
    corpus = tmp_path / "odd.txt"
    corpus.write_text("\n".join(odd), encoding="utf-8")
    counts = run_job(job(corpus, tmp_path / "out.jsonl", pairer))
    assert all(
        {"id", "premise", "hypothesis"} <= row.keys() for row in written(tmp_path / "out.jsonl")
    )
    assert counts["passed over: a sentence longer than 2,000 characters"] >= 1


def test_a_broken_json_line_and_a_broken_tree_are_counted(tmp_path: Path) -> None:
    corpus = tmp_path / "x.jsonl"
    corpus.write_text(
        '{"text": "She hoped to win."\n[1]\n{"n": 1}\n'
        '{"words": ["I", "hoped", "to", "go"], "xpos": [], "upos": [], "lemmas": [], "heads": [1],'
        ' "deprels": []}\n',
        encoding="utf-8",
    )
    counts = run_job(job(corpus, tmp_path / "out.jsonl"))
    assert counts["passed over: not a JSON object"] == 2
    assert counts["passed over: no field 'text'"] == 1
    assert counts["skipped: a tree that cannot be read"] == 1


def test_sentences_are_split_at_stops_but_not_behind_titles() -> None:
    line = "Dr. Smith came. He said no! “Why?” J. R. Ewing left at 5 p.m. yesterday."
    assert [line[a:b] for a, b in split_sentences(line)] == [
        "Dr. Smith came.",
        "He said no!",
        "“Why?”",
        "J. R. Ewing left at 5 p.m. yesterday.",
    ]


@pytest.mark.parametrize(
    ("source", "text", "fault"),
    [
        ('He said "no" and left.', 'He said "no and left.', "unbalanced quotes or brackets"),
        ("Ana, Ben and Cy left.", "Ana,, Ben left.", "orphan comma"),
        ("She saw the cat and the dog.", "She saw the the dog.", "a word twice"),
        ("She saw the cat and the dog.", "She saw the cat and.", "dangling end"),
        ("The cats and the dog sleep here.", "The cats sleeps here.", "no agreement"),
    ],
)
def test_the_gate_tells_what_is_wrong(source: str, text: str, fault: str) -> None:
    read = load_parser()
    assert fault in faults(read.parse_one(source), read.parse_one(text))
    assert faults(read.parse_one(source), read.parse_one(source)) == []


def test_a_sample_keeps_the_shorter_sentences_with_both_environments(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(
        "The very old man wanted to leave the small house.\nShe wanted to go home.\n"
        "He wanted to sing a song.\n",
        encoding="utf-8",
    )
    run_job(job(corpus, tmp_path / "out.jsonl", sampling=Sampling(2, shortest=True)))
    rows = written(tmp_path / "out.jsonl")
    assert {row["premise"] for row in rows if row["tags"]["environment"] == "positive"} == {
        "She wanted to go home.",
        "He wanted to sing a song.",
    }
    assert len(rows) == 4


def test_an_unknown_recipe_and_two_ways_of_sampling_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no recipe 'x'"):
        sampling_recipe("x")
    with pytest.raises(InputError, match="one of recipe, balance and each"):
        mine("conjuncts", tmp_path, out=tmp_path / "o.jsonl", balance=9, each=3)


def test_a_broken_run_goes_on_and_ends_as_an_unbroken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(TEXT * 6, encoding="utf-8")
    monkeypatch.setattr(jobs, "PART", 5)
    run_job(job(corpus, tmp_path / "whole.jsonl"))
    seen: list[int] = []

    def stop(done: int, _total: int) -> None:
        seen.append(done)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(job(corpus, tmp_path / "again.jsonl"), progress=stop)
    assert not (tmp_path / "again.jsonl").exists()
    with (tmp_path / "again.jsonl.part").open("a", encoding="utf-8") as out:
        out.write('["half a li')
    after: list[int] = []
    counts = run_job(
        job(corpus, tmp_path / "again.jsonl"), progress=lambda done, _: after.append(done)
    )
    assert after[0] > seen[-1] and counts["sentences"] == 24
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["again.jsonl", "whole.jsonl", "x.txt"]


def test_a_second_run_into_the_same_file_is_refused_and_harms_the_first_in_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(TEXT * 4, encoding="utf-8")
    monkeypatch.setattr(jobs, "PART", 5)
    run_job(job(corpus, tmp_path / "alone.jsonl"))
    refused: list[str] = []

    def second(_done: int, _total: int) -> None:
        if not refused:
            with pytest.raises(Busy, match="another process is mining into this file") as error:
                run_job(job(corpus, tmp_path / "pairs.jsonl"))
            refused.append(str(error.value))

    run_job(job(corpus, tmp_path / "pairs.jsonl"), progress=second)
    assert (
        refused
        and (tmp_path / "pairs.jsonl").read_bytes() == (tmp_path / "alone.jsonl").read_bytes()
    )


@pytest.mark.parametrize(
    "state", ["[1]", "5", '{"fingerprint": 1}', "\0", '{"parts": 1, "bytes": "x"}']
)
def test_a_damaged_note_of_an_earlier_run_is_not_gone_on_from(tmp_path: Path, state: str) -> None:
    corpus, out = tmp_path / "x.txt", tmp_path / "pairs.jsonl"
    corpus.write_text(TEXT, encoding="utf-8")
    (tmp_path / "pairs.jsonl.part").write_text("left over")
    (tmp_path / "pairs.jsonl.state").write_text(state)
    assert run_job(job(corpus, out))["written"] == len(written(out)) == 6


@pytest.mark.parametrize("out", ["folder", "."])
def test_a_folder_is_no_file_to_mine_into_and_that_is_said_before_the_work(
    tmp_path: Path, out: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match="is a folder, not a file to write"):
        run_job(
            job(tmp_path / "x.txt", tmp_path / out if out != "." else Path()),
            progress=lambda *_: pytest.fail(),
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "x.txt"]


def test_a_run_that_failed_before_its_first_part_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match="no parser is in"):
        mine(
            "conjuncts",
            tmp_path / "x.txt",
            out=tmp_path / "pairs.jsonl",
            parser=str(tmp_path),
            workers=1,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["x.txt"]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["local", "ray"])
def test_two_workers_give_the_same_bytes_as_one(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(TEXT * 4, encoding="utf-8")
    monkeypatch.setattr(jobs, "PART", 4)
    mine("conjuncts", corpus, out=tmp_path / "one.jsonl", workers=1)
    mine("conjuncts", corpus, out=tmp_path / "two.jsonl", workers=2, engine=engine)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_parts_joined_give_the_bytes_of_a_whole_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "PART", 2)
    corpus = tmp_path / "ship.txt"
    corpus.write_text(TEXT * 2 + "He hoped to win.\n" + TEXT, encoding="utf-8")
    whole, out = tmp_path / "whole.jsonl", tmp_path / "pairs.jsonl"
    counts = mine("complements", corpus, out=whole, each=1)
    for number in (3, 1):
        mine("complements", corpus, out=out, each=1, part=f"{number}/3")
    with pytest.raises(InputError, match="run it with --part 2/3"):
        mine("complements", corpus, out=out, each=1)
    part = mine("complements", corpus, out=out, part="2/3")
    assert part["sentences"] < counts["sentences"] and not out.exists()
    joined = mine("complements", corpus, out=out, each=1)
    assert out.read_bytes() == whole.read_bytes()
    assert {**joined, "file": ""} == {**counts, "file": ""}
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "pairs.jsonl",
        "ship.txt",
        "whole.jsonl",
    ]


@pytest.mark.parametrize("part", ["0/2", "3/2", "1", "a/b", "1/0"])
def test_a_part_that_is_none_is_refused(tmp_path: Path, part: str) -> None:
    with pytest.raises(InputError, match="not a part I of N"):
        mine("swaps", tmp_path, out=tmp_path / "o.jsonl", part=part)


def test_a_sample_for_people_comes_with_its_campaign(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(TEXT, encoding="utf-8")
    counts = mine("complements", corpus, out=tmp_path / "out.jsonl", review=3)
    assert len(written(tmp_path / "out.review.jsonl")) == 3
    assert "out.review.jsonl" in Path(counts["review"]).read_text(encoding="utf-8")


def test_a_missing_corpus_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        run_job(job(tmp_path / "none.txt", tmp_path / "o.jsonl"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="the folder has no"):
        run_job(job(tmp_path / "empty", tmp_path / "o.jsonl"))


def test_an_unknown_kind_of_pairs_and_an_unknown_engine_are_refused(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match="no pairer is called 'conjunct'"):
        mine("conjunct", corpus, out=tmp_path / "o.jsonl")
    with pytest.raises(InputError, match="no engine 'dask'"):
        mine("conjuncts", corpus, out=tmp_path / "o.jsonl", engine="dask")


def test_the_examples_of_the_verb_run() -> None:
    result = doctest.testmod(verb)
    assert result.attempted > 0 and result.failed == 0
