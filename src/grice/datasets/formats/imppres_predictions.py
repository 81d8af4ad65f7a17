"""The released IMPPRES predictions, each paired only with the sentences it was made on."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.files import read_bytes
from grice.storage.run import Run

# The order of the columns in the released .npy files; the paper's code writes them in this order.
LABELS = ("entailment", "neutral", "contradiction")
NAMES = {"bert": "BERT", "bow": "BOW", "infersent": "InferSent"}
# One file for all scales: the August-2019 sets in this order, row by row.
SCALAR = "scalar_implicatures_log_"
SCALAR_ROWS = {"quantifier": 2400, "connectives": 2400, "modal": 1200, "numeral": 2400}

Probabilities = npt.NDArray[np.float64]


def predictions(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return one run per model with predictions for any of the dataset's items."""
    files = _files(folder / "imppres" / "predictions")
    parts_by_model: dict[str, list[tuple[list[str], Probabilities]]] = {}
    for (kind, name, version), part in data.frame.partition_by(
        "tag.kind", "tag.set", "tag.version", as_dict=True, maintain_order=True
    ).items():
        rows = part["id"].str.split("/").list.last().cast(pl.Int64).to_numpy()
        for model, table in _tables(files, str(kind), str(name), str(version)):
            parts_by_model.setdefault(model, []).append((part["id"].to_list(), table[rows]))
    return [
        _run(data, NAMES.get(model, model), parts)
        for model, parts in sorted(parts_by_model.items())
    ]


def _tables(
    files: dict[str, Path], kind: str, name: str, version: str
) -> list[tuple[str, Probabilities]]:
    if kind == "presupposition" and version == "v1":
        named = {
            f.removeprefix(f"{name}_"): p for f, p in files.items() if f.startswith(f"{name}_")
        }
        return [(model, _table(path, 1900)) for model, path in named.items()]
    if kind == "implicature" and version == "v0" and name in SCALAR_ROWS:
        start = sum(
            SCALAR_ROWS[earlier] for earlier in list(SCALAR_ROWS)[: list(SCALAR_ROWS).index(name)]
        )
        named = {f.removeprefix(SCALAR): p for f, p in files.items() if f.startswith(SCALAR)}
        rows = slice(start, start + SCALAR_ROWS[name])
        return [(model, _table(path, 8400)[rows]) for model, path in named.items()]
    return []


def _files(folder: Path) -> dict[str, Path]:
    """Return every .npy file below the folder by its stem, also inside the authors' archives.

    A folder called superseded is ignored: its predictions are on sentences that were replaced.
    """
    archived: dict[str, Path] = {}
    for archive in sorted(folder.glob("*.zip")):
        with zipfile.ZipFile(archive) as bundle:
            names = [n for n in bundle.namelist() if n.endswith(".npy") and "__MACOSX" not in n]
        archived |= {Path(name).stem: archive / name for name in names}
    loose = [path for path in sorted(folder.rglob("*.npy")) if "superseded" not in path.parent.name]
    return {**archived, **{path.stem: path for path in loose}}


def _table(path: Path, rows: int) -> Probabilities:
    try:
        table = np.load(io.BytesIO(read_bytes(path)), allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise InputError(f"{path}: not a .npy file ({error}); fetch the file again") from None
    if table.shape != (rows, len(LABELS)):
        raise InputError(
            f"{path}: shape {table.shape}, not ({rows}, {len(LABELS)}); fetch the file again"
        )
    return np.asarray(table, dtype=np.float64)


def _run(data: Dataset, model: str, parts: list[tuple[list[str], Probabilities]]) -> Run:
    ids = [item for items, _ in parts for item in items]
    probs = np.concatenate([table for _, table in parts])
    answers = [LABELS[best] for best in probs.argmax(axis=1)]
    return Run.from_columns(
        data, model, ids, answers, probs={w: probs[:, i].tolist() for i, w in enumerate(LABELS)}
    )
