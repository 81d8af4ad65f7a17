"""Export of a checkpoint to ONNX, and how many answers it changes: `grice export-onnx`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grice import loading
from grice.core.dataset import Dataset
from grice.judges.export import compare_answers, export
from grice.judges.providers.encoder import Encoder


def export_onnx(
    checkpoint: str,
    out: str | Path,
    on: str | Path | Dataset,
    *,
    precision: str = "int8",
    limit: int = 1000,
    settings: Mapping[str, str] | None = None,
    **columns: str,
) -> dict[str, Any]:
    """Export a cross-encoder to ONNX and compare both on the first `limit` items of `on`.

    Gives the graph's path and size in megabytes, how many answers changed and the largest
    difference of a probability. `settings` are those of `encoder/…`. Needs the extra `hf`.

    >>> export_onnx("grice-mini", "out", "quantifiers@1", precision="int4")
    Traceback (most recent call last):
    grice.core.errors.InputError: no precision is called 'int4'. Did you mean 'int8'? ...
    """
    data = on if isinstance(on, Dataset) else loading.load(str(on), **columns)
    before = Encoder(checkpoint.removeprefix("encoder/"), **{**(settings or {}), "engine": "torch"})
    graph = export(before, Path(out), precision)
    size = round(graph.stat().st_size / 1e6, 1)
    after = Encoder(str(out), file=graph.name)
    changed = compare_answers(before, after, list(data.head(limit).questions()))
    return {"graph": str(graph), "megabytes": size, **changed}
