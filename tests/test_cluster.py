"""A real local Ray cluster: the same bytes for any number of workers, even when one is killed at work."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grice import cluster
from grice.core.dataset import Dataset
from grice.core.errors import GriceError
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.run import evaluate
from grice.core.scale import NLI, Scale
from grice.core.shelf import JUDGES
from grice.generate import suites
from grice.judges.providers.baseline import Majority, Random
from grice.verbs.make import make
from tests.hand import pair

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def ray_cluster() -> Iterator[None]:
    """One cluster for all tests here; starting it takes longer than any of them."""
    ray = pytest.importorskip("ray")
    ray.init("local", num_cpus=3, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


def many(n: int) -> Dataset:
    return Dataset.from_items("many", NLI, [pair(i) for i in range(n)])


class Dies:
    """Answers backwards, notes how many it read, and is killed by the system at one item, the first time only."""

    name = "dies"

    def __init__(self, mark: Path, at: str, *, always: bool = False) -> None:
        self.mark, self.at, self.always = mark, at, always
        self.notes: dict[str, Any] = {}

    @property
    def identity(self) -> Mapping[str, Any]:
        return {}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        part = list(questions)
        self.notes = {"read": len(part), "cut": f"{len(part)} too long", "rate": 0.5}
        for question in reversed(part):
            if question.id == self.at and (self.always or not self.mark.exists()):
                self.mark.write_text("died")
                os.kill(os.getpid(), signal.SIGKILL)
            yield Judgement(question.id, scale.labels[0], seconds=time.perf_counter())


class Complains(Dies):
    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:  # noqa: ARG002
        raise GriceError("the weights are missing; fetch them")


def lines(into: Path) -> bytes:
    return next(into.glob("*/judgements.jsonl")).read_bytes()


def test_a_run_has_the_same_bytes_for_any_number_of_workers_and_resumes_with_another(tmp_path: Path) -> None:
    data = many(300)
    evaluate(data, Random(), into=tmp_path / "alone")
    evaluate(data, cluster.ray(Random(), workers=1), into=tmp_path / "one")
    evaluate(data, cluster.ray(Random(), workers=2), into=tmp_path / "two", limit=150)
    evaluate(data, cluster.ray(Random(), workers=3), into=tmp_path / "two")
    assert lines(tmp_path / "one") == lines(tmp_path / "two") == lines(tmp_path / "alone")


def test_the_items_of_a_killed_worker_are_asked_again(tmp_path: Path) -> None:
    data = many(300)
    judge = cluster.ray(Dies(tmp_path / "mark", "hand/100"), workers=2)
    run = evaluate(data, judge, into=tmp_path / "runs")
    assert (tmp_path / "mark").exists()
    assert (run.answered, run.open) == (300, 0)
    assert run.frame["id"].to_list() == data.ids
    assert getattr(judge, "notes") == {"read": 300, "cut": "300 too long"}  # noqa: B009


def test_a_part_that_kills_every_worker_ends_the_run_and_keeps_what_came_before(tmp_path: Path) -> None:
    judge = cluster.ray(Dies(tmp_path / "mark", "hand/200", always=True), workers=1)
    with pytest.raises(GriceError, match="3 workers died on the same part"):
        evaluate(many(300), judge, into=tmp_path / "runs")
    assert lines(tmp_path / "runs").count(b"\n") == 128


def test_a_judges_own_error_arrives_as_it_was_raised(tmp_path: Path) -> None:
    with pytest.raises(GriceError, match=r"^the weights are missing; fetch them$"):
        evaluate(many(3), cluster.ray(Complains(tmp_path, ""), workers=1))


def test_a_learner_is_fitted_once_and_answers_by_workers() -> None:
    run = evaluate(many(5), cluster.ray(Majority(), workers=1))
    assert run.frame["answer"].to_list() == ["entailment"] * 5


def test_a_judge_from_ones_own_file_travels_with_its_code(tmp_path: Path) -> None:
    own = tmp_path / "my_judge.py"
    own.write_text(
        "from grice.core.judgement import Judgement\n"
        "class MyJudge:\n"
        "    name, identity = 'mine', {}\n"
        "    def judge(self, questions, scale):\n"
        "        return (Judgement(q.id, scale.labels[2]) for q in questions)\n"
    )
    run = evaluate(many(2), cluster.ray(JUDGES.find(str(own))(), workers=1))
    assert run.frame["answer"].to_list() == ["contradiction"] * 2


def test_more_workers_than_the_cluster_has_room_for_are_refused() -> None:
    with pytest.raises(GriceError, match="9 workers need 9 CPUs and the cluster has 3"):
        evaluate(many(2), cluster.ray(Random(), workers=9))


def test_pairs_made_by_workers_are_those_made_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suites, "GROUPS_PER_RANGE", 7)
    here = make("quantifiers", out=tmp_path / "here.jsonl", groups=40, seed=3)
    there = make("quantifiers", out=tmp_path / "there.jsonl", groups=40, seed=3, engine="ray")
    assert here.to_json() == there.to_json()
    assert (tmp_path / "here.jsonl").read_bytes() == (tmp_path / "there.jsonl").read_bytes()
