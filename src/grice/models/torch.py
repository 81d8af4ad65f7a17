"""Engine of the extra `hf`: torch and transformers, on the CPU, CUDA or MPS."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from grice.core.errors import InputError, MissingExtra, NoMemory, first_line, unknown
from grice.core.progress import say
from grice.models.batching import Array, TokenBatch, prefetch
from grice.models.integers import cpu_family

T = TypeVar("T")
BUDGET = {"cpu": 2048, "cuda": 65536, "mps": 16384}
DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16", "auto": "auto"}
# Torch's names of the bf16 instructions, on x86 and on ARM.
BF16_FEATURES = ("avx512_bf16", "amx_bf16", "avx10_2", "bf16", "sve_bf16")
# Packages besides torch needed by each way to load a checkpoint.
PACKAGES = {"adapter": "peft", "quantise": "bitsandbytes"}
# Batches in flight: the device works on one while the next is on its way and the last is read.
DEPTH = 3
CRAMPED = "free some, or use -M device=cpu"


@dataclass(frozen=True)
class ComputeDevice:
    """Device and precision of a model."""

    device: str
    dtype: str

    @property
    def budget(self) -> int:
        """Number of tokens that a batch may have on the device."""
        return BUDGET[self.device.partition(":")[0]]


def choose_device(device: str, dtype: str, *, what: str) -> ComputeDevice:
    """Return the device asked for, or the best one available; fp32 unless set otherwise.

    `auto` is the checkpoint's own precision, but fp32 on a CPU that would have to emulate bf16.
    """
    if find_spec("torch") is None or find_spec("transformers") is None:
        raise MissingExtra(what, "hf")
    import torch

    devices = (
        ["cpu"] + ["cuda"] * torch.cuda.is_available() + ["mps"] * torch.backends.mps.is_available()
    )
    chosen = device or devices[-1]
    if chosen.partition(":")[0] not in devices:
        raise InputError(f"there is no device '{chosen}' here; use -M device={devices[-1]}")
    if (dtype or "fp32") not in DTYPES:
        raise unknown("precision", dtype, DTYPES)
    if chosen == "cpu" and dtype in ("auto", "bf16") and not has_bf16_instructions():
        consequence = (
            "dtype=auto is fp32 here" if dtype == "auto" else "leave out -M dtype=bf16 for fp32"
        )
        say(
            f"{what}: this CPU has no bf16 instructions, so bf16 is slower than fp32; {consequence}"
        )
        dtype = "fp32" if dtype == "auto" else dtype
    return ComputeDevice(chosen, dtype or "fp32")


def has_bf16_instructions() -> bool:
    """Return whether the CPU multiplies in bf16; False with an older torch that does not tell."""
    import torch

    features = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return any(features.get(name) for name in BF16_FEATURES)


def arithmetic_identity(device: str, dtype: str, *, what: str) -> dict[str, str]:
    """Return what affects these answers: the precision, and below fp32 the kind of device.

    In fp32 two machines differ in the sixth digit, as two sizes of a batch do on one.
    """
    if (dtype or "fp32") == "fp32":
        return {"dtype": "fp32"}
    where = choose_device(device, dtype, what=what)
    if where.dtype == "fp32":
        return {"dtype": "fp32"}
    return {"dtype": dtype, "device": where.device.partition(":")[0]}


def describe_arithmetic(device: str, dtype: str, *, what: str) -> dict[str, str]:
    """Return how torch computes here, for a run to note."""
    where = choose_device(device, dtype, what=what)
    import torch

    name = where.device.partition(":")[0]
    if name == "cuda":
        name = f"cuda, {torch.cuda.get_device_name(where.device)}"
    return {
        "engine": f"torch {torch.__version__}",
        "precision": where.dtype,
        "device": name,
        "cpu": f"{cpu_family()} {torch.backends.cpu.get_cpu_capability()}",
    }


def load(auto: str, folder: Any, where: ComputeDevice, **extra: Any) -> Any:
    """Load a model by one of transformers' Auto classes, on its device and in evaluation mode.

    Weights that the folder does not have are refused: transformers would draw them at random.
    """
    import torch
    import transformers
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    dtype = getattr(torch, DTYPES[where.dtype], "auto")
    options = {"dtype": dtype, "output_loading_info": True, "trust_remote_code": False, **extra}
    source, file = _source(folder)
    try:
        loaded = getattr(transformers, auto).from_pretrained(source, **options, **file)
    except Exception as error:  # each weight format raises its own exception
        why = first_line(error)
        raise InputError(
            f"{folder}: transformers cannot load it ({why}); check the folder"
        ) from None
    model, info = loaded
    # A sentence's vector is pooled from the last layer; the pooler of an encoder is not used.
    unused = "pooler." if auto == "AutoModel" else "\0"
    absent = sorted(name for name in info["missing_keys"] if not name.startswith(unused))
    absent += [str(key[0]) for key in info["mismatched_keys"]]
    if absent:
        remedy = (
            "name a checkpoint that was fine-tuned for pairs, or train one: grice train encoder"
        )
        raise InputError(
            f"{folder}: has no weights for {absent[0]}, and would answer at random; {remedy}"
        )
    if "device_map" in extra or "quantization_config" in extra:
        return model.eval()
    return move_to_device(
        where.device, model, f"{folder}: the device has no memory left for its weights; {CRAMPED}"
    ).eval()


def _source(path: Any) -> tuple[Any, dict[str, str]]:
    """Return what transformers loads a model from: a folder, or a GGUF file in one."""
    gguf = Path(path).suffix == ".gguf" and Path(path).is_file()
    return (Path(path).parent, {"gguf_file": Path(path).name}) if gguf else (path, {})


def load_causal(
    folder: Any,
    where: ComputeDevice,
    *,
    device_map: str = "",
    quantise: str = "",
    adapter: str = "",
) -> Any:
    """Load a causal model, optionally distributed, quantised or with a LoRA adapter.

    `device_map` distributes it over several devices, `quantise` applies while it is loaded.

    A checkpoint that was saved quantised (GPTQ, AWQ, bitsandbytes) says so itself and needs only
    its package.
    """
    for named, package in PACKAGES.items():
        if {"adapter": adapter, "quantise": quantise}[named] and find_spec(package) is None:
            raise InputError(
                f"-M {named} needs the package {package}; install it with: pip install {package}"
            )
    import transformers

    extra: dict[str, Any] = {"device_map": device_map} if device_map else {}
    if quantise:
        bits = {"load_in_8bit": quantise == "int8", "load_in_4bit": quantise == "int4"}
        make_config: Any = transformers.BitsAndBytesConfig
        extra["quantization_config"] = make_config(**bits)
    model = load("AutoModelForCausalLM", folder, where, **extra)
    if adapter:
        try:
            model.load_adapter(adapter)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            why = first_line(error)
            raise InputError(
                f"{adapter}: not an adapter for {folder} ({why}); check the folder"
            ) from None
    return model


def move_to_device(device: str, model: Any, message: str) -> Any:
    """Move the model to this device; `told` is the error if the device has no memory left."""
    try:
        return model.to(device)
    except RuntimeError as error:
        if not no_memory(error):
            raise
        raise NoMemory(message) from None


def no_memory(error: RuntimeError) -> bool:
    """Return whether this is a device's out-of-memory error."""
    return any(sign in str(error) for sign in ("out of memory", "MemoryAllocation", "ALLOC_FAILED"))


def release() -> None:
    """Free unused GPU memory, which this process would otherwise keep."""
    import torch

    if torch.cuda.is_available():
        gc.collect()
        torch.cuda.empty_cache()


def gguf_config(path: Path) -> dict[str, Any]:
    """Return the configuration that transformers reads from a GGUF file."""
    import transformers

    try:
        config = transformers.AutoConfig.from_pretrained(path.parent, gguf_file=path.name)
    except Exception as error:  # transformers and gguf raise errors of many kinds
        raise InputError(
            f"{path}: transformers cannot read it ({first_line(error)}). Start"
            f" 'llama-server -m {path}' and name http://127.0.0.1:8080."
        ) from None
    settings: dict[str, Any] = config.to_dict()
    return settings


def tokenizer(folder: Any) -> Any:
    """Return the tokeniser of a checkpoint, as transformers loads it."""
    import transformers

    source, extra = _source(folder)
    try:
        return transformers.AutoTokenizer.from_pretrained(source, trust_remote_code=False, **extra)
    except Exception as error:  # tokenizers raises a plain Exception for parse errors
        why = first_line(error)
        raise InputError(
            f"{folder}: transformers cannot load its tokenizer ({why}); check the folder"
        ) from None


def run_within_memory(run: Callable[[slice], T], first: int, last: int) -> list[T]:
    """Return the results of `run` on these rows, in parts if they exceed the device's memory."""
    try:
        return [run(slice(first, last))]
    except RuntimeError as error:
        if not no_memory(error):
            raise
    if last - first < 2:
        raise NoMemory(f"the device has no memory left for a single text; {CRAMPED}")
    # Only here: until now the exception kept references to the computed tensors.
    release()
    middle = (first + last) // 2
    return [*run_within_memory(run, first, middle), *run_within_memory(run, middle, last)]


@dataclass(frozen=True)
class PackedBatch:
    """Batch whose arrays are one tensor, so that one copy moves it to the device."""

    batch: TokenBatch
    names: tuple[str, ...]
    values: Any

    @staticmethod
    def pack(batch: TokenBatch, *, pinned: bool) -> PackedBatch:
        """Stack the arrays; if `pinned`, in memory that a device reads directly."""
        import torch

        values = torch.from_numpy(
            np.stack([array.astype(np.int32, copy=False) for array in batch.inputs.values()])
        )
        return PackedBatch(batch, tuple(batch.inputs), values.pin_memory() if pinned else values)


class Torch:
    """Engine that runs batches through a model; `read` takes the scores from its output.

    On a device, a thread prepares, packs and pins batches in advance; they are copied at once and
    read back late, so that neither side waits for the other. A batch that is too large for the
    device's memory is run in parts.
    """

    def __init__(self, model: Any, where: ComputeDevice, read: Callable[[Any], Any]) -> None:
        self.model, self.where, self.read = model, where, read
        self.on_cuda = where.device.startswith("cuda")

    def scores(self, batches: Iterable[TokenBatch]) -> Iterator[tuple[TokenBatch, Array]]:
        """Yield each batch with its scores, in the order given."""
        packed = (PackedBatch.pack(batch, pinned=self.on_cuda) for batch in batches)
        if self.where.device == "cpu":
            for pack in packed:
                yield pack.batch, _array(self._run(pack))
            return
        waiting: deque[tuple[TokenBatch, Any, Any]] = deque()
        lanes = cycle(self._lanes)
        for pack in prefetch(packed, DEPTH):
            waiting.append((pack.batch, *self._sent(pack, next(lanes))))
            if len(waiting) >= DEPTH:
                yield _done(waiting)
        while waiting:
            yield _done(waiting)

    @cached_property
    def _lanes(self) -> list[Any]:
        """CUDA streams used in turn; cached, because one stream cannot reuse the memory of another.

        There are two: transformers checks whether a mask masks anything, and so waits for its
        stream to finish. With a single stream the device would be idle while the next batch is
        launched.
        """
        import torch

        if not self.on_cuda:
            return [None]
        make_stream: Any = torch.cuda.Stream
        lanes = [make_stream(self.where.device) for _ in range(2)]
        for lane in lanes:  # the copy of the weights may still be running
            lane.wait_stream(torch.cuda.current_stream(self.where.device))
        return lanes

    def _run(self, packed: PackedBatch) -> Any:
        import torch

        moved = packed.values.to(self.where.device, non_blocking=self.on_cuda)

        def run(part: slice) -> Any:
            with torch.inference_mode():
                inputs = {
                    name: rows[part].long() for name, rows in zip(packed.names, moved, strict=True)
                }
                return self.read(self.model(**inputs)).float()

        parts = run_within_memory(run, 0, moved.shape[1])
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def _sent(self, packed: PackedBatch, lane: Any) -> tuple[Any, Any]:
        """Return the scores; on CUDA with the event that marks the end of their copy."""
        import torch

        if lane is None:
            return self._run(packed), None
        with torch.cuda.stream(lane):
            scores = self._run(packed).to("cpu", non_blocking=True)
            arrived = torch.cuda.Event()  # type: ignore[no-untyped-call]
            arrived.record(lane)
        return scores, arrived


def _done(waiting: deque[tuple[TokenBatch, Any, Any]]) -> tuple[TokenBatch, Array]:
    batch, scores, arrived = waiting.popleft()
    if arrived is not None:
        arrived.synchronize()
    return batch, _array(scores)


def _array(tensor: Any) -> Array:
    values: Array = tensor.cpu().numpy()
    return values
