"""Token usage of replies (in, out, cached, written to the cache, reasoning) and its price."""

from __future__ import annotations

import json
import math
import operator
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Usage:
    """Tokens of replies; `cached` and `written` are parts of `into`, `reasoned` of `out`."""

    into: int = 0
    out: int = 0
    cached: int = 0
    written: int = 0
    reasoned: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*map(operator.add, vars(self).values(), vars(other).values()))

    @staticmethod
    def read(usage: Any) -> Usage | None:
        """Return the `usage` of a completion, or None if it is missing or no count of tokens."""
        if not isinstance(usage, Mapping):
            return None
        into = usage.get("prompt_tokens_details") or {}
        out = usage.get("completion_tokens_details") or {}
        try:
            counts = [
                usage.get("prompt_tokens"),
                usage.get("completion_tokens"),
                into.get("cached_tokens"),
                into.get("written_tokens"),
                out.get("reasoning_tokens"),
            ]
            tokens = [int(count or 0) for count in counts]
        except (AttributeError, TypeError, ValueError, OverflowError):
            return None
        return Usage(*tokens) if 0 <= min(tokens) <= max(tokens) < 2**53 else None


@dataclass(frozen=True)
class Price:
    """Price of a million tokens, read from or written to a cache too; `batch` is a factor."""

    into: float = 0.0
    out: float = 0.0
    cached: float | None = None
    written: float | None = None
    batch: float = 1.0

    def __post_init__(self) -> None:
        if not all(0 <= value < math.inf for value in vars(self).values() if value is not None):
            raise ValueError("a price is a number from 0 up")

    def cost(self, used: Usage, *, batched: bool = False) -> float:
        """Return the cost of this usage."""
        cached = self.into if self.cached is None else self.cached
        written = self.into if self.written is None else self.written
        plain = used.into - used.cached - used.written
        per_million = (
            plain * self.into + used.cached * cached + used.written * written + used.out * self.out
        )
        return per_million * (self.batch if batched else 1.0) / 1e6


def sum_replies(
    raws: Iterable[str], asides: Iterable[Mapping[str, Any]], price: Price | None
) -> dict[str, Any]:
    """Return requests, tokens, cost, models and constraints over all stored replies of a run."""
    totals = {False: Usage(), True: Usage()}
    requests, models, constraints = 0, Counter[str](), Counter[str]()
    for replies in (list(asides), *map(json.loads, raws)):
        # A server that counts tokens does so once per request; otherwise the first reply to each
        # request counts.
        has_usage = any("tokens" in reply for reply in replies)
        for reply in replies:
            requests += "tokens" in reply or not (
                has_usage or reply.get("failure") or reply.get("further")
            )
            more = (reply.get(key, 0) for key in ("cached", "written", "reasoned"))
            totals[bool(reply.get("batched"))] += Usage(*reply.get("tokens", (0, 0)), *more)
            models.update(filter(None, [reply.get("served")]))
            constraints.update(filter(None, [reply.get("constrained")]))
    total, batched = totals[False] + totals[True], totals[True]
    summary: dict[str, Any] = {
        "answered requests": requests,
        "tokens in": total.into,
        "tokens out": total.out,
    }
    where_any = {
        "tokens cached": total.cached,
        "tokens written to the cache": total.written,
        "tokens of reasoning": total.reasoned,
        "tokens by batch": batched.into + batched.out,
    }
    summary |= {name: count for name, count in where_any.items() if count}
    if price is not None:
        summary["cost"] = round(price.cost(totals[False]) + price.cost(batched, batched=True), 6)
    if models:
        summary["served model"] = ", ".join(sorted(models))
    if constraints:
        by = ", ".join(f"{name} ({count:,})" for name, count in sorted(constraints.items()))
        summary["constrained by"] = by
    return summary
