"""Numbers of a leaderboard: those of each model's claims, and all pairwise comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import polars as pl

from grice.analysis.statistics.paired import compare_pairs, holm
from grice.core.dataset import Dataset, select
from grice.core.estimate import Estimate
from grice.profiling.chapter import load_chapters
from grice.profiling.sheets import with_agreed
from grice.reporting.board import BoardColumn, BoardQuestion, slug
from grice.reporting.claims import Claim
from grice.reporting.model import MarkKind, Profile, ProfileSection
from grice.reporting.question import QuestionRow, ScaleRow
from grice.reporting.sentences import reason_text
from grice.storage.run import Run, join

BoardCell = dict[str, Any]


def board_entry(judge: str, runs: Sequence[Run], profiles: Sequence[Profile]) -> dict[str, Any]:
    """Return the entry of one model on a leaderboard.

    Where several profiles have the same column, the first profile's number is used.
    """
    cells_by_id = {
        column.id: (column, cell)
        for profile in reversed(profiles)
        for column, cell in _cells(profile)
    }
    counts = {
        key: sum(getattr(run, key) for run in runs)
        for key in ("asked", "answered", "faults", "open")
    }
    return {
        "judge": judge,
        **counts,
        "data": [run.dataset for run in runs],
        "columns": [column.to_json() for column, _ in cells_by_id.values()],
        "cells": {key: cell for key, (_, cell) in cells_by_id.items()},
        "questions": list(
            {
                row["question"]["id"]: row
                for profile in reversed(profiles)
                for row in _questions(profile)
            }.values()
        ),
        "rows": {
            _page(section): _rows(profile, section.group)
            for profile in reversed(profiles)
            for section in profile.sections
        },
    }


def compare_all(
    data: Dataset,
    runs: Sequence[Run],
    columns: Iterable[BoardColumn],
    known: Mapping[tuple[str, str, str], Any],
) -> list[dict[str, Any]]:
    """Compare every two models in each column of a dataset.

    Comparisons in `known`, by column and models, are reused.
    """
    comparisons = []
    frame = with_agreed(join(data, *runs), data)
    for column in columns:
        if not column.reading:
            continue
        pairs = list(combinations([run.judge for run in runs], 2))
        new = [pair for pair in pairs if (column.id, *pair) not in known]
        rows = _rows_of(frame, column) if new else frame.clear()
        compared = (
            {
                (comparison.a, comparison.b): comparison
                for comparison in compare_pairs(rows, new, reading=column.reading)
            }
            if new
            else {}
        )
        for pair in pairs:
            if known_pair := known.get((column.id, *pair)):
                comparisons.append(dict(known_pair))
            elif pair in compared:
                difference = compared[pair]
                rest = {"only_a": difference.only_a, "only_b": difference.only_b, "p": difference.p}
                comparisons.append(
                    {
                        "column": column.id,
                        "a": pair[0],
                        "b": pair[1],
                        **_numbers(difference.difference),
                        **rest,
                    }
                )
    return comparisons


def correct_pairs(pairs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Add p values with Holm's correction over all pairs of models in a column."""
    corrected = []
    for column in dict.fromkeys(pair["column"] for pair in pairs):
        column_pairs = [pair for pair in pairs if pair["column"] == column]
        corrected += [
            {**pair, "holm": p}
            for pair, p in zip(
                column_pairs, holm([pair["p"] for pair in column_pairs]), strict=True
            )
        ]
    return corrected


def _cells(profile: Profile) -> Iterator[tuple[BoardColumn, BoardCell]]:
    """Yield each number of the profile's claims as a column with the model's cell."""
    sections = {section.id: section for section in profile.sections}
    titles = {chapter.name: chapter.title for chapter in load_chapters()}
    for claim in profile.claims:
        section = sections[claim.section]
        for number in claim.numbers:
            data = number.data or section.data
            column = BoardColumn(
                section.chapter, titles[section.chapter], data, number.measure, number.where
            )
            reason = reason_text(number.reasons[0]) if number.reasons else _reason(claim)
            verdicts = [] if reason else [claim.verdict]
            yield (
                column,
                {
                    **_numbers(number.estimate),
                    "blind": number.blind,
                    "verdicts": verdicts,
                    "chip": claim.chip,
                    "headline": claim.headline,
                    "reason": reason,
                },
            )


def _questions(profile: Profile) -> Iterator[dict[str, Any]]:
    """Yield the rows of a profile's first screen: each question with the model's cell."""
    sections = {section.id: section for section in profile.sections}
    titles = {chapter.name: chapter.title for chapter in load_chapters()}
    screen = profile.first_screen
    rows: list[QuestionRow | ScaleRow] = [*screen.rows, *screen.scales]
    for row in rows:
        section, people = sections[row.section], None
        unit: str
        if isinstance(row, ScaleRow):
            estimate, unit, answer = row.estimate, row.unit, ""
        else:
            part, known = row.model.part(row.expected), row.people
            people = known.part(row.expected) if known else None
            estimate, unit, answer = part.estimate if part else None, "share", row.expected
        if estimate is None:
            continue
        question = BoardQuestion(
            slug(f"{_page(section)}--{row.column}"),
            _page(section),
            titles[section.chapter],
            section.data,
            row.column,
            answer,
            unit,
            _numbers(people.estimate) if people else None,
        )
        reason = {"verdict": "", "inconclusive": row.reason}.get(row.status, row.finding)
        cell = {**_numbers(estimate), "status": row.status, "chip": row.chip, "reason": reason}
        yield {"question": vars(question), "cell": cell}


def _reason(claim: Claim) -> str:
    """Return why a claim is not made, or "" if it is."""
    if claim.supported:
        return ""
    return reason_text(claim.gate.reasons[0]) if claim.gate and claim.gate.reasons else claim.text


def _rows_of(frame: pl.DataFrame, column: BoardColumn) -> pl.DataFrame:
    rows = select(frame, column.where).drop_nulls(f"gold.{column.reading}")
    parted = column.measure.startswith("share")
    return rows.filter(pl.col("gold.logical") != pl.col("gold.pragmatic")) if parted else rows


def _numbers(estimate: Estimate) -> BoardCell:
    return {**estimate.to_json(), "paradigms": estimate.paradigms}


def _page(section: ProfileSection) -> str:
    """Return the page name of a section's chapter, as columns use it."""
    return slug(f"{section.chapter}--{section.data}")


def _rows(profile: Profile, group: str) -> list[dict[str, Any]]:
    """Return a section's rows in the overview chart, each with its number and its baseline.

    The baseline is the mean score of the model's own answers, shuffled.
    """
    figure = profile.fingerprint
    if figure is None:
        return []
    shuffled = {
        mark.row: mark.value
        for mark in figure.marks
        if mark.kind is MarkKind.SHUFFLED and mark.series == group
    }
    return [
        {
            "row": number.row,
            "series": "",
            **_numbers(number.estimate),
            "blind": shuffled.get(number.row),
            "gated": number.gated,
        }
        for number in figure.numbers
        if number.judge == profile.judges[0] and number.series == group and number.estimate
    ]
