"""Export of a checkpoint to ONNX for the base install, and comparison of its answers."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.files import write_atomically
from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, UNIT, Scale
from grice.judges.providers.encoder import Encoder

FILES = {"int8": "model.int8.onnx", "fp32": "model.onnx"}
KEPT = ("tokenizer_config.json", "special_tokens_map.json", "README.md", "LICENSE")
OPSET = 17


def export(source: Encoder, into: Path, precision: str = "int8") -> Path:
    """Write the ONNX graph, the configuration and the tokeniser, and return the graph.

    The configuration holds the labels by which the checkpoint was read.
    """
    from grice.models import torch as torch_engine

    if precision not in FILES:
        raise unknown("precision", precision, FILES)
    where = torch_engine.choose_device("cpu", "fp32", what="export-onnx")
    source.checkpoint.torch_files()
    folder = source.checkpoint.folder
    # Eager attention: fused kernels fix the shapes of the traced batch in the graph.
    model = torch_engine.load(
        "AutoModelForSequenceClassification", folder, where, attn_implementation="eager"
    )
    tokenizer = torch_engine.tokenizer(folder)
    try:
        into.mkdir(parents=True, exist_ok=True)
        (into / "tokenizer.json").write_text(tokenizer.backend_tokenizer.to_str(), encoding="utf-8")
        for name in KEPT:
            if (folder / name).is_file() and folder != into:
                shutil.copy(folder / name, into / name)
    except OSError as error:
        raise InputError(
            f"{into}: cannot be written ({error.strerror}); choose another folder"
        ) from None
    names = [
        name
        for name in tokenizer.model_input_names
        if name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    _write_config(source, into)
    graph = into / FILES[precision]
    _trace(model, names, into / FILES["fp32"])
    if precision == "int8":
        from grice.models.quantize import quantize

        quantize(into / FILES["fp32"], graph)
        (into / FILES["fp32"]).unlink()
    return graph


def compare_answers(
    before: Encoder, after: Encoder, questions: Sequence[Question]
) -> dict[str, Any]:
    """Return how many answers differ between two judges, and by how much at most."""
    scale = UNIT if len(before.outputs) == 1 else _own_scale(before)
    old, new = (
        {judgement.item: judgement for judgement in judge.judge(questions, scale)}
        for judge in (before, after)
    )
    largest = max((_distance(old[key], new[key]) for key in old), default=0.0)
    count = None if scale.numeric else sum(old[key].answer != new[key].answer for key in old)
    return {"pairs": len(old), "changed": count, "largest difference": largest}


def _own_scale(judge: Encoder) -> Scale:
    """Return NLI if the outputs mean it, else a scale of the outputs' own names."""
    from grice.judges.labels import label_columns

    try:
        label_columns(judge.outputs, NLI, where=judge.name)
    except InputError:
        return Scale(labels=judge.outputs)
    return NLI


def _distance(first: Judgement, second: Judgement) -> float:
    if first.probs is None or second.probs is None:
        return abs(float(first.answer or 0) - float(second.answer or 0))
    return max(abs(first.probs[label] - second.probs[label]) for label in first.probs)


def _write_config(source: Encoder, into: Path) -> None:
    labels = dict(enumerate(source.outputs))
    stated = {"id2label": labels, "label2id": {label: index for index, label in labels.items()}}
    with write_atomically(into / "config.json") as out:
        json.dump({**source.checkpoint.config, **stated}, out, indent=2)
        out.write("\n")


def _trace(model: Any, names: Sequence[str], graph: Path) -> None:
    """Write the graph by tracing.

    ONNX Runtime ran it 10% faster than the graph of the newer exporter.
    """
    import torch

    class LogitsOnly(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tensors: Any) -> Any:
            return self.model(**dict(zip(names, tensors, strict=True))).logits

    example = {name: torch.ones(2, 8, dtype=torch.long) for name in names}
    if "token_type_ids" in example:
        example["token_type_ids"] = torch.zeros(2, 8, dtype=torch.long)
    # The tracer would remove a mask of ones from the graph.
    example["attention_mask"][1, 6:] = 0
    axes = {name: {0: "batch", 1: "sequence"} for name in names} | {"logits": {0: "batch"}}
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        how: dict[str, Any] = {"dynamic_axes": axes, "opset_version": OPSET, "dynamo": False}
        inputs, names = tuple(example.values()), list(names)
        torch.onnx.export(
            LogitsOnly(), inputs, graph, input_names=names, output_names=["logits"], **how
        )
