"""Comparison of two judges on the same items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grice.core.estimate import Estimate
from grice.core.methods import MethodEffects
from grice.core.ratings import ABOVE_CEILING
from grice.tables.tabular import FEW, Grid, Tabular, estimate_text, few_paradigms, signed_text

# Significance level after correction.
BESIDE_PEOPLE = ("human_likeness", "energy", "brier")
# Measures for which lower is better.
DISTANCES = ("energy", "brier", "mse", "calibration", "instability")


@dataclass(frozen=True)
class PairedDifference:
    """Difference between judge `a` and judge `b` on the items that both answered, for one stratum.

    It is a difference in accuracy, or in a measure of agreement with people. `only_a` and `only_b`
    count the items that only one judge has right, or on which it is nearer to people. `p` is a
    two-sided test that swaps the judges paradigm by paradigm (McNemar's mid-p for single items);
    the interval excludes 0 exactly where p < 0.05. `holm` is p after Holm's correction over the
    strata. `paradigms` is the number of paradigms of the n items.
    """

    stratum: str
    a: str
    b: str
    difference: Estimate
    only_a: int
    only_b: int
    p: float
    holm: float
    paradigms: int

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {**vars(self), "difference": self.difference.to_json()}


@dataclass(frozen=True, repr=False)
class Comparison(Tabular):
    """The first run `a` minus the second `b`: overall, and within each value of the tag `group_by`.

    `accuracy` holds each judge's accuracy, or its value of another `measure`; `blind` the
    shuffled-answer baselines; `items` those that the two answer differently. `methods` holds the
    sensitivity of each difference where both were asked with several prompt variants, paired by
    item and variant.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> runs = grice.judge(data, ["baseline/overlap", "baseline/random"], into=None)
    >>> found = grice.compare(*runs, reading="logical", group_by="role")
    >>> [row.stratum or "all" for row in found.rows]
    ['all', 'balance', 'control', 'target']
    """

    dataset: str
    reading: str
    a: str
    b: str
    group_by: str
    accuracy: Mapping[str, Estimate | None]
    rows: tuple[PairedDifference, ...]
    items: tuple[Mapping[str, Any], ...] = field(default=())
    blind: Mapping[str, float] = field(default_factory=dict)
    methods: tuple[MethodEffects, ...] = ()
    measure: str = "accuracy"

    def grid(self, *, digits: int | None = None, interval: bool = True, count: bool = True) -> Grid:
        """Return differences with intervals, counts and tests as a text table."""
        places = 3 if digits is None else digits
        head = [self.group_by or "stratum", "first − second"]
        head += [*(["95% interval"] if interval else []), *(["n", "paradigms"] if count else [])]
        ways = {
            "accuracy": ["only first right", "only second right"],
            "people": ["first nearer", "second nearer"],
        }
        head += [*ways.get(self._kind, []), "p", "p (Holm)"]
        body = []
        for row in self.rows:
            difference = row.difference
            ends = f"{signed_text(difference.low, places)}…{signed_text(difference.high, places)}"
            line = [row.stratum or "all", signed_text(difference.value, places)]
            line += [
                *([ends] if interval else []),
                *([f"{difference.n:,}", f"{row.paradigms:,}"] if count else []),
            ]
            counted = [str(row.only_a), str(row.only_b)] if self._kind in ways else []
            body.append([*line, *counted, f"{row.p:.2g}", f"{row.holm:.2g}"])
        what = " ".join(filter(None, (self.reading, self.measure)))
        title = f"{self.a} − {self.b}: {what} on {self.dataset}"
        notes = [*self._blind_note(), *self._method_notes(), *self._people_note(), *self.warnings]
        return Grid(title, head, body, notes)

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per stratum.

        It holds the difference with its interval, n and paradigms, the counts, and p before and
        after Holm's correction.
        """
        return [
            {
                "stratum": row.stratum,
                **row.difference.to_json(),
                **{key: getattr(row, key) for key in ("paradigms", *self._counts, "p", "holm")},
            }
            for row in self.rows
        ]

    def _blind_note(self) -> list[str]:
        """Return a note with each judge's accuracy and its shuffled-answer baseline."""
        scores = ", ".join(
            f"{name} {estimate.value:.3f} ({self.blind[name]:.3f})"
            for name, estimate in self.accuracy.items()
            if estimate and name in self.blind
        )
        text = f"right, and in brackets the same answers shuffled over the items: {scores}"
        return [text] if scores else []

    def _method_notes(self) -> list[str]:
        """Return one line per difference on the prompt variants that both judges answered."""
        notes = []
        for effects in self.methods:
            new, (best, high), (worst, low) = (effects.new_wording, effects.best, effects.worst)
            ends = "one wording alone"
            if new.low is not None:
                ends = f"for a new wording {signed_text(new.low)}…{signed_text(new.high)}"
            notes.append(
                f"{effects.what} over {len(effects.methods)} common methods, paired by item and"
                f" method: {signed_text(effects.mean.value)}, {ends}; {effects.verdict}; from"
                f" {signed_text(low.value)} by {worst} to {signed_text(high.value)} by {best}"
            )
        return notes

    def _people_note(self) -> list[str]:
        """Return a note with each judge's value of a measure other than accuracy."""
        if self.measure == "accuracy":
            return []
        scores = "; ".join(f"{name} {estimate_text(e)}" for name, e in self.accuracy.items())
        if self._kind != "people":
            return [f"{self.measure}: {scores}"]
        if self.lower_is_better:
            return [f"{self.measure}, lower is nearer to people: {scores}"]
        above = [name for name, score in self.accuracy.items() if score and score.value > 1]
        return [
            f"{self.measure}, 1 is the most that can be known of people: {scores}",
            *([f"{', '.join(above)} above 1: {ABOVE_CEILING}"] if above else []),
        ]

    @property
    def lower_is_better(self) -> bool:
        """Whether the measure is a distance or a gap."""
        return self.measure.partition(":")[0] in DISTANCES

    @property
    def _kind(self) -> str:
        """Unit of its counts of items: accuracy, people, or none."""
        name = "" if "," in self.measure else self.measure.partition(":")[0]
        return {"accuracy": name, **dict.fromkeys(BESIDE_PEOPLE, "people")}.get(name, "")

    @property
    def warnings(self) -> list[str]:
        """Warnings on strata with fewer than 20 paradigms."""
        few = {row.stratum or "all": row.paradigms for row in self.rows if row.paradigms < FEW}
        text = few_paradigms("rows", few, len(self.rows))
        remedy = "and under 6 no difference can be significant: make more paradigms"
        return [f"{text}, {remedy}"] if few else []

    def points(self) -> list[dict[str, Any]]:
        """Return the differences to draw as one series."""
        series = f"{self.a} − {self.b}"
        return [
            {"row": row.stratum or "all", "series": series, **row.difference.to_json()}
            for row in self.rows
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        accuracy = {name: e.to_json() if e else None for name, e in self.accuracy.items()}
        left_out = {"only_a", "only_b"} - set(self._counts)
        rows = [
            {key: value for key, value in row.to_json().items() if key not in left_out}
            for row in self.rows
        ]
        return {
            **vars(self),
            "accuracy": accuracy,
            "rows": rows,
            "items": list(map(dict, self.items)),
            "methods": [sensitivity.to_json() for sensitivity in self.methods],
            "warnings": self.warnings,
        }

    @property
    def _counts(self) -> tuple[str, ...]:
        return ("only_a", "only_b") if self._kind else ()
