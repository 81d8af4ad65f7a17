"""How quick a profile and its page are: the built-in model, a second call, twelve judges, 100,000
items in a browser.

pip install playwright axe-core-python     # and Chromium, for the second part
python -m benchmarks.page [--chromium /usr/bin/chromium]
"""

from __future__ import annotations

import argparse
import importlib
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PAINT = (
    "performance.getEntriesByType('paint').filter(e => e.name ==="
    " 'first-contentful-paint')[0].startTime"
)
# The first picture is there at the latest when everything is.
LOADED = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
FILTERS = {
    "a phenomenon": "#items?data=0&tag.phenomenon=modals",
    "two tags and a reading": "#items?data=0&tag.role=target&tag.readings=differ&reading=logical",
    "a word": "#items?data=0&search=some",
    "wrong only": "#items?data=0&only=wrong",
    "two judges that differ": "#items?data=0&differ=baseline/random",
    "everything": "#items?data=0",
}


def built_in(folder: Path) -> None:
    """`grice profile` with nothing but its folder, twice."""
    for what in ("first", "second"):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "grice", "profile", "-o", str(folder)],
            check=True,
            capture_output=True,
        )
        after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"grice profile, {what} call: {wall:.1f} s of wall time, {cpu:.1f} s of CPU (bar 60 s,"
            " then about 1 s)"
        )
    print(f"its page: {(folder / 'index.html').stat().st_size / 1e6:.2f} MB (bar 2.5)")


def large(folder: Path) -> Path:
    """The page of two judges on more than 100,000 generated items."""
    from grice import loading
    from grice.generate.suites import find_suite
    from grice.profiling.build import build
    from grice.reporting.folder import write_folder
    from grice.storage.evaluation import evaluate

    data = find_suite("imppres", 400).dataset()
    start = time.monotonic()
    runs = [
        evaluate(data, loading.load_judge(f"baseline/{name}")) for name in ("overlap", "random")
    ]
    profile, sheets = build([(data, runs)])
    write_folder(
        profile, [(sheet.data, sheet.frame) for sheet in sheets], folder, stamp="", images=False
    )
    size = (folder / "index.html").stat().st_size / 1e6
    print(f"a page of {len(data):,} items: made in {time.monotonic() - start:.0f} s, {size:.2f} MB")
    return folder / "index.html"


def twelve(folder: Path) -> Path:
    """The page of twelve judges on the core suite, each right as often as its place says."""
    import random

    from grice import loading
    from grice.core.judgement import Judgement
    from grice.profiling.build import build
    from grice.reporting.folder import write_folder
    from grice.storage.run import Run

    data = loading.load("core")
    runs = []
    for place in range(12):
        draw, share = random.Random(place), 0.95 - 0.05 * place
        replies = []
        for item in data.items():
            right = str(next(iter(item.gold.values()), "neutral"))
            given = right if draw.random() < share else draw.choice(data.scale.labels)
            sure = 0.4 + 0.59 * draw.random()
            probs = {
                label: sure if label == given else (1 - sure) / 2 for label in data.scale.labels
            }
            replies.append(Judgement(item.id, given, probs=probs))
        runs.append(Run.recorded(data, f"maker/model-{place + 1}-instruct", replies))
    profile, sheets = build([(data, runs)])
    write_folder(
        profile, [(sheet.data, sheet.frame) for sheet in sheets], folder, stamp="", images=False
    )
    print(f"a page of twelve judges: {(folder / 'index.html').stat().st_size / 1e6:.2f} MB (bar 8)")
    return folder / "index.html"


def browse(page: Path, chromium: str) -> None:
    """First paint, filters, errors, requests and axe in a fresh headless browser."""
    from playwright.sync_api import sync_playwright

    audit = importlib.import_module("axe_core_python.sync_playwright").Axe()
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=chromium, args=FLAGS)
        # What a browser does once, such as reading fonts, is not the page's.
        browser.new_page().goto("data:text/html,<p>a page before<svg><text>a picture</text></svg>")
        for width, theme in ((1200, "light"), (390, "dark")):
            # The audit's own script is put into the page, which the page itself forbids.
            options: dict[str, Any] = {
                "color_scheme": theme,
                "viewport": {"width": width, "height": 900},
            }
            context = browser.new_context(**options, bypass_csp=True)
            tab = context.new_page()
            wrong: list[str] = []
            asked: list[str] = []
            _listen(tab, wrong, asked)
            tab.goto(page.resolve().as_uri())
            tab.wait_for_timeout(300)
            print(
                f"{page.parent.name}, {width} px, {theme}: first content {tab.evaluate(PAINT):.0f}"
                f" ms (bar 300), all pictures there {tab.evaluate(LOADED):.0f} ms (bar 1500)"
            )
            if width > 1000:
                _filters(tab)
            left = [url for url in asked if not url.startswith(("file:", "data:"))]
            tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            found = audit.run(tab)["violations"]
            serious = [
                f"{v['id']} ({len(v['nodes'])})"
                for v in found
                if v["impact"] in ("serious", "critical")
            ]
            print(
                f"  console errors: {wrong or 'none'}; requests: {left or 'none'}; axe, serious:"
                f" {serious or 'none'}"
            )
        browser.close()


def _listen(tab: Any, wrong: list[str], asked: list[str]) -> None:
    tab.on(
        "console", lambda message: wrong.append(message.text) if message.type == "error" else None
    )
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("request", lambda request: asked.append(request.url))


def _filters(tab: Any) -> None:
    """Milliseconds from a new address to the new rows."""
    start = time.monotonic()
    tab.evaluate("location.hash = '#items?data=0&tag.phenomenon=none'")
    tab.wait_for_selector("html[data-took]", state="attached")
    print(f"  items opened in {1000 * (time.monotonic() - start):.0f} ms")
    for what, address in FILTERS.items():
        tab.evaluate("delete document.documentElement.dataset.took")
        tab.evaluate(f"location.hash = '{address}'")
        tab.wait_for_selector("html[data-took]", state="attached")
        told = tab.inner_text("#count")
        print(
            f"  {what}: {float(tab.evaluate('document.documentElement.dataset.took')):.0f} ms (bar"
            f" 50), {told}"
        )


if __name__ == "__main__":
    flags = argparse.ArgumentParser()
    flags.add_argument("--chromium", default="/usr/bin/chromium")
    flags.add_argument("--page", type=Path, help="measure this page in the browser and stop")
    given = flags.parse_args()
    if given.page:
        browse(given.page, given.chromium)
        sys.exit()
    with tempfile.TemporaryDirectory() as place:
        built_in(Path(place) / "core")
        browse(Path(place) / "core" / "index.html", given.chromium)
        browse(twelve(Path(place) / "twelve"), given.chromium)
        browse(large(Path(place) / "large"), given.chromium)
