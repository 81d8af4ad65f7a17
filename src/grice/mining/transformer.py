"""The transformer parser: an int8 graph on ONNX Runtime, trees decoded in numpy; no torch."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grice.mining._decoding import Tree, decode
from grice.mining._pieces import PieceRow, WordPieces, collate
from grice.mining._tokens import EnglishTokens
from grice.mining.parse import Sentence, assemble
from grice.mining.treebank import TreebankLabels
from grice.models.batching import Array, TokenBatch, split_by_budget

GRAPH, LABELS, TOKENIZER = "model.int8.onnx", "labels.json", "tokenizer.json"
# Sentences that are sorted by length together, and the pieces of a batch: twice as many took 10% longer.
WINDOW, BUDGET = 512, 512


class TransformerParser:
    """Parses texts, each as one sentence; `name` is that of its folder."""

    def __init__(self, folder: Path, name: str, *, threads: int = 0) -> None:
        from grice.models.onnx import Onnx

        self.name = name
        self.labels = TreebankLabels(**json.loads((folder / LABELS).read_text(encoding="utf-8")))
        self.pieces, self.tokens = WordPieces(folder / TOKENIZER), EnglishTokens()
        self.engine = Onnx(folder / GRAPH, threads=threads)
        self.root = self.labels.deps.index("root")

    def parse(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """One sentence for each text; one without words where it has more than the encoder takes."""
        source = iter(texts)
        while window := list(itertools.islice(source, WINDOW)):
            docs = [self.tokens.words(text) for text in window]
            trees = self.trees([[word for word, _, _ in doc] for doc in docs])
            for text, doc, tree in zip(window, docs, trees, strict=True):
                yield self._sentence(text, doc, tree)

    def parse_one(self, text: str) -> Sentence:
        """The parse of one text."""
        return next(iter(self.parse([text])))

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        """One sentence for each list of words, with a space between them."""
        for start in range(0, len(sentences), WINDOW):
            window = sentences[start : start + WINDOW]
            for words, tree in zip(window, self.trees(window), strict=True):
                ends = list(itertools.accumulate(len(word) + 1 for word in words))
                placed = [(word, end - 1 - len(word), end - 1) for word, end in zip(words, ends, strict=True)]
                yield self._sentence(" ".join(words), placed, tree)

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[tuple[Tree, Array, Array] | None]:
        """For each list of words its tree with the places of tags and parts of speech; None for too many words or none."""
        rows = [self.pieces.row(words) if words else None for words in sentences]
        able = [place for place, row in enumerate(rows) if row is not None]
        found: list[tuple[Tree, Array, Array] | None] = [None] * len(rows)
        for batch, (arcs, labels, tags, pos) in self.engine.outputs(self._batches(rows, able)):
            for row, place in enumerate(batch.places):
                n = len(sentences[place]) + 1
                tree = decode(arcs[row, :n, :n], labels[row, :n, :n], self.root)
                found[place] = tree, tags[row, 1:n].argmax(-1), pos[row, 1:n].argmax(-1)
        return found

    def _batches(self, rows: Sequence[PieceRow | None], able: Sequence[int]) -> Iterator[TokenBatch]:
        known = [(place, row) for place in able if (row := rows[place]) is not None]
        for chosen in split_by_budget([len(row.ids) for _, row in known], BUDGET):
            made = collate([known[i][1] for i in chosen], self.pieces.pad)
            yield TokenBatch([known[i][0] for i in chosen], [False] * len(chosen), made)

    def _sentence(
        self, text: str, words: Sequence[tuple[str, int, int]], found: tuple[Tree, Array, Array] | None
    ) -> Sentence:
        if found is None:
            return Sentence(text, ())
        tree, tags, pos = found
        heads, names = tree.heads.tolist(), self.labels.deps
        arcs = [
            (place if head == 0 else head - 1, names[label])
            for place, (head, label) in enumerate(zip(heads, tree.labels.tolist(), strict=True))
        ]
        return assemble(
            text,
            words,
            [self.labels.tags[i] for i in tags.tolist()],
            arcs,
            pos=[self.labels.pos[i] for i in pos.tolist()],
            sure=tree.sure.tolist(),
        )
