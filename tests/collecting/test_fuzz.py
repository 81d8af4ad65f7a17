"""Whatever is sent, the reply is a plain refusal: never a 500, never half an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from grice.collecting import tables as t
from grice.collecting.campaign import KnownPair, Qualification
from grice.collecting.overview import ratings, status
from grice.collecting.store import Store
from tests.collecting.hand import Visitor, campaign, items, pairs_of, slide

POSTS = (
    "/join",
    "/start",
    "/leave",
    "/resume",
    "/qualify",
    "/draft",
    "/answer",
    "/discuss",
    "/admin/change",
)
GETS = (
    "/",
    "/join",
    "/admin",
    "/health",
    "/admin/ratings.csv",
    "/admin/ratings.jsonl",
    "/static/page.js",
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/x",
)
NASTY: tuple[Any, ...] = (
    None,
    True,
    -1,
    10_001,
    5000.5,
    1e308,
    2**70,
    "",
    "\x00",
    "\ud800",
    "\u202e",
    "a" * 70_000,
    [],
    {},
    [[]],
    {"values": {"answer": None}},
    {"values": {"answer": "5000"}},
    {"values": {"answer": True}},
    {"values": []},
    {"skip": "yes"},
    {"nonsense": True},
    {"values": {"answer": 5}, "skip": False},
)


@pytest.fixture(params=["sqlite", "postgresql"])
def visitor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitor]:
    asked = campaign(tmp_path, "labels", people={"access": "platform", "parameter": "PID"})
    if request.param == "postgresql":
        address = request.getfixturevalue("postgres") + "/postgres"
        import psycopg

        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        asked = replace(asked, database=address)
    store = Store(asked, items(2))
    made = Visitor(store)
    made.join(key=made.keys.shared, PID="me")
    yield made
    store.close()


def store_of(visitor: Visitor) -> Store:
    store: Store = visitor.keys.store
    return store


@pytest.mark.slow
def test_every_route_with_every_nasty_value(visitor: Visitor) -> None:
    block = visitor.block()
    assert block is not None
    page, csrf = block["id"], block["csrf"]
    # What is refused never reaches a database, so that a part of the values will do for PostgreSQL.
    values = NASTY if store_of(visitor).is_file else NASTY[::4]
    for path in POSTS:
        for value in values:
            contents: list[Any] = [
                value,
                {"page": value, "replies": {"1": slide(1)}},
                {"page": page, "replies": value},
                {"page": page, "replies": {"1": value}},
                {"page": page, "replies": {str(value)[:50]: slide(1)}},
                {"pair": value, "label": "neutral", "key": "k", "note": ""},
                {"pair": 1, "label": value, "key": value, "note": value},
                {"attempt": value, "replies": {"0": value}},
            ]
            for content in contents:
                body = json.dumps(content).encode()
                kind = {"content-type": "application/json", "x-csrf": csrf}
                reply = visitor.http.post(path, content=body, headers=kind)
                assert reply.status_code < 500, f"{path} {content!r:.200}: {reply.text:.200}"
    stand = status(store_of(visitor))
    assert stand["answered"] == stand["skipped"] == 0
    assert {row["state"] for row in ratings(store_of(visitor))} == {"open"}


@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe",
        b"{",
        b"[" * 50_000,
        b"NaN",
        b'{"page": NaN}',
        b"a=%ff%00&csrf=%ed%a0%80",
        b"\x00" * 10,
    ],
)
def test_bodies_in_no_encoding(visitor: Visitor, body: bytes) -> None:
    block = visitor.block()
    assert block is not None
    for path in POSTS:
        for kind in (
            "application/json",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "",
        ):
            headers = {"content-type": kind, "x-csrf": block["csrf"]}
            assert visitor.http.post(path, content=body, headers=headers).status_code < 500


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    path=st.sampled_from(GETS),
    key=st.text(max_size=40),
    cookie=st.text(st.characters(max_codepoint=255), max_size=40),
)
def test_addresses_and_cookies_of_any_kind(
    visitor: Visitor, path: str, key: str, cookie: str
) -> None:
    plain = cookie.encode("latin-1").replace(b"\r", b"").replace(b"\n", b"").replace(b"\x00", b"")
    name = visitor.keys.cookie.encode()
    headers = [(b"cookie", name + b"=" + plain), (b"cookie", name + b"_admin=" + plain)]
    reply = visitor.http.get(path, params={"key": key, "PID": key}, headers=headers)
    assert reply.status_code < 500


@pytest.mark.parametrize(
    "outside",
    ["\x00", "a\x00b", "x" * 1000, "\ud83d\ude00"[:1], "ünïcode", "'; DROP TABLE persons; --"],
)
def test_platform_ids_of_any_kind(visitor: Visitor, outside: str) -> None:
    form = {"key": visitor.keys.shared, "PID": outside.encode("utf-8", "replace").decode()}
    assert visitor.http.post("/join", data=form).status_code < 500
    assert status(store_of(visitor))["people"] in (1, 2)


@pytest.mark.parametrize(
    ("one", "other"), [("\u200b", "\u2060"), ("a\x01", "a"), ("x" * 200 + "a", "x" * 200 + "b")]
)
def test_two_platform_ids_are_never_one_person(tmp_path: Path, one: str, other: str) -> None:
    asked = campaign(tmp_path, "labels", people={"access": "platform", "parameter": "PID"})
    store = Store(asked, items(1))
    for outside in (one, other):
        visitor = Visitor(store)
        visitor.http.post("/join", data={"key": visitor.keys.shared, "PID": outside})
    with store.read() as connection:
        known = list(connection.scalars(select(t.persons.c.outside)))
    assert set(known) <= {one, other}
    store.close()


def test_a_test_cannot_be_answered_by_half(tmp_path: Path) -> None:
    test = Qualification((KnownPair("P", "neutral"), KnownPair("Q", "entailment")))
    store = Store(campaign(tmp_path, "labels", qualification=test), items(1))
    visitor = Visitor(store).join()
    block = visitor.block()
    assert block is not None
    halves: tuple[Any, ...] = (
        {},
        {"0": {"values": {"answer": "neutral"}}},
        {"0": {}, "1": {}},
        {"0": 1, "1": 2, "2": 3},
    )
    for replies in halves:
        said = visitor.post("/qualify", {"attempt": 0, "replies": replies}, block["csrf"])
        assert said.status_code == 422
    assert store.attempts(1) == 0
    assert len(pairs_of(visitor.page())) == 2
    store.close()
