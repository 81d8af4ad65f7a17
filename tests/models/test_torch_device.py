"""Where a model computes and in which precision."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from grice.models import torch as engine
from grice.models.torch import arithmetic_identity, choose_device, describe_arithmetic


@pytest.mark.parametrize(
    ("features", "supported"),
    [
        ({}, False),
        ({"avx512_f": True, "amx_tile": True}, False),
        ({"avx512_bf16": True}, True),
        ({"bf16": True}, True),
    ],
)
def test_bf16_instructions_are_found_by_the_features_that_torch_names(
    features: dict[str, bool], supported: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cpu.get_capabilities", lambda: features)
    assert engine.has_bf16_instructions() is supported


def test_a_cpu_without_bf16_instructions_computes_in_fp32_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine, "has_bf16_instructions", lambda: False)
    for _ in range(2):
        assert choose_device("cpu", "auto", what="judge one").dtype == "fp32"
    assert capsys.readouterr().err.count("\n") == 1
    assert arithmetic_identity("cpu", "auto", what="judge one") == {"dtype": "fp32"}
    assert describe_arithmetic("cpu", "auto", what="judge one")["precision"] == "fp32"
    assert choose_device("cpu", "bf16", what="judge one").dtype == "bf16"
    assert choose_device("cpu", "", what="judge one").dtype == "fp32"


def test_a_cpu_with_bf16_instructions_takes_the_precision_of_the_checkpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "has_bf16_instructions", lambda: True)
    assert choose_device("cpu", "auto", what="judge two").dtype == "auto"
    assert arithmetic_identity("cpu", "auto", what="judge two") == {
        "dtype": "auto",
        "device": "cpu",
    }
