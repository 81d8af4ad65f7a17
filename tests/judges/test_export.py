"""Eight-bit graphs, the verb that writes them, and where a model is looked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.core.scale import NLI
from grice.judges.export import export
from grice.judges.providers.encoder import Encoder
from grice.models import checkpoint as _checkpoint
from grice.models.onnx import Onnx
from grice.models.quantize import quantize
from tests.judges.models import PAIRS, cross_encoder

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cross_encoder(tmp_path_factory.mktemp("minilm"))


def small_graph(path: Path, positive: bool) -> Path:
    """Rows of a table, through Relu or not, times a matrix."""
    from onnx import TensorProto, helper, numpy_helper, save

    rng = np.random.default_rng(0)
    constants = {"table": rng.normal(size=(50, 16)), "weights": rng.normal(size=(16, 8))}
    made = [
        numpy_helper.from_array(array.astype(np.float32), name) for name, array in constants.items()
    ]
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["rows"]),
        helper.make_node("Relu" if positive else "Identity", ["rows"], ["seen"]),
        helper.make_node("MatMul", ["seen", "weights"], ["out"]),
    ]
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "sequence"])
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, ["batch", "sequence", 8])
    graph = helper.make_graph(nodes, "small", [ids], [out], made)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10), path)
    return path


@pytest.mark.parametrize("positive", [False, True])
def test_integers_stay_near_the_floats_and_each_row_stands_alone(
    tmp_path: Path, positive: bool
) -> None:
    source = small_graph(tmp_path / "float.onnx", positive)
    quantize(source, tmp_path / "int8.onnx")
    floats, integers = (Onnx(tmp_path / name).session for name in ("float.onnx", "int8.onnx"))
    ids = np.arange(40).reshape(4, 10)
    wanted, found = floats.run(None, {"ids": ids})[0], integers.run(None, {"ids": ids})[0]
    assert found.shape == wanted.shape
    assert 0 < np.abs(found - wanted).max() < 0.03 * np.abs(wanted).max()
    alone = np.concatenate([integers.run(None, {"ids": ids[i : i + 1]})[0] for i in range(4)])
    assert (alone == found).all()


def test_the_verb_writes_a_folder_and_says_what_changes(folder: Path, tmp_path: Path) -> None:
    lines = [
        {"id": q.id, "premise": q.premise, "hypothesis": q.hypothesis, "gold": {"label": "neutral"}}
        for q in PAIRS
    ]
    data = tmp_path / "pairs.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "out"
    command = [
        "export-onnx",
        str(folder),
        "-o",
        str(out),
        "--on",
        str(data),
        "--limit",
        "6",
        "--json",
    ]
    said = CliRunner().invoke(build(), command)
    assert said.exit_code == 0, said.output
    found: dict[str, Any] = json.loads(said.stdout)
    assert found["pairs"] == 6 and found["graph"] == str(out / "model.int8.onnx")
    assert sorted(path.name for path in out.iterdir()) == [
        "config.json",
        "model.int8.onnx",
        "tokenizer.json",
        "tokenizer_config.json",
    ]


def test_a_model_shipped_in_the_package_is_found_by_its_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(Encoder(str(folder)), tmp_path / "grice-mini", "int8")
    listing = tmp_path / "checksums.txt"
    listing.write_text(f"{0:064x}  another/config.json\n", encoding="utf-8")
    monkeypatch.setattr(_checkpoint, "MODELS", tmp_path)
    monkeypatch.setattr(_checkpoint, "CHECKSUMS", listing)
    judge = Encoder("grice-mini")
    assert judge.name == "encoder/grice-mini" and judge.identity["engine"] == "onnx"
    assert len(list(judge.judge(PAIRS, NLI))) == len(PAIRS)


def test_a_graph_with_weights_beside_it_is_hashed_with_them(tmp_path: Path) -> None:
    graph = tmp_path / "model.onnx"
    graph.write_bytes(b"graph")
    before = _checkpoint.digest([graph])
    (tmp_path / "model.onnx.data").write_bytes(b"weights")
    assert _checkpoint.digest([graph]) != before
