"""Storage of answers: SQLite next to the campaign, or PostgreSQL by its address."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, RowMapping, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from grice.collecting import tables as t
from grice.collecting.assign import label_order
from grice.collecting.audit import ADMINISTRATOR, record
from grice.collecting.campaign import Campaign, KnownPair, PersonQuestion
from grice.collecting.database import Database, SteadyClock
from grice.collecting.design import StudyPlan, plan_study
from grice.collecting.facts import ATTENTION, lock_campaign, lock_person, read_meta, write_meta
from grice.collecting.instrument import Instrument, clean_words, instrument_of
from grice.collecting.opening import Opening, read_settings
from grice.collecting.pictures import read_pictures
from grice.collecting.qualify import QualificationResult
from grice.core.dataset import Dataset
from grice.core.errors import InputError


@dataclass(frozen=True)
class Person:
    """Participant: a number, and the progress through the study."""

    id: int
    started: bool
    practised: bool
    qualified: bool | None
    finished: bool
    excluded: str | None
    labels: tuple[str, ...]
    replies: Mapping[str, str]


class Store(Database):
    """Answers of one campaign.

    Every public change is one transaction, and is on disk when the call returns. `is_new` says that
    this opening created the campaign, and `changes` which settings of its file have changed since
    it was last served.
    """

    def __init__(
        self,
        campaign: Campaign,
        data: Dataset,
        *,
        clock: Callable[[], float] | None = None,
        read_only: bool = False,
    ) -> None:
        super().__init__(campaign.address, read_only=read_only)
        self.campaign = campaign
        self.instrument: Instrument = instrument_of(campaign, data.scale)
        self.clock = clock or SteadyClock()
        opening = Opening(self, campaign, self.instrument, data, self.clock)
        self.plan: StudyPlan | None = None
        if campaign.design is not None:
            self.plan = plan_study(campaign.design, list(data.items()), campaign.seed)
        has_context = "tag.context" in data.frame.columns
        contexts = data.frame.select("id", "tag.context").iter_rows() if has_context else ()
        self.context: dict[str, str] = dict(contexts)
        self.pictures = {} if read_only else read_pictures(campaign, data)
        self.is_new, self.changes = opening.prepare()
        with self.read() as connection:
            self.bundles = (connection.scalar(select(func.max(t.pairs.c.bundle))) or 0) + 1
            self.secret: str = read_meta(connection, "secret") or ""
            settings = read_settings(connection)
        # The stored redundancy takes precedence over the file's.
        self.instrument = replace(self.instrument, redundancy=settings["work.redundancy"])
        known = (KnownPair(**values) for values in settings["attention"])
        self.attention: dict[str, KnownPair] = {
            f"{ATTENTION}/{n}": pair for n, pair in enumerate(known)
        }

    def sign(self, words: str) -> str:
        """Return a token that only this campaign can make, so that none needs to be stored."""
        return hmac.new(self.secret.encode(), words.encode(), hashlib.sha256).hexdigest()[:32]

    def items_by_pair(self) -> dict[int, str]:
        """Return the item of each pair, attention items included."""
        with self.read() as connection:
            return {
                row.id: row.item for row in connection.execute(select(t.pairs.c.id, t.pairs.c.item))
            }

    def arrive(
        self, outside: str | None = None, study: str | None = None, session: str | None = None
    ) -> int | None:
        """Return the number of a consenting person, new or known by the platform's id.

        `study` and `session` are the platform's ids of its study and of the person's first session.
        None means that all places are taken.
        """
        number = None if outside is None else self._number_of(outside)
        if number is not None:
            return number
        try:
            return self._add_person(outside, study, session)
        except IntegrityError:
            # The same person arrived twice at the same moment; the other request made the row.
            return self._number_of(outside)

    def _number_of(self, outside: str | None) -> int | None:
        query = select(t.persons.c.id).where(t.persons.c.outside == outside)
        with self.read() as connection:
            return connection.scalar(query)

    def _add_person(
        self, outside: str | None, study: str | None, session: str | None
    ) -> int | None:
        with self.write() as connection:
            if self.campaign.people.most and self._is_full(connection):
                return None
            now = self.clock()
            inserted = connection.execute(
                insert(t.persons).values(
                    outside=outside, study=study, session=session, arrived=now, consented=now
                )
            )
            number = int(inserted.inserted_primary_key[0])  # type: ignore[index]
            order = label_order(self.instrument.scale.labels, self.campaign.seed, number)
            connection.execute(
                update(t.persons).where(t.persons.c.id == number).values(labels=json.dumps(order))
            )
            return number

    def _is_full(self, connection: Connection) -> bool:
        """Return whether all places are taken; newcomers are counted one after the other."""
        lock_campaign(connection)
        count = connection.scalar(select(func.count()).select_from(t.persons)) or 0
        return count >= self.campaign.people.most

    def person(self, number: int) -> Person | None:
        """Return the person of a number, or None."""
        query = select(t.persons).where(t.persons.c.id == number)
        with self.read() as connection:
            row = connection.execute(query).mappings().one_or_none()
        return None if row is None else _person(row)

    def known(self, number: int) -> Person:
        """Return a person who has arrived."""
        person = self.person(number)
        assert person is not None, "the person has arrived"
        return person

    def mark(self, person: int, column: str) -> None:
        """Record when a person first started, practised or finished."""
        change = update(t.persons).where(t.persons.c.id == person, t.persons.c[column].is_(None))
        with self.write() as connection:
            connection.execute(change.values({column: self.clock()}))

    def open_questions(self, person: Person, when: str) -> Sequence[PersonQuestion]:
        """Return the campaign's questions that a person has not answered yet."""
        return [
            question
            for question in self.campaign.questions
            if question.when == when and question.name not in person.replies
        ]

    def answer_questions(self, person: Person, form: Mapping[str, str]) -> None:
        """Store the answers to open questions; an optional one may stay empty."""
        replies = dict(person.replies)
        for question in self.campaign.questions:
            if question.name in replies or f"question-{question.name}" not in form:
                continue
            needed = not question.optional
            text = clean_words(form[f"question-{question.name}"], question.ask, needed=needed)
            if question.options and text not in ("", *question.options):
                raise InputError(f"'{question.ask}' has no answer '{text[:40]}'; choose one")
            replies[question.name] = text
        change = update(t.persons).where(t.persons.c.id == person.id)
        with self.write() as connection:
            connection.execute(change.values(replies=json.dumps(replies, ensure_ascii=False)))

    def resume(self, person: int) -> None:
        """Record that a person who had stopped continues."""
        change = update(t.persons).where(t.persons.c.id == person)
        with self.write() as connection:
            connection.execute(change.values(finished=None))

    def attempts(self, person: int) -> int:
        """Return how often a person has tried the test."""
        count = select(func.count()).select_from(t.tests).where(t.tests.c.person == person)
        with self.read() as connection:
            return connection.scalar(count) or 0

    def record_test(
        self, person: int, attempt: int, result: QualificationResult, answers: Any
    ) -> bool:
        """Store one attempt at the test; the same attempt sent again changes nothing.

        Returns whether passed.
        """
        limit = self.campaign.qualification.attempts if self.campaign.qualification else 0
        with self.write() as connection:
            lock_person(connection, person)
            before = connection.execute(select(t.tests).where(t.tests.c.person == person))
            known = {row.attempt: row.passed for row in before}
            if attempt in known:
                return bool(known[attempt])
            if attempt != len(known) or attempt >= limit or any(known.values()):
                raise InputError("this attempt at the test is not open; load the page again")
            insert_test = insert(t.tests).values(
                person=person,
                attempt=attempt,
                at=self.clock(),
                passed=result.passed,
                report=json.dumps(result.report),
                answers=json.dumps(answers),
            )
            connection.execute(insert_test)
            if result.passed or attempt + 1 >= limit:
                change = update(t.persons).where(t.persons.c.id == person)
                connection.execute(change.values(qualified=result.passed))
        return result.passed

    def key_turn(self, name: str) -> int:
        """Return how often the keys of a kind (`admin`, `links`) were changed."""
        with self.read() as connection:
            return int((read_meta(connection, f"keys.{name}") or "0").partition("@")[0])

    def keys_since(self, name: str) -> float:
        """Return the time since which the keys of a kind are valid."""
        with self.read() as connection:
            changed = (read_meta(connection, f"keys.{name}") or "").partition("@")[2]
            return float(changed or read_meta(connection, "began") or 0)

    def change_keys(self, name: str, who: str) -> None:
        """Replace the links of a kind; the old ones open nothing from now on.

        A running server needs no restart.
        """
        turn = self.key_turn(name) + 1
        with self.write() as connection:
            record(connection, self.clock(), who, "changed keys", name)
            write_meta(connection, f"keys.{name}", f"{turn}@{self.clock()}")

    @property
    def paused(self) -> bool:
        """Whether new pairs are withheld from everyone."""
        with self.read() as connection:
            return read_meta(connection, "paused") == "1"

    def pause(self, yes: bool, who: str = ADMINISTRATOR) -> None:
        """Withhold new pairs from everyone, or resume."""
        with self.write() as connection:
            record(connection, self.clock(), who, "paused" if yes else "went on")
            write_meta(connection, "paused", "1" if yes else "0")


def _person(row: RowMapping) -> Person:
    return Person(
        id=row["id"],
        started=row["started"] is not None,
        practised=row["practised"] is not None,
        qualified=row["qualified"],
        finished=row["finished"] is not None,
        excluded=row["excluded"],
        labels=tuple(json.loads(row["labels"] or "[]")),
        replies=json.loads(row["replies"] or "{}"),
    )
