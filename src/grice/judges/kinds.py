"""The provider of a model that is named by what people have: a folder, a file or an address."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from grice.core.errors import InputError
from grice.core.files import read_text
from grice.core.progress import say
from grice.judges.client import Client, Failure
from grice.judges.hosts import check_address
from grice.models.trained_folder import NOTE

CAUSAL = ("ForCausalLM", "LMHeadModel")
SCORING = ("ForSequenceClassification",)
MAX_LISTED = 5
SECONDS = 10.0


def find_provider(name: str) -> tuple[str, dict[str, str]] | None:
    """Return `provider/name` and settings for a folder, file or address; None for other names.

    What was found is reported in one line, with how to override it.
    """
    if name.startswith(("http://", "https://")):
        return _of_server(name)
    if name.endswith(".gguf") and Path(name).is_file():
        raise InputError(
            f"{name}: a GGUF file is evaluated through a server. Start 'llama-server -m {name}' and"
            " name its address, e.g. http://127.0.0.1:8080."
        )
    if Path(name).is_dir():
        provider, fact = _of_folder(Path(name))
        say(f"{name}: {fact}, evaluated as {provider}/{name}")
        return f"{provider}/{name}", {}
    return None


def _of_folder(folder: Path) -> tuple[str, str]:
    """Return the provider of a saved model by its configuration, and what was found."""
    if (folder / NOTE).is_file():
        return "trained", "a model that grice train saved"
    if (folder / "modules.json").is_file():
        return "st", "a sentence encoder (modules.json)"
    config: Any = None
    with suppress(ValueError, OSError):
        config = json.loads(read_text(folder / "config.json"))
    if not isinstance(config, dict):
        raise InputError(
            f"{folder}: no saved model (no config.json). Name a folder that save_pretrained wrote,"
            " or provider/name."
        )
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
        f"{folder}: cannot tell from config.json what it is ({', '.join(names) or 'no architecture'}"
        f"). Name hf/{folder} (causal), encoder/{folder} (NLI) or st/{folder} (sentence encoder)."
    )


def _of_server(url: str) -> tuple[str, dict[str, str]]:
    """Return the one model that a server has, asked at its list of models."""
    address = check_address(url)
    # Servers of this protocol have their addresses below /v1.
    address = address if urlsplit(address).path else f"{address}/v1"
    client = Client(f"{address}/models", None, connections=1, timeout=SECONDS).open()
    try:
        reply = client.call("GET", f"{address}/models", tries=1)
    finally:
        client.close()
    if isinstance(reply, Failure):
        raise InputError(
            f"{url}: its models cannot be listed ({reply.fault}). Start the server, or name the"
            f" model: openai/MODEL -M url={url}"
        )
    models: list[str] = []
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        models = [str(entry["id"]) for entry in json.loads(reply)["data"]]
    if len(models) != 1:
        names = ", ".join(models[:MAX_LISTED]) + (", …" if models[MAX_LISTED:] else "")
        fact = f"has {len(models)} models ({names})" if models else "lists no model"
        raise InputError(f"{url} {fact}. Name one: openai/MODEL -M url={url}")
    say(f"{url}: evaluated as openai/{models[0]}")
    return f"openai/{models[0]}", {"url": address}
