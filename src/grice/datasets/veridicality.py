"""Verb veridicality (Ross & Pavlick 2019): complements under a verb and its negation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.judgement import best
from grice.core.scale import LIKERT5, NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, number, recorded_raters
from grice.storage.run import Run
from grice.storage.source import Source, find_published
from grice.theory.signature import Environment, expected_label

FILE = "verb_veridicality_evaluation.tsv"
ENVIRONMENTS: tuple[Environment, Environment] = ("positive", "negative")
SHORT = {"positive": "pos", "negative": "neg"}
SENTENCE = {"positive": "sentence", "negative": "neg_sentence"}
# Means are multiples of a third, and thirds decide many bins, so bounds are met up to this much.
CLOSE = 1e-9


def read(folder: Path, part: str) -> Dataset:
    """Read both environments of each sentence, or one of them."""
    lines = _rows(folder)
    wanted = [env for env in ENVIRONMENTS if part in ("all", env)]
    frames = [_frame(folder, lines, env) for env in wanted]
    # The two environments of a sentence are adjacent, in the order of the file.
    frame = pl.concat(frames).sort(pl.col("tag.sentence").cast(pl.Int64), maintain_order=True)
    name = "veridicality" if part == "all" else f"veridicality/{part}"
    return Dataset(name, NLI, frame, CARD, {"human": LIKERT5})


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return the released BERT, and the ratings as ranks.

    The ratings are sorted within each row, so raters cannot be distinguished.
    """
    lines = _rows(folder)
    cells = [
        (f"veridicality/{env}/{i}", env, row)
        for i, (_, row) in enumerate(lines)
        for env in ENVIRONMENTS
    ]
    # The columns run entailment, contradiction, neutral: they are taken by name.
    probs = [
        {w: float(row[f"bert_{SHORT[env]}_{w}_prob"]) for w in NLI.labels} for _, env, row in cells
    ]
    bert = Run.from_columns(
        data,
        "BERT",
        [item for item, _, _ in cells],
        [best(p) for p in probs],
        probs={word: [p[word] for p in probs] for word in NLI.labels},
    )
    ratings = {
        item: [float(r) for r in row[f"turker_{SHORT[env]}_ratings"].split(",")]
        for item, env, row in cells
    }
    return [bert, *recorded_raters(data, ratings, scale=LIKERT5, name="rank")]


def stated_label(mean: float) -> str:
    """Return the label by footnote 13: contradiction below -2/3, entailment from 2/3 on."""
    if mean < -2 / 3 - CLOSE:
        return "contradiction"
    return "entailment" if mean >= 2 / 3 - CLOSE else "neutral"


def reproduced_label(mean: float) -> str:
    """Return the label of Table 5 as printed: contradiction up to -2/3, entailment above 4/3."""
    if mean <= -2 / 3 + CLOSE:
        return "contradiction"
    return "entailment" if mean > 4 / 3 + CLOSE else "neutral"


def _rows(folder: Path) -> list[tuple[int, dict[str, str]]]:
    path = find_published(folder, f"veridicality/{FILE}", source="veridicality")
    needed = (
        "task",
        "verb",
        "sentence",
        "neg_sentence",
        "complement",
        "signature",
        "turker_pos_ratings",
    )
    return list(read_table(path, quoted=False, columns=needed))


def _frame(folder: Path, lines: list[tuple[int, dict[str, str]]], env: Environment) -> pl.DataFrame:
    path, column = folder / "veridicality" / FILE, f"turker_{SHORT[env]}_ratings"
    means = [_mean(path, line, row[column]) for line, row in lines]
    rows = [row for _, row in lines]
    n = len(rows)
    return columns(
        f"veridicality/{env}",
        [row[SENTENCE[env]].strip() for row in rows],
        [row["complement"].strip() for row in rows],
        gold={
            "signature": [expected_label(row["signature"], env) for row in rows],
            "human": means,
            "stated": [stated_label(mean) for mean in means],
            "reproduced": [reproduced_label(mean) for mean in means],
        },
        group=[f"veridicality/s{i}" for i in range(n)],
        tags={
            "environment": [env] * n,
            "verb": [row["verb"] for row in rows],
            "complement": [row["task"] for row in rows],
            "construction": [f"{row['verb']} {row['task']}" for row in rows],
            "signature": [row["signature"] for row in rows],
            "sentence": [str(i) for i in range(n)],
        },
    )


def _mean(path: Path, line: int, ratings: str) -> float:
    values = [number(path, line, rating, LIKERT5) for rating in ratings.split(",")]
    return sum(values) / len(values)


CARD = read_card("veridicality")

veridicality = Source("veridicality", CARD, ("all", "positive", "negative"), read, read_runs)
