"""Human replies as pseudonymous tags of each item and as recorded runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import polars as pl

from grice.core.dataset import GOLD, TAG, Dataset
from grice.core.ratings import PEOPLE, POINTS, read_replies, reply
from grice.core.scale import Answer, Scale
from grice.storage.run import Run
from grice.storage.run_folder import RunKind

# Ways to answer an instrument by choosing one label, so that a model can give each a probability.
SLIDER = Scale(labels=tuple(str(10 * step) for step in range(11)))
LIKERT7 = Scale(labels=tuple(str(step) for step in range(1, 8)))
YES_NO = Scale(labels=("yes", "no"))
PERCENT = Scale(low=0.0, high=100.0)
TextRow = dict[str, str]


class Replies:
    """Collector of human replies by item.

    Persons are renumbered by first appearance; published ids are dropped.
    """

    def __init__(self) -> None:
        self.by_item: dict[str, list[tuple[str, Answer]]] = {}
        self.numbers: dict[str, str] = {}

    def add(self, item: str, rater: str, answer: Answer) -> None:
        """Add one reply; an empty `rater` is an unknown person."""
        who = self.numbers.setdefault(rater, str(len(self.numbers) + 1)) if rater else ""
        self.by_item.setdefault(item, []).append((who, answer))

    def tags(self, items: Iterable[str]) -> list[list[str]]:
        """Return the value of the tag for each item."""
        return [[reply(*answer) for answer in self.by_item.get(item, ())] for item in items]

    def mean(self, item: str) -> float | None:
        """Return the mean reply to an item, counting yes as 1 and no as 0."""
        values = [
            POINTS[answer] if isinstance(answer, str) else answer
            for _, answer in self.by_item.get(item, ())
        ]
        return sum(values) / len(values) if values else None


def people_runs(
    data: Dataset, scale: Scale, *, tag: str = PEOPLE, name: str = "rater"
) -> list[Run]:
    """Return one run per person: `rater 1`, `rater 2` …

    Where persons cannot be distinguished, there is one run per position in the lists.

    A second reply of one person to one item is a run of its own, `rater 7 again`.
    """
    if TAG + tag not in data.frame.columns:
        return []
    position = pl.int_range(1, pl.len() + 1).over("id").cast(pl.String)
    replies = read_replies(data.frame, tag).with_columns(
        pl.when(pl.col("rater") == "").then(position).otherwise("rater").alias("rater")
    )
    replies = replies.with_columns(pl.int_range(pl.len()).over("rater", "id").alias("again"))
    runs = []
    for (rater, again), part in replies.partition_by(
        "rater", "again", as_dict=True, maintain_order=True
    ).items():
        answers: Sequence[Answer] = part["value" if scale.numeric else "answer"].to_list()
        judge = f"{name} {rater}" + (" again" * int(again))
        runs.append(
            Run.from_columns(
                data, judge, part["id"].to_list(), answers, scale=scale, kind=RunKind.PERSON
            )
        )
    return runs


def ask(
    data: Dataset, part: str, texts: Sequence[str], scale: Scale, *, times: float = 1.0
) -> Dataset:
    """Return the same items as people were asked: one text that contains the question.

    The answer is one of the scale's labels.

    `times` turns the numbers of a slider from 0 to 1 into the per cent that the labels show.
    """
    stem = data.name.partition("/")[0]
    frame = data.frame.with_columns(
        pl.Series("id", [f"{stem}/{part}/{row}" for row in range(len(texts))]),
        pl.Series("premise", texts),
        pl.lit(None, pl.String).alias("hypothesis"),
    )
    readings = {reading: on for reading, on in data.readings.items() if on.numeric}
    if times != 1:
        scaled = [(pl.col(GOLD + reading) * times).alias(GOLD + reading) for reading in readings]
        frame = frame.with_columns(*scaled, *_times(frame, times))
        readings = {
            reading: Scale(low=float(on.low or 0) * times, high=float(on.high or 0) * times)
            for reading, on in readings.items()
        }
    gone = [
        *(GOLD + reading for reading in data.readings if reading not in readings),
        TAG + "question",
    ]
    return replace(
        data,
        name=f"{stem}/{part}",
        scale=scale,
        frame=frame.drop(gone, strict=False),
        readings=readings,
    )


def _times(frame: pl.DataFrame, times: float) -> list[pl.Series]:
    if TAG + PEOPLE not in frame.columns:
        return []
    replies = read_replies(frame).with_columns(pl.col("value") * times)
    texts = [reply(rater, value) for rater, value in replies.select("rater", "value").iter_rows()]
    lists = (
        replies.with_columns(pl.Series("reply", texts))
        .group_by("id", maintain_order=True)
        .agg("reply")
    )
    return [
        frame.select("id")
        .join(lists, on="id", how="left", maintain_order="left")["reply"]
        .alias(TAG + PEOPLE)
    ]
