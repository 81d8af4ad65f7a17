"""IMPPRES in small: one block of each kind of paradigm, and predictions for them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from grice.datasets import imppres
from tests.datasets.formats import lines, put


def scalar_block(subject: str, *, underscore: bool = False) -> list[dict[str, str]]:
    """Twelve rows of one paradigm, W and S being some and all."""
    texts = {
        "W": f"Some {subject} left.",
        "S": f"All {subject} left.",
        "not W": f"No {subject} left.",
        "not S": f"Not all {subject} left.",
    }
    bar = "_" if underscore else ""
    rows = []
    for place, condition in enumerate(imppres.CONDITIONS):
        first, second = condition.split("/")
        rows.append(
            {
                f"sentence{bar}1": texts[first],
                f"sentence{bar}2": texts[second],
                "gold_label_log": "neutral" if place < 6 else "contradiction",
                "gold_label_prag": "entailment" if place < 2 else "contradiction",
                "spec_relation": "implicature_PtoN" if place == 0 else "other",
                "item_type": "target" if place < 6 else "control",
                "trigger": "quantifier",
                **(
                    {"position": "object", "UID": "scalar"}
                    if underscore
                    else {"lexemes": "some - all"}
                ),
            }
        )
    return rows


def presupposition_block(name: str, paradigm: int) -> list[dict[str, Any]]:
    """Nineteen rows: five operators by three presuppositions, then four controls without those
    keys.
    """
    labels = {"positive": "entailment", "negated": "contradiction", "neutral": "neutral"}
    operators = ("unembedded", "negated", "interrogative", "modal", "conditional")
    shared = {"UID": name, "paradigmID": paradigm}
    rows: list[dict[str, Any]] = [
        {
            "sentence1": f"{o} {paradigm}.",
            "sentence2": f"{p} {paradigm}.",
            "trigger": o,
            "presupposition": p,
            "gold_label": labels[p],
            "pairID": "0e",
            **shared,
        }
        for o in operators
        for p in labels
    ]
    rows += [
        {
            "sentence1": f"{o} {paradigm}.",
            "sentence2": f"unembedded {paradigm}.",
            "trigger1": o,
            "trigger2": "unembedded",
            "gold_label": "contradiction" if o == "negated" else "neutral",
            "control_item": True,
            "pairID": "0c",
            **shared,
        }
        for o in operators[1:]
    ]
    return rows


def write_imppres(folder: Path) -> None:
    root = folder / "imppres"
    for kind, names in (("implicature", imppres.SCALAR), ("implicature_dec2019", imppres.CHANGED)):
        for name in names:
            put(
                root / kind / f"{name}.jsonl",
                lines(scalar_block("birds") + scalar_block(f"{kind} fish")),
            )
    for name in imppres.TRIGGERS:
        put(
            root / "presupposition" / f"{name}.jsonl",
            lines(row for p in (0, 1) for row in presupposition_block(name, p)),
        )
    august = root / imppres.AUGUST
    for name in imppres.AUGUST_SCALAR:
        put(august / "implicature" / f"{name}.jsonl", lines(scalar_block("owls", underscore=True)))
    for name in imppres.AUGUST_TRIGGERS:
        put(august / "presupposition" / f"{name}.jsonl", lines(presupposition_block(name, 0)))


def npy(rows: int, best: int) -> bytes:
    probs = np.full((rows, 3), 0.1, dtype=np.float32)
    probs[:, best] = 0.8
    buffer = BytesIO()
    np.save(buffer, probs)
    return buffer.getvalue()
