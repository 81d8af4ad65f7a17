"""LoRA adapters: an adapter answers as the weights it is merged into, and what is needed is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grice.core.scale import NLI
from grice.judges.providers.hf import Hf
from tests.judges.models import PAIRS, by_id, causal_model


def test_an_adapter_is_put_into_the_model(tmp_path: Path) -> None:
    peft: Any = pytest.importorskip("peft")
    import torch
    from transformers import AutoModelForCausalLM

    folder = causal_model(tmp_path / "model", "llama")
    torch.manual_seed(1)
    config = peft.LoraConfig(
        r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False, task_type="CAUSAL_LM"
    )
    tuned = peft.get_peft_model(AutoModelForCausalLM.from_pretrained(folder), config)
    tuned.save_pretrained(tmp_path / "adapter")
    merged = tuned.merge_and_unload()
    merged.save_pretrained(tmp_path / "merged")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / "merged" / name).write_bytes((folder / name).read_bytes())
    plain = by_id(list(Hf(str(folder)).judge(PAIRS, NLI)))
    adapted = by_id(list(Hf(str(folder), adapter=str(tmp_path / "adapter")).judge(PAIRS, NLI)))
    wanted = by_id(list(Hf(str(tmp_path / "merged")).judge(PAIRS, NLI)))
    for key, one in adapted.items():
        assert list((one.probs or {}).values()) == pytest.approx(
            list((wanted[key].probs or {}).values()), abs=2e-3
        )
    assert any(one.probs != plain[key].probs for key, one in adapted.items())
