from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl
import pytest
from tests.hand import Says, answers, pair, three

from grice.core.dataset import Dataset
from grice.core.errors import Busy, GriceError, InputError
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT, Scale
from grice.judges.providers.baseline import baseline
from grice.storage.evaluation import evaluate
from grice.storage.run import Run, join
from grice.storage.run_folder import LINES, lock_run


def test_every_open_item_is_asked_once_and_a_second_call_asks_nothing(tmp_path: Path) -> None:
    data, judge = three(), Says("neutral")
    first = evaluate(data, judge, into=tmp_path)
    second = evaluate(data, judge, into=tmp_path)
    assert judge.asked == data.ids
    assert first.frame.equals(second.frame)
    assert (second.asked, second.answered, second.faults, second.open) == (3, 3, 0, 0)


def test_a_limit_leaves_the_rest_open_and_a_later_call_goes_on(tmp_path: Path) -> None:
    data, judge = three(), Says("neutral")
    part = evaluate(data, judge, into=tmp_path, limit=1)
    assert (part.total, part.asked, part.answered, part.open) == (3, 1, 1, 2)
    assert evaluate(data, judge, into=tmp_path).open == 0
    assert sorted(judge.asked) == data.ids


def test_a_torn_last_line_is_cut_off_and_asked_again(tmp_path: Path) -> None:
    data = three()
    run = evaluate(data, Says("neutral"), into=tmp_path)
    assert run.folder
    path = run.folder / LINES
    whole = path.read_bytes()
    for cut in range(whole.rfind(b"\n", 0, -1) + 2, len(whole)):
        path.write_bytes(whole[:cut])
        assert Run.read(run.folder).answered == 2
        judge = Says("neutral")
        evaluate(data, judge, into=tmp_path)
        assert judge.asked == data.ids[2:]
        assert path.read_bytes() == whole


@pytest.mark.parametrize("other", [Says("entailment"), Says("neutral", name="another")])
def test_another_judge_or_setting_never_gets_these_answers(tmp_path: Path, other: Says) -> None:
    data = three()
    assert (
        evaluate(data, Says("neutral"), into=tmp_path).folder
        != evaluate(data, other, into=tmp_path).folder
    )
    assert other.asked == data.ids


def test_other_data_scale_and_seed_are_other_runs(tmp_path: Path) -> None:
    data = three()
    folders = {
        evaluate(data, Says("neutral"), into=tmp_path).folder,
        evaluate(data, Says("neutral"), into=tmp_path, seed=1).folder,
        evaluate(Dataset.from_items("hand", NLI, [pair(7)]), Says("neutral"), into=tmp_path).folder,
        evaluate(data, baseline("overlap"), into=tmp_path, scale=UNIT).folder,
        evaluate(data, baseline("overlap"), into=tmp_path).folder,
    }
    assert len(folders) == 5


def test_faults_are_kept_and_counted_by_kind() -> None:
    data = three()
    run = evaluate(
        data, Says({"hand/0": "neutral", "hand/1": "refused", "hand/2": "unreadable: xx"})
    )
    assert (run.answered, run.faults, run.fault_kinds) == (1, 2, {"refused": 1, "unreadable": 1})


class Misbehaves(Says):
    def __init__(self, replies: list[Judgement]) -> None:
        super().__init__("neutral")
        self.replies = replies

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:  # noqa: ARG002
        yield from self.replies


@pytest.mark.parametrize(
    ("replies", "fault"),
    [
        ([Judgement("hand/0", "neutral"), Judgement("hand/0", "neutral")], "twice"),
        ([Judgement("else/0", "neutral")], "not an open item"),
        ([Judgement("hand/0", "maybe")], "not on the scale"),
        ([Judgement("hand/0", "neutral", probs={"neutral": 1.0})], "probabilities name neutral"),
        (
            [
                Judgement(
                    "hand/0",
                    "neutral",
                    probs={"neutral": 0.5, "entailment": 0.4, "contradiction": 0.0},
                )
            ],
            "sum to 0.9",
        ),
    ],
)
def test_a_judge_that_breaks_the_contract_is_stopped(replies: list[Judgement], fault: str) -> None:
    with pytest.raises(GriceError, match=fault):
        evaluate(three(), Misbehaves(replies))


def test_a_judgement_is_an_answer_or_a_fault() -> None:
    for answer, fault in (("neutral", "refused"), (None, None)):
        with pytest.raises(InputError, match="an answer or a fault"):
            Judgement("a", answer, fault)


def test_a_run_folder_is_locked_while_it_is_written(tmp_path: Path) -> None:
    data = three()
    folder = evaluate(data, Says("neutral"), into=tmp_path).folder
    assert folder
    with lock_run(folder), pytest.raises(Busy, match="another process"):
        evaluate(data, Says("neutral"), into=tmp_path)


def test_join_puts_replies_beside_items_and_refuses_other_data() -> None:
    data = three()
    frame = join(data, answers(data, ["entailment"] * 3, "a"), answers(data, NLI.labels, "b"))
    assert frame["judge"].to_list() == ["a"] * 3 + ["b"] * 3
    assert frame.filter(pl.col("judge") == "b")["answer"].to_list() == list(NLI.labels)
    with pytest.raises(InputError, match="other data"):
        join(Dataset.from_items("hand", NLI, [pair(0, "neutral")]), answers(data, NLI.labels))
    with pytest.raises(InputError, match="two runs carry the judge 'hand'"):
        join(data, answers(data, NLI.labels), answers(data, NLI.labels))


def test_numbers_and_probabilities_survive_the_file(tmp_path: Path) -> None:
    data = three()
    run = evaluate(data, baseline("random"), into=tmp_path, scale=UNIT)
    assert run.frame["value"].is_between(0, 1).all()
    probs = {"entailment": 0.5, "neutral": 0.25, "contradiction": 0.25}
    kept = Run.recorded(
        data, "sure", [Judgement(i, "entailment", probs=probs) for i in data.ids]
    ).write(tmp_path)
    assert kept.folder is not None and next(Run.read(kept.folder).judgements()).probs == probs


SLOW = """
import time
from pathlib import Path
from grice.core.judgement import Judgement
class Slow:
    name, identity = "slow", {}
    def __init__(self, name=""): pass
    def judge(self, questions, scale):
        for count, question in enumerate(questions):
            # While `hold` is there a sitting ends in the middle: whoever kills it is never too late.
            if count == 100 and Path("hold").exists():
                time.sleep(600)
            time.sleep(0.0004)
            yield Judgement(question.id, scale.labels[len(question.id) % 3], probs={l: 1/3 for l in scale.labels})
"""


@pytest.mark.slow
def test_kills_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    data = Dataset.from_items("hand", NLI, [pair(i) for i in range(4000)])
    data.write(tmp_path / "items.jsonl")
    command = [sys.executable, "-m", "grice", "judge", "items.jsonl", "--by", "./slow.py"]
    draw = random.Random(5)
    (tmp_path / "hold").touch()
    for _ in range(8):
        child = subprocess.Popen(
            [*command, "--into", "killed"],
            cwd=tmp_path,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        _wait_for_growth(tmp_path / "killed", child)
        time.sleep(draw.uniform(0, 0.06))
        os.kill(child.pid, signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    (tmp_path / "hold").unlink()
    for name in ("killed", "whole"):
        subprocess.run([*command, "--into", name], cwd=tmp_path, check=True, capture_output=True)
    killed, whole = (
        sorted(next((tmp_path / name).glob(f"*/{LINES}")).read_bytes().splitlines())
        for name in ("killed", "whole")
    )
    assert killed == whole
    assert len({json.loads(line)["id"] for line in killed}) == 4000


def _wait_for_growth(folder: Path, child: subprocess.Popen[bytes]) -> None:
    """Until the child has written something new, so that each kill falls into the work."""

    def size() -> int:
        return sum(p.stat().st_size for p in folder.glob(f"*/{LINES}"))

    before = size()
    while size() == before and child.poll() is None:
        time.sleep(0.002)


@pytest.mark.parametrize(
    "fate", ["folder deleted", "file deleted", "file replaced", "file overwritten"]
)
def test_a_run_whose_file_is_gone_asks_nothing_more(tmp_path: Path, fate: str) -> None:
    data, asked = Dataset.from_items("many", NLI, [pair(i) for i in range(50)]), []

    class Meddled(Says):
        def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
            (lines,) = tmp_path.glob("*/judgements.jsonl")
            for number, judgement in enumerate(super().judge(questions, scale)):
                if number == 5 and fate == "folder deleted":
                    shutil.rmtree(lines.parent)
                elif number == 5 and fate == "file overwritten":
                    lines.write_bytes(lines.read_bytes()[:100])
                elif number == 5:
                    lines.unlink()
                    lines.write_bytes(b"") if fate == "file replaced" else None
                asked.append(judgement.item)
                yield judgement

    with pytest.raises(
        GriceError, match=r"judgements\.jsonl: was deleted, replaced or written by another"
    ):
        evaluate(data, Meddled("neutral"), into=tmp_path)
    assert len(asked) == 6
    assert list(tmp_path.iterdir()) == [] if fate == "folder deleted" else True
