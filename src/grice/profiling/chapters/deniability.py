"""Deniability: an implicature may be taken back, an entailment or a presupposition may not."""

from __future__ import annotations

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.phrases import CONTROLS, join_clauses, percent
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import AnswerSheet, examples, numbers
from grice.reporting.model import Figure

KINDS = ("implicature", "entailment", "presupposition")
WHAT = "“Jo ate some of the cakes. In fact, Jo ate all of them.” One may take back what one only implied, but not what one said or took for granted."
GOOD = "After “in fact”, the denial of an implicature is no contradiction; the denial of an entailment or of a presupposition is one."


def _reads(sheet: AnswerSheet) -> bool:
    """Whether the data denies and affirms what a sentence conveys."""
    return sheet.has("tag.inference", "tag.move", "gold.label", "tag.role")


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.frame.filter(pl.col("tag.inference").is_not_null() & pl.col("tag.move").is_not_null())
    judge = sheet.judges[0]
    denied = frame.filter((pl.col("tag.move") == "denied") & (pl.col("tag.role") == "target"))
    labels = {label: entailed(label) for label in ("entailment", "neutral", "contradiction")}
    where = {"tag.move": "denied", "tag.role": "target"}
    shares = numbers(sheet, denied, "tag.inference", labels, where=where, reading="label", only=KINDS)
    controls = accuracy("label")(frame.filter((pl.col("judge") == judge) & (pl.col("tag.role") == "control")))
    contradicted = {
        k: entailed("contradiction")(
            denied.filter((pl.col("judge") == judge) & (pl.col("tag.inference") == k))
        )
        for k in KINDS
    }
    warnings: tuple[str, ...] = ()
    if controls is None or controls.value < CONTROLS:
        warnings = (
            f"Controls fail: {judge} gets {percent(controls)} of the deniability controls right, so its targets mean little.",
        )
    others = f"{percent(contradicted['entailment'])} for an entailment, {percent(contradicted['presupposition'])} for a presupposition"
    first = f"It calls the denial of an implicature a contradiction in {percent(contradicted['implicature'])}"
    headline = (f"{first}: against {others}; only the first may be taken back.",)
    figure = Figure(
        "denied", "How it takes a denial", "stack", tuple(shares), headline[0],
        names="what is denied", across="answers to “In fact, …”",
        note="A denied implicature should not be a contradiction, a denied entailment or presupposition should.",
    )  # fmt: skip
    overview = numbers(sheet, frame.filter(pl.col("tag.role") == "target"), "tag.kind" if "tag.kind" in frame.columns else "",
                       {"": accuracy("label")}, where={"tag.role": "target"}, reading="label")  # fmt: skip
    asked = denied.filter(pl.col("tag.inference") == "implicature")
    beside = join_clauses(
        describe_rivals(sheet, asked, lambda mine: percent(entailed("contradiction")(mine)))
    )
    return Findings(
        (figure,), headline, examples(denied, ("label",)), warnings, (beside,), claims=not warnings, overview=tuple(overview)
    )  # fmt: skip


deniability = Chapter("deniability", "Deniability", WHAT, GOOD, _reads, _write, order=50)
