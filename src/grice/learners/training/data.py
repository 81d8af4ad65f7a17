"""Operations on training data: concatenation, overlap removal, surrogate scores, pair selection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import polars as pl

from grice.core.dataset import GOLD, Dataset
from grice.core.errors import InputError
from grice.core.scale import NLI, UNIT
from grice.learners.training.examples import TaskExamples, reading_of
from grice.theory.slider import SURROGATES

CONJUNCTION = re.compile(r"\b(?:and|or|but|nor)\b", re.IGNORECASE)
TEXTS = ("premise", "hypothesis")
BARE = re.compile(r"[\W_]+")


def pairs_with_conjunction(base: TaskExamples, sample: int) -> TaskExamples:
    """Select the examples with a conjunction and sample that many in every epoch."""
    chosen = [e for e in base.examples if CONJUNCTION.search(f"{e.first} {e.second or ''}")]
    if not chosen:
        raise InputError("no base pair contains and, or, but or nor; iaft needs some")
    return replace(base, examples=chosen, sample=sample)


def concatenate(sets: Sequence[Dataset]) -> Dataset:
    """Concatenate datasets on one scale; ids are made unique by the dataset's name."""
    if len(sets) == 1:
        return sets[0]
    scales = {data.scale for data in sets}
    if len(scales) > 1:
        names = "; ".join(map(str, scales))
        raise InputError(
            f"the datasets have different scales ({names}); train them as tasks with --mix"
        )
    frames = []
    for data in sets:
        key, gold = pl.lit(f"{data.name}:") + pl.col("id"), pl.col(GOLD + reading_of(data))
        frames.append(data.frame.select(key.alias("id"), *TEXTS, gold.alias(f"{GOLD}label")))
    return Dataset("+".join(data.name for data in sets), sets[0].scale, pl.concat(frames))


def collect_texts(sets: Iterable[Dataset]) -> frozenset[str]:
    """Collect the premises and hypotheses of these sets for `exclude_overlap`.

    Only letters and digits are compared.
    """
    texts = {
        _bare(text)
        for data in sets
        for column in TEXTS
        for text in data.frame[column].drop_nulls().to_list()
    }
    # One- or two-word texts occur everywhere and give nothing away.
    return frozenset(text for text in texts if len(text) > 12)


def exclude_overlap(data: Dataset, texts: frozenset[str]) -> Dataset:
    """Remove the items of which a text is among those collected from other sets."""
    disjoint_rows = [
        texts.isdisjoint((_bare(a), _bare(b or "")))
        for a, b in data.frame.select(TEXTS).iter_rows()
    ]
    return replace(data, frame=data.frame.filter(pl.Series(disjoint_rows)))


def surrogate_scores(data: Dataset) -> Dataset:
    """Replace NLI labels with the mean graded answer to each: UNLI's surrogate scores."""
    if data.scale != NLI:
        raise InputError(f"'{data.name}' is on {data.scale}; surrogate scores are made of {NLI}")
    label = pl.col(GOLD + reading_of(data))
    score = label.replace_strict(dict(SURROGATES), default=None, return_dtype=pl.Float64).alias(
        f"{GOLD}probability"
    )
    return Dataset(f"{data.name} (surrogate scores)", UNIT, data.frame.select("id", *TEXTS, score))


def _bare(text: str) -> str:
    return BARE.sub("", text.lower())
