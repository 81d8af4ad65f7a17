"""Numbers in ConjNLI's running text: conjunctions in SNLI, and *and* replaced by *either … or*."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.papers.cells import UNTRAINED, answers, find_data, find_rows, truncates_to
from grice.papers.conjnli.printed import TABLE2, TABLE3
from grice.tables.paper import Bench, Cell, DerivedDataset, rounds_to
from grice.theory.conjunction import TOKEN

CONJUNCTIONS = ("and", "or", "but", "nor")
# The pairs of which a conjunct after which "and" stands is removed: as many as the paper took.
N_SWAPPED = 100
SOURCES = ("conjnli/dev", "conjnli/adversarial")


def has_word(words: tuple[str, ...]) -> pl.Expr:
    """Return whether a text of a pair has one of the words as a token, case as written."""
    tokens = pl.concat_list(
        pl.col(side).str.extract_all(TOKEN.pattern) for side in ("premise", "hypothesis")
    )
    return tokens.list.set_intersection(list(words)).list.len() > 0


def conjunctions_in_snli(bench: Bench) -> Iterator[Cell]:
    """Yield Section 1's share of SNLI's pairs with a conjunction."""
    rows = find_rows(bench, "snli/dev")
    n = rows.where(has_word(CONJUNCTIONS)).n
    share = 100 * (n / rows.n) if rows.n else None
    make = partial(Cell.make, n=rows.n, agreed=rounds_to(0), reason=rows.reason)
    yield make("SNLI dev", "with a conjunction", share, 30)


def shares(_: Bench) -> Iterator[Cell]:
    """Yield Section 4's per cents of Table 3's printed counts."""
    total = TABLE2["Conj All", "Total"]
    for column, printed in (("multiple", 23), ("quant", 18), ("neg", 10)):
        share = 100 * TABLE3["Conj All", column] / total
        yield Cell.check("Conj All", column, share, printed, n=int(total), agreed=truncates_to(0))


def swap_conjunctions(bench: Bench) -> Dataset:
    """Return each sampled pair twice: with *and* (entailment), with *either … or* (neutral)."""
    pairs = []
    for name in SOURCES:
        data, _ = find_data(bench, name)
        for item in () if data is None else data.items():
            swapped = either_or(item.premise, item.hypothesis or "")
            if swapped and item.gold.get("label") == "entailment":
                pairs.append((item, swapped))
    pairs.sort(key=lambda pair: sha256(pair[0].id.encode()).digest())
    items = []
    for number, (item, swapped) in enumerate(pairs[:N_SWAPPED]):
        for word, premise, label in (
            ("and", item.premise, "entailment"),
            ("either … or", swapped, "neutral"),
        ):
            item_id = f"conjnli/either/{number}/{word.partition(' ')[0]}"
            gold, tags = {"label": label}, {"word": word}
            items.append(Item(item_id, premise, item.hypothesis, gold, tags, str(number)))
    return Dataset.from_items("conjnli/either", bench.data(SOURCES[0]).scale, items)


EITHER = DerivedDataset("conjnli/either", swap_conjunctions)


def either_or(premise: str, hypothesis: str) -> str:
    """Return the premise with "either A or" for the removed "A and"; empty if that is not removed.

    >>> either_or("He plays chess and tennis.", "He plays tennis.")
    'He plays either chess or tennis.'
    """
    words, others = premise.split(), hypothesis.split()
    n_removed = len(words) - len(others)
    for start in range(1, len(others)) if n_removed > 1 else ():
        end = start + n_removed
        if words[:start] == others[:start] and words[end:] == others[start:]:
            first = words[start : end - 1]
            if words[end - 1] != "and" or {"between", "from"} & {words[start - 1], first[0]}:
                continue
            first = first[1:] if first[0] == "both" else first
            return " ".join([*words[:start], "either", *first, "or", *words[end:]])
    return ""


def swapped_accuracy(bench: Bench) -> Iterator[Cell]:
    """Yield each judge's accuracy on the pairs with *and* and with *either … or*."""
    frames, reason = answers(bench, EITHER)
    if not frames:
        yield Cell.make("and", "correct", None, reason=reason or UNTRAINED)
    for judge, frame in frames.items():
        for word in ("and", "either … or"):
            share = accuracy("label")(frame.filter(pl.col("tag.word") == word))
            yield Cell.make(word, "correct", share, judge=judge)
