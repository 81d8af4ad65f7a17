"""Cut words for the transformer: word pieces, the shape of the letters, and word positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grice.models.batching import Array

# The encoder has no capitals; the shape of a word takes the place of the token type.
SHAPES = ("lower", "Title", "Title first", "UPPER", "Letter", "miXed", "digits", "marks")
TITLE, TITLE_FIRST = SHAPES.index("Title"), SHAPES.index("Title first")
# Pieces of one word, and of one sentence with its two special ones.
MAX_WORD_PIECES, MAX_PIECES = 12, 512
MAX_CACHED = 50_000
SPECIAL = ("[CLS]", "[SEP]", "[UNK]", "[PAD]")


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A sentence in pieces: ids, shapes, and the first and last piece of each word, root first."""

    ids: list[int]
    shapes: list[int]
    first: list[int]
    last: list[int]


class WordPieces:
    """Word pieces of a tokeniser, with a cache of words."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_file(str(path))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        ids = (int(self.tokenizer.token_to_id(name) or 0) for name in SPECIAL)
        self.begin, self.end, self.unknown, self.pad = ids
        self.cache: dict[str, tuple[list[int], int]] = {}

    def row(self, words: Sequence[str]) -> PieceRow | None:
        """Return the pieces of a sentence; None if it has more than the encoder takes."""
        row = PieceRow([self.begin], [0], [0], [0])
        for word in words:
            pieces, shape = self.cache.get(word) or self._cut(word)
            row.first.append(len(row.ids))
            row.ids.extend(pieces)
            is_first = len(row.first) == 2
            shape = TITLE_FIRST if shape == TITLE and is_first else shape
            row.shapes.extend([shape] * len(pieces))
            row.last.append(len(row.ids) - 1)
        row.ids.append(self.end)
        row.shapes.append(0)
        return row if len(row.ids) <= MAX_PIECES else None

    def _cut(self, word: str) -> tuple[list[int], int]:
        pieces = self.tokenizer.encode(word, add_special_tokens=False).ids[:MAX_WORD_PIECES]
        if len(self.cache) > MAX_CACHED:
            self.cache.clear()
        self.cache[word] = pieces or [self.unknown], shape_of(word)
        return self.cache[word]


def shape_of(word: str) -> int:
    """Return the index in `SHAPES`, as if the word were not the first of its sentence."""
    if not any(c.isalnum() for c in word):
        return SHAPES.index("marks")
    if any(c.isdigit() for c in word):
        return SHAPES.index("digits")
    if not any(c.isupper() for c in word):
        return SHAPES.index("lower")
    if len(word) == 1:
        return SHAPES.index("Letter")
    if word.isupper():
        return SHAPES.index("UPPER")
    return TITLE if word[0].isupper() and word[1:].islower() else SHAPES.index("miXed")


def collate(rows: Sequence[PieceRow], pad: int) -> dict[str, Array]:
    """Pad sentences to the longest, as the network takes them."""
    n_pieces, n_words = max(len(row.ids) for row in rows), max(len(row.first) for row in rows)
    ids = np.full((len(rows), n_pieces), pad, np.int64)
    mask, shapes = np.zeros_like(ids), np.zeros_like(ids)
    first = np.zeros((len(rows), n_words), np.int64)
    last = np.zeros_like(first)
    for i, row in enumerate(rows):
        ids[i, : len(row.ids)], mask[i, : len(row.ids)] = row.ids, 1
        shapes[i, : len(row.ids)] = row.shapes
        first[i, : len(row.first)], last[i, : len(row.last)] = row.first, row.last
    return {
        "input_ids": ids,
        "attention_mask": mask,
        "token_type_ids": shapes,
        "first_piece": first,
        "last_piece": last,
    }
