"""As a person: a real browser, a real server, mouse and keyboard."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from grice.collecting.campaign import CampaignTexts, KnownPair, Qualification, Wording
from grice.collecting.overview import ratings
from grice.theory.slider import probability, step
from tests.collecting.chromium import NEEDS_CHROMIUM, begin, person, press, send, served, violations
from tests.collecting.hand import campaign, items
from tests.collecting.odds import in_words

pytestmark = NEEDS_CHROMIUM


def set_slider(slider: Any, raw: int) -> None:
    slider.evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', { bubbles: true })) }",
        str(raw),
    )


def point(page: Any, slider: Any, share: float) -> None:
    """Click the slider at a share of its length, and wait until the page has taken note."""
    box = slider.bounding_box()
    slider.click(position={"x": share * box["width"], "y": box["height"] / 2})
    touched(page, slider)


def touched(page: Any, slider: Any) -> None:
    page.wait_for_function("e => !e.classList.contains('untouched')", arg=slider.element_handle())


def looks(slider: Any, raw: int) -> bytes:
    """A picture of the slider at a step, without its page knowing."""
    before = slider.input_value()
    slider.evaluate("(e, v) => { e.value = v }", str(raw))
    picture: bytes = slider.screenshot()
    slider.evaluate("(e, v) => { e.value = v }", before)
    return picture


def test_the_script_and_python_read_every_step_alike(browser: Any, tmp_path: Path) -> None:
    with served(campaign(tmp_path), items(1)) as site, person(browser, site.front) as page:
        begin(page)
        found = page.evaluate(
            "() => Array.from({ length: 10001 }, (_, x) => [grice.probability(x),"
            " grice.inWords(grice.probability(x))])"
        )
        assert len(found) == 10_001
        for raw, (chance, words) in enumerate(found):
            assert chance == pytest.approx(probability(raw), abs=1e-15)
            assert words == in_words(probability(raw)), f"step {raw}"


def test_near_the_ends_a_probability_is_also_told_as_odds(browser: Any, tmp_path: Path) -> None:
    expected = [
        (0.0, "0% (impossible)"),
        (0.000123, "0.012% (1 in 8,100)"),
        (0.01, "1.0% (1 in 100)"),
        (0.047, "4.7% (1 in 21)"),
        (0.5, "50%"),
        (0.76, "76%"),
        (0.99, "99.0% (all but 1 in 100)"),
        (1.0, "100% (certain)"),
    ]
    with served(campaign(tmp_path), items(1)) as site, person(browser, site.front) as page:
        begin(page)
        assert page.evaluate("rows => rows.map(row => grice.inWords(row[0]))", expected) == [
            words for _, words in expected
        ]


@pytest.mark.parametrize("phone", [False, True])
def test_a_mark_under_the_slider_says_what_its_place_means(
    browser: Any, tmp_path: Path, phone: bool
) -> None:
    with (
        served(campaign(tmp_path), items(1)) as site,
        person(browser, site.front, phone=phone) as page,
    ):
        begin(page)
        slider = page.locator("input[type=range]").first
        box = slider.bounding_box()
        marks = slider.evaluate(
            """e => [...e.parentElement.querySelectorAll(".ticks g")].map(g => {
            const line = g.querySelector("line").getBoundingClientRect(), text = g.querySelector("text");
            return [line.left + line.width / 2, text.textContent, getComputedStyle(text).display !== "none", text.getBoundingClientRect().left, text.getBoundingClientRect().right]; })"""
        )
        assert len(marks) == 9 and sum(seen for _, _, seen, _, _ in marks) == (5 if phone else 9)
        places = sorted((left, right) for _, _, seen, left, right in marks if seen)
        assert all(a[1] <= b[0] for a, b in pairwise(places)), "no word on another"
        for x, text, *_ in marks:
            page.mouse.click(x, box["y"] + box["height"] / 2)
            touched(page, slider)
            said = page.locator(".reading").first.inner_text()
            shown, meant = float(said.split("%")[0]), float(text.rstrip("%"))
            assert shown == pytest.approx(meant, rel=0.12, abs=0.002 if phone else 0.001), (
                text,
                said,
            )


def test_five_sliders_by_mouse_and_a_reload_in_the_middle(browser: Any, tmp_path: Path) -> None:
    with served(campaign(tmp_path), items(1)) as site, person(browser, site.front) as page:
        begin(page)
        sliders = page.locator("input[type=range]")
        assert sliders.count() == 5
        assert page.locator("input.untouched").count() == 5
        assert looks(sliders.nth(4), 2000) == looks(sliders.nth(4), 8000), "no thumb until touched"
        point(page, sliders.nth(0), 0.9)
        point(page, sliders.nth(1), 0.5)
        assert page.locator("input.untouched").count() == 3, (
            "a click in the very middle is a touch too"
        )
        page.get_by_text("Kept, not sent yet.").wait_for()
        page.click("#send")
        assert page.get_by_text("3 pairs are still open.").is_visible()
        before = [sliders.nth(n).input_value() for n in range(2)]
        page.reload()
        assert looks(sliders.nth(0), 2000) != looks(sliders.nth(0), 8000)
        assert [sliders.nth(n).input_value() for n in range(2)] == before
        assert page.locator("input.untouched").count() == 3
        for n in range(2, 5):
            set_slider(sliders.nth(n), 1000 * n)
        point(page, sliders.nth(0), 0.2)
        assert int(sliders.nth(0).input_value()) < 2500, "what was set can still be changed"
        send(page)
        assert page.get_by_role("heading", name="Thank you").is_visible()
        raws = [row["raw"] for row in ratings(site.store)]
        assert raws[2:] == [2000, 3000, 4000]
        assert raws[0] < 2500


def test_a_whole_page_by_keyboard_alone(browser: Any, tmp_path: Path) -> None:
    with served(campaign(tmp_path), items(1)) as site, person(browser, site.front) as page:
        begin(page)
        page.locator("input[type=range]").first.focus()
        keys = (["ArrowRight"], ["PageDown", "Shift+ArrowLeft"], ["Home"], ["End"], [" "])
        for number, strokes in enumerate(keys):
            assert page.evaluate("document.activeElement.type") == "range"
            for stroke in strokes:
                page.keyboard.press(stroke)
            if number < 4:
                # Past the box that skips the pair, to the next slider.
                page.keyboard.press("Tab")
                page.keyboard.press("Tab")
        spoken = page.locator("input[type=range]").nth(2).get_attribute("aria-valuetext")
        assert spoken == "0% (impossible)"
        with page.expect_navigation():
            page.keyboard.press("Control+Enter")
        assert [row["raw"] for row in ratings(site.store)] == [5050, 4499, 0, 10_000, 5000]


def test_labels_by_number_keys_and_a_skipped_pair(browser: Any, tmp_path: Path) -> None:
    asked = campaign(tmp_path, "labels", work={"per_page": 2})
    with served(asked, items(1, 2)) as site, person(browser, site.front, phone=True) as page:
        begin(page)
        first = page.locator("fieldset.pair").first
        first.locator("input[type=radio]").first.focus()
        page.keyboard.press("2")
        chosen = first.locator("input[type=radio]:checked").input_value()
        page.locator("fieldset.pair").nth(1).get_by_label("Skip this pair").check()
        send(page)
        rows = list(ratings(site.store))
        assert [row["state"] for row in rows] == ["answered", "skipped"]
        assert rows[0]["answer"] == chosen == rows[0]["label_order"][1]


def test_likert_with_a_pair_that_makes_no_sense(browser: Any, tmp_path: Path) -> None:
    with (
        served(campaign(tmp_path, "likert"), items(1, 3)) as site,
        person(browser, site.front) as page,
    ):
        begin(page)
        pairs = page.locator("fieldset.pair")
        pairs.nth(0).get_by_label("probably true").check()
        pairs.nth(1).get_by_label("definitely true").check()
        pairs.nth(1).get_by_label("This does not make sense").check()
        pairs.nth(2).get_by_label("This does not make sense").check()
        pairs.nth(2).get_by_label("definitely not true").check()
        assert not pairs.nth(2).get_by_label("This does not make sense").is_checked(), (
            "an answer takes the mark back"
        )
        send(page)
        rows = list(ratings(site.store))
        assert [row.get("answer") for row in rows] == [1.0, None, -2.0]
        assert rows[1]["fault"] == "does not make sense"


def test_pragmatic_annotation_asks_only_what_applies(browser: Any, tmp_path: Path) -> None:
    with (
        served(campaign(tmp_path, "pragmatic"), items(1, 2)) as site,
        person(browser, site.front) as page,
    ):
        begin(page)
        page.get_by_role("radio", name="neither").check()
        assert not page.get_by_text("What subtype").is_visible()
        send(page)
        page.get_by_role("radio", name="implicature").check()
        page.get_by_role("radio", name="P to H").check()
        page.get_by_role("radio", name="yes").nth(0).check()
        page.get_by_label("What subtype of inference? Pair 1").fill("some, all")
        page.get_by_role("radiogroup", name="Is the trigger embedded").get_by_role(
            "radio", name="no"
        ).check()
        send(page)
        rows = list(ratings(site.store))
        assert [row["answer"] for row in rows] == ["neither", "implicature"]
        assert rows[1]["fields"]["subtype"] == "some, all"


TEST = Qualification(
    (
        KnownPair("A coin.", 0.5, "Heads.", easy=True),
        KnownPair("A die.", 0.9, "No six."),
        KnownPair("A lottery.", 0.01, "Won."),
    )
)


@pytest.mark.parametrize("passes", [True, False])
def test_the_qualification_passed_and_failed(browser: Any, tmp_path: Path, passes: bool) -> None:
    asked = campaign(tmp_path, qualification=TEST)
    truth = {known.hypothesis: known.answer for known in TEST.items}
    with served(asked, items(1)) as site, person(browser, site.front) as page:
        begin(page)
        pairs = page.locator("fieldset.pair")
        set_slider(pairs.nth(0).locator("input[type=range]"), 123)
        page.wait_for_function(
            "() => Object.values(localStorage).some(kept => kept.includes('123'))"
        )
        page.reload()
        assert pairs.nth(0).locator("input[type=range]").input_value() == "123", (
            "a test survives a reload"
        )
        for n in range(3):
            words = pairs.nth(n).locator("legend").inner_text()
            right = next(float(y) for h, y in truth.items() if h and h in words)
            set_slider(
                pairs.nth(n).locator("input[type=range]"),
                round(step(right if passes else 1 - right)),
            )
        send(page)
        if passes:
            assert page.locator("input[type=range]").count() == 5
        else:
            assert page.get_by_role("heading", name="Thank you for trying").is_visible()


def test_without_a_server_the_page_keeps_trying_and_loses_nothing(
    browser: Any, tmp_path: Path
) -> None:
    with served(campaign(tmp_path), items(1)) as site, person(browser, site.front) as page:
        begin(page)
        for slider in page.locator("input[type=range]").all():
            set_slider(slider, 777)
        site.stop()
        page.click("#send")
        page.get_by_text("Your answers are still on this page").wait_for()
        site.start()
        page.get_by_role("heading", name="Thank you").wait_for()
        assert [row["raw"] for row in ratings(site.store)] == [777] * 5


@pytest.mark.parametrize("instrument", ["probability", "rating", "labels", "pragmatic"])
def test_no_page_has_a_serious_accessibility_error(
    browser: Any, tmp_path: Path, instrument: str
) -> None:
    pytest.importorskip("axe_core_python", reason="needs axe-core-python")
    texts = CampaignTexts(
        consent="We *ask*.", instructions="- read\n- answer", examples="> A\n\n*B*", thanks="Done."
    )
    wording = Wording(anchors=("bad", "good"))
    asked = campaign(tmp_path, instrument, texts=texts, wording=wording)
    found: dict[str, list[str]] = {}

    def check(page: Any, name: str) -> None:
        for scheme in ("light", "dark"):
            # Colours in the middle of a change are nobody's contrast.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found[f"{name}, {scheme}"] = violations(page)

    with served(asked, items(1, 2)) as site, person(browser, site.front) as page:
        check(page, "consent")
        press(page, "I agree")
        check(page, "instructions")
        press(page, "Begin")
        page.locator("details.help").first.evaluate("e => { e.open = true }")
        page.click("#send")
        page.get_by_label("Skip this pair").first.check()
        check(page, "work")
        press(page, "Stop here")
        check(page, "stopped")
        page.goto(f"{site.front}/admin?key={site.app.state.site.keys.admin}")
        page.locator("details summary").first.click()
        check(page, "admin")
        page.set_viewport_size({"width": 390, "height": 844})
        check(page, "admin on a phone")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.goto(f"{site.front}/nothing")
        check(page, "message")
        assert found == {name: [] for name in found}
