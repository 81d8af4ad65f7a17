"""Loaded checkpoints: tokeniser, engine, token budget and arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from grice.core.errors import InputError
from grice.core.settings import setting
from grice.models.batching import ScoringEngine, Tokens
from grice.models.checkpoint import Checkpoint


@dataclass(frozen=True)
class EngineSettings:
    """Device and batch sizes of a model; 0 and empty text mean the engine's default."""

    device: str = ""
    dtype: str = ""
    max_length: int = setting(0, low=0)
    batch_tokens: int = setting(0, low=0)
    threads: int = setting(0, low=0)

    def longest(self, checkpoint: Checkpoint) -> int:
        """Return how many tokens of a text are read: the model's maximum, or less if asked for."""
        return min(self.max_length or checkpoint.longest, checkpoint.longest)


@dataclass(frozen=True)
class LoadedModel:
    """Model with its tokeniser, its token budget per batch, and what a user should know of it."""

    tokens: Tokens
    engine: ScoringEngine
    budget: int
    notes: Mapping[str, str] = field(default_factory=dict)


class Precision(Protocol):
    """Device and precision of a model."""

    @property
    def device(self) -> str:
        """Device as in `-M device=`; empty for the best available."""

    @property
    def dtype(self) -> str:
        """Precision as in `-M dtype=`; empty for fp32."""


def arithmetic_identity(graph: Path | None, settings: Precision, *, what: str) -> dict[str, str]:
    """Return what of the arithmetic could change an answer, for a judge's identity."""
    from grice.models import integers, torch

    if graph:
        return integers.arithmetic_identity(graph)
    return torch.arithmetic_identity(settings.device, settings.dtype, what=what)


def describe_arithmetic(graph: Path | None, settings: Precision, *, what: str) -> dict[str, str]:
    """Return engine, precision and machine, for a run to note."""
    from grice.models import integers, torch

    if graph:
        return integers.describe_arithmetic(graph)
    return torch.describe_arithmetic(settings.device, settings.dtype, what=what)


def load_onnx(checkpoint: Checkpoint, graph: Path, settings: EngineSettings) -> LoadedModel:
    """Load a graph of a checkpoint for ONNX Runtime."""
    from tokenizers import Tokenizer

    from grice.models.integers import graph_warnings
    from grice.models.onnx import BUDGET, Onnx

    engine = Onnx(graph, threads=settings.threads)
    file = checkpoint.tokenizer_file()
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises a plain Exception
        raise InputError(
            f"{file}: not a tokenizer ({str(error)[:200]}); save the model again"
        ) from None
    tokens = Tokens(
        tokenizer, pad=checkpoint.pad, longest=settings.longest(checkpoint), names=engine.names
    )
    return LoadedModel(tokens, engine, settings.batch_tokens or BUDGET, graph_warnings(graph))


def load_torch(
    checkpoint: Checkpoint,
    auto: str,
    read: Callable[[Any], Any],
    settings: EngineSettings,
    *,
    what: str,
) -> LoadedModel:
    """Load a checkpoint's weights for torch.

    `auto` is a class of transformers, `read` takes the scores from its output.
    """
    from grice.models.torch import Torch, choose_device, load, tokenizer

    device = choose_device(settings.device, settings.dtype, what=what)
    checkpoint.torch_files()
    text_tokenizer = tokenizer(checkpoint.folder)
    model = load(auto, checkpoint.folder, device)
    longest = settings.longest(checkpoint)
    tokens = Tokens(
        text_tokenizer.backend_tokenizer,
        pad=checkpoint.pad,
        longest=longest,
        names=text_tokenizer.model_input_names,
    )
    return LoadedModel(tokens, Torch(model, device, read), settings.batch_tokens or device.budget)
