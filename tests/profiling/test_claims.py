"""Claims that cannot be fooled: judges whose truth is known get it said, judges that do not read
get nothing said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import polars as pl
import pytest
from benchmarks.claims import (
    PARTIAL_READERS,
    TRUTHS,
    PartialReader,
    blind_judges,
    chance,
    count_blind,
    guessing_judges,
    loaded,
    noisy,
    of_draw,
    profiled,
)

from grice.analysis.statistics.baselines import HYPOTHESIS, correctness, excess, gold_varies
from grice.core.dataset import Dataset
from grice.core.item import Item, Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Scale
from grice.core.shelf import PHENOMENA
from grice.profiling.build import build
from grice.profiling.exchange import ask_exchanged, exchange_premises
from grice.reporting.claims import Claim, Diagnosis, Test
from grice.reporting.model import Figure, MarkKind, Profile
from grice.reporting.rows import blind_rows
from grice.storage.run import Run, join
from tests.profiling.judges import failing_controls, gold, logical, pragmatic, run, suite

SCHEMA = Path(__file__).parents[2] / "docs" / "schema" / "profile.schema.json"


def told(answers: Callable[[Item], str], data: Dataset | None = None) -> Profile:
    data = data or suite()
    return profiled(data, list(data.items()), answers)


def of(profile: Profile, section: str) -> Claim:
    return [claim for claim in profile.claims if claim.section == section][-1]


def mostly_contradiction(item: Item) -> str:
    """Case 1 of the findings: it never looks at the pair and says contradiction to 88%."""
    return "contradiction" if chance("nay", item.id) < 0.88 else "entailment"


@pytest.mark.parametrize(
    "answers", [mostly_contradiction, *(lambda _i, label=label: label for label in NLI.labels)]
)
def test_who_never_reads_is_certified_of_nothing(answers: Callable[[Item], str]) -> None:
    profile = told(answers)
    assert {claim.verdict for claim in profile.claims} == {None}
    assert not [claim for claim in profile.claims if claim.supported]
    assert {claim.diagnoses[0].code for claim in profile.claims if claim.section != "people"} <= {
        Diagnosis.CONSTANT_ANSWER,
        Diagnosis.NEVER_ANSWERS,
    }


def test_the_published_controls_are_said_to_be_contradictions_and_the_twin_decides() -> None:
    items = [
        item
        for item in suite().items()
        if item.tags["kind"] == "implicature"
        and (item.tags["role"] == "target" or gold(item, "logical") == "contradiction")
    ]
    data = Dataset.from_items("published", NLI, items)
    assert of(told(pragmatic, data), "implicature").verdict == "pragmatic"
    assert of(told(logical, data), "implicature").verdict == "logical"
    assert not of(told(mostly_contradiction, data), "implicature").supported
    assert not of(told(lambda _item: "contradiction", data), "implicature").supported


def test_a_twin_of_one_text_stops_who_goes_by_the_hypothesis() -> None:
    def negation(item: Item) -> str:
        return (
            "contradiction"
            if {"not", "no"} & set((item.hypothesis or "").lower().split())
            else "entailment"
        )

    assert not [claim for claim in told(negation).claims if claim.supported]
    data = suite()
    frame = join(
        data, Run.recorded(data, "n", [Judgement(item.id, negation(item)) for item in data.items()])
    )
    rows = frame.filter(pl.col("gold.logical").is_not_null()).with_columns(
        gold_varies("gold.logical", HYPOTHESIS).alias("varied")
    )
    found = excess(rows, correctness("gold.logical"), over=HYPOTHESIS, of=pl.col("varied"))
    assert found is not None and abs(found.above.value) < 1e-12 and found.p == 1.0


def test_the_twin_is_the_mean_over_shuffles() -> None:
    data = suite()
    frame = join(data, run(pragmatic)).drop_nulls("gold.logical")
    found = excess(frame, correctness("gold.logical"), over=["tag.phenomenon"])
    shuffled = [
        frame.select((answers == pl.col("gold.logical")).mean()).item()
        for seed in range(200)
        for answers in [pl.col("answer").shuffle(seed=seed).over("tag.phenomenon")]
    ]
    assert found is not None and found.baseline == pytest.approx(
        sum(shuffled) / len(shuffled), abs=0.01
    )


def test_who_goes_by_the_length_of_premises_is_not_said_to_go_with_people() -> None:
    profile = told(lambda item: NLI.labels[min(len(item.premise.split()) // 4, 2)])
    assert not [claim for claim in profile.claims if claim.supported]
    assert [
        claim for claim in told(logical).claims if claim.supported and claim.verdict == "people"
    ]


def test_cancellability_tells_good_from_bad() -> None:
    good = of(told(logical), "cancellability")
    assert good.verdict == "cancellable" and good.supported

    def all_open(item: Item) -> str:
        implied = item.tags.get("inference") == "implicature" and item.tags.get("move") == "denied"
        return "neutral" if implied and item.tags.get("role") == "target" else logical(item)

    bad = of(told(all_open), "cancellability")
    assert (
        bad.verdict == "cancellable_not"
        and bad.values["wrong_kinds"] == ("implicatures",)
        and bad.values["wrong_answers"] == ("neutral",)
    )


def test_what_fails_its_controls_is_faded_and_in_no_finding() -> None:
    def half(item: Item) -> str:
        return failing_controls(item) if item.tags["phenomenon"] == "modals" else pragmatic(item)

    profile = told(half)
    section = next(section for section in profile.sections if section.id == "implicature")
    assert profile.fingerprint is not None
    shown: list[Figure] = [*section.figures[1:], profile.fingerprint]
    faded = {
        number.row
        for figure in shown
        for number in figure.numbers
        if number.gated and (figure in section.figures or number.series == section.group)
    }
    assert faded == {"modals"}
    assert not [figure for figure in shown if "modals" in figure.finding]
    assert not any(number.gated for number in section.figures[0].numbers), (
        "controls are the evidence"
    )
    assert of(profile, "implicature").values["pragmatic_sets"] == ("quantifiers",)


def test_a_section_that_claims_nothing_has_no_finding_and_all_of_it_is_faded() -> None:
    profile = told(failing_controls)
    for section in profile.sections:
        if section.id == "implicature":
            for figure in section.figures[1:]:
                assert all(number.gated for number in figure.numbers)
                assert figure.finding.startswith("Inconclusive: ")
    assert profile.fingerprint is not None and profile.fingerprint.numbers[0].gated


def test_uniform_error_names_no_weakest_type() -> None:
    items = [item for item in suite().items() if item.tags["kind"] == "conjunction"]
    data, named = Dataset.from_items("conjunctions", NLI, items), 0
    for draw in range(12):
        values = of(told(noisy("signatures", 0.3, 100 + draw), data), "conjunction").values
        named += "weakest" in values
    assert named <= 2


def test_every_chart_of_shares_has_the_twin_with_its_key() -> None:
    profile = told(noisy("pragmatic", 0.2, 1))
    for figure in profile.figures:
        if figure.kind in ("dots", "stack", "plane", "reliability"):
            assert [mark for mark in figure.marks if mark.kind is MarkKind.SHUFFLED], figure.id
            assert {row["key"] for row in blind_rows(figure)} == {"shuffled baseline"}


def test_claims_in_json_keep_to_the_schema() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for answers in (logical, mostly_contradiction):
        profile = told(answers)
        jsonschema.validate(profile.to_json(), schema)
        for claim in profile.claims:
            assert claim.gate is not None
            tests = {check.test for check in claim.gate.reasons}
            assert claim.gate.paradigms > 0 or tests & {Test.ANSWERED, Test.DIAGNOSIS}
            assert claim.supported == (claim.verdict is not None)
            assert claim.gate.passed or not claim.supported


def test_a_judge_that_does_not_read_premises_is_told_by_exchanging_them() -> None:
    data = suite()

    class HypothesisOnly:
        name, identity = "own/hypothesis", {"name": "hypothesis"}

        def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
            for question in questions:
                yield Judgement(
                    question.id, scale.labels[len((question.hypothesis or "").split()) % 3]
                )

    judge = HypothesisOnly()
    first = Run.recorded(data, judge.name, list(judge.judge(data.questions(), NLI)))
    found = ask_exchanged(data, first, judge, count=100, into=None)
    assert found is not None and found.same.value == 1.0 and found.unread and found.same.n == 100
    profile = build([(data, [run(logical)])], exchanges=[found])[0]
    assert "it does not read the premise" in profile.warnings[0]
    assert not [claim for claim in profile.claims if claim.supported]
    for claim in profile.claims:
        assert claim.gate is not None
        assert Test.PREMISE_SWAP in {check.test for check in claim.gate.reasons}
        assert Diagnosis.IGNORES_PREMISE in {result.code for result in claim.diagnoses}


def test_exchanged_premises_come_from_another_paradigm_of_the_same_set() -> None:
    data, first = suite(), run(logical)
    asked = exchange_premises(data, first, 80, 3)
    assert asked is not None and len(asked) == 80
    before = {item.id: item for item in data.items()}
    homes = {(item.tags["phenomenon"], item.premise) for item in data.items()}
    for item in asked.items():
        assert (
            item.premise != before[item.id].premise
            and item.hypothesis == before[item.id].hypothesis
        )
        assert (item.tags["phenomenon"], item.premise) in homes and not item.gold


@pytest.mark.slow
def test_of_blind_judges_at_most_one_in_twenty_gets_any_claim() -> None:
    data = suite()
    found = count_blind(data, list(data.items()), blind_judges(60))
    assert found["profiles"] == 60 and found["with a verdict"] <= 3, found
    names = [name for name, _ in blind_judges(60)]
    assert len(set(names)) == 60


def core_like(kind: str) -> Dataset:
    """Enough paradigms of one kind, as core has."""
    parts = {
        "implicature": {"quantifiers": 12, "modals": 12, "ordinals": 12},
        "presupposition": {"aspectuals": 14, "factives": 14, "only": 14},
        "veridicality": {"veridicality_signatures": 62, "veridicality_swaps": 16},
        "conjunction": {
            "conjunction_boolean": 25,
            "conjunction_collective": 25,
            "conjunction_exclusive": 25,
            "conjunction_entities": 25,
        },
    }[kind]
    items = [
        item for name, groups in parts.items() for item in PHENOMENA.find(name).stream(groups, 5)
    ]
    return Dataset.from_items(kind, NLI, items)


@pytest.mark.slow
@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_a_known_truth_is_told_through_noise(truth: str, noise: float) -> None:
    section, verdicts = TRUTHS[truth]
    data = core_like(section)
    found = [
        of(profiled(data, list(data.items()), noisy(truth, noise, draw)), section)
        for draw in range(4)
    ]
    assert not [claim for claim in found if claim.supported and claim.verdict not in verdicts]
    assert sum(claim.supported for claim in found) >= 3, [claim.text for claim in found]


@pytest.mark.slow
@pytest.mark.parametrize("reader", PARTIAL_READERS, ids=lambda reader: reader.name)
def test_a_partial_reader_gets_its_verdict_or_diagnosis(reader: PartialReader) -> None:
    data, items = loaded("core")
    profile = profiled(data, items, of_draw(reader.answer, 0))
    assert reader.is_right(profile) and not reader.is_wrong(profile)


@pytest.mark.slow
def test_guesses_on_targets_get_no_verdict() -> None:
    data, items = loaded("core")
    counts = count_blind(data, items, guessing_judges(10))
    assert counts["profiles"] == 10 and counts["with a verdict"] <= 1


def test_holm_covers_every_claim_and_diagnosis() -> None:
    claims = told(noisy("logical", 0.2, 1)).claims
    families = {claim.gate.family for claim in claims if claim.gate}
    assert len(families) == 1 and families.pop() > len(claims)
    assert all(claim.gate.p <= claim.gate.corrected_p for claim in claims if claim.gate)
