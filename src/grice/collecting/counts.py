"""Counts of ratings per pair, and exclusion of people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select, update

from grice.collecting import tables as t
from grice.collecting.assign import ratings_wanted
from grice.collecting.audit import ADMINISTRATOR, SERVER, record
from grice.collecting.database import retry_on_deadlock
from grice.collecting.facts import ATTENTION, WORK, hold_person, lock_pairs, read_meta, write_meta
from grice.collecting.instrument import Instrument, PersonReply
from grice.collecting.qualify import passes_attention
from grice.core.errors import InputError
from grice.core.scale import Answer

if TYPE_CHECKING:
    from grice.collecting.store import Store

LIVE = ("open", "answered")


def take(connection: Connection, numbers: Sequence[int], change: int = 1) -> None:
    """Claim one more rating of each pair, or release one; the database refuses more than wanted."""
    if numbers:
        taken = t.pairs.c.taken + change
        connection.execute(update(t.pairs).where(t.pairs.c.id.in_(numbers)).values(taken=taken))


def update_wanted(connection: Connection, instrument: Instrument, numbers: Sequence[int]) -> None:
    """Update how many ratings each pair needs, after its answers changed.

    The caller has locked the pairs.
    """
    if instrument.by_lists:
        return
    extra = int(read_meta(connection, "extra") or 0)
    rows = connection.execute(
        select(t.ratings.c.pair, t.ratings.c.raw)
        .select_from(t.rated)
        .where(t.ratings.c.pair.in_(numbers), t.is_answered, t.is_counted)
        .where(t.ratings.c.raw.is_not(None))
        .order_by(t.ratings.c.at, t.ratings.c.person)
    )
    raws: dict[int, list[int]] = defaultdict(list)
    for pair, raw in rows:
        raws[pair].append(raw)
    now = connection.execute(
        select(t.pairs.c.id, t.pairs.c.wanted, t.pairs.c.taken).where(t.pairs.c.id.in_(numbers))
    ).all()
    for pair, before, taken in now:
        # Claimed pairs are not withdrawn, even if they are not needed any more.
        needed = max(
            ratings_wanted(raws[pair], instrument.redundancy, instrument.third_when, extra), taken
        )
        if needed != before:
            connection.execute(update(t.pairs).where(t.pairs.c.id == pair).values(wanted=needed))


def check_attention(connection: Connection, store: Store, person: int) -> None:
    """Exclude a person who misses `attention_misses` attention items; mark their answers."""
    limit = store.campaign.attention_misses
    query = select(t.pairs.c.item, t.ratings.c.value, t.ratings.c.label).select_from(t.rated)
    is_own = (t.ratings.c.person == person) & (t.pairs.c.kind == ATTENTION)
    rows = connection.execute(query.where(is_own, t.ratings.c.state.in_(("answered", "skipped"))))
    replies = ((item, label if value is None else value) for item, value, label in rows)
    n_missed = len(attention_missed(store, replies)) if limit else 0
    if n_missed and n_missed >= limit:
        _exclude(connection, store, person, f"missed {n_missed} attention items", SERVER)


def attention_missed(store: Store, replies: Iterable[tuple[str, Answer | None]]) -> list[str]:
    """Return which attention items were answered wrongly or skipped."""
    scale = store.instrument.scale
    return [
        item
        for item, answer in replies
        if not passes_attention(store.attention[item], PersonReply(answer), scale)
    ]


@retry_on_deadlock
def exclude(store: Store, person: int, reason: str) -> None:
    """Exclude a person: their answers stay, marked, and their pairs are asked again."""
    with store.write() as connection:
        if connection.scalar(select(t.persons.c.id).where(t.persons.c.id == person)) is None:
            raise InputError(f"there is no person {person}; take a number from the list of people")
        if hold_person(connection, person) is None:
            _exclude(connection, store, person, reason, ADMINISTRATOR)


def _exclude(connection: Connection, store: Store, person: int, reason: str, who: str) -> None:
    claimed = select(t.ratings.c.pair).where(
        t.ratings.c.person == person, t.ratings.c.state.in_(LIVE)
    )
    held = lock_pairs(connection, connection.scalars(claimed).all())
    # A claim that expired before its pair was locked has been released already.
    live = set(connection.scalars(claimed).all())
    work = [row["id"] for row in held if row["kind"] == WORK and row["id"] in live]
    connection.execute(update(t.persons).where(t.persons.c.id == person).values(excluded=reason))
    is_open = (t.ratings.c.person == person) & (t.ratings.c.state == "open")
    connection.execute(update(t.ratings).where(is_open).values(state="expired"))
    take(connection, work, -1)
    update_wanted(connection, store.instrument, work)
    # Those who remain may continue the discussions that this person settled.
    discussed = select(t.statements.c.pair).where(t.statements.c.person == person)
    reopened = update(t.pairs).where(t.pairs.c.id.in_(discussed))
    connection.execute(reopened.values(settled=False, agreed=None))
    record(connection, store.clock(), who, "excluded", f"person/{person:04d}: {reason}")


@retry_on_deadlock
def include(store: Store, person: int) -> None:
    """Undo an exclusion: the person's answers count again, and they may go on."""
    with store.write() as connection:
        if hold_person(connection, person) is None:
            raise InputError(f"person {person} is not excluded; load the page again")
        answered = select(t.ratings.c.pair).where(
            t.ratings.c.person == person, t.ratings.c.state == "answered"
        )
        rows = lock_pairs(connection, connection.scalars(answered).all())
        work = [row["id"] for row in rows if row["kind"] == WORK]
        # Others may have answered in the meantime, so that a pair then has more ratings than asked.
        is_taken = t.pairs.c.id.in_(work) & (t.pairs.c.taken >= t.pairs.c.wanted)
        connection.execute(update(t.pairs).where(is_taken).values(wanted=t.pairs.c.taken + 1))
        take(connection, work)
        connection.execute(update(t.persons).where(t.persons.c.id == person).values(excluded=None))
        update_wanted(connection, store.instrument, work)
        record(connection, store.clock(), ADMINISTRATOR, "included", f"person/{person:04d}")


@retry_on_deadlock
def add_redundancy(store: Store, more: int) -> None:
    """Raise the number of ratings of every pair."""
    if not 1 <= more <= 100:
        raise InputError(f"{more} more ratings a pair; give a number from 1 to 100")
    with store.write() as connection:
        record(
            connection, store.clock(), ADMINISTRATOR, "asked for more", f"{more} more for each pair"
        )
        before = int(read_meta(connection, "extra") or 0)
        write_meta(connection, "extra", str(before + more))
        connection.execute(
            update(t.pairs).where(t.pairs.c.kind == WORK).values(wanted=t.pairs.c.wanted + more)
        )
