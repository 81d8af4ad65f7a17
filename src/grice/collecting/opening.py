"""Opening of a campaign's database: created once, migrated, and compared with the campaign file."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, insert, inspect, select
from sqlalchemy.exc import DBAPIError

from grice.collecting import tables as t
from grice.collecting.assign import assign_bundles
from grice.collecting.audit import SERVER, record
from grice.collecting.campaign import Campaign
from grice.collecting.counts import update_wanted
from grice.collecting.database import sqlite_uri, unreachable
from grice.collecting.facts import ATTENTION, WORK, read_meta, write_meta
from grice.collecting.instrument import Instrument
from grice.collecting.qualify import check_known
from grice.collecting.schema import SCHEMA, columns_missing, schema_of
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, InputError

if TYPE_CHECKING:
    from grice.collecting.store import Store

# PostgreSQL advisory lock for creating a campaign.
FIRST_START = 20_250_118
SETTINGS = "settings"
REDUNDANCY = "work.redundancy"
# Settings that cannot change after the first answers, because they define what answers mean.
FIXED = (
    "seed",
    "subtypes",
    "attention",
    "discussion",
    "work.third_when",
    "work.together",
    "work.discussion_turns",
    "qualification.items",
    "qualification.pearson",
    "qualification.spearman",
    "qualification.tolerance",
    "qualification.share",
)


def prepare(store: Store, data: Dataset) -> tuple[bool, list[str]]:
    """Create the tables and fill in the pairs once; compare them later.

    Returns whether the campaign is new, and which settings of the file changed.
    """
    campaign, address = store.campaign, store.place
    test = campaign.qualification
    check_known(
        (*campaign.attention, *(test.items if test else ())),
        store.instrument.scale,
        str(campaign.path),
    )
    nothing = GriceError(
        f"{address}: no answers yet; start it with: grice collect serve {campaign.path}"
    )
    on_disk = store.engine.dialect.name == "sqlite"
    if store.read_only and on_disk and not Path(address).exists():
        raise nothing
    try:
        if on_disk:
            _check_pages(address)
        with store.read() if store.read_only else store.write() as connection:
            new = _is_new(connection, address)
            if new and store.read_only:
                raise nothing
            if new:
                t.metadata.create_all(connection)
                _fill(connection, store, data)
            changes = _bring_up(connection, store, data)
    except DBAPIError as error:
        raise unreachable(store.engine, error) from None
    except (ValueError, KeyError) as error:
        # A stored JSON text or number cannot be parsed any more.
        fact = f"the database is damaged and cannot be used ({type(error).__name__})"
        raise GriceError(
            f"{address}: {fact}; put a backup in its place (grice collect restore)"
        ) from None
    if new:
        # New connections get the settings of an initialised file.
        store.engine.dispose()
    return new, changes


def _check_pages(place: str) -> None:
    """Refuse a damaged database file before anything is read from it."""
    if not Path(place).is_file() or not Path(place).stat().st_size:
        return
    try:
        with closing(sqlite3.connect(sqlite_uri(place), uri=True)) as connection:
            problem = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if problem == "ok" and (
                astray := connection.execute("PRAGMA foreign_key_check").fetchone()
            ):
                problem = f"row {astray[1]} of {astray[0]} belongs to no row of {astray[2]}"
    except sqlite3.OperationalError:
        # Locked, or an unreadable log: opening the database reports it.
        return
    except sqlite3.DatabaseError as error:
        problem = str(error)
    if problem != "ok":
        remedy = "put a backup in its place (grice collect restore)"
        raise GriceError(
            f"{place}: the database is damaged and cannot be used ({' '.join(problem.split())});"
            f" {remedy}"
        )


def _bring_up(connection: Connection, store: Store, data: Dataset) -> list[str]:
    """Update the stored settings; refuse a database that does not match the campaign."""
    address = store.place
    if (schema := schema_of(connection)) != SCHEMA:
        remedy = "Open it with the version of grice that made it."
        raise InputError(
            f"{address}: has schema {schema or 'none'}, this version reads schema {SCHEMA}."
            f" {remedy}"
        )
    _compare(connection, store, data)
    now = settings_of(store.campaign, store.instrument)
    if lost := columns_missing(connection):
        raise InputError(
            f"{address}: has no column {', '.join(lost)}; put a backup in its place (grice collect"
            " restore)"
        )
    _compare_pairs(connection, store, data)
    return [] if store.read_only else _compare_settings(connection, store, now)


def _compare(connection: Connection, store: Store, data: Dataset) -> None:
    """Refuse other data or another instrument than the campaign began with."""
    campaign, before = store.campaign, read_meta(connection, "fingerprint") or ""
    if before != data.fingerprint:
        raise InputError(
            f"{campaign.path}: '{campaign.dataset}' has changed since the campaign began"
            f" ({before[:8]}, now {data.fingerprint[:8]}); put the old data back or begin a new"
            " campaign"
        )
    if read_meta(connection, "asked") != _asked(store.instrument):
        remedy = "put the old one back or begin a new campaign with another database"
        raise InputError(
            f"{campaign.path}: the instrument has changed since the campaign began; {remedy}"
        )


def _compare_pairs(connection: Connection, store: Store, data: Dataset) -> None:
    """Check that the stored pairs are those of the data and of the attention items."""
    columns = (t.pairs.c.kind, t.pairs.c.item, t.pairs.c.premise, t.pairs.c.hypothesis)
    stored = [tuple(row) for row in connection.execute(select(*columns).order_by(t.pairs.c.id))]
    known = [(pair["premise"], pair["hypothesis"]) for pair in read_kept(connection)["attention"]]
    if [row[2:] for row in stored if row[0] == ATTENTION] != known:
        raise _changed(store.campaign, "attention")
    expected = data.frame.select("id", "premise", "hypothesis").iter_rows()
    for row, pair in zip_longest((row for row in stored if row[0] != ATTENTION), expected):
        if row is None or pair is None or row != (WORK, *pair):
            fact = f"the pair '{row[1] if row else pair[0]}' is not as it was stored"
            raise GriceError(
                f"{store.place}: {fact}; put a backup in its place (grice collect restore)"
            )


def _compare_settings(connection: Connection, store: Store, now: Mapping[str, Any]) -> list[str]:
    """Apply and report the settings that may change while people answer; refuse other changes."""
    before = read_kept(connection)
    changed = [key for key in dict.fromkeys([*before, *now]) if before.get(key) != now.get(key)]
    for key in changed:
        if key in FIXED:
            raise _changed(store.campaign, key)
    if REDUNDANCY in changed:
        if now[REDUNDANCY] < before[REDUNDANCY]:
            fact = f"redundancy is {now[REDUNDANCY]} and was {before[REDUNDANCY]}"
            raise InputError(
                f"{store.campaign.path}: {fact}; it can only be raised once people have answered"
            )
        numbers = connection.scalars(select(t.pairs.c.id).where(t.pairs.c.kind == WORK)).all()
        for start in range(0, len(numbers), 1000):
            update_wanted(connection, store, numbers[start : start + 1000])
    changes = [f"{key}: {_brief(before.get(key))} → {_brief(now.get(key))}" for key in changed]
    if changes:
        write_meta(connection, SETTINGS, json.dumps(now))
        record(connection, store.clock(), SERVER, "settings changed", "; ".join(changes))
    return changes


def _changed(campaign: Campaign, key: str) -> InputError:
    remedy = "put it back as it was, or begin a new campaign with another database"
    return InputError(f"{campaign.path}: '{key}' has changed since the campaign began; {remedy}")


def _brief(value: Any) -> str:
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
            if isinstance(value, dict)
            else {key: value}
        )
    for key in ("redundancy", "per_page", "together", "third_when"):
        flat[f"work.{key}"] = getattr(instrument, key)
    settings: dict[str, Any] = json.loads(json.dumps({**flat, "discussion": instrument.discussion}))
    return settings


def read_kept(connection: Connection) -> dict[str, Any]:
    """Return the settings under which the campaign was last served."""
    settings: dict[str, Any] = json.loads(read_meta(connection, SETTINGS) or "{}")
    return settings


def _is_new(connection: Connection, place: str) -> bool:
    """Return whether no campaign has begun here.

    A database that has lost its campaign, such as a copy without its log, is refused.
    """
    on_disk = connection.dialect.name == "sqlite"
    if not on_disk and not connection.get_execution_options().get("reading"):
        connection.execute(select(func.pg_advisory_xact_lock(FIRST_START)))
    has_tables = inspect(connection).has_table(t.meta.name)
    if has_tables and read_meta(connection, "secret") is not None:
        return False
    if has_tables or (on_disk and Path(place).exists() and Path(place).stat().st_size):
        remedy = (
            "if it is a copy, put the '-wal' file beside it too; else move it away or name another"
            " database"
        )
        raise InputError(f"{place}: holds no campaign; {remedy}")
    return True


def _fill(connection: Connection, store: Store, data: Dataset) -> None:
    campaign, instrument, items = store.campaign, store.instrument, list(data.items())
    if not items:
        raise InputError(f"'{data.name}' has no items; there is nothing to ask")
    places = assign_bundles(items, instrument.together, campaign.seed)
    columns = ("item", "kind", "premise", "hypothesis", "bundle", "wanted")
    rows: list[tuple[Any, ...]] = [
        (item.id, WORK, item.premise, item.hypothesis, bundle, instrument.redundancy)
        for item, bundle in zip(items, places, strict=True)
    ]
    rows += [
        (f"{ATTENTION}/{n}", ATTENTION, k.premise, k.hypothesis, 0, 0)
        for n, k in enumerate(campaign.attention)
    ]
    connection.execute(insert(t.pairs), [dict(zip(columns, row, strict=True)) for row in rows])
    facts = {
        "asked": _asked(instrument),
        "fingerprint": data.fingerprint,
        "dataset": data.name,
        "secret": secrets.token_hex(32),
        "began": str(store.clock()),
        "schema": SCHEMA,
        SETTINGS: json.dumps(settings_of(campaign, instrument)),
    }
    for key, value in facts.items():
        write_meta(connection, key, value)
    record(connection, store.clock(), SERVER, "began", f"{len(items):,} pairs of {data.name}")


def _asked(instrument: Instrument) -> str:
    return json.dumps([instrument.name, instrument.scale.to_json()])
