"""What all controls keep, whatever they control."""

from __future__ import annotations

import re

import pytest

from grice.core.shelf import PHENOMENA

# Who vouches for a clause or doubts it, in the carriers of controls.
VOUCHES = re.compile(
    r"(?:As|Clearly|Perhaps|If|What) ([\w’'-]+) (?:rightly says|is right|says is)|, (?:as |or so )?([\w’'-]+) (?:well knows|rightly says|says)\b"
)


@pytest.mark.parametrize(
    "name", [name for name in PHENOMENA.names() if PHENOMENA.find(name).kind in ("implicature", "presupposition")]
)
def test_who_vouches_for_a_clause_is_not_in_it(name: str) -> None:
    """Not "As Ana rightly says, Ana has finished"."""
    for item in PHENOMENA.find(name).stream(250, 5):
        told = VOUCHES.search(item.premise) if item.tags.get("role") == "control" else None
        if told is not None:
            assert item.premise.count(told[1] or told[2]) == 1, item.premise
