"""Pages that people see: one address always shows the next step, so a closed tab loses nothing."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as DatabaseTimeout
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from grice.collecting.admin import routes as admin_routes
from grice.collecting.campaign import AFTER, BEFORE, KnownPair
from grice.collecting.discuss import (
    Discussion,
    add_statement,
    may_differ_yet,
    next_discussion,
    waiting_for_others,
)
from grice.collecting.drafts import keep_draft
from grice.collecting.instrument import check_draft, clean_words, is_integer, read_json, read_reply
from grice.collecting.joining import is_known, join
from grice.collecting.overview import is_full, progress
from grice.collecting.qualify import judge_test, passes_attention
from grice.collecting.security import Guard, Refusal, Serving, equal_secrets, read_body, read_form
from grice.collecting.site import (
    Agreement,
    Site,
    current_person,
    picture,
    refuse,
    say_database_away,
    show_http_error,
    site_of,
)
from grice.collecting.store import Person, Store
from grice.collecting.work import Page, answer, claim
from grice.core.errors import GriceError, InputError

# Folders of static files: those of the pages, and the style that all pages share.
STYLES: Any = [("grice.collecting", "pages/static"), ("grice.core", "style")]


def make_app(store: Store, serving: Serving, agreement: Agreement | None = None) -> Starlette:
    """Build the web application of a campaign.

    `agreement` gives the rows of the administrator's table.
    """
    app = Starlette(
        routes=[
            Route("/", front),
            Route("/join", join, methods=["GET", "POST"]),
            Route("/start", start, methods=["POST"]),
            Route("/leave", leave, methods=["POST"]),
            Route("/resume", leave, methods=["POST"]),
            Route("/qualify", qualify, methods=["POST"]),
            Route("/practice", practise, methods=["POST"]),
            Route("/questions", questions, methods=["POST"]),
            Route("/decline", decline, methods=["POST"]),
            Route("/draft", draft, methods=["POST"]),
            Route("/answer", send, methods=["POST"]),
            Route("/discuss", discuss, methods=["POST"]),
            Route("/health", health),
            Route("/picture/{name}", picture),
            *admin_routes,
            Mount("/static", StaticFiles(packages=STYLES)),
        ],
        middleware=[
            Middleware(Guard, serving=serving),
            Middleware(TrustedHostMiddleware, allowed_hosts=serving.hosts, www_redirect=False),
        ],
        exception_handlers={
            GriceError: refuse,
            HTTPException: show_http_error,
            DBAPIError: say_database_away,
            DatabaseTimeout: say_database_away,
        },
        lifespan=_until_stopped,
    )
    app.state.site = Site(store, serving, agreement)
    return app


@asynccontextmanager
async def _until_stopped(app: Starlette) -> AsyncIterator[None]:
    """Close the store when the server stops, so that the database file is complete."""
    yield
    await run_in_threadpool(app.state.site.store.close)


async def health(request: Request) -> Response:
    """Report whether the server and its database respond: 200, or 503."""

    def ask() -> None:
        with site_of(request).store.read() as connection:
            connection.execute(text("SELECT 1 FROM meta WHERE key = 'secret'")).one()

    await run_in_threadpool(ask)
    return JSONResponse({"status": "ok"})


async def front(request: Request) -> Response:
    """Show the page that a person needs next."""
    site = site_of(request)
    if not await is_known(site, request):
        if site.store.campaign.people.access == "open":
            return RedirectResponse("/join", status_code=303)
        title, message = site.store.campaign.title, "Open the link you were given to take part."
        return site.show("message.html", 401, title=title, words=message)
    person = await current_person(request)
    return await run_in_threadpool(page_for, site, person)


def page_for(site: Site, person: Person) -> Response:
    """Return the page that a person sees next."""
    store, csrf = site.store, site.keys.csrf(str(person.id))
    if person.excluded:
        message = (
            "Your part in this study has ended. The answers you gave are kept, marked as not"
            " counted."
        )
        return site.show(
            "message.html", title="Thank you", words=message, exit=store.campaign.people.stopped_url
        )
    if not person.started:
        return site.show("instructions.html", csrf=csrf)
    if store.campaign.practice and not person.practised:
        return _practice_page(site, person, csrf)
    if store.campaign.qualification and person.qualified is None:
        return _test_page(site, person, csrf)
    if person.qualified is False:
        return site.show("failed.html")
    if questions := store.open_questions(person, BEFORE):
        return site.show("questions.html", csrf=csrf, questions=questions, when=BEFORE)
    if person.finished:
        return site.show(
            "done.html",
            csrf=csrf,
            why="left",
            later=False,
            full=False,
            progress=progress(store, person.id),
        )
    page = claim(store, person.id)
    if page is not None:
        return _work_page(site, person, page, csrf)
    discussion = next_discussion(store, person.id)
    if discussion is not None:
        return _discussion_page(site, person, discussion, csrf)
    why = (
        "paused" if store.paused else "waiting" if waiting_for_others(store, person.id) else "done"
    )
    later = why == "done" and may_differ_yet(store, person.id)
    if why == "done" and (questions := store.open_questions(person, AFTER)):
        return site.show("questions.html", csrf=csrf, questions=questions, when=AFTER)
    return site.show(
        "done.html",
        csrf=csrf,
        why=why,
        later=later,
        full=why == "done" and is_full(store),
        progress=progress(store, person.id),
    )


def _work_page(site: Site, person: Person, page: Page, csrf: str) -> Response:
    min_seconds = site.store.campaign.work.least_seconds * len(page.pairs)
    left = min(min_seconds, max(0.0, min_seconds - (site.store.clock() - page.shown_at)))
    drafts = {pair.pair: pair.draft for pair in page.pairs if pair.draft is not None}
    block = {
        "id": page.id,
        "post": "/answer",
        "draft": "/draft",
        "wait": round(left, 1),
        "drafts": drafts,
    }
    return _show_pairs(
        site, person, csrf, block, page.pairs, progress=progress(site.store, person.id)
    )


def _test_page(site: Site, person: Person, csrf: str) -> Response:
    test = site.store.campaign.qualification
    assert test is not None
    attempt = site.store.attempts(person.id)
    pairs = [
        {"pair": n, "premise": known.premise, "hypothesis": known.hypothesis}
        for n, known in enumerate(test.items)
    ]
    random.Random(f"{site.store.campaign.seed}/{person.id}/test/{attempt}").shuffle(pairs)
    page = {"id": f"test-{person.id}-{attempt}", "attempt": attempt}
    block = {**page, "post": "/qualify", "draft": None, "wait": 0, "drafts": {}}
    return _show_pairs(
        site, person, csrf, block, pairs, test={"attempt": attempt + 1, "attempts": test.attempts}
    )


def _practice_page(site: Site, person: Person, csrf: str) -> Response:
    pairs = [
        {"pair": n, "premise": known.premise, "hypothesis": known.hypothesis}
        for n, known in enumerate(site.store.campaign.practice)
    ]
    block: dict[str, Any] = {
        "id": "practice",
        "post": "/practice",
        "draft": None,
        "wait": 0,
        "drafts": {},
    }
    return _show_pairs(site, person, csrf, block, pairs, practice=True)


def _show_pairs(
    site: Site,
    person: Person,
    csrf: str,
    block: dict[str, Any],
    pairs: Sequence[Any],
    **values: Any,
) -> Response:
    """Return a page of pairs; `block` is what its script needs."""
    block |= {"shelf": site.keys.shelf(person.id, block["id"]), "csrf": csrf}
    page_values: dict[str, Any] = {
        "block": block,
        "csrf": csrf,
        "pairs": pairs,
        "labels": _labels(site, person),
    }
    return site.show(
        "work.html", **{**page_values, "progress": None, "test": None, "practice": False, **values}
    )


def _labels(site: Site, person: Person) -> Sequence[str]:
    return person.labels or site.store.instrument.scale.labels


def _discussion_page(site: Site, person: Person, discussion: Discussion, csrf: str) -> Response:
    block = {
        "id": discussion.key,
        # The name does not contain the number of statements, so that a draft survives when the
        # other person is quicker.
        "shelf": site.keys.shelf(person.id, f"discussion-{discussion.pair}"),
        "pair": discussion.pair,
        "seen": len(discussion.turns),
        "csrf": csrf,
        "post": "/discuss",
    }
    return site.show(
        "discuss.html", block=block, csrf=csrf, talk=discussion, labels=_labels(site, person)
    )


async def _form_of(request: Request) -> tuple[Person, dict[str, str]]:
    """Return the person behind a plain form that carries its token, and the form."""
    person = await current_person(request)
    form = await read_form(request)
    if not equal_secrets(form.get("csrf", ""), site_of(request).keys.csrf(str(person.id))):
        raise Refusal(403, "This form is out of date; load the page again.")
    return person, form


async def start(request: Request) -> Response:
    """Record that a person has read the instructions."""
    person, _ = await _form_of(request)
    await run_in_threadpool(site_of(request).store.start, person.id)
    return RedirectResponse("/", status_code=303)


async def leave(request: Request) -> Response:
    """Record that a person stops, or continues after stopping."""
    person, _ = await _form_of(request)
    store = site_of(request).store
    await run_in_threadpool(
        store.finish if request.url.path == "/leave" else store.resume, person.id
    )
    return RedirectResponse("/", status_code=303)


async def _json_of(request: Request) -> tuple[Person, dict[str, Any]]:
    """Return the person and the content of a script's request that carries the page's token."""
    site, person = site_of(request), await current_person(request)
    if not equal_secrets(request.headers.get("x-csrf", ""), site.keys.csrf(str(person.id))):
        raise Refusal(403, "This page is out of date; load it again.")
    body = read_json(await read_body(request))
    if not isinstance(body, dict):
        raise InputError("the request is not an object; load the page again")
    if not person.started:
        raise Refusal(403, "Read the instructions first; load the page again.")
    return person, body


def _by_pair(replies: Any) -> dict[int, Any]:
    """Return replies by pair number; in JSON, `{"12": …}`, the keys are strings."""
    if not isinstance(replies, dict) or len(replies) > 100:
        raise InputError("the replies are not an object of pairs; load the page again")
    if not all(key.isascii() and key.isdigit() and len(key) < 10 for key in replies):
        raise InputError("a pair is named by its number; load the page again")
    return {int(key): value for key, value in replies.items()}


async def send(request: Request) -> Response:
    """Store the answers of a whole page."""
    person, body = await _json_of(request)
    store = site_of(request).store
    if store.campaign.qualification and not person.qualified:
        raise Refusal(403, "The test comes first; load the page again.")
    page = clean_words(body.get("page"), "page")
    stored = await run_in_threadpool(answer, store, person.id, page, _by_pair(body.get("replies")))
    return JSONResponse(
        {"stored": stored.n_stored, "late": stored.n_late, "again": stored.is_repeated}
    )


async def draft(request: Request) -> Response:
    """Store what is set on a page but not sent."""
    person, body = await _json_of(request)
    drafts = _by_pair(body.get("replies"))
    store = site_of(request).store
    for value in drafts.values():
        check_draft(store.instrument, value)
    page = clean_words(body.get("page"), "page")
    await run_in_threadpool(keep_draft, store, person.id, page, drafts)
    return JSONResponse({"kept": len(drafts)})


async def qualify(request: Request) -> Response:
    """Score and store an attempt at the test."""
    person, body = await _json_of(request)
    store = site_of(request).store
    test, attempt = store.campaign.qualification, body.get("attempt")
    replies = _by_pair(body.get("replies"))
    if test is None or not is_integer(attempt, below=100):
        raise InputError("there is no such test; load the page again")
    if set(replies) != set(range(len(test.items))):
        raise InputError("some pairs of the test have no answer; answer every pair")
    read = [read_reply(store.instrument, replies[n]) for n in range(len(test.items))]
    verdict = judge_test(test, read, store.instrument.scale)
    answers = [reply.answer if reply.raw is None else reply.raw for reply in read]
    passed = await run_in_threadpool(
        store.record_test, person.id, attempt, verdict.passed, verdict.report, answers
    )
    return JSONResponse({"passed": passed})


async def practise(request: Request) -> Response:
    """Return the feedback to each practice pair, and record that they were seen."""
    person, body = await _json_of(request)
    store = site_of(request).store
    replies = _by_pair(body.get("replies"))
    known = store.campaign.practice
    if set(replies) != set(range(len(known))) or not known:
        raise InputError("some practice pairs have no answer; answer every pair")
    feedback = {}
    for n, pair in enumerate(known):
        reply = read_reply(store.instrument, replies[n])
        target = KnownPair(pair.premise, pair.answer)
        is_right = passes_attention(target, reply, store.instrument.scale)
        feedback[n] = {"right": is_right, "words": pair.feedback}
    await run_in_threadpool(store.mark_practised, person.id)
    return JSONResponse({"feedback": feedback})


async def questions(request: Request) -> Response:
    """Store the answers to the campaign's questions about the person."""
    person, form = await _form_of(request)
    store = site_of(request).store
    await run_in_threadpool(store.answer_questions, person, form)
    return RedirectResponse("/", status_code=303)


async def decline(request: Request) -> Response:
    """Show how to leave for somebody who does not take part; nothing is stored."""
    site = site_of(request)
    message = "You do not take part. Nothing about you was stored."
    exit_url = site.store.campaign.people.declined_url
    return site.show("message.html", title="Thank you", words=message, exit=exit_url)


async def discuss(request: Request) -> Response:
    """Store one turn of a discussion."""
    person, body = await _json_of(request)
    pair, label = body.get("pair"), body.get("label")
    if not is_integer(pair, below=2**31) or not isinstance(label, str):
        raise InputError("a statement names a pair and a label; load the page again")
    note = clean_words(body.get("note", ""), "note", needed=False)
    key = clean_words(body.get("key"), "key")[:80]
    await run_in_threadpool(
        add_statement, site_of(request).store, person.id, pair, label, note, key
    )
    return JSONResponse({"stored": 1})
