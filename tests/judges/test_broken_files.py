"""Files of a model that are torn or something else: one line, never a traceback."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grice.core.errors import GriceError, InputError
from grice.judges.providers.encoder import Encoder
from grice.judges.providers.st import St
from grice.models.checkpoint import MODELS, Checkpoint
from grice.models.trained_folder import read_note
from tests.judges.test_not_a_number import PAIRS

GRAPH = next((MODELS / "grice-mini").glob("*.onnx")).name
WRONG = (b"", b"{", b"null", b"\xff\xfe", b'{"a": ' * 20_000, b'{"version": 1}')


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODELS / "grice-mini", tmp_path / "mini"))


@pytest.mark.parametrize("content", WRONG)
@pytest.mark.parametrize("name", ["tokenizer.json", "config.json", GRAPH])
def test_a_folder_with_a_broken_file_is_one_line(mini: Path, name: str, content: bytes) -> None:
    from grice.core.scale import NLI

    (mini / name).write_bytes(content)
    if name == "config.json" and content == WRONG[-1]:
        return
    with pytest.raises(GriceError) as told:
        list(Encoder(str(mini), labels=",".join(NLI.labels)).judge(PAIRS, NLI))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("content", WRONG[:4])
def test_a_note_or_a_pooling_that_is_no_json_is_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "grice.json").write_bytes(content)
    with pytest.raises(InputError, match=r"grice\.json: (not JSON|holds no JSON object)"):
        read_note(tmp_path)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_bytes(content)
    with pytest.raises(InputError, match=r"config\.json: (not JSON|holds no JSON object)"):
        (
            Checkpoint(tmp_path).config
            if (tmp_path / "config.json").exists()
            else St(str(tmp_path)).identity
        )


@pytest.mark.parametrize("content", [b"", b"x" * 100, (10**12).to_bytes(8, "little") + b"{}"])
def test_weights_that_are_none_are_one_line(mini: Path, content: bytes) -> None:
    pytest.importorskip("transformers", reason="needs the extra 'hf'")
    from grice.core.scale import NLI

    next(mini.glob("*.onnx")).unlink()
    (mini / "model.safetensors").write_bytes(content)
    with pytest.raises(GriceError, match="cannot load it") as told:
        list(Encoder(str(mini)).judge(PAIRS, NLI))
    assert "\n" not in str(told.value)
