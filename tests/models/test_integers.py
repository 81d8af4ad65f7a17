"""Integer products are the same sums on every CPU, and a graph that cannot promise it says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import NLI
from grice.judges.providers.encoder import Encoder
from grice.models import integers
from grice.models.batching import Array
from grice.models.checkpoint import MODELS
from grice.models.integers import (
    INT8,
    UINT8,
    adapt_graph,
    arithmetic_identity,
    convert_integers,
    find_products,
    graph_warnings,
    saturates,
)
from grice.models.onnx import Onnx
from grice.models.quantize import quantize
from grice.storage.evaluation import evaluate

pytest.importorskip("onnx", reason="writing graphs needs the extra hf")
MINI = MODELS / "grice-mini" / "model.int8.onnx"
DEPTH, WIDTH = 48, 32


def write(
    path: Path, nodes: list[Any], constants: dict[str, Array], shape: list[Any], given: int = 7
) -> Path:
    """A graph from int64 "ids", or floats "given", to floats "out"."""
    from onnx import helper, numpy_helper, save

    made = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    name = "ids" if given == 7 else "given"
    start = helper.make_tensor_value_info(name, given, ["batch", "sequence"])
    out = helper.make_tensor_value_info("out", 1, shape)
    graph = helper.make_graph(nodes, "small", [start], [out], made)
    sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    save(helper.make_model(graph, opset_imports=sets, ir_version=10), path)
    return path


def extreme(path: Path) -> Path:
    """Rows of a table times a matrix, both at the ends of their ranges, in eight bits."""
    from onnx import helper

    rng = np.random.default_rng(0)
    table, weights = (rng.choice([-1.0, 1.0], size=size) for size in ((24, DEPTH), (DEPTH, WIDTH)))
    table[:4], weights[:, :4], weights[:, 4:8] = 1, 1, -1
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["rows"]),
        helper.make_node("MatMul", ["rows", "weights"], ["out"]),
    ]
    constants = {"table": table.astype(np.float32), "weights": weights.astype(np.float32)}
    write(path.with_suffix(".float"), nodes, constants, ["batch", "sequence", WIDTH])
    quantize(path.with_suffix(".float"), path)
    return path


def by_integers(path: Path, ids: Array) -> Array:
    """What the graph of `extreme` means, with numpy's integers for the product."""
    from onnx import load, numpy_helper

    held = {value.name: numpy_helper.to_array(value) for value in load(path).graph.initializer}
    rows = held["table.int8"][ids].astype(np.float32) * held["table.scale"][ids]
    up, down = (
        rows.max(-1, keepdims=True) * held["above.128"],
        rows.min(-1, keepdims=True) * held["below.128"],
    )
    scale = np.maximum(np.maximum(up, down), held["tiny"])
    steps = np.clip(np.round(rows / scale) + 128, 0, 255).astype(np.int64)
    weights = held["weights.uint8"].astype(np.int64) - held[f"zeros.{WIDTH}"]
    sums = (steps - 128) @ weights
    found: Array = sums.astype(np.float32) * held["weights.scales"] * scale
    return found


def asked(graph: str | bytes, ids: Array) -> Array:
    import onnxruntime

    found: Array = onnxruntime.InferenceSession(graph).run(None, {"ids": ids})[0]
    return found


@pytest.mark.parametrize("rows", [1, 24])
def test_the_runtime_adds_up_extreme_products_as_integers_do(tmp_path: Path, rows: int) -> None:
    graph, ids = extreme(tmp_path / "int8.onnx"), np.arange(rows)[None]
    exact = by_integers(graph, ids)
    # 48 products of 127 and 127: far beyond what 16 bits hold for a pair of them.
    assert np.abs(exact).max() > 40
    assert (Onnx(graph).session.run(None, {"ids": ids})[0] == exact).all()
    assert (asked(str(graph), ids) == exact).all()
    signed = asked(convert_integers(graph, INT8), ids)
    assert (signed == exact).all() != saturates()


def test_the_probe_is_the_graph_it_is_said_to_be() -> None:
    from onnx import checker, load_from_string

    model = load_from_string(integers.PROBE)
    checker.check_model(model, full_check=True)
    assert [node.op_type for node in model.graph.node] == ["MatMulInteger"]
    assert [given.type.tensor_type.elem_type for given in model.graph.input] == [UINT8, INT8]


def test_a_file_is_read_as_the_onnx_package_reads_it() -> None:
    from onnx import load_from_string

    found = find_products(MINI)
    assert found.loose and found.all(UINT8) and not found.fused
    assert len(found.constants) == 36 + 2  # the matrices and the zero points of the two widths
    model = load_from_string(convert_integers(MINI, INT8))
    kinds = {value.name: value.data_type for value in model.graph.initializer}
    products = [node for node in model.graph.node if node.op_type == "MatMulIntegerToFloat"]
    assert len(products) == 36
    assert {kinds[node.input[place]] for node in products for place in (1, 5)} == {INT8}


def parsed(content: bytes) -> object:
    """The graph as the onnx package reads it, whatever the order of its fields in the file."""
    from onnx import load_from_string

    return load_from_string(content)


def test_both_forms_are_one_graph_and_the_file_on_disk_is_exact_by_itself(tmp_path: Path) -> None:
    graph = extreme(tmp_path / "int8.onnx")
    signed = tmp_path / "signed.onnx"
    signed.write_bytes(convert_integers(graph, INT8))
    assert find_products(graph).all(UINT8) and find_products(signed).all(INT8)
    assert parsed(convert_integers(signed, UINT8)) == parsed(graph.read_bytes())


@pytest.mark.parametrize("wrong", [True, False])
def test_the_form_is_chosen_by_what_the_cpu_gets_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: bool
) -> None:
    graph = extreme(tmp_path / "int8.onnx")
    signed = tmp_path / "signed.onnx"
    signed.write_bytes(convert_integers(graph, INT8))
    monkeypatch.setattr(integers, "saturates", lambda: wrong)
    stays, other = (graph, signed) if wrong else (signed, graph)
    assert adapt_graph(stays) == str(stays)
    converted = adapt_graph(other)
    assert isinstance(converted, bytes) and parsed(converted) == parsed(stays.read_bytes())
    assert adapt_graph(tmp_path / "int8.float") == str(tmp_path / "int8.float")


def fixed(path: Path, kind: Any) -> Path:
    """A graph of another tool: its matrix has no zero point that could move."""
    from onnx import helper

    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["given"], ["steps", "scale", "zero"]),
        helper.make_node("MatMulInteger", ["steps", "weights", "zero"], ["sums"]),
        helper.make_node("Cast", ["sums"], ["out"], to=1),
    ]
    return write(path, nodes, {"weights": np.ones((4, 2), dtype=kind)}, ["batch", 2], given=1)


def test_signed_weights_that_cannot_be_turned_are_refused_where_they_saturate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = fixed(tmp_path / "other.onnx", np.int8)
    monkeypatch.setattr(integers, "saturates", lambda: True)
    with pytest.raises(
        InputError, match="cuts off at 16 bits; export it again with grice export-onnx"
    ):
        Onnx(graph)
    assert adapt_graph(fixed(tmp_path / "unsigned.onnx", np.uint8)) == str(
        tmp_path / "unsigned.onnx"
    )
    monkeypatch.setattr(integers, "saturates", lambda: False)
    assert adapt_graph(graph) == str(graph)


def test_what_is_no_graph_is_left_to_the_runtime(tmp_path: Path) -> None:
    for content in (b"", b"graph", b"\xff" * 40):
        (tmp_path / "model.onnx").write_bytes(content)
        assert not find_products(tmp_path / "model.onnx")
    with pytest.raises(InputError, match="ONNX Runtime cannot load it"):
        Onnx(tmp_path / "model.onnx")


def soft(path: Path) -> Path:
    """A softmax over products."""
    from onnx import helper

    weights = np.random.default_rng(1).normal(size=(8, 40)).astype(np.float32)
    nodes = [
        helper.make_node("MatMul", ["given", "weights"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["out"], axis=-1),
    ]
    return write(path, nodes, {"weights": weights}, ["batch", 40], given=1)


def test_a_softmax_in_steps_is_the_softmax_of_its_scores(tmp_path: Path) -> None:
    import onnx

    quantize(soft(tmp_path / "float.onnx"), tmp_path / "int8.onnx")
    model = onnx.load(tmp_path / "int8.onnx")
    assert "Softmax" not in {node.op_type for node in model.graph.node}
    model.graph.output.append(onnx.helper.make_empty_tensor_value_info("scores"))
    onnx.save(model, tmp_path / "both.onnx")
    given = np.random.default_rng(2).normal(size=(5, 8)).astype(np.float32) * 9
    found, scores = Onnx(tmp_path / "both.onnx").session.run(None, {"given": given})
    parts = np.exp(scores.astype(np.float64) - scores.max(-1, keepdims=True))
    assert np.abs(found - parts / parts.sum(-1, keepdims=True)).max() < 1e-6


def older(path: Path) -> Path:
    """The graph as it was written before: signed, with the runtime's own softmax."""
    import onnx

    quantize(soft(path.with_suffix(".float")), path)
    model = onnx.load_from_string(convert_integers(path, INT8))
    kept = [node for node in model.graph.node if not node.output[0].startswith("out")]
    kept.append(onnx.helper.make_node("Softmax", ["scores"], ["out"], axis=-1))
    del model.graph.node[:]
    model.graph.node.extend(kept)
    onnx.save(model, path)
    return path


def test_an_older_graph_says_so_and_its_answers_belong_to_one_kind_of_cpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = older(tmp_path / "older.onnx")
    assert "export it again" in graph_warnings(before)["graph"] and not graph_warnings(MINI)
    here = arithmetic_identity(before), arithmetic_identity(MINI)
    monkeypatch.setattr(integers, "cpu_instructions", lambda: "x86_64 another")
    assert arithmetic_identity(before) != here[0] and arithmetic_identity(MINI) == here[1]
    monkeypatch.setattr(integers, "cpu_family", lambda: "another")
    assert (
        arithmetic_identity(MINI) != here[1] and arithmetic_identity(tmp_path / "older.float") == {}
    )


def test_bf16_is_told_from_fp32_and_by_its_device() -> None:
    from grice.models.torch import arithmetic_identity as torch_identity
    from grice.models.torch import describe_arithmetic

    plain, half = (torch_identity("cpu", dtype, what="a judge") for dtype in ("", "bf16"))
    assert plain == torch_identity("cpu", "fp32", what="a judge") == {"dtype": "fp32"}
    assert half == {"dtype": "bf16", "device": "cpu"}
    noted = describe_arithmetic("cpu", "bf16", what="a judge")
    assert (
        noted["precision"] == "bf16"
        and noted["device"] == "cpu"
        and noted["engine"].startswith("torch ")
    )


def test_a_run_notes_the_arithmetic_and_is_the_same_run_on_another_cpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [
        Item(str(n), f"Some of the {n} cakes are gone.", "Not all are gone.") for n in range(3)
    ]
    data = Dataset.from_items("hand", NLI, items)
    ask: Callable[[], Any] = lambda: evaluate(data, Encoder("grice-mini"), into=tmp_path).folder  # noqa: E731
    first = ask()
    noted = json.loads((first / "run.json").read_text(encoding="utf-8"))["arithmetic"]
    assert noted["engine"].startswith("onnxruntime ") and noted["precision"].startswith("int8, by ")
    assert noted["cpu"] == integers.cpu_instructions()
    monkeypatch.setattr(integers, "saturates", lambda: True)
    monkeypatch.setattr(integers, "cpu_instructions", lambda: "x86_64 another")
    kept = (first / "judgements.jsonl").read_bytes()
    (first / "judgements.jsonl").unlink()
    assert ask() == first and (first / "judgements.jsonl").read_bytes() == kept
