"""Tokenise by spaCy's rules for English, with bounded memory for any length of corpus."""

from __future__ import annotations

import re
from typing import Any

# What white space separates; spaCy cuts it without regard to its neighbours.
CHUNK = re.compile(r"\S+")
# With the cache spaCy's own table of words is emptied, which would grow with the corpus.
MAX_CACHED = 50_000


class EnglishTokens:
    """A tokeniser with a cache of the chunks between white space."""

    def __init__(self) -> None:
        self.cache: dict[str, tuple[tuple[str, int, int], ...]] = {}
        self.rules: Any = None

    def words(self, text: str) -> list[tuple[str, int, int]]:
        """Return (word, start, end) of each word, without white space."""
        words: list[tuple[str, int, int]] = []
        for match in CHUNK.finditer(text):
            chunk, start = match[0], match.start()
            for word, first, last in self.cache.get(chunk) or self._cut(chunk):
                words.append((word, start + first, start + last))
        return words

    def _cut(self, chunk: str) -> tuple[tuple[str, int, int], ...]:
        if self.rules is None or len(self.cache) >= MAX_CACHED:
            import spacy

            self.cache.clear()
            self.rules = spacy.blank("en").tokenizer
        tokens = self.rules(chunk)
        self.cache[chunk] = tuple((t.text, t.idx, t.idx + len(t.text)) for t in tokens)
        return self.cache[chunk]
