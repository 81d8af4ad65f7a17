"""The same promises from SQLite and from PostgreSQL."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from grice.collecting import tables as t
from grice.collecting.campaign import KnownPair
from grice.collecting.counts import add_redundancy, exclude
from grice.collecting.drafts import keep_draft
from grice.collecting.overview import progress, ratings, status
from grice.collecting.store import Store
from grice.collecting.work import Page, PageGone, TooSoon, answer, claim
from grice.core.errors import InputError
from tests.collecting.conftest import Open
from tests.collecting.hand import Clock, campaign, items, slide


def send(store: Store, person: int, page: Page, raw: int = 5000) -> None:
    answer(store, person, page.id, {asked.pair: slide(raw) for asked in page.pairs})


def work_through(store: Store, person: int, raw: int = 5000) -> int:
    """Answer whatever there is; how many pages that were."""
    pages = 0
    while (page := claim(store, person)) is not None:
        send(store, person, page, raw)
        pages += 1
    return pages


def person(store: Store) -> int:
    number = store.arrive()
    assert number is not None
    return number


def consistent(store: Store) -> None:
    """`taken` is what the ratings say, and never more than is asked."""
    live = (
        select(func.count())
        .select_from(t.ratings.join(t.persons, t.ratings.c.person == t.persons.c.id))
        .where(
            t.ratings.c.pair == t.pairs.c.id,
            t.ratings.c.state.in_(("open", "answered")),
            t.persons.c.excluded.is_(None),
        )
        .scalar_subquery()
    )
    with store.read() as connection:
        rows = connection.execute(
            select(t.pairs.c.id, t.pairs.c.taken, t.pairs.c.wanted, live).where(
                t.pairs.c.kind == "work"
            )
        ).all()
    for number, taken, wanted, counted in rows:
        assert taken == counted <= wanted, (
            f"pair {number}: taken {taken}, counted {counted}, asked {wanted}"
        )


def test_a_page_is_one_premise_in_an_order_that_is_recorded(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(4))
    page = claim(store, person(store))
    assert page is not None
    assert len({asked.premise for asked in page.pairs}) == 1
    assert len(page.pairs) == 5
    shown = list(ratings(store))
    assert [row["position"] for row in shown] == [0, 1, 2, 3, 4]


def test_the_open_page_comes_again_with_what_was_set(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(4))
    me = person(store)
    page = claim(store, me)
    assert page is not None
    keep_draft(store, me, page.id, {page.pairs[1].pair: slide(77)})
    again = claim(store, me)
    assert again is not None
    assert again.id == page.id
    assert [asked.draft for asked in again.pairs].count(slide(77)) == 1


def test_two_people_a_pair_and_a_third_where_they_differ(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(2))
    assert work_through(store, person(store), 1000) == 2
    assert work_through(store, person(store), 3001) == 2
    assert status(store)["third ratings open"] == 10
    assert work_through(store, person(store), 9000) == 2
    assert work_through(store, person(store), 9000) == 0, "a fourth is not asked"
    assert status(store)["third ratings open"] == 0
    assert status(store)["answered"] == 30
    consistent(store)


def test_people_who_agree_need_no_third(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(2))
    work_through(store, person(store), 1000)
    work_through(store, person(store), 3000)
    assert work_through(store, person(store)) == 0


def test_nobody_sees_a_pair_twice(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path, work={"redundancy": 3, "per_page": 2}), items(3, 3))
    me = person(store)
    work_through(store, me)
    seen = [row["id"] for row in ratings(store)]
    assert len(seen) == len(set(seen)) == 9


def test_a_claim_that_ran_out_goes_to_someone_else(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    store = opened(campaign(tmp_path, work={"redundancy": 1, "claim_minutes": 10}), items(1))
    slow, quick = person(store), person(store)
    page = claim(store, slow)
    assert page is not None
    assert claim(store, quick) is None, "it is taken"
    clock.now += 601
    other = claim(store, quick)
    assert other is not None
    send(store, quick, other)
    with pytest.raises(PageGone, match="other people"):
        send(store, slow, page)
    consistent(store)


def test_a_late_page_is_kept_where_nobody_else_took_it(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    store = opened(campaign(tmp_path, work={"redundancy": 1, "claim_minutes": 10}), items(2))
    slow, quick = person(store), person(store)
    page = claim(store, slow)
    assert page is not None
    clock.now += 601
    other = claim(store, quick)
    assert other is not None
    mine = {asked.pair for asked in page.pairs} & {asked.pair for asked in other.pairs}
    again = claim(store, slow)
    if mine:
        assert again is None or not {asked.pair for asked in again.pairs} & mine
    else:
        assert again is not None
        assert {a.pair for a in again.pairs} == {a.pair for a in page.pairs}
        send(store, slow, again)
    consistent(store)


def test_the_same_page_sent_again_changes_nothing(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(1))
    me = person(store)
    page = claim(store, me)
    assert page is not None
    send(store, me, page, 100)
    assert answer(store, me, page.id, {asked.pair: slide(9000) for asked in page.pairs}).is_repeated
    assert {row["raw"] for row in ratings(store)} == {100}


def test_a_page_is_stored_whole_or_not_at_all(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(1))
    me = person(store)
    page = claim(store, me)
    assert page is not None
    first, *rest = (asked.pair for asked in page.pairs)
    with pytest.raises(InputError, match="have no answer"):
        answer(store, me, page.id, {first: slide(1)})
    with pytest.raises(InputError, match="steps 0 to 10000"):
        answer(store, me, page.id, {first: slide(10_001), **{pair: slide(1) for pair in rest}})
    with pytest.raises(PageGone):
        answer(store, person(store), page.id, {asked.pair: slide(1) for asked in page.pairs})
    assert {row["state"] for row in ratings(store)} == {"open"}


def test_a_page_cannot_be_sent_faster_than_it_is_read(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    store = opened(campaign(tmp_path, work={"least_seconds": 2.0}), items(1))
    me = person(store)
    page = claim(store, me)
    assert page is not None
    with pytest.raises(TooSoon) as soon:
        send(store, me, page)
    assert soon.value.seconds == 10
    clock.now += 10
    send(store, me, page)


def test_a_skipped_pair_is_asked_of_someone_else(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path, work={"redundancy": 1}), items(1, 2))
    first, second = person(store), person(store)
    page = claim(store, first)
    assert page is not None
    a, b = (asked.pair for asked in page.pairs)
    answer(store, first, page.id, {a: {"skip": True}, b: slide(5)})
    other = claim(store, second)
    assert other is not None
    assert [asked.pair for asked in other.pairs] == [a]
    consistent(store)


def test_an_excluded_person_counts_no_more_and_their_pairs_are_asked_again(
    opened: Open, tmp_path: Path
) -> None:
    store = opened(campaign(tmp_path), items(2))
    bad, good = person(store), person(store)
    work_through(store, bad, 0)
    work_through(store, good, 9000)
    assert status(store)["third ratings open"] == 10
    exclude(store, bad, "always zero")
    assert status(store)["third ratings open"] == 0, "the difference has gone with them"
    assert status(store)["of excluded people"] == 10
    assert work_through(store, person(store), 9000) == 2
    assert {row.get("excluded") for row in ratings(store) if row["person"] == "person/0001"} == {
        "always zero"
    }
    consistent(store)


def test_more_ratings_can_be_asked_for_later(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path, work={"redundancy": 1}), items(1))
    work_through(store, person(store))
    assert claim(store, person(store)) is None
    add_redundancy(store, 1)
    assert work_through(store, person(store)) == 1
    consistent(store)


def test_someone_who_misses_attention_items_is_stopped(opened: Open, tmp_path: Path) -> None:
    reading = tuple(
        KnownPair(f"Choose the right end, please. {n}", 1.0, tolerance=0.05) for n in range(3)
    )
    asked = campaign(tmp_path, attention=reading, attention_every=1, attention_misses=2)
    store = opened(asked, items(4))
    me = person(store)
    pages = 0
    while (found := store.person(me)) is not None and not found.excluded and pages < 9:
        page = claim(store, me)
        assert page is not None
        send(store, me, page, 0)
        pages += 1
    assert pages == 2
    assert found is not None
    assert found.excluded == "missed 2 attention items"
    assert status(store)["answered"] == 0
    consistent(store)


def test_a_paused_campaign_gives_nothing_new_but_takes_what_is_out(
    opened: Open, tmp_path: Path
) -> None:
    store = opened(campaign(tmp_path), items(2))
    me = person(store)
    page = claim(store, me)
    store.pause(True)
    assert page is not None
    send(store, me, page)
    assert claim(store, me) is None
    store.pause(False)
    assert claim(store, me) is not None


def test_a_person_gets_no_more_than_the_campaign_allows(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path, work={"most_per_person": 7}), items(4))
    me = person(store)
    work_through(store, me)
    assert len(list(ratings(store))) == 7


def test_progress_counts_to_no_more_pairs_than_the_campaign_has(
    opened: Open, tmp_path: Path
) -> None:
    store = opened(campaign(tmp_path, work={"most_per_person": 50}), items(2))
    assert (progress(store, person(store)).done, progress(store, person(store)).total) == (0, 10)


def test_the_database_itself_refuses_a_rating_too_many(opened: Open, tmp_path: Path) -> None:
    store = opened(campaign(tmp_path), items(1))
    with pytest.raises(IntegrityError), store.write() as connection:
        connection.execute(update(t.pairs).values(taken=t.pairs.c.wanted + 1))


def test_a_second_start_goes_on_and_refuses_other_data(opened: Open, tmp_path: Path) -> None:
    asked = campaign(tmp_path)
    store = opened(asked, items(1))
    work_through(store, person(store))
    assert status(opened(asked, items(1)))["answered"] == 5
    with pytest.raises(InputError, match="has changed since the campaign began"):
        opened(asked, items(2))
    with pytest.raises(InputError, match="the instrument has changed"):
        opened(replace(asked, instrument="likert"), items(1))


def test_many_at_once_never_exceed_what_is_asked(
    opened: Open, tmp_path: Path, clock: Clock
) -> None:
    clock.tick = 0.001
    store = opened(campaign(tmp_path), items(12))
    people = [person(store) for _ in range(12)]

    def do(me: int) -> None:
        said = random.Random(me)
        while (page := claim(store, me)) is not None:
            answer(store, me, page.id, {a.pair: slide(said.randrange(10_001)) for a in page.pairs})

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(do, people))
    # The last answers may ask for third ratings after everybody had looked.
    for me in people:
        do(me)
    consistent(store)
    by_pair: dict[str, list[int]] = {}
    for row in sorted(ratings(store), key=lambda row: row["at"]):
        by_pair.setdefault(row["id"], []).append(row["raw"])
    assert len(by_pair) == 60
    for raws in by_pair.values():
        assert len(raws) == 2 + (abs(raws[0] - raws[1]) > 2000)


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["claim", "send", "skip", "wait", "exclude", "more"]),
        st.integers(0, 3),
        st.integers(0, 10_000),
    ),
    max_size=40,
)


@pytest.mark.slow
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ACTIONS)
def test_whatever_people_do_the_counts_stay_right(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, int, int]]
) -> None:
    clock = Clock()
    store = Store(campaign(tmp_path_factory.mktemp("any")), items(3, 3), clock=clock)
    people = [person(store) for _ in range(4)]
    for action, who, raw in actions:
        clock.now += 1
        found = store.person(people[who])
        if action == "wait":
            clock.now += 3601
        elif action == "more":
            add_redundancy(store, 1)
        elif action == "exclude":
            exclude(store, people[who], "no reason")
        elif found is not None and not found.excluded:
            page = claim(store, people[who])
            if page is not None and action != "claim":
                reply = slide(raw) if action == "send" else {"skip": True}
                answer(store, people[who], page.id, {asked.pair: reply for asked in page.pairs})
        consistent(store)
    store.close()
