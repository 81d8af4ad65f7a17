"""Key-value facts about a campaign, and the locks for changing rows."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, RowMapping, insert, select, update

from grice.collecting import tables as t
from grice.core.errors import GriceError

ATTENTION = "attention"
WORK = "work"


class PartEnded(GriceError):
    """Request by an excluded person to change something."""

    def __init__(self) -> None:
        super().__init__("Your part in this study has ended.")


def read_meta(connection: Connection, key: str) -> str | None:
    """Return a fact about the campaign, or None."""
    return connection.scalar(select(t.meta.c.value).where(t.meta.c.key == key))


def write_meta(connection: Connection, key: str, value: str) -> None:
    """Store a fact about the campaign."""
    if (
        connection.execute(update(t.meta).where(t.meta.c.key == key).values(value=value)).rowcount
        == 0
    ):
        connection.execute(insert(t.meta).values(key=key, value=value))


def lock_campaign(connection: Connection) -> None:
    """Lock the campaign's own facts, so that they change one at a time."""
    connection.execute(select(t.meta).where(t.meta.c.key == "secret").with_for_update()).all()


def lock_person(connection: Connection, person: int) -> None:
    """Lock a person, so that two tabs cannot claim or send twice; refuse an excluded person."""
    if hold_person(connection, person) is not None:
        raise PartEnded


def hold_person(connection: Connection, person: int) -> str | None:
    """Lock any person; return why they were excluded, if they were."""
    return connection.scalar(
        select(t.persons.c.excluded).where(t.persons.c.id == person).with_for_update()
    )


def lock_pairs(
    connection: Connection, numbers: Sequence[int], *, skip: bool = False
) -> list[RowMapping]:
    """Lock the pairs until the transaction ends, in id order to prevent deadlocks.

    Returns their rows. Values read before the lock may be stale: in PostgreSQL others may have
    changed them.
    """
    query = select(t.pairs).where(t.pairs.c.id.in_(numbers)).order_by(t.pairs.c.id)
    return list(
        connection.execute(query.with_for_update(skip_locked=skip, key_share=True)).mappings()
    )
