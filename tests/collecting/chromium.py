"""A real browser before a real server: how it is started, and what a person does at its pages."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from grice.collecting.app import make_app
from grice.collecting.campaign import Campaign
from grice.collecting.security import Serving
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from tests.hand import held_port, wait_until

# So many seconds end a test that would hang.
HANG = 120
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NEEDS_CHROMIUM = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium"),
]


class Served:
    """A campaign on a port of its own; stopped and started again when told to."""

    def __init__(self, store: Store, port: int) -> None:
        self.store, self.port = store, port
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
        wait_until(lambda: bool(self.server.started))

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(HANG)


@contextmanager
def served(asked: Campaign, data: Dataset) -> Iterator[Served]:
    store = Store(asked, data)
    with held_port() as port:
        made = Served(store, port)
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
    context.set_default_timeout(1000 * HANG)
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    outside: list[str] = []
    page.on(
        "request",
        lambda request: outside.append(request.url) if not request.url.startswith(front) else None,
    )
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


def violations(page: Any, part: str | None = None) -> list[str]:
    """What axe finds serious on a page, or in one part of it."""
    from axe_core_python.sync_playwright import Axe  # type: ignore[import-untyped]

    # Without the nodes that pass, which are by far the most.
    found = Axe().run(page, context=part, options={"resultTypes": ["violations"]})["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
