"""What happens between reading and locking: others act in the gap, and the counts stay right on
both databases.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from starlette.requests import Request

from grice.collecting import app, counts, work
from grice.collecting import tables as t
from grice.collecting.counts import add_redundancy, exclude
from grice.collecting.discuss import add_statement
from grice.collecting.drafts import keep_draft
from grice.collecting.facts import PartEnded, lock_pairs, write_meta
from grice.collecting.overview import ratings, status
from grice.collecting.qualify import QualificationResult
from grice.collecting.security import read_body
from grice.collecting.store import Store
from grice.collecting.work import Page, PageGone, answer, claim
from grice.core.errors import Busy
from tests.collecting.conftest import Open
from tests.collecting.hand import Clock, Visitor, campaign, items, slide
from tests.collecting.test_store import consistent, person, send

TEN_MINUTES = {"redundancy": 1, "claim_minutes": 10}


class Gap:
    """Runs what others do once, in a thread of their own, in the middle of someone's transaction.

    PostgreSQL lets them finish there. SQLite has one writer, so they finish after it; waiting for
    them is cut short.
    """

    def __init__(self, others: Callable[[], Any]) -> None:
        self.thread = threading.Thread(target=self._act, args=(others,))
        self.failed: Exception | None = None

    def _act(self, others: Callable[[], Any]) -> None:
        try:
            others()
        except Exception as error:
            self.failed = error

    def before(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, with the others before its first call."""

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if self.thread.ident is None:
                self.thread.start()
                self.thread.join(0.5)
            return function(*args, **kwargs)

        return wrapped

    def close(self) -> None:
        self.thread.join()
        if self.failed is not None:
            raise self.failed


def claimed(store: Store, number: int) -> Page:
    page = claim(store, number)
    assert page is not None
    return page


def answers_per_pair(store: Store) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in ratings(store):
        found[row["id"]] = found.get(row["id"], 0) + (
            row["state"] == "answered" and "excluded" not in row
        )
    return found


def test_an_answer_whose_claim_runs_out_in_the_gap_is_not_one_too_many(
    opened: Open, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(campaign(tmp_path, work=TEN_MINUTES), items(1))
    slow, quick = person(store), person(store)
    page = claimed(store, slow)
    clock.now += 601

    def others() -> None:
        other = claim(store, quick)
        if other is not None:
            send(store, quick, other)

    gap = Gap(others)
    monkeypatch.setattr(work, "lock_pairs", gap.before(lock_pairs))
    try:
        send(store, slow, page)
    except PageGone as gone:
        assert "other people" in str(gone)
    gap.close()
    assert answers_per_pair(store) == {f"hand/0/{n}": 1 for n in range(5)}
    consistent(store)


def test_skipping_what_ran_out_in_the_gap_gives_it_back_once(
    opened: Open, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(campaign(tmp_path, work=TEN_MINUTES), items(1))
    slow = person(store)
    page = claimed(store, slow)
    clock.now += 601
    gap = Gap(lambda: work._expire(store))
    monkeypatch.setattr(work, "lock_pairs", gap.before(lock_pairs))
    answer(store, slow, page.id, {asked.pair: {"skip": True} for asked in page.pairs})
    gap.close()
    consistent(store)
    assert len(claimed(store, person(store)).pairs) == 5


def test_excluding_someone_whose_claim_runs_out_in_the_gap_gives_it_back_once(
    opened: Open, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(campaign(tmp_path, work=TEN_MINUTES), items(1))
    slow, quick = person(store), person(store)
    claimed(store, slow)
    clock.now += 601
    gap = Gap(lambda: claim(store, quick))
    monkeypatch.setattr(counts, "lock_pairs", gap.before(lock_pairs))
    exclude(store, slow, "slow")
    gap.close()
    consistent(store)


def test_a_draft_that_is_kept_keeps_its_claim(opened: Open, tmp_path: Path, clock: Clock) -> None:
    store = opened(campaign(tmp_path, work=TEN_MINUTES), items(1))
    slow, quick = person(store), person(store)
    page = claimed(store, slow)
    clock.now += 601
    gap = Gap(lambda: claim(store, quick))
    store.clock = gap.before(clock)
    keep_draft(store, slow, page.id, {page.pairs[0].pair: slide(77)})
    gap.close()
    again = claimed(store, slow)
    assert again.id == page.id
    assert [asked.draft for asked in again.pairs if asked.draft] == [slide(77)]
    consistent(store)


def test_two_who_ask_for_more_at_once_are_both_heard(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(campaign(tmp_path), items(1))
    gap = Gap(lambda: add_redundancy(store, 2))
    monkeypatch.setattr(counts, "write_meta", gap.before(write_meta))
    add_redundancy(store, 1)
    gap.close()
    assert status(store)["ratings asked"] == 25
    with store.read() as connection:
        assert connection.scalar(select(t.meta.c.value).where(t.meta.c.key == "extra")) == "3"


def test_two_who_pause_at_once_both_succeed(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(1))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(store.pause, [True] * 8))
    assert store.paused


def test_what_is_left_of_a_page_can_be_sent(opened: Open, tmp_path: Path, clock: Clock) -> None:
    store = opened(campaign(tmp_path, work=TEN_MINUTES), items(1))
    slow, quick = person(store), person(store)
    page = claimed(store, slow)
    gone = [asked.pair for asked in page.pairs[:2]]
    with store.write() as connection:
        connection.execute(
            update(t.ratings).where(t.ratings.c.pair.in_(gone)).values(expires=clock.now - 1)
        )
    assert {asked.pair for asked in claimed(store, quick).pairs} == set(gone)
    left = claimed(store, slow)
    assert len(left.pairs) == 3
    send(store, slow, left)
    assert answer(store, slow, left.id, {asked.pair: slide(1) for asked in left.pairs}).is_repeated
    consistent(store)


def test_a_page_that_came_partly_too_late_is_acknowledged_when_sent_again(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    store = opened(campaign(tmp_path, work={**TEN_MINUTES, "per_page": 5}), items(1))
    slow, quick = person(store), person(store)
    page = claimed(store, slow)
    gone = [asked.pair for asked in page.pairs[:2]]
    with store.write() as connection:
        connection.execute(
            update(t.ratings).where(t.ratings.c.pair.in_(gone)).values(expires=clock.now - 1)
        )
    claimed(store, quick)
    whole = {asked.pair: slide(1) for asked in page.pairs}
    first = answer(store, slow, page.id, whole)
    again = answer(store, slow, page.id, whole)
    assert (first.n_stored, first.n_late, first.is_repeated) == (3, 2, False)
    assert (again.n_stored, again.n_late, again.is_repeated) == (3, 2, True)


def test_an_excluded_person_changes_nothing_more(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path, work={"redundancy": 2}), items(1))
    bad, good = person(store), person(store)
    page = claimed(store, bad)
    exclude(store, bad, "too fast")
    before = list(ratings(store))
    for change in (
        lambda: send(store, bad, page),
        lambda: keep_draft(store, bad, page.id, {page.pairs[0].pair: slide(77)}),
        lambda: claim(store, bad),
        lambda: store.record_test(bad, 0, QualificationResult(True, {}), []),
    ):
        with pytest.raises(PartEnded, match="has ended"):
            change()
    assert list(ratings(store)) == before
    send(store, good, claimed(store, good))
    send(store, person(store), claimed(store, 3))
    assert set(answers_per_pair(store).values()) == {2}
    consistent(store)


def test_an_excluded_person_discusses_no_more(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path, "labels"), items(1, 1))
    pairs = []
    for word in ("neutral", "entailment"):
        page = claimed(store, person(store))
        pairs.append(page.pairs[0].pair)
        answer(store, len(pairs), page.id, {page.pairs[0].pair: {"values": {"answer": word}}})
    exclude(store, 1, "too fast")
    with pytest.raises(PartEnded, match="has ended"):
        add_statement(store, 1, pairs[0], "entailment", "because", f"{pairs[0]}-1-0")


def test_exclusion_while_an_answer_is_on_its_way_refuses_it_and_asks_someone_else(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The headers came, then the administrator excluded the person, then the body came."""
    store = opened(campaign(tmp_path, work={"redundancy": 1}), items(1))
    visitor = Visitor(store).join()
    block = visitor.block()
    assert block is not None
    content = {"page": block["id"], "replies": {str(number): slide(1) for number in range(1, 6)}}

    async def slow_body(request: Request) -> bytes:
        body = await read_body(request)
        exclude(store, 1, "too fast")
        return body

    monkeypatch.setattr(app, "read_body", slow_body)
    refused = visitor.post("/answer", content, block["csrf"])
    assert (refused.status_code, refused.json()) == (
        403,
        {"error": "Your part in this study has ended."},
    )
    assert status(store)["of excluded people"] == 0
    assert len(claimed(store, person(store)).pairs) == 5
    consistent(store)


def test_a_pause_while_an_answer_is_on_its_way_keeps_the_answer_and_gives_nothing_new(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(campaign(tmp_path), items(2))
    me, other = person(store), person(store)
    page = claimed(store, me)
    gap = Gap(lambda: store.pause(True))
    monkeypatch.setattr(work, "lock_pairs", gap.before(lock_pairs))
    send(store, me, page)
    gap.close()
    assert status(store)["answered"] == 5
    assert claim(store, me) is None
    assert claim(store, other) is None


@pytest.mark.slow
def test_claims_of_a_second_among_thirty_people(opened: Open, tmp_path: Path, clock: Clock) -> None:
    """Claims run out all the time, in the middle of everything; nothing is asked too often, and
    thirds are right.
    """
    clock.tick = 0.02
    store = opened(campaign(tmp_path, work={"claim_minutes": 1.5 / 60}), items(20))
    people = [person(store) for _ in range(30)]

    def do(me: int) -> None:
        said, idle = random.Random(me), 0
        while idle < 3:
            try:
                page = claim(store, me)
                idle = idle + 1 if page is None else 0
                if page is None or said.random() < 0.2:
                    continue
                given: dict[int, Any] = {a.pair: slide(said.randrange(10_001)) for a in page.pairs}
                if said.random() < 0.3:
                    keep_draft(store, me, page.id, given)
                clock.now += said.random()
                answer(store, me, page.id, given)
            except (PageGone, Busy):
                continue

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(do, people))
    clock.now += 10
    for me in people:
        do(me)
    consistent(store)
    by_pair: dict[str, list[int]] = {}
    for row in sorted(
        (row for row in ratings(store) if row["state"] == "answered"), key=lambda row: row["at"]
    ):
        by_pair.setdefault(row["id"], []).append(row["raw"])
    assert len(by_pair) == 100
    for raws in by_pair.values():
        assert len(raws) == 2 + (abs(raws[0] - raws[1]) > 2000), raws
