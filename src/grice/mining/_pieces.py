"""Words as the transformer reads them: their word pieces, the shape of their letters, and where each word stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grice.models.batching import Array

# The encoder knows no capitals; what a word looks like goes in by the table that had the number of the text.
SHAPES = ("lower", "Title", "Title first", "UPPER", "Letter", "miXed", "digits", "marks")
# Pieces of one word, and of one sentence with its two special ones.
MOST_PIECES, LONGEST = 12, 512
SPECIAL = ("[CLS]", "[SEP]", "[UNK]", "[PAD]")


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A sentence in pieces: their numbers and shapes, and the first and last piece of each word, the root before them."""

    ids: list[int]
    shapes: list[int]
    first: list[int]
    last: list[int]


class WordPieces:
    """Cuts words into the pieces of a tokeniser; a word is cut once and remembered."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_file(str(path))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.begin, self.end, self.unknown, self.pad = (int(self.tokenizer.token_to_id(name) or 0) for name in SPECIAL)
        self.known: dict[str, tuple[list[int], int]] = {}

    def row(self, words: Sequence[str]) -> PieceRow | None:
        """The pieces of a sentence; None where it has more than the encoder takes."""
        made = PieceRow([self.begin], [0], [0], [0])
        for word in words:
            pieces, shape = self.known.get(word) or self._cut(word)
            made.first.append(len(made.ids))
            made.ids.extend(pieces)
            shape = 2 if shape == 1 and len(made.first) == 2 else shape
            made.shapes.extend([shape] * len(pieces))
            made.last.append(len(made.ids) - 1)
        made.ids.append(self.end)
        made.shapes.append(0)
        return made if len(made.ids) <= LONGEST else None

    def _cut(self, word: str) -> tuple[list[int], int]:
        pieces = self.tokenizer.encode(word, add_special_tokens=False).ids[:MOST_PIECES] or [self.unknown]
        if len(self.known) > 50_000:
            self.known.clear()
        self.known[word] = pieces, shape_of(word)
        return self.known[word]


def shape_of(word: str) -> int:
    """The place among `SHAPES`; whether a word is the first is for the sentence to say."""
    if not any(c.isalnum() for c in word):
        return 7
    if any(c.isdigit() for c in word):
        return 6
    if word.islower() or not any(c.isupper() for c in word):
        return 0
    if len(word) == 1:
        return 4
    if word.isupper():
        return 3
    return 1 if word[0].isupper() and word[1:].islower() else 5


def collate(rows: Sequence[PieceRow], pad: int) -> dict[str, Array]:
    """Sentences filled up to the longest, as the network takes them."""
    pieces, words = max(len(row.ids) for row in rows), max(len(row.first) for row in rows)
    ids = np.full((len(rows), pieces), pad, np.int64)
    mask, shapes = np.zeros_like(ids), np.zeros_like(ids)
    first = np.zeros((len(rows), words), np.int64)
    last = np.zeros_like(first)
    for place, row in enumerate(rows):
        ids[place, : len(row.ids)], mask[place, : len(row.ids)] = row.ids, 1
        shapes[place, : len(row.ids)] = row.shapes
        first[place, : len(row.first)], last[place, : len(row.last)] = row.first, row.last
    return {
        "input_ids": ids,
        "attention_mask": mask,
        "token_type_ids": shapes,
        "first_piece": first,
        "last_piece": last,
    }
