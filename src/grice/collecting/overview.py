"""State of a campaign: progress, pace, people, and every rating as a row."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from sqlalchemy import Connection, case, func, select

from grice.collecting import tables as t
from grice.collecting.counts import attention_missed
from grice.collecting.facts import ATTENTION, WORK, is_sealed, read_meta
from grice.collecting.instrument import distance
from grice.collecting.store import Store
from grice.collecting.work import count_answered
from grice.core.errors import GriceError
from grice.core.scale import Answer, Scale

# Fields of an exported rating, in this order.
COLUMNS = (
    *("id", "kind", "person", "state", "answer", "raw", "fields", "fault", "page", "position"),
    *("label_order", "list", "ms", "shown", "at", "seconds", "excluded", "replies"),
)
# What is known of each participant for a platform.
PARTICIPANT = ("person", "id", "study", "session", "arrived", "answered", "qualified", "excluded")
SETTLED = ("answered", "skipped")
# A person's pace is that of so many last answers.
LAST_ANSWERS = 50


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
    """Return a person's progress, with the time left by their last answers."""
    with store.read() as connection:
        done = count_answered(connection, person)
        answered = count_answered(connection, person, skipped=False)
        recent = (
            select(t.ratings.c.seconds)
            .where(t.ratings.c.person == person, t.ratings.c.seconds.is_not(None))
            .order_by(t.ratings.c.at.desc())
            .limit(LAST_ANSWERS)
        )
        seconds = connection.scalars(recent).all()
        pairs = connection.scalar(select(func.count()).where(t.is_work)) or 0
    max_pairs = store.campaign.work.most_per_person
    total = min(max_pairs, pairs) if max_pairs else None
    total = store.plan.longest if store.plan else total
    minutes = max(total - done, 0) * median(seconds) / 60 if total and seconds else None
    needed = max(1, math.ceil(store.campaign.people.completion_share * done))
    return PersonProgress(done, answered, total, minutes, needed)


def is_full(store: Store) -> bool:
    """Return whether every pair has all the ratings that it needs, stored and not only claimed."""
    with store.read() as connection:
        return store.plan is not None or not _count_lacking(connection, 0)


def status(store: Store) -> dict[str, Any]:
    """Return the campaign in numbers.

    `hours left` goes by the last hour, and is None while nobody answers.
    """
    with store.read() as connection:
        usual = store.instrument.redundancy + int(read_meta(connection, "extra") or 0)
        sums = select(func.count(), func.coalesce(func.sum(t.pairs.c.wanted), 0))
        pairs, n_wanted = connection.execute(sums.where(t.is_work)).one()
        third = select(func.count()).where(t.is_work, t.pairs.c.wanted > usual)
        thirds = {
            "third ratings": connection.scalar(third) or 0,
            "third ratings open": _count_lacking(connection, usual),
        }
        counts = _rating_counts(connection, store.clock())
        people_counts = _people_counts(connection, store.campaign.qualification is not None)
        paused = read_meta(connection, "paused") == "1"
    if store.plan is not None:
        n_wanted = store.plan.design.people_per_list * sum(map(len, store.plan.lists))
    left = max(int(n_wanted) - counts["answered"], 0)
    pace = counts.pop("last hour")
    return {
        "campaign": store.campaign.title,
        "instrument": store.instrument.name,
        "dataset": store.campaign.dataset,
        "paused": paused,
        "pairs": pairs,
        "ratings asked": int(n_wanted),
        **counts,
        "ratings left": left,
        **thirds,
        **people_counts,
        "ratings in the last hour": pace,
        "hours left": round(left / pace, 2) if pace else None,
    }


def _count_lacking(connection: Connection, usual: int) -> int:
    """Count the pairs that need more ratings than usual, and more than they have."""
    answered = (
        select(t.ratings.c.pair, func.count().label("n"))
        .join(t.persons, t.persons.c.id == t.ratings.c.person)
        .where(t.is_answered, t.is_counted)
        .group_by(t.ratings.c.pair)
        .subquery()
    )
    rated = t.pairs.outerjoin(answered, answered.c.pair == t.pairs.c.id)
    lacking = func.coalesce(answered.c.n, 0) < t.pairs.c.wanted
    count = select(func.count()).select_from(rated)
    return connection.scalar(count.where(t.is_work, t.pairs.c.wanted > usual, lacking)) or 0


def _rating_counts(connection: Connection, now: float) -> dict[str, int]:
    state = t.ratings.c.state
    conditions = {
        "answered": t.is_answered & t.is_counted,
        "skipped": (state == "skipped") & t.is_counted,
        "being answered": (state == "open") & (t.ratings.c.expires >= now),
        "of excluded people": t.is_answered & ~t.is_counted,
        "last hour": t.is_answered & t.is_counted & (t.ratings.c.at > now - 3600),
    }
    return _sums(connection, select(*_each(conditions)).select_from(t.rated).where(t.is_work))


def _people_counts(connection: Connection, has_test: bool) -> dict[str, int]:
    qualified = t.persons.c.qualified
    conditions = {
        "people": t.persons.c.id.is_not(None),
        "people in the test": qualified.is_(None) & t.is_counted & has_test,
        "people who failed the test": qualified.is_(False),
        "people excluded": ~t.is_counted,
    }
    return _sums(connection, select(*_each(conditions)).select_from(t.persons))


def _each(conditions: Mapping[str, Any]) -> list[Any]:
    """Return a column per condition that counts the rows for which it holds."""
    return [
        func.coalesce(func.sum(case((which, 1), else_=0)), 0).label(name)
        for name, which in conditions.items()
    ]


def _sums(connection: Connection, query: Any) -> dict[str, int]:
    return {name: int(n) for name, n in connection.execute(query).mappings().one().items()}


def _shown(store: Store) -> list[Mapping[Any, Any]]:
    """Return every pair that was shown to someone as it is stored, by person and position."""
    person = (t.persons.c.excluded, t.persons.c.labels, t.persons.c.list, t.persons.c.replies)
    order = (t.ratings.c.person, t.ratings.c.shown, t.ratings.c.position, t.ratings.c.pair)
    query = select(t.ratings, t.pairs.c.item, t.pairs.c.kind, *person).select_from(t.rated)
    with store.read() as connection:
        return list(connection.execute(query.order_by(*order)).mappings())


def answer_of(row: Mapping[Any, Any]) -> Answer | None:
    """Return the answer of a stored rating."""
    answer: Answer | None = row["label"] if row["value"] is None else row["value"]
    return answer


def ratings(store: Store) -> Iterator[dict[str, Any]]:
    """Yield every pair that was shown to someone and its outcome, by person and position."""
    for row in _shown(store):
        if not is_sealed(row, store.sign):
            raise GriceError(
                f"{store.location}: the answer of person/{row['person']:04d} to '{row['item']}' is"
                " not as it was stored; see all of them with: grice check"
                f" {store.campaign.path}"
            )
        line = {
            **row,
            "id": row["item"],
            "person": f"person/{row['person']:04d}",
            "answer": answer_of(row),
            "fields": json.loads(row["fields"]) if row["fields"] else None,
            "label_order": json.loads(row["labels"] or "[]") or None,
            "replies": json.loads(row["replies"] or "{}") or None,
        }
        yield {key: line[key] for key in COLUMNS if line[key] is not None}


def people(store: Store) -> list[dict[str, Any]]:
    """Return each person's ids on the platform and work.

    The work is its amount, pace, attention, and distance from others' answers.
    """
    rows_of: dict[int, list[Mapping[Any, Any]]] = defaultdict(list)
    for row in _shown(store):
        rows_of[row["person"]].append(row)
    distances = _distances(store.instrument.scale, rows_of)
    with store.read() as connection:
        persons = connection.execute(select(t.persons).order_by(t.persons.c.id)).mappings().all()
    return [
        {
            "number": person["id"],
            "person": f"person/{person['id']:04d}",
            "id": person["outside"],
            **{key: person[key] for key in ("study", "session", "arrived")},
            **_work_of(store, rows_of[person["id"]]),
            "apart from others": distances.get(person["id"]),
            "qualified": person["qualified"],
            "finished": person["finished"] is not None,
            "excluded": person["excluded"],
        }
        for person in persons
    ]


def _work_of(store: Store, rows: Sequence[Mapping[Any, Any]]) -> dict[str, Any]:
    attention = [row for row in rows if row["kind"] == ATTENTION and row["state"] in SETTLED]
    missed = attention_missed(store, ((row["item"], answer_of(row)) for row in attention))
    seconds = [row["seconds"] for row in rows if row["seconds"] is not None]
    n_shown = len(attention)
    return {
        "answered": sum(row["kind"] == WORK and row["state"] == "answered" for row in rows),
        "seconds a pair": round(median(seconds), 1) if seconds else None,
        "attention": f"{n_shown - len(missed)} of {n_shown}" if n_shown else None,
    }


def participants(store: Store) -> list[dict[str, Any]]:
    """Return each person's ids on the platform, to approve and pay them; no answers."""
    return [{key: person[key] for key in PARTICIPANT} for person in people(store)]


def _distances(
    scale: Scale, rows_of: Mapping[int, Iterable[Mapping[Any, Any]]]
) -> dict[int, float]:
    """Return each person's mean distance from others' answers to the same pairs.

    The unit is a share of the scale.
    """
    answers: dict[int, dict[int, Answer]] = defaultdict(dict)
    for person, rows in rows_of.items():
        for row in rows:
            answer = answer_of(row)
            if row["kind"] == WORK and answer is not None:
                answers[row["pair"]][person] = answer
    gaps: dict[int, list[float]] = defaultdict(list)
    for replies in answers.values():
        for person, answer in replies.items():
            gaps[person] += [
                distance(scale, answer, other) for who, other in replies.items() if who != person
            ]
    return {person: round(fmean(values), 3) for person, values in gaps.items() if values}
