"""Batches of prompts for a local model: windows of tokenised prompts, packed by length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grice.judges.causal import Causal
from grice.judges.continuations import Continuations, Ids, shared_start, width_of
from grice.judges.local_asking import PromptUnit
from grice.models.batching import split_by_budget

# Prompts tokenised together: few at first for an early start, then enough for batches of similar
# lengths.
WINDOW = 1024
# Tokens of a batch of prompts that are read together: their widths differ, and small batches need
# less padding.
BUNDLED = 768


@dataclass(frozen=True)
class PromptBatch:
    """Prompts that are read together, with the tokens that all of a window share.

    The shared tokens are None for a prompt that is too long; `longest` is the length of the
    window's longest prompt.
    """

    units: list[PromptUnit]
    rows: list[Continuations]
    start: Ids | None
    longest: int


@dataclass(frozen=True)
class PromptPacker:
    """Order and packing of prompts for a model; `batch_tokens` overrides the device's budget."""

    model: Causal
    budget: int
    batch_tokens: int

    def windows(self, units: Sequence[PromptUnit]) -> Iterator[list[PromptUnit]]:
        """Yield units in windows, of which the first is small for an early start.

        Units are sorted by premise if prompts with a shared beginning are read as one, else by
        length, which makes rows even.
        """
        order = sorted(
            units,
            key=lambda u: (
                u[1].context,
                u[0][0] if self.model.bundles else -len(u[0][0]) - len(u[0][1] or ""),
            ),
        )
        size, at = WINDOW, 0
        while at < len(order):
            yield order[at : at + size]
            at, size = at + size, max(WINDOW, self.budget // 8)

    def pack(
        self, window: Sequence[PromptUnit], rows: Sequence[Continuations], fits: list[int]
    ) -> Iterator[PromptBatch]:
        """Yield the prompts of a window that fit in batches of similar lengths."""
        if not fits:
            return
        model = self.model
        fits.sort(key=lambda i: rows[i].prompt if model.bundles else 0)
        # At least one token of each prompt is read after the cache: its scores are needed.
        start = min(
            shared_start([rows[i].prompt for i in fits]), min(len(rows[i].prompt) for i in fits) - 1
        )
        longest = max(rows[i].length for i in fits)
        skip = start if model.bundles and model.can_begin(start, longest) else 0
        groups = self._groups(rows, fits, skip)
        widths = [width_of([rows[i] for i in items], same) for same, items in groups]
        room = min(self.budget, BUNDLED) if model.bundles else self.budget
        for batch in split_by_budget(widths, self.batch_tokens or room):
            chosen = [i for number in batch for i in groups[number][1]]
            yield PromptBatch(
                [window[i] for i in chosen],
                [rows[i] for i in chosen],
                rows[fits[0]].prompt[:start],
                longest,
            )

    def _groups(
        self, rows: Sequence[Continuations], fits: Sequence[int], skip: int
    ) -> list[tuple[int, list[int]]]:
        """Return the prompts that are read as one, with the tokens they share after `skip`."""
        if not self.model.bundles:
            return [(0, [i]) for i in fits]
        grouped = self.model.group([rows[i] for i in fits], skip)
        return [(n, [fits[i] for i in items]) for n, items in grouped]
