"""Cancellability: implicatures can be cancelled, entailments and presuppositions cannot."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.statistics.baselines import correctness, is_label
from grice.core.scale import NLI
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.fingerprint import fingerprint_rows, right_or_wrong
from grice.profiling.gate import (
    ClaimDraft,
    blind_marks,
    blind_share,
    closed_judges,
    controls_gate,
    open_gate,
)
from grice.profiling.phrases import is_above, is_below, percent, round_percent
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import AnswerSheet, examples, filter_rows, kind_tag, numbers
from grice.reporting.claims import UNTOLD, ClaimNumber
from grice.reporting.model import Figure

KINDS = ("implicature", "entailment", "presupposition")
DENIED = {"tag.move": "denied", "tag.role": "target"}
IS_DENIED = (pl.col("tag.move") == "denied") & (pl.col("tag.role") == "target")
WHAT = (
    "“Jo ate some of the cakes. In fact, Jo ate all of them.” One may take back what one only"
    " implied, but not what one said or took for granted."
)
GOOD = (
    "After “in fact”, the denial of an implicature is no contradiction; the denial of an entailment"
    " or of a presupposition is one."
)
# Columns that the data must have.
NEEDS = ("tag.inference", "tag.move", "gold.label", "tag.role")
UNKNOWN = "Whether it lets implicatures be taken back cannot be told: {}."


def _reads(sheet: AnswerSheet) -> bool:
    """Return whether the data deny and affirm what a sentence conveys."""
    return sheet.has(*NEEDS)


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.rows_with("tag.inference", "tag.move")
    judge = sheet.judges[0]
    judge_rows, denied = frame.filter(judge=judge), filter_rows(frame, DENIED)
    labels = {label: entailed(label) for label in NLI.labels}
    shares = numbers(
        sheet, denied, "tag.inference", labels, where=DENIED, reading="label", only=KINDS
    )
    rows = "tag.kind" if "tag.kind" in frame.columns else ""
    finding = _finding(judge_rows, _beside(sheet, denied))
    answer_scores = {label: is_label(label) for label in NLI.labels}
    figure = Figure(
        "denied",
        "How it takes a denial",
        "stack",
        tuple(shares),
        finding.text,
        names="what is denied",
        across="answers to “In fact, …”",
        marks=blind_marks(judge_rows, answer_scores, "tag.inference", strata=(), of=IS_DENIED),
        note=(
            "A denied implicature should not be a contradiction, a denied entailment or"
            " presupposition should."
        ),
    )
    overview = numbers(
        sheet, frame, rows, {"": accuracy("label")}, where={"tag.role": "target"}, reading="label"
    )
    twin = blind_marks(
        judge_rows,
        {"": correctness("gold.label")},
        rows,
        strata=(),
        of=pl.col("tag.role") == "target",
    )
    warnings = () if finding.gate.open else (f"Of deniability, {finding.gate.reasons[0]}.",)
    return Findings(
        (figure,),
        examples=examples(denied, ("label",)),
        warnings=warnings,
        findings=(finding,),
        gated=closed_judges(
            frame.filter(pl.col("judge") != judge),
            lambda own: controls_gate(own, "gold.label", strata=()),
        ),
        overview=tuple(overview),
        marks=twin,
        fingerprint=fingerprint_rows(
            sheet,
            frame,
            "tag.inference",
            "denials taken rightly",
            right_or_wrong("gold.label"),
            where=DENIED,
            strata=(),
            only=KINDS,
            reading="label",
        ),
    )


def _finding(judge_rows: pl.DataFrame, beside: str) -> ClaimDraft:
    """Return the claim on the share of denials answered as theory predicts, by kind."""
    controls = controls_gate(judge_rows, "gold.label", strata=())
    gate = open_gate(
        judge_rows,
        correctness("gold.label"),
        "gold.label",
        strata=(),
        of=IS_DENIED,
        balance="gold.label",
        labels=NLI.labels,
        controls=controls,
    )
    handled = [f"of {_article(kind)} {kind} in {_handled(judge_rows, kind)}" for kind in KINDS]
    text = f"It takes the denial {handled[0]}, {handled[1]} and {handled[2]} as theory says"
    blind = f": {round_percent(gate.blind)} without reading." if gate.blind is not None else "."
    denied = judge_rows.filter(IS_DENIED)
    handles = [accuracy("label")(denied.filter(pl.col("tag.inference") == kind)) for kind in KINDS]
    overall = accuracy("label")(denied)
    twin = blind_share(judge_rows, correctness("gold.label"), (), IS_DENIED)
    claim_numbers = (
        (
            ClaimNumber(
                "accuracy:label",
                overall,
                twin,
                kind_tag(judge_rows) | {"move": "denied", "role": "target"},
            ),
        )
        if overall
        else ()
    )
    draft = ClaimDraft("denied", text + blind, UNKNOWN, UNTOLD, gate, beside, numbers=claim_numbers)
    if controls.open and any(is_below(estimate, 0.5) for estimate in handles):
        return replace(draft, verdict="deniable_not", gate=replace(gate, p=controls.p, reasons=()))
    return replace(
        draft,
        verdict="deniable"
        if all(is_above(estimate, 0.5) for estimate in handles if estimate)
        else UNTOLD,
    )


def _article(kind: str) -> str:
    return "an" if kind[0] in "aeiou" else "a"


def _handled(judge_rows: pl.DataFrame, kind: str) -> str:
    """Format the share right, with the most frequent answer where that answer is wrong."""
    rows = judge_rows.filter(
        IS_DENIED & (pl.col("tag.inference") == kind) & pl.col("answer").is_not_null()
    )
    share_right = accuracy("label")(rows)
    if share_right is None or rows.is_empty():
        return "no items"
    [(most_frequent, _)] = Counter(rows["answer"]).most_common(1)
    common = (
        ""
        if most_frequent == rows["gold.label"][0]
        else f", mostly calling it {_noun(most_frequent)}"
    )
    return f"{percent(share_right)}{common}"


def _noun(label: str) -> str:
    return {"entailment": "entailed", "contradiction": "a contradiction"}.get(label, label)


def _beside(sheet: AnswerSheet, denied: pl.DataFrame) -> str:
    return describe_rivals(sheet, denied, accuracy("label"))


deniability = Chapter(
    "deniability", "Deniability", WHAT, GOOD, _reads, _write, order=50, needs=NEEDS
)
