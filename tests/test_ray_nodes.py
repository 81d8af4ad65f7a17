"""A cluster that loses nodes or all room goes on, or ends with one line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from grice.cluster import Job
from grice.cluster.scheduler import _drain, _in_order, _Queue, _WorkerPool
from grice.cluster.workers import WorkerDied
from grice.core.errors import GriceError


@dataclass
class Nodes:
    """Workers of which some die at their first work; each death takes the room of one."""

    room: int
    dying: set[int]
    ended: list[int] = field(default_factory=list)

    def start_worker(self, number: int) -> int:
        return number

    def start(self, worker: int, work: Any) -> Hashable:
        return (worker, work)

    def wait(self, references: list[Any]) -> Iterable[Any]:
        return references[:1]

    def result(self, reference: Any) -> Any:
        worker, work = reference
        if worker in self.dying:
            self.room -= 1
            raise WorkerDied("its node was lost")
        return work

    def has_room(self, workers: int) -> bool:
        return workers <= self.room

    def end(self, worker: int) -> None:
        self.ended.append(worker)

    def close(self, workers: Sequence[int]) -> None:
        self.ended += workers


def test_the_part_of_a_lost_node_goes_to_a_living_worker() -> None:
    nodes = Nodes(room=3, dying={2})
    assert list(_in_order(_WorkerPool(nodes, 3), range(10))) == list(range(10))
    assert nodes.ended == [2]


def test_a_cluster_without_room_ends_the_work_with_an_error() -> None:
    nodes = Nodes(room=2, dying={0, 1})
    with pytest.raises(GriceError, match="no room for a worker"):
        list(_in_order(_WorkerPool(nodes, 2), range(10)))


def test_jobs_without_a_worker_are_an_error_and_not_forgotten() -> None:
    queue = _Queue([Job(name, name) for name in "abc"])
    with pytest.raises(GriceError, match="no room for a worker"):
        _drain(_WorkerPool(Nodes(room=1, dying={0}), 1), queue, None)
    assert [job.name for job in queue.deferred] == ["a"]


def test_a_job_is_done_again_until_three_workers_died_of_it() -> None:
    queue = _Queue([Job("a", "a"), Job("b", "b", after=("a",))])
    for deaths in (1, 2, 3):
        _drain(_WorkerPool(Nodes(room=2, dying={0}), 1), queue, None)
        assert (len(queue.deferred), len(queue.failed)) == ((1, 0) if deaths < 3 else (0, 1))
        queue.requeue_deferred()
    assert isinstance(queue.failed["a"], WorkerDied) and not queue.done


LOST_NODE = """
import os, threading, time
from ray.cluster_utils import Cluster as Nodes

nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
lost = nodes.add_node(num_cpus=1)
nodes.wait_for_nodes()
os.environ["RAY_ADDRESS"] = nodes.address
from grice.cluster import Cluster

def make():
    import os, time
    return lambda part: (time.sleep(0.2), part, os.getcwd())[1:]

def parts():
    for number in range(40):
        if number == 12:
            threading.Thread(target=nodes.remove_node, args=(lost, False), daemon=True).start()
        yield number

results = list(Cluster("ray", 2).map(make, parts()))
print("numbers", [number for number, _ in results] == list(range(40)))
print("folders", {folder for _, folder in results} == {os.getcwd()})
nodes.shutdown()
"""


@pytest.mark.slow
def test_work_goes_on_when_a_node_is_lost() -> None:
    pytest.importorskip("ray")
    command = [sys.executable, "-c", LOST_NODE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert "numbers True" in done.stdout, done.stderr[-2000:]
    assert "folders True" in done.stdout
