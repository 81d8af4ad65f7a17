"""Latin squares: who sees what, in which order, also where people leave; and simulated people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from grice.collecting.campaign import Design
from grice.collecting.design import plan_study
from grice.collecting.overview import ratings, status
from grice.collecting.simulate import SimulatedPeople, SteppedClock, simulate
from grice.collecting.store import Store
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import LIKERT5
from grice.verbs.campaign_data import open_campaign
from grice.verbs.collect import responses
from grice.verbs.study import preview
from grice.verbs.study import simulate as simulate_people
from tests.collecting.hand import Visitor, campaign, field


def study_items(paradigms: int, conditions: int, fillers: int = 0) -> list[Item]:
    targets = [
        Item(
            f"t{p}/{c}",
            f"Premise {p} {c}.",
            f"Hypothesis {p}.",
            tags={"condition": f"c{c}", "role": "target"},
            group=f"g{p}",
        )
        for p in range(paradigms)
        for c in range(conditions)
    ]
    return targets + [
        Item(f"f{n}", f"Filler {n}.", f"Hypothesis {n}.", tags={"role": "filler"}, group=f"f{n}")
        for n in range(fillers)
    ]


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[tuple[Store, list[dict[str, object]]]]:
    """24 paradigms in 6 conditions, 24 fillers, 60 people of whom 10 leave."""
    data = Dataset.from_items("study", LIKERT5, study_items(24, 6, 24))
    design = Design(targets_in_a_row=1, first_fillers=1, people_per_list=10)
    plan = campaign(tmp_path, "likert", design=design, work={"per_page": 4})
    clock = SteppedClock()
    store = Store(plan, data, clock=clock)
    done = simulate(store, data, SimulatedPeople(people=60, leave=10, seed=1), clock)
    assert (done["people"], done["left"]) == (60, 10)
    yield store, list(ratings(store))
    store.close()


def test_latin_square_is_balanced_over_people_and_cells_though_ten_leave(
    filled: tuple[Store, list[dict[str, object]]],
) -> None:
    store, rows = filled
    assert store.plan is not None
    by_person: dict[object, list[str]] = defaultdict(list)
    cells: Counter[str] = Counter()
    for row in rows:
        if row["state"] == "answered":
            by_person[row["person"]].append(str(row["id"]))
    complete = 0
    for items in by_person.values():
        targets = [item for item in items if item.startswith("t")]
        assert len({item.split("/")[0] for item in targets}) == len(targets)
        assert items[0].startswith("f")
        assert not any(a[0] == b[0] == "t" for a, b in pairwise(items))
        if len(targets) == 24:
            complete += 1
            cells.update(targets)
            counts = Counter(store.plan.conditions[item] for item in targets)
            assert max(counts.values()) - min(counts.values()) <= 1 and len(counts) == 6
    assert complete == 50
    of_complete = [cells[item] for item in store.plan.conditions]
    assert max(of_complete) - min(of_complete) <= 2
    answered = Counter(str(row["id"]) for row in rows if row["state"] == "answered")
    of_all = [answered[item] for item in store.plan.conditions]
    assert max(of_all) - min(of_all) <= 3
    assert status(store)["ratings asked"] == 60 * 48


def test_order_keeps_its_constraints_for_every_list_and_person() -> None:
    design = Design(targets_in_a_row=2, first_fillers=3, ratio=1.0)
    plan = plan_study(design, study_items(8, 4, 12), seed=3)
    assert [len(entry) for entry in plan.lists] == [16] * 4
    for number in range(4):
        for person in range(40):
            order = plan.order(number, person)
            assert sorted(order) == sorted(plan.lists[number].targets + plan.lists[number].fillers)
            kinds = "".join(item[0] for item in order)
            assert kinds.startswith("fff") and "ttt" not in kinds
            assert order == plan.order(number, person)


@pytest.mark.parametrize(
    ("design", "fillers", "match"),
    [
        (Design(targets_in_a_row=1), 3, "need 7 fillers, and a list has 3"),
        (Design(ratio=1.0), 3, "needs 8 fillers for 8 paradigms, and there are 3"),
        (Design(condition="verb"), 0, "has no tag 'verb'"),
    ],
)
def test_designs_that_cannot_be_are_refused(design: Design, fillers: int, match: str) -> None:
    with pytest.raises(InputError, match=match):
        plan_study(design, study_items(8, 4, fillers), seed=0)


def test_a_paradigm_without_a_condition_is_refused() -> None:
    items = study_items(3, 2)
    with pytest.raises(InputError, match="paradigm 'g0' has no item of condition c1"):
        plan_study(Design(), [items[0], *items[2:]], seed=0)


STUDY = """
title = "By hand"
dataset = "items.jsonl"
instrument = "likert"

[work]
per_page = 4
least_seconds = 0

[people]
access = "platform"
declined_url = "https://example.org/declined"
completion_url = "https://example.org/complete"

[design]
targets_in_a_row = 1

[[practice]]
premise = "It rains."
hypothesis = "It is wet."
answer = 2
feedback = "Rain makes things wet."

[[questions]]
name = "native"
ask = "Is English your native language?"
options = ["yes", "no"]
when = "before"

[[questions]]
name = "remarks"
ask = "Did you notice anything?"
optional = true
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    Dataset.from_items("study", LIKERT5, study_items(6, 3, 6)).write(tmp_path / "items.jsonl")
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path / "study.toml"


def test_preview_shows_every_list_and_stores_nothing(study: Path) -> None:
    files = preview(study, study.parent / "pages")
    names = [file.name for file in files]
    assert sum(name.startswith("4_list_2_page") for name in names) == 3
    assert {"1_consent.html", "3_list_1_practice.html", "5_list_3_questions.html"} <= set(names)
    assert (study.parent / "pages" / "lists.csv").read_text().count("\n") == 1 + 3 * 12
    assert not list(study.parent.glob("*.sqlite"))


def test_simulated_people_answer_a_copy_of_the_campaign(study: Path) -> None:
    out = study.parent / "simulated.toml"
    counts = simulate_people(study, out, people=12, leave=2, careless=1, bots=1)
    assert (counts["people"], counts["left"]) == (12, 2)
    assert not (study.parent / "study.sqlite").exists()
    rows = responses(out)
    bots = rows.group_by("person").agg(pl.col("response").n_unique().alias("n"))
    assert (bots["n"] == 1).sum() >= 1
    with pytest.raises(InputError, match="exists already"):
        simulate_people(study, out)


def test_a_person_practises_answers_questions_and_may_decline(study: Path) -> None:
    store, _ = open_campaign(study)
    visitor = Visitor(store)
    declined = visitor.http.post("/decline")
    assert "https://example.org/declined" in declined.text
    visitor.join(key=visitor.keys.shared, PROLIFIC_PID="abc")
    block = visitor.block()
    assert block is not None and block["post"] == "/practice"
    sent = {"page": block["id"], "replies": {"0": {"values": {"answer": -2}}}}
    reply = visitor.post("/practice", sent, block["csrf"]).json()
    assert reply["feedback"]["0"] == {"right": False, "words": "Rain makes things wet."}
    form = {"csrf": field(visitor.page(), "csrf"), "question-native": "perhaps"}
    assert visitor.http.post("/questions", data=form).status_code == 422
    assert visitor.http.post("/questions", data={**form, "question-native": "yes"}).is_success
    while visitor.answer(lambda _p, _h: {"values": {"answer": 1}, "ms": 730}):
        pass
    assert "Did you notice anything?" in visitor.page()
    form = {"csrf": field(visitor.page(), "csrf"), "question-remarks": ""}
    assert "https://example.org/complete" in visitor.http.post("/questions", data=form).text
    person = store.person(1)
    assert person is not None and person.replies == {"native": "yes", "remarks": ""}
    assert {row["ms"] for row in ratings(store)} == {730}
    store.close()
