"""IMPPRES (Jeretič et al. 2020): paradigms of scalar implicature and presupposition."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.files import read_bytes, read_json_lines
from grice.core.item import Card
from grice.core.run import Run
from grice.core.scale import NLI
from grice.core.source import Source, published
from grice.datasets._cards import github

SCALAR = (
    "connectives",
    "gradable_adjective",
    "gradable_verb",
    "modals",
    "numerals_10_100",
    "numerals_2_3",
    "quantifiers",
)
CHANGED = ("numerals_10_100", "numerals_2_3", "quantifiers")
TRIGGERS = (
    "all_n_presupposition", "both_presupposition", "change_of_state", "cleft_existence", "cleft_uniqueness",
    "only_presupposition", "possessed_definites_existence", "possessed_definites_uniqueness", "question_presupposition",
)  # fmt: skip
# The six targets and six controls of a block of twelve, W the weaker and S the stronger scale-mate.
CONDITIONS = ("W/not S", "not S/W", "W/S", "S/W", "not S/not W", "not W/not S",
              "S/not W", "not W/S", "W/not W", "not W/W", "S/not S", "not S/S")  # fmt: skip
# The order of the columns in the released .npy files; the paper's code writes them in this order.
NPY_LABELS = ("entailment", "neutral", "contradiction")


def read(folder: Path, part: str) -> Dataset:
    frames = []
    for kind, name in _members(part):
        path = published(folder, f"imppres/{kind}/{name}.jsonl", source="imppres")
        rows = [row for _, row in read_json_lines(path)]
        frames.append(
            _presupposition(rows, name) if kind == "presupposition" else _implicature(rows, kind, name, path)
        )
    return Dataset(_name(part), NLI, pl.concat(frames, how="diagonal"), CARD)


def recorded(folder: Path, data: Dataset) -> Sequence[Run]:
    """The released predictions for presuppositions, one run a model, for the sets the dataset holds.

    The released scalar predictions belong to the August-2019 sentences, never to these, so they are not read.
    """
    wanted = data.frame.filter(pl.col("tag.kind") == "presupposition")
    if wanted.is_empty():
        return ()
    runs = []
    for model in _models(folder):
        parts = [
            _predictions(folder, name, model, part)
            for (name,), part in wanted.partition_by("tag.set", as_dict=True).items()
        ]
        frame = pl.concat([part for part in parts if part is not None])
        runs.append(Run(data.name, data.fingerprint, NLI, model, frame, len(data)))
    return runs


def _members(part: str) -> list[tuple[str, str]]:
    scalar = [("implicature", name) for name in SCALAR]
    december = [("implicature_dec2019", name) for name in CHANGED]
    presupposed = [("presupposition", name) for name in TRIGGERS]
    whole = {
        "all": scalar + presupposed,
        "implicature": scalar,
        "presupposition": presupposed,
        "implicature_dec2019": december,
    }
    if part in whole:
        return whole[part]
    name, _, version = part.partition("@")
    kind = "presupposition" if name in TRIGGERS else "implicature_dec2019" if version else "implicature"
    return [(kind, name)]


def _name(part: str) -> str:
    return "imppres" if part == "all" else f"imppres/{part}"


def _implicature(rows: list[dict[str, str]], kind: str, name: str, path: Path) -> pl.DataFrame:
    if len(rows) % 12:
        raise InputError(f"{path}: {len(rows)} rows are not whole paradigms of twelve; fetch the file again")
    n = len(rows)
    return pl.DataFrame(
        {
            "id": [f"imppres/{kind}/{name}/{i}" for i in range(n)],
            "premise": [row["sentence1"] for row in rows],
            "hypothesis": [row["sentence2"] for row in rows],
            # The files carry no ids: a paradigm is a block of twelve lines.
            "group": [f"imppres/{kind}/{name}/p{i // 12}" for i in range(n)],
            "gold.logical": [row["gold_label_log"] for row in rows],
            "gold.pragmatic": [row["gold_label_prag"] for row in rows],
            "tag.kind": ["implicature"] * n,
            "tag.set": [name] * n,
            "tag.version": ["dec2019" if kind.endswith("dec2019") else "v1"] * n,
            "tag.role": [row["item_type"] for row in rows],
            "tag.relation": [row["spec_relation"] for row in rows],
            "tag.condition": [CONDITIONS[i % 12] for i in range(n)],
            "tag.trigger": [row["trigger"] for row in rows],
            "tag.scale": [row["lexemes"] for row in rows],
        }
    )


def _presupposition(rows: list[dict[str, str]], name: str) -> pl.DataFrame:
    n = len(rows)
    control = ["control_item" in row for row in rows]
    return pl.DataFrame(
        {
            "id": [f"imppres/presupposition/{name}/{i}" for i in range(n)],
            "premise": [row["sentence1"] for row in rows],
            "hypothesis": [row["sentence2"] for row in rows],
            "group": [f"imppres/presupposition/{name}/p{row['paradigmID']}" for row in rows],
            "gold.label": [row["gold_label"] for row in rows],
            "tag.kind": ["presupposition"] * n,
            "tag.set": [name] * n,
            "tag.version": ["v1"] * n,
            "tag.role": ["control" if c else "target" for c in control],
            "tag.trigger": [name] * n,
            "tag.operator": [
                row["trigger1"] if c else row["trigger"] for row, c in zip(rows, control, strict=True)
            ],
            "tag.presupposition": [
                None if c else row["presupposition"] for row, c in zip(rows, control, strict=True)
            ],
        }
    )


def _models(folder: Path) -> list[str]:
    """The models with released predictions here, by the paper's names."""
    known = {"bert": "BERT", "bow": "BOW", "infersent": "InferSent"}
    files = [
        p.stem
        for kind in ("presupposition", "presuppositions")
        for p in (folder / "imppres/predictions" / kind).glob("*.npy")
    ]
    found = {
        stem.removeprefix(name + "_") for name in TRIGGERS for stem in files if stem.startswith(name + "_")
    }
    return [known.get(model, model) for model in sorted(found)]


def _predictions(folder: Path, name: str, model: str, part: pl.DataFrame) -> pl.DataFrame | None:
    file = f"{name}_{model.lower()}.npy"
    candidates = [
        folder / "imppres/predictions" / kind / file for kind in ("presupposition", "presuppositions")
    ]
    path = next((p for p in candidates if p.is_file()), None)
    if path is None:
        return None
    import io

    table = np.load(io.BytesIO(read_bytes(path)), allow_pickle=False)
    if table.shape != (1900, 3):
        raise InputError(f"{path}: shape {table.shape}, not (1900, 3); fetch the file again")
    rows = part["id"].str.split("/").list.last().cast(pl.Int64).to_numpy()
    probs = table[rows].astype(np.float64)
    return pl.DataFrame(
        {
            "id": part["id"],
            "answer": [NPY_LABELS[i] for i in probs.argmax(axis=1)],
            "value": pl.Series([None] * len(rows), dtype=pl.Float64),
            "fault": pl.Series([None] * len(rows), dtype=pl.String),
            **{f"p.{label}": probs[:, i] for i, label in enumerate(NPY_LABELS)},
            "raw": pl.Series([None] * len(rows), dtype=pl.String),
            "seconds": pl.Series([None] * len(rows), dtype=pl.Float64),
        }
    )


_FILES = [f"dataset/IMPPRES/implicature/{name}.jsonl" for name in SCALAR] + [
    f"dataset/IMPPRES/presupposition/{name}.jsonl" for name in TRIGGERS
]

CARD = Card(
    title="IMPPRES: implicature and presupposition paradigms",
    citation="Jeretič, Warstadt, Bhooshan & Williams (2020). Are Natural Language Inference Models IMPPRESsive? ACL.",
    licence="CC BY-NC 4.0 (not for commercial use)",
    homepage="https://github.com/facebookresearch/Imppres",
    counts={"all": 25_500, "implicature": 8_400, "presupposition": 17_100, "implicature_dec2019": 3_600},
    notes=(
        "Two versions of quantifiers and numerals exist; the paper used dec2019, the release ships v1. The tag 'version' tells them apart.",
        "25 presupposition pairs carry two gold labels.",
    ),
    files=github(
        "facebookresearch/Imppres",
        "main",
        {path.replace("dataset/IMPPRES", "imppres"): path for path in _FILES},
    ),
)

imppres = Source(
    "imppres",
    CARD,
    (
        "all",
        "implicature",
        "presupposition",
        "implicature_dec2019",
        *SCALAR,
        *TRIGGERS,
        *(f"{name}@dec2019" for name in CHANGED),
    ),
    read,
    recorded,
)
