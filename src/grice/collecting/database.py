"""Database connections: SQLite or PostgreSQL, writable or read-only, with durable writes."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from grice.core.errors import Busy, GriceError, InputError, MissingExtra

P = ParamSpec("P")
T = TypeVar("T")


class SteadyClock:
    """Unix time that ignores clock changes: the time at start plus monotonic time since."""

    def __init__(self) -> None:
        # Includes the time the machine was suspended, if the system reports it.
        self.kind = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
        self.start = time.time() - time.clock_gettime(self.kind)

    def __call__(self) -> float:
        return self.start + time.clock_gettime(self.kind)


def retry_on_deadlock(change: Callable[P, T]) -> Callable[P, T]:
    """Repeat a change whose transaction PostgreSQL rolled back to resolve a deadlock."""

    @wraps(change)
    def attempt(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(5):
            try:
                return change(*args, **kwargs)
            except OperationalError as error:
                if getattr(error.orig, "sqlstate", None) not in ("40P01", "40001"):
                    raise
        raise Busy("many people are being served at once; the page will try again")

    return attempt


def connect(address: str, *, read_only: bool = False) -> Engine:
    """Return an engine with durable writes.

    SQLite uses WAL and a full sync; a transaction that writes locks at once.
    """
    if address.startswith(("postgresql://", "postgres://")):
        address = "postgresql+psycopg://" + address.partition("://")[2]
    # No message contains a query's values: they may include a platform's id.
    pool: dict[str, Any] = {
        "pool_size": 20,
        "max_overflow": 20,
        "pool_timeout": 60,
        "hide_parameters": True,
    }
    try:
        url = make_url(address)
        if read_only and url.get_backend_name() == "sqlite":
            url = url.set(
                database=sqlite_uri(url.database or "").partition("?")[0],
                query={"mode": "ro", "uri": "true"},
            )
        elif read_only:
            pool["connect_args"] = {"options": "-c default_transaction_read_only=on"}
        engine = create_engine(url, **pool)
    except (ArgumentError, ModuleNotFoundError, NoSuchModuleError, ValueError):
        kind = address.partition("://")[0]
        if kind == "postgresql+psycopg" and find_spec("psycopg") is None:
            raise MissingExtra("PostgreSQL", "postgres") from None
        raise InputError(
            f"no database at an address '{kind}://…'; give a file, or postgresql://…"
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _sqlite_reading if read_only else _sqlite_settings)
        event.listen(engine, "begin", _begin)
    elif engine.dialect.name != "postgresql":
        raise InputError(f"'{engine.dialect.name}' is not known here; use SQLite or PostgreSQL")
    return engine


def sqlite_uri(file: str) -> str:
    """Return the address under which SQLite opens a file read-only."""
    return f"file:{quote(str(Path(file).absolute()))}?mode=ro"


def _sqlite_settings(connection: Any, _record: Any) -> None:
    _sqlite_reading(connection, _record)
    for setting in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")
    # A new file is filled before it has a log, so that any copy of it is complete or empty.
    if connection.execute("PRAGMA page_count").fetchone()[0]:
        _keep_a_log(connection)


def _keep_a_log(connection: Any) -> None:
    """Set WAL, which is persistent.

    The first time, no other connection may be open, and SQLite does not wait for that.
    """
    for _ in range(600):
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.05)
    raise Busy("another program holds the database; stop it, then start again")


def _sqlite_reading(connection: Any, _record: Any) -> None:
    # With no isolation level, sqlite3 begins no transaction; the one below is the only one.
    connection.isolation_level = None
    connection.execute("PRAGMA busy_timeout=30000")


def _begin(connection: Connection) -> None:
    reading = connection.get_execution_options().get("reading", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def unreachable(engine: Engine, error: Exception) -> GriceError:
    """Return an error for a database that cannot be used, on one line without a password."""
    address = engine.url.render_as_string(hide_password=True)
    cause = str(getattr(error, "orig", error)).strip().splitlines()[0]
    return GriceError(
        f"the database {address} cannot be used ({cause}); check the address and that it runs"
    )
