"""Qualification test before work, and attention checks afterwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from grice.collecting.campaign import KnownPair, Qualification
from grice.collecting.instrument import PersonReply, ends
from grice.core.errors import InputError
from grice.core.scale import Scale


@dataclass(frozen=True)
class QualificationResult:
    """Whether a test was passed, and what was counted."""

    passed: bool
    report: dict[str, Any]


def judge_test(
    test: Qualification, replies: Sequence[PersonReply], scale: Scale
) -> QualificationResult:
    """Apply UNLI's rule on a numeric scale (appendix A.1), a share of correct labels on others."""
    if scale.labels:
        right = sum(
            reply.answer == known.answer for reply, known in zip(replies, test.items, strict=True)
        )
        share = right / len(test.items)
        return QualificationResult(share >= test.share, {"right": right, "of": len(test.items)})
    missed = [
        n
        for n, (reply, known) in enumerate(zip(replies, test.items, strict=True))
        if known.easy and not _near(reply, known, test, scale)
    ]
    report: dict[str, Any] = {"easy missed": len(missed)}
    if any(not isinstance(reply.answer, int | float) for reply in replies):
        return QualificationResult(
            False, {**report, "skipped": sum(reply.answer is None for reply in replies)}
        )
    answers = [
        (reply.answer, known.answer) for reply, known in zip(replies, test.items, strict=True)
    ]
    r, rho = _correlation(answers, "pearson"), _correlation(answers, "spearman")
    report |= {"pearson": round(r, 3), "spearman": round(rho, 3)}
    return QualificationResult(not missed and r > test.pearson and rho > test.spearman, report)


def check_known(items: Sequence[KnownPair], scale: Scale, what: str) -> None:
    """Refuse known answers that are not on the scale; `what` names their file."""
    for known in items:
        if not scale.accepts(known.answer):
            raise InputError(
                f"{what}: the answer {known.answer!r} is not on the scale {scale}; correct it"
            )


def passes_attention(known: KnownPair, reply: PersonReply, scale: Scale) -> bool:
    """Return whether an attention item was answered as by anyone who reads it."""
    if not isinstance(reply.answer, int | float) or not isinstance(known.answer, int | float):
        return reply.answer == known.answer
    low, high = ends(scale)
    tolerance = 0.1 * (high - low) if known.tolerance is None else known.tolerance
    return abs(reply.answer - known.answer) <= tolerance


def _near(reply: PersonReply, known: KnownPair, test: Qualification, scale: Scale) -> bool:
    """Return whether a reply is within ¼·min(y, 1 − y) of y, the paper's rule; 0 at the ends."""
    if not isinstance(reply.answer, int | float) or not isinstance(known.answer, int | float):
        return False
    low, high = ends(scale)
    room = min(known.answer - low, high - known.answer)
    tolerance = test.tolerance * room if known.tolerance is None else known.tolerance
    return abs(reply.answer - known.answer) <= tolerance + 1e-12


def _correlation(pairs: Sequence[tuple[Any, Any]], method: Literal["pearson", "spearman"]) -> float:
    """Return a correlation; constant answers correlate with nothing."""
    frame = pl.DataFrame(pairs, {"answer": pl.Float64, "truth": pl.Float64}, orient="row")
    r = frame.select(pl.corr("answer", "truth", method=method)).item()
    return 0.0 if r is None or math.isnan(r) else float(r)
