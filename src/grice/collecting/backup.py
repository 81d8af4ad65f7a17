"""Backup of a campaign in one file, taken while it is served, and its restoration."""

from __future__ import annotations

import os
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, Engine, func, insert, inspect, select, text

from grice.collecting import tables as t
from grice.collecting.audit import COMMAND, record
from grice.collecting.campaign import Campaign
from grice.collecting.database import connect, unreachable
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError

ROWS = 2000
ANSWERED = select(func.count()).select_from(t.ratings).where(t.is_answered)


def back_up(store: Store, out: Path) -> int:
    """Write a snapshot of the campaign into a new SQLite file; return the number of answers."""
    if out.exists():
        raise InputError(f"{out}: exists already; choose another name with -o")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.", suffix=".part")
        os.close(handle)
    except OSError as error:
        raise GriceError(
            f"{out}: cannot be written ({error.strerror}); choose another folder with -o"
        ) from None
    try:
        target = connect(f"sqlite:///{name}")
        with _snapshot(store) as source, target.begin() as into:
            t.metadata.create_all(into)
            _copy(source, into)
            count = into.scalar(ANSWERED) or 0
        target.dispose()
        with open(name, "rb") as written:
            os.fsync(written.fileno())
        Path(name).replace(out)
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            Path(f"{name}{ending}").unlink(missing_ok=True)
    return count


def _snapshot(store: Store) -> Connection:
    """Open a connection that reads one snapshot, whatever others write meanwhile."""
    how = {} if store.engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    return store.engine.connect().execution_options(reading=True, **how)


def _copy(source: Connection, into: Connection) -> None:
    for table in t.metadata.sorted_tables:
        for rows in source.execute(select(table)).mappings().partitions(ROWS):
            into.execute(insert(table), [dict(row) for row in rows])


def restore(campaign: Campaign, data: Dataset, file: Path) -> int:
    """Restore a backup into the campaign's empty database; return the number of answers."""
    if not file.is_file():
        raise InputError(f"{file}: no such file; name one that 'grice collect backup' wrote")
    source = Store(replace(campaign, database=str(file.absolute())), data, read_only=True)
    engine = connect(campaign.address)
    with closing(source):
        if _holds_something(engine):
            address = engine.url.render_as_string(hide_password=True)
            if engine.dialect.name == "sqlite":
                address = engine.url.database or ""
            raise InputError(
                f"{address}: holds a campaign already; move it away first, or name another database"
            )
        with _snapshot(source) as snapshot, engine.begin() as into:
            t.metadata.create_all(into)
            _copy(snapshot, into)
            if engine.dialect.name == "postgresql":
                _go_on_counting(into)
            record(into, source.clock(), COMMAND, "restored", f"from {file.name}")
        engine.dispose()
    store = Store(campaign, data)
    with closing(store), store.read() as connection:
        return connection.scalar(ANSWERED) or 0


def _holds_something(engine: Engine) -> bool:
    if engine.dialect.name == "sqlite":
        file = Path(engine.url.database or "")
        return file.exists() and file.stat().st_size > 0
    try:
        return inspect(engine).has_table(t.meta.name)
    except Exception as error:
        raise unreachable(engine, error) from None


def _go_on_counting(connection: Connection) -> None:
    """Set PostgreSQL's sequences past the copied rows, so that new rows get new numbers."""
    for name in ("persons", "pairs", "statements", "audit"):
        last = f"(SELECT coalesce(max(id), 0) + 1 FROM {name})"
        connection.execute(
            text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {last}, false)")
        )
