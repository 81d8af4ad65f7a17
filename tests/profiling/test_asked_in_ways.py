"""A judge asked in several ways: a claim holds however one asks, or is not made as a plain claim."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import polars as pl

from grice.core.estimate import Estimate
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.methods import parse_method
from grice.core.scale import NLI
from grice.judges.methods import MethodSet
from grice.profiling.asking import method_figures
from grice.profiling.build import build
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import Diagnosis, Test
from grice.reporting.model import Profile
from grice.storage.run import Run
from tests.profiling.judges import logical, pragmatic, suite

SCHEMA = Path(__file__).parents[2] / "docs" / "schema" / "profile.schema.json"
Ways = Callable[[Item, dict[str, str]], str]


def steady(item: Item, _method: dict[str, str]) -> str:
    return pragmatic(item)


def moody(item: Item, method: dict[str, str]) -> str:
    """Pragmatic under the first two wordings, logical under the others."""
    return pragmatic(item) if method["wording"] in "12" else logical(item)


def drowsy(item: Item, method: dict[str, str]) -> str:
    """Reads when letters are asked for, and says neutral throughout otherwise."""
    return pragmatic(item) if method["readout"] == "letter" else "neutral"


@cache
def told(answers: Ways) -> Profile:
    """The profile of a judge that answers by method, one answer in ten being any."""
    data, drawn = suite(), random.Random(3)
    dealt = MethodSet.read("standard").assign(data.ids)
    judged = []
    for item in data.items():
        cells = []
        for method in dealt[item.id]:
            said = answers(item, parse_method(method.name))
            cells.append(
                {
                    "method": method.name,
                    "answer": drawn.choice(NLI.labels) if drawn.random() < 0.1 else said,
                }
            )
        given = [cell["answer"] for cell in cells]
        judged.append(Judgement(item.id, max(given, key=given.count), cells=tuple(cells)))
    profile, _ = build([(data, [Run.recorded(data, "hand", judged)])])
    return profile


def test_what_holds_however_one_asks_is_claimed_with_an_interval_for_a_new_wording() -> None:
    profile = told(steady)
    jsonschema.validate(profile.to_json(), json.loads(SCHEMA.read_text(encoding="utf-8")))
    (claim,) = [claim for claim in profile.claims if claim.section == "implicature"]
    assert claim.supported and claim.verdict == "pragmatic"
    assert claim.gate and claim.gate.methods and claim.gate.methods.verdict == "robust"
    new, usual = claim.gate.methods.new_wording, claim.gate.methods.mean
    assert (
        new.low is not None
        and usual.low is not None
        and new.high is not None
        and usual.high is not None
    )
    assert 0 < new.low <= usual.low < usual.high <= new.high


def test_a_reading_that_changes_with_the_wording_is_no_plain_claim_and_the_section_shows_each_way() -> (
    None
):
    profile = told(moody)
    (claim,) = [claim for claim in profile.claims if claim.section == "implicature"]
    assert claim.verdict is None and claim.gate is not None
    assert claim.gate.reasons[0].test is Test.PROMPT_VARIANTS
    assert claim.diagnoses[0].code is Diagnosis.DEPENDS_ON_PROMPT
    (section,) = [section for section in profile.sections if section.id == "implicature"]
    (figure,) = [figure for figure in section.figures if figure.id == "implicature-methods"]
    values = {number.row: number.value for number in figure.numbers}
    assert values["wording 1"] > 0.3 and values["wording 3"] < -0.3
    assert (
        figure.finding.startswith("Most favourable: ") and "depends on the method" in figure.finding
    )
    assert not any(number.gated for number in figure.numbers)


def test_claims_that_count_different_things_have_a_figure_each_and_few_answers_rank_nothing() -> (
    None
):
    profile = told(moody)
    effects = next(
        claim.gate.methods for claim in profile.claims if claim.gate and claim.gate.methods
    )
    small = replace(
        effects,
        methods={"plain": Estimate(0.0, 1, 0.0, 0.8), "order=1": Estimate(1.0, 2, 0.2, 1.0)},
    )
    other = replace(small, what="share of presuppositions taken", threshold=0.5)
    gate = next(claim.gate for claim in profile.claims if claim.gate)
    sheet = AnswerSheet(0, suite(), (), pl.DataFrame())
    drafts = [
        (name, replace(gate, methods=one))
        for name, one in (("a", small), ("b", other), ("c", other))
    ]
    first, second = method_figures(sheet, drafts)
    assert (first.across, first.line, second.across, second.line) == (
        small.what,
        small.threshold,
        other.what,
        0.5,
    )
    assert first.id != second.id and "too few to rank" in first.finding and "`" not in first.note
    assert {number.series for number in second.numbers} == {"b", "c"}


def test_who_reads_by_one_readout_only_gets_no_plain_claim() -> None:
    made = [
        claim
        for claim in told(drowsy).claims
        if claim.supported and claim.gate and claim.gate.methods
    ]
    assert made == []
    asked = [
        claim.gate.methods for claim in told(drowsy).claims if claim.gate and claim.gate.methods
    ]
    assert "depends on the method" in {one.verdict for one in asked}


def test_a_judge_asked_in_one_way_has_nothing_about_methods_in_its_profile() -> None:
    data = suite()
    run = Run.recorded(data, "hand", [Judgement(item.id, pragmatic(item)) for item in data.items()])
    profile, _ = build([(data, [run])])
    assert not [claim for claim in profile.claims if claim.gate and claim.gate.methods]
    assert not [figure for figure in profile.figures if figure.id.endswith("-methods")]
