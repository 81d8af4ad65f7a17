"""Every architecture scores labels as it does one whole text at a time, without padding and without
a cache.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grice.judges.causal import MASKABLE, Causal
from grice.judges.continuations import Continuations, plan_tree

ZOO = tomllib.loads((Path(__file__).parent / "zoo.toml").read_text(encoding="utf-8"))
# Three labels of 3, 1 and 2 tokens of which two begin alike; the prompts are of unlike lengths.
ENDINGS = [[7, 8, 9], [11], [7, 5, 3, 4]]
LENGTHS = (61, 40, 33, 12, 5)


def tiny(kind: str) -> Any:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    torch.manual_seed(0)
    auto: Any = AutoModelForCausalLM
    made = auto.from_config(AutoConfig.for_model(kind, **ZOO["small"] | ZOO["kinds"][kind])).eval()
    drawn = torch.Generator().manual_seed(1)
    for weights in made.parameters():
        # Some draw so narrowly that a random model would say one thing whatever it reads.
        if weights.ndim >= 2 and weights.std() < 0.1:
            torch.nn.init.normal_(weights, std=0.2, generator=drawn)
    return made


def prompts(shared: int = 0) -> list[Continuations]:
    drawn = np.random.default_rng(3)
    start = drawn.integers(3, 120, shared).tolist()
    return [
        Continuations(start + drawn.integers(3, 120, size).tolist(), ENDINGS) for size in LENGTHS
    ]


def plain(model: Any, row: Continuations) -> list[float]:
    import torch

    found = []
    for ending in row.endings:
        whole = row.prompt + ending
        with torch.inference_mode():
            logs = torch.log_softmax(
                model(input_ids=torch.tensor([whole]), use_cache=False).logits[0].float(), dim=-1
            )
        found.append(sum(float(logs[i - 1, whole[i]]) for i in range(len(row.prompt), len(whole))))
    return found


@pytest.mark.parametrize("kind", ZOO["kinds"])
def test_an_architecture_is_exact_in_any_batch(kind: str) -> None:
    model = tiny(kind)
    causal = Causal(model, 0)
    rows = prompts()
    wanted = np.array([plain(model, row) for row in rows])
    assert np.abs(causal.score(rows).read() - wanted).max() < 1e-4
    assert np.abs(causal.score(rows[2:3]).read() - wanted[2:3]).max() < 1e-4
    assert np.ptp(wanted, axis=0).max() > 0.05, "a model that says one thing shows nothing"


@pytest.mark.parametrize("kind", ZOO["kinds"])
def test_a_beginning_that_all_share_changes_no_score(kind: str) -> None:
    model = tiny(kind)
    causal, rows = Causal(model, 0), prompts(shared=40)
    begun = causal.begin(rows[0].prompt[:40], max(row.length for row in rows))
    assert (begun is not None) == (kind in MASKABLE and causal.window > 100)
    wanted = np.array([plain(model, row) for row in rows])
    assert np.abs(causal.score(rows, begun).read() - wanted).max() < 1e-4


def test_every_architecture_that_is_trusted_with_a_mask_is_in_the_zoo() -> None:
    assert len(ZOO["kinds"]) >= 30
    assert set(ZOO["kinds"]) >= MASKABLE


def test_endings_that_part_make_a_tree_and_others_a_chain() -> None:
    tree = plan_tree(((7, 8, 9), (11,), (7, 5, 3, 4)))
    assert (tree.tokens, tree.parents) == ((7, 8, 5, 3), (-1, 0, 0, 2))
    assert tree.reads == (((-1, 7), (0, 8), (1, 9)), ((-1, 11),), ((-1, 7), (0, 5), (2, 3), (3, 4)))
    assert not tree.is_chain and plan_tree(((7, 8, 9), (11,))).is_chain
    first, second = tree.chains()
    assert (first.tokens, second.tokens) == ((7, 8), (7, 5, 3))
    assert first.reads[2] == () and second.reads == ((), (), ((-1, 7), (0, 5), (1, 3), (2, 4)))
