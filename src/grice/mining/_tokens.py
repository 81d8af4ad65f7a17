"""Words of a text by spaCy's rules for English, with bounded memory however long the corpus."""

from __future__ import annotations

import re
from typing import Any

# What stands between white space; spaCy cuts it without regard to its neighbours.
CHUNK = re.compile(r"\S+")
# Chunks that are remembered. With them spaCy's own table of words begins anew, which else would grow with the corpus.
MOST_KNOWN = 50_000


class EnglishTokens:
    """Cuts texts into words at their places; each chunk between white space is cut once and remembered."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[tuple[str, int, int], ...]] = {}
        self.rules: Any = None

    def words(self, text: str) -> list[tuple[str, int, int]]:
        """(word, start, end) of each word, white space left out."""
        found: list[tuple[str, int, int]] = []
        for match in CHUNK.finditer(text):
            chunk, start = match[0], match.start()
            for word, first, last in self.known.get(chunk) or self._cut(chunk):
                found.append((word, start + first, start + last))
        return found

    def _cut(self, chunk: str) -> tuple[tuple[str, int, int], ...]:
        if self.rules is None or len(self.known) >= MOST_KNOWN:
            import spacy

            self.known.clear()
            self.rules = spacy.blank("en").tokenizer
        self.known[chunk] = tuple((t.text, t.idx, t.idx + len(t.text)) for t in self.rules(chunk))
        return self.known[chunk]
