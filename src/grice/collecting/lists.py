"""Lists of a design in the database: who gets which, and what of it comes next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, case, func, select, update

from grice.collecting import tables as t
from grice.collecting.design import StudyPlan, least_loaded
from grice.collecting.facts import WORK, lock_campaign

if TYPE_CHECKING:
    from grice.collecting.store import Store


def next_of_list(
    connection: Connection, store: Store, plan: StudyPlan, person: int, size: int
) -> Sequence[int]:
    """Return the numbers of the next pairs of a person's list, in their order.

    A person without a list gets the one that most lacks answers.
    """
    number = connection.scalar(select(t.persons.c.list).where(t.persons.c.id == person))
    if number is None:
        lock_campaign(connection)
        number = least_loaded(list_loads(connection, store, plan), store.campaign.seed, person)
        connection.execute(update(t.persons).where(t.persons.c.id == person).values(list=number))
    seen = set(connection.scalars(select(t.ratings.c.pair).where(t.ratings.c.person == person)))
    order = plan.order(number, person)
    rows = connection.execute(select(t.pairs.c.item, t.pairs.c.id).where(t.pairs.c.kind == WORK))
    numbers = {row.item: row.id for row in rows}
    return [numbers[item] for item in order if numbers[item] not in seen][:size]


def list_loads(connection: Connection, store: Store, plan: StudyPlan) -> list[float]:
    """Return the answers to expect for each list, in lists.

    Of people who were excluded none count, of those who left what they answered, of others all.
    """
    loads = [0.0] * len(plan.lists)
    is_done = t.ratings.c.state.in_(("answered", "skipped")) & (t.pairs.c.kind == WORK)
    per_person = (
        select(
            t.persons.c.list,
            t.persons.c.finished,
            func.sum(case((is_done, 1), else_=0)).label("done"),
            func.max(t.ratings.c.expires).label("until"),
        )
        .join(t.ratings, t.ratings.c.person == t.persons.c.id)
        .join(t.pairs, t.pairs.c.id == t.ratings.c.pair)
        .where(t.persons.c.list.is_not(None), t.persons.c.excluded.is_(None))
        .group_by(t.persons.c.id)
    )
    for row in connection.execute(per_person):
        length = len(plan.lists[row.list])
        has_left = row.finished is not None or row.until < store.clock()
        loads[row.list] += row.done / length if has_left else 1.0
    return loads
