"""Once a server is given up nothing more is sent: what arrives is what was under way, and no clock
has a say in it.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("urllib3", reason="needs the extra 'llm'")

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.judges.client import Client, Unreachable
from grice.judges.outages import BROKEN, REFUSALS
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.hand import pair, wait_until
from tests.judges.servers import Act, Server, completion, serving

CONNECTIONS = 4
HANG = 120


@pytest.fixture
def given_up(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set as soon as a client has given its server up."""
    event, halt = threading.Event(), Client.halt

    def told(self: Client, error: Unreachable) -> Unreachable:
        found = halt(self, error)
        event.set()
        return found

    monkeypatch.setattr(Client, "halt", told)
    return event


def ask(
    act: Act, after: Act, fatal: int, given_up: threading.Event, into: Path, **settings: str
) -> Server:
    """Ask a server that says `act` to the first `fatal` requests, each only while all connections
    are busy.

    It answers the others with `after` once it was given up.
    """
    seen: list[Server] = []

    def script(_body: dict[str, Any], number: int) -> Act:
        if number < fatal:
            wait_until(lambda: len(seen[0].bodies) >= min(number + CONNECTIONS, 40), HANG)
            return act
        assert given_up.wait(HANG)
        return after

    data = Dataset.from_items("many", NLI, [pair(i) for i in range(40)])
    with serving(script) as server:
        seen.append(server)
        how = {
            "connections": str(CONNECTIONS),
            "backoff": "0.001",
            "timeout": str(HANG),
            **settings,
        }
        with pytest.raises(Unreachable):
            evaluate(data, Openai("m", url=server.url, **how), into=into)
    return server


REFUSED = Act('{"error": {"message": "not this model"}}', 400)
PAGE = Act("<!doctype html><title>Sign in</title>")


@pytest.mark.parametrize(
    "after",
    [completion("neutral"), REFUSED, Act("{}", 503), PAGE],
    ids=["ok", "400", "503", "page"],
)
@pytest.mark.parametrize(
    ("act", "fatal"),
    [
        (Act("{}", 401), 1),
        (Act("{}", 429, {"Retry-After": "3600"}), 1),
        (REFUSED, REFUSALS),
        (PAGE, BROKEN),
    ],
    ids=["401", "wait", "refused", "broken"],
)
def test_only_what_was_under_way_arrives_once_a_server_is_given_up(
    act: Act, fatal: int, after: Act, given_up: threading.Event, tmp_path: Path
) -> None:
    retries = "0" if act is PAGE else "5"
    server = ask(act, after, fatal, given_up, tmp_path, retries=retries)
    assert len(server.bodies) == fatal + CONNECTIONS - 1
    kept = [Run.read(folder) for folder in tmp_path.iterdir()]
    answered = CONNECTIONS - 1 if after.status == 200 and after is not PAGE else 0
    assert [(run.answered, run.faults) for run in kept] == ([(answered, 0)] if answered else [])


@pytest.mark.parametrize("settings", [{"samples": "4", "temperature": "1"}])
def test_an_item_under_way_sends_none_of_its_other_requests(
    settings: dict[str, str], given_up: threading.Event, tmp_path: Path
) -> None:
    server = ask(Act("{}", 401), completion("neutral"), 1, given_up, tmp_path, **settings)
    assert len(server.bodies) == CONNECTIONS
    assert not list(tmp_path.iterdir()), "no item has all its replies"


def test_nothing_is_sent_after_an_interrupt_but_what_was_under_way(tmp_path: Path) -> None:
    """Who stops reading stops the asking, retries and pauses included."""
    leave = threading.Event()

    def script(_body: dict[str, Any], number: int) -> Act:
        if number:
            assert leave.wait(HANG)
        return Act("{}", 503) if number else completion("neutral")

    def interrupt(now: int, total: int) -> None:  # noqa: ARG001
        if now:
            wait_until(lambda: len(server.bodies) == CONNECTIONS + 1)
            raise KeyboardInterrupt

    data = Dataset.from_items("many", NLI, [pair(i) for i in range(40)])
    before = set(threading.enumerate())
    with serving(script) as server:
        how = {"connections": str(CONNECTIONS), "backoff": "0.001", "timeout": str(HANG)}
        with pytest.raises(KeyboardInterrupt):
            evaluate(data, Openai("m", url=server.url, **how), into=tmp_path, progress=interrupt)
        leave.set()
        for thread in set(threading.enumerate()) - before:
            if "labour" in thread.name:
                thread.join(HANG)
        assert len(server.bodies) == CONNECTIONS + 1
