"""A judge's identity covers every file that can change an answer, and no answer comes from weights
that are not there.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import grice
from grice.core.errors import InputError
from grice.core.judgement import Judge
from grice.core.scale import NLI
from tests.judges.models import PAIRS, causal_model, cross_encoder

pytestmark = pytest.mark.slow


def identity(name: str) -> dict[str, object]:
    judge = grice.load_judge(name)
    assert isinstance(judge, Judge)
    return dict(judge.identity)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("models")
    return {"encoder": cross_encoder(base / "pairs"), "hf": causal_model(base / "causal", "gpt2")}


@pytest.mark.parametrize(
    ("provider", "file"),
    [
        ("encoder", "tokenizer.json"),
        ("encoder", "config.json"),
        ("st", "tokenizer.json"),
        ("hf", "tokenizer.json"),
        ("hf", "generation_config.json"),
        ("hf", "chat_template.jinja"),
    ],
)
def test_another_tokenizer_or_configuration_is_another_judge(
    provider: str, file: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(folders["hf" if provider == "hf" else "encoder"], folder)
    before = identity(f"{provider}/{folder}")
    path = folder / file
    path.write_text(
        (path.read_text(encoding="utf-8") if path.is_file() else "{}").rstrip() + "\n\n",
        encoding="utf-8",
    )
    after = identity(f"{provider}/{folder}")
    assert after != before and after["sha256"] == before["sha256"]
    (folder / "README.md").write_text("A card changes no answer.", encoding="utf-8")
    assert identity(f"{provider}/{folder}") == after


def test_a_run_does_not_go_on_with_another_tokenizer(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(folders["encoder"], folder)
    first = grice.judge("quantifiers@7", f"encoder/{folder}", into=tmp_path / "runs", limit=6)
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["normalizer"] = None
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    second = grice.judge("quantifiers@7", f"encoder/{folder}", into=tmp_path / "runs", limit=12)
    assert first.folder != second.folder and first.answered == 6


def test_a_checkpoint_without_a_head_is_refused_and_not_answered_at_random() -> None:
    labels = ",".join(NLI.labels)
    judge = grice.load_judge("encoder/all-MiniLM-L6-v2", labels=labels)
    assert isinstance(judge, Judge)
    with pytest.raises(
        InputError, match=r"has no weights for classifier\.(bias|weight).*fine-tuned for pairs"
    ):
        list(judge.judge(PAIRS[:2], NLI))
