"""What people did by hand in ConjNLI, on released pairs: validation, boolean and other pairs.

The experts' marks were not released. Here a pair is boolean if its label is the one that the
paper's rules for boolean conjunctions give: removed conjuncts are entailed, added ones neutral, and
a replaced one contradicts.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, mean
from grice.papers.cells import (
    ModelColumn,
    answers,
    find_data,
    model_table,
    percent,
    printed_cells,
    truncates_to,
)
from grice.papers.conjnli.printed import SECTION62, SECTION67
from grice.papers.inference import FRAGMENTS_TEST
from grice.tables.paper import Bench, Cell, DerivedDataset, rounds_to
from grice.theory.conjuncts import CONJNLI

DEV = "conjnli/dev"
BY_RULE = "by the paper's rules"
RULE_LABEL = pl.col("tag.operation").replace_strict(
    CONJNLI["boolean"]._asdict(), default=None, return_dtype=pl.String
)
IS_RULE = pl.col("gold.label").cast(pl.String) == RULE_LABEL
KINDS = {"boolean": IS_RULE, "non-boolean": ~IS_RULE}
# The conjunctions of the pairs that were validated, in equal parts.
CONJUNCTIONS, N_VALIDATED = ("and", "or", "but"), 100


def by_boolean(bench: Bench) -> Iterator[Cell]:
    """Yield Section 6.7: the printed accuracies, then shares and accuracies by the rules."""
    yield from printed_cells(SECTION67, "which pairs of dev are boolean is not released")
    data, reason = find_data(bench, DEV)
    yield Cell.make("share of dev", "non-boolean", None, 34, reason="counted by one expert")
    for kind, is_kind in KINDS.items():
        share = None if data is None else percent(_share(data.frame, is_kind))
        yield Cell.make("share of dev", kind, share, reading=BY_RULE, reason=reason)
    for judge, frame in answers(bench, DEV)[0].items():
        for kind, is_kind in KINDS.items():
            right = percent(accuracy("label")(frame.filter(is_kind)))
            yield Cell.make(judge, kind, right, judge=judge, reading=BY_RULE)


def _share(frame: pl.DataFrame, is_kind: pl.Expr) -> Estimate | None:
    return mean(frame.select(is_kind.cast(pl.Float64).alias("kind"))["kind"], frame["group"])


def corrected(bench: Bench) -> Iterator[Cell]:
    """Yield Section 6.2's share of boolean pairs among those that IAFT alone gets right."""
    frames, _ = answers(bench, DEV)
    pair = [frames.get(judge) for judge in ("RoBERTa", "IAFT")]
    for kind, printed in (("boolean", 65), ("non-boolean", 35)):
        share = None
        if (before := pair[0]) is not None and (after := pair[1]) is not None:
            is_right = pl.col("answer") == pl.col("gold.label")
            new = after.filter(is_right).join(before.filter(~is_right), on="id", how="semi")
            share = percent(_share(new.filter(IS_RULE.is_not_null()), KINDS[kind]))
        reason = "needs both models' answers: --by RoBERTa=JUDGE --by IAFT=JUDGE"
        yield Cell.make(
            "IAFT", kind, share, printed, agreed=rounds_to(0), judge="IAFT", reason=reason
        )


def fragments(bench: Bench) -> Iterator[Cell]:
    """Yield Section 6.2's accuracies on boolean fragments, before and after learning them."""
    columns = {"boolean-and": FRAGMENTS_TEST, "MD-matched": "mnli/dev_matched"}
    columns |= {"MD-mismatched": "mnli/dev_mismatched"}
    scored = {
        name: ModelColumn(data, lambda frame: percent(accuracy("label")(frame)))
        for name, data in columns.items()
    }
    return model_table(bench, scored, SECTION62, agreed=truncates_to(2))


def draw_validated(bench: Bench) -> Dataset:
    """Return a hundred adversarial pairs, as many with *and* as with *or* and with *but*."""
    data = bench.data("conjnli/adversarial")
    order = [sha256(item.encode()).digest() for item in data.frame["id"]]
    rows = data.frame[sorted(range(len(order)), key=order.__getitem__)]
    parts = []
    for number, word in enumerate(CONJUNCTIONS):
        has_only = pl.col("tag.conjunction").list.join(" ") == word
        size = N_VALIDATED // 3 + (number < N_VALIDATED % 3)
        parts.append(rows.filter(has_only).head(size))
    return Dataset("conjnli/validated", data.scale, pl.concat(parts), data.card)


VALIDATED = DerivedDataset("conjnli/validated", draw_validated)


def validation(bench: Bench) -> Iterator[Cell]:
    """Yield Section 4.1: how often a judge gives the adversarial pairs their label."""
    frames, absent = answers(bench, VALIDATED)
    reason = absent or "nobody of that name answered: --by annotator=JUDGE"
    for judge in dict.fromkeys(["annotator", *frames]):
        frame = frames.get(judge)
        share = None if frame is None else percent(accuracy("label")(frame))
        printed = 70 if judge == "annotator" else None
        yield Cell.make(
            judge, "rules right", share, printed, agreed=rounds_to(0), judge=judge, reason=reason
        )
