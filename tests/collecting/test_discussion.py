"""Two people who differ, at two browsers: reasons seen, answers given again, by mouse, by keys,
over reloads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from grice.collecting.campaign import CampaignTexts, KnownPair, Qualification
from grice.collecting.export import gold
from grice.core.errors import InputError
from tests.collecting.chromium import (
    NEEDS_CHROMIUM,
    Served,
    begin,
    person,
    send,
    served,
    violations,
)
from tests.collecting.hand import campaign, items

pytestmark = NEEDS_CHROMIUM
RENDERINGS = [(False, "light"), (True, "dark")]


def label_all(page: Any, label: str) -> None:
    for pair in page.locator("fieldset.pair").all():
        pair.locator(f"input[value={label}]").check()
    send(page)


@contextmanager
def two_who_differ(browser: Any, folder: Path, pairs: int = 1) -> Iterator[tuple[Served, Any, Any]]:
    """Two people at their own browsers who have just given every pair another label."""
    asked = campaign(folder, "labels", work={"discussion_turns": 2})
    with ExitStack() as stack:
        site = stack.enter_context(served(asked, items(1, pairs)))
        one = stack.enter_context(person(browser, site.front))
        two = stack.enter_context(person(browser, site.front, phone=True))
        for page, label in ((one, "entailment"), (two, "neutral")):
            begin(page)
            label_all(page, label)
        one.reload()
        yield site, one, two


def say(page: Any, label: str, note: str) -> None:
    page.get_by_role("radio", name=label).check()
    page.get_by_label("Your reason").fill(note)
    send(page)


def heading(page: Any) -> str:
    words: str = page.locator("h1").inner_text()
    return words


def test_two_people_see_each_others_reasons_and_settle(browser: Any, tmp_path: Path) -> None:
    with two_who_differ(browser, tmp_path) as (site, one, two):
        assert heading(one) == heading(two) == "You two differ here"
        assert one.get_by_role("radio", name="entailment").is_checked(), (
            "one's own label stands until changed"
        )
        say(one, "entailment", "A cake is <b>food</b>.\nSo someone ate.")
        assert heading(one) == "Waiting for the other one"
        two.reload()
        assert two.locator(".talk .why").inner_text() == "A cake is <b>food</b>.\nSo someone ate."
        with pytest.raises(InputError, match="still in discussion: 1"):
            gold(site.store, items(1, 1))
        say(two, "entailment", "Right.")
        assert heading(two) == heading(one.reload() and one) == "Thank you"
        assert gold(site.store, items(1, 1)).data.frame["gold.people"].to_list() == ["entailment"]


def test_no_agreement_after_the_last_turn_leaves_the_pair_out(browser: Any, tmp_path: Path) -> None:
    with two_who_differ(browser, tmp_path) as (site, one, two):
        assert one.get_by_text("you have 2 turns").is_visible()
        for turn in range(2):
            for page, label in ((one, "entailment"), (two, "neutral")):
                page.reload()
                last = page.get_by_text("this is your last turn").count()
                assert last == turn
                say(page, label, f"reason {turn}")
        one.reload()
        assert heading(one) == heading(two) == "Thank you"
        with pytest.raises(InputError, match=r"no agreement: 1\); collect more"):
            gold(site.store, items(1, 1))


def test_a_discussion_by_keyboard_alone(browser: Any, tmp_path: Path) -> None:
    with two_who_differ(browser, tmp_path) as (site, one, _two):
        keys = one.keyboard
        keys.press("Tab")
        assert one.evaluate("document.activeElement.className") == "skip-link"
        keys.press("Enter")
        keys.press("Tab")
        assert one.evaluate("document.activeElement.value") == "entailment", (
            "Tab goes to the chosen label"
        )
        for number in "123":
            keys.press(number)
            order = one.locator("input[name=label]").nth(int(number) - 1).input_value()
            assert one.evaluate("document.querySelector('[name=label]:checked').value") == order
        keys.press("ArrowUp")
        chosen = one.locator("input[name=label]").nth(1).input_value()
        keys.press("Tab")
        keys.type("3 cakes")
        keys.press("Enter")
        keys.type("are enough")
        with one.expect_navigation():
            keys.press("Control+Enter")
        with site.store.read() as connection:
            said = connection.exec_driver_sql("SELECT label, note FROM statements").all()
        assert [tuple(row) for row in said] == [(chosen, "3 cakes\nare enough")], (
            "digits in a reason choose nothing"
        )


def test_a_reload_or_a_lost_race_keeps_what_was_written(browser: Any, tmp_path: Path) -> None:
    with two_who_differ(browser, tmp_path) as (_site, one, two):
        for page, label in ((one, "contradiction"), (two, "entailment")):
            page.get_by_role("radio", name=label).check()
            page.get_by_label("Your reason").fill(f"my {label}")
        one.reload()
        assert one.get_by_label("Your reason").input_value() == "my contradiction"
        assert one.get_by_role("radio", name="contradiction").is_checked()
        send(one)
        # Both may begin, so the second one's page is out of date by the time it is sent.
        two.click("#send")
        two.get_by_text("this discussion has moved on").wait_for()
        two.get_by_text("The other one has written meanwhile").wait_for()
        assert two.get_by_text("my contradiction").is_visible()
        assert two.get_by_label("Your reason").input_value() == "my entailment"
        send(two)
        assert heading(two) == "Waiting for the other one"
        one.reload()
        assert one.get_by_text("my entailment").is_visible()
        assert one.get_by_label("Your reason").input_value() == "", (
            "what is stored is not offered again"
        )


def test_the_back_button_stores_nothing_twice_and_leads_on(browser: Any, tmp_path: Path) -> None:
    with two_who_differ(browser, tmp_path, pairs=2) as (site, one, _two):
        assert one.get_by_text("2 pairs are open between you two").is_visible()
        say(one, "entailment", "first")
        one.get_by_label("Your reason").fill("second, half wr")
        for move in (one.go_back, one.go_forward):
            move()
            assert heading(one) == "You two differ here", "every address shows the next thing to do"
            assert one.get_by_label("Your reason").input_value() == "second, half wr"
        one.get_by_label("Your reason").fill("second")
        send(one)
        one.go_back()
        one.wait_for_load_state()
        assert heading(one) == "Waiting for the other one"
        with site.store.read() as connection:
            notes = (
                connection.exec_driver_sql("SELECT note FROM statements ORDER BY id")
                .scalars()
                .all()
            )
        assert list(notes) == ["first", "second"]


def test_a_waiting_page_moves_on_by_itself_and_only_then(browser: Any, tmp_path: Path) -> None:
    with (
        served(campaign(tmp_path, "labels"), items(1, 1)) as site,
        person(browser, site.front) as one,
    ):
        one.clock.install()
        begin(one)
        label_all(one, "entailment")
        assert heading(one) == "Thank you"
        assert one.get_by_text("Someone else answers the same pairs").is_visible()
        one.evaluate("window.stays = true")
        with one.expect_response(site.front + "/"):
            one.clock.fast_forward(10_000)
        one.wait_for_timeout(200)
        assert one.evaluate("window.stays"), "nothing new, so the reader is left in peace"
        with person(browser, site.front) as two:
            begin(two)
            label_all(two, "neutral")
        with one.expect_navigation():
            one.clock.fast_forward(10_000)
        assert heading(one) == "You two differ here"
        assert one.title().startswith("Your turn")


TEST = Qualification(
    (KnownPair("A coin.", "neutral", "Heads."), KnownPair("A die.", "entailment", "A toy."))
)


def shown(page: Any, phone: bool, scheme: str) -> None:
    """As on that device; nothing may stick out sideways."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size(
        {"width": 390, "height": 844} if phone else {"width": 1200, "height": 900}
    )
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (
        "wider than the screen"
    )


def check(page: Any, name: str, found: dict[str, list[str]]) -> None:
    for phone, scheme in RENDERINGS:
        shown(page, phone, scheme)
        found[f"{name}, {'phone' if phone else 'desktop'}, {scheme}"] = violations(page)


def test_the_pages_of_a_discussion_are_accessible_on_every_screen(
    browser: Any, tmp_path: Path
) -> None:
    pytest.importorskip("axe_core_python", reason="needs axe-core-python")
    found: dict[str, list[str]] = {}
    with two_who_differ(browser, tmp_path) as (_site, one, two):
        check(one, "discussion", found)
        say(one, "entailment", "because " * 60)
        check(one, "waiting", found)
        two.reload()
        check(two, "discussion with a reason", found)
        say(two, "entailment", "")
        check(two, "done", found)
    assert found == {name: [] for name in found}


def test_the_other_pages_are_accessible_on_every_screen(browser: Any, tmp_path: Path) -> None:
    pytest.importorskip("axe_core_python", reason="needs axe-core-python")
    found: dict[str, list[str]] = {}
    texts = CampaignTexts(consent="We *ask*.\n\n- one\n- two", thanks="Done.")
    people = {"failed_url": "https://platform.example/failed"}
    asked = campaign(tmp_path, "labels", qualification=TEST, texts=texts, people=people)
    with served(asked, items(1, 2)) as site, person(browser, site.front) as page:
        check(page, "consent", found)
        begin(page)
        check(page, "test", found)
        label_all(page, "contradiction")
        assert heading(page) == "Thank you for trying"
        check(page, "failed", found)
        page.goto(f"{site.front}/nothing")
        check(page, "error", found)
        press_link = page.get_by_role("link", name="Go on with the study")
        press_link.click()
        assert heading(page) == "Thank you for trying", "an error page leads back"
        page.goto(f"{site.front}/admin?key=wrong")
        check(page, "refused", found)
    assert found == {name: [] for name in found}
