"""Integrity check of a campaign's answers: checksums, counts, agreements and the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, select

from grice.collecting import tables as t
from grice.collecting.assign import Statement, settle
from grice.collecting.audit import audit_problem
from grice.collecting.facts import WORK, is_sealed
from grice.collecting.overview import SETTLED, answer_of
from grice.collecting.store import Store
from grice.storage.damage import Damage

ASK_AGAIN = (
    "the others are whole; restore a backup, or exclude the person so that the pair is asked again"
)
RESTORE = "restore a backup"


def check_store(store: Store) -> tuple[list[Damage], int]:
    """Return all damage that is found, and the number of answers checked.

    Opening the store has checked the file, and that the pairs are the data's.
    """
    by_person = select(t.ratings).order_by(t.ratings.c.person, t.ratings.c.pair)
    with store.read() as connection:
        pairs = {row["id"]: row for row in connection.execute(select(t.pairs)).mappings()}
        rows = connection.execute(by_person).mappings().all()
        excluded = set(connection.scalars(select(t.persons.c.id).where(~t.is_counted)))
        log = audit_problem(connection)
        disagreed, n_settled = _agreements(connection, store, excluded)
    done = [row for row in rows if row["state"] in SETTLED]
    changed = [_name(row, pairs) for row in rows if not is_sealed(row, store.sign)]
    accepts = store.instrument.scale.accepts
    off_scale = [
        _name(row, pairs) for row in done if row["fault"] is None and not accepts(answer_of(row))
    ]
    work = [pair for pair in pairs.values() if pair["kind"] == WORK]
    checks = (
        ("agreed labels that nobody agreed on", disagreed, n_settled, RESTORE),
        ("answers not as they were stored", changed, len(done), ASK_AGAIN),
        ("answers off the scale", off_scale, len(done), ASK_AGAIN),
        ("counts that are wrong", _miscounted(work, rows, excluded), len(pairs), RESTORE),
        ("audit log", [log] if log else [], 1, "the lines before are as they were written"),
    )
    damage = [
        Damage(check, len(names), n, detail, tuple(names[:5]))
        for check, names, n, detail in checks
        if names
    ]
    return damage, len(done)


def _name(row: Mapping[Any, Any], pairs: Mapping[int, Mapping[Any, Any]]) -> str:
    pair = pairs.get(row["pair"])
    return f"person/{row['person']:04d}: {pair['item'] if pair else row['pair']}"


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


def _agreements(connection: Connection, store: Store, excluded: set[int]) -> tuple[list[str], int]:
    """Return pairs whose agreed label is not the last one of both who discussed them.

    The number of settled pairs is returned too.
    """
    statements: dict[int, list[Statement]] = defaultdict(list)
    for row in connection.execute(select(t.statements).order_by(t.statements.c.id)):
        if row.person not in excluded:
            statements[row.pair].append(Statement(row.person, row.label, row.note))
    settled = connection.execute(select(t.pairs).where(t.pairs.c.settled)).all()
    max_turns, wrong = store.campaign.work.discussion_turns, []
    for pair in settled:
        turns = statements[pair.id]
        people = list(dict.fromkeys(statement.person for statement in reversed(turns)))[:2]
        if settle(turns, people, max_turns)[0] != pair.agreed:
            wrong.append(pair.item)
    return wrong, len(settled)
