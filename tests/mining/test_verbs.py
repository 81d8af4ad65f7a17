"""The command line of the miner, and its bars on the published sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.mining._clauses import complement_sentence
from grice.mining._constructions import constructions
from grice.mining._negation import negate
from grice.mining.parsers import load_parser


def test_a_corpus_becomes_a_file_of_pairs_with_counts_that_say_why(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text(
        "The cook refused to leave the ship.\nNo one tried to stay.\nFine words.\n",
        encoding="utf-8",
    )
    out = tmp_path / "pairs.jsonl"
    call = ["mine", "complements", str(corpus), "-o", str(out), "--workers", "1", "--json"]
    result = CliRunner().invoke(build(), call)
    assert result.exit_code == 0, result.output
    counts = json.loads(result.stdout)
    assert counts["written"] == 2 and counts["skipped: explicit negation"] == 1
    assert len(out.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.published
@pytest.mark.slow
def test_the_authors_sentences_are_met_as_often_as_promised(data_folder: Path) -> None:
    lines = (
        (data_folder / "veridicality" / "verb_veridicality_evaluation.tsv")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    rows = [line.split("\t") for line in lines[1::5]]
    negated = complement = 0
    for row, sentence in zip(
        rows, load_parser().parse([row[3].strip() for row in rows]), strict=True
    ):
        found = [one for one in constructions(sentence) if one.complement == row[1]]
        negated += any(_plain(negate(sentence, one)) == _plain(row[4]) for one in found)
        complement += any(
            _plain(complement_sentence(sentence, one) or "") == _plain(row[5]) for one in found
        )
    assert negated / len(rows) >= 0.85
    assert complement / len(rows) >= 0.70


def _plain(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())
