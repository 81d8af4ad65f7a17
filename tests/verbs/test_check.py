"""A set is checked by its name or as it is, and a phenomenon's own conditions are checked with it."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from grice.core.shelf import PHENOMENA
from grice.generate.suites import SUITES, balanced_conditions
from grice.loading import load
from grice.verbs.check import check


def test_a_dataset_and_its_name_give_the_same_report() -> None:
    assert check(load("quantifiers"), leaks=False) == check("quantifiers", leaks=False)


def test_a_phenomenon_whose_conditions_came_out_uneven_fails() -> None:
    data = load("quantifiers@3", groups="30")
    past = data.where(tense="past").head(12).ids
    uneven = data.frame.filter((pl.col("tag.tense") != "past") | pl.col("id").is_in(past))
    report = check(replace(data, frame=uneven), leaks=False)
    assert report.failed
    assert "tense: quantifiers: 'future' 10 and 'past' 1 of 21" in report.of("balance")[0].detail


@pytest.mark.parametrize("suite", SUITES)
def test_a_suite_promises_what_its_phenomena_promise(suite: str) -> None:
    declared = balanced_conditions(suite)
    assert declared["quantifiers"] == ("tense", "position")
    assert all(tuple(PHENOMENA.find(name).conditions) == tags for name, tags in declared.items())
    assert balanced_conditions(f"{suite}@7") == declared


def test_a_suite_in_which_one_phenomenon_came_out_uneven_fails() -> None:
    data = load("imppres@3", groups="12")
    assert not check(data, leaks=False).of("balance") or not check(data, leaks=False).failed
    lost = (pl.col("tag.phenomenon") == "only") & (pl.col("tag.tense") == "past")
    kept = data.frame.filter(lost)["group"].unique(maintain_order=True)[:1].to_list()
    report = check(
        replace(data, frame=data.frame.filter(~lost | pl.col("group").is_in(kept))), leaks=False
    )
    assert report.failed
    assert [f.detail for f in report.of("balance") if f.severity == "error"] == [
        "tense: only: 'future' 6 and 'past' 1 of 7"
    ]


def test_a_condition_that_one_phenomenon_of_a_suite_never_fills_is_named() -> None:
    data = load("imppres@3", groups="4")
    empty = (
        pl.when(pl.col("tag.phenomenon") == "only")
        .then(None)
        .otherwise(pl.col("tag.focus"))
        .alias("tag.focus")
    )
    report = check(replace(data, frame=data.frame.with_columns(empty)), leaks=False)
    assert report.of("slot never filled")[0].detail == "no item has a value for focus (only)"


def test_a_release_with_the_name_of_a_suite_promises_no_balance() -> None:
    made = load("imppres@3", groups="4")
    released = replace(made, name="imppres", frame=made.frame.drop("tag.tense"))
    assert not check(released, leaks=False).of("slot never filled")
    assert check(replace(released, name="imppres@3"), leaks=False).of("slot never filled")
