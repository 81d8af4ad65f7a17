"""A checkpoint made ready: its tokeniser, the engine that runs it and the engine's token budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grice.models.batching import Engine, Tokens
from grice.models.checkpoint import Checkpoint


@dataclass(frozen=True)
class Ready:
    tokens: Tokens
    engine: Engine
    budget: int


def by_onnx(found: Checkpoint, graph: Path, *, longest: int, threads: int) -> Ready:
    from tokenizers import Tokenizer

    from grice.models.onnx import BUDGET, Onnx

    engine = Onnx(graph, threads=threads)
    tokenizer = Tokenizer.from_file(str(found.tokenizer_file()))
    tokens = Tokens(tokenizer, pad=found.pad, longest=longest, names=engine.names)
    return Ready(tokens, engine, BUDGET)


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
    from grice.models.torch import Torch, load, place, tokenizer

    where = place(device, dtype, what=what)
    found.torch_files()
    words = tokenizer(found.folder)
    model = load(auto, found.folder, where)
    tokens = Tokens(words.backend_tokenizer, pad=found.pad, longest=longest, names=words.model_input_names)
    return Ready(tokens, Torch(model, where, read), where.budget)
