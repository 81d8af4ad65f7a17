"""The DNC (Poliak et al. 2018; Kim et al. 2019): semantic annotations recast as inference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.scale import NLI, Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, concat_frames, find_files, json_array
from grice.storage.source import Source

SPLITS = ("dev", "test", "train")
RECAST = (
    "factuality",
    "kg_relations",
    "megaveridicality",
    "ner",
    "puns",
    "sentiment",
    "verbcorner",
    "verbnet",
    "winogender",
)
FUNCTION_WORDS = {
    "NLI": ("comparatives", "negation", "prepositions", "quantification", "spatial"),
    "ACCEPTABILITY": ("coordinating-conjunctions", "definiteness", "eos", "whwords"),
}
TWO_WAY = Scale(labels=("entailed", "not-entailed"))
ACCEPTABLE = Scale(labels=("acceptable", "unacceptable"))
RATING = Scale(low=1.0, high=5.0, step=1.0)
SCALES = {"NLI": NLI, "ACCEPTABILITY": ACCEPTABLE}
# NER's training data are in two files.
PIECES = {("ner", "train"): ("_1", "_2")}


def read(folder: Path, part: str) -> Dataset:
    """Read a split of all recast sets, `dev`, or of one, `puns/dev`, or function-word sets."""
    kind = part.partition("/")[2].partition("/")[0] if part.startswith("function_words") else ""
    paths = find_files(
        folder, {name: [f"dnc/{name}_data.json"] for name in _places(part)}, source="dnc"
    )
    scale = SCALES.get(kind, TWO_WAY)
    frames = [_frame(path, name, scale) for name, path in paths.items()]
    return Dataset(f"dnc/{part}", scale, concat_frames(frames), CARD, {"rating": RATING})


def _places(part: str) -> list[str]:
    """List the files of a part by their path without its ending: `dev/recast_puns`."""
    if part.startswith("function_words"):
        kinds = part.split("/")[1:] or list(FUNCTION_WORDS)
        return [
            f"function_words/{k}/{k.lower()}-{name}" for k in kinds for name in FUNCTION_WORDS[k]
        ]
    name, _, split = part.rpartition("/")
    return [
        f"{split}/recast_{recast}{piece}"
        for recast in ((name,) if name else RECAST)
        for piece in ("", *PIECES.get((recast, split), ()))
    ]


def _frame(path: Path, stem: str, scale: Scale) -> pl.DataFrame:
    rows = json_array(path, "context", "hypothesis", "label", "pair-id")
    more = _metadata(path)
    folder, _, name = stem.rpartition("/")
    about = [more.get(row["pair-id"], {}) for row in rows]
    return columns(
        f"dnc/{_part(stem)}",
        [row["context"] for row in rows],
        [row["hypothesis"] for row in rows],
        gold={
            "label": [_label(path, row, scale) for row in rows],
            "rating": [_rating(row) for row in rows],
        },
        tags={
            "set": [name.removeprefix("recast_")] * len(rows),
            "split": [row.get("split") or folder for row in rows],
            "inference": [row.get("type-of-inference") for row in rows],
            "corpus": [meta.get("corpus") for meta in about],
            "licence": [meta.get("corpus-license") for meta in about],
            "pair": [str(row["pair-id"]) for row in rows],
        },
    )


def _part(stem: str) -> str:
    """Return the part of a file: `dev/recast_puns` is the part `puns/dev`."""
    folder, _, name = stem.rpartition("/")
    return f"{name.removeprefix('recast_')}/{folder}" if folder in SPLITS else stem


def _label(path: Path, row: dict[str, Any], scale: Scale) -> str:
    """Return the two-way label; for a rating from 1 to 5 it is the authors' own."""
    word = str(row["label"])
    if scale == TWO_WAY and word.isdigit():
        word = (
            TWO_WAY.labels[0]
            if str(row.get("binary-label")).lower() == "true"
            else TWO_WAY.labels[1]
        )
    if word not in scale.labels:
        fact = f"pair {row['pair-id']}: unknown label '{word}'"
        raise InputError(f"{path}: {fact}; the scale is {scale}, fetch the file again")
    return word


def _rating(row: dict[str, Any]) -> float | None:
    return float(row["label"]) if str(row["label"]).isdigit() else None


def _metadata(path: Path) -> dict[Any, dict[str, Any]]:
    """Return the origin and licence of each pair, if the file that states them is available."""
    about = path.with_name(path.name.replace("_data.json", "_metadata.json"))
    return {row["pair-id"]: row for row in json_array(about, "pair-id")} if about.is_file() else {}


CARD = read_card("dnc")

dnc = Source(
    "dnc",
    CARD,
    (
        *SPLITS,
        *(
            f"{name}/{split}"
            for name in RECAST
            for split in SPLITS
            if name != "winogender" or split == "test"
        ),
        *(f"function_words/{kind}" for kind in FUNCTION_WORDS),
    ),
    read,
)
