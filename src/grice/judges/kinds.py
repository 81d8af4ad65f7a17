"""The provider of a model that is named by what people have: a folder, a file or an address."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, similar_path, unknown
from grice.core.files import read_text
from grice.core.progress import say
from grice.judges.client import Client, Failure
from grice.judges.hosts import check_address
from grice.models.checkpoint import MODELS, checkpoint
from grice.models.trained_folder import NOTE

CAUSAL = ("ForCausalLM", "LMHeadModel")
SCORING = ("ForSequenceClassification",)
MAX_LISTED = 5
SECONDS = 10.0
# A server's address as browsers take it, without http://.
ADDRESS = re.compile(r"(localhost|\d+(\.\d+){3}):\d+(/.*)?")
EXAMPLES = (
    "Name a folder (./SmolLM2), a GGUF file, a server (http://127.0.0.1:8080), or provider/name"
    " (openai/gpt-4o, hf/HuggingFaceTB/SmolLM2-135M-Instruct)."
)


def find_provider(name: str, providers: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return `provider/name` and settings for a folder, a GGUF file, an address or a hub id.

    What was found is reported in one line. Any other name is an error that says what is meant.
    """
    if name.startswith(("http://", "https://")) or ADDRESS.fullmatch(name):
        return _of_server(name if "://" in name else f"http://{name}")
    path = Path(name)
    if path.suffix == ".gguf" and path.is_file():
        return f"hf/{name}", {}
    if path.is_dir():
        provider, fact = _of_folder(path)
        say(f"{name}: {fact}, evaluated as {provider}/{name}")
        return f"{provider}/{name}", {}
    if path.is_file():
        raise InputError(f"'{name}' is a file. Name the folder of the model: {path.parent}")
    if similar := similar_path(path):
        raise InputError(f"{name}: no such file or folder. Did you mean '{similar}'?")
    if name.startswith((".", "/", "~")) or path.suffix == ".gguf":
        raise InputError(f"{name}: no such file or folder. {EXAMPLES}")
    provider, _, rest = name.partition("/")
    if provider in providers:
        raise InputError(f"'{name}' names a provider but no model. Write {provider}/NAME.")
    if rest and difflib.get_close_matches(provider, providers, cutoff=0.75):
        raise unknown("provider", provider, providers)
    if (MODELS / name).is_dir():
        raise InputError(f"'{name}' names no provider. Write encoder/{name}.")
    if name.count("/") == 1 and rest:
        folder = checkpoint(name, provider="hf").folder
        provider, fact = _of_folder(folder)
        say(f"{name}: {fact} of the Hugging Face Hub, evaluated as {provider}/{name}")
        return f"{provider}/{name}", {}
    raise InputError(f"'{name}' names no model. {EXAMPLES} Providers are {', '.join(providers)}.")


def check_kind(provider: str, name: str) -> None:
    """Refuse a saved model that another provider evaluates, such as an encoder named as hf/."""
    folder = Path(name) if Path(name).is_dir() else MODELS / name
    if provider not in ("hf", "encoder") or not folder.is_dir():
        return
    try:
        right, fact = _of_folder(folder)
    except InputError:  # the provider says what it lacks
        return
    if right in ("hf", "encoder") and right != provider:
        raise InputError(f"{provider}/{name}: {fact}. Name {right}/{name}.")


def _of_folder(folder: Path) -> tuple[str, str]:
    """Return the provider of a saved model by its configuration, and what was found."""
    if (folder / NOTE).is_file():
        return "trained", "a model that grice train saved"
    if (folder / "modules.json").is_file():
        return "st", "a sentence encoder (modules.json)"
    config: Any = None
    with suppress(ValueError, OSError, InputError):
        config = json.loads(read_text(folder / "config.json"))
    if not isinstance(config, dict):
        files = sorted(path.name for path in folder.glob("*.gguf"))
        inside = f" It has the file {files[0]}: name {folder / files[0]}." if files else ""
        raise InputError(f"{folder}: no saved model (no config.json).{inside or f' {EXAMPLES}'}")
    listed = config.get("architectures")
    names = [str(name) for name in listed] if isinstance(listed, list) else []
    for provider, endings, kind in (
        ("hf", CAUSAL, "a causal language model"),
        ("encoder", SCORING, "an encoder with a classification head"),
    ):
        match = next((name for name in names if name.endswith(endings)), None)
        if match is not None:
            return provider, f"{kind} ({match})"
    raise InputError(
        f"{folder}: cannot tell from config.json what it is"
        f" ({', '.join(names) or 'no architecture'}). Name hf/{folder} (causal),"
        f" encoder/{folder} (NLI) or st/{folder} (sentence encoder)."
    )


def _of_server(url: str) -> tuple[str, dict[str, str]]:
    """Return the one model that a server has, asked at its list of models."""
    address = check_address(url)
    client = Client(f"{address}/models", None, connections=1, timeout=SECONDS).open()
    try:
        reply = client.call("GET", f"{address}/models", tries=1)
    finally:
        client.close()
    if isinstance(reply, Failure):
        raise InputError(
            f"{url}: its models cannot be listed ({reply.fault}). Start the server or correct the"
            f" address; if it lists no models, name one: openai/MODEL -M url={address}"
        )
    models: list[str] = []
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        models = [str(entry["id"]) for entry in json.loads(reply)["data"]]
    if len(models) != 1:
        names = ", ".join(models[:MAX_LISTED]) + (", …" if models[MAX_LISTED:] else "")
        fact = f"has {len(models)} models ({names})" if models else "lists no model"
        raise InputError(
            f"{url} {fact}. Name one: openai/{models[0] if models else 'MODEL'} -M url={address}"
        )
    say(f"{url}: evaluated as openai/{models[0]}")
    return f"openai/{models[0]}", {"url": address}
