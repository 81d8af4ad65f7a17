"""Log-probabilities of several continuations of a prompt, with everything they share computed once."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from grice.core.errors import InputError
from grice.models.torch import run_within_memory

Ids = list[int]


@dataclass(frozen=True)
class Continuations:
    """A prompt in tokens and, for each label, the tokens that go on from it."""

    prompt: Ids
    endings: list[Ids]

    @property
    def length(self) -> int:
        """Tokens of the prompt with its longest ending."""
        return len(self.prompt) + max(map(len, self.endings))


@dataclass(frozen=True)
class PrefixCache:
    """What a model has read: its keys and values, and which of them are padding."""

    cache: Any
    mask: Any


def split_endings(prompt: Ids, wholes: Sequence[Ids]) -> Continuations:
    """Split each whole where it stops agreeing with the prompt: a label may change how the prompt's end is cut."""
    shared = min([shared_start([prompt, whole]) for whole in wholes] + [len(whole) - 1 for whole in wholes])
    return Continuations(wholes[0][:shared], [whole[shared:] for whole in wholes])


def shared_start(rows: Sequence[Ids]) -> int:
    """How many tokens all rows begin with."""
    first, last = min(rows), max(rows)
    return next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))


class Causal:
    """A causal model that reads a shared beginning once, each prompt once, and each label after it."""

    def __init__(self, model: Any, pad: int) -> None:
        self.model, self.pad = model, pad
        self.device = model.device

    def begin(self, start: Ids) -> PrefixCache | None:
        """The beginning that all prompts share, read once."""
        import torch

        with torch.inference_mode():
            return self._read(None, [start])[1] if start else None

    def score(self, batch: Sequence[Continuations], begun: PrefixCache | None, start: int) -> list[list[float]]:
        """For each prompt the log-probability of each of its endings; `start` tokens of it are in `begun`."""
        parts = run_within_memory(lambda part: self._scores(batch[part], begun, start), 0, len(batch))
        return [row for part in parts for row in part]

    def _scores(self, batch: Sequence[Continuations], begun: PrefixCache | None, start: int) -> list[list[float]]:
        import torch

        with torch.inference_mode():
            before = self._spread(begun, len(batch)) if begun else None
            logits, seen = self._read(before, [row.prompt[start:] for row in batch])
            first = torch.log_softmax(logits[:, -1].float(), dim=-1)
            found = [[float(first[i, end[0]]) for end in row.endings] for i, row in enumerate(batch)]
            if any(len(end) > 1 for row in batch for end in row.endings):
                self._add_rest(found, batch, seen)
        return found

    def _add_rest(self, found: list[list[float]], batch: Sequence[Continuations], seen: PrefixCache) -> None:
        """Add the second and later tokens of each ending, all endings of a prompt on its one cache."""
        import torch

        labels = len(batch[0].endings)
        ends = [end for row in batch for end in row.endings]
        logits, _ = self._read(self._spread(seen, labels), [end[:-1] for end in ends], every=True)
        table = torch.log_softmax(logits.float(), dim=-1)
        for number, end in enumerate(ends):
            rest = sum(float(table[number, place, token]) for place, token in enumerate(end[1:]))
            found[number // labels][number % labels] += rest

    def _read(self, seen: PrefixCache | None, rows: Sequence[Ids], *, every: bool = False) -> tuple[Any, PrefixCache]:
        """Read rows after what was seen. Prompts are padded in front, so that the last column ends them all;
        endings, of which every position counts, are padded behind.
        """
        import torch

        width = max(1, *map(len, rows))
        ids = torch.full((len(rows), width), self.pad)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for place, row in enumerate(rows):
            where = slice(0, len(row)) if every else slice(width - len(row), width)
            ids[place, where] = torch.tensor(row, dtype=torch.long)
            mask[place, where] = 1
        ids, mask = ids.to(self.device), mask.to(self.device)
        whole = mask if seen is None else torch.cat([seen.mask, mask], dim=1)
        positions = (whole.cumsum(dim=1) - 1).clamp(min=0)[:, -width:]
        how = {"past_key_values": seen and seen.cache, "use_cache": True, "logits_to_keep": 0 if every else 1}
        output = self.model(input_ids=ids, attention_mask=whole, position_ids=positions, **how)
        return output.logits, PrefixCache(output.past_key_values, whole)

    def _spread(self, seen: PrefixCache, times: int) -> PrefixCache:
        """The same for several rows; the original stays as it is."""
        if not hasattr(seen.cache, "batch_repeat_interleave"):
            kind = type(self.model).__name__
            raise InputError(f"{kind} keeps no keys and values that can be shared; use an attention model")
        cache = deepcopy(seen.cache)
        cache.batch_repeat_interleave(times)
        return PrefixCache(cache, seen.mask.repeat_interleave(times, dim=0))
