"""Answers by each way of asking: the cells of judgements as rows, and what a result rests on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from grice.core.errors import InputError
from grice.core.estimate import Estimate

METHOD = "tag.method"
# The factors of a method in the order in which they are told, with the level of the plain way.
PLAIN = {"wording": "1", "readout": "words", "labels": "own", "order": "0", "context": "zero"}


def parse_method(name: str) -> dict[str, str]:
    """The level of each factor of a method by its name, `wording=2,order=1`; `plain` has the first of each.

    >>> parse_method("wording=2,readout=letter")["readout"]
    'letter'
    """
    given = dict(part.split("=", 1) for part in name.split(",")) if name and name != "plain" else {}
    return {**PLAIN, **given}


def expand_methods(frame: pl.DataFrame) -> pl.DataFrame:
    """Joined judgements with a row for each method that an item was asked by, in place of their mean.

    The method stands in the tag `method`, its factors in `method.wording`, `method.readout` and so on.
    """
    asked = frame.filter(pl.col("cells").is_not_null()) if "cells" in frame.columns else frame.head(0)
    if asked.is_empty():
        raise InputError("no run was asked by several methods; judge with -M methods=quick")
    labels = [column.removeprefix("p.") for column in frame.columns if column.startswith("p.")]
    rows = []
    for place, cells in enumerate(asked["cells"].to_list()):
        rows += [_row(place, cell, labels) for cell in json.loads(cells)]
    made = pl.DataFrame(rows, infer_schema_length=None, schema_overrides=_types(labels))
    rest = asked.drop(*(column for column in made.columns if column in asked.columns), "cells").with_row_index("place")
    return rest.join(made.with_columns(pl.col("place").cast(pl.UInt32)), on="place", maintain_order="right").drop(
        "place"
    )


def _row(place: int, cell: Mapping[str, Any], labels: list[str]) -> dict[str, Any]:
    number = isinstance(cell.get("answer"), int | float)
    return {
        "place": place,
        METHOD: cell["method"],
        **{f"{METHOD}.{factor}": level for factor, level in parse_method(cell["method"]).items()},
        "answer": None if number else cell.get("answer"),
        "value": cell.get("answer") if number else None,
        "fault": cell.get("fault"),
        "mass": cell.get("mass"),
        **{f"p.{label}": (cell.get("probs") or {}).get(label) for label in labels},
    }


def _types(labels: list[str]) -> dict[str, Any]:
    numbers = {"value": pl.Float64, "mass": pl.Float64, **{f"p.{label}": pl.Float64 for label in labels}}
    return {"place": pl.Int64, "answer": pl.String, "fault": pl.String, **numbers}


@dataclass(frozen=True)
class VarianceComponent:
    """How much answers vary with one thing, as a standard deviation with its interval; `levels` are their means."""

    source: str
    deviation: Estimate
    levels: Mapping[str, Estimate]


@dataclass(frozen=True)
class MethodEffects:
    """What a mean rests on: its usual interval, one that a new wording stays within, and where its variance is from.

    `verdict` is `robust`, `depends on the method` or `cannot be told`, of the claim that the mean is on its side of `threshold`.
    """

    judge: str
    what: str
    threshold: float
    mean: Estimate
    new_wording: Estimate
    components: tuple[VarianceComponent, ...]
    verdict: str
    best: tuple[str, Estimate]
    worst: tuple[str, Estimate]

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON values."""
        return {
            "judge": self.judge,
            "what": self.what,
            "threshold": self.threshold,
            "mean": self.mean.to_json(),
            "new wording": self.new_wording.to_json(),
            "components": [
                {"source": one.source, "deviation": one.deviation.to_json(),
                 "levels": {name: level.to_json() for name, level in one.levels.items()}}
                for one in self.components
            ],
            "verdict": self.verdict,
            "most favourable": {"method": self.best[0], **self.best[1].to_json()},
            "least favourable": {"method": self.worst[0], **self.worst[1].to_json()},
        }  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """A row for each source of variance and each level, for the terminal."""
        made = [
            {"source": "all methods", "level": "", **_told(self.mean)},
            {"source": "a new wording", "level": "", **_told(self.new_wording)},
        ]
        for one in self.components:
            made.append({"source": f"deviation by {one.source}", "level": "", **_told(one.deviation)})
            made += [{"source": one.source, "level": name, **_told(level)} for name, level in one.levels.items()]
        return made


def _told(estimate: Estimate) -> dict[str, Any]:
    ends = {"low": estimate.low, "high": estimate.high}
    kept = {key: None if end is None else round(end, 3) for key, end in ends.items()}
    return {"value": round(estimate.value, 3), **kept, "n": estimate.n}
