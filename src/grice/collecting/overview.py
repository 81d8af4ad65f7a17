"""State of a campaign: progress, pace, people, and every rating as a row."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import case, func, select

from grice.collecting import tables as t
from grice.collecting.counts import attention_results
from grice.collecting.facts import WORK, read_meta
from grice.collecting.instrument import distance
from grice.collecting.schema import is_sealed
from grice.collecting.store import Store
from grice.collecting.work import count_answered
from grice.core.errors import GriceError
from grice.core.scale import Answer

# Fields of an exported rating, in this order.
COLUMNS = (
    "id",
    "kind",
    "person",
    "state",
    "answer",
    "raw",
    "fields",
    "fault",
    "page",
    "position",
    "label_order",
    "list",
    "ms",
    "shown",
    "at",
    "seconds",
    "excluded",
)


@dataclass(frozen=True)
class PersonProgress:
    """Progress of one person: pairs done, of them answered, pairs in all, minutes left.

    `needed` is the number of answers among the pairs done that completes the study.
    """

    done: int
    answered: int
    total: int | None
    minutes: float | None
    needed: int

    @property
    def is_complete(self) -> bool:
        """Whether enough of the pairs shown were answered and not skipped."""
        return self.answered >= self.needed


def progress(store: Store, person: int) -> PersonProgress:
    """Return a person's progress, with the time left by their last fifty answers."""
    with store.read() as connection:
        done = count_answered(connection, person)
        answered = count_answered(connection, person, skipped=False)
        recent = (
            select(t.ratings.c.seconds)
            .where(t.ratings.c.person == person, t.ratings.c.seconds.is_not(None))
            .order_by(t.ratings.c.at.desc())
            .limit(50)
        )
        seconds = connection.scalars(recent).all()
        pairs = connection.scalar(select(func.count()).where(t.pairs.c.kind == WORK)) or 0
    max_pairs = store.campaign.work.most_per_person
    total = min(max_pairs, pairs) if max_pairs else None
    total = max(map(len, store.plan.lists)) if store.plan else total
    pace = median(seconds) if seconds else None
    minutes = None if total is None or pace is None else max(total - done, 0) * pace / 60
    needed = max(1, math.ceil(store.campaign.people.completion_share * done))
    return PersonProgress(done, answered, total, minutes, needed)


def is_full(store: Store) -> bool:
    """Return whether every pair has all the ratings that it needs, stored and not only claimed."""
    if store.plan is not None:
        return True
    with store.read() as connection:
        answered = _answered_per_pair().subquery()
        missing = (
            select(func.count())
            .select_from(t.pairs.outerjoin(answered, answered.c.pair == t.pairs.c.id))
            .where(t.pairs.c.kind == WORK, func.coalesce(answered.c.n, 0) < t.pairs.c.wanted)
        )
        return not connection.scalar(missing)


def status(store: Store) -> dict[str, Any]:
    """Return the campaign in numbers.

    `hours_left` goes by the last hour, and is None while nobody answers.
    """
    usual = store.instrument.redundancy
    now = store.clock()
    with store.read() as connection:
        extra = int(read_meta(connection, "extra") or 0)
        work = t.pairs.c.kind == WORK
        pairs, n_wanted = connection.execute(
            select(func.count(), func.coalesce(func.sum(t.pairs.c.wanted), 0)).where(work)
        ).one()
        counts = _rating_counts(connection, now)
        third = select(func.count()).where(work, t.pairs.c.wanted > usual + extra)
        thirds = connection.scalar(third) or 0
        answered = _answered_per_pair().subquery()
        open_third = connection.scalar(
            select(func.count())
            .select_from(t.pairs.outerjoin(answered, answered.c.pair == t.pairs.c.id))
            .where(
                work,
                t.pairs.c.wanted > usual + extra,
                func.coalesce(answered.c.n, 0) < t.pairs.c.wanted,
            )
        )
        people = _people_counts(connection, tested=store.campaign.qualification is not None)
        paused = read_meta(connection, "paused") == "1"
    if store.plan is not None:
        n_wanted = store.plan.design.people_per_list * sum(map(len, store.plan.lists))
    left = max(n_wanted - counts["answered"], 0)
    pace = counts.pop("last_hour")
    return {
        "campaign": store.campaign.title,
        "instrument": store.instrument.name,
        "dataset": store.campaign.dataset,
        "paused": paused,
        "pairs": pairs,
        "ratings asked": int(n_wanted),
        **counts,
        "ratings left": int(left),
        "third ratings": thirds,
        "third ratings open": open_third or 0,
        **people,
        "ratings in the last hour": pace,
        "hours left": round(left / pace, 2) if pace else None,
    }


def _answered_per_pair() -> Any:
    return (
        select(t.ratings.c.pair, func.count().label("n"))
        .join(t.persons, t.persons.c.id == t.ratings.c.person)
        .where(t.ratings.c.state == "answered", t.persons.c.excluded.is_(None))
        .group_by(t.ratings.c.pair)
    )


def _rating_counts(connection: Any, now: float) -> dict[str, int]:
    counted = t.persons.c.excluded.is_(None)
    states = {
        "answered": (t.ratings.c.state == "answered") & counted,
        "skipped": (t.ratings.c.state == "skipped") & counted,
        "being answered": (t.ratings.c.state == "open") & (t.ratings.c.expires >= now),
        "of excluded people": (t.ratings.c.state == "answered") & ~counted,
        "last_hour": (t.ratings.c.state == "answered") & counted & (t.ratings.c.at > now - 3600),
    }
    sums = [func.coalesce(func.sum(case((which, 1), else_=0)), 0) for which in states.values()]
    joined = t.ratings.join(t.persons, t.persons.c.id == t.ratings.c.person).join(
        t.pairs, t.pairs.c.id == t.ratings.c.pair
    )
    row = connection.execute(select(*sums).select_from(joined).where(t.pairs.c.kind == WORK)).one()
    return dict(zip(states, map(int, row), strict=True))


def _people_counts(connection: Any, *, tested: bool) -> dict[str, int]:
    waiting = t.persons.c.qualified.is_(None) & t.persons.c.excluded.is_(None)
    columns = {
        "people": func.count(),
        "people in the test": func.coalesce(func.sum(case((waiting, int(tested)), else_=0)), 0),
        "people who failed the test": func.coalesce(
            func.sum(case((t.persons.c.qualified.is_(False), 1), else_=0)), 0
        ),
        "people excluded": func.coalesce(
            func.sum(case((t.persons.c.excluded.is_not(None), 1), else_=0)), 0
        ),
    }
    row = connection.execute(select(*columns.values()).select_from(t.persons)).one()
    return dict(zip(columns, map(int, row), strict=True))


def ratings(store: Store) -> Iterator[dict[str, Any]]:
    """Yield every pair that was shown to someone and its outcome, by person and position."""
    query = (
        select(
            t.ratings,
            t.pairs.c.item,
            t.pairs.c.kind,
            t.persons.c.excluded,
            t.persons.c.labels,
            t.persons.c.list,
        )
        .join(t.pairs, t.pairs.c.id == t.ratings.c.pair)
        .join(t.persons, t.persons.c.id == t.ratings.c.person)
        .order_by(t.ratings.c.person, t.ratings.c.shown, t.ratings.c.position, t.ratings.c.pair)
    )
    with store.read() as connection:
        rows = connection.execute(query).mappings().all()
    for row in rows:
        if not is_sealed(row, store.sign):
            fact = (
                f"the answer of person/{row['person']:04d} to '{row['item']}' is not as it was"
                " stored"
            )
            raise GriceError(
                f"{store.location}: {fact}; see all of them with: grice check {store.campaign.path}"
            )
        line = {
            **row,
            "id": row["item"],
            "person": f"person/{row['person']:04d}",
            "answer": row["label"] if row["value"] is None else row["value"],
            "fields": json.loads(row["fields"]) if row["fields"] else None,
            "label_order": json.loads(row["labels"] or "[]") or None,
        }
        yield {key: line[key] for key in COLUMNS if line[key] is not None}


def people(store: Store) -> list[dict[str, Any]]:
    """Return each person's work: amount, pace, attention, distance from others' answers."""
    distances = _distances(store)
    pace: dict[int, list[float]] = defaultdict(list)
    with store.read() as connection:
        for person, seconds in connection.execute(
            select(t.ratings.c.person, t.ratings.c.seconds).where(t.ratings.c.seconds.is_not(None))
        ):
            pace[person].append(seconds)
        rows = connection.execute(select(t.persons).order_by(t.persons.c.id)).mappings().all()
        attention = {row["id"]: attention_results(connection, store, row["id"]) for row in rows}
        n_answered = {row["id"]: count_answered(connection, row["id"]) for row in rows}
    people_rows = []
    for row in rows:
        number = row["id"]
        n_shown, wrong = attention[number]
        people_rows.append(
            {
                "number": number,
                "person": f"person/{number:04d}",
                "answered": n_answered[number],
                "seconds a pair": round(median(pace[number]), 1) if pace[number] else None,
                "attention": f"{n_shown - len(wrong)} of {n_shown}" if n_shown else None,
                "apart from others": distances.get(number),
                "qualified": row["qualified"],
                "finished": row["finished"] is not None,
                "excluded": row["excluded"],
            }
        )
    return people_rows


def people_replies(store: Store) -> list[dict[str, Any]]:
    """Return what each person answered to the campaign's questions."""
    with store.read() as connection:
        rows = connection.execute(select(t.persons.c.id, t.persons.c.replies)).all()
    return [
        {"person": f"person/{row.id:04d}", "replies": json.loads(row.replies or "{}")}
        for row in rows
    ]


def participants(store: Store) -> list[dict[str, Any]]:
    """Return each person's ids on the platform, to approve and pay them; no answers."""
    with store.read() as connection:
        rows = connection.execute(select(t.persons).order_by(t.persons.c.id)).mappings().all()
        n_answered = {
            row["id"]: count_answered(connection, row["id"], skipped=False) for row in rows
        }
    return [
        {
            "person": f"person/{row['id']:04d}",
            "id": row["outside"],
            "study": row["study"],
            "session": row["session"],
            "arrived": row["arrived"],
            "answered": n_answered[row["id"]],
            "qualified": row["qualified"],
            "excluded": row["excluded"],
        }
        for row in rows
    ]


def _distances(store: Store) -> dict[int, float]:
    """Return each person's mean distance from others' answers to the same pairs.

    The unit is a share of the scale.
    """
    with store.read() as connection:
        rows = connection.execute(
            select(t.ratings.c.pair, t.ratings.c.person, t.ratings.c.value, t.ratings.c.label)
            .join(t.pairs, t.pairs.c.id == t.ratings.c.pair)
            .where(
                t.ratings.c.state == "answered", t.pairs.c.kind == WORK, t.ratings.c.fault.is_(None)
            )
        ).all()
    replies_by_pair: dict[int, list[tuple[int, Answer]]] = defaultdict(list)
    for pair, person, value, label in rows:
        replies_by_pair[pair].append((person, label if value is None else value))
    gaps: dict[int, list[float]] = defaultdict(list)
    for replies in replies_by_pair.values():
        for person, answer in replies:
            gaps[person] += [
                distance(store.instrument.scale, answer, other_answer)
                for who, other_answer in replies
                if who != person
            ]
    return {
        person: round(sum(values) / len(values), 3) for person, values in gaps.items() if values
    }
