"""How a board of forty judges fares: the time of a build and of the next one, sizes, how long the
index takes to sort.

pip install playwright      # and Chromium, for the sorting
python -m benchmarks.board [--judges 40] [--pages] [--workers 2] [--chromium /usr/bin/chromium]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

SORT = (
    "place => { document.querySelectorAll('#board button[data-sort]')[place].click();"
    " document.body.offsetHeight; }"
)
WORK = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
PAINT = (
    "performance.getEntriesByType('paint').filter(e => e.name ==="
    " 'first-contentful-paint')[0].startTime"
)


def simulate(folder: Path, judges: int, data_name: str) -> None:
    """Runs of judges that know more and more of the labels, each with a lean of its own."""
    import grice
    from grice.core.judgement import Judgement
    from grice.storage.run import Run

    data = grice.load(data_name)
    labels = np.array(data.scale.labels)
    golds = [
        item.gold.get("pragmatic" if number % 2 else "logical") or next(iter(item.gold.values()))
        for number, item in enumerate(data.items())
    ]
    for judge in range(judges):
        draw = np.random.default_rng(judge)
        knows = draw.random(len(golds)) < 0.35 + 0.6 * judge / judges
        guesses = draw.choice(labels, len(golds), p=draw.dirichlet(np.full(len(labels), 4.0)))
        said = [
            str(gold) if know else str(guess)
            for gold, know, guess in zip(golds, knows, guesses, strict=True)
        ]
        replies = [Judgement(one, answer) for one, answer in zip(data.ids, said, strict=True)]
        Run.recorded(data, f"simulated/{judge:02}", replies, settings={"seed": judge}).write(folder)


def browse(page: Path, chromium: str) -> None:
    """First content, and the slowest sort of any column."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tools:
        browser = tools.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        # What a browser does once, such as reading fonts, is not the board's.
        browser.new_page().goto("data:text/html,<p>a page before")
        tab = browser.new_page()
        tab.goto(page.resolve().as_uri())
        watch = tab.context.new_cdp_session(tab)
        # Thread time: what sorting costs, also where others use the machine.
        watch.send("Performance.enable", {"timeDomain": "threadTicks"})

        def spent() -> float:
            found = {
                one["name"]: one["value"] for one in watch.send("Performance.getMetrics")["metrics"]
            }
            return float(1000 * sum(found[name] for name in WORK))

        times = []
        for place in range(tab.locator("#board button[data-sort]").count()):
            before = spent()
            tab.evaluate(SORT, place)
            times.append(spent() - before)
        print(f"first content {tab.evaluate(PAINT):.0f} ms of wall time (bar 300)")
        print(
            f"sorting, script with style and layout: {median(times):.0f} ms at the median,"
            f" {max(times):.0f} at most (bar 50)"
        )
        browser.close()


def main() -> None:
    """Simulate, build twice, change one judge, open the index."""
    import grice

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judges", type=int, default=40)
    parser.add_argument("--data", default="core")
    parser.add_argument("--pages", action="store_true", help="also the profile of each judge")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--chromium", default="")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulate(folder / "runs", asked.judges, asked.data)
        for what in ("first build", "nothing changed", "one judge gone"):
            if what == "one judge gone":
                gone = next((folder / "runs").glob("*--simulated-00--*"))
                gone.rename(folder / "gone")
            start = time.monotonic()
            made = grice.board(
                folder / "runs", folder / "site", pages=asked.pages, workers=asked.workers
            )
            print(
                f"{what}: {time.monotonic() - start:.1f} s, {len(made.made)} made, {made.kept} kept"
            )
        for page in ("index.html", "pairs.html", "board.json"):
            print(
                f"{page}: {(folder / 'site' / page).stat().st_size / 1e6:.2f} MB"
                + (" (bar 1)" if page == "index.html" else "")
            )
        if asked.chromium:
            browse(folder / "site" / "index.html", asked.chromium)


if __name__ == "__main__":
    main()
