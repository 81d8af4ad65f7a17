"""Forms of one int8 graph side by side: how fast each answers, in turn, and how many answers differ
from the first's.

    GRICE_DATA=… python benchmarks/forms.py [GRAPH …] [--on core@0] [--rounds 5] [--limit N]
    [--floats]

Without GRAPH the built-in model's. The first is what the others are compared with, such as the form
of an earlier commit: git show COMMIT:src/grice/models/shipped/grice-mini/model.int8.onnx >
before.onnx. Each is run as grice runs it here, and then by the weights as they are stored. --floats
puts the same weights as fp32 first.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grice
from grice.core.item import Question
from grice.core.scale import NLI
from grice.judges.providers.encoder import Encoder
from grice.models.checkpoint import MODELS
from grice.models.integers import cpu_instructions, saturates

MINI = MODELS / "grice-mini"
Replies = dict[str, dict[str, float]]


def main() -> None:
    flags = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    flags.add_argument("graphs", type=Path, nargs="*", default=[MINI / "model.int8.onnx"])
    flags.add_argument("--on", default="core@0")
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--limit", type=int, default=None)
    flags.add_argument("--floats", action="store_true")
    given = flags.parse_args()
    questions = list(grice.load(given.on).questions())[: given.limit]
    print(
        f"{len(questions):,} pairs of {given.on}; {cpu_instructions()}; signed products saturate:"
        f" {saturates()}"
    )
    with tempfile.TemporaryDirectory() as scratch:
        judges: dict[str, Encoder] = {}
        if given.floats:
            floats = in_floats(given.graphs[-1], Path(scratch) / "floats.onnx")
            judges["fp32"] = judge(floats, Path(scratch) / "floats")
        for place, graph in enumerate(given.graphs):
            judges[graph.name] = judge(graph, Path(scratch) / f"chosen-{place}")
            judges[f"{graph.name}, as stored"] = as_stored(
                judge(graph, Path(scratch) / f"stored-{place}")
            )
        compare(judges, questions, given.rounds)


def judge(graph: Path, folder: Path) -> Encoder:
    """The built-in model with another graph."""
    folder.mkdir()
    for path in MINI.glob("*.json"):
        shutil.copy(path, folder / path.name)
    shutil.copy(graph, folder / "model.onnx")
    return Encoder(str(folder))


def as_stored(made: Encoder) -> Encoder:
    """The same judge with a session made of the file as it is."""
    import onnxruntime

    engine: Any = made._model.engine
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    engine.session = onnxruntime.InferenceSession(str(made._graph), options)
    return made


def in_floats(graph: Path, into: Path) -> Path:
    """The graph with every integer product as a product of floats: the same weights, rows that are
    not rounded.
    """
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(graph)
    held = {value.name: numpy_helper.to_array(value) for value in model.graph.initializer}
    nodes, made = [], {}
    for node in model.graph.node:
        if node.op_type == "MatMulIntegerToFloat":
            _, weights, _, scales, _, zeros = node.input
            made[f"{weights}.floats"] = (
                held[weights].astype("f4") - held[zeros].astype("f4")
            ) * held[scales]
            rows = node.input[0].removesuffix(".uint8")
            out = node.output[0].removesuffix(".rows")
            nodes.append(
                helper.make_node("MatMul", [f"{rows}.flat", f"{weights}.floats"], [f"{out}.scaled"])
            )
        elif not node.output[0].endswith(".scaled"):
            nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(
        numpy_helper.from_array(array, name) for name, array in made.items()
    )
    onnx.save(model, into)
    return into


def compare(judges: dict[str, Encoder], questions: Sequence[Question], rounds: int) -> None:
    walls: dict[str, list[float]] = {name: [] for name in judges}
    cpus: dict[str, list[float]] = {name: [] for name in judges}
    replies: dict[str, Replies] = {}
    for made in judges.values():
        list(made.judge(questions[:50], NLI))
    for turn in range(rounds):
        for name in list(judges)[:: 1 if turn % 2 == 0 else -1]:
            wall, cpu = time.perf_counter(), time.process_time()
            found = list(judges[name].judge(questions, NLI))
            walls[name].append(time.perf_counter() - wall)
            cpus[name].append(time.process_time() - cpu)
            replies[name] = {reply.item: dict(reply.probs or {}) for reply in found}
    first = next(iter(judges))
    print(
        f"{'':34} {'seconds':>8} {'CPU s':>8} {'speed':>6} {'by CPU':>7} {'changed':>8}"
        f" {'at most':>8}"
    )
    for name in judges:
        changed, most = difference(replies[first], replies[name])
        print(
            f"{name:34} {statistics.median(walls[name]):8.2f} {statistics.median(cpus[name]):8.2f}"
            f" {ratio(walls[first], walls[name]):6.3f} {ratio(cpus[first], cpus[name]):7.3f}"
            f" {changed:8} {most:8.6f}"
        )


def ratio(base: Sequence[float], other: Sequence[float]) -> float:
    return statistics.median(b / o for b, o in zip(base, other, strict=True))


def difference(one: Replies, other: Replies) -> tuple[int, float]:
    """How many answers differ, and a probability by how much at most."""
    changed = sum(
        max(probs, key=probs.__getitem__) != max(other[key], key=other[key].__getitem__)
        for key, probs in one.items()
    )
    most = max(
        abs(p - other[key][label]) for key, probs in one.items() for label, p in probs.items()
    )
    return changed, most


if __name__ == "__main__":
    main()
