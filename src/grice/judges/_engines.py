"""A checkpoint made ready: its tokeniser, the engine that runs it and the engine's token budget; and how it computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grice.judges._batching import Engine, Tokens
from grice.judges._checkpoint import Checkpoint


@dataclass(frozen=True)
class Ready:
    tokens: Tokens
    engine: Engine
    budget: int
    notes: Mapping[str, str] = field(default_factory=dict)


def told(graph: Path | None, *, device: str, dtype: str, what: str) -> dict[str, str]:
    """What of the arithmetic could change an answer, for a judge's identity."""
    from grice.judges import _integers, _torch

    return _integers.told(graph) if graph else _torch.told(device, dtype, what=what)


def arithmetic(graph: Path | None, *, device: str, dtype: str, what: str) -> dict[str, str]:
    """Engine, precision and machine, for a run to note."""
    from grice.judges import _integers, _torch

    return _integers.arithmetic(graph) if graph else _torch.arithmetic(device, dtype, what=what)


def by_onnx(found: Checkpoint, graph: Path, *, longest: int, threads: int) -> Ready:
    from tokenizers import Tokenizer

    from grice.judges._integers import advice
    from grice.judges._onnx import BUDGET, Onnx

    engine = Onnx(graph, threads=threads)
    tokenizer = Tokenizer.from_file(str(found.tokenizer_file()))
    tokens = Tokens(tokenizer, pad=found.pad, longest=longest, names=engine.names)
    return Ready(tokens, engine, BUDGET, advice(graph))


def by_torch(
    found: Checkpoint,
    auto: str,
    read: Callable[[Any], Any],
    *,
    longest: int,
    device: str,
    dtype: str,
    what: str,
) -> Ready:
    from grice.judges._torch import Torch, load, place, tokenizer

    where = place(device, dtype, what=what)
    found.torch_files()
    words = tokenizer(found.folder)
    model = load(auto, found.folder, where)
    tokens = Tokens(words.backend_tokenizer, pad=found.pad, longest=longest, names=words.model_input_names)
    return Ready(tokens, Torch(model, where, read), where.budget)
