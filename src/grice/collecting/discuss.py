"""Discussion of two experts who disagree: they see both labels, give reasons, and may agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy import Connection, case, func, insert, select, update

from grice.collecting import tables as t
from grice.collecting.assign import Statement, has_the_turn, settle
from grice.collecting.facts import lock_pairs, lock_person
from grice.collecting.store import Store
from grice.collecting.work import PageGone
from grice.core.errors import InputError


@dataclass(frozen=True)
class Discussion:
    """Pair that two people label differently, as one of them sees it.

    `since` is when both had answered; `open` counts the pairs that these two disagree on.
    """

    person: int
    pair: int
    premise: str
    hypothesis: str | None
    own_label: str
    other_label: str
    other: int
    since: float
    statements: tuple[Statement, ...] = ()
    key: str = ""
    open: int = 0

    @property
    def latest(self) -> str:
        """The reader's current label."""
        own = (turn.label for turn in reversed(self.statements) if turn.person == self.person)
        return next(own, self.own_label)

    @property
    def spoken(self) -> int:
        """Number of the reader's own statements."""
        return sum(turn.person == self.person for turn in self.statements)


def next_discussion(store: Store, person: int) -> Discussion | Literal["waiting", "later", ""]:
    """Return the next disagreement in which it is this person's turn.

    Without one, say whether it is the other's turn (waiting), or whether a discussion may still
    come, since a pair that this person answered has no second answer yet (later).
    """
    if not store.instrument.discussion:
        return ""
    with store.read() as connection:
        differing = _differing(connection, person)
        for pair in differing:
            statements = _statements(connection, pair)
            if has_the_turn(statements, person):
                key = _key(connection, pair.pair, person)
                return replace(pair, statements=statements, key=key, open=len(differing))
        if differing:
            return "waiting"
        n_answers = func.sum(case((t.is_answered & t.is_counted, 1), else_=0))
        n_own = func.sum(case((t.is_answered & (t.ratings.c.person == person), 1), else_=0))
        query = select(t.ratings.c.pair).select_from(t.rated).where(t.is_work)
        alone = query.group_by(t.ratings.c.pair).having(n_own == 1, n_answers == 1)
        return "" if connection.execute(alone.limit(1)).first() is None else "later"


def _differing(connection: Connection, person: int) -> list[Discussion]:
    own, other = t.ratings.alias("own"), t.ratings.alias("other")
    since = case((own.c.at > other.c.at, own.c.at), else_=other.c.at)
    pair = (t.pairs.c.id, t.pairs.c.premise, t.pairs.c.hypothesis)
    rows = connection.execute(
        select(*pair, own.c.label, other.c.label, other.c.person, since)
        .select_from(t.pairs)
        .join(own, own.c.pair == t.pairs.c.id)
        .join(other, (other.c.pair == t.pairs.c.id) & (other.c.person != own.c.person))
        .join(t.persons, t.persons.c.id == other.c.person)
        .where(
            own.c.person == person,
            own.c.state == "answered",
            other.c.state == "answered",
            own.c.label != other.c.label,
            t.pairs.c.settled.is_(False),
            t.is_work,
            t.is_counted,
        )
        .order_by(t.pairs.c.id)
    )
    return [Discussion(person, *row) for row in rows]


def _statements(connection: Connection, about: Discussion) -> tuple[Statement, ...]:
    """Return the statements since both people had answered, by people who are not excluded.

    An earlier discussion with someone excluded is over.
    """
    columns = t.statements.c
    query = select(columns.person, columns.label, columns.note).join(
        t.persons, t.persons.c.id == columns.person
    )
    heard = query.where(columns.pair == about.pair, t.is_counted, columns.at >= about.since)
    return tuple(Statement(*row) for row in connection.execute(heard.order_by(columns.id)))


def _key(connection: Connection, pair: int, person: int) -> str:
    """Return the key of a person's next turn.

    All turns of the pair are counted, so that no key occurs twice.
    """
    count = select(func.count()).select_from(t.statements).where(t.statements.c.pair == pair)
    return f"{pair}-{person}-{connection.scalar(count) or 0}"


def add_statement(store: Store, person: int, pair: int, label: str, note: str, key: str) -> None:
    """Store one turn; the same key again changes nothing. Equal last labels settle the pair."""
    if not store.instrument.scale.accepts(label):
        raise InputError(f"no label {str(label)[:40]!r}; choose one of those shown")
    with store.write() as connection:
        lock_person(connection, person)
        same = select(t.statements.c.id).where(
            t.statements.c.key == key, t.statements.c.person == person
        )
        if connection.scalar(same):
            return
        lock_pairs(connection, [pair])
        pair_open = next((row for row in _differing(connection, person) if row.pair == pair), None)
        statements = _statements(connection, pair_open) if pair_open else ()
        is_current = key == _key(connection, pair, person) and has_the_turn(statements, person)
        if pair_open is None or not is_current:
            raise PageGone("this discussion has moved on; load the page again")
        row = {"key": key, "pair": pair, "person": person, "label": label, "note": note}
        connection.execute(insert(t.statements).values(at=store.clock(), **row))
        people, turns = (person, pair_open.other), store.campaign.work.discussion_turns
        agreed, over = settle([*statements, Statement(person, label, note)], people, turns)
        if over:
            connection.execute(
                update(t.pairs).where(t.pairs.c.id == pair).values(settled=True, agreed=agreed)
            )
