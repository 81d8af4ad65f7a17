"""Bars of answers as a template draws them: widths, words that fit, and the interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grice.core.estimate import Estimate
from grice.reporting.palette import MANY_MODELS as MANY_MODELS
from grice.reporting.question import AnswerBar, AnswerPart, FirstScreen, QuestionRow

# The width of a bar in pixels at which its words must fit, and of one letter.
BAR_WIDTH, LETTER_WIDTH = 250.0, 7.4
# The style class of each answer; others are drawn in ink and grey in turn.
CLASSES = {
    "entailment": "follows",
    "neutral": "unsure",
    "contradiction": "contradicts",
    "pragmatic": "pragmatic",
    "logical": "logical",
    "neither": "neither",
    "right": "correct",
}
MAX_NAME = 16
MAX_THIN_BARS = 2


@dataclass(frozen=True)
class PartView:
    """A part of a bar: its style class, its width in per cent, and the text that fits inside."""

    style: str
    width: float
    text: str


@dataclass(frozen=True)
class BarView:
    """A bar with its parts, and the interval of one of them as start and width in per cent."""

    name: str
    bar: AnswerBar
    parts: tuple[PartView, ...]
    interval: tuple[float, float] | None
    label: str
    share: str
    share_style: str


def bar_view(bar: AnswerBar, decides: str) -> BarView:
    """Return a bar for the template; `decides` is the answer whose interval is drawn."""
    part = bar.part(decides)
    return BarView(
        short_name(bar.name),
        bar,
        tuple(_part_view(p) for p in bar.parts),
        _interval(bar, decides),
        f"{bar.name}: " + ", ".join(f"{p.word} {whole_percent(p.estimate)}%" for p in bar.parts),
        whole_percent(part.estimate) if part else "",
        CLASSES.get(decides, "other") if part else "",
    )


def short_name(name: str, room: int = MAX_NAME) -> str:
    """Return the last part of a model's path, cut to the letters that a row has room for."""
    last = name.rstrip("/").rpartition("/")[2] or name
    return last if len(last) <= room else f"{last[: room - 1]}…"


def whole_percent(estimate: Estimate) -> str:
    """Return a share as a whole percentage without its sign; 0 and 100 only where it is exact."""
    rounded = round(100 * estimate.value)
    if rounded == 100 and estimate.value < 1:
        return ">99"
    return "<1" if rounded == 0 and estimate.value > 0 else str(rounded)


def _part_view(part: AnswerPart) -> PartView:
    share = part.estimate.value
    number = f"{whole_percent(part.estimate)}%"
    full = f"{part.word} {number}"
    room = share * BAR_WIDTH - 10
    text = next((t for t in (full, number) if len(t) * LETTER_WIDTH <= room), "")
    return PartView(CLASSES.get(part.answer, "other"), 100 * share, text)


def _interval(bar: AnswerBar, decides: str) -> tuple[float, float] | None:
    """Return where the interval of a part starts and how wide it is.

    It is counted from the side of the bar on which the part begins: the last part from the right.
    """
    part = bar.part(decides)
    if part is None or part.estimate.low is None or part.estimate.high is None:
        return None
    low, high = part.estimate.low, part.estimate.high
    position = bar.parts.index(part)
    if position and part is bar.parts[-1]:
        return 100 * (1 - high), 100 * (high - low)
    before = sum(p.estimate.value for p in bar.parts[:position])
    return 100 * (before + low), 100 * min(high - low, 1 - before - low)


@dataclass(frozen=True)
class RowView:
    """A question with its bars: the model, people, and the first references with their numbers."""

    row: QuestionRow
    model: BarView
    people: BarView | None
    references: tuple[tuple[int, BarView], ...]
    opens_topic: bool
    baselines: tuple[tuple[str, float], ...] = ()


def row_views(screen: FirstScreen) -> list[RowView]:
    """Return the rows for the template; a topic is named at its first row only."""
    views, topic, models = [], "", screen.models
    for row in screen.rows:
        known = row.people.part(row.expected) if row.people else None
        views.append(
            RowView(
                row,
                bar_view(row.model, row.decides),
                bar_view(row.people, row.expected) if row.people and known else None,
                tuple(
                    (models.index(bar.name), bar_view(bar, row.decides))
                    for bar in row.references[:MAX_THIN_BARS]
                ),
                row.topic != topic,
                # Of data without phenomena, the baselines are what the answer is compared with.
                tuple((name, 100 * value) for name, value in row.baselines)
                if len(screen.rows) == 1
                else (),
            )
        )
        topic = row.topic
    return views


@dataclass(frozen=True)
class HeatCell:
    """A share in the table of models by questions; `word` stands where there is no verdict."""

    style: str
    estimate: Estimate | None
    word: str = ""

    @property
    def strength(self) -> float:
        """The share as a percentage, for the strength of the shade."""
        return 100 * self.estimate.value if self.estimate else 0.0


@dataclass(frozen=True)
class HeatRow:
    """A model with its cells and, in the sorted column, its range of ranks."""

    name: str
    rank: str
    cells: tuple[HeatCell, ...]


def heat_rows(screen: FirstScreen) -> list[HeatRow]:
    """Return models by questions, sorted by the lower end of the interval in one column."""
    column = screen.widest
    estimates = {name: _estimate(column, name) for name in screen.models} if column else {}
    known = {name: e for name, e in estimates.items() if e and e.low is not None}
    ranks = rank_ranges([(e.low or 0.0, e.high or 0.0) for e in known.values()])
    rank_of = dict(zip(known, ranks, strict=True))
    ordered = sorted(known, key=lambda name: -(known[name].low or 0.0))
    ordered += [name for name in screen.models if name not in known]
    return [
        HeatRow(name, rank_of.get(name, "–"), tuple(_heat_cell(row, name) for row in screen.rows))
        for name in ordered
    ]


def _estimate(row: QuestionRow, name: str) -> Estimate | None:
    bar = row.bar_of(name)
    part = bar.part(row.expected) if bar and not bar.without_verdict else None
    return part.estimate if part else None


def _heat_cell(row: QuestionRow, name: str) -> HeatCell:
    bar = row.bar_of(name)
    style = CLASSES.get(row.expected, "other")
    if bar is None:
        return HeatCell(style, None)
    if bar.without_verdict or (bar.kind == "model" and row.status == "inconclusive"):
        return HeatCell(style, None, "inconclusive")
    part = bar.part(row.expected)
    return HeatCell(style, part.estimate if part else None)


def rank_ranges(ends: Sequence[tuple[float, float]]) -> list[str]:
    """Return the range of ranks of each interval: those that overlap share ranks."""
    ranges = []
    for low, high in ends:
        best = 1 + sum(other_low > high for other_low, _ in ends)
        worst = sum(other_high >= low for _, other_high in ends)
        ranges.append(str(best) if best == worst else f"{best}–{worst}")
    return ranges
