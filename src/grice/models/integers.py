"""Integer products of an ONNX graph, in the form that is exact and fastest on this CPU.

An x86 CPU without VNNI multiplies unsigned by signed bytes with an instruction that saturates at 16
bits. Unsigned by unsigned is exact everywhere, but slower where the other is exact too. Flipping
the highest bit of a byte and of its zero point converts one form to the other with the same sums.
"""

from __future__ import annotations

import mmap
import platform
from collections.abc import Iterator, Mapping, Sequence
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
# A node of a graph: its operator, inputs and outputs.
GraphNode = tuple[str, list[str], list[str]]
HIGHEST = 128
ADVICE = (
    "an older int8 graph, whose softmax rounds differently on other CPUs; for one answer everywhere"
    " export it again"
)
# One MatMulInteger of uint8 "a" and int8 "b", as the onnx package writes it; the base install has
# no such package.
PROBE = (
    b'\x08\x08:b\n\x18\n\x01a\n\x01b\x12\x01c"\rMatMulInteger\x12\x01gZ\x15\n\x01a'
    b"\x12\x10\n\x0e\x08\x02\x12\n\n\x03\x12\x01m\n\x03\x12\x01kZ\x15\n\x01b"
    b"\x12\x10\n\x0e\x08\x03\x12\n\n\x03\x12\x01k\n\x03\x12\x01nb\x15\n\x01c\x12\x10\n\x0e\x08\x06"
    b"\x12\n\n\x03\x12\x01m\n\x03\x12\x01nB\x04\n\x00\x10\r"
)


@dataclass(frozen=True)
class ByteTensor:
    """Constant of a graph: its type, and the positions of that type and its bytes in the file."""

    kind: int
    at: int
    start: int
    end: int


@dataclass(frozen=True)
class IntegerProducts:
    """Constants of a graph's integer products.

    `loose` is true where each of them can take the other form.
    """

    constants: tuple[ByteTensor, ...] = ()
    loose: bool = True
    fused: bool = False

    def __bool__(self) -> bool:
        return bool(self.constants)

    def all(self, kind: int) -> bool:
        """Return whether all constants are of this type."""
        return all(tensor.kind == kind for tensor in self.constants)


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
        return convert_integers(path, products, wanted)
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


def convert_integers(path: Path, products: IntegerProducts, kind: int) -> bytes:
    """Return the file's bytes with the integers as this kind."""
    parts, last = [], 0
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        changes = [(t.at, t.at + 1, bytes([kind])) for t in products.constants if t.kind != kind]
        for tensor in products.constants:
            if tensor.kind != kind:
                flipped = np.frombuffer(data[tensor.start : tensor.end], dtype=np.uint8) ^ HIGHEST
                changes.append((tensor.start, tensor.end, flipped.tobytes()))
        for start, end, new in sorted(changes):
            parts += [data[last:start], new]
            last = end
        return b"".join([*parts, data[last:]])


def find_products(path: Path) -> IntegerProducts:
    """Return the integer products of a graph file.

    They are empty where the file is no graph; the runtime reports that better.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _find_products(data)
    except (ValueError, IndexError, OSError):
        return IntegerProducts()


def _read_graph(data: mmap.mmap) -> tuple[list[GraphNode], dict[str, ByteTensor]]:
    """Return the nodes of a graph, and its constants of bytes."""
    nodes: list[GraphNode] = []
    constants: dict[str, ByteTensor] = {}
    for graph in (span for number, *span in _fields(data, 0, len(data)) if number == 7):
        for number, start, end in _fields(data, *graph):
            if number == 1:
                nodes.append(_node(data, start, end))
            elif number == 5:
                constants |= _tensor(data, start, end)
    return nodes, constants


def _find_products(data: mmap.mmap) -> IntegerProducts:
    nodes, constants = _read_graph(data)
    made_unsigned = {outputs[0] for kind, _, outputs in nodes if kind == "DynamicQuantizeLinear"}
    matrices: dict[str, ByteTensor] = {}
    loose, elsewhere = True, set()
    for kind, inputs, _ in nodes:
        weights, zero, rows = PRODUCTS.get(kind, (len(inputs), len(inputs), None))
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
    fused = any(kind in FUSED for kind, *_ in nodes)
    return IntegerProducts(tuple(matrices.values()), loose, fused)


def _can_flip(tensors: Sequence[ByteTensor]) -> bool:
    """Return whether these constants are of one type, with their bytes in this file."""
    return len({tensor.kind for tensor in tensors}) == 1 and all(
        tensor.end > tensor.start for tensor in tensors
    )


def _kind(constants: Mapping[str, ByteTensor], inputs: list[str], index: int) -> int:
    tensor = constants.get(inputs[index]) if index < len(inputs) else None
    return tensor.kind if tensor else 0


def _node(data: mmap.mmap, start: int, end: int) -> GraphNode:
    """Return a node's kind, inputs and outputs."""
    kind, inputs, outputs = "", [], []
    for number, first, last in _fields(data, start, end):
        if number == 1:
            inputs.append(data[first:last].decode())
        elif number == 2:
            outputs.append(data[first:last].decode())
        elif number == 4:
            kind = data[first:last].decode()
    return kind, inputs, outputs


def _tensor(data: mmap.mmap, start: int, end: int) -> dict[str, ByteTensor]:
    """Return a constant by its name, if it consists of bytes.

    Constants stored in another file have an empty span.
    """
    name, kind, at, first, last = "", 0, 0, 0, 0
    for number, begin, stop in _fields(data, start, end):
        if number == 2:
            kind, at = data[begin], begin
        elif number == 8:
            name = data[begin:stop].decode()
        elif number == 9:
            first, last = begin, stop
    return {name: ByteTensor(kind, at, first, last)} if kind in (UINT8, INT8) else {}


def _fields(data: mmap.mmap, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield number, start and end of each field of a protobuf message."""
    while start < end:
        tag, start = _number(data, start)
        if tag & 7 == 2:
            size, start = _number(data, start)
            stop = start + size
        elif tag & 7 == 0:
            stop = _number(data, start)[1]
        else:
            stop = start + {1: 8, 5: 4}.get(tag & 7, end)
        if stop > end:
            raise ValueError("not a protobuf message")
        yield tag >> 3, start, stop
        start = stop


def _number(data: mmap.mmap, start: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[start]
        number |= (byte & 127) << shift
        start, shift = start + 1, shift + 7
        if byte < 128:
            return number, start
