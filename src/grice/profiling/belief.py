"""Whether a section can be believed: its checks, from the gates of its claims, and what it says in
one plain sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from grice.core.methods import ROBUST
from grice.core.tabular import ends_text
from grice.profiling.exchange import Exchange
from grice.profiling.gate import FEWEST_PARADIGMS, MARGIN, ClaimDraft
from grice.profiling.phrases import is_above, percent, round_percent
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import Gate
from grice.reporting.model import EVIDENCE, Check, Figure, Query

# Under this many paradigms an interval says little; more faults than this leave room for another
# result.
FEW_PARADIGMS, MANY_FAULTS = 20, 0.01
LONGEST = 90


def headline(findings: Sequence[ClaimDraft]) -> str:
    """One sentence for all claims of a section: those that stand, or why the first does not."""
    made = [one.headline for one in findings if one.made]
    said = made or [one.headline for one in findings[:1]]
    both = (
        "; ".join(
            [
                said[0].rstrip("."),
                *(f"{text[0].lower()}{text[1:].rstrip('.')}" for text in said[1:]),
            ]
        )
        + "."
        if said
        else ""
    )
    return both if len(both) <= LONGEST else said[0]


def checks(
    sheet: AnswerSheet,
    findings: Sequence[ClaimDraft],
    figures: Sequence[Figure],
    exchanges: Sequence[Exchange],
) -> tuple[Check, ...]:
    """The strip of a section: controls, blind twin, one answer, paradigms, faults, other premises,
    ways of asking.

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
        *_asked(gate, figures),
        *_people(findings[0], place),
    )


def _controls(gate: Gate, place: str) -> Check:
    found = gate.controls
    why = "".join(f" But {reason}." for reason in gate.controls_fail)
    if found is None:
        told = f"No number.{why}" if why else "These data have no controls."
        return Check("controls", "none", "doubt" if why else "none", told)
    blind = (
        f", {round_percent(gate.controls_blind)} without reading"
        if gate.controls_blind is not None
        else ""
    )
    text = f"It gets {percent(found)} of the items right whose answer is not in doubt{blind}.{why}"
    return _judged("controls", round_percent(found.value), not why, text, place)


def _without_reading(gate: Gate, place: str) -> list[Check]:
    """What it counts against its shuffled answers, one answer throughout and one text alone; of a
    correlation, against 0.
    """
    if gate.score is None:
        return []
    if gate.constant is None and gate.blind == 0.0:
        ends = ends_text(gate.score.low, gate.score.high, " ({:.2f} to {:.2f})")
        text = f"The correlation is {gate.score.value:.2f}{ends}; without reading it would be 0."
        return [
            _judged("blind twin", f"{gate.score.value:.2f}", is_above(gate.score, 0.0), text, place)
        ]
    known = {
        "blind twin": (gate.blind, "its own answers, shuffled without reading,"),
        "one answer": (gate.constant, "the best single answer"),
    }
    known |= {
        f"{name} alone": (share, f"a judge that sees the {name} only")
        for name, share in gate.one_text.items()
    }
    found = []
    for name, (other, whom) in known.items():
        if other is not None and not name.endswith("alone"):
            good = gate.score.value - other >= MARGIN
            told = "" if good or not gate.open else " That it reads is told by its controls."
            text = f"It gets {percent(gate.score)}; {whom} would get {round_percent(other)}.{told}"
            shown = f"{100 * (gate.score.value - other):+.0f} points".replace("-", "−")
            found.append(_judged(name, shown, good, text, place))
        elif other is not None:
            bad = [reason for reason in gate.reasons if whom in reason]
            text = (
                f"{whom[0].upper()}{whom[1:]} and answers like it would get {round_percent(other)},"
                " counted where the other text decides."
            )
            found.append(_judged(name, round_percent(other), not bad, text, place))
    shunned = [reason for reason in gate.reasons if "no more often where that is right" in reason]
    if shunned:
        found.append(
            _judged(
                "all answers used", "no", False, f"{shunned[0][0].upper()}{shunned[0][1:]}.", place
            )
        )
    return found


def _judged(name: str, value: str, good: bool, text: str, evidence: str = "") -> Check:
    return Check(name, value, "good" if good else "doubt", text, evidence)


def _paradigms(gate: Gate, items: str) -> Check:
    count = gate.paradigms
    much = (
        "nothing is sure"
        if count < FEWEST_PARADIGMS
        else "little is sure"
        if count < FEW_PARADIGMS
        else "enough for an interval"
    )
    seen = (
        f" A difference of {100 * gate.smallest:.0f} points would have shown."
        if gate.smallest and gate.smallest >= 0.005
        else ""
    )
    text = f"{gate.n:,} answers from {count:,} paradigms: {much}.{seen}"
    return Check(
        "paradigms", f"{count:,}", "good" if count >= FEW_PARADIGMS else "doubt", text, items
    )


def _faults(sheet: AnswerSheet) -> Check:
    counts = {run.judge: (run.faults, max(run.faults + run.answered, 1)) for run in sheet.runs}
    faults, asked = counts[sheet.judges[0]]
    others = [
        f"{judge} {n:,} of {of:,}"
        for judge, (n, of) in list(counts.items())[1:]
        if n / of > MANY_FAULTS
    ]
    text = f"{faults:,} of {asked:,} questions got no usable answer." + (
        f" Rivals: {'; '.join(others)}." if others else ""
    )
    shown = f"{faults:,}" if not others else f"{faults:,}, rivals more"
    return _judged("faults", shown, faults / asked <= MANY_FAULTS and not others, text, "method")


def _exchange(found: Exchange) -> Check:
    return _judged(
        "other premises", f"{round_percent(found.same.value)} kept", not found.unread, found.text
    )


def _asked(gate: Gate, figures: Sequence[Figure]) -> list[Check]:
    """Whether the claim holds however one asks, where several ways were tried."""
    found = gate.methods
    if found is None:
        return []
    place = next((one.id for one in figures if "methods" in one.id), "")
    ends = f"{round_percent(found.worst[1].value)} to {round_percent(found.best[1].value)}"
    text = f"By {len(found.methods)} ways of asking, {found.what} is {ends}: {found.verdict}."
    return [_judged("ways of asking", found.verdict, found.verdict == ROBUST, text, place)]


def _people(draft: ClaimDraft, place: str) -> list[Check]:
    """People's number where it is known; there is no good or bad in it but for a ceiling."""
    if draft.people is None:
        return []
    people, said = draft.people.people, draft.people.said
    text = (
        f"People: {people.value:.2f} (n = {people.n:,}), the judge {said.value:.2f}:"
        f" {draft.people.what}. {draft.people.source}."
    )
    return [Check("people", f"{people.value:.2f}", "none", text, place)]
