"""Warnings for runs with unreadable replies or low label mass, with the setting to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import fmean
from typing import Any

from grice.core.errors import GriceError
from grice.core.fault import FaultKind
from grice.core.judgement import Judgement

# Number of replies after which a run stops if none of them can be used.
FIRST_REPLIES = 20
# Thresholds of the mean label mass: for stopping a run, and for a warning.
STOP_MASS, LOW_MASS = 0.01, 0.1
# Advice by kind of fault. Kinds without advice, such as a timeout, are no replies.
REMEDIES: Mapping[str, str] = {
    "cut off": (
        "Raise -M max_tokens, e.g. -M max_tokens=8000: a reasoning model thinks before it answers."
    ),
    "refused": (
        "The model declines to answer: change -M system or -M template, or ask another model."
    ),
    **dict.fromkeys(
        (
            FaultKind.UNREADABLE,
            FaultKind.SEVERAL,
            FaultKind.NEGATED,
            FaultKind.HEDGED,
            FaultKind.QUESTIONED,
            FaultKind.OFF_SCALE,
        ),
        "Try another -M readout, e.g. -M readout=json, or constrain what the model writes.",
    ),
    FaultKind.LETTER: "Use -M readout=logprobs, whose prompt shows a letter for each label.",
    "no logprobs": "Use -M readout=text or -M readout=json.",
    "little mass": "Lower -M mass, or try another -M readout.",
    "too long": (
        "Shorten the prompt (-M system, -M template, -M shots), or use a model with a longer"
        " context."
    ),
    "not a number": "Use -M dtype=fp32.",
}
# Readout to try if the labels of another have low probability.
OTHER_READOUT = {
    "words": "letter",
    "json": "letter",
    "letter": "text",
    "graded": "text",
    "logprobs": "text",
}


class UnusableReplies(GriceError):
    """Unusable first replies of a run; they are stored."""


class WarningKind(StrEnum):
    """Kind of a run's warning."""

    LOW_MASS = "low label mass"
    NO_ANSWER = "no answer"


@dataclass(frozen=True)
class RunWarning:
    """Warning with its number: the mean label mass, or the number of faults."""

    kind: WarningKind
    value: float
    text: str


def find_warning(
    n_answers: int,
    faults: Sequence[str],
    masses: Sequence[float],
    settings: Mapping[str, Any],
    threshold: float,
) -> RunWarning | None:
    """Return what makes replies unusable: a low mean label mass, or faults alone."""
    replies = [fault for fault in faults if fault.partition(":")[0] in REMEDIES]
    # Prompts that are too long have no mass; a few others are no evidence on the run.
    if 2 * len(masses) >= n_answers + len(replies) > 0 and (mean := fmean(masses)) < threshold:
        fact = (
            f"Label mass is low: the labels get {mean:.2g} of the probability on average (n ="
            f" {len(masses):,})"
        )
        readout = OTHER_READOUT.get(str(settings.get("readout")))
        setting = f"-M readout={readout}" if readout else "another -M readout"
        remedy = f"{'Leave out -M methods and try' if 'methods' in settings else 'Try'} {setting}."
        return RunWarning(
            WarningKind.LOW_MASS,
            mean,
            f"{fact}, so the answers say little about the model. {remedy}",
        )
    if n_answers or not replies:
        return None
    kinds = Counter(fault.partition(":")[0] for fault in replies).most_common()
    counts = ", ".join(f"{count:,} {kind}" for kind, count in kinds)
    fact = f"None of {len(replies):,} replies could be read ({counts}; the last: {replies[-1]})"
    return RunWarning(WarningKind.NO_ANSWER, len(replies), f"{fact}. {REMEDIES[kinds[0][0]]}")


@dataclass
class FirstReplies:
    """First replies of a session; `warning` is set when they are complete and unusable."""

    settings: Mapping[str, Any]
    warning: RunWarning | None = None
    _answers: int = 0
    _faults: list[str] = field(default_factory=list)
    _masses: list[float] = field(default_factory=list)

    def add(self, reply: Judgement) -> None:
        """Count a reply; failures such as a timeout or a server error do not count."""
        if self._answers + len(self._faults) >= FIRST_REPLIES:
            return
        if reply.fault is not None and reply.fault.partition(":")[0] not in REMEDIES:
            return
        self._answers += reply.fault is None
        self._faults += [] if reply.fault is None else [reply.fault]
        self._masses += [] if reply.mass is None else [reply.mass]
        if self._answers + len(self._faults) == FIRST_REPLIES:
            self.warning = find_warning(
                self._answers, self._faults, self._masses, self.settings, STOP_MASS
            )

    def stop(self, judge: str) -> UnusableReplies:
        """Return the error that ends the run."""
        assert self.warning is not None
        return UnusableReplies(
            f"{judge}: stopped after the first {FIRST_REPLIES} replies, which are kept."
            f" {self.warning.text} To go on nevertheless, add --keep-going."
        )
