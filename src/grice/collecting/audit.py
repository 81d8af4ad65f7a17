"""Audit log of a campaign: append-only, each line linked to the one before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, insert, select

from grice.collecting import tables as t
from grice.collecting.facts import lock_campaign, read_meta, write_meta

HEAD = "audit"
ADMINISTRATOR, COMMAND, SERVER = "administrator", "command line", "server"


def record(connection: Connection, at: float, who: str, what: str, words: str = "") -> None:
    """Append one line, in the transaction of the change that it describes."""
    lock_campaign(connection)
    row = {"at": at, "who": who, "what": what, "words": words}
    link = _link(read_meta(connection, HEAD) or "", row)
    connection.execute(insert(t.audit).values(**row, link=link))
    write_meta(connection, HEAD, link)


def audit_lines(connection: Connection, most: int | None = None) -> list[dict[str, Any]]:
    """Return the log, the newest line first."""
    rows = connection.execute(select(t.audit).order_by(t.audit.c.id.desc()).limit(most)).mappings()
    return [dict(row) for row in rows]


def audit_problem(connection: Connection) -> str | None:
    """Return where the log is not what was written, or None."""
    rows: Iterable[dict[str, Any]] = reversed(audit_lines(connection))
    last = ""
    for row in rows:
        last = _link(last, row)
        if row["link"] != last:
            return (
                f"audit line {row['id']} ('{row['what']}') is not as it was written, or one before"
                " it is gone"
            )
    return (
        None
        if last == (read_meta(connection, HEAD) or "")
        else "the last lines of the audit log are gone"
    )


def _link(before: str, row: dict[str, Any]) -> str:
    content = json.dumps([before, row["at"], row["who"], row["what"], row["words"]])
    return hashlib.sha256(content.encode()).hexdigest()
