"""A page of three judges in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from grice.profiling.build import build
from grice.profiling.sheets import AnswerSheet
from grice.reporting.folder import write_folder
from grice.reporting.model import Profile
from tests.collecting.chromium import CHROMIUM, FLAGS, HANG
from tests.profiling.judges import always, logical, pragmatic, run, suite

Opened = Callable[..., Any]


@pytest.fixture(scope="package")
def made() -> tuple[Profile, list[AnswerSheet]]:
    return build(
        [
            (
                suite(),
                [run(logical, "one", sure=0.9), run(pragmatic, "two <b>"), run(always, "three")],
            )
        ]
    )


@pytest.fixture(scope="package")
def folder(
    made: tuple[Profile, list[AnswerSheet]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    out = tmp_path_factory.mktemp("page")
    profile, parts = made
    write_folder(profile, [(part.data, part.frame) for part in parts], out, stamp="x", images=False)
    return out


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("needs Debian's chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield made
        made.close()


@contextmanager
def reading(
    browser: Any, page: Path, address: str = "", *, width: int = 1280, **options: Any
) -> Iterator[Any]:
    """A reader at the page's file; any error and any request fails the test."""
    context = browser.new_context(viewport={"width": width, "height": 800}, **options)
    context.set_default_timeout(1000 * HANG)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on(
        "console",
        lambda message: (
            wrong.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(page.resolve().as_uri() + address)
    tab.wait_for_selector("html[data-shown]", state="attached")
    # A reader who opened the further charts of every chapter.
    tab.evaluate("document.querySelectorAll('details.more').forEach(d => d.open = true)")
    yield tab
    context.close()
    assert not wrong
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked), asked


def settled(tab: Any, action: Callable[[], Any]) -> None:
    """Does something and waits until the page shows it."""
    before = tab.get_attribute("html", "data-shown")
    action()
    tab.wait_for_selector(f'html:not([data-shown="{before}"])', state="attached")
