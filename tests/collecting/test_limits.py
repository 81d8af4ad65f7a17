"""What a server takes at most: connections, headers and bodies that end, and replies that are plain
when it cannot.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from sqlalchemy.exc import OperationalError

from grice.collecting import app, security, server
from grice.collecting.counts import exclude
from grice.collecting.overview import ratings
from grice.collecting.security import Serving
from grice.collecting.store import Store
from grice.collecting.work import TooSoon, answer, claim
from tests.collecting.conftest import Open
from tests.collecting.hand import Clock, Visitor, campaign, items, slide
from tests.collecting.test_store import person
from tests.hand import held_port, wait_until


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serving]:
    """A campaign on a real socket."""
    store = Store(campaign(tmp_path), items(1))
    with held_port() as port:
        serving = Serving(port=port)
        running = uvicorn.Server(
            uvicorn.Config(**server.settings_for(app.make_app(store, serving), serving))
        )
        thread = threading.Thread(target=running.run)
        thread.start()
        wait_until(lambda: bool(running.started))
        yield serving
        running.should_exit = True
        thread.join()


def connected(serving: Serving) -> socket.socket:
    return socket.create_connection(("127.0.0.1", serving.port), timeout=120)


def health(held: socket.socket, serving: Serving) -> bytes:
    held.sendall(f"GET /health HTTP/1.1\r\nhost: 127.0.0.1:{serving.port}\r\n\r\n".encode())
    found = held.recv(4096)
    while found and not found.rstrip().endswith(b"}"):
        found += held.recv(4096)
    return found


def test_headers_that_do_not_end_are_cut_off(
    served: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.5)
    silent, slow = connected(served), connected(served)
    slow.sendall(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n")
    with contextlib.suppress(OSError):
        # Few enough for the bound on the size of headers, which is not meant here.
        for _ in range(1200):
            slow.sendall(b"x-a: b\r\n")
            time.sleep(0.1)
        pytest.fail("headers of two minutes were not cut off")
    assert silent.recv(1) == b""


def test_the_second_request_of_a_connection_is_bounded_too(
    served: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.5)
    with connected(served) as held:
        assert b"200 OK" in health(held, served)
        held.sendall(b"GET / HTTP/1.1\r\n")
        assert held.recv(1) == b""


def test_connections_have_a_number(served: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "most_connections", lambda: 3)
    monkeypatch.setattr(server, "HEADER_SECONDS", 120)
    held = [connected(served) for _ in range(6)]
    assert [one.recv(1) for one in held[3:]] == [b""] * 3
    assert all(b"200 OK" in health(one, served) for one in held[:3])
    for one in held:
        one.close()


def test_few_descriptors_mean_few_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    assert server.most_connections() == 176


def test_a_body_that_drips_is_refused(served: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "MOST_SECONDS", 0.5)
    front = f"http://127.0.0.1:{served.port}"
    head = (
        f"POST /join HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\norigin:"
        f" {front}\r\ncontent-length: 1000\r\n\r\n"
    )
    with connected(served) as held:
        held.sendall(head.encode())
        held.sendall(b"a")
        assert b"408" in held.recv(4096).splitlines()[0]


def test_a_length_given_in_two_ways_is_refused(served: Serving) -> None:
    front = f"http://127.0.0.1:{served.port}"
    head = f"POST /join HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\norigin: {front}\r\n"
    with connected(served) as held:
        held.sendall(
            (head + "content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n").encode()
        )
        assert b"400" in held.recv(4096).splitlines()[0]


def test_forwarded_addresses_count_only_behind_a_declared_proxy(tmp_path: Path) -> None:
    made = app.make_app(Store(campaign(tmp_path), items(1)), Serving())
    assert server.settings_for(made, Serving())["proxy_headers"] is False
    assert (
        server.settings_for(made, Serving(public="https://study.example.org"))["proxy_headers"]
        is True
    )


def test_health_is_told(served: Serving) -> None:
    reply = httpx.get(f"http://127.0.0.1:{served.port}/health", trust_env=False)
    assert (reply.status_code, reply.json()) == (200, {"status": "ok"})


def test_a_database_that_is_gone_is_a_plain_refusal(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = opened(campaign(tmp_path, people={"access": "platform", "parameter": "PID"}), items(1))
    visitor = Visitor(store)

    def gone(_self: Store, outside: str, _study: str | None, _session: str | None) -> int:
        raise OperationalError(
            "INSERT", {"outside": outside}, Exception("server closed the connection"), True
        )

    monkeypatch.setattr(Store, "arrive", gone)
    with caplog.at_level(logging.INFO):
        reply = visitor.http.post(
            "/join", data={"key": visitor.keys.shared, "PID": "platform-id-77"}
        )
    assert reply.status_code == 503
    assert "nothing is lost" in reply.text
    assert "server closed the connection" in caplog.text and "platform-id-77" not in caplog.text


def test_nothing_infinite_reaches_a_page(opened: Open, tmp_path: Path) -> None:
    visitor = Visitor(opened(campaign(tmp_path), items(1))).join()
    block = visitor.block()
    assert block is not None
    body = f'{{"page": "{block["id"]}", "replies": {{"1": {{"values": {{"answer": 1e999}}}}}}}}'
    for path in ("/draft", "/answer"):
        reply = visitor.http.post(
            path,
            content=body,
            headers={"x-csrf": block["csrf"], "content-type": "application/json"},
        )
        assert reply.status_code == 422
    assert "Infinity" not in visitor.page()


def test_a_clock_that_was_set_back_makes_nobody_wait(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    store = opened(campaign(tmp_path, work={"least_seconds": 1.0}), items(1))
    visitor = Visitor(store).join()
    visitor.page()
    clock.now -= 3600
    block = visitor.block()
    assert block is not None and block["wait"] <= 5
    me = person(store)
    page = claim(store, me)
    assert page is not None
    given = {asked.pair: slide(1) for asked in page.pairs}
    with pytest.raises(TooSoon):
        answer(store, me, page.id, given)
    clock.now -= 3600
    assert answer(store, me, page.id, given).n_stored == 5


def test_answers_keep_their_order_when_the_clock_is_set_back(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    store = opened(campaign(tmp_path), items(1, each=1))
    said = (1000, 9000, 1200)
    for raw in said:
        me = person(store)
        page = claim(store, me)
        assert page is not None
        clock.now += 10
        assert (
            answer(store, me, page.id, {asked.pair: slide(raw) for asked in page.pairs}).n_stored
            == 1
        )
        clock.now -= 3600
    rows = sorted(ratings(store), key=lambda row: float(row["at"]))
    assert tuple(row["raw"] for row in rows) == said
    assert [row["seconds"] for row in rows] == [10, 10, 10]
    assert claim(store, person(store)) is None


def test_the_clock_of_a_store_is_not_moved_by_setting_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(campaign(tmp_path), items(1))
    before = store.clock()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert before <= store.clock() < before + 60
    store.close()


@pytest.mark.parametrize("words", ["=1+1", "-2+3", "+1", "@x", "\tx"])
def test_downloads_hold_no_formulas(opened: Open, tmp_path: Path, words: str) -> None:
    store = opened(campaign(tmp_path, "scale"), items(1, 1, scale=replace_labels(words)))
    me = person(store)
    page = claim(store, me)
    assert page is not None
    answer(store, me, page.id, {page.pairs[0].pair: {"values": {"answer": words}}})
    exclude(store, me, "=cmd()")
    visitor = Visitor(store)
    visitor.http.get("/admin", params={"key": visitor.keys.admin})
    rows = list(csv.DictReader(io.StringIO(visitor.http.get("/admin/ratings.csv").text)))
    assert rows[0]["answer"] == f"'{words}" and rows[0]["excluded"] == "'=cmd()"
    kept = json.loads(visitor.http.get("/admin/ratings.jsonl").text)
    assert kept["answer"] == words, "JSON lines are as they were said"


def replace_labels(words: str) -> Any:
    from grice.core.scale import NLI

    return replace(NLI, labels=(words, "no"))
