"""Opening of a campaign's database: created once, and compared with the campaign's file later."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, inspect, select
from sqlalchemy.exc import DBAPIError

from grice.collecting import tables as t
from grice.collecting.assign import assign_bundles
from grice.collecting.audit import SERVER, record
from grice.collecting.campaign import Campaign
from grice.collecting.counts import update_wanted
from grice.collecting.database import Database, sqlite_uri, unreachable
from grice.collecting.facts import ATTENTION, WORK, read_meta, write_meta
from grice.collecting.instrument import Instrument
from grice.collecting.qualify import check_known
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError

# PostgreSQL advisory lock for creating a campaign.
FIRST_START = 20_250_118
SCHEMA = "4"
SETTINGS = "settings"
RESTORE = "put a backup in its place (grice collect restore)"
REDUNDANCY = "work.redundancy"
UNLIMITED = 10**9
# Settings that cannot change after the first answers, because they define what answers mean.
FIXED = (
    "seed",
    "subtypes",
    "attention",
    "discussion",
    "work.third_when",
    "work.together",
    "work.discussion_turns",
    "design",
    "wording",
    "qualification.items",
    "qualification.pearson",
    "qualification.spearman",
    "qualification.tolerance",
    "qualification.share",
)


@dataclass(frozen=True)
class Opening:
    """A database, and what the campaign's file and data say that it holds."""

    database: Database
    campaign: Campaign
    instrument: Instrument
    data: Dataset
    clock: Callable[[], float]

    def prepare(self) -> tuple[bool, list[str]]:
        """Create the tables and fill in the pairs once; compare them later.

        Returns whether the campaign is new, and which settings of the file changed.
        """
        database, campaign, location = self.database, self.campaign, self.database.location
        test = campaign.qualification
        known = (*campaign.attention, *(test.items if test else ()))
        check_known(known, self.instrument.scale, str(campaign.path))
        no_answers = GriceError(
            f"{location}: no answers yet; start it with: grice collect serve {campaign.path}"
        )
        if database.read_only and database.is_file and not Path(location).exists():
            raise no_answers
        try:
            if database.is_file:
                _check_file(location)
            with database.read() if database.read_only else database.write() as connection:
                is_new = _is_new(connection, location)
                if is_new and database.read_only:
                    raise no_answers
                if is_new:
                    t.metadata.create_all(connection)
                    self._fill(connection)
                changes = self._update(connection)
        except DBAPIError as error:
            raise unreachable(database.engine, error) from None
        except (ValueError, KeyError) as error:
            # A stored JSON text or number cannot be parsed any more.
            fact = f"the database is damaged and cannot be used ({type(error).__name__})"
            raise GriceError(f"{location}: {fact}; {RESTORE}") from None
        if is_new:
            # New connections get the settings of an initialised file.
            database.engine.dispose()
        return is_new, changes

    def _fill(self, connection: Connection) -> None:
        campaign, instrument, items = self.campaign, self.instrument, list(self.data.items())
        if not items:
            raise InputError(f"'{self.data.name}' has no items; there is nothing to ask")
        bundles = assign_bundles(items, instrument.together, campaign.seed)
        # A design says how often a pair is asked by the lists that it gives out.
        wanted = UNLIMITED if campaign.design else instrument.redundancy
        columns = ("item", "kind", "premise", "hypothesis", "bundle", "wanted")
        rows: list[tuple[Any, ...]] = [
            (item.id, WORK, item.premise, item.hypothesis, bundle, wanted)
            for item, bundle in zip(items, bundles, strict=True)
        ]
        rows += [
            (f"{ATTENTION}/{n}", ATTENTION, known.premise, known.hypothesis, 0, 0)
            for n, known in enumerate(campaign.attention)
        ]
        pairs = [dict(zip(columns, row, strict=True)) for row in rows]
        connection.execute(insert(t.pairs), pairs)
        facts = {
            "asked": _identity(instrument),
            "fingerprint": self.data.fingerprint,
            "dataset": self.data.name,
            "secret": secrets.token_hex(32),
            "began": str(self.clock()),
            "schema": SCHEMA,
            SETTINGS: json.dumps(settings_of(campaign, instrument)),
        }
        for key, value in facts.items():
            write_meta(connection, key, value)
        record(
            connection, self.clock(), SERVER, "began", f"{len(items):,} pairs of {self.data.name}"
        )

    def _update(self, connection: Connection) -> list[str]:
        """Update the stored settings; refuse a database that does not match the campaign."""
        location = self.database.location
        if (schema := read_meta(connection, "schema")) != SCHEMA:
            raise InputError(
                f"{location}: has schema {schema or 'none'}, this version reads schema {SCHEMA}."
                " Open it with the version of grice that made it."
            )
        self._compare_data(connection)
        settings = settings_of(self.campaign, self.instrument)
        self._compare_pairs(connection)
        return [] if self.database.read_only else self._compare_settings(connection, settings)

    def _compare_data(self, connection: Connection) -> None:
        """Refuse other data or another instrument than the campaign began with."""
        campaign, before = self.campaign, read_meta(connection, "fingerprint") or ""
        if before != self.data.fingerprint:
            raise InputError(
                f"{campaign.path}: '{campaign.dataset}' has changed since the campaign began"
                f" ({before[:8]}, now {self.data.fingerprint[:8]}); put the old data back or begin"
                " a new campaign"
            )
        if read_meta(connection, "asked") != _identity(self.instrument):
            remedy = "put the old one back or begin a new campaign with another database"
            raise InputError(
                f"{campaign.path}: the instrument has changed since the campaign began; {remedy}"
            )

    def _compare_pairs(self, connection: Connection) -> None:
        """Check that the stored pairs are those of the data and of the attention items."""
        columns = (t.pairs.c.kind, t.pairs.c.item, t.pairs.c.premise, t.pairs.c.hypothesis)
        stored = [tuple(row) for row in connection.execute(select(*columns).order_by(t.pairs.c.id))]
        attention = read_settings(connection)["attention"]
        known = [(pair["premise"], pair["hypothesis"]) for pair in attention]
        if [row[2:] for row in stored if row[0] == ATTENTION] != known:
            raise _changed(self.campaign, "attention")
        expected = self.data.frame.select("id", "premise", "hypothesis").iter_rows()
        for row, pair in zip_longest((row for row in stored if row[0] != ATTENTION), expected):
            if row is None or pair is None or row != (WORK, *pair):
                fact = f"the pair '{row[1] if row else pair[0]}' is not as it was stored"
                raise GriceError(f"{self.database.location}: {fact}; {RESTORE}")

    def _compare_settings(self, connection: Connection, now: Mapping[str, Any]) -> list[str]:
        """Apply and report settings that may change while people answer; refuse other changes."""
        before = read_settings(connection)
        changed = [key for key in dict.fromkeys([*before, *now]) if before.get(key) != now.get(key)]
        for key in changed:
            if key in FIXED:
                raise _changed(self.campaign, key)
        if REDUNDANCY in changed and not self.campaign.design:
            if now[REDUNDANCY] < before[REDUNDANCY]:
                fact = f"redundancy is {now[REDUNDANCY]} and was {before[REDUNDANCY]}"
                remedy = "it can only be raised once people have answered"
                raise InputError(f"{self.campaign.path}: {fact}; {remedy}")
            numbers = connection.scalars(select(t.pairs.c.id).where(t.pairs.c.kind == WORK)).all()
            for start in range(0, len(numbers), 1000):
                update_wanted(connection, self.instrument, numbers[start : start + 1000])
        changes = [
            f"{key}: {_shorten(before.get(key))} → {_shorten(now.get(key))}" for key in changed
        ]
        if changes:
            write_meta(connection, SETTINGS, json.dumps(now))
            record(connection, self.clock(), SERVER, "settings changed", "; ".join(changes))
        return changes


def _check_file(location: str) -> None:
    if not Path(location).is_file() or not Path(location).stat().st_size:
        return
    try:
        with closing(sqlite3.connect(sqlite_uri(location), uri=True)) as connection:
            problem = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if problem == "ok" and (
                orphan := connection.execute("PRAGMA foreign_key_check").fetchone()
            ):
                problem = f"row {orphan[1]} of {orphan[0]} belongs to no row of {orphan[2]}"
    except sqlite3.OperationalError:
        # Locked, or an unreadable log: opening the database reports it.
        return
    except sqlite3.DatabaseError as error:
        problem = str(error)
    if problem != "ok":
        fact = f"the database is damaged and cannot be used ({' '.join(problem.split())})"
        raise GriceError(f"{location}: {fact}; {RESTORE}")


def _changed(campaign: Campaign, key: str) -> InputError:
    remedy = "put it back as it was, or begin a new campaign with another database"
    return InputError(f"{campaign.path}: '{key}' has changed since the campaign began; {remedy}")


def _shorten(value: Any) -> str:
    text = str(value) if isinstance(value, str | int | float) else json.dumps(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def settings_of(campaign: Campaign, instrument: Instrument) -> dict[str, Any]:
    """Return a campaign's settings by name, with the instrument's defaults filled in."""
    flat: dict[str, Any] = {}
    for key, value in asdict(campaign).items():
        if key in ("path", "database", "dataset", "columns", "instrument"):
            continue
        flat |= (
            {f"{key}.{inner}": setting for inner, setting in value.items()}
            if isinstance(value, dict) and key not in ("design", "wording", "exclude")
            else {key: value}
        )
    for key in ("redundancy", "per_page", "together", "third_when"):
        flat[f"work.{key}"] = getattr(instrument, key)
    settings: dict[str, Any] = json.loads(json.dumps({**flat, "discussion": instrument.discussion}))
    return settings


def read_settings(connection: Connection) -> dict[str, Any]:
    """Return the settings under which the campaign was last served."""
    settings: dict[str, Any] = json.loads(read_meta(connection, SETTINGS) or "{}")
    return settings


def _is_new(connection: Connection, location: str) -> bool:
    """Return whether no campaign has begun here.

    A database that has lost its campaign, such as a copy without its log, is refused.
    """
    on_disk = connection.dialect.name == "sqlite"
    if not on_disk and not connection.get_execution_options().get("reading"):
        connection.execute(select(func.pg_advisory_xact_lock(FIRST_START)))
    has_tables = inspect(connection).has_table(t.meta.name)
    if has_tables and read_meta(connection, "secret") is not None:
        return False
    if has_tables or (on_disk and Path(location).exists() and Path(location).stat().st_size):
        remedy = (
            "if it is a copy, put the '-wal' file beside it too; else move it away or name another"
            " database"
        )
        raise InputError(f"{location}: holds no campaign; {remedy}")
    return True


def _identity(instrument: Instrument) -> str:
    return json.dumps([instrument.name, instrument.scale.to_json()])
