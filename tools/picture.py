"""The picture of the README: the first screen of the built-in model's page, and beside it the words
that it shows.

python -m tools.picture [FOLDER]     # FOLDER of `grice profile`, made if it is not there; needs
playwright and Chromium
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from grice.reporting.model import Profile

PICTURES = Path(__file__).parents[1] / "docs/pictures"
JUDGE = "encoder/grice-mini"


def first_words(profile: Profile) -> str:
    """What the first screen says in words: the title, the rows of the first figure, each chapter's
    verdict and sentence.
    """
    first = profile.fingerprint
    rows = (
        [f"{number.series}: {number.row}" for number in first.numbers if number.judge == JUDGE]
        if first
        else []
    )
    claims = [
        f"{claim.title}, {claim.verdict or claim.status}: {claim.headline}"
        for claim in profile.claims
    ]
    return "\n".join([profile.title, *rows, *claims]) + "\n"


def take(page: Path, out: Path, shown: str = "html[data-shown]") -> None:
    """A picture of the top of a page, as large as a talk shows it, once `shown` is there."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
        tab = context.new_page()
        tab.goto(page.resolve().as_uri())
        tab.wait_for_selector(shown, state="attached")
        tab.screenshot(path=out)
        browser.close()


def main(folder: Path) -> None:
    """Makes the profile where it is not there, then picture and words."""
    import grice

    profile = grice.profile(JUDGE, out=folder, images=False)
    assert profile.page is not None
    take(profile.page, PICTURES / "profile.png")
    (PICTURES / "profile.txt").write_text(first_words(profile), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "profile")
