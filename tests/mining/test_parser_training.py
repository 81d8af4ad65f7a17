"""Training of the built-in parser, and its scores by CoNLL 2018."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tools.parser.evaluation import score_parser
from tools.parser.train import train_parser

from grice.core.errors import InputError
from grice.mining._trees import from_columns
from grice.mining.parse import Sentence
from grice.mining.parsers import load_parser
from grice.mining.transformer import TransformerParser
from grice.models.checkpoint import checkpoint


class _Fixed:
    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        return [self.sentence for _ in sentences]


ROW: dict[str, Any] = {
    "id": "GUM_news_x-1",
    "source": "gum",
    "genre": "news",
    "words": ["Ana", "was", "seen", "."],
    "upos": ["PROPN", "AUX", "VERB", "PUNCT"],
    "xpos": ["NNP", "VBD", "VBN", "."],
    "lemmas": ["Ana", "be", "see", "."],
    "heads": [3, 3, 0, 3],
    "deprels": ["nsubj:pass", "aux:pass", "root", "punct"],
}


def test_scores_count_all_words_and_no_subtypes() -> None:
    columns: dict[str, Any] = {"tags": ROW["xpos"], "pos": ROW["upos"], "lemmas": ROW["lemmas"]}
    parsed = from_columns(
        ROW["words"], heads=[3, 3, 0, 1], deprels=["nsubj", "aux", "root", "punct"], **columns
    )
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
def test_one_command_trains_teachers_and_a_parser_that_runs_without_torch(
    treebank: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    checkpoint("all-MiniLM-L6-v2", provider="encoder")
    (tmp_path / "text.txt").write_text(
        "Ben was seen there. Cleo was heard there.\n", encoding="utf-8"
    )
    log: list[str] = []
    scores = train_parser(
        treebank, tmp_path / "out", teachers=1, text=tmp_path / "text.txt", epochs=6, log=log.append
    )
    assert scores["sentences"] == 8 and scores["unlabelled"] == 2 and "teacher 1 of 1" in log
    assert scores["test"]["uas"] > 50
    assert isinstance(load_parser(str(tmp_path / "out")), TransformerParser)


def test_teachers_without_text_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with pytest.raises(InputError, match="2 teachers and text none"):
        train_parser(tmp_path, tmp_path / "out", teachers=2)
