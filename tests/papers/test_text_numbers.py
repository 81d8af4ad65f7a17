"""Numbers in the papers' running text, and the construction of PragmEval's tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import polars as pl
import pytest

from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, wilson
from grice.core.item import Item, Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Scale
from grice.core.shelf import PAPERS
from grice.papers.bench import LocalBench
from grice.papers.conjnli.text_numbers import EITHER, either_or
from grice.papers.imppres import effects
from grice.papers.imppres.scalar import Spot
from grice.papers.pragmeval.construction import (
    outer_thirds,
    split_dev,
    subsample_class,
    without_repeats,
)
from grice.papers.veridicality.fresh import make as make_veridicality
from grice.tables.paper import Cell
from tests.hand import Says


def cells(paper: str, exhibit: str, bench: LocalBench) -> dict[tuple[str, str, str], Cell]:
    found = PAPERS.find(paper).exhibit(exhibit).cells(bench)
    return {(cell.row, cell.column, cell.reading): cell for cell in found}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "swapped"),
    [
        ("He plays chess and tennis.", "He plays tennis.", "He plays either chess or tennis."),
        (
            "It has both singles and doubles here.",
            "It has doubles here.",
            "It has either singles or doubles here.",
        ),
        ("He plays chess and tennis.", "He plays chess.", ""),
        ("It lies between Ulm and Bonn today.", "It lies between Bonn today.", ""),
        ("He plays tennis.", "He plays chess and tennis.", ""),
    ],
)
def test_either_or_takes_the_place_of_and(premise: str, hypothesis: str, swapped: str) -> None:
    assert either_or(premise, hypothesis) == swapped


def test_a_judge_of_overlap_is_right_with_and_and_wrong_with_either_or() -> None:
    items = [
        Item(f"a{n}", f"He plays chess and {n} games.", f"He plays {n} games.", {"label": label})
        for n, label in enumerate(["entailment", "entailment", "neutral"])
    ]
    dev = Dataset.from_items("conjnli/dev", NLI, items)
    bench = LocalBench({"says": Says("entailment")}, fresh={"conjnli/dev": dev})
    assert len(bench.data(EITHER)) == 4
    found = cells("conjnli", "Section 6.1 swapped", bench)
    assert found["and", "correct", ""].ours == 1 and found["either … or", "correct", ""].ours == 0


def test_effects_of_imppres_are_tested_with_their_correction() -> None:
    shares: dict[tuple[str, ...], float] = {
        ("S/W",): 0.1,
        ("W/S",): 0.9,
        ("W/not S",): 0.5,
        ("not S/W",): 0.5,
    }

    def score(spot: Spot, _per_pair: bool) -> tuple[Estimate | None, str]:
        share = shares.get(spot.conditions, 0.4)
        share = 0.0 if spot.reading == "logical" and spot.conditions == ("W/S",) else share
        return Estimate(share, 100, *wilson(share, 100)), ""

    share, _ = effects._entailed(score, "connectives", ["W/S"])
    assert share is not None and share.value == pytest.approx(0.1)
    more, less = (effects._pragmatic(score, [name]) for name in ("W/S", "S/W"))
    assert more is not None and less is not None
    assert effects._p_of_two(more, less) < 1e-6 and effects._p_of_two(more, more) == 1
    assert effects._p_above_half(less) > 0.99


def test_confidence_is_the_share_of_sure_labels() -> None:
    data = make_veridicality(7, 24)["veridicality"]
    found = cells(
        "veridicality",
        "Section 6.2",
        LocalBench({"o": Says("neutral")}, fresh={"veridicality": data}),
    )
    assert [cell.ours for cell in found.values()] == [None], "a judge without probabilities"


@pytest.mark.published
def test_the_texts_numbers_of_veridicality_are_those_of_the_release(data_folder: object) -> None:
    assert data_folder
    bench = LocalBench()
    sizes = cells("veridicality", "Section 4.1", bench)
    assert [cell.agrees for cell in sizes.values()] == [True, True, True, True, None]
    sure = cells("veridicality", "Section 6.2", bench)
    shares = [round(100 * (cell.ours or 0), 1) for cell in sure.values()]
    assert shares == [84.2, 58.2]
    spans = cells("veridicality", "Section 5", bench)
    widths = [cell.ours for (row, _, _), cell in spans.items() if row.endswith("span of ratings")]
    assert len(widths) == 16 and all(width is not None and width >= 2 for width in widths)


@pytest.mark.published
def test_a_person_against_the_others_has_an_error_too(data_folder: object) -> None:
    assert data_folder
    human = cells("unli", "Human row", LocalBench())
    values = {column: cell.ours or 0 for (_, column, _), cell in human.items()}
    assert values["MSE"] == pytest.approx(0.063, abs=5e-4) and values["r"] > 0.7


class TwoValues:
    """A judge that says .05 of the first two items and .95 of the others."""

    name = "two values"

    @property
    def identity(self) -> Mapping[str, str]:
        return {"name": self.name}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        assert not scale.labels
        for question in questions:
            yield Judgement(question.id, 0.05 if question.id in "01" else 0.95)


def test_calibration_is_peoples_mean_by_tenth_of_the_answers() -> None:
    items = [
        Item(str(n), "A.", "B.", {"probability": gold})
        for n, gold in enumerate((0.0, 0.2, 0.8, 1.0))
    ]
    data = Dataset.from_items("graded", Scale(low=0.0, high=1.0), items)
    bench = LocalBench({"two": TwoValues()}, fresh={"nli_variation/pairs": data})
    found = cells("unli", "Calibration", bench)
    means = {row: cell.ours for (row, _, _), cell in found.items() if cell.judge == "two"}
    assert means == {"0.05": pytest.approx(0.1), "0.95": pytest.approx(0.9)}


def test_the_middle_third_of_ratings_is_left_out() -> None:
    rows = pl.DataFrame({"rating": [1.0, 2, 3, 4, 5, 6, 7, 8, 9], "text": list("abcdefghi")})
    thirds = outer_thirds(rows, "rating", "Low", "High")
    assert "".join(thirds["text"]) == "abcghi"
    assert thirds["label"].to_list() == ["Low"] * 3 + ["High"] * 3


def test_a_frequent_class_becomes_a_fifth() -> None:
    rows = pl.DataFrame({"label": ["none"] * 500 + ["a"] * 30 + ["b"] * 10, "n": range(540)})
    drawn = subsample_class(rows, "none", seed=3)
    assert (drawn["label"] == "none").sum() == 10 and len(drawn) == 50
    assert drawn["n"].is_sorted() and drawn.equals(subsample_class(rows, "none", seed=3))
    few = pl.DataFrame({"label": ["none", "a", "a", "a", "a", "a", "a", "a", "a", "a"]})
    assert len(subsample_class(few, "none")) == 10


def test_repeats_go_and_documents_stay_together() -> None:
    rows = pl.DataFrame({"text": ["a", "b", "a"], "n": [1, 2, 3]})
    assert without_repeats(rows, "text")["n"].to_list() == [1, 2]
    documents = pl.DataFrame({"doc": [i // 5 for i in range(100)], "n": range(100)})
    train, dev = split_dev(documents, by="doc")
    assert len(dev) == 10 and not set(train["doc"]) & set(dev["doc"])
    train, dev = split_dev(documents)
    assert (len(train), len(dev)) == (90, 10)
