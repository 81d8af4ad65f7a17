"""Label orders: balanced over the items, so that a preference for a position can be estimated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from grice.judges.methods import Method, MethodSet
from grice.judges.prompts import order_labels
from grice.judges.reply_text import LETTERS


def assign_orders(
    method: Method, ids: Sequence[str], labels: Sequence[str], seed: int
) -> dict[str, Method]:
    """Return a method for each item that differs in the order of the labels.

    Each rotation is used equally often, in rounds of newly drawn order. The points of a scale keep
    their order.
    """
    is_scale = all(re.fullmatch(r"[-+]?\d+(\.\d+)?", label) for label in labels)
    count = 1 if is_scale else len(labels)
    rotations = tuple(
        Method(method.wording, method.readout, method.labels, str(order), method.context)
        for order in range(count)
    )
    assigned = MethodSet(rotations, 1).assign(ids, seed)
    return {item: methods[0] for item, methods in assigned.items()}


class PositionCounts:
    """How often the answer stood at each position of the options."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.n_labels = 0

    def add(self, labels: Sequence[str], order: int, answer: object) -> None:
        """Count an answer to a prompt that showed the labels in an order."""
        options = order_labels(tuple(labels), order)
        if answer in options:
            self.n_labels = max(self.n_labels, len(options))
            self.counts[options.index(str(answer))] += 1

    @property
    def bias(self) -> float | None:
        """Total variation distance of the positions from equal use: 0 is none; None is unknown."""
        n = self.counts.total()
        if not n or self.n_labels < 2:
            return None
        return sum(abs(self.counts[i] / n - 1 / self.n_labels) for i in range(self.n_labels)) / 2

    def notes(self) -> Mapping[str, object]:
        """Return the shares of the positions and the bias; nothing without answers."""
        if self.bias is None:
            return {}
        n = self.counts.total()
        shares = ", ".join(
            f"{LETTERS[i]} {self.counts[i] / n:.1%}" for i in range(min(self.n_labels, 5))
        )
        return {"answers by position": shares, "position bias": round(self.bias, 4)}
