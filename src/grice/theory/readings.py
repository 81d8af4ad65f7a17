"""The readings that a gold answer may follow, each in plain words."""

from __future__ import annotations

READINGS = {
    "logical": "what the words mean and nothing more: *some* leaves *all* open",
    "pragmatic": "what a cooperative speaker is taken to mean: *some* and not *all*",
    "exact": "a numeral taken as *exactly* that many",
    "signature": "what the verb's signature says of its complement",
    "label": "the one answer there is",
}
