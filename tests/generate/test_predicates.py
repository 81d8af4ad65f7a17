"""The twenty predicates that people were asked about, in fresh sentences."""

from __future__ import annotations

import polars as pl

import grice
from grice.generate.phenomena.predicates import predicates
from grice.profiling.norms import compare_with_norms
from grice.storage.run import join
from grice.theory.norms import norms, predicate_key


def test_they_are_the_words_that_have_norms_under_every_operator() -> None:
    keys = {predicate_key(word) for word in predicates.conditions["word"]}
    assert keys == {key for key, _ in norms("follows") if ": " not in key and key != "all"}
    assert all(
        (key, operator) in norms("projection")
        for key in keys
        for operator in ("question", "negation", "modal", "conditional")
    )


def test_a_clause_is_asked_about_under_every_operator_and_the_sentence_as_its_control() -> None:
    frame = predicates.make(20, 3).frame
    inform = frame.filter(pl.col("tag.word") == "inform")
    targets = inform.filter(pl.col("tag.role") == "target")
    assert targets["tag.operator"].to_list() == [
        "unembedded",
        "negated",
        "interrogative",
        "modal",
        "conditional",
    ]
    assert targets["hypothesis"].n_unique() == 1 and targets["gold.class"].null_count() == 5
    assert all(" everyone that " in text for text in targets["premise"])
    assert inform.filter(pl.col("tag.role") == "control")["gold.class"].to_list() == [
        "contradiction",
        *("neutral", "neutral", "neutral"),
    ]
    pretend = frame.filter((pl.col("tag.word") == "pretend") & (pl.col("tag.role") == "target"))
    assert pretend["gold.class"].null_count() == 5
    right = frame.filter((pl.col("tag.word") == "be right") & (pl.col("tag.role") == "target"))
    assert right["gold.class"].to_list() == ["entailment"] + ["neutral"] * 4


def test_a_judge_of_fresh_sentences_stands_beside_people_by_predicate_and_by_operator() -> None:
    data = grice.load("people@0", groups=40).where(phenomenon="predicates")
    found = {
        (one.kind, one.condition): one
        for one in compare_with_norms(
            join(data, grice.evaluate(data, grice.load_judge("baseline/overlap")))
        )
    }
    assert {
        ("projection", name) for name in ("", "question", "negation", "modal", "conditional")
    } <= set(found)
    assert (
        len(found["projection", ""].rows) == 80 and len(found["projection", "question"].rows) == 20
    )
    assert len(found["follows", "positive"].rows) == 20
    assert {row.people.key for row in found["projection", "modal"].classes} == {
        "class: factive",
        "class: nonveridical nonfactive",
        "class: optionally factive",
        "class: veridical nonfactive",
    }


def test_the_claims_about_presuppositions_do_not_count_what_theory_leaves_open() -> None:
    from grice.profiling.build import build

    data = predicates.make(20, 3)
    made, _ = build([(data, [grice.evaluate(data, grice.load_judge("baseline/overlap"))])])
    assert {section.id for section in made.sections} >= {"people"}
    assert not any(section.id == "presupposition" for section in made.sections)
