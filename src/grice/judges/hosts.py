"""Hosts of models that speak the protocol of OpenAI's chat completions: where they are, and where their key is."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from grice.core.errors import InputError
from grice.core.files import read_text


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


def find_price(file: str, model: str) -> tuple[float, float]:
    """What a million tokens in and out cost by a user's TOML file with lines such as `"my-model" = [0.15, 0.60]`."""
    try:
        known = tomllib.loads(read_text(Path(file)))
        into, out = known[model]
        return float(into), float(out)
    except KeyError:
        there = ", ".join(sorted(known)) or "none"
        raise InputError(f"{file}: has no price of '{model}' (it has {there}); add: \"{model}\" = [IN, OUT]") from None
    except (TypeError, ValueError, tomllib.TOMLDecodeError) as error:
        raise InputError(
            f'{file}: not a file of prices ({error}); write lines such as "{model}" = [0.15, 0.60]'
        ) from None


def check_address(url: str) -> str:
    """An address without what every request adds to it; one that is none, or holds a password, is refused."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"'{url}' is not an address; write it as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise InputError("an address with a password in it would be kept in every run; put the key into OPENAI_API_KEY")
    return url.rstrip("/").removesuffix("/completions").removesuffix("/chat")
