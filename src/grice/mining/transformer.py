"""Parse with a transformer: an int8 graph on ONNX Runtime, trees decoded in numpy; no torch."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grice.mining._decoding import Tree, decode
from grice.mining._pieces import PieceRow, WordPieces, collate
from grice.mining._tokens import EnglishTokens
from grice.mining.morphology import word_data
from grice.mining.parse import Sentence, assemble
from grice.models.batching import Array, TokenBatch, split_by_budget

GRAPH, LABELS, TOKENIZER = "model.int8.onnx", "labels.json", "tokenizer.json"
# Sentences that are sorted by length together, and the pieces of a batch: twice as many took 10%
# longer.
WINDOW, BUDGET = 512, 512


@dataclass(frozen=True)
class ParserLabels:
    """The names of dependencies, Penn tags and parts of speech, in the order of the outputs."""

    deps: tuple[str, ...]
    tags: tuple[str, ...]
    pos: tuple[str, ...]


@dataclass(frozen=True)
class Parse:
    """A tree with the indices of tags and parts of speech."""

    tree: Tree
    tags: Array
    pos: Array


class TransformerParser:
    """A parser in a folder; it takes each text as one sentence."""

    def __init__(self, folder: Path, name: str, *, threads: int = 0) -> None:
        from grice.models.onnx import Onnx

        self.name = name
        labels = json.loads((folder / LABELS).read_text(encoding="utf-8"))
        self.labels = ParserLabels(**labels)
        self.pieces = WordPieces(folder / TOKENIZER)
        self.tokens = EnglishTokens(**word_data()["tokens"])
        self.engine = Onnx(folder / GRAPH, threads=threads)
        self.root = self.labels.deps.index("root")

    def parse(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """Yield one sentence per text, without words if it has more than the encoder takes."""
        source = iter(texts)
        while window := list(itertools.islice(source, WINDOW)):
            docs = [self.tokens.words(text) for text in window]
            parses = self.trees([[word for word, _, _ in doc] for doc in docs])
            for text, doc, parse in zip(window, docs, parses, strict=True):
                yield self._make_sentence(text, doc, parse)

    def parse_one(self, text: str) -> Sentence:
        """Return the parse of one text."""
        return next(iter(self.parse([text])))

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        """Yield one sentence per list of words, with a space between them."""
        for start in range(0, len(sentences), WINDOW):
            window = sentences[start : start + WINDOW]
            for words, parse in zip(window, self.trees(window), strict=True):
                ends = itertools.accumulate(len(word) + 1 for word in words)
                spans = [(w, end - 1 - len(w), end - 1) for w, end in zip(words, ends, strict=True)]
                yield self._make_sentence(" ".join(words), spans, parse)

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Parse | None]:
        """Return the parse of each list of words; None if it is empty or too long."""
        rows = {
            i: row for i, words in enumerate(sentences) if words and (row := self.pieces.row(words))
        }
        parses: list[Parse | None] = [None] * len(sentences)
        for batch, (arcs, labels, tags, pos) in self.engine.outputs(self._batches(rows)):
            for k, i in enumerate(batch.places):
                n = len(sentences[i]) + 1
                tree = decode(arcs[k, :n, :n], labels[k, :n, :n], self.root)
                parses[i] = Parse(tree, tags[k, 1:n].argmax(-1), pos[k, 1:n].argmax(-1))
        return parses

    def _batches(self, rows: Mapping[int, PieceRow]) -> Iterator[TokenBatch]:
        indices = list(rows)
        for chosen in split_by_budget([len(row.ids) for row in rows.values()], BUDGET):
            places = [indices[i] for i in chosen]
            arrays = collate([rows[i] for i in places], self.pieces.pad)
            yield TokenBatch(places, [False] * len(places), arrays)

    def _make_sentence(
        self, text: str, words: Sequence[tuple[str, int, int]], parse: Parse | None
    ) -> Sentence:
        if parse is None:
            return Sentence(text, ())
        heads, labels = parse.tree.heads.tolist(), parse.tree.labels.tolist()
        arcs = [
            (i if head == 0 else head - 1, self.labels.deps[label])
            for i, (head, label) in enumerate(zip(heads, labels, strict=True))
        ]
        return assemble(
            text,
            words,
            [self.labels.tags[i] for i in parse.tags.tolist()],
            arcs,
            pos=[self.labels.pos[i] for i in parse.pos.tolist()],
            sure=parse.tree.sure.tolist(),
        )
