"""Database connections: SQLite or PostgreSQL, writable or read-only, with durable writes."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

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
        event.listen(engine, "connect", _set_reading if read_only else _set_writing)
        event.listen(engine, "begin", _begin)
    elif engine.dialect.name != "postgresql":
        raise InputError(f"'{engine.dialect.name}' is not known here; use SQLite or PostgreSQL")
    return engine


class Database:
    """Transactions of a campaign's database; with `read_only` nothing is changed or created."""

    def __init__(self, address: str, *, read_only: bool = False) -> None:
        self.read_only = read_only
        self.engine = connect(address, read_only=read_only)
        self.is_file = self.engine.dialect.name == "sqlite"
        url = make_url(address)
        file = url.database if url.get_backend_name() == "sqlite" else None
        # A file or an address without a password.
        self.location = file or url.render_as_string(hide_password=True)
        self._one_writer = threading.Lock()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that may write.

        SQLite's writers queue here instead of polling its lock.
        """
        queue = self._one_writer if self.is_file else nullcontext()
        with queue, self.engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that only reads."""
        with self.engine.connect().execution_options(reading=True) as connection:
            yield connection

    def close(self) -> None:
        """Close the database.

        SQLite's log is written into the file, so that a copy of it is complete.
        """
        if self.is_file and not self.read_only:
            # If another server reads or the disk is full, the log stays, and nothing is lost.
            with (
                suppress(sqlite3.Error, DBAPIError),
                closing(self.engine.raw_connection()) as connection,
            ):
                cursor = connection.cursor()
                cursor.execute("PRAGMA busy_timeout=2000")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.engine.dispose()


def sqlite_uri(file: str) -> str:
    """Return the address under which SQLite opens a file read-only."""
    return f"file:{quote(str(Path(file).absolute()))}?mode=ro"


def _set_writing(connection: Any, _record: Any) -> None:
    _set_reading(connection, _record)
    for setting in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")
    # A new file is filled before it has a log, so that any copy of it is complete or empty.
    if connection.execute("PRAGMA page_count").fetchone()[0]:
        _set_wal(connection)


def _set_wal(connection: Any) -> None:
    """Set WAL, which is persistent.

    The first time, no other connection may be open, and SQLite does not wait for that.
    """
    for _ in range(600):
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            time.sleep(0.05)
    raise Busy("another program holds the database; stop it, then start again")


def _set_reading(connection: Any, _record: Any) -> None:
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
