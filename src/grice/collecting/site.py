"""Site of a campaign: its keys, its pages, the current person, and refusals."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from grice.collecting.facts import PartEnded
from grice.collecting.security import MONTH, Keys, Limits, Refusal, Serving
from grice.collecting.store import Person, Store
from grice.collecting.work import PageGone, TooSoon
from grice.core.errors import Busy

LOG = logging.getLogger("grice.collecting")
Agreement = Callable[[], Sequence[Mapping[str, Any]]]
# Message for a database that is temporarily unavailable; the page keeps its values and retries.
AWAY = "The study cannot be reached at the moment; nothing is lost, try again in a minute."
STATUS = {PartEnded: 403, PageGone: 410, TooSoon: 425, Busy: 503}


@dataclass
class Site:
    """Site of a campaign; `agreement` computes the rows of the administrator's table."""

    store: Store
    serving: Serving
    agreement: Agreement | None = None
    limits: Limits = field(default_factory=Limits)

    @cached_property
    def keys(self) -> Keys:
        """Tokens of the campaign."""
        return Keys(self.store)

    @cached_property
    def pages(self) -> Environment:
        """Templates of the pages."""
        environment = Environment(
            loader=PackageLoader("grice.collecting", "pages"),
            autoescape=True,
            undefined=StrictUndefined,
        )
        environment.filters["markdown"] = markdown
        environment.globals.update(campaign=self.store.campaign, instrument=self.store.instrument)
        return environment

    def show(self, name: str, status: int = 200, **values: Any) -> Response:
        """Return a page by its template."""
        return HTMLResponse(self.pages.get_template(name).render(**values), status_code=status)

    def sign_in(
        self,
        name: str,
        value: str,
        seconds: int = MONTH,
        *,
        path: str = "/",
        samesite: Literal["lax", "strict"] = "lax",
    ) -> Response:
        """Redirect the browser to `path` with a cookie that no script can read.

        The cookie holds for `seconds`.
        """
        response, secure = RedirectResponse(path, status_code=303), self.serving.secure
        response.set_cookie(
            name, value, seconds, path=path, secure=secure, httponly=True, samesite=samesite
        )
        return response

    def wrong_key(self, request: Request, words: str) -> Refusal:
        """Return the refusal of a wrong link; after many of them, one for too many attempts."""
        rate = self.serving.wrong_keys_per_minute
        if self.limits.spend(f"wrong:{client_address(request)}", rate / 60, rate):
            return Refusal(403, words)
        return Refusal(429, "Too many wrong links; try again in a minute.")


@lru_cache(maxsize=64)
def markdown(text: str) -> Markup:
    """Render Markdown without raw HTML and without pictures, which could come from elsewhere."""
    from markdown_it import MarkdownIt

    html: str = MarkdownIt("commonmark", {"html": False}).disable("image").render(text)
    return Markup(html)


def site_of(request: Request) -> Site:
    """Return the site of a request."""
    site: Site = request.app.state.site
    return site


def refuse(request: Request, error: Exception) -> Response:
    """Return a refusal in words: as JSON to the script, as a page to a person."""
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
    status = error.status if isinstance(error, Refusal) else status
    if "json" in request.headers.get("content-type", ""):
        wait = {"wait": error.seconds} if isinstance(error, TooSoon) else {}
        return JSONResponse({"error": str(error), **wait}, status_code=status)
    return _message(request, status, "That did not work", str(error))


def say_database_away(request: Request, error: Exception) -> Response:
    """Report that the database does not answer, or not as it should.

    The log gets one line without the content of the request.
    """
    cause = str(getattr(error, "orig", error)).strip().splitlines() or [type(error).__name__]
    LOG.error("the database: %s", cause[0])
    return refuse(request, Busy(AWAY))


def show_http_error(request: Request, error: Exception) -> Response:
    """Return a page for an address or method that does not exist."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    message = "There is nothing at this address." if status == 404 else "This cannot be done here."
    return _message(request, status, "Not here", message)


def _message(request: Request, status: int, title: str, words: str) -> Response:
    """Return a page with one message; participants get a link back."""
    site = site_of(request)
    known = site.keys.person(request) is not None
    return site.show("message.html", status, title=title, words=words, known=known)


def client_address(request: Request) -> str:
    """Return the address a request comes from, for the rate limits."""
    return request.client.host if request.client else ""


async def picture(request: Request) -> Response:
    """Show a picture of the campaign, by the name that its pages give it."""
    site, name = site_of(request), request.path_params["name"]
    named = {picture.name: picture for picture in site.store.pictures.values()}
    if name not in named or site.keys.person(request) is None:
        raise HTTPException(404)
    return FileResponse(named[name].path, media_type=named[name].media_type)


async def current_person(request: Request) -> Person:
    """Return the person of this session, within the rate limit of one person."""
    site = site_of(request)
    number = site.keys.person(request)
    person = None if number is None else await run_in_threadpool(site.store.person, number)
    if person is None:
        raise Refusal(401, "You are not signed in here; open your link again.")
    rate = site.serving.requests_per_second
    if not site.limits.spend(f"person:{number}", rate, 6 * rate):
        raise Refusal(429, "That was very fast; wait a moment, then go on.")
    return person
