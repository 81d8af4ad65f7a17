"""A Ray cluster that is not there is told in a line, at once."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from grice.cluster.ray_actors import _check_address
from grice.core.errors import GriceError
from tests.hand import held_port, three


def test_a_dead_address_ends_the_command_with_one_line_before_ray_is_asked(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    three().write(tmp_path / "items.jsonl")
    command = [
        sys.executable,
        "-m",
        "grice",
        "judge",
        "items.jsonl",
        "--by",
        "baseline/overlap",
        "--engine",
        "ray",
    ]
    with held_port() as port:
        address = f"127.0.0.1:{port}"
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "RAY_ADDRESS": address},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if "items" not in line]
    assert line.startswith(
        f"grice: nothing answers at RAY_ADDRESS={address} (Connection refused); start a cluster"
    )


LISTENERS = """
import psutil
from grice.cluster import Cluster

def listening():
    command = psutil.Process()
    for process in (command, *command.children(recursive=True)):
        for held in process.net_connections("tcp"):
            if held.status == psutil.CONN_LISTEN:
                yield held.laddr.ip.removeprefix("::ffff:")

list(Cluster("ray", 1).map(lambda: str, (print(*listening()) for _ in range(3))))
"""


@pytest.mark.slow
def test_a_cluster_of_ones_own_listens_on_loopback_alone() -> None:
    pytest.importorskip("ray")
    environment = {key: held for key, held in os.environ.items() if not key.startswith("RAY_")}
    command = [sys.executable, "-c", LISTENERS]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"127.0.0.1"} and len(done.stdout.split()) >= 10


@pytest.mark.parametrize("form", ["127.0.0.1:{}", "localhost:{}", "ray://127.0.0.1:{}"])
def test_a_door_that_opens_is_left_to_ray_and_a_closed_one_is_not(form: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        _check_address(form.format(listening.getsockname()[1]))
    with held_port() as port, pytest.raises(GriceError, match="unset RAY_ADDRESS"):
        _check_address(form.format(port))


@pytest.mark.parametrize("words", ["auto", "local", "nonsense", "host:port", "127.0.0.1"])
def test_what_is_no_address_is_left_to_ray(words: str) -> None:
    _check_address(words)


def test_a_name_that_is_nowhere_is_told_too() -> None:
    with pytest.raises(GriceError, match="nothing answers at RAY_ADDRESS=no-such-host"):
        _check_address("no-such-host.invalid:6379")
