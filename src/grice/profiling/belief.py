"""Headline and validity checks of a section, from the gates of its claims."""

from __future__ import annotations

from collections.abc import Sequence

from grice.core.estimate import Estimate
from grice.core.methods import ROBUST
from grice.core.ratings import ABOVE_CEILING
from grice.profiling.draft import ClaimDraft
from grice.profiling.exchange import Exchange
from grice.profiling.gate import FEWEST_PARADIGMS
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import CORRELATION, Gate, State, Test
from grice.reporting.formats import percent, round_percent
from grice.reporting.model import EVIDENCE, Check, Figure, Query
from grice.reporting.sentences import part_text, reason_text

# With fewer paradigms an interval is unreliable; more invalid responses could change the result.
FEW_PARADIGMS, MANY_FAULTS = 20, 0.01
LONGEST = 90
CHIPS = {
    Test.SHUFFLED: "shuffled",
    Test.MAJORITY: "majority",
    Test.HYPOTHESIS_ONLY: "hypothesis-only",
    Test.PREMISE_ONLY: "premise-only",
    Test.CORRELATION: "correlation",
}


def headline(findings: Sequence[ClaimDraft]) -> str:
    """Return one sentence for the supported claims of a section, or that of the first one."""
    supported = [finding.headline for finding in findings if finding.supported]
    sentences = supported or [finding.headline for finding in findings[:1]]
    clauses = [text.rstrip(".") for text in sentences]
    both = "; ".join([*clauses[:1], *(f"{text[0].lower()}{text[1:]}" for text in clauses[1:])])
    return (f"{both}." if len(both) < LONGEST else f"{clauses[0]}.") if clauses else ""


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
        *_baselines(gate, figure_id),
        _paradigms(gate, Query(sheet.index).href),
        _faults(sheet),
        *(_exchange(exchange) for exchange in exchanges if exchange.data == sheet.data.name),
        *_asked(gate, figures),
        *_people(findings[0], figure_id),
    )


def _controls(gate: Gate, figure_id: str) -> Check:
    estimate, failures = gate.controls, gate.control_failures
    failing = "".join(
        f" {part_text(check) if 'failing' in check.values else reason_text(check)}."
        for check in failures
    )
    if estimate is None:
        missing = f"No number.{failing}" if failures else "These data have no controls."
        return Check("controls", "none", "doubt" if failures else "none", missing)
    shuffled = gate.baseline(Test.CONTROLS, role="control")
    chance = f"; shuffled answers {round_percent(shuffled)}" if shuffled is not None else ""
    text = f"{percent(estimate)} balanced accuracy on the controls{chance}.{failing}"
    over_all, kept_rate, sets = (
        gate.value(Test.CONTROLS, name, role="control") for name in ("over_all", "kept", "sets")
    )
    if isinstance(over_all, Estimate):
        text = f"{percent(over_all)} over all sets; kept {kept_rate} of {sets}, with {text}"
        estimate = over_all
    return _judged("controls", round_percent(estimate.value), not failures, text, figure_id)


def _baselines(gate: Gate, figure_id: str) -> list[Check]:
    """Compare the score with each baseline; a correlation is compared with 0."""
    baseline_checks = []
    for check in gate.checks:
        good, score = check.state is State.PASS, check.values.get("score")
        if check.role == "control" or not isinstance(score, Estimate):
            continue
        if check.test is Test.CORRELATION:
            text = f"The correlation is {score.value:.2f}; 0 is expected by chance."
            baseline_checks.append(
                _judged(CHIPS[check.test], f"{score.value:.2f}", good, text, figure_id)
            )
        elif (baseline := check.values.get("baseline")) is not None and check.test in CHIPS:
            assert isinstance(baseline, float)
            text = (
                f"Score {percent(score)}; {CHIPS[check.test]} baseline {round_percent(baseline)}."
            )
            difference = f"{100 * (score.value - baseline):+.0f} points".replace("-", "−")
            baseline_checks.append(
                _judged(f"vs. {CHIPS[check.test]}", difference, good, text, figure_id)
            )
    unused = [check for check in gate.reasons if check.test is Test.LABELS_USED]
    if unused:
        text = f"{reason_text(unused[0])}."
        baseline_checks.append(
            _judged("labels", "not discriminated", False, text[0].upper() + text[1:], figure_id)
        )
    return baseline_checks


def _judged(name: str, value: str, good: bool, text: str, evidence: str = "") -> Check:
    return Check(name, value, "good" if good else "doubt", text, evidence)


def _paradigms(gate: Gate, items: str) -> Check:
    count = gate.paradigms
    size = (
        "too few for a claim"
        if count < FEWEST_PARADIGMS
        else f"too few for precise estimates ({FEW_PARADIGMS} recommended)"
        if count < FEW_PARADIGMS
        else "enough for an interval"
    )
    difference = gate.min_detectable_difference
    detectable = (
        f" Minimum detectable difference {100 * difference:.0f} points (80% power)."
        if difference and difference >= 0.005
        else ""
    )
    text = f"{gate.n:,} answers in {count:,} paradigms: {size}.{detectable}"
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
    text = f"{faults:,} of {n_asked:,} items have no valid response." + (
        f" Comparison models: {'; '.join(others)}." if others else ""
    )
    value = f"{faults:,}" if not others else f"{faults:,}, others more"
    return _judged(
        "invalid responses", value, faults / n_asked <= MANY_FAULTS and not others, text, "method"
    )


def _exchange(exchange: Exchange) -> Check:
    return _judged(
        "premise swap",
        f"{round_percent(exchange.same.value)} unchanged",
        not exchange.unread,
        exchange.text,
    )


def _asked(gate: Gate, figures: Sequence[Figure]) -> list[Check]:
    """Check whether the claim holds under every prompt variant, where several were evaluated."""
    method_effects = gate.methods
    if method_effects is None:
        return []
    figure_id = next((figure.id for figure in figures if "methods" in figure.id), "")
    worst, best = (
        round_percent(effect[1].value) for effect in (method_effects.worst, method_effects.best)
    )
    text = (
        f"With {len(method_effects.methods)} prompt variants, {method_effects.what} is {worst} to"
        f" {best}: {method_effects.verdict}."
    )
    return [
        _judged(
            "prompt variants",
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
        f"People: {people.value:.2f} (n = {people.n:,}), the model {model_value.value:.2f}:"
        f" {draft.people.what}. {draft.people.source}."
    )
    if draft.people.what == CORRELATION and model_value.value > people.value:
        text += f" Above the noise ceiling: {ABOVE_CEILING}."
    return [Check("people", f"{people.value:.2f}", "none", text, figure_id)]
