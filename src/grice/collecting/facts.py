"""Key-value facts about a campaign, the locks for changing rows, and checksums of answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from grice.collecting import tables as t
from grice.core.errors import GriceError

ATTENTION = "attention"
WORK = "work"
# Key of the people whom the rules left out at the last export.
LEFT_OUT = "left out"
Sign = Callable[[str], str]
SIGNED = ("pair", "person", "state", "at", "value", "label", "raw", "fields", "fault")


class PartEnded(GriceError):
    """Request by an excluded person to change something."""

    def __init__(self) -> None:
        super().__init__("Your part in this study has ended.")


def read_meta(connection: Connection, key: str) -> str | None:
    """Return a fact about the campaign, or None."""
    return connection.scalar(select(t.meta.c.value).where(t.meta.c.key == key))


def write_meta(connection: Connection, key: str, value: str) -> None:
    """Store a fact about the campaign."""
    change = update(t.meta).where(t.meta.c.key == key).values(value=value)
    if connection.execute(change).rowcount == 0:
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


def seal_of(row: Mapping[Any, Any], sign: Sign) -> str:
    """Return the checksum of one person's answer to one pair."""
    values = [
        float(row[key]) if key in ("at", "value") and row[key] is not None else row[key]
        for key in SIGNED
    ]
    return sign(f"rating:{json.dumps(values)}")[:16]


def is_sealed(row: Mapping[Any, Any], sign: Sign) -> bool:
    """Return whether a rating is as it was stored.

    Answers have their checksum, unanswered rows have none.
    """
    if row["state"] in ("open", "expired") and row["seal"] is None:
        return True
    return bool(row["seal"] == seal_of(row, sign))
