from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grice.collecting.assign import (
    Statement,
    assign_bundles,
    has_the_turn,
    label_order,
    page_of,
    ratings_wanted,
    settle,
)
from tests.collecting.hand import items

STEPS = st.integers(0, 10_000)


@given(st.lists(st.integers(0, 6), max_size=30), st.integers(1, 8))
def test_a_page_has_the_first_bundle_and_only_whole_others(kinds: list[int], size: int) -> None:
    candidates = list(enumerate(sorted(kinds)))
    page = page_of(candidates, size)
    assert len(page) <= size
    assert len(set(page)) == len(page)
    bundle_of = dict(candidates)
    if candidates:
        start = candidates[0][1]
        first = [pair for pair, bundle in candidates if bundle == start]
        assert page[: min(size, len(first))] == first[:size]
        for bundle in {bundle_of[pair] for pair in page} - {start}:
            assert [p for p in page if bundle_of[p] == bundle] == [
                pair for pair, of in candidates if of == bundle
            ]


@given(st.lists(STEPS, max_size=4), st.integers(0, 5))
def test_a_third_rating_is_asked_exactly_where_the_first_two_differ_by_more(
    raws: list[int], extra: int
) -> None:
    asked = ratings_wanted(raws, 2, 2000, extra)
    differ = len(raws) >= 2 and abs(raws[0] - raws[1]) > 2000
    assert asked == 2 + extra + differ
    assert ratings_wanted(raws, 2, 0, extra) == 2 + extra, (
        "without a threshold there is no third rating"
    )


def test_the_threshold_itself_is_not_more() -> None:
    assert ratings_wanted([1000, 3000], 2, 2000) == 2
    assert ratings_wanted([1000, 3001], 2, 2000) == 3


@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 3))
def test_bundles_keep_premises_together_and_repeat_from_their_seed(
    premises: int, each: int, seed: int
) -> None:
    data = list(items(premises, each).items())
    made = assign_bundles(data, "premise", seed)
    assert sorted(set(made)) == list(range(premises))
    assert (
        len({(item.premise, bundle) for item, bundle in zip(data, made, strict=True)}) == premises
    )
    assert made == assign_bundles(data, "premise", seed)
    assert sorted(assign_bundles(data, "nothing", seed)) == list(range(premises * each))


def test_people_see_labels_in_different_orders_and_each_always_in_the_same() -> None:
    labels = ("entailment", "neutral", "contradiction")
    orders = [tuple(label_order(labels, 0, person)) for person in range(60)]
    assert len(set(orders)) == 6
    assert orders == [tuple(label_order(labels, 0, person)) for person in range(60)]


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.sampled_from("en")), max_size=10))
def test_a_discussion_ends_in_agreement_or_when_both_have_spoken_enough(
    said: list[tuple[int, str]],
) -> None:
    statements = [Statement(*one) for one in said]
    agreed, over = settle(statements, (1, 2), 3)
    latest = dict(said)
    if agreed is not None:
        assert latest[1] == latest[2] == agreed
        assert over
    elif over:
        assert all(sum(person == who for who, _ in said) >= 3 for person in (1, 2))
    if said:
        assert not has_the_turn(statements, said[-1][0])


def test_both_may_begin_a_discussion() -> None:
    assert has_the_turn([], 1)
    assert has_the_turn([Statement(2, "e")], 1)
