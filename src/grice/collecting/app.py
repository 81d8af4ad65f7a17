"""Web application of a campaign: its addresses, and what people send to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
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
from grice.collecting.campaign import KnownPair
from grice.collecting.discuss import add_statement
from grice.collecting.drafts import keep_draft
from grice.collecting.instrument import check_draft, clean_words, is_integer, read_json, read_reply
from grice.collecting.joining import is_known, join
from grice.collecting.next_page import page_for
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
from grice.collecting.work import answer
from grice.core.errors import GriceError, InputError

# Folders of static files: those of the pages, and the style that all pages share.
STYLES: Any = [("grice.collecting", "pages/static"), ("grice.core", "style")]
Endpoint = Callable[[Request], Awaitable[Response]]
Fields = Mapping[str, Any]


def make_app(store: Store, serving: Serving, agreement: Agreement | None = None) -> Starlette:
    """Build the web application of a campaign.

    `agreement` gives the rows of the administrator's table.
    """
    posts: dict[str, Endpoint] = {
        "/start": _form(lambda person, _: store.mark(person.id, "started")),
        "/leave": _form(lambda person, _: store.mark(person.id, "finished")),
        "/resume": _form(lambda person, _: store.resume(person.id)),
        "/questions": _form(store.answer_questions),
        "/decline": decline,
        "/practice": _script(practise),
        "/qualify": _script(qualify),
        "/draft": _script(draft),
        "/answer": _script(send),
        "/discuss": _script(discuss),
    }
    app = Starlette(
        routes=[
            Route("/", front),
            Route("/join", join, methods=["GET", "POST"]),
            *(Route(address, endpoint, methods=["POST"]) for address, endpoint in posts.items()),
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


async def decline(request: Request) -> Response:
    """Show how to leave for somebody who does not take part; nothing is stored."""
    site = site_of(request)
    message = "You do not take part. Nothing about you was stored."
    exit_url = site.store.campaign.people.declined_url
    return site.show("message.html", title="Thank you", words=message, exit=exit_url)


def _form(change: Callable[[Person, dict[str, str]], None]) -> Endpoint:
    """Return an endpoint for a plain form that carries its token; the next page follows."""

    async def handle(request: Request) -> Response:
        person = await current_person(request)
        form = await read_form(request)
        if not equal_secrets(form.get("csrf", ""), site_of(request).keys.csrf(str(person.id))):
            raise Refusal(403, "This form is out of date; load the page again.")
        await run_in_threadpool(change, person, form)
        return RedirectResponse("/", status_code=303)

    return handle


def _script(change: Callable[[Store, Person, Fields], Fields]) -> Endpoint:
    """Return an endpoint for a script's request that carries the page's token."""

    async def handle(request: Request) -> Response:
        site, person = site_of(request), await current_person(request)
        if not equal_secrets(request.headers.get("x-csrf", ""), site.keys.csrf(str(person.id))):
            raise Refusal(403, "This page is out of date; load it again.")
        body = read_json(await read_body(request))
        if not isinstance(body, dict):
            raise InputError("the request is not an object; load the page again")
        if not person.started:
            raise Refusal(403, "Read the instructions first; load the page again.")
        return JSONResponse(await run_in_threadpool(change, site.store, person, body))

    return handle


def _by_pair(replies: Any) -> dict[int, Any]:
    """Return replies by pair number; in JSON, `{"12": …}`, the keys are strings."""
    if not isinstance(replies, dict) or len(replies) > 100:
        raise InputError("the replies are not an object of pairs; load the page again")
    if not all(key.isascii() and key.isdigit() and len(key) < 10 for key in replies):
        raise InputError("a pair is named by its number; load the page again")
    return {int(key): value for key, value in replies.items()}


def send(store: Store, person: Person, body: Fields) -> Fields:
    """Store the answers of a whole page."""
    if store.campaign.qualification and not person.qualified:
        raise Refusal(403, "The test comes first; load the page again.")
    page = clean_words(body.get("page"), "page")
    stored = answer(store, person.id, page, _by_pair(body.get("replies")))
    return {"stored": stored.n_stored, "late": stored.n_late, "again": stored.is_repeated}


def draft(store: Store, person: Person, body: Fields) -> Fields:
    """Store what is set on a page but not sent."""
    drafts = _by_pair(body.get("replies"))
    for value in drafts.values():
        check_draft(store.instrument, value)
    keep_draft(store, person.id, clean_words(body.get("page"), "page"), drafts)
    return {"kept": len(drafts)}


def qualify(store: Store, person: Person, body: Fields) -> Fields:
    """Score and store an attempt at the test."""
    test, attempt = store.campaign.qualification, body.get("attempt")
    replies = _by_pair(body.get("replies"))
    if test is None or not is_integer(attempt, below=100):
        raise InputError("there is no such test; load the page again")
    if set(replies) != set(range(len(test.items))):
        raise InputError("some pairs of the test have no answer; answer every pair")
    read = [read_reply(store.instrument, replies[n]) for n in range(len(test.items))]
    result = judge_test(test, read, store.instrument.scale)
    answers = [reply.answer if reply.raw is None else reply.raw for reply in read]
    return {"passed": store.record_test(person.id, attempt, result, answers)}


def practise(store: Store, person: Person, body: Fields) -> Fields:
    """Return the feedback to each practice pair, and record that they were seen."""
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
    store.mark(person.id, "practised")
    return {"feedback": feedback}


def discuss(store: Store, person: Person, body: Fields) -> Fields:
    """Store one turn of a discussion."""
    pair, label = body.get("pair"), body.get("label")
    if not is_integer(pair, below=2**31) or not isinstance(label, str):
        raise InputError("a statement names a pair and a label; load the page again")
    note = clean_words(body.get("note", ""), "note", needed=False)
    key = clean_words(body.get("key"), "key")[:80]
    add_statement(store, person.id, pair, label, note, key)
    return {"stored": 1}
