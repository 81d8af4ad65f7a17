"""Figures of the chapter on presuppositions (IMPPRES, Figures 5–7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.statistics.baselines import correctness, is_label
from grice.papers.imppres.printed import FIGURE_5, FIGURE_6, FIGURE_6_SETS
from grice.papers.nope.shares import published_shares
from grice.profiling.fingerprint import RowSpec, right_rows
from grice.profiling.gate import FEWEST_ITEMS, RELIABLE, enough_paradigms, shuffled_marks, sure_rows
from grice.profiling.phrases import select
from grice.profiling.sheets import COUNTED, AnswerSheet, filter_rows, plain_name
from grice.reporting.claims import Gate, Test
from grice.reporting.formats import count, join_names, percent, round_percent
from grice.reporting.model import EVIDENCE, Figure, Mark, Number, Query

SIDES = {"its presupposition": "positive", "its denial": "negated", "something else": "neutral"}
CONTROL, TARGET, POSITIVE = (
    {"tag.role": "control"},
    {"tag.role": "target"},
    {"tag.presupposition": "positive"},
)
PLAIN = {**TARGET, "tag.operator": "unembedded"}
IS_TARGET, IS_POSITIVE = pl.col("tag.role") == "target", pl.col("tag.presupposition") == "positive"
IS_PLAIN = IS_TARGET & (pl.col("tag.operator") == "unembedded")
TAKEN, PROJECTION = "accommodation", "projection"
OPERATORS = ("negated", "interrogative", "modal", "conditional")
NOUNS = dict(zip(OPERATORS, ("negation", "questions", "modals", "conditionals"), strict=True))
BERT_CONTROLS = "BERT as printed in IMPPRES, Figure 5, on its own sentences"
BERT_TRIGGERS = "BERT as printed in IMPPRES, Figure 6, on its own sentences"
ENTAILS = is_label("entailment")


def operator_rows(frame: pl.DataFrame, rows: str) -> RowSpec:
    """Return accuracy by operator."""
    present = set(filter_rows(frame, TARGET)["tag.operator"].to_list())
    only = [operator for operator in ("unembedded", *OPERATORS) if operator in present]
    if not only:
        return right_rows(rows, "label", where=TARGET)
    names = {"unembedded": "plain sentence", **NOUNS}
    return right_rows("tag.operator", "label", where=TARGET, only=only, names=names)


def control_tags(frame: pl.DataFrame) -> dict[str, str]:
    """Return the tags of controls of an operator; those without the trigger are another kind."""
    has_kinds = "tag.trigger" in frame.columns and "absent" in frame["tag.trigger"]
    return {**CONTROL, "tag.trigger": "present"} if has_kinds else CONTROL


def embedding_operators(frame: pl.DataFrame, role: Mapping[str, str]) -> list[str]:
    """Return the operators of the rows of a role, those of the paper first."""
    present = set(filter_rows(frame, role)["tag.operator"].to_list()) - {"unembedded"}
    return [*(o for o in OPERATORS if o in present), *sorted(present - set(OPERATORS))]


def projected_numbers(sheet: AnswerSheet, frame: pl.DataFrame) -> list[Number]:
    """Return accuracy on embedded targets by operator, side and model.

    A target counts only where its control and its unembedded sentence are answered correctly.
    """
    projected = []
    for operator in embedding_operators(frame, TARGET):
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


def controls_figure(
    controls: Sequence[Number], judge: str, gate: Gate, baseline_marks: tuple[Mark, ...]
) -> Figure:
    """Draw the accuracy on controls by operator, beside BERT's printed one."""
    marks = tuple(
        Mark(operator, "", FIGURE_5[operator, "BERT"], BERT_CONTROLS)
        for operator in OPERATORS
        if any(n.row == operator for n in controls)
    )
    shuffled = gate.baseline(Test.CONTROLS, role="control") or 0.0
    return Figure(
        "controls",
        "Controls: does the embedded sentence entail the plain one?",
        "dots",
        tuple(controls),
        (
            f"{judge} gets {percent(gate.controls)} of the controls right, each answer weighing the"
            f" same; shuffled answers {round_percent(shuffled)}."
            if gate.controls
            else f"{judge} answered no control."
        ),
        names="operator",
        across="controls right",
        line=RELIABLE,
        marks=(*marks, *baseline_marks),
        rests_on=EVIDENCE,
        note=(
            f"Left of the dashed line ({RELIABLE:.0%}) little is told. IMPPRES"
            f" Figure 5.{_ticks(marks, 'controls')}"
        ),
    )


def _ticks(marks: Sequence[Mark], figure: str) -> str:
    ticks = " Stars: BERT as printed there, on its own sentences." if marks else ""
    return f"{ticks} {_published(figure)}"


def _published(figure: str) -> str:
    shares = [f"{model} {percent(share)}" for model, share in published_shares(figure).items()]
    return (
        "Recomputed from the predictions published with NOPE (Parrish et al. 2021), on IMPPRES's"
        f" own sentences: {join_names(shares)}."
    )


def accommodation_figure(
    taken: Sequence[Number], judge: str, own: pl.DataFrame, rows: str
) -> Figure:
    """Draw how often a plain sentence is taken to entail its presupposition."""
    judge_numbers = select(taken, judge, "its presupposition")
    names = {n.row for n in judge_numbers}
    plain = own.filter(IS_PLAIN & IS_POSITIVE)
    does = sure_rows(plain, rows, {"": ENTAILS})[""] if rows else []
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
    baseline_marks = shuffled_marks(
        own,
        {"its presupposition": ENTAILS},
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
        marks=(*marks, *baseline_marks),
        rests_on=TAKEN,
        note=(
            "Share of entailment answers when the hypothesis is the presupposition, its denial, or"
            f" something else. IMPPRES Figure 6.{_ticks(marks, 'accommodation')}"
        ),
    )


def projection_figure(
    projected: Sequence[Number], judge: str, own: pl.DataFrame, strata: Sequence[str]
) -> tuple[Figure, ...]:
    """Draw how often a presupposition survives under each operator."""
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
    baseline_marks = shuffled_marks(
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
            marks=baseline_marks,
            rests_on=PROJECTION,
            note=(
                "n counts the targets of paradigms whose control and plain case are both right; an"
                " operator without any is left out. The dashed line is one label throughout."
                " IMPPRES Figure 7."
            ),
        ),
    )


def filter_figure(sheet: AnswerSheet, frame: pl.DataFrame) -> tuple[Figure, ...]:
    """Draw the presuppositions kept by operator: survivors, plain case correct, all paradigms."""
    judge = sheet.judges[0]
    rows = frame.filter((pl.col("judge") == judge) & IS_TARGET & IS_POSITIVE)
    plain = rows.filter(
        (pl.col("tag.operator") == "unembedded") & (pl.col("answer") == pl.col("gold.label"))
    )
    parts = {
        "control and plain case correct": rows.filter(pl.col(COUNTED).list.contains(judge)),
        "plain case correct": rows.join(plain.select("group").unique(), on="group", how="semi"),
        "all paradigms": rows,
    }
    shares = []
    for operator in embedding_operators(frame, TARGET):
        where = {**TARGET, **POSITIVE, "tag.operator": operator}
        for series, part in parts.items():
            own = {COUNTED: judge} if series == next(iter(parts)) else {}
            right = accuracy("label")(part.filter(pl.col("tag.operator") == operator))
            query = Query(sheet.index, {**where, **own}, judge, "label")
            shares.append(Number(operator, series, judge, right, query))
    drawn_rows = {number.row for number in shares if number.estimate}
    if not drawn_rows:
        return ()
    return (
        Figure(
            "filter",
            "Projection with and without the filter on controls",
            "dots",
            tuple(number for number in shares if number.row in drawn_rows),
            f"{judge}, presuppositions under operators: survivors compared with all paradigms.",
            names="operator",
            across="correct on presuppositions",
            marks=shuffled_marks(
                frame.filter(judge=judge),
                {"all paradigms": correctness("gold.label")},
                "tag.operator",
                of=IS_TARGET & IS_POSITIVE,
            ),
            rests_on=PROJECTION,
            note=(
                "The filter is unbiased only if errors on controls and targets are independent."
                " Where ability is shared within a paradigm, survivors are too good."
                f" All paradigms: {_published('filter')}"
            ),
        ),
    )
