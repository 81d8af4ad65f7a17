"""Faults asked again in the run that has them: the last line of an item holds, and no answer is
asked twice.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.hand import pair, three

from grice.core.dataset import Dataset
from grice.core.errors import Busy, InputError
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Scale
from grice.storage.evaluation import evaluate, unasked_questions
from grice.storage.run import Run
from grice.storage.run_folder import LINES, lock_run


class Moody:
    """A judge whose replies change from call to call while it stays the same judge."""

    name = "moody"

    def __init__(self) -> None:
        self.identity: dict[str, Any] = {}
        self.asked: list[str] = []
        self.replies: dict[str, str] = {}

    def says(self, *replies: str) -> Moody:
        self.asked = []
        self.replies = {f"hand/{i}": reply for i, reply in enumerate(replies)}
        return self

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        for question in questions:
            self.asked.append(question.id)
            reply = self.replies[question.id]
            yield (
                Judgement(question.id, reply)
                if reply in scale.labels
                else Judgement(question.id, fault=reply)
            )


def lines(run: Run) -> list[dict[str, Any]]:
    assert run.folder
    return [json.loads(line) for line in (run.folder / LINES).read_bytes().splitlines()]


def test_only_faults_are_asked_again_and_the_last_reply_holds(tmp_path: Path) -> None:
    data, judge = three(), Moody()
    first = evaluate(data, judge.says("neutral", "timeout: 60 s", "refused: no"), into=tmp_path)
    before = lines(first)
    run = evaluate(
        data,
        judge.says("neutral", "entailment", "refused: still no"),
        into=tmp_path,
        again="faults",
    )
    assert judge.asked == ["hand/1", "hand/2"]
    assert run.folder == first.folder
    assert (run.asked, run.answered, run.faults, run.open) == (3, 2, 1, 0)
    assert run.again == {"asked again": 2, "answered now": 1, "still faulted": 1}
    assert dict(zip(run.frame["id"], run.frame["fault"], strict=True)) == {
        "hand/0": None,
        "hand/1": None,
        "hand/2": "refused: still no",
    }
    assert lines(run)[:3] == before, "what was written stays"
    assert first.again == {}


def test_without_the_word_no_fault_is_asked_again(tmp_path: Path) -> None:
    data, judge = three(), Moody()
    evaluate(data, judge.says("neutral", "timeout: 60 s", "refused"), into=tmp_path)
    run = evaluate(data, judge.says(), into=tmp_path)
    assert (judge.asked, run.faults, run.again) == ([], 2, {})


@pytest.mark.parametrize(
    ("kinds", "asked"),
    [
        ("timeout", ["hand/0"]),
        ("http", ["hand/1"]),
        ("http 503", ["hand/1"]),
        ("http 500", []),
        ("timeout, http", ["hand/0", "hand/1"]),
        ("faults", ["hand/0", "hand/1", "hand/2"]),
    ],
)
def test_a_kind_is_named_as_it_is_printed_or_by_its_first_word(
    tmp_path: Path, kinds: str, asked: list[str]
) -> None:
    data, judge = three(), Moody()
    evaluate(data, judge.says("timeout: 60 s", "http 503: busy", "refused"), into=tmp_path)
    assert [q.id for q in unasked_questions(data, judge, into=tmp_path, again=kinds)] == asked
    evaluate(data, judge.says(*["neutral"] * 3), into=tmp_path, again=kinds)
    assert judge.asked == asked


def test_asking_again_goes_with_a_limit_and_with_open_items(tmp_path: Path) -> None:
    data, judge = three(), Moody()
    evaluate(data, judge.says("refused", "refused", "refused"), into=tmp_path, limit=2)
    two = judge.asked
    run = evaluate(
        data, judge.says("neutral", "neutral", "neutral"), into=tmp_path, limit=1, again="faults"
    )
    assert (len(judge.asked), run.answered, run.faults, run.open) == (1, 1, 1, 1)
    assert set(judge.asked) < set(two)
    run = evaluate(data, judge, into=tmp_path, again="faults")
    assert sorted(judge.asked) == ["hand/0", "hand/1", "hand/2"]
    assert (run.answered, run.open, run.again["asked again"]) == (3, 0, 2)


def test_a_kind_of_fault_that_there_is_not_is_refused(tmp_path: Path) -> None:
    data, judge = three(), Moody()
    evaluate(data, judge.says("neutral", "own kind: 1", "timeout: 60 s"), into=tmp_path)
    with pytest.raises(InputError, match=r"'tiemout'.*'timeout'"):
        evaluate(data, judge.says("neutral", "neutral", "neutral"), into=tmp_path, again="tiemout")
    for odd in ("http,tiemout", "htt", "busy"):
        with pytest.raises(InputError, match="kind of fault"):
            unasked_questions(data, judge, into=tmp_path, again=odd)
    assert [
        one.id for one in unasked_questions(data, judge, into=tmp_path, again="own kind,refused")
    ] == ["hand/1"]


def test_a_line_torn_while_asking_again_leaves_the_fault_and_is_asked_again(tmp_path: Path) -> None:
    data, judge = three(), Moody()
    evaluate(data, judge.says("neutral", "neutral", "timeout: 60 s"), into=tmp_path)
    run = evaluate(data, judge.says("", "", "entailment"), into=tmp_path, again="timeout")
    assert run.folder
    path = run.folder / LINES
    whole = path.read_bytes()
    for cut in range(whole.rfind(b"\n", 0, -1) + 2, len(whole)):
        path.write_bytes(whole[:cut])
        torn = Run.read(run.folder)
        assert (torn.answered, torn.fault_kinds, torn.again) == (2, {"timeout": 1}, {})
        evaluate(data, judge.says("", "", "entailment"), into=tmp_path, again="timeout")
        assert judge.asked == ["hand/2"]
        assert path.read_bytes() == whole


def test_one_process_at_a_time_asks_again(tmp_path: Path) -> None:
    data, judge = three(), Moody()
    folder = evaluate(data, judge.says("refused", "refused", "refused"), into=tmp_path).folder
    assert folder
    with lock_run(folder), pytest.raises(Busy, match="another process"):
        evaluate(data, judge, into=tmp_path, again="faults")


def test_asking_again_needs_a_kept_run() -> None:
    with pytest.raises(InputError, match="into="):
        evaluate(three(), Moody(), again="faults")


# The second asking answers what the first could not; the file that stands beside it says which
# asking it is.
FLAKY = """
import time
from pathlib import Path
from grice.core.judgement import Judgement
class Flaky:
    name, identity = "flaky", {}
    def __init__(self, name=""): pass
    def judge(self, questions, scale):
        well = Path("well").exists()
        for count, question in enumerate(questions):
            # While `hold` is there a sitting ends in the middle: whoever kills it is never too late.
            if count == 100 and Path("hold").exists():
                time.sleep(600)
            time.sleep(0.0004)
            if well or int(question.id.split("/")[1]) % 2:
                yield Judgement(question.id, scale.labels[0])
            else:
                yield Judgement(question.id, fault="timeout: no reply")
"""


@pytest.mark.slow
def test_kills_while_asking_again_lose_nothing_and_repeat_no_answer(tmp_path: Path) -> None:
    (tmp_path / "flaky.py").write_text(FLAKY)
    Dataset.from_items("hand", NLI, [pair(i) for i in range(2000)]).write(tmp_path / "items.jsonl")
    command = [
        sys.executable,
        "-m",
        "grice",
        "judge",
        "items.jsonl",
        "--by",
        "./flaky.py",
        "--into",
        "runs",
    ]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (path,) = (tmp_path / "runs").glob(f"*/{LINES}")
    before = path.read_bytes()
    (tmp_path / "well").touch()
    (tmp_path / "hold").touch()
    draw = random.Random(3)
    for _ in range(6):
        size = path.stat().st_size
        child = subprocess.Popen(
            [*command, "--again", "timeout"], cwd=tmp_path, stdout=subprocess.DEVNULL
        )
        while path.stat().st_size == size and child.poll() is None:
            time.sleep(0.002)
        time.sleep(draw.uniform(0, 0.02))
        os.kill(child.pid, signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    (tmp_path / "hold").unlink()
    subprocess.run([*command, "--again", "timeout"], cwd=tmp_path, check=True, capture_output=True)
    after = path.read_bytes()
    assert after.startswith(before)
    answered = [json.loads(line)["id"] for line in after.splitlines() if b'"answer"' in line]
    assert sorted(answered) == sorted(f"hand/{i}" for i in range(2000)), "each is answered once"
    run = Run.read(path.parent)
    assert run.again == {"asked again": 1000, "answered now": 1000, "still faulted": 0}
