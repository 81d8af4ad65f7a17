"""Models from the hub: fetched through its own library, never pickled, and one line where there is
none.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grice.judges.providers.encoder import Encoder
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.hand import three
from tests.judges.hub import hub
from tests.judges.models import causal_model, word_tokenizer


def classifier(folder: Path) -> Path:
    """A small cross-encoder of random weights, as transformers saves it."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(1)
    words = word_tokenizer(unk_token="<unk>", sep_token="</s>", pad_token="<pad>", cls_token="<s>")
    names = dict(enumerate(("entailment", "neutral", "contradiction")))
    shape = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        initializer_range=0.5,
        id2label=names,
        label2id={label: place for place, label in names.items()},
    )
    BertForSequenceClassification(shape).save_pretrained(folder)  # type: ignore[no-untyped-call]
    words.save_pretrained(folder)
    return folder


class Trap:
    """Unpickling it leaves a file behind."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.mark),)


def asked(name: str, url: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """`grice judge` on three items in a process of its own, since the hub's address is read when it
    starts.
    """
    if not (folder / "items.jsonl").exists():
        three().write(folder / "items.jsonl")
    elsewhere = {"HF_ENDPOINT": url, "HF_HOME": str(folder / "home"), "NO_PROXY": "127.0.0.1"}
    kept = {key: value for key, value in os.environ.items() if not key.upper().startswith("HF_")}
    command = [sys.executable, "-m", "grice", "judge", "items.jsonl", "--by", name, "--json", *more]
    return subprocess.run(
        command, cwd=folder, env={**kept, **elsewhere}, capture_output=True, text=True, timeout=120
    )


def row_of(done: subprocess.CompletedProcess[str]) -> Mapping[str, Any]:
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    found: Mapping[str, Any] = row
    return found


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    # Before it may stand the bar of what was fetched so far.
    *_, line = done.stderr.strip().splitlines()
    assert line.startswith("grice: ")
    return line


@pytest.mark.slow
def test_a_model_is_fetched_once_and_answers_as_its_folder_does(tmp_path: Path) -> None:
    model = classifier(tmp_path / "model")
    with (model / "pytorch_model.bin").open("wb") as out:
        pickle.dump(Trap(tmp_path / "sprung"), out)
    (model / "code.py").write_text("raise SystemExit('code of a model ran')\n")
    with hub({"org/tiny": model}) as server:
        fetched = row_of(asked("encoder/org/tiny", server.url, tmp_path))
        assert {"config.json", "tokenizer.json", "model.safetensors"} <= server.fetched
        assert not {"pytorch_model.bin", "code.py"} & server.fetched
    assert not (tmp_path / "sprung").exists()
    there = Run.read(tmp_path / fetched["run"])
    here = evaluate(three(), Encoder(str(model)))
    assert there.frame.drop("seconds").equals(here.frame.drop("seconds"))
    assert there.settings == here.settings
    # The server is gone, and the model is still in the hub's own cache: the same judge, with
    # nothing left to ask.
    assert row_of(asked("encoder/org/tiny", server.url, tmp_path, "--dry-run"))["items"] == 0


@pytest.mark.slow
def test_a_revision_and_a_causal_model_are_fetched_too(tmp_path: Path) -> None:
    old, new = (causal_model(tmp_path / kind, kind) for kind in ("gpt2", "llama"))
    with hub({"org/lm": new, "org/lm@v1": old}) as server:
        row = row_of(asked("hf/org/lm@v1", server.url, tmp_path))
        assert "GET /api/models/org/lm/revision/v1" in server.asked
    assert row["answered"] == 3
    (config,) = (tmp_path / "home").rglob("config.json")
    assert json.loads(config.read_text())["model_type"] == "gpt2"


def test_a_model_with_pickled_weights_alone_is_refused_and_not_fetched(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text('{"model_type": "bert"}')
    with (model / "pytorch_model.bin").open("wb") as out:
        pickle.dump(Trap(tmp_path / "sprung"), out)
    with hub({"org/old": model}) as server:
        said = one_line(asked("encoder/org/old", server.url, tmp_path))
        assert "pytorch_model.bin" not in server.fetched
    assert "org/old" in said and ".safetensors" in said and "pickled" in said
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("encoder/org/absent", "no such model there"),
        ("encoder/org/tiny@v9", "no revision 'v9'"),
        ("st/org/absent", "no such model there"),
    ],
)
def test_a_model_that_is_not_on_the_hub_is_one_line(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "model").mkdir()
    with hub({"org/tiny": tmp_path / "model"}) as server:
        said = one_line(asked(name, server.url, tmp_path))
    assert why in said and "local folder" in said


def test_a_hub_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    said = one_line(asked("encoder/org/tiny", "http://127.0.0.1:9", tmp_path))
    assert "cannot be reached" in said and "local folder" in said
