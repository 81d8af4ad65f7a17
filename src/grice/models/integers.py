"""Integer products of an ONNX graph, in the form that is exact and fastest on this CPU.

An x86 CPU without VNNI multiplies unsigned by signed bytes with an instruction that saturates at 16
bits. Unsigned by unsigned is exact everywhere, but slower where the other is exact too. Flipping
the highest bit of a byte and of its zero point converts one form to the other with the same sums.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.errors import InputError

# Where a product has its constant matrix, that matrix's zero point, and the zero point of its rows.
PRODUCTS = {
    "MatMulInteger": (1, 3, 2),
    "MatMulIntegerToFloat": (1, 5, 4),
    "DynamicQuantizeMatMul": (1, 3, None),
}
# Operators whose float sums depend on the CPU's order of additions.
FUSED = ("Softmax", "Attention", "QAttention", "MultiHeadAttention")
UINT8, INT8 = 2, 3
HIGHEST = 128
ADVICE = (
    "an older int8 graph, whose softmax rounds differently on other CPUs; for one answer everywhere"
    " export it again"
)
# What is read of a graph: by message the number, name and type of each field (a repeated one is
# marked by *). Other fields stay as they are.
MESSAGES = {
    "Model": "7 graph Graph",
    "Graph": "1 node* Node, 5 initializer* Tensor",
    "Node": "1 input* string, 2 output* string, 4 op_type string",
    "Tensor": "2 data_type int32, 8 name string, 9 raw_data bytes",
}
TYPES = {"int32": 5, "string": 9, "bytes": 12}
# One MatMulInteger of uint8 "a" and int8 "b", as the onnx package writes it; the base install has
# no such package.
PROBE = (
    b'\x08\x08:b\n\x18\n\x01a\n\x01b\x12\x01c"\rMatMulInteger\x12\x01gZ\x15\n\x01a'
    b"\x12\x10\n\x0e\x08\x02\x12\n\n\x03\x12\x01m\n\x03\x12\x01kZ\x15\n\x01b"
    b"\x12\x10\n\x0e\x08\x03\x12\n\n\x03\x12\x01k\n\x03\x12\x01nb\x15\n\x01c\x12\x10\n\x0e\x08\x06"
    b"\x12\n\n\x03\x12\x01m\n\x03\x12\x01nB\x04\n\x00\x10\r"
)


@dataclass(frozen=True)
class IntegerProducts:
    """Constants of a graph's integer products.

    `loose` is true where each of them can take the other form.
    """

    graph: Any = None
    constants: tuple[Any, ...] = ()
    loose: bool = True
    fused: bool = False

    def __bool__(self) -> bool:
        return bool(self.constants)

    def all(self, kind: int) -> bool:
        """Return whether all constants are of this type."""
        return all(tensor.data_type == kind for tensor in self.constants)


def adapt_graph(path: Path) -> str | bytes:
    """Return the graph as this CPU should run it.

    This is the path of the file, or its bytes with the integers in the other form.
    """
    products = find_products(path)
    if not products:
        return str(path)
    wanted = UINT8 if saturates() else INT8
    if products.all(wanted):
        return str(path)
    if products.loose:
        return convert_integers(path, wanted)
    if wanted == UINT8:
        raise InputError(
            f"{path}: has signed 8-bit weights, whose products this CPU cuts off at 16 bits; export"
            " it again with grice export-onnx, or use -M engine=torch"
        )
    return str(path)


@cache
def saturates() -> bool:
    """Return whether ONNX Runtime on this CPU saturates products of unsigned with signed bytes.

    It is found by trying one.
    """
    import onnxruntime

    session = onnxruntime.InferenceSession(PROBE, providers=["CPUExecutionProvider"])
    signed = np.full((64, 64), 127, dtype=np.int8)
    signed[:, ::2] = -127
    # The runtime has different code paths for one row and for several.
    for rows in (1, 16):
        unsigned = np.full((rows, 64), 255, dtype=np.uint8)
        exact = unsigned.astype(np.int32) @ signed.astype(np.int32)
        if (session.run(None, {"a": unsigned, "b": signed})[0] != exact).any():
            return True
    return False


def arithmetic_identity(path: Path) -> dict[str, str]:
    """Return what affects this graph's answers across machines: nothing for a float graph.

    Rounding to integers turns a difference in the last digit of a float into one in the third digit
    of a probability.
    """
    products = find_products(path)
    if not products:
        return {}
    return {"arithmetic": f"int8, {cpu_instructions() if products.fused else cpu_family()}"}


def graph_warnings(path: Path) -> dict[str, str]:
    """Return a warning for a graph whose answers may differ on another CPU."""
    products = find_products(path)
    return {"graph": ADVICE} if products and products.fused else {}


def cpu_family() -> str:
    """Return the CPU's architecture: x86_64, aarch64 or as the system calls it."""
    machine = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)


@cache
def cpu_instructions() -> str:
    """Return the CPU's family and the sets of vector instructions that numpy finds on it."""
    config: Any = np.show_config(mode="dicts")
    simd = (config or {}).get("SIMD Extensions", {})
    return " ".join([cpu_family(), *simd.get("baseline", ()), *simd.get("found", ())])


def describe_arithmetic(path: Path) -> dict[str, str]:
    """Return how a graph is computed here, for a run to note."""
    import onnxruntime

    if not find_products(path):
        kind = "as in the graph"
    else:
        kind = "int8, by unsigned weights" if saturates() else "int8, by signed weights"
    return {
        "engine": f"onnxruntime {onnxruntime.__version__}",
        "precision": kind,
        "cpu": cpu_instructions(),
    }


def convert_integers(path: Path, kind: int) -> bytes:
    """Return the graph's bytes with the integers as this kind."""
    products = find_products(path)
    for tensor in products.constants:
        if tensor.data_type != kind:
            flipped = np.frombuffer(tensor.raw_data, dtype=np.uint8) ^ HIGHEST
            tensor.data_type, tensor.raw_data = kind, flipped.tobytes()
    content: bytes = products.graph.SerializeToString()
    return content


def find_products(path: Path) -> IntegerProducts:
    """Return the integer products of a graph file.

    They are empty where the file is no graph; the runtime reports that better.
    """
    from google.protobuf.message import DecodeError

    try:
        model = _model_class().FromString(path.read_bytes())
    except (DecodeError, OSError):
        return IntegerProducts()
    return _find_products(model)


@cache
def _model_class() -> Any:
    """Return the protobuf class of an ONNX model, with the fields of `MESSAGES`."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name="graph.proto", package="graph", syntax="proto2")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, field, kind in (text.split() for text in fields.split(", ")):
            nested = {"type": 11, "type_name": f".graph.{kind}"}
            message.field.add(
                name=field.rstrip("*"),
                number=int(number),
                label=3 if field.endswith("*") else 1,
                **({"type": TYPES[kind]} if kind in TYPES else nested),
            )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("graph.Model"))


def _find_products(model: Any) -> IntegerProducts:
    """Return the int8 weights of a graph, and whether their sign can be flipped without loss."""
    nodes = model.graph.node
    constants = {t.name: t for t in model.graph.initializer if t.data_type in (UINT8, INT8)}
    made_unsigned = {n.output[0] for n in nodes if n.op_type == "DynamicQuantizeLinear"}
    matrices: dict[str, Any] = {}
    loose, elsewhere = True, set()
    for node in nodes:
        inputs = list(node.input)
        weights, zero, rows = PRODUCTS.get(node.op_type, (len(inputs), len(inputs), None))
        if weights >= len(inputs) or inputs[weights] not in constants:
            elsewhere.update(inputs)
            continue
        pair = [inputs[index] for index in (weights, zero) if index < len(inputs) and inputs[index]]
        elsewhere.update(set(inputs) - set(pair))
        known = {name: constants[name] for name in pair if name in constants}
        unsigned = (
            rows is None or inputs[0] in made_unsigned or _kind(constants, inputs, rows) == UINT8
        )
        loose &= len(known) == 2 and unsigned and _can_flip(list(known.values()))
        matrices |= known
    loose &= not elsewhere & set(matrices)
    fused = any(node.op_type in FUSED for node in nodes)
    return IntegerProducts(model, tuple(matrices.values()), loose, fused)


def _can_flip(tensors: Sequence[Any]) -> bool:
    """Return whether these constants are of one type, with their bytes in this file."""
    return len({tensor.data_type for tensor in tensors}) == 1 and all(
        tensor.raw_data for tensor in tensors
    )


def _kind(constants: Mapping[str, Any], inputs: list[str], index: int) -> int:
    tensor = constants.get(inputs[index]) if index < len(inputs) else None
    return tensor.data_type if tensor else 0
