"""Claims of a chapter before all chapters are corrected together."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace

from grice.reporting.claims import (
    ClaimNumber,
    DiagnosisResult,
    Gate,
    GateCheck,
    PeopleBeside,
    State,
    Test,
    Value,
    Verdict,
)
from grice.reporting.sentences import claim_headline, claim_text


@dataclass(frozen=True)
class ClaimDraft:
    """A claim of a chapter: its verdict if the gate passes, and the values of its sentence.

    `name` is the name that figures refer to, `topic` says what it is about, as a noun phrase.
    `people` are the published means of people for it; `numbers` are those that it is about.
    """

    name: str
    topic: str
    gate: Gate
    verdict: Verdict | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    beside: str = ""
    people: PeopleBeside | None = None
    numbers: tuple[ClaimNumber, ...] = ()
    diagnoses: tuple[DiagnosisResult, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether it has a verdict and passes its tests."""
        return self.gate.passed and self.verdict is not None

    @property
    def reason(self) -> GateCheck:
        """The first failed test, or `DIRECTION` (no answer prevails) if all passed."""
        return next(iter(self.gate.reasons), GateCheck(Test.DIRECTION, State.FAIL))

    @property
    def sentence(self) -> str:
        """The sentence of the page with numbers."""
        return self.sentence_after()

    def sentence_after(self, known: Container[str] = ()) -> str:
        """Return the sentence without the sentences of diagnoses in `known`."""
        return claim_text(self.topic, self.verdict, self.gate, self.values, self.diagnoses, known)

    @property
    def headline(self) -> str:
        """The claim in one sentence without numbers."""
        return claim_headline(self.topic, self.verdict, self.gate, self.diagnoses)

    def fail(self, *checks: GateCheck) -> ClaimDraft:
        """Return the claim with further failed tests, as the first ones."""
        return replace(self, gate=replace(self.gate, checks=(*checks, *self.gate.checks)))
