"""Batches made by a process of its own are those made here, and its failure loses nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from grice.core import progress
from grice.models import feeding
from grice.models.batching import Texts, Tokens, plan_batches
from grice.models.torch import PackedBatch

TEXTS: list[Texts] = [(f"a {'b ' * (n % 7)}c", None if n % 5 == 0 else "b c") for n in range(60)]


def cutter() -> Tokens:
    made = Tokenizer(
        models.WordLevel({"[PAD]": 0, "a": 1, "b": 2, "c": 3, "[UNK]": 4}, unk_token="[UNK]")
    )
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="$A:0", pair="$A:0 $B:1", special_tokens=[]
    )
    return Tokens(made, pad=0, longest=8, names=("input_ids", "token_type_ids", "attention_mask"))


def rows_of(batches: Any) -> dict[int, tuple[list[list[int]], bool]]:
    """Each text's place with its tokens as long as they are, and whether it was cut."""
    found = {}
    for batch in batches:
        size = batch.inputs["attention_mask"].sum(axis=1)
        for row, (place, cut) in enumerate(zip(batch.places, batch.cut, strict=True)):
            kept = [
                batch.inputs[name][row, : size[row]].tolist()
                for name in ("input_ids", "token_type_ids")
            ]
            assert place not in found
            found[place] = (kept, cut)
    return found


def test_batches_of_another_process_are_those_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "HERE", 16)
    assert rows_of(feeding.plan_apart(TEXTS, cutter(), 64)) == rows_of(
        plan_batches(TEXTS, cutter(), 64)
    )


@pytest.mark.parametrize("code", ["", "raise SystemExit(3)"])
def test_what_a_process_that_ends_early_did_not_make_is_made_here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    monkeypatch.setattr(feeding, "HERE", 16)
    real: Callable[..., Any] = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda _args, **how: real([sys.executable, "-c", code], **how)
    )
    progress.say.cache_clear()
    found = rows_of(feeding.plan_apart(TEXTS, cutter(), 64))
    assert "44 texts" in capsys.readouterr().err
    assert found == rows_of(plan_batches(TEXTS, cutter(), 64))


def test_the_process_ends_with_whoever_stops_taking_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feeding, "HERE", 16)
    started: list[Any] = []
    real = feeding._started

    def start(*given: Any) -> Any:
        started.append(real(*given))
        return started[-1]

    monkeypatch.setattr(feeding, "_started", start)
    batches = feeding.plan_apart(TEXTS, cutter(), 32)
    list(islice(batches, 2))
    batches.close()  # type: ignore[attr-defined]
    assert started[0].returncode is not None


def test_a_packed_batch_has_the_arrays_one_after_another() -> None:
    batch = next(plan_batches(TEXTS, cutter(), 64))
    packed = PackedBatch.pack(batch, pinned=False)
    for name, values in zip(packed.names, packed.values, strict=True):
        assert values.tolist() == batch.inputs[name].tolist()
