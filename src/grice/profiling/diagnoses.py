"""Diagnoses: behaviours that explain a model's answers where no verdict is possible.

Each is a test on all answers of a model to a dataset, or to the items of a chapter. A candidate has
its p; `decisions.py` corrects all candidates together with the claims and keeps those that hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from grice.analysis.statistics.baselines import correctness, excess, is_label, p_above, set_column
from grice.core.estimate import Estimate, mean
from grice.core.methods import METHOD, expand_methods, has_methods
from grice.core.scale import NLI
from grice.profiling.gate import FEWEST_ITEMS, LEVEL, enough_paradigms
from grice.profiling.phrases import is_above, is_below
from grice.profiling.sheets import AGREED, AnswerSheet
from grice.reporting.claims import Diagnosis, DiagnosisResult, Value, Values
from grice.storage.run_warnings import WarningKind

ENTAILMENT, NEUTRAL, CONTRADICTION = NLI.labels
# Rates that the interval must exceed: of one answer, of unchanged answers, of answers explained by
# shared words, and of a wrong answer that shows a behaviour.
CONSTANT, UNCHANGED, EXPLAINED, MOST = 0.9, 0.7, 0.85, 0.5
# A label is rare below this fraction of the rate at which it is correct, if that is at least DUE,
# and if it is given to less than a QUARTER of the items where it is correct and to fewer than by a
# guess.
# It is never given if it is not given although a model that gives it in one of ten paradigms would.
RARE, DUE, SELDOM, QUARTER = 0.5, 0.1, 0.1, 0.25
INVALID = 0.1
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
NEGATION = r"(?i)\b(not|no|never|nobody|nothing|none|neither|nor|cannot)\b|n't\b"
WORD = r"[a-z0-9]+(?:'[a-z]+)?"
N_EXAMPLES = 3
# Behaviours that rule out every verdict on a dataset, since they explain its answers by themselves.
GENERAL = frozenset(
    [
        Diagnosis.CONSTANT_ANSWER,
        Diagnosis.POSITION_BIAS,
        Diagnosis.HYPOTHESIS_ONLY,
        Diagnosis.PREMISE_ONLY,
        Diagnosis.IGNORES_PREMISE,
        Diagnosis.WORD_OVERLAP,
        Diagnosis.NEVER_ANSWERS,
        Diagnosis.GUESSES,
    ]
)


def dataset_candidates(sheet: AnswerSheet) -> list[DiagnosisResult]:
    """Return the diagnoses that are tested on all answers of the profiled model."""
    candidates = [*_run_candidates(sheet)]
    if sheet.data.scale.numeric or AGREED not in sheet.frame.columns:
        return candidates
    rows = sheet.first.filter(pl.col("answer").is_not_null() & pl.col(AGREED).is_not_null())
    if rows.is_empty():
        return candidates
    candidates += answer_habits(rows, AGREED, labels=sheet.data.scale.labels)
    if sheet.data.scale != NLI:
        return candidates
    rows = _with_surface(rows)
    candidates += [*_unchanged(rows), *_overlap(rows), *_position(sheet.first)]
    return [*candidates, *_guesses(rows)]


def habits(rows: pl.DataFrame, gold: str) -> tuple[DiagnosisResult, ...]:
    """Return the candidates of a chapter: constant and rare answers, and negation ignored."""
    return (*answer_habits(rows, gold), *ignored_negation(rows, gold))


def answer_habits(
    rows: pl.DataFrame, gold: str, labels: Sequence[str] = NLI.labels
) -> list[DiagnosisResult]:
    """Return the candidates for a constant answer, and for labels never or rarely given."""
    rows = rows.filter(pl.col("answer").is_not_null() & pl.col(gold).is_not_null())
    if not _is_enough(rows):
        return []
    label = str(rows["answer"].mode().sort()[0])
    rate = _rate(rows, pl.col("answer") == label)
    p = p_above(rows, is_label(label), CONSTANT)
    candidates = [
        replace(
            _result(
                Diagnosis.CONSTANT_ANSWER,
                rows.filter(pl.col("answer") == label),
                rate,
                p if is_above(rate, CONSTANT) else 1.0,
                {"label": label},
            ),
            given=label,
        )
    ]
    for label in labels:
        due = rows.filter(pl.col(gold) == label)
        if _is_enough(due) and due.height >= DUE * rows.height:
            candidates.append(_rare(rows, due, label, gold, len(labels)))
    return candidates


def _rare(
    rows: pl.DataFrame, due: pl.DataFrame, label: str, gold: str, n_labels: int
) -> DiagnosisResult:
    """Return the candidate that a label is never given, or rarely if it is given at all."""
    answer_rate, hits = (_rate(part, pl.col("answer") == label) for part in (rows, due))
    assert answer_rate is not None and hits is not None
    share = due.height / rows.height
    values: Values = {"label": label, "n_due": due.height, "n": rows.height}
    where = {gold: label}
    wrong = due.filter(pl.col("answer") != label)
    if answer_rate.value == 0:
        p = (1 - SELDOM) ** due["group"].n_unique()
        never = _result(Diagnosis.NEVER_ANSWERS, wrong, answer_rate, p, values)
        return replace(never, expected=label, where=where)
    # Guesses miss half of the items too, so the rate must also be below that of a guess.
    is_seldom = hits.value < QUARTER and is_below(hits, 1 / n_labels)
    is_rare = is_seldom and answer_rate.value < RARE * share
    p = p_above(due, lambda answer: 1 - is_label(label)(answer), MOST) if is_rare else 1.0
    values = {"label": label, "due": share, "given": answer_rate}
    rarely = _result(Diagnosis.RARELY_ANSWERS, wrong, hits, p, values)
    return replace(rarely, given=label, expected=label, where=where)


def read_as_statements(
    rows: pl.DataFrame, gold: str, operators: Sequence[str]
) -> Iterator[DiagnosisResult]:
    """Yield for each operator the candidate that its control items are answered like statements."""
    for operator in operators:
        where = {"tag.role": "control", "tag.operator": operator}
        controls = (pl.col("tag.role") == "control") & (pl.col("tag.operator") == operator)
        if "tag.trigger" in rows.columns:
            controls &= pl.col("tag.trigger").fill_null("") != "absent"
        expected = rows.filter(controls)[gold].drop_nulls()
        if expected.is_empty() or str(expected[0]) == ENTAILMENT:
            continue
        code = (
            Diagnosis.IGNORES_NEGATION
            if operator == "negated"
            else Diagnosis.READS_OPERATOR_AS_STATEMENT
        )
        yield from _wrongly_entailed(
            rows, controls, code, {"operator": operator}, str(expected[0]), where
        )


def ignored_negation(rows: pl.DataFrame, gold: str) -> Iterator[DiagnosisResult]:
    """Yield the candidates that a negation in one of the two texts is not read."""
    rows = _with_surface(rows)
    for text, other in (("hypothesis", "premise"), ("premise", "hypothesis")):
        negated = pl.col(f"{text} negated") & ~pl.col(f"{other} negated")
        counted = negated & (pl.col(gold) == CONTRADICTION)
        yield from _wrongly_entailed(
            rows,
            counted,
            Diagnosis.IGNORES_NEGATION,
            {"operator": "negated", "text": text},
            CONTRADICTION,
            {gold: CONTRADICTION},
        )


def _wrongly_entailed(
    rows: pl.DataFrame,
    counted: pl.Expr,
    code: Diagnosis,
    values: Mapping[str, Value],
    expected: str,
    where: Mapping[str, str],
) -> Iterator[DiagnosisResult]:
    """Yield the candidate that most of these rows are called entailed, more than chance."""
    answered_rows = rows.filter(counted & pl.col("answer").is_not_null())
    if not _is_enough(answered_rows):
        return
    rate = _rate(answered_rows, pl.col("answer") == ENTAILMENT)
    above = excess(rows, is_label(ENTAILMENT), over=(), of=counted)
    p = max(p_above(answered_rows, is_label(ENTAILMENT), MOST), above.p if above else 1.0)
    entailed_rows = answered_rows.filter(pl.col("answer") == ENTAILMENT)
    result = _result(code, entailed_rows, rate, p if is_above(rate, MOST) else 1.0, values)
    yield replace(result, given=ENTAILMENT, expected=expected, where=where)


def _unchanged(rows: pl.DataFrame) -> Iterator[DiagnosisResult]:
    """Yield the candidates that the answer depends on one of the two texts alone.

    Counted are items with the same text in a paradigm whose gold labels differ, if they come from
    more than half of the sets.
    """
    sets = set_column(rows)
    n_sets = rows[sets].n_unique() if sets else 1
    for code, text in (
        (Diagnosis.HYPOTHESIS_ONLY, "hypothesis"),
        (Diagnosis.PREMISE_ONLY, "premise"),
    ):
        strata = (
            rows.drop_nulls(["group", text])
            .group_by("group", text, maintain_order=True)
            .agg(
                pl.col(AGREED).n_unique().alias("golds"),
                (pl.col("answer").n_unique() == 1).cast(pl.Float64).alias("unchanged"),
                pl.col("id").first(),
                (pl.col(sets).first() if sets else pl.lit("")).alias("set"),
            )
            .filter(pl.col("golds") > 1)
            .with_columns(pl.lit(ENTAILMENT).alias("answer"))
        )
        if not _is_enough(strata) or 2 * strata["set"].n_unique() <= n_sets > 1:
            continue
        rate = mean(strata["unchanged"], strata["group"])
        p = p_above(strata, lambda _answer: pl.col("unchanged"), UNCHANGED)
        yield _result(code, strata, rate, p if is_above(rate, UNCHANGED) else 1.0)


def _overlap(rows: pl.DataFrame) -> Iterator[DiagnosisResult]:
    """Yield the candidate that answers follow from the share of words of the hypothesis alone.

    The best threshold on that share must explain most answers, and more than a constant would.
    """
    rows = rows.drop_nulls("overlap")
    if not _is_enough(rows):
        return
    best: tuple[float, float] = (0.0, 1.0)
    for threshold in THRESHOLDS:
        high = pl.col("overlap") >= threshold
        explained = rows.select(
            pl.when(high)
            .then(pl.col("answer") == ENTAILMENT)
            .otherwise(pl.col("answer") != ENTAILMENT)
            .mean()
        ).item()
        best = max(best, (float(explained), threshold))
    high = pl.col("overlap") >= best[1]
    fits = (pl.col("answer") == ENTAILMENT) == high
    overlapping_rows = rows.filter(high & (pl.col(AGREED) != ENTAILMENT))
    new_words = rows.filter(~high & (pl.col(AGREED) == ENTAILMENT))
    if not _is_enough(overlapping_rows) or not _is_enough(new_words):
        return
    rate, other = (
        _rate(part, pl.col("answer") == ENTAILMENT) for part in (overlapping_rows, new_words)
    )
    assert rate is not None and other is not None
    explains = is_above(_rate(rows, fits), EXPLAINED) and rate.value - other.value > MOST
    p = p_above(rows, lambda _answer: fits.cast(pl.Float64), EXPLAINED)
    entailed_rows = overlapping_rows.filter(pl.col("answer") == ENTAILMENT)
    p = p if explains else 1.0
    result = _result(Diagnosis.WORD_OVERLAP, entailed_rows, rate, p, {"other": other})
    yield replace(result, given=ENTAILMENT)


def _guesses(rows: pl.DataFrame) -> Iterator[DiagnosisResult]:
    """Yield the candidate that answers are wrong more often than right, and no better shuffled."""
    score = correctness(AGREED)
    compared = excess(rows, score, over=())
    if not _is_enough(rows) or compared is None:
        return
    wrong = pl.col("answer") != pl.col(AGREED)
    is_guess = compared.p >= LEVEL and is_above(_rate(rows, wrong), MOST)
    p = p_above(rows, lambda answer: 1 - score(answer), MOST) if is_guess else 1.0
    values = {"shuffled": compared.baseline}
    yield _result(Diagnosis.GUESSES, rows.filter(wrong), _rate(rows, ~wrong), p, values)


def _position(rows: pl.DataFrame) -> list[DiagnosisResult]:
    """Return the candidate that answers follow the position of an option, over several orders."""
    if not has_methods(rows):
        return []
    # It takes 40 ms to import, and hardly any run has several orders.
    from grice.judges.prompts import order_labels

    answers = expand_methods(rows).filter(pl.col("answer").is_in(NLI.labels))
    order = f"{METHOD}.order"
    if answers.is_empty() or answers[order].n_unique() < len(NLI.labels):
        return []
    positions = {
        (level, label): order_labels(NLI.labels, int(level)).index(label) + 1
        for level in answers[order].unique().to_list()
        if str(level).isdigit()
        for label in NLI.labels
    }
    placed = answers.select(
        "id",
        "group",
        "answer",
        pl.struct(order, "answer")
        .map_elements(
            lambda cell: positions.get((cell[order], cell["answer"])), return_dtype=pl.Int64
        )
        .alias("position"),
    ).drop_nulls("position")
    if not _is_enough(placed):
        return []
    position = int(placed["position"].mode().sort()[0])
    chosen = pl.col("position") == position
    rate = _rate(placed, chosen)
    p = p_above(placed, lambda _answer: chosen.cast(pl.Float64), UNCHANGED)
    holds = is_above(rate, UNCHANGED)
    values = {"position": position}
    return [_result(Diagnosis.POSITION_BIAS, placed, rate, p if holds else 1.0, values)]


def _run_candidates(sheet: AnswerSheet) -> Iterator[DiagnosisResult]:
    """Yield what the run itself shows: invalid responses, and low label mass."""
    run = sheet.runs[0]
    n_responses = run.faults + run.answered
    if n_responses and run.faults / n_responses > INVALID:
        invalid = pl.Series([1.0] * run.faults + [0.0] * run.answered)
        yield DiagnosisResult(Diagnosis.MANY_FAULTS, mean(invalid), p=0.0)
    if run.warning and run.warning.kind is WarningKind.LOW_MASS:
        mass = mean(run.frame["mass"].drop_nulls())
        if mass:
            yield DiagnosisResult(Diagnosis.LOW_LABEL_MASS, mass, {"mass": mass.value}, p=0.0)


def _with_surface(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the share of the hypothesis's words that the premise has, and negation in either text."""
    if "overlap" in rows.columns:
        return rows
    premise, hypothesis = (
        pl.col(text).str.to_lowercase().str.extract_all(WORD).list.unique()
        for text in ("premise", "hypothesis")
    )
    return rows.with_columns(
        (hypothesis.list.set_intersection(premise).list.len() / hypothesis.list.len()).alias(
            "overlap"
        ),
        pl.col("premise").str.contains(NEGATION).alias("premise negated"),
        pl.col("hypothesis").str.contains(NEGATION).alias("hypothesis negated"),
    )


def _rate(rows: pl.DataFrame, condition: pl.Expr) -> Estimate | None:
    return mean(rows.select(condition.cast(pl.Float64).alias("rate"))["rate"], rows["group"])


def _is_enough(rows: pl.DataFrame) -> bool:
    return rows.height >= FEWEST_ITEMS and enough_paradigms(rows)


def _result(
    code: Diagnosis,
    evidence_rows: pl.DataFrame,
    rate: Estimate | None,
    p: float,
    values: Mapping[str, Value] | None = None,
) -> DiagnosisResult:
    """Return a candidate with the ids of its first example items."""
    ids = tuple(evidence_rows["id"].unique(maintain_order=True).head(N_EXAMPLES).to_list())
    return DiagnosisResult(code, rate, values or {}, items=ids, p=p)
