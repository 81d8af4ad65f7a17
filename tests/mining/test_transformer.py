"""The transformer parser: pieces and decoding."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from grice.mining import _tokens
from grice.mining._decoding import best_tree, decode
from grice.mining._pieces import MAX_PIECES, SHAPES, WordPieces, collate, shape_of
from grice.mining._tokens import EnglishTokens
from grice.mining.morphology import built_in_folder, word_data
from grice.mining.parsers import load_parser
from grice.mining.transformer import TOKENIZER


def _is_tree(heads: Sequence[int]) -> bool:
    for word in range(1, len(heads) + 1):
        seen = set()
        while word and word not in seen:
            seen.add(word)
            word = int(heads[word - 1])
        if word:
            return False
    return sum(head == 0 for head in heads) == 1


def test_the_decoded_tree_is_the_best_of_all_trees() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        n = int(rng.integers(1, 6))
        logs = np.log(rng.dirichlet(np.ones(n + 1) * 0.5, size=n) + 1e-9)
        logs[np.arange(n), np.arange(1, n + 1)] = -1e9
        trees = [heads for heads in product(range(n + 1), repeat=n) if _is_tree(heads)]
        best = max(trees, key=lambda heads: sum(logs[i, h] for i, h in enumerate(heads)))
        assert best_tree(logs).tolist() == list(best)


def test_only_the_arc_from_the_root_is_called_root() -> None:
    arcs, labels = np.zeros((3, 3)), np.zeros((3, 3, 2))
    arcs[1, 0] = arcs[2, 1] = 5
    labels[..., 0] = 9
    tree = decode(arcs, labels, root=0)
    assert tree.heads.tolist() == [0, 1] and tree.labels.tolist() == [0, 1]
    assert (tree.sure > 0.9).all() and (tree.sure <= 1).all()


def test_words_are_cut_into_pieces_with_the_shape_of_their_letters() -> None:
    pieces = WordPieces(built_in_folder() / TOKENIZER)
    row = pieces.row(["The", "NATO", "unbelievableness", "of", "Ana", "42", ","])
    assert row is not None and row.first[0] == 0 and len(row.first) == 8
    assert row.last[3] > row.first[3] and len(row.ids) == len(row.shapes)
    assert [SHAPES[row.shapes[i]] for i in row.first[1:]] == [
        "Title first",
        "UPPER",
        "lower",
        "lower",
        "Title",
        "digits",
        "marks",
    ]
    arrays = collate([row, pieces.row(["Yes"]) or row], pieces.pad)
    assert arrays["attention_mask"].sum(1).tolist() == [len(row.ids), 3]
    assert shape_of("iPhone") == SHAPES.index("miXed") and pieces.row(["x"] * MAX_PIECES) is None


def test_words_are_spacys_and_no_corpus_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy")
    monkeypatch.setattr(_tokens, "MAX_CACHED", 4)
    texts = [
        "He didn't (really) go  to\tU.S. cities; 'tis e.g. 5km :) ...",
        "Ill . and can not",
        "\u00a0x\u2003y\n",
        "",
    ]
    tokens = EnglishTokens(**word_data()["tokens"])
    for text in texts * 2:
        whole = [
            (t.text, t.idx, t.idx + len(t))
            for t in spacy.blank("en").tokenizer(text)
            if not t.is_space
        ]
        assert tokens.words(text) == whole and len(tokens.cache) <= 4


def test_a_text_that_is_too_long_has_no_tokens_and_its_neighbours_are_parsed() -> None:
    found = list(load_parser().parse(["a " * 600, "Ana left.", ""]))
    assert [len(sentence) for sentence in found] == [0, 3, 0]


def test_a_sentence_is_parsed_the_same_alone_and_among_others() -> None:
    parser = load_parser()
    texts = [
        "The old sailor refused to leave the ship.",
        "Ana and Ben came, but Carl stayed at home with the dog.",
        "Yes.",
    ]
    assert list(parser.parse(texts)) == [parser.parse_one(text) for text in texts]
