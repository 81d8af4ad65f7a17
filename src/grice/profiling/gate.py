"""Tests that decide whether a claim is made: controls, baselines and enough paradigms.

The baselines are the model's own answers, shuffled; the best constant answer; and one text alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from grice.analysis.statistics.baselines import (
    HYPOTHESIS,
    PREMISE,
    AnswerScore,
    Excess,
    baseline_scores,
    correctness,
    excess,
    gold_varies,
    p_above,
)
from grice.analysis.statistics.paired import holm
from grice.analysis.statistics.planning import measure_spread, smallest_difference
from grice.core.estimate import Estimate, mean
from grice.profiling.asking import reading_effects
from grice.profiling.phrases import is_above, is_below, percent, round_percent
from grice.profiling.sheets import plain_name
from grice.reporting.claims import HEADLINES, UNTOLD, ClaimNumber, Gate, PeopleBeside
from grice.reporting.model import ALL_ROWS, Mark

# Significance level, minimum balanced accuracy on controls (a constant answer gets a third), and
# minimum difference to the shuffled-answer baseline. Below: minimum items and paradigms of a claim.
LEVEL, RELIABLE, MARGIN = 0.05, 0.6, 0.05
FEWEST_ITEMS, FEWEST_PARADIGMS = 20, 6
# A model is mixed where the interval of the share of an answer lies within 1 - PURE and PURE.
PURE = 0.85
ONE_TEXT = {"hypothesis": HYPOTHESIS, "premise": PREMISE}
CONTROL, TARGET = pl.col("tag.role") == "control", pl.col("tag.role") == "target"
CONTROLS_RIGHT = "its controls are right"
BLIND_KEY = "what its answers would get if it did not read"
# Short form of each reason, keyed by a part of its text.
SHORT = {
    "it depends on the way of asking": "it depends on the way of asking",
    "are too few": "too few paradigms",
    "of the controls right": "it fails the controls",
    "controls can be counted": "it answers no controls",
    "shuffled": "its answers are no better than without reading",
    "one answer throughout": "one answer throughout does as well",
    "and answers like it": "one of the two sentences alone does as well",
    "no more often where that is right": "it does not use one of the answers where it is right",
    "does not read the premise": "it does not read the premise",
    "does not stand out from chance": "it may be chance",
    "but also": "it takes denials for granted as well",
    "of their denials": "how many denials it takes is not sure",
    "no answers to count": "it gave no answers",
    "no answer prevails": "no answer prevails",
    "without reading would be 0": "its numbers do not surely go with people's",
    "which is what it would be": "its numbers do not surely go with people's",
    "cannot be told": "it is not sure that it reads these sentences",
}


@dataclass(frozen=True)
class ClaimDraft:
    """A claim of a chapter with its gate, and the text that replaces it if the gate is closed.

    In the replacing text, `{}` stands for the reason. `name` is the name that figures refer to. `says` is its
    headline where that of its verdict does not fit. `people` are the published means of people for
    it. `topic` distinguishes it from the other claims of its chapter. `numbers` are those that it
    is about.
    """

    name: str
    text: str
    untold: str
    verdict: str
    gate: Gate
    beside: str = ""
    says: str = ""
    people: PeopleBeside | None = None
    topic: str = ""
    numbers: tuple[ClaimNumber, ...] = ()

    @property
    def made(self) -> bool:
        """Whether the claim is made."""
        return self.gate.open and self.verdict != UNTOLD

    @property
    def reason(self) -> str:
        """The first reason why it is not made."""
        return self.gate.reasons[0] if self.gate.reasons else "no answer prevails"

    @property
    def sentence(self) -> str:
        """The sentence of the page: the claim, or why it is not made."""
        ways = f" {self.gate.asked_in_ways}" if self.gate.methods else ""
        return self.text + ways if self.made else self.untold.format(self.reason)

    @property
    def headline(self) -> str:
        """The claim in one sentence without numbers."""
        if self.made:
            return self.says or HEADLINES[self.verdict]
        why = next((short for part, short in SHORT.items() if part in self.reason), self.reason)
        return f"Cannot be told: {self.topic} ({why})." if self.topic else f"Cannot be told: {why}."


def close(finding: ClaimDraft, reason: str) -> ClaimDraft:
    """Return the claim with a further reason against it, if there is one."""
    if not reason:
        return finding
    reason_text = reason[0].lower() + reason[1:].rstrip(".")
    return replace(
        finding, gate=replace(finding.gate, reasons=(reason_text, *finding.gate.reasons))
    )


def correct(findings: Sequence[ClaimDraft]) -> list[ClaimDraft]:
    """Apply Holm's correction over all claims that could be made, and close those that fail it."""
    tested = [finding for finding in findings if finding.made]
    corrected = dict(
        zip(map(id, tested), holm([finding.gate.p for finding in tested]), strict=True)
    )
    return [_corrected(finding, corrected.get(id(finding), 1.0)) for finding in findings]


def _corrected(finding: ClaimDraft, p: float) -> ClaimDraft:
    gate = replace(finding.gate, corrected_p=p)
    if finding.made and p >= LEVEL:
        gate = replace(
            gate,
            reasons=(
                f"it does not stand out from chance once all claims are counted (p = {p:.2g})",
            ),
        )
    verdict = finding.verdict if gate.open else UNTOLD
    return replace(finding, gate=gate, verdict=verdict)


def open_gate(
    rows: pl.DataFrame,
    score: AnswerScore,
    gold: str,
    *,
    strata: Sequence[str],
    of: pl.Expr | None = None,
    balance: str = "",
    labels: Iterable[str] = (),
    controls: Gate | None = None,
    every_label: bool = False,
    what: str = "its answers are right",
    text_score: AnswerScore | None = None,
) -> Gate:
    """Return the gate of a claim that a model's `score` on the rows `of` comes from reading them.

    `rows` are all rows of one model that belong together. The shuffled-answer baseline permutes its
    answers within `strata`; partial-input baselines permute them within a paradigm, on the items
    whose gold label (`gold`) varies there. `labels` are the answers that a constant model may give.
    `controls` is the gate of the chapter's controls: what closes it closes this one. With
    `every_label` each gold label must be predicted more often where it is correct than by the
    shuffled-answer baseline. `what` names what is counted. Partial-input baselines are compared by
    `text_score`, if given, instead of `score`.
    """
    shuffled_excess = excess(rows, score, over=strata, of=of, balance=balance)
    base = controls or Gate()
    if shuffled_excess is None:
        return replace(base, reasons=("there are no answers to count",))
    texts = _one_text(rows, text_score or score, gold, of, balance)
    best = _best_constant(rows, score, labels, of, balance)
    ps = [
        shuffled_excess.p,
        *(text_excess.p for text_excess in texts.values()),
        *([best.p] if best else []),
    ]
    reasons = [
        *base.reasons,
        *_too_few(shuffled_excess.score.n, shuffled_excess.paradigms),
        *_not_above(shuffled_excess, "its own answers, shuffled without reading,", what),
        *(
            reason
            for text, text_excess in texts.items()
            for reason in _not_above(
                text_excess,
                f"a judge that sees the {text} only and answers like it",
                what,
                least=0.0,
            )
        ),
        *(_not_above(best, "one answer throughout", what, least=0.0) if best else ()),
        *(_shunned(rows, gold, strata, of) if every_label else ()),
    ]
    return replace(
        base,
        n=shuffled_excess.score.n,
        paradigms=shuffled_excess.paradigms,
        score=shuffled_excess.score,
        blind=shuffled_excess.baseline,
        one_text={text: text_excess.baseline for text, text_excess in texts.items()},
        constant=best.baseline if best else None,
        p=max([base.p if controls else 0.0, *ps]),
        smallest=_smallest(rows, score, of),
        reasons=tuple(reasons),
        methods=reading_effects(rows, score, strata, of),
    )


def controls_gate(
    rows: pl.DataFrame, gold: str, *, strata: Sequence[str], thorough: bool = True
) -> Gate:
    """Return the gate of a model's controls: balanced accuracy against its baselines.

    Every label must also be predicted more often where it is correct. With `thorough` off, for a
    single set, only the balanced accuracy counts.
    """
    controls = CONTROL & pl.col(gold).is_not_null()
    shuffled_excess = excess(rows, correctness(gold), over=strata, of=controls, balance=gold)
    if shuffled_excess is None:
        nothing = ("none of its answers to controls can be counted",)
        return Gate(reasons=nothing, controls_fail=nothing)
    reasons = list(_too_few(shuffled_excess.score.n, shuffled_excess.paradigms)) if thorough else []
    if shuffled_excess.score.value < RELIABLE:
        reasons.append(f"it gets only {percent(shuffled_excess.score)} of the controls right")
    reasons += _not_above(
        shuffled_excess, "its own answers, shuffled without reading,", CONTROLS_RIGHT
    )
    texts = _one_text(rows, correctness(gold), gold, controls, gold) if thorough else {}
    for text, text_excess in texts.items():
        reasons += _not_above(
            text_excess, f"a judge that sees the {text} only and answers like it", CONTROLS_RIGHT
        )
    if thorough and not single_answer(rows, gold):
        reasons += _shunned(rows, gold, strata, controls)
    ps = [shuffled_excess.p, *(text_excess.p for text_excess in texts.values())]
    return Gate(
        n=shuffled_excess.score.n,
        paradigms=shuffled_excess.paradigms,
        controls=shuffled_excess.score,
        controls_blind=shuffled_excess.baseline,
        p=max(ps),
        reasons=tuple(reasons),
        controls_fail=tuple(reasons),
    )


def closed_judges(
    frame: pl.DataFrame, gate: Callable[[pl.DataFrame], Gate]
) -> frozenset[tuple[str, str]]:
    """Return the models of a frame whose gate is closed, each with all of its rows."""
    parts = frame.partition_by("judge", as_dict=True).items()
    return frozenset((str(judge), ALL_ROWS) for (judge,), rows in parts if not gate(rows).open)


def single_answer(rows: pl.DataFrame, gold: str) -> str:
    """Return the only gold label of all controls, or "" if there are several.

    Controls with one gold label cannot distinguish reading from a constant answer.
    """
    answers = rows.filter(CONTROL)[gold].drop_nulls().unique(maintain_order=True).to_list()
    return str(answers[0]) if len(answers) == 1 else ""


def blind_marks(
    rows: pl.DataFrame,
    scores: Mapping[str, AnswerScore],
    by: str,
    *,
    strata: Sequence[str],
    of: pl.Expr | None = None,
    whole: str = "",
) -> tuple[Mark, ...]:
    """Mark the mean score of one model's answers, shuffled within `strata`.

    There is one mark for each score and each value of the column `by`; without `by`, one row named
    `whole`.
    """
    marks = []
    for series, score in scores.items():
        scored = baseline_scores(rows, score, strata)
        scored = scored if of is None else scored.filter(of)
        means = scored.select(
            pl.col(by) if by else pl.lit(whole).alias("row"), "baseline"
        ).drop_nulls()
        means = means.explode(by) if by and means.schema[by] == pl.List(pl.String) else means
        means = means.group_by(by or "row", maintain_order=True).agg(
            pl.col("baseline").drop_nulls().mean()
        )
        for row, twin in means.sort(by or "row").iter_rows():
            marks.append(Mark(plain_name(row), series, float(twin), BLIND_KEY, blind=True))
    return tuple(marks)


def blind_share(
    rows: pl.DataFrame, score: AnswerScore, strata: Sequence[str], of: pl.Expr | None = None
) -> float | None:
    """Return the mean score of shuffled answers over all rows; None without answers."""
    return next(
        (mark.value for mark in blind_marks(rows, {"": score}, "", strata=strata, of=of)), None
    )


def is_mixed(*shares: Estimate | None) -> bool:
    """Return whether the interval of each share lies between `1 - PURE` and `PURE`."""
    return all(is_above(share, 1 - PURE) and is_below(share, PURE) for share in shares)


def _one_text(
    rows: pl.DataFrame, score: AnswerScore, gold: str, of: pl.Expr | None, balance: str
) -> dict[str, Excess]:
    """Compare the model with partial-input baselines.

    Only rows whose gold label varies with the other text count.
    """
    excess_by_text = {}
    for text, over in ONE_TEXT.items():
        if not set(over) <= set(rows.columns):
            continue
        varied = rows.with_columns(gold_varies(gold, over).alias("varied"))
        counted = pl.col("varied") if of is None else pl.col("varied") & of
        text_excess = excess(varied, score, over=over, of=counted, balance=balance)
        if text_excess is not None and not _too_few(text_excess.score.n, text_excess.paradigms):
            excess_by_text[text] = text_excess
    return excess_by_text


def _best_constant(
    rows: pl.DataFrame, score: AnswerScore, labels: Iterable[str], of: pl.Expr | None, balance: str
) -> Excess | None:
    """Compare the model with the constant answer that scores highest."""
    candidates = [
        one
        for label in labels
        if (one := excess(rows, score, over=(), of=of, balance=balance, constant=label)) is not None
    ]
    return max(candidates, key=lambda candidate: candidate.baseline, default=None)


def _shunned(rows: pl.DataFrame, gold: str, strata: Sequence[str], of: pl.Expr | None) -> list[str]:
    """Return a reason for each label that is not predicted more often where it is correct."""
    counted = rows if of is None else rows.filter(of)
    reasons = []
    for label in counted[gold].drop_nulls().unique().sort().to_list():
        here = pl.col(gold) == label
        label_excess = excess(
            rows, correctness(gold), over=strata, of=here if of is None else here & of
        )
        if label_excess is not None and label_excess.p >= LEVEL:
            reasons.append(f"it answers {label} no more often where that is right than elsewhere")
    return reasons


def sure_rows(
    rows: pl.DataFrame, by: str, scores: Mapping[str, AnswerScore], line: float = 0.5
) -> dict[str, list[str]]:
    """Return for each score the values of a column whose mean is significantly above the line.

    Holm's correction covers all scores and values; the interval of the mean must also lie above the
    line.
    """

    def lies_above(part: pl.DataFrame, score: AnswerScore) -> bool:
        own = part.filter(pl.col("answer").is_not_null()).select(
            "group", score(pl.col("answer")).alias("own")
        )
        return is_above(mean(own["own"], own["group"]), line)

    tested = [
        (name, str(value), p_above(part, score, line) if lies_above(part, score) else 1.0)
        for (value,), part in sorted(
            rows.drop_nulls(by).partition_by(by, as_dict=True).items(), key=str
        )
        if enough_paradigms(part)
        for name, score in scores.items()
    ]
    significant: dict[str, list[str]] = {name: [] for name in scores}
    for (name, value, _), p in zip(tested, holm([p for _, _, p in tested]), strict=True):
        if p < LEVEL:
            significant[name].append(value)
    return significant


def enough_paradigms(rows: pl.DataFrame) -> bool:
    """Return whether rows of one model can be tested: enough paradigms, or ungrouped items."""
    return rows["group"].n_unique() >= FEWEST_PARADIGMS or rows["group"].null_count() > 0


def _too_few(n: int, paradigms: int) -> list[str]:
    if n >= FEWEST_ITEMS and paradigms >= FEWEST_PARADIGMS:
        return []
    return [
        f"{n} answers of {paradigms} paradigms are too few ({FEWEST_ITEMS} of {FEWEST_PARADIGMS}"
        " are needed)"
    ]


def _not_above(baseline_excess: Excess, whom: str, what: str, least: float = MARGIN) -> list[str]:
    """Return the reason why a score is not above a baseline, if it is not."""
    if baseline_excess.p < LEVEL and baseline_excess.above.value >= least:
        return []
    return [
        f"{round_percent(baseline_excess.score.value)} of {what}, and {whom} would get"
        f" {round_percent(baseline_excess.baseline)}"
    ]


def _smallest(rows: pl.DataFrame, score: AnswerScore, of: pl.Expr | None) -> float | None:
    """Return the minimum detectable difference to the shuffled-answer baseline."""
    counted = rows if of is None else rows.filter(of)
    counted = counted.filter(pl.col("answer").is_not_null())
    values = counted.select(score(pl.col("answer")).alias("own"))["own"]
    if values.null_count() == len(values):
        return None
    spread = measure_spread(values - values.mean(), counted["group"])
    # A constant score gives no estimate of the variance.
    return (
        smallest_difference(counted["group"].n_unique(), spread)
        if spread and spread.variance > 1e-6
        else None
    )
