"""Ross & Pavlick §6.3: how a judge's answers change when a verb is substituted.

The changed sentences are made by `swap_verbs` and have these tags: `swap` says which change was
made, as the phenomena veridicality_swaps and veridicality_mismatches do (main: the main verb, the
complement fitting; mismatch: the complement of the other kind; complement: the complement's verb;
type: to for that or back), `target` the construction put in ("try to"), `environment` as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, mean
from grice.papers.cells import answers
from grice.papers.veridicality.printed import TABLE_7, TABLE_8
from grice.papers.veridicality.shuffles import (
    LABELS,
    SIDES,
    CellByChance,
    Divergent,
    against_all,
    against_own,
    by_sentence,
    cell_by_chance,
    holm_where,
    shuffled_mean,
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


def swap_verbs(bench: Bench) -> Dataset:
    """Return the published sentences with substituted verbs."""
    from grice.mining.swapped import swapped

    return swapped(bench.data("veridicality"))


SWAPS = DerivedDataset("veridicality/swaps", swap_verbs)


def answers_to_swaps(bench: Bench) -> tuple[Frames, Frames]:
    """Return each judge's answers to the original and to the substituted sentences, if any."""
    plain, _ = answers(bench, "veridicality")
    labelled = {j: f for j, f in plain.items() if f["answer"].null_count() < f.height}
    return labelled, answers(bench, SWAPS)[0]


@dataclass(frozen=True)
class SwappedAnswers:
    """One judge's answers to the original and to the substituted sentences."""

    plain: pl.DataFrame
    changed: pl.DataFrame

    def divergences(self, swap: str, *, baseline: bool = False) -> Divergent:
        """Return D(D* ‖ D_vt) of each target verb that this swap inserts, or D(D* ‖ D)."""
        part = self.changed.filter(pl.col("tag.swap") == swap)
        swapped, added = by_sentence(part, "tag.target")
        unchanged, _ = by_sentence(self.plain, "tag.construction")
        return (against_all if baseline else against_own)(swapped, unchanged, added)


def _of_signature(
    divergent: Divergent, signature: str, sides: Sequence[int]
) -> CellByChance | None:
    verbs, divergences = divergent
    chosen = [n for n, verb in enumerate(verbs) if lexicon().get(_parts(verb)) == signature]
    return cell_by_chance(divergences, chosen, sides) if chosen and divergences else None


def _parts(construction: str) -> tuple[str, str]:
    verb, _, complement = construction.rpartition(" ")
    return verb, complement


def table_7(bench: Bench) -> Iterator[Cell]:
    """Yield KL divergence by signature and environment.

    It is measured from the target verb and from the original sentence.
    """

    def score(judge_answers: SwappedAnswers) -> Mapping[tuple[str, str], CellByChance | None]:
        divergences = {
            (k, b): judge_answers.divergences(k, baseline=b)
            for k in ("main", "complement")
            for b in (False, True)
        }
        cells = {}
        for row, column in TABLE_7:
            signature, _, against = row.partition(" ")
            kind, _, side = column.partition("-")
            cells[row, column] = _of_signature(
                divergences[kind, against == "baseline"], signature, [SIDES.index(side)]
            )
        return cells

    return _cells(bench, TABLE_7, score)


def table_8(bench: Bench) -> Iterator[Cell]:
    """Yield the mean of both environments.

    This is how Table 8's first column follows from Table 7's first two.
    """

    def score(judge_answers: SwappedAnswers) -> Mapping[tuple[str, str], CellByChance | None]:
        divergences = {column: judge_answers.divergences(swap) for column, swap in KINDS.items()}
        return {
            (row, column): _of_signature(divergences[column], row, range(len(SIDES)))
            for row, column in TABLE_8
        }

    return _cells(bench, TABLE_8, score)


def _cells(
    bench: Bench,
    printed: Mapping[tuple[str, str], float],
    score: Callable[[SwappedAnswers], Mapping[tuple[str, str], CellByChance | None]],
) -> Iterator[Cell]:
    plain, changed = answers_to_swaps(bench)
    for judge in dict.fromkeys(["BERT", *(j for j in changed if j in plain)]):
        is_complete = judge in changed and judge in plain
        cells = score(SwappedAnswers(plain[judge], changed[judge])) if is_complete else {}
        corrected = holm_where(
            [chance_cell.p if (chance_cell := cells.get(key)) else None for key in printed]
        )
        for (row, column), p in zip(printed, corrected, strict=True):
            number = printed[row, column] if judge == "BERT" else None
            title, chance_cell = column.replace("-", " verb, "), cells.get((row, column))
            reason = "no swapped sentence of this kind" if is_complete else REASON
            yield Cell.make(
                row,
                title,
                chance_cell.observed if chance_cell else None,
                number,
                judge=judge,
                reason=reason,
            )
            if chance_cell:
                yield from _chance(row, title, judge, chance_cell.shuffled, chance_cell.above, p)


def _chance(
    row: str, column: str, judge: str, shuffled: Estimate, above: Estimate | None, p: float | None
) -> Iterator[Cell]:
    """Yield the value of shuffled answers, the difference from it, and the corrected p."""
    yield Cell.make(row, column, shuffled, judge=judge, reading=SHUFFLED)
    yield Cell.make(row, column, above, judge=judge, reading=ABOVE)
    yield Cell.make(row, column, p, n=shuffled.n, judge=judge, reading=CORRECTED)


SHUFFLED = "shuffled answers"
ABOVE = "above shuffled answers"
CORRECTED = "p after Holm's correction"


def figure_2(bench: Bench) -> Iterator[Cell]:
    """Yield the mean probability of each label for `know that` and other verbs.

    The other verbs are given as they are and with `know` in their place.
    """
    plain, changed = answers_to_swaps(bench)
    for judge in dict.fromkeys(["BERT", *plain]):
        rows = list(_figure_2_rows(plain.get(judge), changed.get(judge)))
        ps: list[float | None] = []
        cells: list[tuple[str, str, Estimate, Estimate]] = []
        for row, frame, base, reason in rows:
            for label in LABELS:
                value = _probability(frame, label)
                yield Cell.make(row, label, value, judge=judge, reason=reason)
                if (
                    value is not None
                    and frame is not None
                    and base is not None
                    and not base.is_empty()
                ):
                    shuffled, p = shuffled_mean(
                        _label_shares(frame, label), _label_shares(base, label)
                    )
                    cells.append((row, label, value, shuffled))
                    ps.append(p)
        for (row, label, value, shuffled), corrected in zip(cells, holm_where(ps), strict=True):
            yield from _chance(row, label, judge, shuffled, _less(value, shuffled.value), corrected)


def _less(value: Estimate, chance: float) -> Estimate:
    """Return a share less its chance value.

    The chance value comes from many shuffles, so the interval is that of the share, shifted.
    """
    low, high = (None if end is None else end - chance for end in (value.low, value.high))
    return Estimate(value.value - chance, value.n, low, high)


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
    return (
        None
        if frame is None or frame.is_empty()
        else mean(_label_shares(frame, label), frame["group"])
    )


def _label_shares(frame: pl.DataFrame, label: str) -> pl.Series:
    probability = pl.coalesce(f"p.{label}", (pl.col("answer") == label).cast(pl.Float64)).alias(
        "share"
    )
    return frame.select(probability)["share"]
