"""Claiming of pairs and storing of answers, each in a single transaction.

So nothing is half done or asked too often.
"""

from __future__ import annotations

import json
import math
import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, exists, func, insert, select, text, update

from grice.collecting import tables as t
from grice.collecting.assign import draw, page_of
from grice.collecting.counts import check_attention, take, update_wanted
from grice.collecting.database import retry_on_deadlock
from grice.collecting.design import StudyPlan, next_of_list
from grice.collecting.facts import ATTENTION, WORK, lock_pairs, lock_person, read_meta, seal_of
from grice.collecting.instrument import PersonReply, read_reply
from grice.collecting.pictures import Picture
from grice.collecting.store import Store
from grice.core.errors import Busy, GriceError, InputError

# As written in the partial index, so that both databases use it.
OPEN_PAIR = text("pairs.kind = 'work' AND pairs.taken < pairs.wanted")


class TooSoon(GriceError):
    """Page that came back before anyone could have read it."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"please take your time; this page can be sent in {seconds:.0f} s")
        self.seconds = seconds


class PageGone(GriceError):
    """Page that is not this person's, or went to someone else."""


@dataclass(frozen=True)
class PagePair:
    """Pair on a page, with what the person has set so far."""

    pair: int
    premise: str
    hypothesis: str | None
    draft: Any
    context: str | None = None
    picture: Picture | None = None


@dataclass(frozen=True)
class Page:
    """Pairs that a person has claimed, and when they were shown."""

    id: str
    pairs: tuple[PagePair, ...]
    shown_at: float


@dataclass(frozen=True)
class StoredPage:
    """Outcome of a page that was sent; `is_repeated` marks one that was stored before."""

    n_stored: int
    n_late: int = 0
    is_repeated: bool = False


@retry_on_deadlock
def claim(store: Store, person: int) -> Page | None:
    """Return the person's open page, or a new one; None if there is no more for them now."""
    _expire(store)
    with store.write() as connection:
        lock_person(connection, person)
        page = _open_page(connection, store, person) or _reopen(connection, store, person)
        if page is not None:
            return page
        max_pairs = store.campaign.work.most_per_person
        if read_meta(connection, "paused") == "1" or (
            max_pairs and count_answered(connection, person) >= max_pairs
        ):
            return None
        pages = select(func.count(t.ratings.c.page.distinct()))
        turn = connection.scalar(pages.where(t.ratings.c.person == person)) or 0
        chosen = (
            _choose_of_list(connection, store, store.plan, person)
            if store.plan
            else _choose(connection, store, person, turn)
        )
        if not chosen:
            return None
        rows = _lay_out(connection, store, person, turn, chosen)
        connection.execute(insert(t.ratings), rows)
        take(connection, [row["id"] for row in chosen])
        return _open_page(connection, store, person)


def count_answered(connection: Connection, person: int, *, skipped: bool = True) -> int:
    """Return how many pairs of the campaign a person has answered, or skipped too."""
    states = ("answered", "skipped") if skipped else ("answered",)
    count = select(func.count()).select_from(t.rated)
    is_own = (t.ratings.c.person == person) & t.ratings.c.state.in_(states)
    return connection.scalar(count.where(is_own, t.is_work)) or 0


def _choose_of_list(
    connection: Connection, store: Store, plan: StudyPlan, person: int
) -> list[RowMapping]:
    """Lock the next pairs of the person's list, in the list's order."""
    numbers = list(next_of_list(connection, plan, person, store.instrument.per_page, store.clock()))
    rows = {row["id"]: row for row in lock_pairs(connection, numbers)}
    return [rows[number] for number in numbers]


def _choose(connection: Connection, store: Store, person: int, turn: int) -> list[RowMapping]:
    """Lock free pairs for this transaction, starting at a random bundle.

    Pairs that others are claiming are avoided at first.
    """
    size = store.instrument.per_page
    max_pairs = store.campaign.work.most_per_person
    if max_pairs:
        size = min(size, max_pairs - count_answered(connection, person))
    random = draw(store.campaign.seed, person, turn)
    for attempt in range(30):
        start = random.randrange(store.bundles)
        candidates = _candidates(connection, person, start, 4 * size)
        if not candidates:
            return []
        # Locked pairs are skipped at first; when many people want the last ones, they queue.
        rows = lock_pairs(connection, page_of(candidates, size), skip=attempt % 3 < 2)
        free = [row for row in rows if row["taken"] < row["wanted"]]
        if free:
            return free
    raise Busy("many people are being served at once; the page will try again")


def _candidates(
    connection: Connection, person: int, start: int, most: int
) -> list[tuple[int, int]]:
    seen = exists().where(t.ratings.c.pair == t.pairs.c.id, t.ratings.c.person == person)
    query = select(t.pairs.c.id, t.pairs.c.bundle).where(OPEN_PAIR, ~seen)
    ordered = query.order_by(t.pairs.c.bundle, t.pairs.c.id)
    rows = connection.execute(ordered.where(t.pairs.c.bundle >= start).limit(most)).all()
    if len(rows) < most:
        wrapped = ordered.where(t.pairs.c.bundle < start).limit(most - len(rows))
        rows = [*rows, *connection.execute(wrapped).all()]
    return [(row.id, row.bundle) for row in rows]


def _lay_out(
    connection: Connection, store: Store, person: int, turn: int, chosen: Sequence[RowMapping]
) -> list[dict[str, Any]]:
    """Return the rows of a page.

    Bundles and the pairs within them are in random order, with an attention item when due.
    """
    random = draw(store.campaign.seed, person, turn)
    groups: dict[Any, list[int]] = defaultdict(list)
    for row in chosen:
        # A list keeps the order of its design.
        groups[row["id"] if store.plan else row["bundle"]].append(row["id"])
    parts = list(groups.values())
    if store.attention and (turn + 1) % store.campaign.attention_every == 0:
        unseen = ~exists().where(t.ratings.c.pair == t.pairs.c.id, t.ratings.c.person == person)
        free = connection.scalars(
            select(t.pairs.c.id).where(t.pairs.c.kind == ATTENTION, unseen).order_by(t.pairs.c.id)
        ).all()
        parts += [[random.choice(free)]] if free else []
    for part in parts:
        random.shuffle(part)
    if not store.plan:
        random.shuffle(parts)
    now, page = store.clock(), secrets.token_urlsafe(12)
    base = {
        "person": person,
        "page": page,
        "state": "open",
        "shown": now,
        "expires": now + lease(store),
    }
    return [
        {**base, "pair": pair, "position": n}
        for n, pair in enumerate(pair for part in parts for pair in part)
    ]


def lease(store: Store) -> float:
    """Return for how many seconds a page is claimed."""
    return 60 * store.campaign.work.claim_minutes


def _open_page(connection: Connection, store: Store, person: int) -> Page | None:
    rows = connection.execute(
        select(t.ratings, t.pairs.c.item, t.pairs.c.premise, t.pairs.c.hypothesis)
        .join(t.pairs, t.ratings.c.pair == t.pairs.c.id)
        .where(t.ratings.c.person == person, t.ratings.c.state == "open")
        .order_by(t.ratings.c.position)
    ).mappings()
    ratings = list(rows)
    if not ratings:
        return None
    pairs = (
        PagePair(
            row["pair"],
            row["premise"],
            row["hypothesis"],
            json.loads(row["draft"] or "null"),
            store.context.get(row["item"]),
            store.pictures.get(row["item"]),
        )
        for row in ratings
    )
    return Page(ratings[0]["page"], tuple(pairs), ratings[0]["shown"])


def _expire(store: Store) -> None:
    """Release claims that ran out, a few at each call."""
    now = store.clock()
    out = select(t.ratings.c.pair, t.ratings.c.person).where(
        text("ratings.state = 'open'"), t.ratings.c.expires < now
    )
    with store.read() as connection:
        overdue = connection.execute(out.limit(100)).all()
    if not overdue:
        return
    with store.write() as connection:
        # Pairs are always locked before ratings; pairs that others have locked are left to them.
        held = lock_pairs(connection, [pair for pair, _ in overdue], skip=True)
        kinds = {row["id"]: row["kind"] for row in held}
        for pair, person in sorted(tuple(row) for row in overdue):
            claim_of_person = (t.ratings.c.pair == pair) & (t.ratings.c.person == person)
            ended = claim_of_person & (t.ratings.c.state == "open") & (t.ratings.c.expires < now)
            if (
                pair in kinds
                and connection.execute(
                    update(t.ratings).where(ended).values(state="expired")
                ).rowcount
            ):
                take(connection, [pair] if kinds[pair] == WORK else [], -1)


def _reopen(connection: Connection, store: Store, person: int) -> Page | None:
    """Reopen the expired pairs of a person that nobody else has taken."""
    expired_pairs = select(t.ratings.c.pair).where(
        t.ratings.c.person == person, t.ratings.c.state == "expired"
    )
    numbers = connection.scalars(expired_pairs).all()
    rows = lock_pairs(connection, numbers) if numbers else []
    free = [row["id"] for row in rows if row["kind"] == ATTENTION or row["taken"] < row["wanted"]]
    work = [row["id"] for row in rows if row["kind"] == WORK and row["id"] in free]
    if not work:
        return None
    now = store.clock()
    connection.execute(
        update(t.ratings)
        .where(
            t.ratings.c.person == person, t.ratings.c.pair.in_(free), t.ratings.c.state == "expired"
        )
        .values(state="open", shown=now, expires=now + lease(store), page=secrets.token_urlsafe(12))
    )
    take(connection, work)
    return _open_page(connection, store, person)


@retry_on_deadlock
def answer(store: Store, person: int, page: str, values: Mapping[int, Any]) -> StoredPage:
    """Store all answers of a page or none; the same page sent again changes nothing.

    An excluded person is refused, even if the page was already under way; their pairs have gone to
    others. A pause withholds new pairs only: people may finish the page they were shown, so that no
    work is lost and the campaign comes to rest by itself.
    """
    replies = {pair: read_reply(store.instrument, reply) for pair, reply in values.items()}
    with store.write() as connection:
        lock_person(connection, person)
        numbers = [row["pair"] for row in _page_rows(connection, person, page)]
        pairs = {row["id"]: row for row in lock_pairs(connection, numbers)}
        # Before the pairs were locked a claim could expire and go to someone else, so states and
        # time are read again here.
        rows, now = _page_rows(connection, person, page), store.clock()
        n_before = sum(row["state"] in ("answered", "skipped") for row in rows)
        if n_before:
            return StoredPage(n_before, len(rows) - n_before, is_repeated=True)
        _check_page(store, rows, set(replies), now)
        sent = [row for row in rows if row["pair"] in replies]
        late = _late(sent, pairs)
        punctual = [row for row in sent if row["pair"] not in late]
        if not punctual:
            raise PageGone("this page went to other people in the meantime; here is a new one")
        _write(connection, store, person, punctual, replies, now)
        _count(connection, punctual, replies, pairs)
        update_wanted(
            connection, store.instrument, [p for p in replies if pairs[p]["kind"] == WORK]
        )
        if any(pairs[row["pair"]]["kind"] == ATTENTION for row in punctual):
            check_attention(connection, store, person)
    return StoredPage(len(punctual), len(late))


def _page_rows(connection: Connection, person: int, page: str) -> list[RowMapping]:
    query = select(t.ratings).where(t.ratings.c.page == page, t.ratings.c.person == person)
    rows = list(connection.execute(query.order_by(t.ratings.c.position)).mappings())
    if not rows:
        raise PageGone("this page is not yours or is gone; load the page again")
    return rows


def _check_page(store: Store, rows: Sequence[RowMapping], pairs: set[int], now: float) -> None:
    """Refuse a page that is not complete, or that nobody can have read."""
    open_pairs = {row["pair"] for row in rows if row["state"] == "open"}
    if not pairs or not open_pairs <= pairs <= {row["pair"] for row in rows}:
        raise InputError("some pairs on this page have no answer; answer or skip every pair")
    seconds, min_seconds = now - rows[0]["shown"], store.campaign.work.least_seconds * len(pairs)
    # A page shown in the future means that the clock was set back; it is accepted.
    if 0 <= seconds < min_seconds:
        raise TooSoon(min_seconds - seconds)


def _late(rows: Sequence[RowMapping], pairs: Mapping[int, RowMapping]) -> set[int]:
    """Return pairs whose claim ran out and that someone else has taken since."""
    return {
        row["pair"]
        for row in rows
        if row["state"] == "expired"
        and pairs[row["pair"]]["kind"] == WORK
        and pairs[row["pair"]]["taken"] >= pairs[row["pair"]]["wanted"]
    }


def _write(
    connection: Connection,
    store: Store,
    person: int,
    rows: Sequence[RowMapping],
    replies: Mapping[int, PersonReply],
    now: float,
) -> None:
    changed, at = [], _after_all(connection, [row["pair"] for row in rows], now)
    for row in rows:
        reply = replies[row["pair"]]
        columns: dict[str, Any] = {
            "state": "skipped" if reply.fault == "skipped" else "answered",
            "at": at,
            "value": float(reply.answer) if isinstance(reply.answer, int | float) else None,
            "label": reply.answer if isinstance(reply.answer, str) else None,
            "raw": reply.raw,
            "fields": json.dumps(dict(reply.fields), ensure_ascii=False) if reply.fields else None,
            "fault": reply.fault,
            "ms": reply.ms,
        }
        seal = seal_of({**columns, "pair": row["pair"], "person": person}, store.sign)
        seconds = max(0.0, round((now - row["shown"]) / len(rows), 3))
        changed.append(
            {**columns, "number": row["pair"], "seconds": seconds, "draft": None, "seal": seal}
        )
    own_rating = (t.ratings.c.pair == bindparam("number")) & (t.ratings.c.person == person)
    connection.execute(update(t.ratings).where(own_rating), changed)


def _after_all(connection: Connection, pairs: Sequence[int], now: float) -> float:
    """Return when a page is stored: after all answers of its pairs, even if a clock was set back.

    The order decides which rating is the third.
    """
    before = (t.ratings.c.pair.in_(pairs)) & (t.ratings.c.state == "answered")
    last = connection.scalar(select(func.max(t.ratings.c.at)).where(before))
    return now if last is None or now > last else math.nextafter(last, math.inf)


def _count(
    connection: Connection,
    rows: Sequence[RowMapping],
    replies: Mapping[int, PersonReply],
    pairs: Mapping[int, RowMapping],
) -> None:
    """Release skipped pairs; claim again those whose claim had run out."""
    work = [row for row in rows if pairs[row["pair"]]["kind"] == WORK]
    skipped = {row["pair"] for row in work if replies[row["pair"]].fault == "skipped"}
    revived = {row["pair"] for row in work if row["state"] == "expired"}
    take(connection, sorted(skipped - revived), -1)
    take(connection, sorted(revived - skipped))
