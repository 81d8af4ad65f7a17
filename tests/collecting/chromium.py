"""A real browser before a real server: how it is started, and what a person does at its pages."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from grice.collecting.app import make_app
from grice.collecting.campaign import Campaign
from grice.collecting.security import Serving
from grice.collecting.store import Store
from grice.core.dataset import Dataset

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
NEEDS_CHROMIUM = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")]


class Served:
    """A campaign on a port of its own; stopped and started again when told to."""

    def __init__(self, store: Store) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.store = store
        self.serving = Serving(port=self.port, requests_per_second=1000)
        self.front = f"http://127.0.0.1:{self.port}"
        self.app = make_app(store, self.serving)
        self.start()

    def start(self) -> None:
        import uvicorn

        settings = uvicorn.Config(self.app, port=self.port, log_level="error", access_log=False)
        self.server = uvicorn.Server(settings)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        for _ in range(200):
            if self.server.started:
                return
            time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(10)


@contextmanager
def served(asked: Campaign, data: Dataset) -> Iterator[Served]:
    store = Store(asked, data)
    made = Served(store)
    try:
        yield made
    finally:
        made.stop()
        store.close()


@contextmanager
def person(browser: Any, front: str, *, phone: bool = False) -> Iterator[Any]:
    """A fresh profile at the campaign's door; anything the page complains of fails the test."""
    size = {"width": 390, "height": 844} if phone else {"width": 1200, "height": 900}
    context = browser.new_context(viewport=size)
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url) if not request.url.startswith(front) else None)
    page.goto(front)
    yield page
    context.close()
    assert not troubles
    assert not outside, "nothing is loaded from elsewhere"


def begin(page: Any) -> None:
    press(page, "I agree")
    press(page, "Begin")


def press(page: Any, name: str) -> None:
    """Press a button and wait for the page it leads to."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).click()


def send(page: Any) -> None:
    with page.expect_navigation():
        page.click("#send")


def violations(page: Any) -> list[str]:
    from axe_core_python.sync_playwright import Axe  # type: ignore[import-untyped]

    found = Axe().run(page)["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found if one["impact"] in ("serious", "critical")
    ]
