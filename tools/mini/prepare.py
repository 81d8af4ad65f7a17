"""Collect the training pairs of grice-mini, and parse their texts into clauses."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from grice import loading
from grice.core.dataset import Dataset
from grice.learners.training.data import collect_texts, exclude_overlap
from grice.mining.parsers import load_parser
from tools.mini.parsing import parse_clauses

TRAIN = ("nli_train/snli", "nli_train/mnli", "cad_nli/train")
DEV = ("snli/dev", "cad_nli/dev")
# Texts of these sets are left out of the training pairs.
MEASURED = (
    *DEV,
    *("conjnli/dev", "conjnli/test", "veridicality", "nli_variation/pairs"),
    "nli_variation/contexts",
)
# SNLI's premises are long; with all other texts, these give clauses enough.
PREMISES = 15_000


def prepare(
    out: Path, *, limit: int | None = None, log: Callable[[str], None] = print
) -> dict[str, Any]:
    """Write pairs, dev pairs and clauses to one compressed file, and return their counts.

    Args:
        limit: Pairs per set, for a trial.
    """
    apart = collect_texts(loading.load(name) for name in MEASURED)
    train = {name: _pairs(exclude_overlap(_load(name, limit), apart)) for name in TRAIN}
    dev = {name: _pairs(_load(name, limit)) for name in DEV}
    texts = _statements(train)
    log(f"{sum(map(len, train.values())):,} pairs; {len(texts):,} texts to parse")
    clauses = [[text, *astuple(clause)] for text, clause in parse_clauses(load_parser(), texts)]
    out.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(out, "wt", encoding="utf-8", preset=9) as file:
        json.dump({"train": train, "dev": dev, "clauses": clauses}, file, ensure_ascii=False)
    return {
        "pairs": {name: len(rows) for name, rows in train.items()},
        "clauses": len(clauses),
        "bytes": out.stat().st_size,
    }


def _load(name: str, limit: int | None) -> Dataset:
    data = loading.load(name)
    return data.head(limit) if limit else data


def _pairs(data: Dataset) -> list[list[str]]:
    frame = data.frame.drop_nulls("gold.label").select("premise", "hypothesis", "gold.label")
    return [list(row) for row in frame.iter_rows()]


def _statements(train: dict[str, list[list[str]]]) -> Sequence[str]:
    """Return the texts to parse, each once: all hypotheses, and some premises."""
    hypotheses = [b for rows in train.values() for _, b, _ in rows]
    premises = list(dict.fromkeys(a for rows in train.values() for a, _, _ in rows))
    return list(dict.fromkeys([*hypotheses, *premises[:: max(1, len(premises) // PREMISES)]]))
