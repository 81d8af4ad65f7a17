"""Read the weights of a shipped int8 graph as floats, by the names of the torch model."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
MIDDLE = 128
EMBEDDING = re.compile(r"(.+)\.int8")


def float_weights(graph: Path) -> dict[str, Array]:
    """Return the graph's weights dequantised, as the torch model of the same architecture has."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(graph)
    constants = {v.name: numpy_helper.to_array(v) for v in model.graph.initializer}
    weights = {
        name.removeprefix("model."): np.array(values)
        for name, values in constants.items()
        if name.startswith("model.") and values.dtype == np.float32 and not name.endswith("scale")
    }
    for name, values in constants.items():
        match = EMBEDDING.fullmatch(name)
        if match and name.startswith("model."):
            scales = constants[f"{match[1]}.scale"]
            weights[match[1].removeprefix("model.")] = values.astype(np.float32) * scales
    for node in model.graph.node:
        if node.op_type == "MatMulIntegerToFloat":
            steps = constants[node.input[1]].astype(np.float32) - MIDDLE
            layer = node.output[0].removeprefix("/model/").split("/MatMul")[0].replace("/", ".")
            weights[f"{layer}.weight"] = (steps * constants[node.input[3]]).T.copy()
    return weights


def write_weights(weights: Mapping[str, Array], report: Mapping[str, Any], out: Path) -> None:
    """Write weights in half precision to files of at most 15 MB, and the report."""
    out.mkdir(parents=True, exist_ok=True)
    groups: list[dict[str, Array]] = [{}]
    for name, value in weights.items():
        n_parts = 3 if value.size > 6e6 else 1
        for n, part in enumerate(np.array_split(value.astype(np.float16), n_parts)):
            if sum(v.nbytes for v in groups[-1].values()) + part.nbytes > 15e6:
                groups.append({})
            groups[-1][f"{name}#{n}"] = part
    for n, group in enumerate(groups):
        np.savez(out / f"weights-{n}.npz", **group)  # type: ignore[arg-type]
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def read_weights(folder: Path) -> dict[str, Array]:
    """Return the weights that `write_weights` wrote."""
    parts: dict[str, list[tuple[int, Array]]] = {}
    for file in sorted(folder.glob("weights-*.npz")):
        with np.load(file) as arrays:
            for key in arrays.files:
                name, number = key.rsplit("#", 1)
                parts.setdefault(name, []).append((int(number), arrays[key].astype(np.float32)))
    return {
        name: np.concatenate([array for _, array in sorted(chunks, key=lambda part: part[0])])
        for name, chunks in parts.items()
    }


def write_folder(trained: Path, start: Path, out: Path) -> None:
    """Write trained weights as a checkpoint that `grice export-onnx` reads.

    Args:
        trained: The folder that the training wrote.
        start: The shipped folder of which configuration and tokeniser are taken.
    """
    from safetensors.numpy import save_file

    out.mkdir(parents=True, exist_ok=True)
    save_file(read_weights(trained), out / "model.safetensors", metadata={"format": "pt"})
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(start / name, out / name)
    shutil.copy(start / "special_tokens_map.json", out / "special_tokens_map.json")
