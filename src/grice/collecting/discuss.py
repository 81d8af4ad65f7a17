"""Discussion of two experts who disagree: they see both labels, give reasons, and may agree."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, case, func, insert, select, update

from grice.collecting import tables as t
from grice.collecting.assign import Statement, has_the_turn, settle
from grice.collecting.facts import lock_pairs, lock_person
from grice.collecting.store import Store
from grice.collecting.work import PageGone
from grice.core.errors import InputError


@dataclass(frozen=True)
class DiscussionTurn:
    """Statement of one side: whether it is the reader's own, which label, and why."""

    is_own: bool
    label: str
    note: str


@dataclass(frozen=True)
class Discussion:
    """Pair that two people label differently, with their first labels and later statements.

    `open` counts the pairs that these two disagree on.
    """

    pair: int
    premise: str
    hypothesis: str | None
    own_label: str
    other_label: str
    turns: tuple[DiscussionTurn, ...]
    key: str
    open: int

    @property
    def latest(self) -> str:
        """The reader's current label."""
        own = (turn.label for turn in reversed(self.turns) if turn.is_own)
        return next(own, self.own_label)

    @property
    def spoken(self) -> int:
        """Number of the reader's own statements."""
        return sum(turn.is_own for turn in self.turns)


def next_discussion(store: Store, person: int) -> Discussion | None:
    """Return the next disagreement in which it is this person's turn."""
    if not store.instrument.discussion:
        return None
    with store.read() as connection:
        differing = _differing(connection, person)
        for row in differing:
            statements = _statements(connection, row)
            if has_the_turn(statements, person):
                turns = tuple(
                    DiscussionTurn(s.person == person, s.label, s.note) for s in statements
                )
                key = _key(connection, row.pair, person)
                first = (row.own_label, row.other_label)
                return Discussion(
                    row.pair, row.premise, row.hypothesis, *first, turns, key, len(differing)
                )
    return None


def waiting_for_others(store: Store, person: int) -> bool:
    """Return whether a disagreement of this person is open and it is the other's turn."""
    if not store.instrument.discussion:
        return False
    with store.read() as connection:
        return bool(_differing(connection, person))


def may_differ_yet(store: Store, person: int) -> bool:
    """Return whether a discussion may still come.

    It may if a pair that this person answered has no second answer yet.
    """
    if not store.instrument.discussion:
        return False
    own_rating, other_rating = t.ratings.alias("mine"), t.ratings.alias("other")
    answered_too = (
        select(other_rating.c.pair)
        .join(t.persons, t.persons.c.id == other_rating.c.person)
        .where(
            other_rating.c.pair == own_rating.c.pair,
            other_rating.c.person != person,
            other_rating.c.state == "answered",
            t.persons.c.excluded.is_(None),
        )
    )
    alone = (
        select(own_rating.c.pair)
        .join(t.pairs, t.pairs.c.id == own_rating.c.pair)
        .where(
            own_rating.c.person == person,
            own_rating.c.state == "answered",
            t.pairs.c.kind == "work",
            ~answered_too.exists(),
        )
    )
    with store.read() as connection:
        return connection.execute(alone.limit(1)).first() is not None


@dataclass(frozen=True)
class _Disagreement:
    pair: int
    premise: str
    hypothesis: str | None
    own_label: str
    other_label: str
    with_whom: int
    since: float


def _differing(connection: Connection, person: int) -> list[_Disagreement]:
    own_rating, other_rating = t.ratings.alias("mine"), t.ratings.alias("other")
    both = case((own_rating.c.at > other_rating.c.at, own_rating.c.at), else_=other_rating.c.at)
    pair = (t.pairs.c.id, t.pairs.c.premise, t.pairs.c.hypothesis)
    rows = connection.execute(
        select(*pair, own_rating.c.label, other_rating.c.label, other_rating.c.person, both)
        .select_from(t.pairs)
        .join(own_rating, own_rating.c.pair == t.pairs.c.id)
        .join(
            other_rating,
            (other_rating.c.pair == t.pairs.c.id) & (other_rating.c.person != own_rating.c.person),
        )
        .join(t.persons, t.persons.c.id == other_rating.c.person)
        .where(
            own_rating.c.person == person,
            own_rating.c.state == "answered",
            other_rating.c.state == "answered",
            own_rating.c.label != other_rating.c.label,
            t.pairs.c.settled.is_(False),
            t.pairs.c.kind == "work",
            t.persons.c.excluded.is_(None),
        )
        .order_by(t.pairs.c.id)
    )
    return [_Disagreement(*row) for row in rows]


def _statements(connection: Connection, about: _Disagreement) -> list[Statement]:
    """Return the statements since both people had answered, by people who are not excluded.

    An earlier discussion with someone excluded is over.
    """
    query = select(t.statements.c.person, t.statements.c.label, t.statements.c.note)
    same_pair = t.statements.c.pair == about.pair
    heard = query.join(t.persons, t.persons.c.id == t.statements.c.person).where(
        same_pair, t.persons.c.excluded.is_(None), t.statements.c.at >= about.since
    )
    return [Statement(*row) for row in connection.execute(heard.order_by(t.statements.c.id))]


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
        open_one = [row for row in _differing(connection, person) if row.pair == pair]
        statements = _statements(connection, open_one[0]) if open_one else []
        if (
            not open_one
            or key != _key(connection, pair, person)
            or not has_the_turn(statements, person)
        ):
            raise PageGone("this discussion has moved on; load the page again")
        row = {"key": key, "pair": pair, "person": person, "label": label, "note": note}
        connection.execute(insert(t.statements).values(at=store.clock(), **row))
        people, turns = (person, open_one[0].with_whom), store.campaign.work.discussion_turns
        agreed, over = settle([*statements, Statement(person, label, note)], people, turns)
        if over:
            connection.execute(
                update(t.pairs).where(t.pairs.c.id == pair).values(settled=True, agreed=agreed)
            )
