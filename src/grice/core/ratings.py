"""Human answers, stored with their item in a tag of replies: `12=5` is person 12 answering 5."""

from __future__ import annotations

import polars as pl

from grice.core.dataset import TAG
from grice.core.errors import InputError
from grice.core.scale import Answer

# Default tag of the replies.
PEOPLE = "people"
# Tag with the ends of the scale on which people were asked, if it is numeric: `0..100`.
PEOPLE_SCALE = "people_scale"
# What a correlation with people's means above their noise ceiling means.
ABOVE_CEILING = (
    "nearer to these people's means than their noise allows; it is chance, or the judge knew these"
    " answers"
)
# Numeric value of a label on a scale from 0 to 1.
POINTS = {"yes": 1.0, "maybe": 0.5, "no": 0.0}


def reply(rater: int | str, answer: Answer) -> str:
    """Return a reply in the format of the tag.

    `rater` is a pseudonymous number, or empty where it is not known who answered.

    >>> reply(12, 0.5), reply("", "yes")
    ('12=0.5', '=yes')
    """
    return f"{rater}={answer if isinstance(answer, str) else format(answer, '.10g')}"


def read_replies(frame: pl.DataFrame, tag: str = PEOPLE) -> pl.DataFrame:
    """Return `id, group, rater, answer, value` per reply; a label without points has no value."""
    column = TAG + (tag or PEOPLE)
    if column not in frame.columns:
        raise InputError(
            f"the items have no tag '{tag or PEOPLE}' with people's replies; name a set that people"
            " answered"
        )
    long = (
        frame.select("id", "group", pl.col(column).cast(pl.List(pl.String)).alias("reply"))
        .explode("reply")
        .drop_nulls("reply")
    )
    parts = pl.col("reply").str.splitn("=", 2).struct
    answer = parts.field("field_1")
    return long.select(
        "id",
        "group",
        parts.field("field_0").alias("rater"),
        answer.alias("answer"),
        pl.coalesce(
            answer.cast(pl.Float64, strict=False),
            answer.replace_strict(POINTS, default=None, return_dtype=pl.Float64),
        ).alias("value"),
    )
