"""The page a person needs next: one address always shows it, so a closed tab loses nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from grice.collecting.campaign import AFTER, BEFORE, KnownPair, PracticePair
from grice.collecting.discuss import Discussion, next_discussion
from grice.collecting.overview import is_full, progress
from grice.collecting.site import Site
from grice.collecting.store import Person
from grice.collecting.work import Page, claim


def page_for(site: Site, person: Person) -> Response:
    """Return the page that a person sees next."""
    store, campaign = site.store, site.store.campaign
    if person.excluded:
        message = (
            "Your part in this study has ended. The answers you gave are kept, marked as not"
            " counted."
        )
        exit_url = campaign.people.stopped_url
        return site.show("message.html", title="Thank you", words=message, exit=exit_url)
    if not person.started:
        return _show(site, person, "instructions.html")
    if campaign.practice and not person.practised:
        block = {"id": "practice", "post": "/practice"}
        return _show_pairs(site, person, block, _known(campaign.practice), practice=True)
    if campaign.qualification and person.qualified is None:
        return _test_page(site, person)
    if person.qualified is False:
        return site.show("failed.html")
    if questions := store.open_questions(person, BEFORE):
        return _show(site, person, "questions.html", questions=questions, when=BEFORE)
    if person.finished:
        return _done_page(site, person, "left")
    if (page := claim(store, person.id)) is not None:
        return _work_page(site, person, page)
    discussion = next_discussion(store, person.id)
    if isinstance(discussion, Discussion):
        return _discussion_page(site, person, discussion)
    if store.paused:
        return _done_page(site, person, "paused")
    if discussion == "waiting":
        return _done_page(site, person, "waiting")
    if questions := store.open_questions(person, AFTER):
        return _show(site, person, "questions.html", questions=questions, when=AFTER)
    return _done_page(site, person, "done", later=discussion == "later")


def _show(site: Site, person: Person, name: str, **values: Any) -> Response:
    """Return a page with the token that its forms send back."""
    return site.show(name, csrf=site.keys.csrf(str(person.id)), **values)


def _done_page(site: Site, person: Person, why: str, *, later: bool = False) -> Response:
    """Return the page without anything to answer; `why` is done, left, paused or waiting.

    `later` says that a discussion may still come.
    """
    full, own = why == "done" and is_full(site.store), progress(site.store, person.id)
    return _show(site, person, "done.html", why=why, later=later, full=full, progress=own)


def _work_page(site: Site, person: Person, page: Page) -> Response:
    min_seconds = site.store.campaign.work.least_seconds * len(page.pairs)
    left = min(min_seconds, max(0.0, min_seconds - (site.store.clock() - page.shown_at)))
    drafts = {pair.pair: pair.draft for pair in page.pairs if pair.draft is not None}
    page_of = {"id": page.id, "post": "/answer", "draft": "/draft"}
    block = {**page_of, "drafts": drafts, "wait": round(left, 1)}
    of_person = progress(site.store, person.id)
    return _show_pairs(site, person, block, page.pairs, progress=of_person)


def _test_page(site: Site, person: Person) -> Response:
    test = site.store.campaign.qualification
    assert test is not None, "only a campaign with a test shows it"
    attempt = site.store.attempts(person.id)
    pairs = _known(test.items)
    random.Random(f"{site.store.campaign.seed}/{person.id}/test/{attempt}").shuffle(pairs)
    block = {"id": f"test-{person.id}-{attempt}", "attempt": attempt, "post": "/qualify"}
    about = {"attempt": attempt + 1, "attempts": test.attempts}
    return _show_pairs(site, person, block, pairs, test=about)


def _known(pairs: Sequence[KnownPair | PracticePair]) -> list[dict[str, Any]]:
    """Return pairs with a known answer as a page shows them, by their number."""
    return [
        {"pair": n, "premise": pair.premise, "hypothesis": pair.hypothesis}
        for n, pair in enumerate(pairs)
    ]


def _show_pairs(
    site: Site, person: Person, block: dict[str, Any], pairs: Sequence[Any], **about: Any
) -> Response:
    """Return a page of pairs; `block` is what its script needs."""
    tokens = {
        "shelf": site.keys.shelf(person.id, block["id"]),
        "csrf": site.keys.csrf(str(person.id)),
    }
    block = {"draft": None, "wait": 0, "drafts": {}, **block, **tokens}
    about = {"progress": None, "test": None, "practice": False, **about}
    labels = _labels(site, person)
    return _show(site, person, "work.html", block=block, pairs=pairs, labels=labels, **about)


def _labels(site: Site, person: Person) -> Sequence[str]:
    return person.labels or site.store.instrument.scale.labels


def _discussion_page(site: Site, person: Person, discussion: Discussion) -> Response:
    block = {
        "id": discussion.key,
        # The name does not contain the number of statements, so that a draft survives when the
        # other person is quicker.
        "shelf": site.keys.shelf(person.id, f"discussion-{discussion.pair}"),
        "pair": discussion.pair,
        "seen": len(discussion.statements),
        "csrf": site.keys.csrf(str(person.id)),
        "post": "/discuss",
    }
    labels = _labels(site, person)
    return _show(site, person, "discuss.html", block=block, talk=discussion, labels=labels)
