"""A reply that drips, never ends, or is no reply: the timeout is of the whole, and the memory has a
bound.
"""

from __future__ import annotations

import contextlib
import re
import socketserver
import threading
import time
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("urllib3", reason="needs the extra 'llm'")

from grice.judges import client as client_module
from grice.judges.client import Client, Failure
from grice.judges.threads import AHEAD, map_unordered
from tests.hand import wait_until
from tests.judges.servers import completion, serving

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"


class Handler(socketserver.BaseRequestHandler):
    """Sends as its server is told, after the whole request: what is left unread makes closing a
    reset.
    """

    def handle(self) -> None:
        head, _, body = self.request.recv(65_536).partition(b"\r\n\r\n")
        length = next(
            (
                int(line.split(b":")[1])
                for line in head.lower().splitlines()
                if line.startswith(b"content-length:")
            ),
            0,
        )
        while len(body) < length:
            body += self.request.recv(65_536)
        with contextlib.suppress(OSError):
            self.server.behave(self.request.sendall)  # type: ignore[attr-defined]


@pytest.fixture
def served() -> Iterator[Callable[[Callable[[Callable[[bytes], None]], None]], str]]:
    servers = []

    def start(behave: Callable[[Callable[[bytes], None]], None]) -> str:
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads, server.behave = True, behave  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/v1"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def drip(head: bytes, part: bytes) -> Callable[[Callable[[bytes], None]], None]:
    """A reply that goes on until the client hangs up."""

    def behave(send: Callable[[bytes], None]) -> None:
        send(head)
        while True:
            send(part)
            time.sleep(0.05)

    return behave


@pytest.mark.parametrize(
    ("head", "part"),
    [
        (HEAD + b"content-length: 1000\r\n\r\n", b" "),
        (HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (HEAD + b"\r\n", b" "),
        (HEAD + b"x-long: ", b"y"),
        (b"", b"H"),
    ],
    ids=["length", "chunks", "until it closes", "headers", "first line"],
)
def test_the_timeout_is_of_the_whole_reply(
    served: Callable[[Callable[[Callable[[bytes], None]], None]], str], head: bytes, part: bytes
) -> None:
    found = Client(served(drip(head, part)), retries=0, timeout=0.5).open().post({}, (1, 1))
    # The words differ where a busy machine sends no byte for as long.
    assert isinstance(found, Failure) and re.fullmatch(
        "timeout: no (whole )?reply in 0.5 s", found.fault
    ), found


def test_a_reply_without_end_is_a_fault_and_not_in_memory(
    served: Callable[[Callable[[Callable[[bytes], None]], None]], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client_module, "LONGEST_REPLY", 1_000_000)
    read = 0

    def endless(send: Callable[[bytes], None]) -> None:
        nonlocal read
        send(HEAD + b"\r\n")
        while True:
            send(b" " * 65_536)
            read += 65_536

    client = Client(served(endless), retries=2, timeout=120).open()
    found = client.post({}, (1, 1))
    assert (
        isinstance(found, Failure)
        and found.fault == "too long: a reply of more than 1,000,000 bytes"
    )
    assert read < 50_000_000


def test_a_reply_nested_without_end_is_a_broken_one(
    served: Callable[[Callable[[Callable[[bytes], None]], None]], str],
) -> None:
    body = b"[" * 200_000
    reply = HEAD + f"content-length: {len(body)}\r\n\r\n".encode() + body
    found = Client(served(lambda send: send(reply)), retries=0, timeout=120).open().post({}, (1, 1))
    assert isinstance(found, Failure) and found.fault.startswith("broken reply")


def test_a_good_reply_comes_through_and_its_connection_is_used_again() -> None:
    with serving(lambda _body, _number: completion("yes")) as server:
        client = Client(f"{server.url}/chat/completions", retries=0, timeout=120).open()
        for _ in range(3):
            assert not isinstance(client.post({}, (1, 1)), Failure)
    assert len(set(server.connections)) == 1


def test_no_more_replies_wait_to_be_taken_than_a_few_a_connection() -> None:
    begun: list[int] = []
    taken: list[int] = []
    ahead: list[int] = []

    def begin(one: int) -> int:
        begun.append(one)
        ahead.append(len(begun) - len(taken))
        return one

    results = map_unordered(begin, range(1000), 4)
    taken.append(next(results))
    wait_until(lambda: len(begun) == 4 * AHEAD)
    taken += (one for one in results)
    assert sorted(taken) == list(range(1000))
    assert max(ahead) <= 4 * AHEAD, "who is not read from begins nothing new"


def test_threads_that_wait_for_room_end_with_the_first_error_and_when_the_reader_leaves() -> None:
    def fail(one: int) -> int:
        if one == 30:
            raise ValueError("thirty")
        return one

    before = threading.active_count()
    with pytest.raises(ValueError, match="thirty"):
        list(map_unordered(fail, range(1000), 4))
    left = map_unordered(lambda one: one, range(1000), 4)
    next(left)
    left.close()  # type: ignore[attr-defined]
    wait_until(lambda: threading.active_count() <= before)
