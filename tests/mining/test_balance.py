"""Samples with the shares of a published set."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from grice.mining.balance import ADVERSARIAL, CONJNLI, PairCell, Shares, quotas, shortages
from grice.mining.sampling import Sampling, sample_lines

PLENTY: dict[PairCell, int] = {
    (word, operation, label): 4000
    for word in ("and", "or", "but")
    for operation in ("removed", "added", "replaced")
    for label in ("entailment", "neutral", "contradiction")
}


@pytest.mark.parametrize("shares", [CONJNLI, ADVERSARIAL])
def test_from_enough_text_every_share_is_met(shares: Shares) -> None:
    drawn = quotas(PLENTY, shares, 3000)
    assert sum(drawn.values()) == 3000
    for index, dimension in enumerate(shares.dimensions):
        for value, share in dimension.items():
            count = sum(k for cell, k in drawn.items() if cell[index] == value)
            assert abs(count - 3000 * share) <= len(PLENTY)
    assert set(shortages(drawn, shares, 3300)) >= {"or", "neutral"}


def test_what_the_text_lacks_is_named_and_the_rest_is_drawn() -> None:
    supply = {cell: k for cell, k in PLENTY.items() if cell[0] != "or"}
    drawn = quotas(supply, CONJNLI, 1000)
    assert shortages(drawn, CONJNLI, 1000)["or"] == "0 of 412"
    assert sum(k for cell, k in drawn.items() if cell[0] == "and") > 400


def test_the_recipe_keeps_its_labels_and_draws_fewer() -> None:
    supply = {**PLENTY, **{cell: 10 for cell in PLENTY if cell[2] == "contradiction"}}
    drawn = quotas(supply, ADVERSARIAL, 15000)
    labels = Counter[str]()
    for cell, count in drawn.items():
        labels[cell[2]] += count
    total = sum(labels.values())
    assert 90 < total < 15000 and all(count <= supply[cell] for cell, count in drawn.items())
    for label, share in ADVERSARIAL.label.items():
        assert abs(labels[label] / total - share) < 0.03


def test_lines_are_drawn_by_the_quotas_of_their_cells(tmp_path: Path) -> None:
    mined = tmp_path / "x.part"
    cells = [("and", "removed", "entailment")] * 30 + [("or", "added", "neutral")] * 30
    lines = []
    for i, (word, operation, label) in enumerate(cells):
        tags = {"operation": operation}
        item = {"id": str(i), "premise": f"p{i}", "hypothesis": "h", "tags": tags}
        lines.append(json.dumps([word, {**item, "gold": {"heuristic": label}, "group": str(i)}]))
    mined.write_text("\n".join(lines) + "\n")
    shares = Shares({"and": 0.25, "or": 0.75}, {}, {})
    kept, short = sample_lines(mined, Sampling(shares=shares, total=20))
    assert (sum(i < 30 for i in kept), sum(i >= 30 for i in kept), short) == (5, 15, {})
