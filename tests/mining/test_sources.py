"""Patterns of texts that are no source of pairs."""

from __future__ import annotations

import pytest

from grice.core.words import read_rows
from grice.mining._words import WORDS, source_patterns
from grice.mining.sources import unfit_text

ROWS = read_rows(WORDS / "source_patterns.tsv")


@pytest.mark.parametrize(("reason", "pattern", "example"), ROWS)
def test_each_pattern_matches_its_example(reason: str, pattern: str, example: str) -> None:
    matching = [p.pattern for p in source_patterns()[reason] if p.search(example)]
    assert pattern in matching and len(pattern) < 120


def test_a_plain_sentence_matches_no_pattern() -> None:
    text = 'The U.S. Senate (in 1990) wanted Ana\'s bill; "it rained," she said, and that was that.'
    assert not [
        p.pattern for patterns in source_patterns().values() for p in patterns if p.search(text)
    ]
    assert unfit_text(text, 40) == ""
