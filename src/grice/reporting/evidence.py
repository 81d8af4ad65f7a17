"""Data that the page carries compressed: items with all judges' answers, and figures to draw."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

import polars as pl

from grice.core.dataset import GOLD, TAG, Dataset
from grice.core.measure import Score
from grice.reporting import serial
from grice.reporting.chart import NARROW, WIDE, spec
from grice.reporting.figures import notes
from grice.reporting.model import Figure, Number

# A column with at most this many values becomes a filter.
MOST_VALUES = 400


def deflate(text: str) -> str:
    """Return a text as base64 of its deflated bytes, which a browser reads without a library."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _packed(value: Any) -> str:
    return deflate(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def pack(parts: Sequence[tuple[Dataset, pl.DataFrame]]) -> str:
    """Pack datasets with their joined frames."""
    return _packed([code_items(data, frame) for data, frame in parts])


def pack_figures(figures: Sequence[Figure]) -> str:
    """Pack figures with their specifications for page and phone, numbers, and tables."""
    return _packed(list(map(_figure, figures)))


def _figure(figure: Figure) -> dict[str, Any]:
    wide, narrow = spec(figure, WIDE), spec(figure, NARROW)
    rows, phone_rows = wide.pop("datasets"), narrow.pop("datasets")
    scores = list(dict.fromkeys(filter(None, map(_score, figure.numbers))))
    return {
        "id": figure.id,
        "title": figure.title,
        "finding": figure.finding,
        "note": notes(figure),
        "kind": figure.kind,
        "domain": list(figure.domain),
        "order": figure.rows,
        "datasets": rows,
        **({"phone": phone_rows} if phone_rows != rows else {}),
        "wide": wide,
        "narrow": narrow,
        "scores": list(map(serial.to_json, scores)),
        "numbers": [_number(number, scores) for number in figure.numbers],
        "csv": figure.table.render("csv"),
        "tex": figure.table.render("tex"),
        "md": figure.table.render("md"),
    }


def _score(number: Number) -> Score | None:
    """Return the score by which the page computes a number from chosen items.

    A number on a plane has none, because its place is two other numbers.
    """
    return number.metric.score if number.metric and number.x is None else None


def _number(number: Number, scores: Sequence[Score]) -> dict[str, Any]:
    """Return a number with its names, its place, its score and the address of its items."""
    estimate = number.estimate
    fields: dict[str, Any] = {
        "row": number.row,
        "series": number.series,
        "judge": number.judge,
        **(estimate.to_json() if estimate else {"value": None, "n": 0, "low": None, "high": None}),
    }
    if number.x is not None:
        fields |= {"x": number.x, "y": number.y}
    if number.paradigms is not None:
        fields |= {"paradigms": number.paradigms, "sure": number.sure}
    score = _score(number)
    if score is not None:
        fields["score"] = scores.index(score)
    return {**fields, "gated": number.gated, "items": number.query.href}


def code_items(data: Dataset, frame: pl.DataFrame) -> dict[str, Any]:
    """Encode one dataset compactly for the page.

    Each text is stored once, each label and tag as an index into its values, and probabilities in
    thousandths.
    """
    items = frame.unique("id", keep="first", maintain_order=True)
    texts, places = _texts(items)
    judges = frame["judge"].unique(maintain_order=True).to_list()
    filters = [
        c for c in items.columns if c.startswith((TAG, GOLD)) and items.schema[c] != pl.Float64
    ]
    coded = {name: _coded(items[name]) for name in filters}
    return {
        "name": data.name,
        "n": items.height,
        "id": items["id"].to_list(),
        "texts": texts,
        "premise": places[0],
        "hypothesis": places[1],
        "group": _groups(items["group"]),
        "labels": list(data.scale.labels),
        "columns": {
            name: column
            for name, column in coded.items()
            if column and len(column["values"]) <= MOST_VALUES
        },
        "numbers": {
            c: _rounded(items[c]) for c in items.columns if c.startswith(GOLD) and c not in filters
        },
        "judges": [
            _judge(items, frame.filter(pl.col("judge") == judge), judge, data) for judge in judges
        ],
    }


def _texts(items: pl.DataFrame) -> tuple[list[str], tuple[list[int], list[int]]]:
    """Return the distinct sentences, and the indices of each item's premise and hypothesis.

    A paradigm repeats four sentences in twelve pairs.
    """
    both = pl.concat([items["premise"], items["hypothesis"].fill_null("")])
    texts = both.unique(maintain_order=True)
    number = dict(zip(texts, range(len(texts)), strict=True))
    first = [number[text] for text in items["premise"]]
    return texts.to_list(), (first, [number[text] for text in items["hypothesis"].fill_null("")])


def _groups(groups: pl.Series) -> list[int]:
    """Return a number for each paradigm, −1 for an item of none."""
    named = groups.unique(maintain_order=True).drop_nulls()
    number = dict(zip(named, range(len(named)), strict=True))
    return [-1 if group is None else number[group] for group in groups]


def _coded(series: pl.Series) -> dict[str, Any] | None:
    """Return the values of a column and each item's index among them.

    The index is −1 for null, and a list if the column holds several values.
    """
    several = series.dtype == pl.List(pl.String)
    flat = series.explode() if several else series
    values = flat.drop_nulls().unique().sort().to_list()
    number = {value: i for i, value in enumerate(values)}
    codes: list[Any] = [
        -1 if cell is None else [number[v] for v in cell] if several else number[cell]
        for cell in series.to_list()
    ]
    return {"values": values, "codes": codes} if values else None


def _judge(items: pl.DataFrame, replies: pl.DataFrame, judge: str, data: Dataset) -> dict[str, Any]:
    """Return a judge's answers in the order of the items, with numbers and faults if any."""
    probs = [f"p.{label}" for label in data.scale.labels if f"p.{label}" in replies.columns]
    rows = items.select("id").join(
        replies.select("id", "answer", "value", "fault", *probs),
        on="id",
        how="left",
        maintain_order="left",
    )
    number = {label: i for i, label in enumerate(data.scale.labels)}
    answers: dict[str, Any] = {
        "name": judge,
        "answer": [-1 if a is None else number.get(a, -1) for a in rows["answer"]],
    }
    if probs and rows[probs[0]].null_count() < rows.height:
        answers["probs"] = [
            (rows[p].fill_null(0.0) * 1000).round().cast(pl.Int64).to_list() for p in probs
        ]
    if rows["value"].null_count() < rows.height:
        answers["value"] = _rounded(rows["value"])
    if rows["fault"].null_count() < rows.height:
        answers["fault"] = {i: fault for i, fault in enumerate(rows["fault"]) if fault is not None}
    return answers


def _rounded(series: pl.Series) -> list[float | None]:
    return series.round(3).to_list()
