"""Eight-bit weights for an ONNX graph, with answers independent of the other pairs in a batch.

The usual dynamic quantisation takes one range for a whole batch, so that a pair's answer depends on
the other pairs. Here each row (one token of one pair) has its own range, at the same speed. The
answers do not depend on the CPU either: matrices are unsigned, so that no product saturates, and a
softmax sums in doubles, so that no last digit depends on the order of additions; after rounding to
eight bits, a last digit can change an answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from grice.models.batching import Array

LARGEST = 127
# Zero point of a row: in the middle of the 256 steps, or low for nearly positive rows.
MIDDLE, LOW = 128, 32
POSITIVE = ("Erf", "Gelu", "Relu", "FastGelu")
OPSET = 18  # the first in which ReduceMax takes its axes as an input
TINY = 1e-12


def quantize(source: Path, into: Path) -> None:
    """Write the graph with every constant matrix product and embedding table in int8."""
    import onnx

    model = onnx.load(source)
    for opset in model.opset_import:
        if opset.domain in ("", "ai.onnx"):
            opset.version = max(OPSET, opset.version)
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    _Rewrite(model.graph).run()
    onnx.save(model, into)


class _Rewrite:
    """Nodes and constants of a graph while they are replaced."""

    def __init__(self, graph: Any) -> None:
        from onnx import numpy_helper

        self.graph = graph
        self.floats = {
            value.name: numpy_helper.to_array(value)
            for value in graph.initializer
            if len(value.dims) == 2 and value.data_type == 1
        }
        self.nodes: list[Any] = []
        self.constants: dict[str, Array] = {}
        self.rows: dict[str, str] = {}
        self.gone: set[str] = set()
        self.makers = {output: node for node in graph.node for output in node.output}

    def run(self) -> None:
        from onnx import numpy_helper

        for node in self.graph.node:
            if node.op_type == "MatMul" and node.input[1] in self.floats:
                self._product(node)
            elif node.op_type == "Gather" and node.input[0] in self.floats:
                self._table(node)
            elif node.op_type == "Softmax" and any(
                a.name == "axis" and a.i == -1 for a in node.attribute
            ):
                self._softmax(node)
            else:
                self.nodes.append(node)
        still = {name for node in self.nodes for name in node.input}
        initializers = [
            v for v in self.graph.initializer if v.name not in self.gone or v.name in still
        ]
        initializers += [
            numpy_helper.from_array(array, name) for name, array in self.constants.items()
        ]
        for field, values in (
            ("node", self.nodes),
            ("initializer", initializers),
            ("value_info", []),
        ):
            del getattr(self.graph, field)[:]
            getattr(self.graph, field).extend(values)

    def _add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def _constant(self, name: str, value: Any, dtype: Any) -> str:
        self.constants.setdefault(name, np.array(value, dtype=dtype))
        return name

    def _weights(self, name: str, axis: int) -> tuple[str, str]:
        """Return names of eight-bit values and their scales along an axis.

        The values are unsigned for a matrix, signed for a table.
        """
        values, scales = (
            (f"{name}.uint8", f"{name}.scales") if axis == 0 else (f"{name}.int8", f"{name}.scale")
        )
        if values not in self.constants:
            weights = self.floats[name]
            scale = np.maximum(np.abs(weights).max(axis=axis, keepdims=True), TINY) / LARGEST
            steps = np.round(weights / scale)
            integers = (steps + MIDDLE).astype(np.uint8) if axis == 0 else steps.astype(np.int8)
            self.constants[values] = integers
            self.constants[scales] = (scale[0] if axis == 0 else scale).astype(np.float32)
            self.gone.add(name)
        return values, scales

    def _product(self, node: Any) -> None:
        """Replace x·W by an integer product; each row's scale is multiplied back afterwards."""
        width = self.floats[node.input[1]].shape[1]
        row, out = self._row(node.input[0]), node.output[0]
        weights, scales = self._weights(node.input[1], 0)
        unit = self._constant("one", 1, np.float32)
        zero = self._zero(node.input[0])
        middle = self._constant(f"zero.{zero}", zero, np.uint8)
        zeros = self._constant(f"zeros.{width}", [MIDDLE] * width, np.uint8)
        inputs = [f"{row}.uint8", weights, unit, scales, middle, zeros]
        self._add("MatMulIntegerToFloat", inputs, f"{out}.rows", domain="com.microsoft")
        self._add("Mul", [f"{out}.rows", f"{row}.scale"], f"{out}.scaled")
        self._add("Shape", [node.input[0]], f"{out}.before", start=0, end=-1)
        last = self._constant(f"width.{width}", [width], np.int64)
        self._add("Concat", [f"{out}.before", last], f"{out}.shape", axis=0)
        self._add("Reshape", [f"{out}.scaled", f"{out}.shape"], out)

    def _row(self, name: str) -> str:
        """Return the rows of an activation in uint8, each with its own range; made once."""
        if name in self.rows:
            return self.rows[name]
        row = self.rows[name] = f"{name}.row"
        depth, zero = self._depth(name), self._zero(name)
        last = self._constant("last", [-1], np.int64)
        self._add(
            "Reshape", [name, self._constant(f"flat.{depth}", [-1, depth], np.int64)], f"{row}.flat"
        )
        self._add("ReduceMax", [f"{row}.flat", last], f"{row}.max", keepdims=1)
        self._add("ReduceMin", [f"{row}.flat", last], f"{row}.min", keepdims=1)
        above = self._constant(f"above.{zero}", 1 / (255 - zero), np.float32)
        below = self._constant(f"below.{zero}", -1 / (zero - 1), np.float32)
        self._add("Mul", [f"{row}.max", above], f"{row}.up")
        self._add("Mul", [f"{row}.min", below], f"{row}.down")
        tiny = self._constant("tiny", TINY, np.float32)
        self._add("Max", [f"{row}.up", f"{row}.down", tiny], f"{row}.scale")
        self._add("Squeeze", [f"{row}.scale", last], f"{row}.scales")
        self._add(
            "Mul", [f"{row}.scales", self._constant("nought", 0, np.float32)], f"{row}.noughts"
        )
        centre = self._constant(f"centre.{zero}", zero, np.float32)
        self._add("Add", [f"{row}.noughts", centre], f"{row}.centres")
        self._add("Cast", [f"{row}.centres"], f"{row}.zeros", to=2)
        self._add(
            "QuantizeLinear",
            [f"{row}.flat", f"{row}.scales", f"{row}.zeros"],
            f"{row}.uint8",
            axis=0,
        )
        return row

    def _depth(self, name: str) -> int:
        """Return the length of the rows of this output."""
        used = (n.input[1] for n in self.graph.node if n.op_type == "MatMul" and n.input[0] == name)
        return next(len(self.floats[weights]) for weights in used if weights in self.floats)

    def _zero(self, name: str) -> int:
        """Return the zero point: low after a function that gives almost nothing below zero."""
        reached = [self.makers[name]] if name in self.makers else []
        for _ in range(4):
            if any(node.op_type in POSITIVE for node in reached):
                return LOW
            reached = [self.makers[i] for node in reached for i in node.input if i in self.makers]
        return MIDDLE

    def _softmax(self, node: Any) -> None:
        """Replace a softmax by steps that every CPU rounds alike.

        The runtime's own softmax sums in an order of its own.
        """
        scores, out = node.input[0], node.output[0]
        last = self._constant("last", [-1], np.int64)
        self._add("ReduceMax", [scores, last], f"{out}.max", keepdims=1)
        self._add("Sub", [scores, f"{out}.max"], f"{out}.below")
        self._add("Exp", [f"{out}.below"], f"{out}.parts")
        self._add("Cast", [f"{out}.parts"], f"{out}.doubles", to=11)
        self._add("ReduceSum", [f"{out}.doubles", last], f"{out}.sum", keepdims=1)
        self._add("Cast", [f"{out}.sum"], f"{out}.whole", to=1)
        self._add("Div", [f"{out}.parts", f"{out}.whole"], out)

    def _table(self, node: Any) -> None:
        """Replace an embedding table by one with a scale for each row."""
        table, scales = self._weights(node.input[0], 1)
        out = node.output[0]
        self._add("Gather", [table, node.input[1]], f"{out}.int8", axis=0)
        self._add("Gather", [scales, node.input[1]], f"{out}.scales", axis=0)
        self._add("Cast", [f"{out}.int8"], f"{out}.floats", to=1)
        self._add("Mul", [f"{out}.floats", f"{out}.scales"], out)
