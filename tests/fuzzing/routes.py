"""Requests by a grammar to every route of `collect`: what a page would send, bent in its body,
headers, cookies or address.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.testclient import TestClient

from grice.collecting.app import make_app
from grice.collecting.campaign import KnownPair, Qualification
from grice.collecting.store import Store
from tests.collecting.hand import FAST, ORIGIN, Visitor, campaign, items
from tests.fuzzing.grammar import LABELS, Grammar
from tests.fuzzing.readers import hash_of

FORMS = {
    "/join": {"key": "k", "PID": "me", "consent": "on"},
    "/start": {},
    "/leave": {},
    "/resume": {},
    "/admin/change": {"action": "pause", "person": "1", "reason": "r", "more": "1"},
}
GETS = (
    "/",
    "/join",
    "/health",
    "/admin",
    "/admin/ratings.csv",
    "/admin/ratings.jsonl",
    "/static/page.js",
    "/none",
)
ACTIONS = ("pause", "resume", "exclude", "redundancy", "", "x")
KINDS = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "",
)


class Town:
    """A campaign with someone at work in it, an administrator, and whoever sends what nobody
    should.
    """

    def __init__(self, folder: Path, instrument: str, *, test: bool = False) -> None:
        known = (KnownPair("P", "neutral"), KnownPair("Q", "entailment"))
        more = {"qualification": Qualification(known)} if test else {}
        self.store = Store(campaign(folder, instrument, **more), items(30))
        app = make_app(self.store, FAST)
        self.http = TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)
        self.keys = app.state.site.keys
        entered = self.http.get("/admin", params={"key": self.keys.admin}, follow_redirects=False)
        self.admin = entered.headers["set-cookie"].partition(";")[0]
        self.renew()

    def renew(self) -> None:
        """Someone new, since one may have been excluded or be done; and no pause."""
        self.store.pause(False)
        self.visitor = Visitor(self.store).join()

    def json_of(self, grammar: Grammar, path: str) -> Any:
        """What the page's script would send to a route, from the page that is open now."""
        block = self.visitor.block() or {}
        pairs = [str(pair) for pair in grammar.random.sample(range(1, 20), 5)]
        said: dict[str, Any] = {"values": {"answer": grammar.random.choice((5000, *LABELS))}}
        replies = {pair: grammar.bent(said, 0.4) for pair in pairs}
        whole = {
            "/answer": {"page": block.get("id", "x"), "replies": replies},
            "/draft": {"page": block.get("id", "x"), "replies": replies},
            "/qualify": {"attempt": 0, "replies": {"0": said, "1": said}},
            "/discuss": {"pair": 1, "label": grammar.label(), "key": "k", "note": grammar.words()},
        }[path]
        return grammar.bent(whole, 0.6)

    def request(self, seed: int) -> tuple[str, str, dict[str, Any]]:
        """The request of a number: method, address, and how it is sent."""
        grammar = Grammar(hash_of("routes", seed))
        draw = grammar.random
        mine = f"{self.keys.cookie}={self.visitor.http.cookies.get(self.keys.cookie, '')}"
        block = self.visitor.block() or {}
        headers = {
            "origin": ORIGIN,
            "cookie": f"{mine}; {self.admin}",
            "x-csrf": block.get("csrf", ""),
        }
        path = draw.choice((*GETS, "/answer", "/draft", "/qualify", "/discuss", *FORMS, *FORMS))
        if path in ("/answer", "/draft", "/qualify", "/discuss"):
            body = grammar.json_line(self.json_of(grammar, path)).encode("utf-8", "surrogatepass")
            headers["content-type"] = KINDS[0]
        elif path in FORMS and grammar.chance(0.8):
            csrf = self.keys.csrf("admin") if path.startswith("/admin") else block.get("csrf", "")
            form = grammar.bent({"csrf": csrf, **FORMS[path], "action": draw.choice(ACTIONS)}, 0.5)
            body = urlencode({k: str(v) for k, v in form.items()}, errors="replace").encode()
            headers["content-type"] = KINDS[1]
        else:
            query = urlencode(
                {draw.choice(("key", "PID", "next", "x")): str(grammar.odd())}, errors="replace"
            )
            body, path = b"", path + (f"?{query}" if grammar.chance(0.5) else "")
        if grammar.chance(0.2):
            name = draw.choice(
                (
                    "origin",
                    "cookie",
                    "x-csrf",
                    "content-type",
                    "accept-encoding",
                    "x-forwarded-for",
                    "range",
                )
            )
            headers[name] = (
                draw.choice(("", "null", "x" * 3000, "bytes=0-", "a=b; c", "\u00ff", *KINDS)) or " "
            )
        method = (
            draw.choice(("GET", "HEAD", "PUT", "DELETE"))
            if grammar.chance(0.05)
            else "POST"
            if body
            else "GET"
        )
        path = (
            path + quote(str(grammar.odd()), errors="replace")[:200]
            if grammar.chance(0.03)
            else path
        )
        sent = {
            "content": grammar.broken(body),
            "headers": {k: v.encode("latin-1") for k, v in headers.items()},
        }
        return method, path, sent


def fuzz_routes(requests: int, seed: int) -> tuple[Counter[str], list[str]]:
    """So many requests to three campaigns; how many were answered with which status, and what was
    found.
    """
    statuses, found = Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        towns = []
        for name, test in (("labels", False), ("probability", False), ("labels", True)):
            (Path(folder) / f"{name}{test}").mkdir()
            towns.append(Town(Path(folder) / f"{name}{test}", name, test=test))
        for number in range(seed, seed + requests):
            town = towns[number % 3]
            if number % 20 < 3:
                town.renew()
            method, path, sent = town.request(number)
            reply = town.http.request(method, path, follow_redirects=False, **sent)
            statuses[str(reply.status_code)] += 1
            if reply.status_code >= 500:
                found.append(f"{number}: {reply.status_code} to {method} {path}: {sent!r:.600}")
        for town in towns:
            town.store.close()
    return statuses, found
