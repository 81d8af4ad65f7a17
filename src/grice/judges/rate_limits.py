"""How long a server asks its client to wait: Retry-After and rate-limit headers."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 300.0
# Headers with the number of requests or tokens left, and with the time of the reset.
RATES = (
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
)
UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def retry_after(headers: Mapping[str, str]) -> float:
    """Return how many seconds a server asks to wait, 0 where it asks for none."""
    value = headers.get("Retry-After") or ""
    with suppress(ValueError):
        return max(0.0, float(value))
    return _until(_timestamp(value), headers)


def _until(moment: float | None, headers: Mapping[str, str]) -> float:
    """Return the seconds until a moment by the server's clock.

    At most `LONGEST_WAIT` if only the client's clock is known.
    """
    if moment is None:
        return 0.0
    now = _timestamp(headers.get("Date") or "")
    return (
        max(0.0, moment - now)
        if now is not None
        else min(LONGEST_WAIT, max(0.0, moment - time.time()))
    )


def _timestamp(text: str) -> float | None:
    """Return the moment that a date of HTTP or of ISO 8601 names."""
    for parse in (parsedate_to_datetime, datetime.fromisoformat):
        with suppress(ValueError, OverflowError):
            return parse(text).timestamp()
    return None


def rate_limit_wait(headers: Mapping[str, str]) -> float:
    """Return how long to wait by the host's rate-limit headers: 0 while requests are left."""
    waits = [
        _duration(headers.get(reset) or "", headers)
        for left, reset in RATES
        if headers.get(left) == "0"
    ]
    return min(LONGEST_WAIT, max(waits, default=0.0))


def _duration(text: str, headers: Mapping[str, str]) -> float:
    """Return the seconds of `1.5`, `6m0s` or `120ms`, or until an ISO 8601 time."""
    parts = re.findall(r"(\d+(?:\.\d+)?)(ms|d|h|m|s)", text)
    if parts and "".join(number + unit for number, unit in parts) == text:
        return sum(float(number) * UNITS[unit] for number, unit in parts)
    with suppress(ValueError):
        return max(0.0, float(text))
    return _until(_timestamp(text), headers)
