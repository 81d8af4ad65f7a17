"""Access control: hosts, origins, signed cookies, size and rate limits."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grice.collecting.store import Store
from grice.core.errors import GriceError, InputError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_BYTES = 65_536
MOST_SECONDS = 20.0
# Lifetime of an administrator's session.
ADMIN_SECONDS = 12 * 3600
MONTH = 30 * 24 * 3600
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


class Refusal(GriceError):
    """Refused request; `status` is the HTTP status."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


@dataclass(frozen=True)
class Serving:
    """Address of the server, and limits per address and per person."""

    host: str = "127.0.0.1"
    port: int = 8765
    public: str = ""
    joins_per_minute: float = 120.0
    wrong_keys_per_minute: float = 10.0
    requests_per_second: float = 10.0

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    @property
    def origins(self) -> frozenset[str]:
        """Origins of this campaign; pages of other origins are refused."""
        names = [*LOOPBACK[:2], "[::1]"]
        if not self.loopback and self.host not in ("0.0.0.0", "::"):
            names.append(f"[{self.host}]" if ":" in self.host else self.host)
        public = [self.public.rstrip("/")] if self.public else []
        return frozenset([*(f"http://{name}:{self.port}" for name in names), *public])

    @property
    def hosts(self) -> list[str]:
        """Host names of those addresses, an IPv6 one in brackets."""
        names = {urlsplit(origin).hostname or "" for origin in self.origins}
        return [f"[{name}]" if ":" in name else name for name in sorted(names)]

    @property
    def front(self) -> str:
        """Beginning of all links."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return self.public.rstrip("/") or f"http://{name}:{self.port}"

    @property
    def secure(self) -> bool:
        """Whether people use https, so that cookies can require it."""
        return self.public.startswith("https://")


def check_serving(serving: Serving, access: str) -> None:
    """Refuse to serve beyond this machine without tokens or without a known address."""
    if serving.loopback and not serving.public:
        return
    if access == "open":
        raise InputError(
            f"the address {serving.public or serving.host} is reached by others and access is"
            " 'open'; set access to link, invited or platform in [people], so that a token is"
            " needed"
        )
    if serving.host in ("0.0.0.0", "::") and not serving.public:
        raise InputError(
            f"{serving.host} is every address; say which one people use with --public https://…"
        )
    if serving.public and not urlsplit(serving.public).netloc:
        raise InputError(
            f"--public '{serving.public}' is no address; give one such as https://study.example.org"
        )


@dataclass
class Limits:
    """Token buckets that refill with time; the oldest are removed so that memory stays bounded."""

    clock: Callable[[], float] = time.monotonic
    most: int = 10_000
    buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def spend(self, name: str, per_second: float, burst: float) -> bool:
        """Return whether one more is allowed: `burst` at once, then `per_second`."""
        now = self.clock()
        left, at = self.buckets.pop(name, (burst, now))
        left = min(burst, left + (now - at) * per_second)
        allowed = left >= 1
        self.buckets[name] = (left - 1 if allowed else left, now)
        if len(self.buckets) > self.most:
            self.buckets.popitem(last=False)
        return allowed


@dataclass(frozen=True)
class Keys:
    """Tokens of a campaign, all derived from one secret, so that none is stored or logged."""

    store: Store

    @property
    def cookie(self) -> str:
        """Name of the cookie, different for each campaign, because cookies ignore ports."""
        return "grice_" + self.store.sign("cookie")[:8]

    @property
    def admin(self) -> str:
        """Token of the administrator."""
        return self.store.sign(f"admin{self._turn('admin')}")

    def admin_session(self, issued: int) -> str:
        """Return the value of the administrator's cookie, with the time it was issued."""
        return f"{issued}.{self.store.sign(f'admin-session:{issued}:' + self.admin)}"

    def is_admin(self, request: Request) -> bool:
        """Return whether a request carries a valid administrator's cookie."""
        value = request.cookies.get(f"{self.cookie}_admin", "")
        issued = _number(value, 12)
        if issued is None or not equal_secrets(value, self.admin_session(issued)):
            return False
        return abs(self.store.clock() - issued) < ADMIN_SECONDS

    @property
    def shared(self) -> str:
        """Token of the link that everyone gets."""
        return self.store.sign(f"join{self._turn('links')}")

    def invitation(self, number: int) -> str:
        """Return the token of one invitation."""
        return f"{number}.{self.store.sign(f'invitation:{number}' + self._turn('links'))}"

    @property
    def links_expired(self) -> bool:
        """Whether the links for newcomers have expired; people who are signed in continue."""
        days = self.store.campaign.people.link_days
        return bool(days) and self.store.clock() > self.store.keys_since("links") + days * 86_400

    def _turn(self, name: str) -> str:
        """Return an empty text for a campaign's first keys, then a number raised by each change."""
        turn = self.store.key_turn(name)
        return f"#{turn}" if turn else ""

    def invitation_number(self, key: str) -> int | None:
        """Return the number of the invitation that a token belongs to, or None."""
        number = _number(key)
        if number is None or not 1 <= number <= self.store.campaign.people.invitations:
            return None
        return number if equal_secrets(key, self.invitation(number)) else None

    def session(self, person: int) -> str:
        """Return the value of a person's cookie."""
        return f"{person}.{self.store.sign(f'person:{person}')}"

    def person(self, request: Request) -> int | None:
        """Return the number of the person whose cookie a request carries, or None."""
        value = request.cookies.get(self.cookie, "")
        number = _number(value)
        return number if number is not None and equal_secrets(value, self.session(number)) else None

    def shelf(self, person: int, page: str) -> str:
        """Return the browser storage key of a page that is not sent yet.

        It differs between campaigns on one address.
        """
        return f"grice:{self.store.sign(f'shelf:{person}')[:12]}:{page}"

    def csrf(self, name: str) -> str:
        """Return the token that a form or page must send back."""
        return self.store.sign(f"csrf:{name}")


def equal_secrets(secret: str, expected: str) -> bool:
    """Compare two tokens in constant time."""
    return hmac.compare_digest(secret.encode("utf-8", "replace"), expected.encode())


def _number(value: str, digits: int = 9) -> int | None:
    head = value.partition(".")[0]
    return int(head) if head.isascii() and head.isdigit() and len(head) <= digits else None


async def read_body(request: Request) -> bytes:
    """Read the body; refuse it as soon as it is too long or took too long."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(MOST_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > MOST_BYTES:
                    raise Refusal(413, f"the request has more than {MOST_BYTES} bytes")
                parts.append(part)
    except TimeoutError:
        raise Refusal(408, f"the request took more than {MOST_SECONDS:g} s") from None
    return b"".join(parts)


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a plain form."""
    try:
        text = (await read_body(request)).decode("ascii")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=50, errors="replace"))
    except (UnicodeDecodeError, ValueError):
        raise Refusal(400, "the form cannot be read; load the page again") from None


class Guard:
    """Middleware that allows changes only from our own pages and sets security headers."""

    def __init__(self, app: ASGIApp, serving: Serving) -> None:
        self.app = app
        self.origins = serving.origins
        self.addresses = {urlsplit(origin).netloc for origin in serving.origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy and this server could disagree on where such a body ends.
            refusal = PlainTextResponse(
                "The request gives its length in two ways.", status_code=400
            )
            await refusal(scope, receive, protected)
        elif scope["method"] in ("GET", "HEAD") or self._from_here(headers):
            await self.app(scope, receive, protected)
        else:
            refusal = PlainTextResponse("This request comes from another page.", status_code=403)
            await refusal(scope, receive, protected)

    def _from_here(self, headers: Headers) -> bool:
        """Return whether a form or script came from one of our pages.

        Every browser names the page; without that name nothing is changed.
        """
        return (
            headers.get("origin", "") in self.origins and headers.get("host", "") in self.addresses
        )
