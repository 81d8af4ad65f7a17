"""JSON and TOML from outside: bounded, with short messages."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from typing import Any

from grice.core.errors import InputError


def parse_json(text: str | bytes, *, once: bool = False) -> Any:
    """Return the value of a JSON text.

    Raise ValueError with a short message for invalid JSON, lone surrogates, numbers of thousands of
    digits and excessive depth. With `once`, two values for one key are an error too; otherwise the
    last is used.
    """
    try:
        # Only as UTF-8: json itself would accept lone surrogates.
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        value = ONCE.decode(plain) if once else json.loads(plain)
        # A lone surrogate, which JSON can represent and UTF-8 cannot.
        if "\\ud" in plain.lower():
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise ValueError(error.msg) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise ValueError("it holds a lone surrogate (half of a UTF-16 pair)") from None
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except InputError as error:
        raise ValueError(str(error)) from None
    except ValueError:
        raise ValueError("it holds a number of thousands of digits") from None
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys are all different."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise InputError(
            f"it has two values for '{Counter(key for key, _ in pairs).most_common(1)[0][0][:100]}'"
        )
    return fields


# Made once: `json.loads` would make a decoder for each text.
ONCE = json.JSONDecoder(object_pairs_hook=_once)


class TomlSyntaxError(ValueError):
    """Invalid TOML: what is wrong, and on which line; None at the end of the text."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        # Before Python 3.14 tomllib gives the position in its message only.
        position = re.search(r" \(at (?:line (\d+).*|end of document)\)$", message)
        self.fact = message[: position.start()] if position else message
        self.line = int(position[1]) if position and position[1] else None


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raise ValueError with a short message for invalid TOML, excessive depth and excessive numbers.
    """
    try:
        values = tomllib.loads(text)
        # A hexadecimal number may be too long to be printed in a message.
        json.dumps(values, default=str)
    except tomllib.TOMLDecodeError as error:
        raise TomlSyntaxError(str(error)) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        raise ValueError("it holds a number of thousands of digits") from None
    return values
