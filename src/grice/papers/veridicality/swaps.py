"""Ross & Pavlick §6.3: how a judge's answers move when a verb is put where it did not stand.

Reads a dataset `veridicality/swaps` of changed sentences. Its tags: `swap` says which change was made, as the
phenomena veridicality_swaps and veridicality_mismatches do (main: the main verb, the complement fitting; mismatch: the
complement of the other kind; complement: the complement's verb; type: to for that or back), `target` the construction
put in ("try to"), `environment` as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import polars as pl

from grice.analysis.kl import divergence
from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, mean
from grice.core.paper import Bench, Cell, DerivedDataset
from grice.papers.cells import answers
from grice.papers.veridicality.printed import TABLE_7, TABLE_8
from grice.theory.signature import lexicon

REASON = "needs a judge's answers to swapped sentences (veridicality/swaps); BERT's were not released"
LABELS = ("entailment", "neutral", "contradiction")
KNOW = "know that"

Frames = Mapping[str, pl.DataFrame]


def swap_verbs(bench: Bench) -> Dataset:
    """The published sentences with other verbs put in."""
    from grice.mining.swapped import swapped

    return swapped(bench.data("veridicality"))


SWAPS = DerivedDataset("veridicality/swaps", swap_verbs)


def answers_to_swaps(bench: Bench) -> tuple[Frames, Frames]:
    """Judge by judge: the answers to the original sentences and to the swapped ones, where there are any."""
    plain, _ = answers(bench, "veridicality")
    return {j: f for j, f in plain.items() if f["answer"].null_count() < f.height}, answers(bench, SWAPS)[0]


def swap_divergence(
    plain: pl.DataFrame, changed: pl.DataFrame, signature: str, swap: str, side: str, *, baseline: bool = False
) -> Estimate | None:
    """D(D* ‖ D_vt), or D(D* ‖ D): the mean over the target verbs of a signature. n counts swapped sentences."""
    here = changed.filter((pl.col("tag.swap") == swap) & (pl.col("tag.environment") == side))
    before = plain.filter(pl.col("tag.environment") == side)
    found = []
    for (target,), part in here.partition_by("tag.target", as_dict=True, maintain_order=True).items():
        verb, _, complement = str(target).rpartition(" ")
        if lexicon().get((verb, complement)) == signature:
            other = before if baseline else before.filter(pl.col("tag.construction") == target)
            one = divergence(part, other)
            if one is not None:
                found.append((one.value, part.height))
    if not found:
        return None
    return Estimate(sum(value for value, _ in found) / len(found), sum(n for _, n in found))


def table_7(bench: Bench) -> Iterator[Cell]:
    """KL divergence by signature and environment, from the target verb and from the sentence as it was."""

    def score(plain: pl.DataFrame, changed: pl.DataFrame, row: str, column: str) -> Estimate | None:
        signature, _, against = row.partition(" ")
        kind, _, side = column.partition("-")
        return swap_divergence(plain, changed, signature, kind, side, baseline=against == "baseline")

    return _cells(bench, TABLE_7, score)


def table_8(bench: Bench) -> Iterator[Cell]:
    """The mean of both environments: that is how Table 8's first column follows from Table 7's first two."""
    kinds = {"match": "main", "mismatch": "mismatch", "swap": "type"}

    def score(plain: pl.DataFrame, changed: pl.DataFrame, row: str, column: str) -> Estimate | None:
        sides = [swap_divergence(plain, changed, row, kinds[column], side) for side in ("positive", "negative")]
        both = [estimate for estimate in sides if estimate]
        if len(both) < 2:
            return None
        return Estimate(sum(e.value for e in both) / 2, sum(e.n for e in both))

    return _cells(bench, TABLE_8, score)


def _cells(
    bench: Bench,
    printed: Mapping[tuple[str, str], float],
    score: Callable[[pl.DataFrame, pl.DataFrame, str, str], Estimate | None],
) -> Iterator[Cell]:
    plain, changed = answers_to_swaps(bench)
    for judge in dict.fromkeys(["BERT", *(j for j in changed if j in plain)]):
        for row, column in printed:
            there = judge in changed and judge in plain
            estimate = score(plain[judge], changed[judge], row, column) if there else None
            reason = "no swapped sentence of this kind" if there else REASON
            number = printed[row, column] if judge == "BERT" else None
            title = column.replace("-", " verb, ")
            yield Cell.make(row, title, estimate, number, judge=judge, reason=reason)


def figure_2(bench: Bench) -> Iterator[Cell]:
    """The mean probability of each label: for `know that` itself, for other verbs, and with `know` put in their place."""
    plain, changed = answers_to_swaps(bench)
    for judge in dict.fromkeys(["BERT", *plain]):
        for row, frame, reason in _figure_2_rows(plain.get(judge), changed.get(judge)):
            for label in LABELS:
                yield Cell.make(row, label, _probability(frame, label), judge=judge, reason=reason)


def _figure_2_rows(
    plain: pl.DataFrame | None, changed: pl.DataFrame | None
) -> Iterator[tuple[str, pl.DataFrame | None, str]]:
    absent = "no answers to veridicality on the bench"
    for side in ("positive", "negative"):
        here = None if plain is None else plain.filter(pl.col("tag.environment") == side)
        there = None if changed is None else changed.filter(
            (pl.col("tag.environment") == side) & (pl.col("tag.target") == KNOW)
        )  # fmt: skip
        know = None if here is None else here.filter(pl.col("tag.construction") == KNOW)
        yield f"{KNOW}, {side}", know, absent
        for complement, swap in (("that", "main"), ("to", "mismatch")):
            base = None if here is None else here.filter(pl.col("tag.complement") == complement)
            yield f"VB {complement}, {side}", base, absent
            put = None if there is None else there.filter(pl.col("tag.swap") == swap)
            yield f"VB {complement} with know, {side}", put, REASON


def _probability(frame: pl.DataFrame | None, label: str) -> Estimate | None:
    if frame is None or frame.is_empty():
        return None
    said = pl.coalesce(f"p.{label}", (pl.col("answer") == label).cast(pl.Float64)).alias("said")
    return mean(frame.select(said)["said"], frame["group"])


NOTE = (
    f"Computed for any judge that has answered veridicality and {SWAPS}; the mean over the target verbs of a signature."
)
