"""Headline and validity checks of a section, from the gates of its claims."""

from __future__ import annotations

from collections.abc import Sequence

from grice.core.methods import ROBUST
from grice.profiling.exchange import Exchange
from grice.profiling.gate import FEWEST_PARADIGMS, MARGIN, ClaimDraft
from grice.profiling.phrases import is_above, percent, round_percent
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import Gate
from grice.reporting.model import EVIDENCE, Check, Figure, Query
from grice.tables.tabular import ends_text

# With fewer paradigms an interval is unreliable; more invalid responses could change the result.
FEW_PARADIGMS, MANY_FAULTS = 20, 0.01
LONGEST = 90


def headline(findings: Sequence[ClaimDraft]) -> str:
    """Return one sentence for the claims of a section that are made, or why the first is not."""
    supported = [finding.headline for finding in findings if finding.made]
    sentences = supported or [finding.headline for finding in findings[:1]]
    both = (
        "; ".join(
            [
                sentences[0].rstrip("."),
                *(f"{text[0].lower()}{text[1:].rstrip('.')}" for text in sentences[1:]),
            ]
        )
        + "."
        if sentences
        else ""
    )
    return both if len(both) <= LONGEST else sentences[0]


def checks(
    sheet: AnswerSheet,
    findings: Sequence[ClaimDraft],
    figures: Sequence[Figure],
    exchanges: Sequence[Exchange],
) -> tuple[Check, ...]:
    """Return the validity checks of a section.

    They cover controls, the shuffled-answer baseline, the best constant answer, partial-input
    baselines, paradigms, invalid responses, the premise swap, prompt variants and people.

    `figures` have their final ids: a check names the one that shows it.
    """
    if not findings:
        return ()
    gate = findings[0].gate
    figure_ids = {figure.rests_on == EVIDENCE: figure.id for figure in reversed(figures)}
    figure_id = figure_ids.get(False, "")
    return (
        _controls(gate, figure_ids.get(True, "")),
        *_without_reading(gate, figure_id),
        _paradigms(gate, Query(sheet.index).href),
        _faults(sheet),
        *(_exchange(exchange) for exchange in exchanges if exchange.data == sheet.data.name),
        *_asked(gate, figures),
        *_people(findings[0], figure_id),
    )


def _controls(gate: Gate, figure_id: str) -> Check:
    estimate = gate.controls
    why = "".join(f" But {reason}." for reason in gate.controls_fail)
    if estimate is None:
        missing = f"No number.{why}" if why else "These data have no controls."
        return Check("controls", "none", "doubt" if why else "none", missing)
    blind = (
        f", {round_percent(gate.controls_blind)} without reading"
        if gate.controls_blind is not None
        else ""
    )
    text = (
        f"It gets {percent(estimate)} of the items right whose answer is not in doubt{blind}.{why}"
    )
    return _judged("controls", round_percent(estimate.value), not why, text, figure_id)


def _without_reading(gate: Gate, figure_id: str) -> list[Check]:
    """Compare the score with its shuffled-answer, constant and partial-input baselines.

    A correlation is compared with 0.
    """
    if gate.score is None:
        return []
    if gate.constant is None and gate.blind == 0.0:
        ends = ends_text(gate.score.low, gate.score.high, " ({:.2f} to {:.2f})")
        text = f"The correlation is {gate.score.value:.2f}{ends}; without reading it would be 0."
        return [
            _judged(
                "blind twin", f"{gate.score.value:.2f}", is_above(gate.score, 0.0), text, figure_id
            )
        ]
    baselines = {
        "blind twin": (gate.blind, "its own answers, shuffled without reading,"),
        "one answer": (gate.constant, "the best single answer"),
    }
    baselines |= {
        f"{name} alone": (share, f"a judge that sees the {name} only")
        for name, share in gate.one_text.items()
    }
    reading_checks = []
    for name, (baseline, whom) in baselines.items():
        if baseline is not None and not name.endswith("alone"):
            good = gate.score.value - baseline >= MARGIN
            caveat = "" if good or not gate.open else " That it reads is told by its controls."
            text = f"It gets {percent(gate.score)}; {whom} would get {round_percent(baseline)}.{caveat}"
            difference = f"{100 * (gate.score.value - baseline):+.0f} points".replace("-", "−")
            reading_checks.append(_judged(name, difference, good, text, figure_id))
        elif baseline is not None:
            bad = [reason for reason in gate.reasons if whom in reason]
            text = (
                f"{whom[0].upper()}{whom[1:]} and answers like it would get {round_percent(baseline)},"
                " counted where the other text decides."
            )
            reading_checks.append(_judged(name, round_percent(baseline), not bad, text, figure_id))
    shunned = [reason for reason in gate.reasons if "no more often where that is right" in reason]
    if shunned:
        reading_checks.append(
            _judged(
                "all answers used",
                "no",
                False,
                f"{shunned[0][0].upper()}{shunned[0][1:]}.",
                figure_id,
            )
        )
    return reading_checks


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
    faults, n_asked = counts[sheet.judges[0]]
    others = [
        f"{judge} {n:,} of {of:,}"
        for judge, (n, of) in list(counts.items())[1:]
        if n / of > MANY_FAULTS
    ]
    text = f"{faults:,} of {n_asked:,} questions got no usable answer." + (
        f" Rivals: {'; '.join(others)}." if others else ""
    )
    value = f"{faults:,}" if not others else f"{faults:,}, rivals more"
    return _judged("faults", value, faults / n_asked <= MANY_FAULTS and not others, text, "method")


def _exchange(exchange: Exchange) -> Check:
    return _judged(
        "other premises",
        f"{round_percent(exchange.same.value)} kept",
        not exchange.unread,
        exchange.text,
    )


def _asked(gate: Gate, figures: Sequence[Figure]) -> list[Check]:
    """Check whether the claim holds under every prompt variant, where several were evaluated."""
    method_effects = gate.methods
    if method_effects is None:
        return []
    figure_id = next((figure.id for figure in figures if "methods" in figure.id), "")
    ends = f"{round_percent(method_effects.worst[1].value)} to {round_percent(method_effects.best[1].value)}"
    text = f"By {len(method_effects.methods)} ways of asking, {method_effects.what} is {ends}: {method_effects.verdict}."
    return [
        _judged(
            "ways of asking",
            method_effects.verdict,
            method_effects.verdict == ROBUST,
            text,
            figure_id,
        )
    ]


def _people(draft: ClaimDraft, figure_id: str) -> list[Check]:
    """Return the check that shows people's mean; it is neither good nor bad."""
    if draft.people is None:
        return []
    people, model_value = draft.people.people, draft.people.said
    text = (
        f"People: {people.value:.2f} (n = {people.n:,}), the judge {model_value.value:.2f}:"
        f" {draft.people.what}. {draft.people.source}."
    )
    return [Check("people", f"{people.value:.2f}", "none", text, figure_id)]
