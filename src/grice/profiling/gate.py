"""The one place that decides what can be said: controls, blind twins, the best constant answer,
enough paradigms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from grice.analysis.statistics.blind import (
    HYPOTHESIS,
    PREMISE,
    AnswerScore,
    Excess,
    excess,
    informative,
    right,
    surely_above,
    twin_scores,
)
from grice.analysis.statistics.paired import holm
from grice.analysis.statistics.planning import measure_spread, smallest_difference
from grice.core.estimate import Estimate, mean
from grice.profiling.asking import reading_effects
from grice.profiling.phrases import is_above, is_below, percent, round_percent
from grice.profiling.sheets import plain_name
from grice.reporting.claims import HEADLINES, UNTOLD, ClaimNumber, Gate, PeopleBeside
from grice.reporting.model import ALL_ROWS, Mark

# A p under LEVEL counts. Controls must be right in RELIABLE of the cases, each answer weighing the
# same; one label throughout gets a third. A judge must lie MARGIN above its blind twin, and a
# finding needs this many items and paradigms.
LEVEL, RELIABLE, MARGIN = 0.05, 0.6, 0.05
FEWEST_ITEMS, FEWEST_PARADIGMS = 20, 6
# A judge is mixed where the share of an answer lies surely under PURE and over what that leaves.
PURE = 0.85
ONE_TEXT = {"hypothesis": HYPOTHESIS, "premise": PREMISE}
CONTROL, TARGET = pl.col("tag.role") == "control", pl.col("tag.role") == "target"
CONTROLS_RIGHT = "its controls are right"
BLIND_KEY = "what its answers would get if it did not read"
# What a reason comes to in a few words, by a part of it.
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
    """What a chapter would say of a judge, and what it says instead where the gate is closed (`{}`
    is the reason).

    `name` is what figures call it that rest on it. `says` is its headline where that of its verdict
    does not fit. `people` is what is known of people there. `topic` tells it from the other claims
    of its chapter. `numbers` are those that it is about.
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
        """Whether the finding stands."""
        return self.gate.open and self.verdict != UNTOLD

    @property
    def reason(self) -> str:
        """Why it does not stand."""
        return self.gate.reasons[0] if self.gate.reasons else "no answer prevails"

    @property
    def sentence(self) -> str:
        """What the page says: the finding, or why there is none."""
        ways = f" {self.gate.asked_in_ways}" if self.gate.methods else ""
        return self.text + ways if self.made else self.untold.format(self.reason)

    @property
    def headline(self) -> str:
        """The same in one plain sentence without numbers."""
        if self.made:
            return self.says or HEADLINES[self.verdict]
        why = next((short for part, short in SHORT.items() if part in self.reason), self.reason)
        return f"Cannot be told: {self.topic} ({why})." if self.topic else f"Cannot be told: {why}."


def close(finding: ClaimDraft, reason: str) -> ClaimDraft:
    """The finding with a further reason against it, if there is one."""
    if not reason:
        return finding
    reason_text = reason[0].lower() + reason[1:].rstrip(".")
    return replace(
        finding, gate=replace(finding.gate, reasons=(reason_text, *finding.gate.reasons))
    )


def correct(findings: Sequence[ClaimDraft]) -> list[ClaimDraft]:
    """Holm's correction over all findings that could be made; those that do not stand after it are
    closed.
    """
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
    """The gate of a claim that a judge's `score` on the rows `of` comes from reading them.

    `rows` are all rows of one judge that belong together; its blind twin shuffles its answers
    within `strata`, twins of one text within a paradigm, on the items whose right answer (`gold`)
    varies there. `labels` are the answers that a constant judge may give. `controls` is the gate of
    the chapter's controls: what closes it closes this one. With `every_label` each gold answer must
    be given more often where it is right than by the blind twin. `what` is counted, in words. Twins
    of one text are held against `text_score` where it tells more than `score`.
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
        blind=shuffled_excess.twin,
        one_text={text: text_excess.twin for text, text_excess in texts.items()},
        constant=best.twin if best else None,
        p=max([base.p if controls else 0.0, *ps]),
        smallest=_smallest(rows, score, of),
        reasons=tuple(reasons),
        methods=reading_effects(rows, score, strata, of),
    )


def controls_gate(
    rows: pl.DataFrame, gold: str, *, strata: Sequence[str], thorough: bool = True
) -> Gate:
    """The gate of a judge's controls: balanced accuracy against its blind twins, and every answer
    where it is right.

    With `thorough` off, for a single set, only the balanced accuracy counts.
    """
    controls = CONTROL & pl.col(gold).is_not_null()
    shuffled_excess = excess(rows, right(gold), over=strata, of=controls, balance=gold)
    if shuffled_excess is None:
        nothing = ("none of its answers to controls can be counted",)
        return Gate(reasons=nothing, controls_fail=nothing)
    reasons = list(_too_few(shuffled_excess.score.n, shuffled_excess.paradigms)) if thorough else []
    if shuffled_excess.score.value < RELIABLE:
        reasons.append(f"it gets only {percent(shuffled_excess.score)} of the controls right")
    reasons += _not_above(
        shuffled_excess, "its own answers, shuffled without reading,", CONTROLS_RIGHT
    )
    texts = _one_text(rows, right(gold), gold, controls, gold) if thorough else {}
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
        controls_blind=shuffled_excess.twin,
        p=max(ps),
        reasons=tuple(reasons),
        controls_fail=tuple(reasons),
    )


def closed_judges(
    frame: pl.DataFrame, gate: Callable[[pl.DataFrame], Gate]
) -> frozenset[tuple[str, str]]:
    """The judges of a frame of whose answers nothing can be told, with all of their rows."""
    parts = frame.partition_by("judge", as_dict=True).items()
    return frozenset((str(judge), ALL_ROWS) for (judge,), rows in parts if not gate(rows).open)


def single_answer(rows: pl.DataFrame, gold: str) -> str:
    """The only right answer of all controls, if there is but one: such controls cannot tell a
    reader from a habit.
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
    """What the answers of one judge get when shuffled within `strata`: a mark for each value of
    `by` and each score.
    """
    marks = []
    for series, score in scores.items():
        scored = twin_scores(rows, score, strata)
        scored = scored if of is None else scored.filter(of)
        means = scored.select(pl.col(by) if by else pl.lit(whole).alias("row"), "twin").drop_nulls()
        means = means.explode(by) if by and means.schema[by] == pl.List(pl.String) else means
        means = means.group_by(by or "row", maintain_order=True).agg(
            pl.col("twin").drop_nulls().mean()
        )
        for row, twin in means.sort(by or "row").iter_rows():
            marks.append(Mark(plain_name(row), series, float(twin), BLIND_KEY, blind=True))
    return tuple(marks)


def blind_share(
    rows: pl.DataFrame, score: AnswerScore, strata: Sequence[str], of: pl.Expr | None = None
) -> float | None:
    """What the answers of one judge get over all rows when shuffled within `strata`; None without
    answers.
    """
    return next(
        (mark.value for mark in blind_marks(rows, {"": score}, "", strata=strata, of=of)), None
    )


def is_mixed(*shares: Estimate | None) -> bool:
    """Whether both answers are surely given: the interval of each share lies away from both ends."""
    return all(is_above(share, 1 - PURE) and is_below(share, PURE) for share in shares)


def _one_text(
    rows: pl.DataFrame, score: AnswerScore, gold: str, of: pl.Expr | None, balance: str
) -> dict[str, Excess]:
    """The judge against twins of one text, on the rows whose right answer varies with the other
    text.
    """
    excess_by_text = {}
    for text, over in ONE_TEXT.items():
        if not set(over) <= set(rows.columns):
            continue
        varied = rows.with_columns(informative(gold, over).alias("varied"))
        counted = pl.col("varied") if of is None else pl.col("varied") & of
        text_excess = excess(varied, score, over=over, of=counted, balance=balance)
        if text_excess is not None and not _too_few(text_excess.score.n, text_excess.paradigms):
            excess_by_text[text] = text_excess
    return excess_by_text


def _best_constant(
    rows: pl.DataFrame, score: AnswerScore, labels: Iterable[str], of: pl.Expr | None, balance: str
) -> Excess | None:
    """The judge against the single answer that gets most."""
    candidates = [
        over_constant
        for label in labels
        if (over_constant := excess(rows, score, over=(), of=of, balance=balance, constant=label))
        is not None
    ]
    return max(candidates, key=lambda candidate: candidate.twin, default=None)


def _shunned(rows: pl.DataFrame, gold: str, strata: Sequence[str], of: pl.Expr | None) -> list[str]:
    """The answers that a judge does not give more often where they are right."""
    counted = rows if of is None else rows.filter(of)
    reasons = []
    for label in counted[gold].drop_nulls().unique().sort().to_list():
        here = pl.col(gold) == label
        label_excess = excess(rows, right(gold), over=strata, of=here if of is None else here & of)
        if label_excess is not None and label_excess.p >= LEVEL:
            reasons.append(f"it answers {label} no more often where that is right than elsewhere")
    return reasons


def sure_rows(
    rows: pl.DataFrame, by: str, scores: Mapping[str, AnswerScore], line: float = 0.5
) -> dict[str, list[str]]:
    """For each score the values of a column whose mean and its interval lie above the line, after
    Holm's correction over all of them.
    """

    def lies_above(part: pl.DataFrame, score: AnswerScore) -> bool:
        own = part.filter(pl.col("answer").is_not_null()).select(
            "group", score(pl.col("answer")).alias("own")
        )
        return is_above(mean(own["own"], own["group"]), line)

    tested = [
        (name, str(value), surely_above(part, score, line) if lies_above(part, score) else 1.0)
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
    """Whether rows of one judge can be tested by themselves: enough paradigms, or items that stand
    alone.
    """
    return rows["group"].n_unique() >= FEWEST_PARADIGMS or rows["group"].null_count() > 0


def _too_few(n: int, paradigms: int) -> list[str]:
    if n >= FEWEST_ITEMS and paradigms >= FEWEST_PARADIGMS:
        return []
    return [
        f"{n} answers of {paradigms} paradigms are too few ({FEWEST_ITEMS} of {FEWEST_PARADIGMS}"
        " are needed)"
    ]


def _not_above(baseline_excess: Excess, whom: str, what: str, least: float = MARGIN) -> list[str]:
    """Why it does not count as better, if it does not."""
    if baseline_excess.p < LEVEL and baseline_excess.above.value >= least:
        return []
    return [
        f"{round_percent(baseline_excess.score.value)} of {what}, and {whom} would get"
        f" {round_percent(baseline_excess.twin)}"
    ]


def _smallest(rows: pl.DataFrame, score: AnswerScore, of: pl.Expr | None) -> float | None:
    """What difference to the twin so many paradigms would have shown."""
    counted = rows if of is None else rows.filter(of)
    counted = counted.filter(pl.col("answer").is_not_null())
    values = counted.select(score(pl.col("answer")).alias("own"))["own"]
    if values.null_count() == len(values):
        return None
    spread = measure_spread(values - values.mean(), counted["group"])
    # Answers that do not vary say nothing of how much others would.
    return (
        smallest_difference(counted["group"].n_unique(), spread)
        if spread and spread.variance > 1e-6
        else None
    )
