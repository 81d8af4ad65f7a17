"""Where answers are kept: SQLite beside the campaign, or PostgreSQL by its address; one interface for both."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, RowMapping, func, insert, inspect, make_url, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from grice.collecting import tables as t
from grice.collecting.assign import assign_bundles, label_order
from grice.collecting.campaign import Campaign, KnownPair
from grice.collecting.database import connect, unreachable
from grice.collecting.instrument import Instrument, instrument_of
from grice.collecting.qualify import check_known
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError

ATTENTION = "attention"
WORK = "work"
# The number of the lock under which PostgreSQL lets one server at a time begin a campaign.
FIRST_START = 20_250_118


class PartEnded(GriceError):
    """Someone who was excluded wants to change something."""

    def __init__(self) -> None:
        super().__init__("Your part in this study has ended.")


@dataclass(frozen=True)
class Person:
    """Someone who came: a number, and how far they are."""

    id: int
    started: bool
    qualified: bool | None
    finished: bool
    excluded: str | None
    labels: tuple[str, ...]


class Store:
    """One campaign's answers. Every public change is one transaction, and is on disk when the call returns.

    With `read_only` nothing is changed and nothing begun; `new` says that this opening began the campaign.
    """

    def __init__(
        self, campaign: Campaign, data: Dataset, *, clock: Callable[[], float] = time.time, read_only: bool = False
    ) -> None:
        self.campaign = campaign
        self.instrument: Instrument = instrument_of(campaign, data.scale)
        self.clock = clock
        self.read_only = read_only
        self.engine = connect(campaign.address, read_only=read_only)
        self._one_writer = threading.Lock()
        self.new = self._prepare(data)
        with self.read() as connection:
            kept = {row.key: row.value for row in connection.execute(select(t.meta))}
            self.bundles = (connection.scalar(select(func.max(t.pairs.c.bundle))) or 0) + 1
        self.secret: str = kept["secret"]
        self.attention: dict[str, KnownPair] = {f"{ATTENTION}/{n}": known for n, known in enumerate(campaign.attention)}

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may change things; SQLite's writers queue here rather than spin on its lock."""
        queue = self._one_writer if self.engine.dialect.name == "sqlite" else nullcontext()
        with queue, self.engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with self.engine.connect().execution_options(reading=True) as connection:
            yield connection

    def close(self) -> None:
        """Let go of the database. What SQLite keeps in its log goes into the file, so that a copy of it is whole."""
        if self.engine.dialect.name == "sqlite" and not self.read_only:
            # Where another server reads or the disk is full, the log stays, and nothing is lost.
            with suppress(sqlite3.Error, DBAPIError), closing(self.engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute("PRAGMA busy_timeout=2000")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.engine.dispose()

    @property
    def place(self) -> str:
        """The file or the address of the database, without a password."""
        url = make_url(self.campaign.address)
        file = url.database if url.get_backend_name() == "sqlite" else None
        return file or url.render_as_string(hide_password=True)

    def sign(self, words: str) -> str:
        """A token only this campaign can make, so that none needs to be stored."""
        return hmac.new(self.secret.encode(), words.encode(), hashlib.sha256).hexdigest()[:32]

    def arrive(self, outside: str | None = None) -> int | None:
        """The number of a person who consents, new or known by the platform's id; None when all places are taken."""
        if outside is not None:
            with self.read() as connection:
                found = connection.scalar(select(t.persons.c.id).where(t.persons.c.outside == outside))
            if found is not None:
                return int(found)
        try:
            return self._new_person(outside)
        except IntegrityError:
            # The same person arrived twice at the same moment; the other request made the row.
            with self.read() as connection:
                return connection.scalar(select(t.persons.c.id).where(t.persons.c.outside == outside))

    def _new_person(self, outside: str | None) -> int | None:
        with self.write() as connection:
            if self.campaign.people.most and self._full(connection):
                return None
            now = self.clock()
            made = connection.execute(insert(t.persons).values(outside=outside, arrived=now, consented=now))
            number = int(made.inserted_primary_key[0])  # type: ignore[index]
            order = label_order(self.instrument.scale.labels, self.campaign.seed, number)
            connection.execute(update(t.persons).where(t.persons.c.id == number).values(labels=json.dumps(order)))
            return number

    def _full(self, connection: Connection) -> bool:
        """Whether all places are taken; newcomers are counted one after the other."""
        lock_campaign(connection)
        return (connection.scalar(select(func.count()).select_from(t.persons)) or 0) >= self.campaign.people.most

    def person(self, number: int) -> Person | None:
        """The person of a number, or None."""
        with self.read() as connection:
            row = connection.execute(select(t.persons).where(t.persons.c.id == number)).mappings().one_or_none()
        return None if row is None else _person(row)

    def start(self, person: int) -> None:
        """Someone has read the instructions."""
        self._mark(person, "started")

    def finish(self, person: int) -> None:
        """Someone stops here."""
        self._mark(person, "finished")

    def resume(self, person: int) -> None:
        """Someone who had stopped goes on."""
        with self.write() as connection:
            connection.execute(update(t.persons).where(t.persons.c.id == person).values(finished=None))

    def _mark(self, person: int, column: str) -> None:
        with self.write() as connection:
            moment = t.persons.c[column]
            connection.execute(
                update(t.persons).where(t.persons.c.id == person, moment.is_(None)).values({column: self.clock()})
            )

    def attempts(self, person: int) -> int:
        """How often a person has tried the test."""
        with self.read() as connection:
            return connection.scalar(select(func.count()).select_from(t.tests).where(t.tests.c.person == person)) or 0

    def record_test(self, person: int, attempt: int, passed: bool, report: Any, answers: Any) -> bool:
        """Keep one attempt at the test; the same attempt sent again changes nothing. Returns whether passed."""
        limit = self.campaign.qualification.attempts if self.campaign.qualification else 0
        with self.write() as connection:
            lock_person(connection, person)
            before = connection.execute(select(t.tests).where(t.tests.c.person == person))
            known = {row.attempt: row.passed for row in before}
            if attempt in known:
                return bool(known[attempt])
            if attempt != len(known) or attempt >= limit or any(known.values()):
                raise InputError("this attempt at the test is not open; load the page again")
            row = {"passed": passed, "report": json.dumps(report), "answers": json.dumps(answers)}
            connection.execute(insert(t.tests).values(person=person, attempt=attempt, at=self.clock(), **row))
            if passed or attempt + 1 >= limit:
                connection.execute(update(t.persons).where(t.persons.c.id == person).values(qualified=passed))
        return passed

    @property
    def paused(self) -> bool:
        """Whether nobody is given new pairs."""
        with self.read() as connection:
            return read_meta(connection, "paused") == "1"

    def pause(self, yes: bool) -> None:
        """Give nobody new pairs, or go on."""
        with self.write() as connection:
            lock_campaign(connection)
            write_meta(connection, "paused", "1" if yes else "0")

    def _prepare(self, data: Dataset) -> bool:
        """Make the tables and fill in the pairs, once, and say so; later the same data must come again."""
        test = self.campaign.qualification
        known = (*self.campaign.attention, *(test.items if test else ()))
        check_known(known, self.instrument.scale, str(self.campaign.path))
        nothing = GriceError(f"{self.place}: no answers yet; start it with: grice collect serve {self.campaign.path}")
        if self.read_only and self.engine.dialect.name == "sqlite" and not Path(self.place).exists():
            raise nothing
        try:
            with self.read() if self.read_only else self.write() as connection:
                new = _is_new(connection, self.place)
                if new and self.read_only:
                    raise nothing
                if new:
                    t.metadata.create_all(connection)
                    _fill(connection, self.campaign, self.instrument, data)
                self._compare(connection, data)
        except DBAPIError as error:
            raise unreachable(self.engine, error) from None
        if new:
            # The connections that come have the settings of a file that is filled.
            self.engine.dispose()
        return new

    def _compare(self, connection: Connection, data: Dataset) -> None:
        """Refuse other data or another instrument than the campaign began with."""
        before = read_meta(connection, "fingerprint") or ""
        if before != data.fingerprint:
            raise InputError(
                f"{self.campaign.path}: '{self.campaign.dataset}' has changed since the campaign began "
                f"({before[:8]}, now {data.fingerprint[:8]}); put the old data back or begin a new campaign"
            )
        if read_meta(connection, "asked") != _asked(self.instrument):
            remedy = "put the old one back or begin a new campaign with another database"
            raise InputError(f"{self.campaign.path}: the instrument has changed since the campaign began; {remedy}")


def _is_new(connection: Connection, place: str) -> bool:
    """Whether no campaign began here. What has lost its campaign, as a copy without its log, is not begun anew."""
    on_disk = connection.dialect.name == "sqlite"
    if not on_disk and not connection.get_execution_options().get("reading"):
        connection.execute(select(func.pg_advisory_xact_lock(FIRST_START)))
    there = inspect(connection).has_table(t.meta.name)
    if there and read_meta(connection, "secret") is not None:
        return False
    if there or (on_disk and Path(place).exists() and Path(place).stat().st_size):
        remedy = "if it is a copy, put the '-wal' file beside it too; else move it away or name another database"
        raise InputError(f"{place}: holds no campaign; {remedy}")
    return True


def _fill(connection: Connection, campaign: Campaign, instrument: Instrument, data: Dataset) -> None:
    items = list(data.items())
    if not items:
        raise InputError(f"'{data.name}' has no items; there is nothing to ask")
    places = assign_bundles(items, instrument.together, campaign.seed)
    columns = ("item", "kind", "premise", "hypothesis", "bundle", "wanted")
    rows: list[tuple[Any, ...]] = [
        (item.id, WORK, item.premise, item.hypothesis, bundle, instrument.redundancy)
        for item, bundle in zip(items, places, strict=True)
    ]
    rows += [(f"{ATTENTION}/{n}", ATTENTION, k.premise, k.hypothesis, 0, 0) for n, k in enumerate(campaign.attention)]
    connection.execute(insert(t.pairs), [dict(zip(columns, row, strict=True)) for row in rows])
    write_meta(connection, "asked", _asked(instrument))
    write_meta(connection, "fingerprint", data.fingerprint)
    write_meta(connection, "dataset", data.name)
    write_meta(connection, "secret", secrets.token_hex(32))
    write_meta(connection, "began", str(time.time()))


def _asked(instrument: Instrument) -> str:
    return json.dumps([instrument.name, instrument.scale.to_json()])


def read_meta(connection: Connection, key: str) -> str | None:
    """A fact about the campaign, or None."""
    return connection.scalar(select(t.meta.c.value).where(t.meta.c.key == key))


def write_meta(connection: Connection, key: str, value: str) -> None:
    """Keep a fact about the campaign."""
    if connection.execute(update(t.meta).where(t.meta.c.key == key).values(value=value)).rowcount == 0:
        connection.execute(insert(t.meta).values(key=key, value=value))


def lock_campaign(connection: Connection) -> None:
    """One change of the campaign's own facts at a time."""
    connection.execute(select(t.meta).where(t.meta.c.key == "secret").with_for_update()).all()


def lock_person(connection: Connection, person: int) -> None:
    """One request of a person at a time, so that two tabs cannot claim or send twice; none of an excluded person."""
    if hold_person(connection, person) is not None:
        raise PartEnded


def hold_person(connection: Connection, person: int) -> str | None:
    """The same of anyone; why they were excluded, if they were."""
    return connection.scalar(select(t.persons.c.excluded).where(t.persons.c.id == person).with_for_update())


def lock_pairs(connection: Connection, numbers: Sequence[int], *, skip: bool = False) -> list[RowMapping]:
    """The pairs, held until the end of the transaction, always in one order so that none waits in a ring.

    What was read before is out of date: in PostgreSQL others may have changed it until the pairs were held.
    """
    asked = select(t.pairs).where(t.pairs.c.id.in_(numbers)).order_by(t.pairs.c.id)
    return list(connection.execute(asked.with_for_update(skip_locked=skip, key_share=True)).mappings())


def _person(row: RowMapping) -> Person:
    started, finished = row["started"] is not None, row["finished"] is not None
    labels = tuple(json.loads(row["labels"] or "[]"))
    return Person(row["id"], started, row["qualified"], finished, row["excluded"], labels)
