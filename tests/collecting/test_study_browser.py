"""A study in a browser: practice with feedback, a question, a list, and reaction times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grice.collecting.campaign import Design, PersonQuestion, PracticePair, Wording
from grice.collecting.overview import ratings
from grice.core.dataset import Dataset
from grice.core.scale import LIKERT5
from tests.collecting.chromium import NEEDS_CHROMIUM, begin, person, press, send, served, violations
from tests.collecting.hand import campaign
from tests.collecting.test_design import study_items

pytestmark = NEEDS_CHROMIUM


def test_a_person_goes_through_a_study_from_practice_to_the_end(
    browser: Any, tmp_path: Path
) -> None:
    data = Dataset.from_items("study", LIKERT5, study_items(3, 2))
    plan = campaign(
        tmp_path,
        "rating",
        design=Design(),
        wording=Wording(ask="How natural?", points=5, anchors=("bad", "good")),
        practice=(PracticePair("It rains.", "Rain makes wet.", 5, "It is wet."),),
        questions=(PersonQuestion("native", "Native?", ("yes", "no"), "before"),),
        work={"per_page": 1},
    )
    with served(plan, data) as site, person(browser, site.front) as page:
        begin(page)
        page.locator("input[type=radio]").last.check(force=True)
        page.click("#send")
        page.get_by_text("Yes. Rain makes wet.").wait_for()
        page.get_by_role("link", name="Go on").click()
        page.get_by_text("Native?").wait_for()
        assert not violations(page)
        page.locator("input[value=yes]").check(force=True)
        press(page, "Go on")
        for _ in range(3):
            page.wait_for_timeout(120)
            page.locator("input[type=radio]").nth(3).check(force=True)
            send(page)
        page.get_by_text("3 answers are stored").wait_for()
        rows = list(ratings(site.store))
        assert [row["answer"] for row in rows] == [4.0] * 3
        assert all(100 <= row["ms"] < 1000 * row["seconds"] + 50 for row in rows)
