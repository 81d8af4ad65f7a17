"""People's published means beside claims and in charts, from what ships with the package alone."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import grice
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.profiling.beside import add_people
from grice.profiling.build import build
from grice.profiling.chapter import Findings
from grice.profiling.norms import compare_with_norms
from grice.profiling.sheets import make_sheet
from grice.reporting.claims import Gate, Verdict
from grice.reporting.model import Profile
from grice.storage.run import Run, join
from grice.theory.norms import norms


@pytest.fixture(autouse=True)
def _fresh_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRICE_DATA", raising=False)


@cache
def profile(people: bool = True) -> Profile:
    names = ("quantifiers", "gradable_adjective", "factives", "veridicality_signatures")
    sets = [
        grice.load(f"{name}@3", groups=80 if name == "veridicality_signatures" else 12)
        for name in names
    ]
    judge = grice.load_judge("baseline/overlap")
    return build([(data, [grice.evaluate(data, judge)]) for data in sets], people=people)[0]


def claim(name: str) -> Any:
    return next(one for one in profile().claims if one.section.startswith(name))


def test_a_claim_says_what_people_do_and_who_published_it() -> None:
    scales = claim("implicature-1")
    assert scales.people is not None
    people = scales.people
    assert people.people.value == pytest.approx(norms("scale")["some/all", "weak"].mean)
    assert (
        people.people.low < people.people.value < people.people.high
        and "van Tiel" in people.source
        and people.said.n > 0
    )
    assert (
        f"people conclude “not” the stronger word from the weaker one in {people.people.value:.0%}"
        in scales.beside
    )
    assert "Hu et al. (2023)" in scales.beside


def test_presuppositions_have_the_means_of_factive_predicates_and_verbs_those_of_where_nothing_follows() -> (
    None
):
    taken, projected = (one for one in profile().claims if one.section.startswith("presupposition"))
    assert taken.people is not None and 0.85 < taken.people.people.value < 1
    assert projected.people is not None and 0.5 < projected.people.people.value < 0.9
    assert "Hofmann" in projected.people.source
    verbs = claim("veridicality")
    assert (
        verbs.people is not None
        and 0.4 < verbs.people.people.value < 0.65
        and "White" in verbs.people.source
    )


def test_charts_have_peoples_marks_at_the_rows_that_people_were_asked_about() -> None:
    marks = {
        figure.id: [m for m in figure.marks if m.label.startswith("people, ")]
        for figure in profile().figures
    }
    assert "quantifiers" in {mark.row for mark in marks["fingerprint"]}
    assert [
        mark.row for name, found in marks.items() if "conditions" in name for mark in found
    ] == ["W/not S"] * 2
    under = next(
        found for name, found in marks.items() if name.startswith("presupposition-projection")
    )
    assert {mark.row for mark in under} <= {
        "negated",
        "interrogative",
        "modal",
        "conditional",
    } and under
    assert all(
        "(20" in mark.label
        for found in marks.values()
        for mark in found
        if "n = " not in mark.label
    )
    plane = next(
        figure for figure in profile().figures if figure.id.startswith("veridicality-plane")
    )
    dots = {number.row: number for number in plane.numbers if number.judge == "people"}
    assert len(dots) > 5 and "People: White" in plane.note
    verb, dot = next(iter(dots.items()))
    assert dot.x == pytest.approx(2 * norms("happened")[verb.lower(), "positive"].mean - 1)
    assert dot.y == pytest.approx(2 * norms("happened")[verb.lower(), "negative"].mean - 1)


def test_without_people_nothing_of_them_is_there() -> None:
    bare = profile(people=False)
    assert not any(one.people for one in bare.claims)
    assert not any(
        mark.label.startswith("people") for figure in bare.figures for mark in figure.marks
    )


def test_a_word_that_embeds_no_clause_has_no_norm() -> None:
    """ "Establish when" asks about another presupposition than the clause after "that" which people
    were asked about.
    """
    tags = {
        "operator": "negated",
        "presupposition": "positive",
        "role": "target",
        "word": "establish",
    }
    items = [
        Item(
            f"q{i}",
            "She did not establish when he left.",
            "He left.",
            tags={**tags, "phenomenon": name},
        )
        for i, name in enumerate(("questions", "factives"))
    ]
    data = Dataset.from_items("hand", NLI, items)
    found = compare_with_norms(
        join(data, Run.from_columns(data, "mine", data.ids, ["entailment"] * 2))
    )
    assert [row.model_mean.n for one in found for row in one.rows] == [1]


def test_a_claim_about_ratings_has_their_ceiling() -> None:
    from grice.profiling.draft import ClaimDraft

    items = [
        Item(
            f"a{i}",
            "It rains.",
            "It is wet.",
            {"rating": i / 10},
            # Who gives the higher rating alternates: a shift of one person would be no noise.
            {"people": (f"1={i + i % 2}", f"2={i + 1 - i % 2}")},
        )
        for i in range(10)
    ]
    data = Dataset.from_items(
        "hand", NLI, items, readings={"rating": grice.Scale(low=0.0, high=1.0)}
    )
    answers = ["entailment" if i > 4 else "contradiction" for i in range(10)]
    sheet = make_sheet(0, data, [Run.from_columns(data, "mine", data.ids, answers)])
    draft = ClaimDraft("rating", "ratings", Gate(), Verdict("people", "human-like", "Correlates."))
    [made] = add_people("certainty", Findings((), findings=(draft,)), sheet).findings
    assert (
        made.people is not None
        and 0.9 < made.people.people.value < 1
        and 0.7 < made.people.said.value < 1
    )
    made_page, _ = build([(data, list(sheet.runs))])
    [told] = [
        one for one in made_page.claims if one.verdict == "people" or "go with people" in one.text
    ]
    assert (
        "other people would reach r = 0.9" in told.beside
        and told.people is not None
        and told.people.over == "10 items"
    )


def test_the_first_picture_has_people_at_every_kind_of_scale_that_they_were_asked_about() -> None:
    data = grice.load("core@0")
    made, _ = build([(data, [grice.evaluate(data, grice.load_judge("baseline/overlap"))])])
    assert made.fingerprint is not None
    drawn = [mark for mark in made.fingerprint.marks if mark.label.startswith("people, ")]
    rows = {number.row for number in made.fingerprint.numbers}
    assert (
        len(drawn) >= 2
        and {mark.row for mark in drawn} <= rows
        and len({mark.row for mark in drawn}) == len(drawn)
    )
    assert all(0 <= mark.value <= 1 and "Hu et al. (2023)" in mark.label for mark in drawn)
