"""Whether a section can be believed: its checks, from the gates of its claims, and what it says in one plain sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from grice.analysis.statistics.methods import effects
from grice.core.methods import METHOD, expand_methods
from grice.profiling.exchange import Exchange
from grice.profiling.gate import FEWEST_PARADIGMS, MARGIN, RELIABLE, ClaimDraft
from grice.profiling.phrases import percent, round_percent
from grice.profiling.sheets import AGREED, AnswerSheet
from grice.reporting.claims import Gate
from grice.reporting.model import EVIDENCE, Check, Figure, Query

# Under this many paradigms an interval says little; more faults than this leave room for another result.
FEW_PARADIGMS, MANY_FAULTS = 20, 0.01
LONGEST = 90


def headline(findings: Sequence[ClaimDraft]) -> str:
    """One sentence for all claims of a section: those that stand, or why the first does not."""
    made = [one.headline for one in findings if one.made]
    said = made or [one.headline for one in findings[:1]]
    both = "; ".join([said[0].rstrip("."), *(f"{text[0].lower()}{text[1:].rstrip('.')}" for text in said[1:])]) + "." if said else ""  # fmt: skip
    return both if len(both) <= LONGEST else said[0]


def checks(
    sheet: AnswerSheet, findings: Sequence[ClaimDraft], figures: Sequence[Figure], exchanges: Sequence[Exchange]
) -> tuple[Check, ...]:
    """The strip of a section: controls, blind twin, one answer, paradigms, faults, other premises, ways of asking.

    `figures` have their final ids: a check names the one that shows it.
    """
    if not findings:
        return ()
    gate = findings[0].gate
    shown = {one.rests_on == EVIDENCE: one.id for one in reversed(figures)}
    place = shown.get(False, "")
    return (
        _controls(gate, shown.get(True, "")),
        *_without_reading(gate, place),
        _paradigms(gate, Query(sheet.index).href),
        _faults(sheet),
        *(_exchange(one) for one in exchanges if one.data == sheet.data.name),
        *_asked(sheet, place),
    )


def _controls(gate: Gate, place: str) -> Check:
    found = gate.controls
    if found is None:
        return Check("controls", "none", "none", "These data have no controls.")
    failed = any("control" in reason for reason in gate.reasons) or found.value < RELIABLE
    blind = f", {round_percent(gate.controls_blind)} without reading" if gate.controls_blind is not None else ""
    text = f"It gets {percent(found)} of the items right whose answer is not in doubt{blind}."
    return Check("controls", round_percent(found.value), "doubt" if failed else "good", text, place)


def _without_reading(gate: Gate, place: str) -> list[Check]:
    """What it counts against its shuffled answers and against one answer throughout."""
    if gate.score is None:
        return []
    known: Mapping[str, tuple[float | None, str]] = {
        "blind twin": (gate.blind, "its own answers, shuffled without reading,"),
        "one answer": (gate.constant, "the best single answer"),
    }
    found = []
    for name, (other, whom) in known.items():
        if other is not None:
            above = gate.score.value - other
            state = "good" if above >= MARGIN else "doubt"
            text = f"It gets {percent(gate.score)}; {whom} would get {round_percent(other)}."
            if state == "doubt" and gate.open:
                text += " That it reads is told by its controls."
            found.append(Check(name, f"{100 * above:+.0f} points".replace("-", "−"), state, text, place))  # type: ignore[arg-type]
    return found


def _paradigms(gate: Gate, items: str) -> Check:
    count = gate.paradigms
    much = "nothing is sure" if count < FEWEST_PARADIGMS else "little is sure" if count < FEW_PARADIGMS else "enough for an interval"  # fmt: skip
    seen = f" A difference of {100 * gate.smallest:.0f} points would have shown." if gate.smallest and gate.smallest >= 0.005 else ""  # fmt: skip
    text = f"{gate.n:,} answers from {count:,} paradigms: {much}.{seen}"
    return Check("paradigms", f"{count:,}", "good" if count >= FEW_PARADIGMS else "doubt", text, items)


def _faults(sheet: AnswerSheet) -> Check:
    counts = {run.judge: (run.faults, max(run.faults + run.answered, 1)) for run in sheet.runs}
    faults, asked = counts[sheet.judges[0]]
    others = [f"{judge} {n:,} of {of:,}" for judge, (n, of) in list(counts.items())[1:] if n / of > MANY_FAULTS]
    text = f"{faults:,} of {asked:,} questions got no usable answer." + (f" Rivals: {'; '.join(others)}." if others else "")  # fmt: skip
    state = "doubt" if faults / asked > MANY_FAULTS or others else "good"
    return Check("faults", f"{faults:,}" if not others else f"{faults:,}, rivals more", state, text, "method")  # type: ignore[arg-type]


def _exchange(found: Exchange) -> Check:
    return Check(
        "other premises", f"{round_percent(found.same.value)} kept", "doubt" if found.unread else "good", found.text
    )


def _asked(sheet: AnswerSheet, place: str) -> list[Check]:
    """How far the result is the way of asking's doing, where several were tried."""
    rows = sheet.first
    if "cells" not in rows.columns or AGREED not in rows.columns or rows["cells"].null_count() == rows.height:
        return []
    cells = expand_methods(rows.drop_nulls(AGREED))
    if cells.is_empty() or cells.filter(pl.col("answer").is_not_null())[METHOD].n_unique() < 2:
        return []
    right = pl.when(pl.col("answer").is_not_null()).then(pl.col("answer") == pl.col(AGREED))
    found = effects(cells, right, what="accuracy", threshold=1 / max(len(sheet.data.scale.labels), 2))
    low, high = found.worst[1].value, found.best[1].value
    text = f"By {cells[METHOD].n_unique()} ways of asking it is right in {round_percent(low)} to {round_percent(high)}: {found.verdict}."
    state = "good" if found.verdict == "robust" else "doubt"
    return [Check("ways of asking", f"{round_percent(low)}–{round_percent(high)}", state, text, place)]  # type: ignore[arg-type]
