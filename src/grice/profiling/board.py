"""The numbers of a board: what each judge gets in each chapter and whether that tells anything, and every pair compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import polars as pl

from grice.analysis.calibration import calibration
from grice.analysis.human_likeness import human_likeness
from grice.analysis.pearson import pearson
from grice.analysis.statistics.blind import excess, right, row_column
from grice.analysis.statistics.paired import compare_pairs, holm
from grice.core.dataset import Dataset, select
from grice.core.estimate import Estimate
from grice.core.ratings import read_replies
from grice.core.run import Run, join
from grice.core.table import tabulate
from grice.profiling.chapter import load_chapters
from grice.profiling.chapters.people import FEWEST_WORDS, TITLES
from grice.profiling.differences import READINGS
from grice.profiling.gate import open_gate
from grice.profiling.norms import compare_with_norms
from grice.profiling.phrases import is_above
from grice.profiling.sheets import AGREED, AnswerSheet, plain_name
from grice.reporting.board import BoardColumn, slug
from grice.reporting.claims import Claim
from grice.reporting.model import Profile

# Another reading of the same items would be a column that says the same twice.
LEFT_OUT = ("stated",)
NOT_ABOVE = "its interval reaches 0, which is what one gets without reading"
PEOPLE = "tag.people"
Cell = dict[str, Any]


def board_entry(judge: str, profiled: Sequence[tuple[Profile, AnswerSheet]]) -> dict[str, Any]:
    """All that a board says of one judge, from a profile of it alone for each dataset."""
    found = [one for profile, sheet in profiled for one in _standings(sheet, _claims(profile))]
    runs = [sheet.runs[0] for _, sheet in profiled]
    counts = {key: sum(getattr(run, key) for run in runs) for key in ("asked", "answered", "faults", "open")}
    return {
        "judge": judge,
        **counts,
        "data": [run.dataset for run in runs],
        "columns": [column.to_json() for column, _ in found],
        "cells": {column.id: cell for column, cell in found},
        "rows": {slug(f"{s.id}--{sheet.data.name}"): _rows(one, s.id) for one, sheet in profiled for s in one.sections},
    }


def compare_all(
    data: Dataset, runs: Sequence[Run], columns: Iterable[BoardColumn], known: Mapping[tuple[str, str, str], Any]
) -> list[dict[str, Any]]:
    """Every judge against every other in each column of a dataset; what is `known` by column and judges is taken over."""
    found = []
    frame = join(data, *runs)
    for column in columns:
        if not column.reading:
            continue
        pairs = list(combinations([run.judge for run in runs], 2))
        new = [pair for pair in pairs if (column.id, *pair) not in known]
        rows = _rows_of(frame, column) if new else frame.clear()
        made = {(one.a, one.b): one for one in compare_pairs(rows, new, reading=column.reading)} if new else {}
        for pair in pairs:
            if one := known.get((column.id, *pair)):
                found.append(dict(one))
            elif pair in made:
                difference = made[pair]
                rest = {"only_a": difference.only_a, "only_b": difference.only_b, "p": difference.p}
                found.append(
                    {"column": column.id, "a": pair[0], "b": pair[1], **_numbers(difference.difference), **rest}
                )
    return found


def correct_pairs(pairs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Holm's correction over all pairs of judges of a column."""
    corrected = []
    for column in dict.fromkeys(pair["column"] for pair in pairs):
        mine = [pair for pair in pairs if pair["column"] == column]
        corrected += [{**one, "holm": p} for one, p in zip(mine, holm([one["p"] for one in mine]), strict=True)]
    return corrected


def _standings(sheet: AnswerSheet, claims: Mapping[str, Sequence[Claim]]) -> list[tuple[BoardColumn, Cell]]:
    """Each column that a dataset gives, with the judge's cell in it."""
    return [*_accuracies(sheet, claims), *_calibrated(sheet, claims), *_with_people(sheet, claims)]


def _accuracies(sheet: AnswerSheet, claims: Mapping[str, Sequence[Claim]]) -> Iterator[tuple[BoardColumn, Cell]]:
    data, frame = sheet.data, sheet.frame
    kinds = frame["tag.kind"].drop_nulls().unique(maintain_order=True).to_list() if sheet.has("tag.kind") else [""]
    labelled = [name for name, scale in data.readings.items() if scale == data.scale and not scale.numeric]
    readings = [name for name in READINGS if name in labelled and name not in LEFT_OUT] or labelled[:1]
    for kind in kinds:
        where = {"kind": kind} if kind else {}
        mine = select(frame, where)
        where |= {"role": "target"} if sheet.has("tag.role") and "target" in set(mine["tag.role"]) else {}
        for reading in readings:
            gold = f"gold.{reading}"
            if mine[gold].null_count() == mine.height:
                continue
            chapter, title = _place(kind, reading, claims)
            column = BoardColumn(chapter, title, data.name, f"accuracy:{reading}", where)
            cell = _cell(frame, column, judge=sheet.judges[0])
            if cell:
                yield column, {**cell, **_told(claims.get(chapter, ()), mine.drop_nulls(gold), gold, sheet)}


def _cell(frame: pl.DataFrame, column: BoardColumn, judge: str) -> Cell:
    """The share right as `grice table` has it, and what the same answers would get without reading; nothing without answers."""
    gold = f"gold.{column.reading}"
    table = tabulate("", _rows_of(frame, column), column.measure)
    found = table.cell((), judge)
    if found is None:
        return {}
    mine = select(frame, {key: value for key, value in column.where.items() if key == "kind"}).drop_nulls(gold)
    by = row_column(mine)
    of = pl.col("tag.role") == "target" if "role" in column.where else None
    twin = excess(mine, right(gold), over=[by] if by else [], of=of)
    return {**_numbers(found), "blind": twin.twin if twin else None}


def _told(claims: Sequence[Claim], mine: pl.DataFrame, gold: str, sheet: AnswerSheet) -> Cell:
    """The verdicts of the chapter, and why its first claim is not made; data without a chapter have a gate of their own."""
    if claims:
        first = claims[0]
        verdicts = [claim.verdict for claim in claims if claim.made]
        reason = "" if first.made else (first.gate.reasons[0] if first.gate and first.gate.reasons else first.text)
        return {"verdicts": list(dict.fromkeys(verdicts)), "reason": reason}
    by = row_column(mine)
    gate = open_gate(mine, right(gold), gold, strata=[by] if by else [], balance=gold, labels=sheet.data.scale.labels)
    return {"verdicts": ["right"] if gate.open else [], "reason": next(iter(gate.reasons), "")}


def _calibrated(sheet: AnswerSheet, claims: Mapping[str, Sequence[Claim]]) -> list[tuple[BoardColumn, Cell]]:
    """The gap between confidence and accuracy, where the judge gives probabilities."""
    mine = sheet.first
    probs = [c for c in mine.columns if c.startswith("p.")]
    if "certainty" not in claims or AGREED not in mine.columns or not probs:
        return []
    rows = mine.drop_nulls(AGREED)
    found = calibration("ece", AGREED.removeprefix("gold."))(rows)
    column = BoardColumn("certainty", _title("certainty"), sheet.data.name, "calibration:ece")
    told = _told(claims["certainty"][:1], rows, AGREED, sheet)
    return [(column, {**_numbers(found), "blind": None, **told})] if found else []


def _with_people(sheet: AnswerSheet, claims: Mapping[str, Sequence[Claim]]) -> Iterator[tuple[BoardColumn, Cell]]:
    """How far the judge goes with people: over words of published experiments, or over the data's own ratings."""
    judge, data = sheet.judges[0], sheet.data
    norms = {one.kind: one for one in compare_with_norms(sheet.frame)} if not data.scale.numeric else {}
    found = {
        f"norms:{kind}": (one.spearman, _reason(one.spearman, [c for c in claims.get("people", ()) if c.text.startswith(TITLES[kind])]))
        for kind, one in norms.items()
        if one.spearman and len(one.rows) >= FEWEST_WORDS
    }  # fmt: skip
    mine = sheet.frame.filter(judge=judge)
    rated = PEOPLE in mine.columns and not read_replies(mine, "people").drop_nulls("value").is_empty()
    numeric = [name for name, scale in data.readings.items() if scale.numeric]
    measure = human_likeness("people") if rated else pearson(numeric[0]) if numeric and data.scale.numeric else None
    if measure and (likeness := measure(mine)):
        of_people = [claim for claim in claims.get("certainty", ()) if "people" in claim.text]
        found[measure.name] = (likeness, _reason(likeness, of_people))
    for name, (estimate, reason) in found.items():
        column = BoardColumn("people", _title("people"), data.name, name)
        yield column, {**_numbers(estimate), "blind": 0.0, "verdicts": [], "reason": reason}


def _reason(found: Estimate, claims: Sequence[Claim]) -> str:
    """Why a correlation with people tells nothing: what the page says of it, or that it may be 0."""
    gate = claims[0].gate if claims else None
    if gate is not None:
        return "" if claims[0].made else next(iter(gate.reasons), claims[0].text)
    return "" if is_above(found, 0.0) else NOT_ABOVE


def _rows_of(frame: pl.DataFrame, column: BoardColumn) -> pl.DataFrame:
    return select(frame, column.where).drop_nulls(f"gold.{column.reading}")


def _numbers(found: Estimate) -> Cell:
    return {**found.to_json(), "paradigms": found.paradigms}


def _claims(profile: Profile) -> dict[str, list[Claim]]:
    """The claims of a profile by chapter; those without a gate only describe."""
    return {
        one.id: [claim for claim in profile.claims if claim.section == one.id and claim.gate]
        for one in profile.sections
    }


def _title(chapter: str) -> str:
    return next(one.title for one in load_chapters() if one.name == chapter)


def _place(kind: str, reading: str, claims: Mapping[str, Sequence[Claim]]) -> tuple[str, str]:
    """The chapter of a kind of items and its title: the one so called, or where items have no kind one that needs the reading."""
    for chapter in load_chapters():
        fits = chapter.name == kind if kind else f"gold.{reading}" in chapter.needs
        if chapter.name in claims and fits:
            return chapter.name, chapter.title
    plain = plain_name(kind)
    return ("other", "Other data") if not kind else (slug(kind), f"{plain[:1].upper()}{plain[1:]}")


def _rows(profile: Profile, section: str) -> list[dict[str, Any]]:
    """A section's rows in the overview: each phenomenon with its number, and what it would be without reading."""
    figure = next((one for one in profile.overview if one.id == f"overview-{section}"), None)
    if figure is None:
        return []
    blind = {(mark.row, mark.series): mark.value for mark in figure.marks if mark.blind}
    return [
        {
            "row": number.row,
            "series": number.series,
            **_numbers(number.estimate),
            "blind": blind.get((number.row, number.series)),
            "gated": number.gated,
        }
        for number in figure.numbers
        if number.judge == profile.judges[0] and number.estimate
    ]
