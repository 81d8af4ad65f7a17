"""Claims of the page and the test that each must pass before it is reported.

A claim is reported only if the model outperforms baselines that do not read the items.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grice.core.estimate import Estimate
from grice.core.methods import DEPENDS, ROBUST, MethodEffects

UNTOLD = "untold"
CORRELATION = "correlation with people's means; theirs is the ceiling"
VERDICTS = {
    "logical": "scalar terms are read as logic has them",
    "pragmatic": "scalar terms are read with their implicatures",
    "mixed": "both answers are given, each more often than by chance",
    "neither": "it reads, and follows neither reading",
    "presupposes": "presuppositions are taken from plain sentences",
    "presupposes_not": "presuppositions are not taken from plain sentences",
    "projects": "presuppositions are taken from under operators too",
    "projects_not": "presuppositions are taken from plain sentences and not from under operators",
    "signatures": "what follows from a verb's complement is what its signature says",
    "conjunctions": "conjunctions are answered right, in boolean and other uses",
    "boolean": (
        "conjunctions are answered right where they are boolean, clearly less where they are not"
    ),
    "deniable": "what was implied may be taken back, what was said or taken for granted may not",
    "deniable_not": "denials are not told apart as theory says",
    "right": "the data's own labels are given more often than without reading",
    "calibrated": "it is as sure as it is right",
    "overconfident": "it is surer than it is right",
    "underconfident": "it is less sure than it is right",
    "people": "its numbers go with people's",
    "described": "a number without a verdict, of a chapter of one's own",
    UNTOLD: "nothing is claimed; the text says why",
}
# The headline of each verdict; a chapter may set its own.
HEADLINES = {
    "logical": "Reads scalar terms logically: it does not draw the implicatures.",
    "pragmatic": "Draws scalar implicatures: “some” means “not all”.",
    "mixed": "Goes now one way, now the other.",
    "neither": "Reads scalar terms neither logically nor pragmatically.",
    "presupposes": "Takes presuppositions for granted in plain sentences.",
    "presupposes_not": "Does not take presuppositions for granted, even in plain sentences.",
    "projects": "Keeps them under operators.",
    "projects_not": "Loses them under operators.",
    "signatures": "Knows which verbs commit to their complement.",
    "conjunctions": "Reads conjunctions, boolean or not.",
    "boolean": "Reads boolean conjunctions, not the other uses of “and” and “or”.",
    "deniable": "Lets the implied be taken back, not what was said or presupposed.",
    "deniable_not": "Does not tell what may be taken back from what may not.",
    "right": "Gives the data's answers more often than without reading.",
    "calibrated": "Is as sure as it is right.",
    "overconfident": "Is surer than it is right.",
    "underconfident": "Is less sure than it is right.",
    "people": "Goes up and down with people over the same words.",
}


@dataclass(frozen=True)
class Gate:
    """Result of the test of a claim; `reasons` say why it fails, and it passes if there are none.

    `score` is what the claim counts, `blind` the mean score of the judge's own answers shuffled
    over the items of a set, `one_text` that of baselines that see the premise or the hypothesis
    only, and `constant` the score of the best constant label. `controls` is the balanced accuracy
    on the controls and `controls_blind` that of the shuffled answers; `controls_fail` says what is
    wrong with them, or in which part of the data they fail. `smallest` is the minimum detectable
    difference to the shuffled-answer baseline with this number of paradigms at 80% power. `methods`
    has the effects of prompt variants if the judge was evaluated with several.
    """

    n: int = 0
    paradigms: int = 0
    score: Estimate | None = None
    blind: float | None = None
    one_text: Mapping[str, float] = field(default_factory=dict)
    constant: float | None = None
    controls: Estimate | None = None
    controls_blind: float | None = None
    p: float = 1.0
    corrected_p: float = 1.0
    smallest: float | None = None
    reasons: tuple[str, ...] = ()
    controls_fail: tuple[str, ...] = ()
    methods: MethodEffects | None = None

    @property
    def open(self) -> bool:
        """Whether the claim passes the test."""
        return not self.reasons

    @property
    def asked_in_ways(self) -> str:
        """A sentence on how far the claim holds across prompt variants; empty for one variant."""
        effects = self.methods
        if effects is None:
            return ""
        new = effects.new_wording
        ends = (
            f", for a new wording {100 * new.low:.0f} to {100 * new.high:.0f}"
            if new.low is not None and new.high is not None
            else ""
        )
        counted = f"{effects.what}: {100 * effects.mean.value:.0f}{ends}"
        tail = {DEPENDS: "it depends on the method", ROBUST: "robust"}.get(
            effects.verdict, "whether a new wording would say the same cannot be told"
        )
        return f"Asked in {len(effects.methods)} ways ({counted}), {tail}."

    @property
    def rests_on(self) -> str:
        """A sentence on the evidence: paradigms, baselines, minimum detectable difference."""
        known = {"shuffled": self.blind, "one answer throughout": self.constant}
        known |= {f"the {text} alone": share for text, share in self.one_text.items()}
        without = ", ".join(
            f"{name} {share:.0%}" for name, share in known.items() if share is not None
        )
        seen = (
            f"; a difference of {100 * self.smallest:.0f} points would have shown"
            if self.smallest and self.smallest >= 0.005
            else ""
        )
        score = (
            f" Counted: {self.score.value:.0%}; without reading: {without}."
            if self.score and without
            else ""
        )
        counted = self.paradigms and self.constant is not None
        return f"Rests on {self.paradigms:,} paradigms{seen}.{score}" if counted else ""


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
    about several; `reason` says why the number is inconclusive.
    """

    measure: str
    estimate: Estimate
    blind: float | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    data: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Claim:
    """A sentence at the top of the page, the section that shows it, its verdict and its test.

    `beside` gives the same number for other judges. `headline` says the same in at most 90
    characters without a number. `people` is the value that published experiments report for humans,
    if any.
    """

    text: str
    section: str
    title: str
    beside: str = ""
    verdict: str = "described"
    gate: Gate | None = None
    headline: str = ""
    people: PeopleBeside | None = None
    numbers: tuple[ClaimNumber, ...] = ()

    @property
    def made(self) -> bool:
        """Whether the claim is supported: its test is passed and it has a verdict."""
        return self.gate is not None and self.gate.open and self.verdict != UNTOLD
