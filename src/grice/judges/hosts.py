"""Hosts of models that speak the protocol of OpenAI's chat completions: where they are, and where their key is."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Host:
    """A provider's name, its address, and the environment variables with its key and with another address."""

    provider: str
    url: str
    key_env: str
    url_env: str = ""


def find_host(provider: str) -> Host:
    """The host of a provider, as `hosts.toml` has it."""
    known = tomllib.loads((Path(__file__).parent / "hosts.toml").read_text(encoding="utf-8"))
    return Host(provider, **known[provider])
