"""Claims of a profile: verdicts, the tests behind them, and diagnoses where there is no verdict.

Everything here is a value: codes, numbers and names. `grice.reporting.sentences` writes the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from grice.core.estimate import Estimate
from grice.core.methods import MethodEffects

# The quantity of a human reference that is a correlation, with the noise ceiling as people's value.
CORRELATION = "correlation"
Value = int | float | str | Estimate | tuple[str, ...]
Values = Mapping[str, Value]


class Test(StrEnum):
    """A test that a claim must pass before it is reported."""

    __test__ = False  # not a test class of pytest

    ANSWERED = "answered"
    SAMPLE_SIZE = "sample_size"
    CONTROLS = "controls"
    SHUFFLED = "shuffled"
    MAJORITY = "majority"
    HYPOTHESIS_ONLY = "hypothesis_only"
    PREMISE_ONLY = "premise_only"
    LABELS_USED = "labels_used"
    CORRELATION = "correlation"
    DENIALS = "denials"
    DIRECTION = "direction"
    PARENT = "parent"
    PREMISE_SWAP = "premise_swap"
    PROMPT_VARIANTS = "prompt_variants"
    DIAGNOSIS = "diagnosis"
    HOLM = "holm"


class State(StrEnum):
    """Result of a test; `PARTIAL` means that it fails for a part of the data, which is left out."""

    PASS = "pass"
    PARTIAL = "partial"
    FAIL = "fail"


class Diagnosis(StrEnum):
    """What explains the answers of a model where no verdict is possible, most specific first."""

    MANY_FAULTS = "many_faults"
    LOW_LABEL_MASS = "low_label_mass"
    DEPENDS_ON_PROMPT = "depends_on_prompt"
    CONSTANT_ANSWER = "constant_answer"
    POSITION_BIAS = "position_bias"
    WORD_OVERLAP = "word_overlap"
    HYPOTHESIS_ONLY = "hypothesis_only"
    PREMISE_ONLY = "premise_only"
    IGNORES_PREMISE = "ignores_premise"
    NEVER_ANSWERS = "never_answers"
    IGNORES_NEGATION = "ignores_negation"
    READS_OPERATOR_AS_STATEMENT = "reads_operator_as_statement"
    RARELY_ANSWERS = "rarely_answers"
    GUESSES = "guesses"
    TOO_FEW_ITEMS = "too_few_items"


@dataclass(frozen=True)
class GateCheck:
    """One test of a claim with its result; a failed one is the reason why a claim is not made.

    `role` says whether it was made on the target or the control items. `values` are the numbers and
    names that its sentence needs.
    """

    test: Test
    state: State
    values: Values = field(default_factory=dict)
    role: Literal["target", "control"] = "target"


@dataclass(frozen=True)
class Verdict:
    """A result that a chapter can report.

    `chip` is it in a word or two, `headline` a sentence without numbers. `clauses` are templates of
    the sentence with numbers; a clause is left out if one of its values is missing.
    """

    code: str
    chip: str
    headline: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class DiagnosisResult:
    """A diagnosis whose test is passed.

    `estimate` is the rate that shows it: of the answer `given`, where `expected` is correct, on the
    items with these columns (`where`). `items` are the ids of example items.
    """

    code: Diagnosis
    estimate: Estimate | None = None
    values: Values = field(default_factory=dict)
    given: str = ""
    expected: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    items: tuple[str, ...] = ()
    p: float = 1.0
    corrected_p: float = 1.0


@dataclass(frozen=True)
class Gate:
    """The tests of a claim; it passes if none of them fails.

    `score` is what the claim counts, on `n` answers in `paradigms`. `p` is the largest one-sided p
    of its tests, `corrected_p` the same after Holm's correction over the `family` of claims and
    diagnoses. `min_detectable_difference` to the shuffled-answer baseline is for 80% power, and
    `paradigms_needed` the number of paradigms that an inconclusive claim would need. `methods`
    has the effects of prompt variants if the model was evaluated with several.
    """

    n: int = 0
    paradigms: int = 0
    score: Estimate | None = None
    checks: tuple[GateCheck, ...] = ()
    p: float = 1.0
    corrected_p: float = 1.0
    family: int = 1
    min_detectable_difference: float | None = None
    paradigms_needed: int | None = None
    methods: MethodEffects | None = None

    @property
    def passed(self) -> bool:
        """Whether no test fails."""
        return not self.reasons

    @property
    def reasons(self) -> tuple[GateCheck, ...]:
        """The failed tests."""
        return tuple(check for check in self.checks if check.state is State.FAIL)

    @property
    def control_failures(self) -> tuple[GateCheck, ...]:
        """The tests of the controls that fail in all or part of the data."""
        return tuple(
            check
            for check in self.checks
            if check.role == "control" and check.state is not State.PASS
        )

    @property
    def controls(self) -> Estimate | None:
        """Balanced accuracy on the controls."""
        value = self.value(Test.CONTROLS, "score", role="control")
        return value if isinstance(value, Estimate) else None

    def value(self, test: Test, name: str, *, role: str = "target") -> Value | None:
        """Return a value of the first check of this kind that has it."""
        return next(
            (
                check.values[name]
                for check in self.checks
                if check.test is test and check.role == role and name in check.values
            ),
            None,
        )

    def baseline(self, test: Test, *, role: str = "target") -> float | None:
        """Return the mean score of a baseline: shuffled, majority, or one of the partial inputs."""
        value = self.value(test, "baseline", role=role)
        return value if isinstance(value, float) else None


@dataclass(frozen=True)
class PeopleBeside:
    """The human reference of a claim, with the judge's value in `said` for the same items.

    `what` is the quantity and `source` who published it. `over` says over how many words or items;
    it is empty if the claim itself reports the noise ceiling.
    """

    people: Estimate
    said: Estimate
    what: str
    source: str
    over: str = ""


@dataclass(frozen=True)
class ClaimNumber:
    """A number that a claim is about: a measure on the items with these tags, and its baseline.

    `blind` is the value for the judge's shuffled answers. `data` names the dataset if a claim is
    about several; `reasons` are the failed tests that make the number inconclusive.
    """

    measure: str
    estimate: Estimate
    blind: float | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    data: str = ""
    reasons: tuple[GateCheck, ...] = ()


@dataclass(frozen=True)
class Claim:
    """A result at the top of the page, the section that shows it, its verdict and its tests.

    Without a `verdict`, `diagnoses` say what explains the answers; without either it is
    inconclusive. A claim without a `gate` only describes, as in a user-defined chapter. `topic`
    names what it is about. `text`, `headline` and `chip` are rendered from the values. `beside`
    gives the same number for other judges, `people` the value that published experiments report.
    """

    text: str
    section: str
    title: str
    beside: str = ""
    verdict: str | None = None
    gate: Gate | None = None
    headline: str = ""
    people: PeopleBeside | None = None
    numbers: tuple[ClaimNumber, ...] = ()
    topic: str = ""
    chip: str = ""
    diagnoses: tuple[DiagnosisResult, ...] = ()
    values: Values = field(default_factory=dict)

    @property
    def supported(self) -> bool:
        """Whether the claim has a verdict, which it has only if its tests are passed."""
        return self.gate is not None and self.gate.passed and self.verdict is not None

    @property
    def status(self) -> Literal["verdict", "diagnosis", "inconclusive", "described"]:
        """What the claim amounts to."""
        if self.gate is None:
            return "described"
        if self.supported:
            return "verdict"
        return "diagnosis" if self.diagnoses else "inconclusive"
