"""Answers by prompt variant: variant answers as rows, and the sensitivity of a result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from grice.core.errors import InputError
from grice.core.estimate import Estimate

METHOD = "tag.method"
# Factors of a method in display order, with the level of the plain variant.
PLAIN = {"wording": "1", "readout": "words", "labels": "own", "order": "0", "context": "zero"}
ROBUST, DEPENDS, UNKNOWN = METHOD_VERDICTS = ("robust", "depends on the method", "inconclusive")


def parse_method(name: str) -> dict[str, str]:
    """Return the level of each factor of a prompt variant such as `wording=2,order=1`.

    `plain` has the first level of each.

    >>> parse_method("wording=2,readout=letter")["readout"]
    'letter'
    """
    named = () if name in ("", "plain") else name.split(",")
    return {**PLAIN, **dict(part.split("=", 1) for part in named)}


def has_methods(frame: pl.DataFrame) -> bool:
    """Return whether joined judgements hold the answers of several prompt variants."""
    return "cells" in frame.columns and frame["cells"].null_count() < frame.height


def expand_methods(frame: pl.DataFrame, *, samples: bool = False) -> pl.DataFrame:
    """Return joined judgements with one row per item and prompt variant, in place of their mean.

    The method is in the tag `method`, its factors are in `method.wording`, `method.readout` and so
    on. With `samples`, a repeated question has one row per sample.
    """
    if not has_methods(frame):
        raise InputError(
            "no run has several prompt variants; run grice judge with -M methods=quick"
        )
    judged = frame.filter(pl.col("cells").is_not_null())
    labels = [column.removeprefix("p.") for column in frame.columns if column.startswith("p.")]
    rows = [
        _row(position, answer, labels)
        for position, cells in enumerate(judged["cells"])
        for cell in json.loads(cells)
        for answer in (_drawn(cell) if samples else [cell])
    ]
    by_method = pl.DataFrame(rows, infer_schema_length=None, schema_overrides=_types(labels))
    rest = judged.drop(
        *(column for column in by_method.columns if column in judged.columns), "cells"
    ).with_row_index("place")
    return rest.join(
        by_method.with_columns(pl.col("place").cast(pl.UInt32)), on="place", maintain_order="right"
    ).drop("place")


def _drawn(cell: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return one answer per sample of a repeated question; otherwise the answer itself."""
    shares, count = cell.get("probs") or {}, cell.get("samples", 0)
    samples: list[Mapping[str, Any]] = [
        {"method": cell["method"], "answer": label}
        for label, p in shares.items()
        for _ in range(round(p * count))
    ]
    return samples or [cell]


def _row(index: int, cell: Mapping[str, Any], labels: list[str]) -> dict[str, Any]:
    number = isinstance(cell.get("answer"), int | float)
    return {
        "place": index,
        METHOD: cell["method"],
        **{f"{METHOD}.{factor}": level for factor, level in parse_method(cell["method"]).items()},
        "answer": None if number else cell.get("answer"),
        "value": cell.get("answer") if number else None,
        "fault": cell.get("fault"),
        "mass": cell.get("mass"),
        **{f"p.{label}": (cell.get("probs") or {}).get(label) for label in labels},
    }


def _types(labels: list[str]) -> dict[str, Any]:
    numbers = dict.fromkeys(("value", "mass", *(f"p.{label}" for label in labels)), pl.Float64)
    return {"place": pl.Int64, "answer": pl.String, "fault": pl.String, **numbers}


@dataclass(frozen=True)
class VarianceComponent:
    """Variation of answers with one factor, as a standard deviation with its interval.

    `levels` holds the mean of each level.
    """

    source: str
    deviation: Estimate
    levels: Mapping[str, Estimate]


@dataclass(frozen=True)
class MethodEffects:
    """Sensitivity of a mean to the prompt: its intervals and the sources of its variance.

    `mean` has the usual interval, `new_wording` one that includes the variance of a new wording.
    `verdict` says whether the mean is on its side of `threshold` for all of them. `methods` has the
    mean under each prompt variant, the least favourable first.
    """

    judge: str
    what: str
    threshold: float
    mean: Estimate
    new_wording: Estimate
    components: tuple[VarianceComponent, ...]
    verdict: str
    methods: Mapping[str, Estimate]

    @property
    def worst(self) -> tuple[str, Estimate]:
        """Method with the lowest mean, and that mean."""
        return next(iter(self.methods.items()))

    @property
    def best(self) -> tuple[str, Estimate]:
        """Method with the highest mean, and that mean."""
        return list(self.methods.items())[-1]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {
            "judge": self.judge,
            "what": self.what,
            "threshold": self.threshold,
            "mean": self.mean.to_json(),
            "new wording": self.new_wording.to_json(),
            "components": [
                {
                    "source": component.source,
                    "deviation": component.deviation.to_json(),
                    "levels": {name: level.to_json() for name, level in component.levels.items()},
                }
                for component in self.components
            ],
            "verdict": self.verdict,
            "most favourable": {"method": self.best[0], **self.best[1].to_json()},
            "least favourable": {"method": self.worst[0], **self.worst[1].to_json()},
            "methods": {name: estimate.to_json() for name, estimate in self.methods.items()},
        }

    def summary(self) -> dict[str, Any]:
        """Return a row of a leaderboard: mean, interval for a new wording, verdict, extremes."""
        return {
            "judge": self.judge,
            "what": self.what,
            "value": self.mean.value,
            "n": self.mean.n,
            "low": self.new_wording.low,
            "high": self.new_wording.high,
            "verdict": self.verdict,
            "methods": len(self.methods),
            "most favourable": self.best[0],
            "least favourable": self.worst[0],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each source of variance and each level, for the terminal."""
        named = [("all methods", "", self.mean), ("a new wording", "", self.new_wording)]
        for part in self.components:
            named.append((f"deviation by {part.source}", "", part.deviation))
            named += [(part.source, level, estimate) for level, estimate in part.levels.items()]
        return [
            {"source": source, "level": level, **_rounded(estimate)}
            for source, level, estimate in named
        ]


def _rounded(estimate: Estimate) -> dict[str, Any]:
    ends = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    rounded = {key: None if end is None else round(end, 3) for key, end in ends.items()}
    return {**rounded, "n": estimate.n}
