"""Verb veridicality: signature plane, accuracy by signature, bias (Ross & Pavlick, Fig. 1, §5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.signature import signature, soft_signatures
from grice.analysis.statistics.baselines import correctness, is_label
from grice.analysis.statistics.readings import score_of
from grice.analysis.statistics.worst import worst_types
from grice.analysis.veridicality_bias import veridicality_bias
from grice.core.estimate import Estimate
from grice.core.scale import NLI
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.diagnoses import habits
from grice.profiling.draft import ClaimDraft
from grice.profiling.fingerprint import fingerprint_rows, right_rows
from grice.profiling.gate import (
    BLIND_KEY,
    PURE,
    ScoreSpec,
    claim_gate,
    closed_rivals,
    shuffled_marks,
    shuffled_share,
    strata_of,
)
from grice.profiling.phrases import is_above, is_below, select
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import AnswerSheet, examples, filter_rows, kind_tag, numbers
from grice.reporting.claims import ClaimNumber, Gate, Test, Value, Verdict
from grice.reporting.formats import count, join_names, percent
from grice.reporting.model import Figure, Mark, MarkKind, Number, Query
from grice.theory.signature import SIGNATURES

FACTIVE, IMPLICATIVE, ONE_WAY, NEUTRAL = (
    "factive (+/+)",
    "implicative (+/-, -/+)",
    "one-way",
    "neutral (o/o)",
)
CLASSES = {"+/+": FACTIVE, "+/-": IMPLICATIVE, "-/+": IMPLICATIVE, "o/o": NEUTRAL}
PEOPLE = "people"
FOLLOWS = Verdict(
    "signatures",
    "follows signatures",
    "Knows which verbs commit to their complement.",
    (
        "It follows the verbs' signatures in {followed:share}",
        " ({shuffled:round} expected by chance)",
        "; where nothing follows it infers something in {bias:share}",
        ": the complement in {holds:round}, its negation in {fails:round}",
        ".",
        " Weakest on {weakest} (Fisher's exact test, Bonferroni).",
    ),
)
FOLLOWS_PARTLY = replace(
    FOLLOWS,
    code="signatures_partly",
    chip="partly",
    headline="Follows the verbs' signatures in part only.",
)
TOPIC = "verb signatures"
SIDES = ("positive", "negative")
OPEN = {"gold.signature": "neutral"}
WHAT = (
    "“Jo forgot to call” says that Jo did not call; “Jo did not forget to call” says that Jo did. A"
    " signature gives both: -/+ for “forget to”, +/+ for “know that”, o/o for “hope to”, where o"
    " (the letter) means that nothing follows."
)
GOOD = (
    "On the plane, right is “the complement holds” in the plain sentence, up the same under"
    " negation. Factives belong in the upper right, “manage to” in the lower right, “fail to” in"
    " the upper left, and verbs that commit to nothing in the middle. A model with a veridicality"
    " bias puts those to the upper right."
)

# Columns that the data must have.
NEEDS = ("tag.environment", "tag.construction", "tag.signature", "gold.signature")


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.rows_with("tag.environment", "gold.signature")
    judge = sheet.judges[0]
    signatures = [s for s in SIGNATURES if s in set(frame["tag.signature"].to_list())]
    by_signature = [
        number
        for side in SIDES
        for number in numbers(
            sheet,
            frame,
            "tag.signature",
            {side: accuracy("signature")},
            where={"tag.environment": side},
            reading="signature",
            only=signatures,
        )
    ]
    labels = {label: entailed(label) for label in ("entailment", "neutral", "contradiction")}
    bias = numbers(
        sheet, frame, "tag.environment", labels, where=OPEN, reading="signature", only=SIDES
    )
    plane = _plane(sheet, frame)
    rows = "tag.phenomenon" if "tag.phenomenon" in frame.columns else ""
    judge_rows = frame.filter(judge=judge)
    finding = _claim(judge_rows, rows, _beside(sheet, frame))
    figures = (
        _plane_figure(plane, judge, judge_rows),
        _signatures(by_signature, judge, judge_rows, rows),
        _bias(bias, frame, judge, rows),
    )
    length = pl.col("premise").str.len_chars()
    pairs = frame.filter(pl.col("group") == frame.sort(length, maintain_order=True)["group"][0])
    example_pairs = examples(pairs, ("signature",))
    return Findings(
        figures,
        examples=example_pairs,
        findings=(finding,),
        candidates=habits(judge_rows, "gold.signature"),
        gated=closed_rivals(judge, frame, lambda own: _gate(own, rows)),
        fingerprint=fingerprint_rows(
            sheet,
            frame,
            right_rows("tag.signature", "signature", only=signatures, names=_with_verbs(frame)),
        ),
    )


def _with_verbs(frame: pl.DataFrame) -> dict[str, str]:
    """Name each signature together with its most frequent verb."""
    verbs = (
        frame.group_by("tag.signature", "tag.construction", maintain_order=True)
        .len()
        .sort(["len", "tag.construction"], descending=[True, False])
    )
    first = verbs.group_by("tag.signature", maintain_order=True).first()
    return {
        sign: f"{sign}, “{verb}”"
        for sign, verb in first.select("tag.signature", "tag.construction").iter_rows()
    }


def _beside(sheet: AnswerSheet, frame: pl.DataFrame) -> str:
    def describe(model_rows: pl.DataFrame) -> str:
        right = f"follows them in {percent(accuracy('signature')(model_rows))}"
        bias = veridicality_bias("signature")(model_rows)
        return f"infers in {percent(bias)}, {right}" if bias else right

    return describe_rivals(sheet, frame, describe)


def _plane(sheet: AnswerSheet, frame: pl.DataFrame) -> list[Number]:
    """Return one dot per verb: its mean score in each environment.

    Where the data have human ratings, people's means are added.
    """
    kinds = dict(
        frame.select("tag.construction", "tag.signature").unique(maintain_order=True).iter_rows()
    )
    soft = soft_signatures(frame).drop_nulls(["positive", "negative"])
    dots = []
    for judge in sheet.judges_in(frame):
        judge_rows = frame.filter(judge=judge)
        for row in soft.filter(judge=judge).iter_rows(named=True):
            verb = row["tag.construction"]
            own = judge_rows.filter(pl.col("tag.construction") == verb)
            query = Query(sheet.index, {"tag.construction": verb}, judge, "signature")
            plain = signature("positive")(own)
            dots.append(
                _dot(verb, kinds[verb], judge, plain, row["positive"], row["negative"], query)
            )
    order = [FACTIVE, IMPLICATIVE, ONE_WAY, NEUTRAL]
    return sorted(dots, key=lambda n: order.index(n.series)) + _people(sheet, frame, kinds)


def _people(sheet: AnswerSheet, frame: pl.DataFrame, kinds: dict[str, str]) -> list[Number]:
    """Return people's mean ratings, rescaled from −2 … 2 to −1 … 1."""
    if "gold.human" not in frame.columns:
        return []
    items = frame.filter(judge=sheet.judges[0])
    means = (
        items.group_by("tag.construction", maintain_order=True)
        .agg(
            *(
                (
                    pl.col("gold.human")
                    .filter(pl.col("tag.environment") == side)
                    .drop_nulls()
                    .mean()
                    / 2
                ).alias(side)
                for side in SIDES
            ),
            pl.len().alias("n"),
        )
        .drop_nulls()
    )
    dots = []
    for verb, positive, negative, n in means.iter_rows():
        query = Query(sheet.index, {"tag.construction": verb})
        dots.append(
            _dot(verb, kinds[verb], PEOPLE, Estimate(positive, n), positive, negative, query)
        )
    return dots


def _dot(
    verb: str, kind: str, judge: str, estimate: Estimate | None, x: float, y: float, query: Query
) -> Number:
    return Number(verb, CLASSES.get(kind, ONE_WAY), judge, estimate, query, x, y)


def _claim(judge_rows: pl.DataFrame, rows: str, beside: str) -> ClaimDraft:
    """Return the claim that signatures are followed above baseline.

    Its values add what the model infers where nothing follows.
    """
    followed = accuracy("signature")(judge_rows)
    gate = _gate(judge_rows, rows)
    values: dict[str, Value] = {"followed": followed} if followed else {}
    shuffled = gate.baseline(Test.SHUFFLED)
    if shuffled is not None:
        values["shuffled"] = shuffled
    open_items = filter_rows(judge_rows, OPEN)
    rates = {
        "bias": veridicality_bias("signature")(judge_rows),
        "holds": entailed()(open_items),
        "fails": entailed("contradiction")(open_items),
    }
    values |= {name: rate for name, rate in rates.items() if rate}
    worst = _worst(judge_rows)
    if worst:
        values["weakest"] = tuple(worst)
    verdict = (
        FOLLOWS if is_above(followed, 0.5) else FOLLOWS_PARTLY if is_below(followed, PURE) else None
    )
    blind = shuffled_share(judge_rows, correctness("gold.signature"), strata_of(rows))
    claim_numbers = (
        (ClaimNumber("accuracy:signature", followed, blind, kind_tag(judge_rows)),)
        if followed
        else ()
    )
    return ClaimDraft("signatures", TOPIC, gate, verdict, values, beside, numbers=claim_numbers)


def _worst(judge_rows: pl.DataFrame) -> list[str]:
    """Return the signatures and environments with the lowest accuracy, all that may be lowest."""
    correct = (judge_rows["answer"] == judge_rows["gold.signature"]).cast(pl.Int8)
    pairs = judge_rows.select("tag.signature", "tag.environment").unique().sort(pl.all()).rows()
    types = {
        f"{sign} in the {side} environment": (judge_rows["tag.signature"] == sign)
        & (judge_rows["tag.environment"] == side)
        for sign, side in pairs
    }
    return worst_types(correct, types, judge_rows["group"])


def _gate(judge_rows: pl.DataFrame, rows: str) -> Gate:
    gold = "gold.signature"
    spec = ScoreSpec(
        correctness(gold), gold, strata_of(rows), balance=gold, labels=NLI.labels, every_label=True
    )
    return claim_gate(judge_rows, spec)


def _plane_figure(plane: Sequence[Number], judge: str, own: pl.DataFrame) -> Figure:
    judge_numbers = select(plane, judge)
    held = sum((n.x or 0) > 0 and (n.y or 0) > 0 for n in judge_numbers)
    mean = own.select(score_of(own))["score"].mean()
    middle = float(mean) if isinstance(mean, float) else 0.0
    baseline = Mark("", "", middle, BLIND_KEY, kind=MarkKind.SHUFFLED, x=middle, y=middle)
    return Figure(
        "plane",
        "Signature plane: one dot a verb",
        "plane",
        tuple(plane),
        f"{judge} takes the complement to hold with and without negation for {held} of"
        f" {count(len(judge_numbers), 'verb')}.",
        names="verb",
        across="plain sentence | under negation",
        marks=(baseline,) if isinstance(mean, float) else (),
        note=(
            "Each axis is P(entailment) − P(contradiction), averaged over a verb's sentences. The"
            " table gives the plain sentence; profile.json has both. Ross & Pavlick Figure 1."
        ),
    )


def _signatures(
    by_signature: Sequence[Number], judge: str, judge_rows: pl.DataFrame, rows: str
) -> Figure:
    worst = _worst(judge_rows)
    baseline_marks = tuple(
        mark
        for side in SIDES
        for mark in shuffled_marks(
            judge_rows,
            {side: correctness("gold.signature")},
            "tag.signature",
            strata=strata_of(rows),
            of=pl.col("tag.environment") == side,
        )
    )
    return Figure(
        "signatures",
        "Right by signature and environment",
        "dots",
        tuple(by_signature),
        (
            f"{judge} is weakest on {join_names(worst)} (p < .05, Fisher's exact test, Bonferroni)."
            if worst
            else "No signature is significantly worse than the others (Fisher's exact test,"
            " Bonferroni)."
        ),
        names="signature",
        across="signature followed",
        line=1 / 3,
        marks=baseline_marks,
        note="Positive: the plain sentence; negative: its negation.",
    )


def _bias(bias: Sequence[Number], frame: pl.DataFrame, judge: str, rows: str) -> Figure:
    judge_rows = frame.filter(judge=judge)
    rate = veridicality_bias("signature")(filter_rows(judge_rows, OPEN))
    by_environment = join_names(f"{n.row} {n.value:.0%}" for n in select(bias, judge, "entailment"))
    answer_scores = {label: is_label(label) for label in NLI.labels}
    baseline_marks = shuffled_marks(
        judge_rows,
        answer_scores,
        "tag.environment",
        strata=strata_of(rows),
        of=pl.col("gold.signature") == "neutral",
    )
    return Figure(
        "bias",
        "What it infers where nothing follows",
        "stack",
        tuple(bias),
        f"{judge} infers something in {percent(rate)} of the sentences from which nothing follows;"
        f" that the complement holds: {by_environment}.",
        names="environment",
        across="answers where the signature says o",
        marks=baseline_marks,
        note=(
            "The veridicality bias of Ross & Pavlick: a complement is taken to hold because it is"
            " mentioned."
        ),
    )


veridicality = Chapter(
    "veridicality",
    "Verb veridicality",
    WHAT,
    GOOD,
    write=_write,
    order=30,
    needs=NEEDS,
    colours={FACTIVE: "slate", IMPLICATIVE: "amber", ONE_WAY: "plum", NEUTRAL: "grey"},
)
