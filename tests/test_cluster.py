"""Processes of this machine and a real local Ray cluster: the same results for any number of
workers, even when one is killed.
"""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from grice.cluster import Cluster, Job
from grice.cluster.judging import asker
from grice.cluster.scheduler import MAX_AHEAD, _Queue
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError, NoMemory
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Scale
from grice.core.shelf import JUDGES
from grice.generate import suites
from grice.judges.providers.baseline import Majority, Random
from grice.storage.evaluation import evaluate
from grice.verbs.make import make
from grice.verbs.profile import profile
from grice.verbs.train import train
from tests.hand import pair, wait_until


@pytest.fixture(scope="module")
def ray_cluster() -> Iterator[None]:
    """One cluster for all tests here; starting it takes longer than any of them."""
    ray = pytest.importorskip("ray")
    ray.init(
        "local", num_cpus=3, include_dashboard=False, log_to_driver=False, configure_logging=False
    )
    yield
    ray.shutdown()


on_ray = pytest.mark.usefixtures("ray_cluster")


def many(n: int) -> Dataset:
    return Dataset.from_items("many", NLI, [pair(i) for i in range(n)])


class Dies:
    """Answers backwards, notes how many it read, and is killed by the system at one item, the first
    time only.
    """

    name = "dies"

    def __init__(self, mark: Path, at: str, *, always: bool = False) -> None:
        self.mark, self.at, self.always = mark, at, always
        self.notes: dict[str, Any] = {}

    @property
    def identity(self) -> Mapping[str, Any]:
        return {}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        part = list(questions)
        self.notes = {"read": len(part), "cut to 9 tokens": len(part), "rate": 0.5}
        for question in reversed(part):
            if question.id == self.at and (self.always or not self.mark.exists()):
                self.mark.write_text("died")
                os.kill(os.getpid(), signal.SIGKILL)
            yield Judgement(question.id, scale.labels[0], seconds=time.perf_counter())


class Complains(Dies):
    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:  # noqa: ARG002
        raise GriceError("the weights are missing; fetch them")


def on(workers: int) -> Cluster:
    return Cluster("ray", workers)


def lines(into: Path) -> bytes:
    return next(into.glob("*/judgements.jsonl")).read_bytes()


@pytest.mark.slow
@on_ray
def test_a_run_has_the_same_bytes_for_any_number_of_workers_and_resumes_with_another(
    tmp_path: Path,
) -> None:
    data = many(300)
    for into, first, then in (("alone", Cluster(), Cluster()), ("ray", on(2), on(3))):
        for cluster, limit in ((first, 150), (then, None)):
            ask = asker(Random(), cluster)
            evaluate(data, Random(), into=tmp_path / into, limit=limit, ask=ask)
    assert lines(tmp_path / "ray") == lines(tmp_path / "alone")


@pytest.mark.slow
@on_ray
def test_training_and_profile_write_on_ray_what_they_write_here(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("some 0.1 0.3\nall 0.5 -0.2\nnot -0.7 0.1\n")
    given = {"epochs": 1, "vectors": str(vectors)}
    scores = []
    for engine in ("local", "ray"):
        out = tmp_path / engine
        more: dict[str, Any] = {"engine": engine, "workers": 2}
        more_data: dict[str, Any] = {"on": "quantifiers", "dev": "quantifiers@1", **more}
        scores.append(train("bow", out=out, settings=given, seeds=2, **more_data).spread)
        profile("encoder/grice-mini", data="quantifiers", limit=150, out=out / "page", **more)
    assert scores[0] == scores[1]
    for name in ("seed-*/model.safetensors", "seed-*/answers.jsonl", "page/*.*", "page/*/*/j*"):
        here, there = (sorted((tmp_path / engine).glob(name)) for engine in ("local", "ray"))
        assert here and [path.read_bytes() for path in here] == [p.read_bytes() for p in there]


@pytest.mark.slow
@on_ray
def test_the_items_of_a_killed_worker_are_asked_again(tmp_path: Path) -> None:
    data = many(300)
    judge = Dies(tmp_path / "mark", "hand/100")
    ask = asker(judge, on(2))
    run = evaluate(data, judge, into=tmp_path / "runs", ask=ask)
    assert (tmp_path / "mark").exists()
    assert (run.answered, run.open) == (300, 0)
    assert run.frame["id"].to_list() == data.ids
    assert getattr(judge, "notes") == {"read": 300, "cut to 9 tokens": 300}  # noqa: B009


@pytest.mark.slow
@on_ray
def test_a_part_that_kills_every_worker_ends_the_run_and_keeps_what_came_before(
    tmp_path: Path,
) -> None:
    judge = Dies(tmp_path / "mark", "hand/200", always=True)
    ask = asker(judge, on(1))
    with pytest.raises(GriceError, match="3 workers died on the same part"):
        evaluate(many(300), judge, into=tmp_path / "runs", ask=ask)
    assert lines(tmp_path / "runs").count(b"\n") == 128


@pytest.mark.slow
@on_ray
def test_a_judges_own_error_arrives_as_it_was_raised(tmp_path: Path) -> None:
    with pytest.raises(GriceError, match=r"^the weights are missing; fetch them$"):
        evaluate(many(3), Complains(tmp_path, ""), ask=asker(Complains(tmp_path, ""), on(1)))


@pytest.mark.slow
@on_ray
def test_a_learner_is_fitted_once_and_answers_by_workers() -> None:
    run = evaluate(many(5), Majority(), ask=asker(Majority(), on(1)))
    assert run.frame["answer"].to_list() == ["entailment"] * 5


@pytest.mark.slow
@on_ray
def test_a_judge_from_ones_own_file_travels_with_its_code(tmp_path: Path) -> None:
    own = tmp_path / "my_judge.py"
    own.write_text(
        "from grice.core.judgement import Judgement\n"
        "class MyJudge:\n"
        "    name, identity = 'mine', {}\n"
        "    def judge(self, questions, scale):\n"
        "        return (Judgement(q.id, scale.labels[2]) for q in questions)\n"
    )
    judge = JUDGES.find(str(own))()
    run = evaluate(many(2), judge, ask=asker(judge, on(1)))
    assert run.frame["answer"].to_list() == ["contradiction"] * 2


@pytest.mark.slow
@on_ray
def test_more_workers_than_the_cluster_has_room_for_are_refused() -> None:
    with pytest.raises(GriceError, match="9 workers need 9 CPUs and the cluster has 3"):
        evaluate(many(2), Random(), ask=asker(Random(), on(9)))


@pytest.mark.slow
@on_ray
def test_pairs_made_by_workers_are_those_made_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suites, "GROUPS_PER_RANGE", 7)
    here = make("quantifiers", out=tmp_path / "here.jsonl", groups=40, seed=3)
    there = make("quantifiers", out=tmp_path / "there.jsonl", groups=40, seed=3, engine="ray")
    assert here.to_json() == there.to_json()
    assert (tmp_path / "here.jsonl").read_bytes() == (tmp_path / "there.jsonl").read_bytes()


def half(n: int) -> float:
    if n < 0:
        raise InputError(f"{n} is below zero")
    return n / 2


def halver() -> Callable[[int], float]:
    return half


@pytest.mark.parametrize("workers", [1, 2])
def test_parts_go_through_processes_and_come_back_in_their_order(workers: int) -> None:
    here = Cluster("local", workers)
    assert list(here.map(halver, range(20))) == [n / 2 for n in range(20)]
    with pytest.raises(InputError, match=r"^-1 is below zero$"):
        list(here.map(halver, [4, -1, 6]))


def test_parts_are_drawn_as_they_are_needed_so_that_memory_stays_flat() -> None:
    drawn = 0

    def parts() -> Iterator[int]:
        nonlocal drawn
        while True:
            drawn += 1
            yield drawn

    results = Cluster("local", 2).map(halver, parts())
    assert next(results) == 0.5
    assert drawn <= 2 * MAX_AHEAD
    results.close()  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Kills:
    """Ends its own process at a part: the first time only, or each time."""

    mark: Path
    at: int
    always: bool = False

    def __call__(self) -> Callable[[int], int]:
        return self.work

    def work(self, part: int) -> int:
        if part == self.at and (self.always or not self.mark.exists()):
            self.mark.write_text("died")
            os.kill(os.getpid(), signal.SIGKILL)
        return part


def test_the_part_of_a_killed_process_is_done_again(tmp_path: Path) -> None:
    assert list(Cluster("local", 2).map(Kills(tmp_path / "mark", 3), range(6))) == list(range(6))
    assert (tmp_path / "mark").exists()


@pytest.mark.slow
def test_a_part_that_kills_every_process_ends_the_work(tmp_path: Path) -> None:
    found = []
    with pytest.raises(
        GriceError, match=r"3 workers died on the same part of the work \(number 2\)"
    ):
        for part in Cluster("local", 2).map(Kills(tmp_path / "mark", 2, always=True), range(4)):
            found.append(part)
    assert found == [0, 1]


@dataclass(frozen=True)
class Tells:
    """Writes down its process for each part."""

    folder: Path

    def __call__(self) -> Callable[[int], None]:
        return self.work

    def work(self, _: int) -> None:
        (self.folder / str(os.getpid())).touch()
        time.sleep(0.05)


def test_when_the_command_is_killed_its_processes_end(tmp_path: Path) -> None:
    def work() -> None:
        list(Cluster("local", 2).map(Tells(tmp_path), itertools.count()))

    command = get_context("fork").Process(target=work)
    command.start()
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    command.kill()
    command.join()
    workers = [int(path.name) for path in tmp_path.iterdir()]
    wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def jobs(*names: str) -> list[Job[str]]:
    """Each of `a`, `b<a` (b after a) as a job."""
    return [
        Job(name, name, tuple(after.split("+")) if after else ())
        for name, _, after in (n.partition("<") for n in names)
    ]


def test_a_job_waits_for_those_it_starts_from() -> None:
    queue = _Queue(jobs("c<a", "a", "b", "d<a+b"))
    first, second = queue.next_ready(), queue.next_ready()
    assert [job.name for job in (first, second) if job] == ["a", "b"]
    assert queue.next_ready() is None
    queue.done.add("a")
    later = queue.next_ready()
    assert later is not None and later.name == "c"
    assert queue.next_ready() is None


@dataclass(frozen=True)
class Notes:
    """Notes when each job was done; jobs named `bad…` fail, those named `full…` find no memory the
    first times.
    """

    folder: Path

    def __call__(self) -> Callable[[str], None]:
        return self.work

    def work(self, name: str) -> None:
        tries = self.folder / f"{name} tries"
        seen = len(tries.read_text()) if tries.exists() else 0
        tries.write_text("x" * (seen + 1))
        if name.startswith("bad"):
            raise InputError("it failed")
        if name.startswith("full") and seen < int(name[4:]):
            raise NoMemory("no room")


@pytest.mark.parametrize("cluster", [Cluster("local", 1), Cluster("local", 2)])
def test_a_job_that_fails_takes_down_those_that_wait_for_it_and_no_other(
    cluster: Cluster, tmp_path: Path
) -> None:
    seen: list[tuple[int, int]] = []
    done, failed = cluster.run(
        jobs("bad", "b<bad", "c<b", "good", "after<good"),
        Notes(tmp_path),
        progress=lambda *n: seen.append(n),
    )
    assert done == {"good", "after"} and {name: str(error) for name, error in failed.items()} == {
        "bad": "it failed"
    }
    assert not seen or seen[-1] == (2, 5)


@pytest.mark.slow
@on_ray
def test_jobs_are_done_by_ray_as_by_processes_and_cramped_ones_again_with_fewer(
    tmp_path: Path,
) -> None:
    done, failed = Cluster("ray", 2).run(jobs("full1", "a<full1", "bad", "b<bad"), Notes(tmp_path))
    assert done == {"full1", "a"} and str(failed["bad"]) == "it failed"
    assert (tmp_path / "full1 tries").read_text() == "xx"
