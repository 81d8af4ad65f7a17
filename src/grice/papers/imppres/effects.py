"""Sections 5 and 6.2 of IMPPRES: dev accuracy, synonyms, and effects of order and negation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist

from grice.analysis.accuracy import accuracy
from grice.analysis.statistics.paired import holm
from grice.core.estimate import Estimate, wilson
from grice.papers.cells import ModelColumn, model_table, percent
from grice.papers.fresh import subtract
from grice.papers.imppres.printed import FIGURES, MODELS
from grice.papers.imppres.scalar import SETS, ScalarScore, Spot, scalar_scores
from grice.tables.paper import Bench, Cell, rounds_to

DEV = {
    "MultiNLI-dev": ModelColumn("mnli/dev_matched", lambda f: percent(accuracy("label")(f))),
    "SNLI-dev": ModelColumn("snli/dev", lambda f: percent(accuracy("label")(f))),
}
CORRECTED = "p after Holm's correction"
# The sets of which the text says that BERT treats scalemates as synonyms.
SYNONYMS = ("connectives", "gradable adjectives", "gradable verbs")
# Pragmatic answers to determiners: the conditions compared, the first expected to have more.
EFFECTS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "order: some/all − all/some": (["W/S"], ["S/W"]),
    "order: not all/none − none/not all": (["not S/not W"], ["not W/not S"]),
    "negation: without − with, negated implicatures": (
        ["W/S", "S/W"],
        ["not S/not W", "not W/not S"],
    ),
    "negation: in hypothesis − in premise": (["W/not S"], ["not S/W"]),
    "both words named: some/all − some/not all": (["W/S"], ["W/not S"]),
}


def dev_accuracy(bench: Bench) -> Iterator[Cell]:
    """Yield Section 5: each model's accuracy on the dev set of its training."""
    return model_table(bench, DEV, FIGURES["SECTION_5"], agreed=rounds_to(1))


def effects(bench: Bench) -> Iterator[Cell]:
    """Yield Section 6.2: scalemates taken as synonyms, and what changes pragmatic answers."""
    scores = scalar_scores(bench)
    for judge in dict.fromkeys([*MODELS, *scores]):
        score = scores[judge]
        rows: dict[str, Estimate] = {}
        tests: dict[str, float] = {}
        reason = ""
        for name in SETS:
            for words, conditions in (("stronger/weaker", ["S/W"]), ("weaker/stronger", ["W/S"])):
                estimate, reason = _entailed(score, name, conditions)
                row = f"{name}, {words} entailed"
                if estimate:
                    rows[row] = estimate
                    tests |= {row: _p_above_half(estimate)} if name in SYNONYMS else {}
        for row, (first, second) in EFFECTS.items():
            pair = [_pragmatic(score, conditions) for conditions in (first, second)]
            if (more := pair[0]) and (less := pair[1]):
                rows[row], tests[row] = subtract(more, less), _p_of_two(more, less)
        yield from _cells(judge, rows, tests, reason)


def _cells(
    judge: str, rows: Mapping[str, Estimate], tests: Mapping[str, float], reason: str
) -> Iterator[Cell]:
    if not rows:
        yield Cell.make("determiners", judge, None, judge=judge, reason=reason)
    for row, estimate in rows.items():
        yield Cell.make(row, judge, estimate, judge=judge)
    for row, p in zip(tests, holm(list(tests.values())), strict=True):
        yield Cell.make(row, judge, p, n=rows[row].n, judge=judge, reading=CORRECTED)


def _entailed(
    score: ScalarScore, name: str, conditions: Sequence[str]
) -> tuple[Estimate | None, str]:
    """Return the share of pairs predicted entailment.

    From stronger to weaker it is the logical label; from weaker to stronger it is neither label.
    """
    logical, reason = score(Spot(name, tuple(conditions), "logical"), False)
    if logical is None or conditions == ["S/W"]:
        return logical, reason
    pragmatic, reason = score(Spot(name, tuple(conditions), "pragmatic"), False)
    if pragmatic is None:
        return None, reason
    share = min(1.0, max(0.0, 1 - logical.value - pragmatic.value))
    return Estimate(share, logical.n, *wilson(share, logical.n)), ""


def _pragmatic(score: ScalarScore, conditions: Sequence[str]) -> Estimate | None:
    return score(Spot("determiners", tuple(conditions), "pragmatic"), False)[0]


def _p_above_half(share: Estimate) -> float:
    """Return the one-sided p of a share above one half (score test)."""
    return 1 - NormalDist().cdf((share.value - 0.5) / math.sqrt(0.25 / share.n))


def _p_of_two(first: Estimate, second: Estimate) -> float:
    """Return the two-sided p of two shares (score test with the pooled share)."""
    pooled = (first.value * first.n + second.value * second.n) / (first.n + second.n)
    error = math.sqrt(pooled * (1 - pooled) * (1 / first.n + 1 / second.n))
    distance = abs(first.value - second.value) / error if error else 0.0
    return 2 * (1 - NormalDist().cdf(distance))
