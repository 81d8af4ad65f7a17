"""A run at rest: every line and the header carry checksums, damage is told with its place, and
lines reach the disk.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.hand import three, wait_until

import grice
from grice.core.errors import GriceError, InputError
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.storage import response_log as lines
from grice.storage.evaluation import evaluate
from grice.storage.run import Run, join
from grice.storage.run_folder import HEADER, LINES


class Neutral:
    """Says neutral to everything."""

    name, identity = "own/neutral", {"v": 1}

    def judge(self, questions: Any, _scale: Any) -> Any:
        yield from (Judgement(question.id, "neutral") for question in questions)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = evaluate(three(), Neutral(), into=tmp_path).folder
    assert made is not None
    return made


def changed(folder: Path, name: str, change: Callable[[list[str]], list[str]]) -> None:
    kept = (folder / name).read_text().splitlines()
    (folder / name).write_text("\n".join(change(kept)) + "\n")


def test_a_whole_run_is_told_so_point_by_point(folder: Path) -> None:
    report = grice.check(str(folder))
    assert (report.n, report.failed) == (3, False)
    # The data were made by hand: what a grice elsewhere has under their name cannot be told.
    assert {one.check: one.severity for one in report.findings} == {
        "unaltered": "note",
        "data": "warning",
        "complete": "note",
        "judge": "note",
    }


def test_any_flipped_bit_of_a_line_is_found_and_its_line_told(folder: Path) -> None:
    path = folder / LINES
    whole = path.read_bytes()
    start = whole.index(b"\n") + 1
    for place in range(start, whole.index(b"\n", start)):
        for bit in (0, 3, 6):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            if damaged[place] == 10:
                continue
            path.write_bytes(damaged)
            with pytest.raises(
                GriceError, match=r"judgements\.jsonl:2: a line (not as it was written|without its)"
            ):
                Run.read(folder)
    report = grice.check(str(folder))
    assert report.failed
    assert report.findings[0].examples[0].startswith("judgements.jsonl:2: ")
    assert "the other 2 lines are whole" in report.findings[0].detail


def test_a_damaged_line_stops_a_resume_too(folder: Path, tmp_path: Path) -> None:
    changed(folder, LINES, lambda kept: [kept[0].replace("neutral", "neutrel"), *kept[1:]])
    with pytest.raises(
        GriceError, match=r"judgements\.jsonl:1: a line not as it was written .*grice check"
    ):
        evaluate(three(), Neutral(), into=tmp_path)


def test_what_can_be_saved_is_saved(folder: Path, tmp_path: Path) -> None:
    changed(folder, LINES, lambda kept: [kept[0], kept[2]])
    assert Run.read(folder).open == 1
    assert evaluate(three(), Neutral(), into=tmp_path).answered == 3


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"id": "x", "answer": "neutral"}, "without its checksum"),
        (Judgement("x", "maybe"), "is not on the scale"),
        (Judgement("unknown", "neutral"), "4 items have a reply where 3 were asked"),
    ],
)
def test_lines_of_ones_own_are_refused(folder: Path, line: Any, why: str) -> None:
    raw = lines.line_of(line).decode() if isinstance(line, Judgement) else json.dumps(line)
    changed(folder, LINES, lambda kept: [*kept, raw.strip()])
    with pytest.raises(GriceError, match=why):
        Run.read(folder)
    assert grice.check(str(folder)).failed


def test_a_reply_to_an_item_that_the_data_lacks_is_refused(folder: Path) -> None:
    raw = lines.line_of(Judgement("unknown", "neutral")).decode().strip()
    changed(folder, LINES, lambda kept: [kept[0], kept[1], raw])
    with pytest.raises(InputError, match="answers 'unknown', which"):
        join(three(), Run.read(folder))


@pytest.mark.parametrize(
    ("key", "value"), [("asked", 1), ("judge", "own/other"), ("scale", {"low": 0, "high": 1})]
)
def test_an_edited_header_is_refused(folder: Path, key: str, value: Any) -> None:
    header = json.loads((folder / HEADER).read_text())
    (folder / HEADER).write_text(json.dumps({**header, key: value}))
    with pytest.raises(GriceError, match=r"run\.json: has been changed since it was written"):
        Run.read(folder)
    assert grice.check(str(folder)).findings[0].check == "the header"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": ' * 20_000])
def test_a_header_that_is_none_is_one_line(folder: Path, content: str) -> None:
    (folder / HEADER).write_text(content)
    with pytest.raises(InputError, match=r"run\.json: (not JSON|holds no JSON object)"):
        Run.read(folder)


def test_a_run_of_an_earlier_version_is_read_as_before(folder: Path, tmp_path: Path) -> None:
    header = json.loads((folder / HEADER).read_text())
    del header["sum"]
    (folder / HEADER).write_text(json.dumps(header))
    changed(
        folder,
        LINES,
        lambda kept: [
            json.dumps({k: v for k, v in json.loads(k_).items() if k != "sum"}) for k_ in kept
        ],
    )
    assert Run.read(folder).answered == 3
    assert evaluate(three(), Neutral(), into=tmp_path).answered == 3
    assert not grice.check(str(folder)).failed
    changed(folder, LINES, lambda kept: [kept[0], "{", kept[2]])
    with pytest.raises(GriceError, match=r"judgements\.jsonl:2: a line not JSON"):
        Run.read(folder)


def test_answers_reach_the_disk_in_groups_while_the_judge_is_still_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the disk would have after a power cut is the file as it was at the last sync."""
    synced = [0]
    whole = os.fsync

    def noted(handle: int) -> None:
        whole(handle)
        if stat.S_ISREG(os.fstat(handle).st_mode):
            synced.append(os.fstat(handle).st_size)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(lines, "SYNC_SECONDS", 0.05)
    with lines.open_for_append(tmp_path / LINES) as append:
        for number in range(5):
            append(Judgement(str(number), "neutral"))
            # Nothing more comes, and it reaches the disk.
            wait_until(lambda: synced[-1] == (tmp_path / LINES).stat().st_size)
    assert len(lines.read_lines(tmp_path / LINES, NLI, checksummed=True)[0]) == 5
