"""Addresses and API key variables of hosts with OpenAI's chat completions protocol."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from grice.core.errors import InputError


@dataclass(frozen=True)
class Host:
    """A provider's name, its address, and the environment variables of its key and address."""

    provider: str
    url: str
    key_env: str
    url_env: str = ""


def find_host(provider: str) -> Host:
    """Return the host of a provider, as listed in `hosts.toml`."""
    known = tomllib.loads((Path(__file__).parent / "hosts.toml").read_text(encoding="utf-8"))
    return Host(provider, **known[provider])


def check_address(url: str) -> str:
    """Return an address without the path that every request adds to it.

    Servers of this protocol answer below /v1, which is added to an address without a path. An
    invalid address, or one with a password, is an error.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"'{url}' is not an address; write it as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise InputError(
            "an address with a password would be stored in every run; put the key into"
            " OPENAI_API_KEY"
        )
    address = url.rstrip("/")
    for ending in ("/completions", "/chat", "/messages"):
        address = address.removesuffix(ending)
    return address if urlsplit(address).path else f"{address}/v1"
