"""Models named by what people have: a folder, a file, the address of a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grice.core.errors import GriceError, InputError
from grice.judges.providers.hf import Hf
from grice.judges.providers.openai import Openai
from grice.loading import load, load_judge
from tests.hand import held_port
from tests.judges.servers import running


@contextmanager
def listing(body: bytes) -> Iterator[str]:
    """A server whose list of models is this; its address without a path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = body if self.path == "/v1/models" else b""
            self.send_response(200 if content else 404)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read the judge."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with running(http):
        yield f"http://127.0.0.1:{http.server_address[1]}"


def models(*names: str) -> bytes:
    return json.dumps({"data": [{"id": name} for name in names]}).encode()


def saved(folder: Path, **config: Any) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.mark.parametrize(
    ("architecture", "provider"),
    [
        ("LlamaForCausalLM", "hf"),
        ("GPT2LMHeadModel", "hf"),
        ("BertForSequenceClassification", "encoder"),
    ],
)
def test_folder_is_evaluated_by_its_architecture(
    architecture: str, provider: str, tmp_path: Path
) -> None:
    folder = saved(tmp_path / "m", architectures=[architecture], id2label={"0": "a", "1": "b"})
    assert load_judge(str(folder)).name == f"{provider}/{folder}"  # type: ignore[union-attr]


def test_sentence_encoder_is_known_by_its_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grice.judges.kinds import find_provider

    folder = saved(tmp_path / "m", architectures=["BertModel"])
    (folder / "modules.json").write_text("[]")
    monkeypatch.chdir(tmp_path)
    assert find_provider("m", ["st"]) == ("st/m", {})


@pytest.mark.parametrize("config", ["", "{", "[]", '{"architectures": 3}', "{}"])
def test_folder_of_unknown_kind_is_refused(config: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(config)
    with pytest.raises(InputError):
        load_judge(str(tmp_path))


@pytest.mark.parametrize("name", ["m.gguf", "hf/./m.gguf"])
def test_gguf_file_without_the_package_names_it_and_the_server(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("grice.models.checkpoint.find_spec", {}.get)
    with pytest.raises(InputError, match=r"pip install gguf.*llama-server"):
        load_judge(name)


def test_gguf_file_is_its_own_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("grice.models.checkpoint.find_spec", lambda name: name)
    judge = load_judge("m.gguf")
    assert isinstance(judge, Hf) and judge.name == "hf/m.gguf"
    assert judge.checkpoint.torch_files() == [Path("m.gguf")]
    identity = judge.checkpoint.identity()
    (tmp_path / "config.json").write_text('{"a": 1}')
    assert judge.checkpoint.identity() == identity


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("./modle", "Did you mean 'model'"),
        ("modle", "Did you mean 'model'"),
        ("hf/modle", "Did you mean 'model'"),
        ("hf/./modle", "Did you mean 'model'"),
        ("./model/config.json", "Name the folder of the model: model"),
        ("hf/./model/config.json", "name its folder: hf/model"),
        ("hf", "Write hf/NAME"),
        ("openai/", "Write openai/NAME"),
        ("openia/gpt", "Did you mean 'openai'"),
        ("grice-mini", "Write encoder/grice-mini"),
        ("gpt-4o", "names no model"),
        ("llama3:8b", "names no model"),
        ("./x.gguf", "no such file or folder"),
        ("hf/./model", "Name encoder/./model"),
        ("hf/grice-mini", "Name encoder/grice-mini"),
        ("encoder/./causal", "Name hf/./causal"),
        (".", "Name a folder"),
        ("quantised", r"name quantised/q4\.gguf"),
    ],
)
def test_wrong_name_of_a_model_says_what_is_meant(
    name: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path / "model", architectures=["BertForSequenceClassification"])
    saved(tmp_path / "causal", architectures=["LlamaForCausalLM"])
    (tmp_path / "quantised").mkdir()
    (tmp_path / "quantised" / "q4.gguf").write_bytes(b"GGUF")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=remedy):
        load_judge(name)


@pytest.mark.parametrize("setting", ["base_url", "ur", "Url"])
def test_wrong_setting_names_the_closest_one(setting: str) -> None:
    with pytest.raises(InputError, match="Did you mean 'url'"):
        load_judge("openai/m", **{setting: "x"})


def test_server_with_one_model_is_asked_for_its_name() -> None:
    with listing(models("qwen")) as url:
        judge = load_judge(url, readout="json")
        assert load_judge(url.removeprefix("http://")).name == judge.name  # type: ignore[union-attr]
    assert isinstance(judge, Openai)
    assert (judge.name, judge.url, judge.readout) == ("openai/qwen", f"{url}/v1", "json")


@pytest.mark.parametrize(
    "body", [models(), models("a", "b"), b"no json", b'{"data": 3}', b"[" * 5000]
)
def test_server_without_exactly_one_model_is_refused(body: bytes) -> None:
    with listing(body) as url, pytest.raises(InputError, match="Name one: openai/"):
        load_judge(url)


def test_address_where_nothing_answers_is_refused() -> None:
    with held_port() as port, pytest.raises(GriceError):
        load_judge(f"http://127.0.0.1:{port}")


def test_dry_run_of_a_local_model_measures_its_time() -> None:
    from grice.verbs.judge import forecast

    (row,) = forecast("quantifiers@7", "baseline/overlap")
    assert row["items"] == len(load("quantifiers@7"))
    assert row["seconds, about"] >= 0
    assert (row["requests"], row["cost, at most"]) == (0, 0.0)
