"""The form of the tables has a number; an older database is brought up step by step, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, inspect, select, update

from grice.collecting import tables as t
from grice.collecting.facts import read_meta, write_meta

VERSION = 2
Sign = Callable[[str], str]
SEALED = ("pair", "person", "state", "at", "value", "label", "raw", "fields", "fault")


def version_of(connection: Connection) -> int:
    """The number of the form that a database has; the first form carried none."""
    return int(read_meta(connection, "schema") or 1)


def migrate(connection: Connection, found: int, *, sign: Sign) -> None:
    """From the form that was found to the present one."""
    for number in range(found, VERSION):
        STEPS[number](connection, sign)
    write_meta(connection, "schema", str(VERSION))


def _add_audit_and_seals(connection: Connection, sign: Sign) -> None:
    t.audit.create(connection)
    connection.exec_driver_sql("ALTER TABLE ratings ADD COLUMN seal VARCHAR(16)")
    done = select(t.ratings).where(t.ratings.c.state.in_(("answered", "skipped")))
    for row in connection.execute(done).mappings().all():
        mine = (t.ratings.c.pair == row["pair"]) & (t.ratings.c.person == row["person"])
        connection.execute(update(t.ratings).where(mine).values(seal=seal_of(row, sign)))


# By the form that a step starts from.
STEPS: Mapping[int, Callable[[Connection, Sign], None]] = {1: _add_audit_and_seals}


def seal_of(row: Mapping[Any, Any], sign: Sign) -> str:
    """The checksum of what someone said of a pair."""
    said = [float(row[key]) if key in ("at", "value") and row[key] is not None else row[key] for key in SEALED]
    return sign(f"rating:{json.dumps(said)}")[:16]


def is_sealed(row: Mapping[Any, Any], sign: Sign) -> bool:
    """Whether a rating is as it was stored: answers carry their seal, and what is not answered carries none."""
    if row["state"] in ("open", "expired") and row["seal"] is None:
        return True
    return bool(row["seal"] == seal_of(row, sign))


def columns_missing(connection: Connection) -> list[str]:
    """The columns that the tables should have and have not."""
    there = inspect(connection)
    lost = []
    for table in t.metadata.sorted_tables:
        found = {column["name"] for column in there.get_columns(table.name)} if there.has_table(table.name) else set()
        lost += [f"{table.name}.{column.name}" for column in table.columns if column.name not in found]
    return lost
