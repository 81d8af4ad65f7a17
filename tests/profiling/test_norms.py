"""A judge beside the norms that ship: by scale, by predicate and operator, by verb."""

from __future__ import annotations

from pathlib import Path

import pytest

import grice
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.profiling.norms import NormComparison, compare_with_norms
from grice.storage.run import Run, join
from grice.theory.norms import norm_sources, norms, predicate_key, scale_key

E, N, C = NLI.labels


def compared(
    items: list[Item], answers: list[str], judge: str = "mine"
) -> dict[tuple[str, str], NormComparison]:
    data = Dataset.from_items("hand", NLI, items)
    run = Run.from_columns(data, judge, data.ids, answers)
    return {(one.kind, one.condition): one for one in compare_with_norms(join(data, run))}


def scalar(number: int, scale: str, condition: str = "W/not S") -> Item:
    return Item(
        f"s{number}",
        "It is weak.",
        "It is not strong.",
        tags={"scale": scale, "condition": condition},
    )


def test_the_rate_of_a_scale_stands_beside_peoples() -> None:
    scales = [
        "some - all",
        "some - all",
        "tired - exhausted",
        "warm - hot (thing)",
        "cheap - free",
        "top ten - top three",
    ]
    items = [scalar(i, scale) for i, scale in enumerate(scales)] + [scalar(9, "some - all", "S/W")]
    found = compared(items, [E, E, N, N, E, E, N])["scale", "weak"]
    rates = {
        row.people.key: (row.model_mean.value, row.model_mean.n, row.people.mean)
        for row in found.rows
    }
    assert rates["some/all"] == (1.0, 2, norms("scale")["some/all", "weak"].mean)
    assert set(rates) == {"some/all", "tired/exhausted", "warm/hot", "cheap/free"}
    assert found.pearson is not None and found.pearson.n == 4 and found.pearson.value > 0.8
    assert found.spearman is not None and found.ceiling is not None and 0.9 < found.ceiling < 1
    assert "van Tiel" in found.source.citation
    assert found.rows[0].difference == pytest.approx(1 - rates["some/all"][2])


def test_projection_is_by_predicate_and_operator_under_either_name_of_it() -> None:
    def item(number: int, word: str, operator: str, presupposition: str = "positive") -> Item:
        tags = {
            "word": word,
            "operator": operator,
            "role": "target",
            "presupposition": presupposition,
            "phenomenon": "factives",
        }
        return Item(f"p{number}", "Does Ann know that it rains?", "It rains.", tags=tags)

    items = [
        item(0, "know", "interrogative"),
        item(1, "be annoyed", "interrogative"),
        item(2, "discover", "negated"),
        item(3, "know", "unembedded"),
        item(4, "know", "negated", "negated"),
    ]
    found = compared(items, [E, N, C, E, E])
    question = found["projection", "question"]
    assert [(row.people.key, row.model_mean.value) for row in question.rows] == [
        ("know", 1.0),
        ("be_annoyed", 0.0),
    ]
    assert [(row.people.key, row.model_mean.n) for row in question.classes] == [
        ("class: factive", 2)
    ]
    assert [row.people.key for row in found["projection", "negation"].rows] == ["discover"]
    assert ("projection", "") in found and ("projection", "unembedded") not in found


def test_veridicality_counts_neutral_as_one_half_as_maybe_does() -> None:
    items = [
        Item(
            f"v{i}",
            "He managed to win.",
            "He won.",
            tags={"construction": c, "environment": e, "signature": s},
        )
        for i, (c, e, s) in enumerate(
            [
                ("manage to", "positive", "+/-"),
                ("manage to", "negative", "+/-"),
                ("know that", "positive", "+/+"),
            ]
        )
    ]
    found = compared(items, [E, C, N])
    assert [
        (row.people.key, row.model_mean.value) for row in found["happened", "positive"].rows
    ] == [("manage to", 1.0), ("know that", 0.5)]
    assert {row.people.key for row in found["happened", "negative"].classes} == {"signature: +/-"}
    assert found["happened", ""].pearson is not None


def test_words_without_norms_give_no_comparison() -> None:
    assert compared([scalar(0, "top ten - top three")], [E]) == {}
    assert compared([Item("a", "It rains.", "It is wet.")], [E]) == {}


def test_every_kind_of_norm_says_where_it_comes_from_and_is_a_number_of_people() -> None:
    for kind, source in norm_sources().items():
        assert source.question and source.citation and source.licence
        assert norms(kind)
        for norm in norms(kind).values():
            assert 0 <= norm.mean <= 1 and norm.sd >= 0 and norm.n >= 2, norm
    assert (scale_key("some - all"), scale_key("some/all"), predicate_key("annoyed that")) == (
        "some/all",
        "some/all",
        "be_annoyed",
    )


def test_fresh_pairs_of_the_generator_meet_norms_of_all_three_kinds() -> None:
    """What a page on a machine without the published files can show."""
    run = grice.judge("core@0", "baseline/overlap", into=None)
    data = grice.load("core@0")
    kinds = {
        one.kind: one for one in compare_with_norms(join(data, run)) if one.rows or one.classes
    }
    assert set(kinds) == {"scale", "projection", "follows", "happened"}


def test_the_suite_of_norms_has_only_scales_that_people_were_asked_about() -> None:
    data = grice.load("people@3", groups=40)
    scales = {scale_key(scale) for scale in data.frame["tag.scale"].drop_nulls()}
    assert {"some/all", "start/finish", "believe/know", "tired/exhausted"} <= scales
    assert all((scale, "weak") in norms("scale") for scale in scales)
    found = {
        one.kind: one
        for one in compare_with_norms(
            join(data, grice.evaluate(data, grice.load_judge("baseline/overlap")))
        )
    }
    assert len(found["scale"].rows) >= 10 and len(found["happened"].rows) >= 5


@pytest.mark.published
def test_the_norms_are_those_the_published_files_give(data_folder: Path) -> None:
    from tools.norms import tables

    from grice.theory.norms import WORDS

    assert data_folder.is_dir()
    for name, text in tables().items():
        assert (WORDS / name).read_text(encoding="utf-8") == text, "run: python -m tools.norms"
