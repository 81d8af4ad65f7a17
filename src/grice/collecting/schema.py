"""Schema number of the tables, checksums of answers, and missing columns of a database."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, inspect

from grice.collecting import tables as t
from grice.collecting.facts import read_meta

SCHEMA = "4"
Sign = Callable[[str], str]
SIGNED = ("pair", "person", "state", "at", "value", "label", "raw", "fields", "fault")


def schema_of(connection: Connection) -> str:
    """Return the schema number of a database, or "" where it has none."""
    return read_meta(connection, "schema") or ""


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


def columns_missing(connection: Connection) -> list[str]:
    """Return the columns of the schema that the database lacks."""
    inspector = inspect(connection)
    missing = []
    for table in t.metadata.sorted_tables:
        columns = inspector.get_columns(table.name) if inspector.has_table(table.name) else []
        present = {column["name"] for column in columns}
        missing += [
            f"{table.name}.{column.name}" for column in table.columns if column.name not in present
        ]
    return missing
