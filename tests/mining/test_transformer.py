"""The transformer parser: pieces, decoding, scores by CoNLL 2018, and its training."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grice.core.errors import InputError
from grice.mining import _tokens
from grice.mining._decoding import best_tree, decode
from grice.mining._pieces import LONGEST, SHAPES, WordPieces, collate, shape_of
from grice.mining._tokens import EnglishTokens
from grice.mining._trees import from_columns
from grice.mining.evaluation import score_parser
from grice.mining.parse import BUILT_IN, Sentence, load_parser
from grice.mining.train_parser import train_parser
from grice.mining.transformer import TOKENIZER, TransformerParser
from grice.models.checkpoint import checkpoint


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
    pieces = WordPieces(BUILT_IN / TOKENIZER)
    row = pieces.row(["The", "NATO", "unbelievableness", "of", "Ana", "42", ","])
    assert row is not None and row.first[0] == 0 and len(row.first) == 8
    assert row.last[3] > row.first[3] and len(row.ids) == len(row.shapes)
    assert [SHAPES[row.shapes[i]] for i in row.first[1:]] == [
        "Title first", "UPPER", "lower", "lower", "Title", "digits", "marks",
    ]  # fmt: skip
    arrays = collate([row, pieces.row(["Yes"]) or row], pieces.pad)
    assert arrays["attention_mask"].sum(1).tolist() == [len(row.ids), 3]
    assert shape_of("iPhone") == SHAPES.index("miXed") and pieces.row(["x"] * LONGEST) is None


def test_words_are_spacys_and_no_corpus_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy")
    monkeypatch.setattr(_tokens, "MOST_KNOWN", 4)
    texts = [
        "He didn't (really) go  to\tU.S. cities; 'tis e.g. 5km :) ...",
        "Ill . and can not",
        "\u00a0x\u2003y\n",
        "",
    ]
    tokens = EnglishTokens()
    for text in texts * 2:
        whole = [(t.text, t.idx, t.idx + len(t)) for t in spacy.blank("en").tokenizer(text) if not t.is_space]
        assert tokens.words(text) == whole and len(tokens.known) <= 4


def test_a_text_of_more_words_than_the_encoder_takes_has_no_tokens_and_its_neighbours_are_parsed() -> None:
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


class _Fixed:
    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        return [self.sentence for _ in sentences]


ROW: dict[str, Any] = {
    "id": "GUM_news_x-1", "source": "gum", "genre": "news", "words": ["Ana", "was", "seen", "."], "upos": ["PROPN", "AUX", "VERB", "PUNCT"],
    "xpos": ["NNP", "VBD", "VBN", "."], "lemmas": ["Ana", "be", "see", "."], "heads": [3, 3, 0, 3],
    "deprels": ["nsubj:pass", "aux:pass", "root", "punct"],
}  # fmt: skip


def test_scores_count_all_words_and_no_subtypes() -> None:
    columns: dict[str, Any] = {"tags": ROW["xpos"], "pos": ROW["upos"], "lemmas": ROW["lemmas"]}
    parsed = from_columns(ROW["words"], heads=[3, 3, 0, 1], deprels=["nsubj", "aux", "root", "punct"], **columns)
    scores = score_parser(_Fixed(parsed), [ROW])
    assert (scores.uas, scores.las, scores.words) == (75.0, 75.0, 4)
    assert (scores.uas_without_punctuation, scores.las_with_subtypes) == (100.0, 33.33)
    assert score_parser(_Fixed(Sentence("", ())), [ROW]).las == 0


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    for part in ("train", "dev", "test", "gentle"):
        with gzip.open(tmp_path / f"{part}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.write((json.dumps(ROW) + "\n") * 8)
            out.write(json.dumps({**ROW, "id": "GUM_whow_y-1", "genre": "whow"}) + "\n")
    return tmp_path


@pytest.mark.slow
def test_one_command_trains_teachers_and_a_parser_that_runs_without_torch(treebank: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    checkpoint("all-MiniLM-L6-v2", provider="encoder")
    (tmp_path / "text.txt").write_text("Ben was seen there. Cleo was heard there.\n", encoding="utf-8")
    log: list[str] = []
    scores = train_parser(
        treebank, tmp_path / "out", teachers=1, text=tmp_path / "text.txt", epochs=6, log=log.append
    )  # fmt: skip
    assert scores["sentences"] == 8 and scores["unlabelled"] == 2 and "teacher 1 of 1" in log
    assert scores["test"]["uas"] > 50
    assert isinstance(load_parser(str(tmp_path / "out")), TransformerParser)


def test_teachers_without_text_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with pytest.raises(InputError, match="2 teachers and text none"):
        train_parser(tmp_path, tmp_path / "out", teachers=2)
