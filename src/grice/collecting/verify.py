"""Integrity check of a campaign's answers: checksums, counts, texts and the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from grice.collecting import tables as t
from grice.collecting.assign import Statement, settle
from grice.collecting.audit import audit_problem
from grice.collecting.facts import WORK
from grice.collecting.schema import is_sealed
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.storage.damage import Damage

ASK_AGAIN = (
    "the others are whole; restore a backup, or exclude the person so that the pair is asked again"
)
RESTORE = "restore a backup"


def check_store(store: Store, data: Dataset) -> tuple[list[Damage], int]:
    """Return all damage that is found, and the number of answers checked."""
    by_person = select(t.ratings).order_by(t.ratings.c.person, t.ratings.c.pair)
    is_excluded = t.persons.c.excluded.is_not(None)
    with store.read() as connection:
        pairs = {row["id"]: row for row in connection.execute(select(t.pairs)).mappings()}
        rows = connection.execute(by_person).mappings().all()
        excluded = set(connection.scalars(select(t.persons.c.id).where(is_excluded)))
        log = audit_problem(connection)
        damage = [*_file(connection), *_agreements(connection, store, excluded)]
    done = [row for row in rows if row["state"] in ("answered", "skipped")]
    changed = [_name(row, pairs) for row in rows if not is_sealed(row, store.sign)]
    accepts = store.instrument.scale.accepts
    off_scale = [
        _name(row, pairs) for row in done if row["fault"] is None and not accepts(_answer(row))
    ]
    texts = {item.id: (item.premise, item.hypothesis) for item in data.items()}
    work = [pair for pair in pairs.values() if pair["kind"] == WORK]
    differing = [
        pair["item"]
        for pair in work
        if texts.get(pair["item"]) != (pair["premise"], pair["hypothesis"])
    ]
    checks = (
        ("answers not as they were stored", changed, len(done), ASK_AGAIN),
        ("answers off the scale", off_scale, len(done), ASK_AGAIN),
        (
            "pairs that are not the data's",
            differing,
            len(pairs),
            f"{RESTORE}; people saw another text",
        ),
        ("counts that are wrong", _miscounted(work, rows, excluded), len(pairs), RESTORE),
        ("audit log", [log] if log else [], 1, "what it tells of before is whole"),
    )
    for check in checks:
        damage += _damage(*check)
    return damage, len(done)


def _answer(row: Mapping[Any, Any]) -> Any:
    return row["label"] if row["value"] is None else row["value"]


def _name(row: Mapping[Any, Any], pairs: Mapping[int, Mapping[Any, Any]]) -> str:
    pair = pairs.get(row["pair"])
    return f"person/{row['person']:04d}: {pair['item'] if pair else row['pair']}"


def _damage(check: str, names: Sequence[str], n: int, detail: str) -> list[Damage]:
    return [Damage(check, len(names), n, detail, tuple(names[:5]))] if names else []


def _miscounted(
    work: Iterable[Mapping[Any, Any]], rows: Iterable[Mapping[Any, Any]], excluded: set[int]
) -> list[str]:
    """Return pairs whose stored number of claims and answers is wrong, or more than is asked."""
    live: dict[int, int] = defaultdict(int)
    for row in rows:
        live[row["pair"]] += row["state"] in ("open", "answered") and row["person"] not in excluded
    return [
        f"{p['item']}: {live[p['id']]} counted, {p['taken']} noted, {p['wanted']} asked"
        for p in work
        if not live[p["id"]] == p["taken"] <= p["wanted"]
    ]


def _agreements(connection: Connection, store: Store, excluded: set[int]) -> list[Damage]:
    """Return damage for agreed labels that are not the last ones of both who discussed them."""
    statements: dict[int, list[Statement]] = defaultdict(list)
    for row in connection.execute(select(t.statements).order_by(t.statements.c.id)):
        if row.person not in excluded:
            statements[row.pair].append(Statement(row.person, row.label, row.note))
    settled = connection.execute(
        select(t.pairs.c.id, t.pairs.c.item, t.pairs.c.agreed).where(t.pairs.c.settled)
    ).all()
    turns = store.campaign.work.discussion_turns
    wrong = []
    for number, item, agreed in settled:
        speakers = dict.fromkeys(statement.person for statement in reversed(statements[number]))
        people = list(speakers)[:2]
        if settle(statements[number], people, turns)[0] != agreed:
            wrong.append(item)
    return _damage("agreed labels that nobody agreed on", wrong, len(settled), RESTORE)


def _file(connection: Connection) -> list[Damage]:
    """Return what SQLite finds wrong with its file; PostgreSQL has checksums of its own."""
    if connection.dialect.name != "sqlite":
        return []
    problems = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(5)")]
    return _damage("the file", [] if problems == ["ok"] else problems, 1, RESTORE)
