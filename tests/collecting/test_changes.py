"""A campaign's file may be edited while people answer: what is safe is taken over and told, the
rest is refused.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from grice.collecting import tables as t
from grice.collecting.audit import audit_lines
from grice.collecting.campaign import Campaign, KnownPair
from grice.collecting.counts import exclude
from grice.collecting.discuss import Discussion, add_statement, next_discussion
from grice.collecting.export import gold
from grice.collecting.overview import people, status
from grice.collecting.store import Store
from grice.collecting.work import PageGone, answer, claim
from grice.core.errors import InputError
from tests.collecting.conftest import Open
from tests.collecting.hand import Clock, Visitor, campaign, items, slide
from tests.collecting.test_store import consistent, person, send, work_through

RIGHT = KnownPair("Pay attention.", 1.0, "Move it to the right end.")
LEFT = KnownPair("Pay attention.", 0.0, "Move it to the left end.")


def attentive(folder: Path, *known: KnownPair) -> Campaign:
    return campaign(folder, attention=known, attention_every=1, attention_misses=1)


@pytest.mark.parametrize("now", [(LEFT,), (replace(RIGHT, answer=0.0),), ()])
def test_edited_or_removed_attention_items_are_refused(
    opened: Open, tmp_path: Path, now: Any
) -> None:
    store = opened(attentive(tmp_path, RIGHT), items(1))
    work_through(store, person(store), 10_000)
    with pytest.raises(
        InputError, match=r"'attention' has changed since the campaign began; put it back"
    ):
        opened(attentive(tmp_path, *now), items(1))


def test_whoever_looks_sees_people_by_the_attention_items_they_were_shown(
    opened: Open, address: str, tmp_path: Path
) -> None:
    store = opened(attentive(tmp_path, RIGHT), items(1))
    work_through(store, person(store), 10_000)
    looking = Store(replace(attentive(tmp_path), database=address), items(1), read_only=True)
    assert people(looking)[0]["attention"] == "1 of 1"
    looking.close()


def test_someone_who_is_not_there_cannot_be_excluded(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(1))
    with pytest.raises(InputError, match="99"):
        exclude(store, 99, "a robot")
    with store.read() as connection:
        assert "excluded" not in list(connection.scalars(select(t.audit.c.what)))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 3}, "seed"),
        ({"work": {"third_when": 0}}, "work.third_when"),
        ({"work": {"together": "nothing"}}, "work.together"),
    ],
)
def test_what_was_promised_cannot_change(
    opened: Open, tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    opened(campaign(tmp_path), items(1))
    with pytest.raises(InputError, match=f"'{named}' has changed since the campaign began"):
        opened(campaign(tmp_path, **change), items(1))


def test_what_may_change_is_told_and_logged(opened: Open, tmp_path: Path) -> None:
    opened(campaign(tmp_path), items(1))
    store = opened(campaign(tmp_path, work={"claim_minutes": 5.0}), items(1))
    assert store.changes == ["work.claim_minutes: 60.0 → 5.0"]
    with store.read() as connection:
        assert audit_lines(connection)[0]["words"] == store.changes[0]
    assert opened(campaign(tmp_path, work={"claim_minutes": 5.0}), items(1)).changes == []


def test_redundancy_raised_in_the_file_is_asked_of_completed_pairs_too(
    opened: Open, tmp_path: Path
) -> None:
    store = opened(campaign(tmp_path, work={"redundancy": 1}), items(1))
    work_through(store, person(store))
    assert claim(store, person(store)) is None
    raised = opened(campaign(tmp_path, work={"redundancy": 2}), items(1))
    assert raised.changes == ["work.redundancy: 1 → 2"]
    work_through(raised, 2)
    assert status(raised)["answered"] == 10
    consistent(raised)


def test_a_raised_redundancy_keeps_third_ratings_that_are_under_way(
    opened: Open, tmp_path: Path
) -> None:
    store = opened(campaign(tmp_path), items(1))
    work_through(store, person(store), 0)
    work_through(store, person(store), 10_000)
    assert claim(store, person(store)) is not None, "a third rating"
    raised = opened(campaign(tmp_path, work={"redundancy": 3}), items(1))
    assert status(raised)["ratings asked"] == 15
    consistent(raised)


def test_redundancy_cannot_be_lowered(opened: Open, tmp_path: Path) -> None:
    opened(campaign(tmp_path), items(1))
    with pytest.raises(InputError, match="redundancy is 1 and was 2; it can only be raised"):
        opened(campaign(tmp_path, work={"redundancy": 1}), items(1))


def say(store: Store, who: int, pair: int, label: str) -> None:
    talk = next_discussion(store, who)
    assert isinstance(talk, Discussion)
    add_statement(store, who, pair, label, "because", talk.key)


def differ(store: Store, who: int, label: str) -> int:
    page = claim(store, who)
    assert page is not None
    answer(store, who, page.id, {asked.pair: {"values": {"answer": label}} for asked in page.pairs})
    return page.pairs[0].pair


def test_what_an_excluded_person_agreed_to_is_gold_no_more(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    clock.tick = 1.0
    data = items(1, 1)
    store = opened(campaign(tmp_path, "labels"), data)
    good, bad, third = person(store), person(store), person(store)
    pair = differ(store, good, "neutral")
    differ(store, bad, "entailment")
    say(store, good, pair, "neutral")
    say(store, bad, pair, "entailment")
    say(store, good, pair, "entailment")
    assert gold(store, data).data.frame["gold.people"].to_list() == ["entailment"]
    exclude(store, bad, "a robot")
    with pytest.raises(InputError, match="one answer so far"):
        gold(store, data)
    differ(store, third, "contradiction")
    talk = next_discussion(store, good)
    assert isinstance(talk, Discussion) and talk.statements == (), (
        "what was said to someone else does not count"
    )
    say(store, good, pair, "neutral")
    say(store, third, pair, "neutral")
    assert gold(store, data).data.frame["gold.people"].to_list() == ["neutral"]


def test_a_guessed_key_does_not_speak_out_of_turn(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    clock.tick = 1.0
    store = opened(campaign(tmp_path, "labels"), items(1, 1))
    one, other = person(store), person(store)
    pair = differ(store, one, "neutral")
    differ(store, other, "entailment")
    say(store, one, pair, "neutral")
    with pytest.raises(PageGone, match="moved on"):
        add_statement(store, one, pair, "entailment", "again", f"{pair}-{one}-1")


@pytest.mark.parametrize("how", ["skips everything", "comes while all is claimed"])
def test_no_completion_without_work(opened: Open, tmp_path: Path, how: str) -> None:
    paid = {"completion_code": "C0DE", "completion_url": "https://example.org/done"}
    store = opened(campaign(tmp_path, work={"redundancy": 1}, people=paid), items(1))
    if how == "skips everything":
        visitor = Visitor(store).join()
        assert visitor.answer(lambda _p, _h: {"skip": True}) == 5
    else:
        other = person(store)
        page = claim(store, other)
        visitor = Visitor(store).join()
    text = visitor.page()
    assert "C0DE" not in text and "example.org" not in text
    assert ("Too many pairs skipped" if how == "skips everything" else "Nothing free") in text
    if how != "skips everything":
        assert page is not None
        send(store, other, page)
    worker = Visitor(
        opened(campaign(tmp_path, work={"redundancy": 2}, people=paid), items(1))
    ).join()
    assert worker.answer(lambda _p, _h: slide(5)) == 5
    assert "C0DE" in worker.page()


def test_the_audit_log_is_only_appended_to(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(1))
    exclude(store, person(store), "a robot")
    store.pause(True)
    with store.read() as connection:
        said = [(line["who"], line["what"]) for line in audit_lines(connection)]
    assert said == [("administrator", "paused"), ("administrator", "excluded"), ("server", "began")]
    for change in ("UPDATE audit SET who = 'nobody'", "DELETE FROM audit"):
        with pytest.raises(Exception, match="only appended to"), store.write() as connection:
            connection.exec_driver_sql(change)


def test_platform_ids_are_in_no_error_of_the_database(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(1))
    with pytest.raises(Exception, match="hidden") as told, store.write() as connection:
        connection.execute(
            select(t.persons).where(t.persons.c.outside == "platform-id-77", text("nonsense = 1"))
        )
    assert "platform-id-77" not in str(told.value)
