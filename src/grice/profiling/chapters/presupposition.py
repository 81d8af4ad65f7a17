"""Presupposition: which triggers are accommodated, and from under which operators they project (IMPPRES, Figures 5–7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.core.estimate import Estimate
from grice.papers.imppres.printed import FIGURE_5, FIGURE_6, FIGURE_6_SETS, FIGURE_7
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.phrases import CONTROLS, is_above, is_below, join_names, percent, round_percent, select
from grice.profiling.rivals import describe_rivals, mean_printed
from grice.profiling.sheets import COUNTED, AnswerSheet, examples, filter_rows, numbers, plain_name, row_column
from grice.reporting.model import Figure, Mark, Number, Query

SIDES = {"its presupposition": "positive", "its denial": "negated", "something else": "neutral"}
CONTROL, TARGET, POSITIVE = ({"tag.role": "control"}, {"tag.role": "target"}, {"tag.presupposition": "positive"})
OPERATORS = ("negated", "interrogative", "modal", "conditional")
NOUNS = dict(zip(OPERATORS, ("negation", "questions", "modals", "conditionals"), strict=True))
BERT_CONTROLS = "BERT as printed in IMPPRES, Figure 5, on its own sentences"
BERT_TRIGGERS = "BERT as printed in IMPPRES, Figure 6, on its own sentences"
WHAT = (
    "“Jo stopped smoking” takes for granted that Jo smoked. A presupposition survives where an entailment would not: under negation, in a question, under “might” and in an "
    "if-clause. A judge accommodates it when it takes it from the plain sentence; it projects when it is still taken from under the operator."
)
GOOD = (
    "From the plain or embedded sentence: entailment for the presupposition, contradiction for its denial, neutral for something else. A control asks whether the embedded sentence entails "
    "the plain one, which it must not. As in the paper, a paradigm counts for an operator only where its control and the plain case are right, and n says how many survive."
)

# What its data have at least.
NEEDS = ("tag.operator", "tag.presupposition", "gold.label", "tag.role")


def _reads(sheet: AnswerSheet) -> bool:
    """Whether the data has triggers under operators."""
    return sheet.has("tag.operator", "tag.presupposition", "gold.label") and "tag.role" in sheet.frame.columns


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.frame.drop_nulls(["tag.operator", "gold.label"])
    judge, rows = sheet.judges[0], row_column(frame)
    right = {"": accuracy("label")}
    asked_of = _operators(frame, CONTROL)
    controls = numbers(sheet, frame, "tag.operator", right, where=CONTROL, reading="label", only=asked_of)
    plain = {**TARGET, "tag.operator": "unembedded"}
    unembedded = filter_rows(frame, plain)
    sides = {side: {"tag.presupposition": named} for side, named in SIDES.items()}
    asked = dict.fromkeys(SIDES, entailed())
    taken = numbers(sheet, unembedded, rows, asked, where=plain, items=sides, reading="label")
    projected = _projected(sheet, frame)
    overview = numbers(sheet, frame, rows, right, where=TARGET, reading="label")
    pooled = accuracy("label")(filter_rows(sheet.first.drop_nulls("tag.operator"), CONTROL))
    warnings = _warnings(judge, controls, pooled)
    fails = pooled is None or pooled.value < CONTROLS
    headline: tuple[str, ...] = (
        f"What it presupposes cannot be told: it gets only {percent(pooled)} of the presupposition controls right.",
    )
    if not fails:
        headline = _sentences(sheet, unembedded, taken, projected, _blocked(frame))
    beside = _beside(sheet, frame, unembedded, fails)
    figures = (_controls(controls, judge, pooled), _accommodation(taken, judge), *_projection(projected, judge))
    shown = filter_rows(unembedded, POSITIVE).head(1)
    under = filter_rows(frame, {"tag.operator": "negated", **POSITIVE}).head(1)
    return Findings(
        figures, headline, examples(pl.concat([shown, under]), ("label",)), warnings, beside,
        overview=tuple(n for n in overview if n.estimate), marks=_chance(overview),
    )  # fmt: skip


def _operators(frame: pl.DataFrame, role: Mapping[str, str]) -> list[str]:
    there = set(filter_rows(frame, role)["tag.operator"].to_list()) - {"unembedded"}
    return [*(o for o in OPERATORS if o in there), *sorted(there - set(OPERATORS))]


def _chance(overview: Sequence[Number]) -> tuple[Mark, ...]:
    """Each target is one of three in equal parts, so one label throughout gets a third."""
    return tuple(Mark(row, "", 1 / 3, "one label throughout") for row in dict.fromkeys(n.row for n in overview))


def _projected(sheet: AnswerSheet, frame: pl.DataFrame) -> list[Number]:
    """Accuracy on the embedded targets that survive both filters, by operator and side, judge by judge."""
    found = []
    for operator in _operators(frame, TARGET):
        for side, named in SIDES.items():
            for judge in sheet.judges_in(frame):
                where = {**TARGET, "tag.operator": operator, "tag.presupposition": named, COUNTED: judge}
                right = accuracy("label")(filter_rows(frame.filter(judge=judge), where))
                found.append(Number(operator, side, judge, right, Query(sheet.index, where, judge, "label")))
    return found


def _warnings(judge: str, controls: Sequence[Number], pooled: Estimate | None) -> tuple[str, ...]:
    failed = [n for n in select(controls, judge) if n.value < CONTROLS]
    if not failed:
        return ()
    named = join_names(f"{n.row} ({n.value:.0%})" for n in failed)
    if pooled is not None and pooled.value < CONTROLS:
        return (
            f"Controls fail: {judge} gets {percent(pooled)} of the presupposition controls right ({named}). "
            "It does not tell an embedded sentence from a plain one, so its targets below mean nothing.",
        )
    return (f"Controls fail under {named}: projection from there rests on the few paradigms that survive.",)


def _sentences(
    sheet: AnswerSheet,
    unembedded: pl.DataFrame,
    taken: Sequence[Number],
    projected: Sequence[Number],
    blocked: set[str],
) -> tuple[str, ...]:
    judge = sheet.judges[0]
    mine = unembedded.filter(judge=judge)
    shares = {side: entailed()(mine.filter(pl.col("tag.presupposition") == named)) for side, named in SIDES.items()}
    taken_all, denial = shares["its presupposition"], shares["its denial"]
    most, few = is_above(taken_all, 0.5), is_below(taken_all, 0.5)
    many = "most" if most else "a minority of" if few else "about half of the"
    first = f"It takes {many} presuppositions from plain sentences: {percent(taken_all)}"
    if denial and not is_below(denial, 0.5):
        return (f"{first} but also {percent(denial)} of their denials, so accommodation cannot be told.",)
    shown = select(taken, judge, "its presupposition")
    does = [n.row for n in shown if is_above(n.estimate, 0.5)]
    does_not = [n.row for n in shown if is_below(n.estimate, 0.5)]
    first += f"; clearly those of {join_names(does)}" if does else ""
    first += f"; clearly not those of {join_names(does_not)}" if does_not else ""
    return f"{first}.", *_projection_sentence(projected, judge, blocked)


def _projection_sentence(projected: Sequence[Number], judge: str, blocked: set[str]) -> tuple[str, ...]:
    """What projects and what does not, among the operators from under which it should; then those that hold it back."""
    mine = select(projected, judge, "its presupposition")
    free, held = [n for n in mine if n.row not in blocked], [n for n in mine if n.row in blocked]
    clauses = [
        f"{start} {join_names(f'{NOUNS.get(n.row, n.row)} {percent(n.estimate)}' for n in found)}"
        for start, found in (
            ("from under", [n for n in free if is_above(n.estimate, 0.5)]),
            ("not from under", [n for n in free if is_below(n.estimate, 0.5)]),
            ("they are rightly held back by", [n for n in held if is_above(n.estimate, 0.5)]),
        )
        if found
    ]
    if not clauses:
        return ("Whether they project from under operators is open: too few paradigms survive their controls.",)
    starts = {"from": "They project", "not": "They do not project", "they": "They do not escape"}
    return (f"{starts[clauses[0].partition(' ')[0]]}, counted where the controls hold: {'; '.join(clauses)}.",)


def _blocked(frame: pl.DataFrame) -> set[str]:
    """Operators from under which the presupposition does not come out: its own answer there is not entailment."""
    rows = filter_rows(frame, {**TARGET, **POSITIVE})
    return set(rows.filter(pl.col("gold.label") != "entailment")["tag.operator"].to_list())


def _beside(sheet: AnswerSheet, frame: pl.DataFrame, unembedded: pl.DataFrame, fails: bool) -> tuple[str, ...]:
    """For each sentence the same of rivals and of the paper's BERT: controls, accommodation, projection."""
    if fails:
        asked = filter_rows(frame, CONTROL)
        paper = f"BERT in IMPPRES {mean_printed(FIGURE_5, 'BERT')} (its sentences, mean of 4 operators)"
        return (describe_rivals(sheet, asked, accuracy("label"), paper),)
    asked = filter_rows(unembedded, POSITIVE)
    paper = f"BERT in IMPPRES {mean_printed(FIGURE_6, 'BERT')} (its sentences, mean of 9 triggers)"
    under = ", ".join(
        f"{NOUNS[operator]} {round_percent(FIGURE_7[f'{operator}, positive', 'BERT'])}" for operator in OPERATORS
    )
    return (describe_rivals(sheet, asked, entailed(), paper), f"BERT in IMPPRES, on its sentences: {under}.")


def _controls(controls: Sequence[Number], judge: str, pooled: Estimate | None) -> Figure:
    marks = tuple(
        Mark(operator, "", FIGURE_5[operator, "BERT"], BERT_CONTROLS)
        for operator in OPERATORS
        if any(n.row == operator for n in controls)
    )
    return Figure(
        "controls", "Controls: does the embedded sentence entail the plain one?", "dots", tuple(controls),
        f"{judge} gets {percent(pooled)} of the controls right.",
        names="operator", across="controls right", line=CONTROLS, marks=marks,
        note=f"Left of the dashed line ({CONTROLS:.0%}) little is told.{_ticks(marks)} IMPPRES Figure 5.",
    )  # fmt: skip


def _ticks(marks: Sequence[Mark]) -> str:
    return " Ticks: BERT as printed there, on its own sentences." if marks else ""


def _accommodation(taken: Sequence[Number], judge: str) -> Figure:
    mine = select(taken, judge, "its presupposition")
    does = sum(is_above(n.estimate, 0.5) for n in mine)
    rows = {n.row for n in mine}
    marks = tuple(
        Mark(row, "its presupposition", FIGURE_6[name, "BERT"], BERT_TRIGGERS)
        for name, stem in FIGURE_6_SETS.items()
        # The generator calls the paper's `question` set `questions`.
        for row in (plain_name(stem), f"{plain_name(stem)}s")
        if row in rows
    )
    return Figure(
        "accommodation", "What is taken from the plain sentence, by trigger", "dots", tuple(n for n in taken if n.estimate),
        f"{judge} clearly takes the presupposition of {does} of {len(mine)} triggers as entailed.",
        names="trigger", across="taken as entailed", line=0.5, marks=marks,
        note=f"Share of entailment answers when the hypothesis is the presupposition, its denial, or something else.{_ticks(marks)} IMPPRES Figure 6.",
    )  # fmt: skip


def _projection(projected: Sequence[Number], judge: str) -> tuple[Figure, ...]:
    some = {n.row for n in projected if n.estimate}
    kept = tuple(n for n in projected if n.row in some)
    if not kept:
        return ()
    mine = select(kept, judge, "its presupposition")
    shares = join_names(f"{n.row} {percent(n.estimate)}" for n in mine) or "no paradigm survives"
    return (
        Figure(
            "projection", "Projection from under operators, where both controls hold", "dots", kept,
            f"{judge} gives the right answer for the presupposition under: {shares}.",
            names="operator", across="right among survivors", line=1 / 3,
            note="n counts the targets of paradigms whose control and plain case are both right; an operator without any is left out. The dashed line is one label throughout. IMPPRES Figure 7.",
        ),
    )  # fmt: skip


presupposition = Chapter(
    "presupposition", "Presupposition", WHAT, GOOD, _reads, _write, order=20, needs=NEEDS,
    colours=dict(zip(SIDES, ("blue", "orange", "grey"), strict=True)),
)  # fmt: skip
