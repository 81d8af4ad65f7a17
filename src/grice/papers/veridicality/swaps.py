"""Ross & Pavlick §6.3: how a judge's answers change when a verb is substituted.

The changed sentences are made by `swap_verbs` and have these tags: `swap` says which change was
made, as the phenomena veridicality_swaps and veridicality_mismatches do (main: the main verb, the
complement fitting; mismatch: the complement of the other kind; complement: the complement's verb;
type: to for that or back), `target` the construction put in ("try to"), `environment` as ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, Floats, mean
from grice.papers.cells import answers
from grice.papers.veridicality.printed import TABLE_7, TABLE_8
from grice.papers.veridicality.swap_effects import (
    LABELS,
    SIDES,
    Effect,
    MeanDivergence,
    SwapAnswers,
    effects,
    mean_divergence,
    paired_changes,
)
from grice.tables.paper import Bench, Cell, DerivedDataset
from grice.theory.signature import lexicon

REASON = (
    "needs answers to swapped sentences: BERT's were not released, --by NAME=JUDGE makes the"
    " sentences and asks a judge"
)
KNOW = "know that"
KINDS = {"match": "main", "mismatch": "mismatch", "swap": "type"}

Frames = Mapping[str, pl.DataFrame]
# The row and the column of a cell, in the printed tables.
Place = tuple[str, str]
Means = dict[Place, MeanDivergence | None]


def swap_verbs(bench: Bench) -> Dataset:
    """Return the published sentences with substituted verbs, as many as the bench asks for."""
    from grice.mining.swapped import swapped

    return swapped(bench.data("veridicality"), targets=bench.targets)


SWAPS = DerivedDataset("veridicality/swaps", swap_verbs)


def answers_to_swaps(bench: Bench) -> tuple[Frames, Frames]:
    """Return each judge's answers to the original and to the substituted sentences, if any."""
    plain, _ = answers(bench, "veridicality")
    labelled = {j: f for j, f in plain.items() if f["answer"].null_count() < f.height}
    return labelled, answers(bench, SWAPS)[0]


def swap_answers(bench: Bench) -> dict[str, SwapAnswers | None]:
    """Return the answers of BERT and of each judge that answered both kinds of sentences."""

    def make() -> dict[str, SwapAnswers | None]:
        plain, changed = answers_to_swaps(bench)
        judges = dict.fromkeys(["BERT", *(j for j in changed if j in plain)])
        is_complete = {judge: judge in changed and judge in plain for judge in judges}
        return {
            judge: SwapAnswers(plain[judge], changed[judge]) if is_complete[judge] else None
            for judge in judges
        }

    return bench.once("swap answers", make)


def _of_signature(signature: str, judge_answers: SwapAnswers) -> list[str]:
    return [verb for verb in judge_answers.verbs if signature_of(verb) == signature]


def signature_of(construction: str) -> str:
    """Return the listed signature of a construction; empty if it is not listed."""
    verb, _, complement = construction.rpartition(" ")
    return lexicon().get((verb, complement), "")


def _mean(
    judge_answers: SwapAnswers, table_place: Place, verbs: list[str] | None = None
) -> MeanDivergence | None:
    """Return one cell: a signature against the target verb or the baseline, and a verb's place.

    Table 8 names no environment and has the mean of both, as its first column follows from Table
    7's first two.
    """
    row, column = table_place
    signature, _, against = row.partition(" ")
    kind, _, side = column.partition("-")
    divergences = judge_answers.divergences(KINDS.get(kind, kind), baseline=against == "baseline")
    chosen = _of_signature(signature, judge_answers) if verbs is None else verbs
    sides = [SIDES.index(side)] if side else range(len(SIDES))
    return mean_divergence(divergences, chosen, sides)


def table_7(bench: Bench) -> Iterator[Cell]:
    """Yield KL divergence by signature and environment.

    It is measured from the target verb and from the original sentence.
    """
    return _cells(bench, TABLE_7)


def table_8(bench: Bench) -> Iterator[Cell]:
    """Yield KL divergence from the target verb by signature and kind of complement."""
    return _cells(bench, TABLE_8)


def table_7_by_verb(bench: Bench) -> Iterator[Cell]:
    """Yield the cells of Table 7 for each verb."""
    columns = dict.fromkeys((row.partition(" ")[2], column) for row, column in TABLE_7)
    return _cells_by_verb(
        bench,
        {
            f"{column.replace('-', ' verb, ')}, {against}": (f"? {against}", column)
            for against, column in columns
        },
    )


def table_8_by_verb(bench: Bench) -> Iterator[Cell]:
    """Yield the cells of Table 8 for each verb."""
    return _cells_by_verb(bench, {kind: ("?", kind) for kind in KINDS})


def _cells(bench: Bench, printed: Mapping[Place, float]) -> Iterator[Cell]:
    for judge, judge_answers in swap_answers(bench).items():
        means: Means = {}
        if judge_answers is not None:
            means = {table_place: _mean(judge_answers, table_place) for table_place in printed}
        tested = effects(means)
        reason = REASON if judge_answers is None else "no swapped sentence of this kind"
        for table_place, number in printed.items():
            effect, (row, column) = tested.get(table_place), table_place
            title = column.replace("-", " verb, ")
            value = effect.mean.observed if effect else None
            printed_number = number if judge == "BERT" else None
            yield Cell.make(row, title, value, printed_number, judge=judge, reason=reason)
            if effect is not None:
                yield from _effect_cells(row, title, judge, effect)


def _effect_cells(row: str, column: str, judge: str, effect: Effect) -> Iterator[Cell]:
    """Yield the value of shuffled answers, the difference from it, and the corrected p."""
    n = effect.above.n
    yield Cell.make(row, column, effect.mean.by_chance, judge=judge, reading=SHUFFLED)
    yield Cell.make(row, column, effect.above, judge=judge, reading=ABOVE)
    yield Cell.make(row, column, effect.corrected_p, n=n, judge=judge, reading=CORRECTED)


def _cells_by_verb(bench: Bench, columns: Mapping[str, Place]) -> Iterator[Cell]:
    for judge, judge_answers in swap_answers(bench).items():
        if judge_answers is None:
            yield Cell.make("each verb", "", None, judge=judge, reason=REASON)
            continue
        verbs = sorted(judge_answers.verbs, key=lambda verb: (signature_of(verb), verb))
        means = {
            (f"{signature_of(verb)} {verb}", title): _mean(judge_answers, table_place, [verb])
            for verb in verbs
            for title, table_place in columns.items()
        }
        for (row, title), effect in effects(means).items():
            n, p = effect.above.n, effect.corrected_p
            yield Cell.make(row, title, effect.mean.observed, judge=judge)
            yield Cell.make(row, title, effect.above, judge=judge, reading=ABOVE)
            yield Cell.make(row, title, p, n=n, judge=judge, reading=CORRECTED)


SHUFFLED = "shuffled answers"
ABOVE = "above shuffled answers"
CHANGE = "change of the same sentences"
CORRECTED = "p after Holm's correction"


def figure_2(bench: Bench) -> Iterator[Cell]:
    """Yield the mean probability of each label for `know that` and other verbs.

    The other verbs are given as they are and with `know` in their place.
    """
    plain, changed = answers_to_swaps(bench)
    for judge in dict.fromkeys(["BERT", *plain]):
        changes: dict[Place, Floats] = {}
        for row, frame, base, reason in _figure_2_rows(plain.get(judge), changed.get(judge)):
            for label in LABELS:
                value = _probability(frame, label)
                yield Cell.make(row, label, value, judge=judge, reason=reason)
                if frame is not None and base is not None:
                    differences = _paired_differences(frame, base, label)
                    changes |= {(row, label): differences} if len(differences) else {}
        for (row, label), paired in paired_changes(changes).items():
            n, p = paired.change.n, paired.corrected_p
            yield Cell.make(row, label, paired.change, judge=judge, reading=CHANGE)
            yield Cell.make(row, label, p, n=n, judge=judge, reading=CORRECTED)


def _paired_differences(frame: pl.DataFrame, base: pl.DataFrame, label: str) -> Floats:
    """Return the label's share with the other verb less that without, by sentence."""
    now, before = (
        part.select(pl.coalesce("group", "id").alias("sentence"), _label_share(label).alias(name))
        .group_by("sentence", maintain_order=True)
        .mean()
        for part, name in ((frame, "now"), (base, "before"))
    )
    both = now.join(before, on="sentence")
    return np.asarray((both["now"] - both["before"]).to_numpy(), dtype=np.float64)


def _figure_2_rows(
    plain: pl.DataFrame | None, changed: pl.DataFrame | None
) -> Iterator[tuple[str, pl.DataFrame | None, pl.DataFrame | None, str]]:
    """Yield each row's name, its answers, those it is shuffled with, and why there are none."""
    absent = "no answers to veridicality on the bench"
    for side in SIDES:
        here = None if plain is None else plain.filter(pl.col("tag.environment") == side)
        swapped = (
            None
            if changed is None
            else changed.filter(
                (pl.col("tag.environment") == side) & (pl.col("tag.target") == KNOW)
            )
        )
        know = None if here is None else here.filter(pl.col("tag.construction") == KNOW)
        yield f"{KNOW}, {side}", know, None, absent
        for complement, swap in (("that", "main"), ("to", "mismatch")):
            base = None if here is None else here.filter(pl.col("tag.complement") == complement)
            yield f"VB {complement}, {side}", base, None, absent
            put = None if swapped is None else swapped.filter(pl.col("tag.swap") == swap)
            yield f"VB {complement} with know, {side}", put, base, REASON


def _probability(frame: pl.DataFrame | None, label: str) -> Estimate | None:
    if frame is None or frame.is_empty():
        return None
    return mean(frame.select(_label_share(label))["share"], frame["group"])


def _label_share(label: str) -> pl.Expr:
    is_label = (pl.col("answer") == label).cast(pl.Float64)
    return pl.coalesce(f"p.{label}", is_label).alias("share")
