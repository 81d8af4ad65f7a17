"""Write the trained network as an int8 graph that runs without torch, with its labels."""

from __future__ import annotations

import json
import shutil
import warnings
from pathlib import Path

import torch

from grice.mining.transformer import GRAPH, LABELS, TOKENIZER
from grice.models.quantize import quantize
from tools.parser.network import INPUTS, OUTPUTS, ParserNetwork
from tools.parser.treebank import TreebankLabels

OPSET = 17


def write_graph(
    network: ParserNetwork, labels: TreebankLabels, tokenizer: Path, folder: Path
) -> Path:
    """Write graph, labels and tokeniser, and return the path of the graph."""
    folder.mkdir(parents=True, exist_ok=True)
    example = {name: torch.ones(2, 8, dtype=torch.long) for name in INPUTS}
    example["first_piece"] = example["last_piece"] = torch.arange(6).repeat(2, 1)
    # A mask of ones alone would be left out of the graph as of no effect.
    example["attention_mask"][1, 6:] = 0
    axes = {name: {0: "batch", 1: "word" if name in INPUTS[3:] else "piece"} for name in INPUTS}
    axes |= {
        "arcs": {0: "batch", 1: "word", 2: "head"},
        "labels": {0: "batch", 1: "word", 2: "head"},
    }
    axes |= {"tags": {0: "batch", 1: "word"}, "pos": {0: "batch", 1: "word"}}
    plain = folder / "model.onnx"
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network.cpu().eval(),
            tuple(example.values()),
            plain,
            input_names=list(INPUTS),
            output_names=list(OUTPUTS),
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    quantize(plain, folder / GRAPH)
    plain.unlink()
    (folder / LABELS).write_text(json.dumps(labels.to_json(), indent=1) + "\n", encoding="utf-8")
    if tokenizer != folder / TOKENIZER:
        shutil.copy(tokenizer, folder / TOKENIZER)
    return folder / GRAPH
