"""A set is checked by its name or as it is, and a phenomenon's own conditions are checked with it."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

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
