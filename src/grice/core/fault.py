"""Why a reply is no answer: the kind of an invalid response, and what was wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """Kind of an invalid response, as runs, tables and `--again` name it."""

    UNREADABLE = "unreadable"
    SEVERAL = "several answers"
    NEGATED = "negated"
    HEDGED = "hedged"
    QUESTIONED = "questioned"
    LETTER = "letter not shown"
    OFF_SCALE = "off the scale"
    REFUSED = "refused"
    CUT_OFF = "cut off"
    NO_LOGPROBS = "no logprobs"
    LITTLE_MASS = "little mass"
    NOT_A_NUMBER = "not a number"
    TOO_LONG = "too long"
    SPLIT = "split"
    BROKEN = "broken reply"
    SERVER_ERROR = "server error"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    HTTP = "http"
    EXPIRED = "expired"


@dataclass(frozen=True)
class Fault:
    """An invalid response: its kind and a detail. A run stores it as `kind: detail`.

    >>> str(Fault(FaultKind.NEGATED, "It is not neutral."))
    'negated: It is not neutral.'
    """

    kind: FaultKind
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"
