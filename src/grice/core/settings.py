"""Settings arrive as words (`-M key=value`); here they become numbers, or an error that names the key."""

from __future__ import annotations

import json
import math
from typing import Any

from grice.core.errors import InputError


def whole(key: str, value: str | int, *, least: int = 0) -> int:
    try:
        found = int(value)
    except ValueError:
        found = least - 1
    if found < least:
        raise InputError(f"-M {key} is a whole number from {least} on, not '{value}'")
    return found


def number(key: str, value: str | float, *, least: float = 0.0) -> float:
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or found < least:
        raise InputError(f"-M {key} is a number from {least:g} on, not '{value}'")
    return found


def truth(key: str, value: str | bool) -> bool:
    found = {"true": True, "false": False}.get(str(value).lower())
    if found is None:
        raise InputError(f"-M {key} is true or false, not '{value}'")
    return found


def flag_json(key: str, value: str) -> dict[str, Any]:
    """A JSON object given as a word; empty for none."""
    try:
        found = json.loads(value or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"-M {key} is a JSON object, as in -M {key}='{{\"top_p\":1}}', not '{value}'")
    return found
