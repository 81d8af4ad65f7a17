"""Presupposition: accommodation by trigger, projection by operator (IMPPRES, Figures 5–7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.statistics.baselines import correctness, p_above, set_column
from grice.core.scale import NLI
from grice.papers.imppres.printed import FIGURE_5, FIGURE_6, FIGURE_6_SETS, FIGURE_7
from grice.profiling.asking import settle
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.fingerprint import FingerprintRows, fingerprint_rows, right_or_wrong
from grice.profiling.gate import (
    FEWEST_ITEMS,
    RELIABLE,
    ClaimDraft,
    blind_marks,
    blind_share,
    closed_judges,
    controls_gate,
    enough_paradigms,
    is_mixed,
    open_gate,
    sure_rows,
)
from grice.profiling.phrases import (
    count,
    is_above,
    is_below,
    join_names,
    percent,
    round_percent,
    select,
)
from grice.profiling.rivals import describe_rivals, mean_printed
from grice.profiling.sheets import (
    COUNTED,
    AnswerSheet,
    examples,
    filter_rows,
    kind_tag,
    numbers,
    plain_name,
)
from grice.reporting.claims import UNTOLD, ClaimNumber, Gate
from grice.reporting.model import EVIDENCE, Figure, Mark, Number, Query

SIDES = {"its presupposition": "positive", "its denial": "negated", "something else": "neutral"}
CONTROL, TARGET, POSITIVE = (
    {"tag.role": "control"},
    {"tag.role": "target"},
    {"tag.presupposition": "positive"},
)
PLAIN = {**TARGET, "tag.operator": "unembedded"}
PLAIN_POSITIVE = {"role": "target", "operator": "unembedded", "presupposition": "positive"}
IS_TARGET, IS_POSITIVE = pl.col("tag.role") == "target", pl.col("tag.presupposition") == "positive"
IS_PLAIN = IS_TARGET & (pl.col("tag.operator") == "unembedded")
RIGHT = {"": correctness("gold.label")}
TAKEN, PROJECTION = "accommodation", "projection"
UNKNOWN, OPEN = (
    "What it presupposes cannot be told: {}.",
    "Whether they project from under operators cannot be told: {}.",
)
TOPICS = ("what it presupposes", "whether presuppositions project")
HALF, SOME = (
    "Takes some presuppositions for granted, others not.",
    "Keeps them under some operators, not under others.",
)
OPERATORS = ("negated", "interrogative", "modal", "conditional")
NOUNS = dict(zip(OPERATORS, ("negation", "questions", "modals", "conditionals"), strict=True))
BERT_CONTROLS = "BERT as printed in IMPPRES, Figure 5, on its own sentences"
BERT_TRIGGERS = "BERT as printed in IMPPRES, Figure 6, on its own sentences"
WHAT = (
    "“Jo stopped smoking” takes for granted that Jo smoked. A presupposition survives where an"
    " entailment would not: under negation, in a question, under “might” and in an if-clause. A"
    " judge accommodates it when it takes it from the plain sentence; it projects when it is still"
    " taken from under the operator."
)
GOOD = (
    "From the plain or embedded sentence: entailment for the presupposition, contradiction for its"
    " denial, neutral for something else. A control asks whether the embedded sentence entails the"
    " plain one, which it must not. As in the paper, a paradigm counts for an operator only where"
    " its control and the plain case are right, and n says how many survive."
)

# Columns that the data must have.
NEEDS = ("tag.operator", "tag.presupposition", "gold.label", "tag.role")


def _reads(sheet: AnswerSheet) -> bool:
    """Return whether the data have triggers under operators."""
    return (
        sheet.has("tag.operator", "tag.presupposition", "gold.label")
        and "tag.role" in sheet.frame.columns
    )


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.rows_with("tag.operator", "gold.label")
    judge, rows = sheet.judges[0], set_column(frame)
    judge_rows, strata = frame.filter(judge=judge), [rows] if rows else []
    overall = {"": accuracy("label")}
    control_operators = _operators(frame, CONTROL)
    controls = numbers(
        sheet,
        frame,
        "tag.operator",
        overall,
        where=CONTROL,
        reading="label",
        only=control_operators,
    )
    unembedded = filter_rows(frame, PLAIN)
    sides = {side: {"tag.presupposition": named} for side, named in SIDES.items()}
    measures = dict.fromkeys(SIDES, entailed())
    taken = numbers(sheet, unembedded, rows, measures, where=PLAIN, items=sides, reading="label")
    projected = _projected(sheet, frame)
    overview = numbers(sheet, frame, rows, overall, where=TARGET, reading="label")
    gate = controls_gate(judge_rows, "gold.label", strata=strata)
    fail = tuple(f"those under {number.row} fail" for number in _failing(controls, judge))
    accommodates = _accommodates(
        judge_rows, replace(gate, controls_fail=(*gate.controls_fail, *fail)), rows
    )
    findings = (
        accommodates,
        _projects(judge_rows, accommodates, projected, _blocked(frame), judge, strata),
    )
    passed = blind_marks(
        judge_rows, RIGHT, "tag.operator", strata=strata, of=pl.col("tag.role") == "control"
    )
    figures = (
        _controls(controls, judge, gate, passed),
        *(
            [_accommodation(taken, judge, judge_rows, rows)]
            if accommodates.made or _told(taken)
            else []
        ),
        *_projection(projected, judge, judge_rows, strata),
    )
    plain_example = filter_rows(unembedded, POSITIVE).head(1)
    under = filter_rows(frame, {"tag.operator": "negated", **POSITIVE}).head(1)
    return Findings(
        figures,
        examples=examples(pl.concat([plain_example, under]), ("label",)),
        warnings=_warnings(judge, controls, gate),
        gated=closed_judges(
            frame.filter(pl.col("judge") != judge),
            lambda own: controls_gate(own, "gold.label", strata=strata),
        ),
        fingerprint=_fingerprint(sheet, frame, rows, strata),
        findings=_with_beside(findings, _beside(sheet, unembedded)),
        overview=tuple(n for n in overview if n.estimate),
        marks=(
            *_chance(overview),
            *blind_marks(judge_rows, RIGHT, rows, strata=strata, of=IS_TARGET),
        ),
    )


def _fingerprint(
    sheet: AnswerSheet, frame: pl.DataFrame, rows: str, strata: Sequence[str]
) -> FingerprintRows:
    """Return accuracy by operator."""
    present = set(filter_rows(frame, TARGET)["tag.operator"].to_list())
    only = [operator for operator in ("unembedded", *OPERATORS) if operator in present]
    by, names = ("tag.operator", {"unembedded": "plain sentence", **NOUNS}) if only else (rows, {})
    return fingerprint_rows(
        sheet,
        frame,
        by,
        "right answers",
        right_or_wrong("gold.label"),
        where=TARGET,
        strata=strata,
        only=only or None,
        names=names,
        reading="label",
    )


def _told(taken: Sequence[Number]) -> bool:
    """Return whether some row has enough answers.

    Without a claim, a few answers per trigger would only mislead.
    """
    return any(number.estimate and number.estimate.n >= FEWEST_ITEMS for number in taken)


def _operators(frame: pl.DataFrame, role: Mapping[str, str]) -> list[str]:
    present = set(filter_rows(frame, role)["tag.operator"].to_list()) - {"unembedded"}
    return [*(o for o in OPERATORS if o in present), *sorted(present - set(OPERATORS))]


def _chance(overview: Sequence[Number]) -> tuple[Mark, ...]:
    """Mark a third for every row: targets have three labels in equal parts."""
    return tuple(
        Mark(row, "", 1 / 3, "one label throughout")
        for row in dict.fromkeys(n.row for n in overview)
    )


def _projected(sheet: AnswerSheet, frame: pl.DataFrame) -> list[Number]:
    """Return accuracy on embedded targets by operator, side and model.

    A target counts only where its control and its unembedded sentence are answered correctly.
    """
    projected = []
    for operator in _operators(frame, TARGET):
        for side, named in SIDES.items():
            for judge in sheet.judges_in(frame):
                where = {
                    **TARGET,
                    "tag.operator": operator,
                    "tag.presupposition": named,
                    COUNTED: judge,
                }
                right = accuracy("label")(filter_rows(frame.filter(judge=judge), where))
                projected.append(
                    Number(operator, side, judge, right, Query(sheet.index, where, judge, "label"))
                )
    return projected


def _warnings(judge: str, controls: Sequence[Number], gate: Gate) -> tuple[str, ...]:
    if not gate.open:
        return (f"Controls fail: of {judge}, {gate.reasons[0]}. Its targets below mean nothing.",)
    failed = _failing(controls, judge)
    named = join_names(f"{n.row} ({n.value:.0%})" for n in failed)
    return (
        (
            (
                f"Controls fail under {named}: projection from there rests on the few paradigms"
                " that survive."
            ),
        )
        if failed
        else ()
    )


def _failing(controls: Sequence[Number], judge: str) -> list[Number]:
    """Return the operators under which the controls fail."""
    return [number for number in select(controls, judge) if number.value < RELIABLE]


def _accommodates(judge_rows: pl.DataFrame, controls: Gate, rows: str) -> ClaimDraft:
    """Return the claim that presuppositions are inferred from unembedded sentences.

    It holds only where they are distinguished from their negations and from unrelated content.
    """
    plain = judge_rows.filter(IS_PLAIN)
    shares = {
        side: entailed()(plain.filter(pl.col("tag.presupposition") == named))
        for side, named in SIDES.items()
    }
    taken, denial = shares["its presupposition"], shares["its denial"]
    strata = [rows] if rows else []
    gate = open_gate(
        judge_rows,
        correctness("gold.label"),
        "gold.label",
        strata=strata,
        of=IS_PLAIN,
        balance="gold.label",
        labels=NLI.labels,
        controls=controls,
    )
    takes_most, takes_few = is_above(taken, 0.5), is_below(taken, 0.5)
    gate = settle(
        gate,
        judge_rows,
        _entails,
        IS_PLAIN & IS_POSITIVE,
        line=0.5,
        what="share of presuppositions taken",
        alone=takes_few,
    )
    many = "most" if takes_most else "a minority of" if takes_few else "some"
    text = f"It takes {many} presuppositions from plain sentences: {percent(taken)}"
    blind = blind_share(judge_rows, _entails, strata, IS_PLAIN & IS_POSITIVE)
    where = kind_tag(judge_rows) | PLAIN_POSITIVE
    draft = ClaimDraft(
        TAKEN,
        text,
        UNKNOWN,
        UNTOLD,
        gate,
        numbers=(ClaimNumber("entailed", taken, blind, where),) if taken else (),
    )
    if denial and not is_below(denial, 0.5):
        how = (
            "but also" if is_above(denial, 0.5) else "and how many of their denials cannot be told:"
        )
        also = (
            f"it takes {percent(taken)} of them from plain sentences, {how} {percent(denial)} of"
            " their denials"
        )
        return replace(draft, gate=replace(gate, reasons=(*gate.reasons, also)))
    named = (
        sure_rows(
            plain.filter(IS_POSITIVE),
            rows,
            {"clearly those": _entails, "clearly not those": _not_entails},
        )
        if rows
        else {}
    )
    text += "".join(
        f"; {how} of {join_names(map(plain_name, names))}" for how, names in named.items() if names
    )
    if takes_few:
        # A model that infers no presupposition has few correct targets, so the controls alone show
        # whether it reads.
        controls_only_gate = replace(gate, reasons=controls.reasons, p=controls.p)
        return replace(draft, text=f"{text}.", verdict="presupposes_not", gate=controls_only_gate)
    verdict = "presupposes" if takes_most else "mixed" if is_mixed(taken) else UNTOLD
    return replace(draft, text=f"{text}.", verdict=verdict, says="" if takes_most else HALF)


def _projects(
    judge_rows: pl.DataFrame,
    accommodates: ClaimDraft,
    projected: Sequence[Number],
    blocked: set[str],
    judge: str,
    strata: Sequence[str],
) -> ClaimDraft:
    """Return the claim that presuppositions project from under operators.

    It counts paradigms whose control and unembedded sentence are answered correctly.
    """
    survives = (
        pl.col(COUNTED).list.contains(judge) if COUNTED in judge_rows.columns else pl.lit(False)
    )
    free = IS_TARGET & survives & ~pl.col("tag.operator").is_in(sorted(blocked))
    positive_targets = judge_rows.filter(free & IS_POSITIVE)
    held, out = accommodates.gate, entailed()(positive_targets)
    drops = is_below(out, 0.5)
    gate = open_gate(
        judge_rows,
        correctness("gold.label"),
        "gold.label",
        strata=strata,
        of=free,
        balance="gold.label",
        labels=NLI.labels,
        controls=held,
    )
    gate = settle(
        gate,
        judge_rows,
        _entails,
        free & IS_POSITIVE,
        line=0.5,
        what="share of presuppositions that come out",
        alone=drops,
    )
    text = _projection_sentence(projected, judge, blocked, positive_targets)
    blind = blind_share(judge_rows, _entails, strata, free & IS_POSITIVE)
    claim_numbers = (ClaimNumber("projection", out, blind, kind_tag(judge_rows)),) if out else ()
    draft = ClaimDraft(PROJECTION, text, OPEN, UNTOLD, gate, numbers=claim_numbers)
    if not accommodates.made:
        return replace(draft, gate=replace(held, reasons=held.reasons or (accommodates.reason,)))
    if drops:
        few = tuple(reason for reason in gate.reasons if "too few" in reason)
        p = max(held.p, p_above(positive_targets, _not_entails, 0.5))
        return replace(draft, verdict="projects_not", gate=replace(gate, reasons=few, p=p))
    sure = is_above(out, 0.5)
    verdict = "projects" if sure else "mixed" if is_mixed(out) else UNTOLD
    return replace(draft, verdict=verdict, says="" if sure else SOME)


def _entails(answer: pl.Expr) -> pl.Expr:
    return (answer == "entailment").cast(pl.Float64)


def _not_entails(answer: pl.Expr) -> pl.Expr:
    return 1 - _entails(answer)


def _with_beside(findings: Sequence[ClaimDraft], beside: Sequence[str]) -> tuple[ClaimDraft, ...]:
    parts = zip(findings, beside, TOPICS, strict=True)
    return tuple(replace(finding, beside=text, topic=topic) for finding, text, topic in parts)


def _projection_sentence(
    projected: Sequence[Number], judge: str, blocked: set[str], positive_targets: pl.DataFrame
) -> str:
    """Describe which operators presuppositions project from, and which block them."""
    judge_numbers = select(projected, judge, "its presupposition")
    sure = sure_rows(positive_targets, "tag.operator", {"yes": _entails, "no": _not_entails})
    clauses = [
        f"{start} {join_names(f'{NOUNS.get(n.row, n.row)} {percent(n.estimate)}' for n in group)}"
        for start, group in (
            ("from under", [n for n in judge_numbers if n.row in sure["yes"]]),
            ("not from under", [n for n in judge_numbers if n.row in sure["no"]]),
            (
                "they are rightly held back by",
                [n for n in judge_numbers if n.row in blocked and is_above(n.estimate, 0.5)],
            ),
        )
        if group
    ]
    overall = (
        f"From under operators it takes {percent(entailed()(positive_targets))} of them, counted where the"
        " controls hold"
    )
    if not clauses:
        return f"{overall}; for no single operator is it sure whether they project."
    starts = {"from": "They project", "not": "They do not project", "they": "They do not escape"}
    return f"{overall}. {starts[clauses[0].partition(' ')[0]]}: {'; '.join(clauses)}."


def _blocked(frame: pl.DataFrame) -> set[str]:
    """Return the operators under which the gold label of the presupposition is not entailment."""
    rows = filter_rows(frame, {**TARGET, **POSITIVE})
    return set(rows.filter(pl.col("gold.label") != "entailment")["tag.operator"].to_list())


def _beside(sheet: AnswerSheet, unembedded: pl.DataFrame) -> tuple[str, str]:
    """Return comparison text for each finding: other models and the BERT of the paper."""
    positives = filter_rows(unembedded, POSITIVE)
    paper = f"BERT in IMPPRES {mean_printed(FIGURE_6, 'BERT')} (its sentences, mean of 9 triggers)"
    under = ", ".join(
        f"{NOUNS[operator]} {round_percent(FIGURE_7[f'{operator}, positive', 'BERT'])}"
        for operator in OPERATORS
    )
    return (
        describe_rivals(sheet, positives, entailed(), paper),
        f"BERT in IMPPRES, on its sentences: {under}.",
    )


def _controls(
    controls: Sequence[Number], judge: str, gate: Gate, twins: tuple[Mark, ...]
) -> Figure:
    marks = tuple(
        Mark(operator, "", FIGURE_5[operator, "BERT"], BERT_CONTROLS)
        for operator in OPERATORS
        if any(n.row == operator for n in controls)
    )
    return Figure(
        "controls",
        "Controls: does the embedded sentence entail the plain one?",
        "dots",
        tuple(controls),
        (
            f"{judge} gets {percent(gate.controls)} of the controls right, each answer weighing the"
            f" same; {round_percent(gate.controls_blind or 0.0)} without reading."
            if gate.controls
            else f"{judge} answered no control."
        ),
        names="operator",
        across="controls right",
        line=RELIABLE,
        marks=(*marks, *twins),
        rests_on=EVIDENCE,
        note=(
            f"Left of the dashed line ({RELIABLE:.0%}) little is told.{_ticks(marks)} IMPPRES"
            " Figure 5."
        ),
    )


def _ticks(marks: Sequence[Mark]) -> str:
    return " Ticks: BERT as printed there, on its own sentences." if marks else ""


def _accommodation(taken: Sequence[Number], judge: str, own: pl.DataFrame, rows: str) -> Figure:
    judge_numbers = select(taken, judge, "its presupposition")
    names = {n.row for n in judge_numbers}
    plain = own.filter(IS_PLAIN & IS_POSITIVE)
    does = sure_rows(plain, rows, {"": _entails})[""] if rows else []
    tested = (
        [
            name
            for (name,), part in plain.partition_by(rows, as_dict=True).items()
            if enough_paradigms(part)
        ]
        if rows
        else []
    )
    single = (
        f"significantly more than half of those of {len(does)} of {count(len(tested), 'trigger')}"
        " with enough paradigms"
        if tested
        else "single triggers have too few paradigms to tell"
    )
    marks = tuple(
        Mark(row, "its presupposition", FIGURE_6[name, "BERT"], BERT_TRIGGERS)
        for name, stem in FIGURE_6_SETS.items()
        # The generator calls the paper's `question` set `questions`.
        for row in (plain_name(stem), f"{plain_name(stem)}s")
        if row in names
    )
    twins = blind_marks(
        own,
        {"its presupposition": _entails},
        rows,
        strata=[rows] if rows else [],
        of=IS_PLAIN & IS_POSITIVE,
    )
    return Figure(
        "accommodation",
        "What is taken from the plain sentence, by trigger",
        "dots",
        tuple(n for n in taken if n.estimate),
        f"{judge} takes {percent(entailed()(plain))} of the presuppositions of"
        f" {count(len(judge_numbers), 'trigger')}; {single}.",
        names="trigger",
        across="taken as entailed",
        line=0.5,
        marks=(*marks, *twins),
        rests_on=TAKEN,
        note=(
            "Share of entailment answers when the hypothesis is the presupposition, its denial, or"
            f" something else.{_ticks(marks)} IMPPRES Figure 6."
        ),
    )


def _projection(
    projected: Sequence[Number], judge: str, own: pl.DataFrame, strata: Sequence[str]
) -> tuple[Figure, ...]:
    some = {n.row for n in projected if n.estimate}
    counted = tuple(n for n in projected if n.row in some)
    if not counted:
        return ()
    judge_numbers = select(counted, judge, "its presupposition")
    named = [n for n in judge_numbers if n.estimate and n.estimate.n >= FEWEST_ITEMS]
    shares = (
        join_names(f"{n.row} {percent(n.estimate)}" for n in named)
        or "no operator with enough paradigms"
    )
    survives = pl.col(COUNTED).list.contains(judge)
    twins = blind_marks(
        own,
        {"its presupposition": correctness("gold.label")},
        "tag.operator",
        strata=strata,
        of=IS_TARGET & IS_POSITIVE & survives,
    )
    return (
        Figure(
            "projection",
            "Projection from under operators, where both controls hold",
            "dots",
            counted,
            f"{judge} gives the right answer for the presupposition under: {shares}. Operators with"
            f" fewer than {FEWEST_ITEMS} answers are not named.",
            names="operator",
            across="right among survivors",
            line=1 / 3,
            marks=twins,
            rests_on=PROJECTION,
            note=(
                "n counts the targets of paradigms whose control and plain case are both right; an"
                " operator without any is left out. The dashed line is one label throughout."
                " IMPPRES Figure 7."
            ),
        ),
    )


presupposition = Chapter(
    "presupposition", "Presupposition", WHAT, GOOD, _reads, _write, order=20, needs=NEEDS
)
