"""Shared sentences of a profile, rendered from codes and values.

A chapter's own verdicts stand at the top of its file, as `Verdict` values. Nothing is decided by
what is written here.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from string import Formatter
from typing import Any

from grice.core.estimate import Estimate
from grice.core.methods import DEPENDS, ROBUST
from grice.reporting.claims import (
    Diagnosis,
    DiagnosisResult,
    Gate,
    GateCheck,
    Test,
    Values,
    Verdict,
)
from grice.reporting.formats import interval, join_names, percent, round_percent
from grice.reporting.question import label_word
from grice.tables.tabular import ends_text

# Why a claim is not made: in a few words for headlines, and as a clause with numbers.
REASONS: dict[Test, tuple[str, str]] = {
    Test.ANSWERED: ("no answers", "there are no answers to count"),
    Test.SAMPLE_SIZE: (
        "too few items",
        "{paradigms:n} {unit} are too few: a clear result needs about {needed_paradigms:n}",
    ),
    Test.CONTROLS: (
        "controls failed",
        "controls failed: {score:share} balanced accuracy, {needed:round} required",
    ),
    Test.SHUFFLED: (
        "not above the shuffled-answer baseline",
        "{score:interval} is not significantly above the shuffled-answer baseline of"
        " {baseline:round}",
    ),
    Test.MAJORITY: (
        "not above the majority baseline",
        "{score:interval} is not significantly above the best constant answer's {baseline:round}",
    ),
    Test.HYPOTHESIS_ONLY: (
        "not above the hypothesis-only baseline",
        "{score:interval} is not significantly above the hypothesis-only baseline of"
        " {baseline:round}, on items whose label varies with the premise",
    ),
    Test.PREMISE_ONLY: (
        "not above the premise-only baseline",
        "{score:interval} is not significantly above the premise-only baseline of"
        " {baseline:round}, on items whose label varies with the hypothesis",
    ),
    Test.LABELS_USED: (
        "a label is not discriminated",
        "it does not say {label:answer} significantly more often where that is right",
    ),
    Test.CORRELATION: (
        "correlation not above zero",
        "the correlation of {score:r} is not significantly above 0",
    ),
    Test.DENIALS: (
        "it accepts the negated presuppositions too",
        "it infers {taken:share} of the presuppositions and {denied:share} of their negations",
    ),
    Test.DIRECTION: ("no answer prevails", "no answer is given significantly more than half"),
    Test.PARENT: (
        "no verdict on {parent}",
        "its section on this phenomenon has no verdict ({parent})",
    ),
    Test.PREMISE_SWAP: (
        "it does not read the premise",
        "with the premise of another paradigm, {same:share} of its answers stay the same",
    ),
    Test.PROMPT_VARIANTS: (
        "it depends on the prompt",
        "it depends on the prompt ({what}: {best} with {best_name}, {worst} with {worst_name})",
    ),
    Test.DIAGNOSIS: (
        "a diagnosis explains the answers",
        "a diagnosis explains the answers to these data",
    ),
    Test.HOLM: (
        "not significant after correction",
        "it is not significant after Holm's correction over {family:n} claims and diagnoses"
        " (p = {p:p})",
    ),
}
NO_CONTROLS = "no control items were answered"
# What a diagnosis says: a headline without numbers, and the sentence with its rate.
DIAGNOSES: dict[Diagnosis, tuple[str, str]] = {
    Diagnosis.MANY_FAULTS: (
        "Gives many invalid responses.",
        "It gives no valid response to {rate:share} of the items.",
    ),
    Diagnosis.LOW_LABEL_MASS: (
        "Puts little probability on the labels.",
        "Its mean label mass is {mass:p}: it was going to write something else.",
    ),
    Diagnosis.DEPENDS_ON_PROMPT: (
        "Depends on the prompt.",
        "It depends on the prompt ({what}: {best} with {best_name}, {worst} with {worst_name}).",
    ),
    Diagnosis.CONSTANT_ANSWER: (
        "Answers {label:answer} to nearly everything.",
        "It says {label:answer} to {rate:share} of the items.",
    ),
    Diagnosis.POSITION_BIAS: (
        "Chooses by the position of an option, not by its meaning.",
        "It chooses option {position} in {rate:share} of its answers, over balanced orders.",
    ),
    Diagnosis.HYPOTHESIS_ONLY: (
        "Answers by the hypothesis alone.",
        "Where the label changes with the premise, its answer stays the same in {rate:share} of"
        " the pairs.",
    ),
    Diagnosis.PREMISE_ONLY: (
        "Answers by the premise alone.",
        "Where the label changes with the hypothesis, its answer stays the same in {rate:share} of"
        " the pairs.",
    ),
    Diagnosis.IGNORES_PREMISE: (
        "Ignores the premise.",
        "With the premise of another paradigm, {rate:share} of its answers stay the same.",
    ),
    Diagnosis.WORD_OVERLAP: (
        "Answers by shared words.",
        "It says “follows” to {rate:share} of the pairs that only share words and do not follow,"
        " and to {other:share} of those that follow in new words.",
    ),
    Diagnosis.NEVER_ANSWERS: (
        "Never answers {label:answer}.",
        "It never says {label:answer}, which is right for {n_due:n} of {n:n} items.",
    ),
    Diagnosis.RARELY_ANSWERS: (
        "Rarely answers {label:answer}.",
        "It says {label:answer} to {rate:share} of the items where that is right, and to"
        " {given:round} overall; it is right for {due:round}.",
    ),
    Diagnosis.IGNORES_NEGATION: (
        "Ignores negation.",
        "Where a “not” in one of the two texts makes them contradict, it says “follows” to"
        " {rate:share}.",
    ),
    Diagnosis.READS_OPERATOR_AS_STATEMENT: (
        "Reads {operator} as statements.",
        "It reads {operator} as statements: it says “follows” to {rate:share} of their controls.",
    ),
    Diagnosis.GUESSES: (
        "Answers as if it guessed.",
        "It answers as if it guessed: it is right on {rate:share} of the pairs with one right"
        " answer; the same answers in random order are right on {shuffled:round}.",
    ),
    Diagnosis.TOO_FEW_ITEMS: (
        "Too few items.",
        "{paradigms:n} {unit} are too few: a clear result needs about {needed_paradigms:n}.",
    ),
}
OPERATORS = {
    "negated": "negations",
    "interrogative": "questions",
    "modal": "“might” sentences",
    "conditional": "conditionals",
}
INCONCLUSIVE = "inconclusive"
NEEDED = " About {needed:n} {unit} would be needed; there are {n:n}."
# Failed tests that a diagnosis says in its own sentence.
EXPLAINED = {Test.SAMPLE_SIZE, Test.PROMPT_VARIANTS, Test.PREMISE_SWAP, Test.DIAGNOSIS}


class _ValueFormatter(Formatter):
    """Formats values by kind: share, interval, round, points, n, p, r, and names."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, tuple):
            return join_names(OPERATORS.get(str(name), str(name)) for name in value)
        number = value.value if isinstance(value, Estimate) else value
        match format_spec:
            case "share":
                return percent(value)
            case "interval":
                return interval(value)
            case "round":
                return round_percent(number)
            case "answer":
                return f"“{label_word(str(value))}”"
            case "points":
                return f"{100 * number:.0f} points"
            case "n":
                return f"{number:,}"
            case "p":
                return "< .001" if number < 0.001 else f"{number:.2g}"
            case "r":
                ends = ends_text(value.low, value.high, " ({:.2f} to {:.2f})")
                return f"{number:.2f}{ends}"
        return str(OPERATORS.get(value, value) if isinstance(value, str) else value)


FORMATTER = _ValueFormatter()


def render(template: str, values: Values) -> str:
    """Fill a template with values, each formatted as its field says."""
    return FORMATTER.vformat(template, (), values)


def render_clauses(clauses: Sequence[str], values: Values) -> str:
    """Fill the templates that have all of their values, and join them."""
    return "".join(render(clause, values) for clause in clauses if _fields(clause) <= set(values))


def reason_text(check: GateCheck) -> str:
    """Return why a claim is not made, as a clause with numbers."""
    long = REASONS[check.test][1]
    if not _fields(long) <= set(check.values):
        return NO_CONTROLS if check.test is Test.CONTROLS else REASONS[check.test][0]
    text = render(long, check.values)
    return f"controls: {text}" if check.role == "control" and check.test != Test.CONTROLS else text


def short_reason(check: GateCheck) -> str:
    """Return why a claim is not made, in a few words without numbers."""
    if check.role == "control":
        return REASONS[Test.CONTROLS][0]
    return render(REASONS[check.test][0], check.values)


def part_text(check: GateCheck) -> str:
    """Return in which part of the data a test fails, as a clause."""
    return f"those of {join_names(_names(check))} fail"


def diagnosis_headline(diagnoses: Sequence[DiagnosisResult]) -> str:
    """Return the first diagnosis as a sentence without numbers, for all operators that have it."""
    first = diagnoses[0]
    operators = [
        str(result.values["operator"])
        for result in diagnoses
        if result.code is first.code and "operator" in result.values
    ]
    values = {**first.values, **({"operator": tuple(operators)} if operators else {})}
    return render(DIAGNOSES[first.code][0], values)


def diagnosis_text(diagnosis: DiagnosisResult) -> str:
    """Return a diagnosis as a sentence with its rate."""
    values = dict(diagnosis.values)
    if diagnosis.estimate is not None:
        values["rate"] = diagnosis.estimate
    return render(DIAGNOSES[diagnosis.code][1], values)


def claim_headline(
    topic: str, verdict: Verdict | None, gate: Gate, diagnoses: Sequence[DiagnosisResult]
) -> str:
    """Return a claim as one sentence without numbers: verdict, diagnosis or inconclusive."""
    if verdict is not None and gate.passed:
        return verdict.headline
    if diagnoses:
        return diagnosis_headline(diagnoses)
    why = short_reason(gate.reasons[0]) if gate.reasons else REASONS[Test.DIRECTION][0]
    return f"{topic[:1].upper()}{topic[1:]}: {INCONCLUSIVE} ({why})."


def claim_chip(verdict: Verdict | None, gate: Gate, diagnoses: Sequence[DiagnosisResult]) -> str:
    """Return the status of a claim in a word or two."""
    if verdict is not None and gate.passed:
        return verdict.chip
    return "diagnosis" if diagnoses else INCONCLUSIVE


def claim_text(
    topic: str,
    verdict: Verdict | None,
    gate: Gate,
    values: Values,
    diagnoses: Sequence[DiagnosisResult],
    known: Container[str] = (),
) -> str:
    """Return a claim with its numbers; without a verdict its diagnoses, and the failed test.

    Sentences of diagnoses in `known` are left out.
    """
    explained = " ".join(text for text in map(diagnosis_text, diagnoses) if text not in known)
    if verdict is not None and gate.passed:
        supported = render_clauses(verdict.clauses, values) + prompt_variants_text(gate)
        return " ".join(filter(None, (supported, explained)))
    reason = next(iter(gate.reasons), None)
    why = reason_text(reason) if reason else REASONS[Test.DIRECTION][1]
    if diagnoses:
        is_explained = reason is not None and reason.test in EXPLAINED
        verdict_text = f"No verdict on {topic}{'' if is_explained else f', since {why}'}."
        return " ".join(filter(None, (explained, verdict_text)))
    text = f"{topic[:1].upper()}{topic[1:]}: {INCONCLUSIVE}, since {why}."
    needed = gate.paradigms_needed
    if not needed or needed <= gate.paradigms:
        return text
    unit = "words" if reason and reason.test is Test.CORRELATION else "paradigms"
    return text + render(NEEDED, {"needed": needed, "n": gate.paradigms, "unit": unit})


def prompt_variants_text(gate: Gate) -> str:
    """Return how far a claim holds across prompt variants; empty for one variant."""
    effects = gate.methods
    if effects is None:
        return ""
    new = effects.new_wording
    ends = (
        f", for a new wording {100 * new.low:.0f} to {100 * new.high:.0f}"
        if new.low is not None and new.high is not None
        else ""
    )
    counted = f"{effects.what}: {100 * effects.mean.value:.0f}{ends}"
    tail = {DEPENDS: "it depends on the prompt", ROBUST: "robust"}.get(
        effects.verdict, "inconclusive for a new wording"
    )
    return f" With {len(effects.methods)} prompt variants ({counted}), {tail}."


def control_warning(judge: str, gate: Gate) -> str:
    """Return the warning that controls fail in all of the data; empty if they do not."""
    failed = [check for check in gate.reasons if check.role == "control"]
    if not failed:
        return ""
    return (
        f"Controls failed: of {judge}, {reason_text(failed[0])}. The target items below are not"
        " interpretable."
    )


def partial_controls_text(gate: Gate) -> str:
    """Return a warning that names the parts of the data whose controls fail, or an empty text."""
    parts = [check for check in gate.control_failures if "failing" in check.values]
    return " ".join(
        f"Controls failed for {join_names(_names(check))}: their target items are left out."
        for check in parts
    )


def _names(check: GateCheck) -> list[str]:
    names = check.values.get("failing", ())
    return [OPERATORS.get(name, name) for name in names] if isinstance(names, tuple) else []


def _fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}
