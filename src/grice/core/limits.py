"""Limits on how much is read into memory; an environment variable of its name raises each."""

from __future__ import annotations

import os

from grice.core.errors import InputError

# What a file may hold once unpacked, one line of it, and one text to judge; in bytes.
BYTES, LINE, TEXT = "GRICE_MAX_BYTES", "GRICE_MAX_LINE", "GRICE_MAX_TEXT"
USUAL = {BYTES: 512 << 20, LINE: 16 << 20, TEXT: 1_000_000}


def limit(name: str) -> int:
    """Return the limit of a name: the environment variable, or the default."""
    text = os.environ.get(name, "")
    if not text:
        return USUAL[name]
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 19):
        raise InputError(f"{name} is '{text[:40]}', not a number of bytes; give one, or unset it")
    return int(text)


def raise_with(name: str) -> str:
    """Return what to do about a limit, in words."""
    return f"raise it with {name}=… where that is meant"
