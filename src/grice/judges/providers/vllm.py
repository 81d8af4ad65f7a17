"""Causal language models by vLLM in this process: the prompts and readouts of `hf/…`, with vLLM's batching."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from grice.core.errors import GriceError, InputError
from grice.core.settings import with_settings
from grice.judges.continuations import Continuations
from grice.judges.local_asking import HfSettings
from grice.judges.providers.hf import Hf
from grice.models.batching import Array

# Beyond these a batch waits in vLLM's own queue.
BUDGET = 1 << 20


@with_settings(HfSettings)
class Vllm(Hf):
    """`vllm/NAME`: each prompt with each label scored by vLLM; takes what `hf/…` takes.

    Needs a GPU that vLLM supports and `pip install vllm`, which brings its own torch: use an environment of its own. Reasoning
    and written answers are those of a server: start `vllm serve NAME` and use `openai/NAME -M url=http://127.0.0.1:8000/v1`.
    """

    def __init__(self, name: str, **settings: Any) -> None:
        super().__init__(name, **settings)
        self.name = f"vllm/{name}"
        if self.settings.readout == "text" or any(method.think for method in self.methods.methods):
            served = "vllm serve NAME, then openai/NAME -M url=http://127.0.0.1:8000/v1"
            raise InputError(f"{self.name} scores label texts; for written answers and reasoning use {served}")
        if find_spec("vllm") is None:
            fact = "needs the package vllm and a GPU that it supports, in an environment of its own"
            raise GriceError(
                f"{self.name} {fact}; install it there with: pip install vllm 'grice[hf]', or use hf/{name}"
            )

    @cached_property
    def _loaded(self) -> Any:
        """The engine, and no limit on a batch: vLLM has its own."""
        return VllmScores(str(self.checkpoint.folder), self.settings), BUDGET


class VllmScores:
    """Log-probabilities of endings by vLLM: each whole text is a prompt whose own log-probabilities are asked for."""

    bundles = False

    def __init__(self, folder: str, settings: HfSettings) -> None:
        from vllm import LLM, SamplingParams

        names = {"": "float32", "fp32": "float32", "bf16": "bfloat16", "fp16": "float16", "auto": "auto"}
        self.model = LLM(folder, dtype=names[settings.dtype], enable_prefix_caching=True, trust_remote_code=False)
        self.params = SamplingParams(max_tokens=1, prompt_logprobs=0, temperature=0)

    def begin(self, *_: Any) -> None:
        """Nothing: shared beginnings are found by vLLM itself."""

    def score(self, batch: Sequence[Continuations], _: None = None) -> VllmReply:
        """For each prompt the log-probability of each of its endings."""
        texts = [{"prompt_token_ids": row.prompt + end} for row in batch for end in row.endings]
        return VllmReply(batch, self.model.generate(texts, self.params, use_tqdm=False))


class VllmReply:
    """What vLLM gave for a batch."""

    def __init__(self, batch: Sequence[Continuations], outputs: Sequence[Any]) -> None:
        self.batch, self.outputs = batch, outputs

    def read(self) -> Array:
        """A row for each prompt, a column for each of its endings."""
        import numpy as np

        found, outputs = [], iter(self.outputs)
        for row in self.batch:
            line = []
            for end in row.endings:
                logs = next(outputs).prompt_logprobs[len(row.prompt) :]
                line.append(sum(at[token].logprob for at, token in zip(logs, end, strict=True)))
            found.append(line)
        return np.array(found)
