"""Deniability: an implicature may be taken back, an entailment or a presupposition may not."""

from __future__ import annotations

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.phrases import CONTROLS, estimate_of, percent
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import AnswerSheet, examples, filter_rows, numbers
from grice.reporting.model import Figure

KINDS = ("implicature", "entailment", "presupposition")
WHAT = "“Jo ate some of the cakes. In fact, Jo ate all of them.” One may take back what one only implied, but not what one said or took for granted."
GOOD = "After “in fact”, the denial of an implicature is no contradiction; the denial of an entailment or of a presupposition is one."

# What its data have at least.
NEEDS = ("tag.inference", "tag.move", "gold.label", "tag.role")


def _reads(sheet: AnswerSheet) -> bool:
    """Whether the data denies and affirms what a sentence conveys."""
    return sheet.has(*NEEDS)


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.frame.drop_nulls(["tag.inference", "tag.move"])
    judge = sheet.judges[0]
    where = {"tag.move": "denied", "tag.role": "target"}
    denied = filter_rows(frame, where)
    labels = {label: entailed(label) for label in ("entailment", "neutral", "contradiction")}
    shares = numbers(sheet, denied, "tag.inference", labels, where=where, reading="label", only=KINDS)
    controls = accuracy("label")(filter_rows(frame, {"judge": judge, "tag.role": "control"}))
    implied, entails, presupposed = (percent(estimate_of(shares, judge, "contradiction", k)) for k in KINDS)
    warnings: tuple[str, ...] = ()
    if controls is None or controls.value < CONTROLS:
        warnings = (
            f"Controls fail: {judge} gets {percent(controls)} of the deniability controls right, so its targets mean little.",
        )
    headline = (
        f"It calls the denial of an implicature a contradiction in {implied}: against {entails} for an entailment, "
        f"{presupposed} for a presupposition; only the first may be taken back.",
    )
    figure = Figure(
        "denied", "How it takes a denial", "stack", tuple(shares), headline[0],
        names="what is denied", across="answers to “In fact, …”",
        note="A denied implicature should not be a contradiction, a denied entailment or presupposition should.",
    )  # fmt: skip
    rows, right = "tag.kind" if "tag.kind" in frame.columns else "", {"": accuracy("label")}
    overview = numbers(sheet, frame, rows, right, where={"tag.role": "target"}, reading="label")
    asked = filter_rows(denied, {"tag.inference": "implicature"})
    beside = describe_rivals(sheet, asked, entailed("contradiction"))
    return Findings(
        (figure,), headline, examples(denied, ("label",)), warnings, (beside,), claims=not warnings, overview=tuple(overview)
    )  # fmt: skip


deniability = Chapter("deniability", "Deniability", WHAT, GOOD, _reads, _write, order=50, needs=NEEDS)
