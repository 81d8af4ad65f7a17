"""Suppliers of sentences: CoNLL-U, the built-in parser."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.core.errors import InputError, MissingExtra
from grice.mining import morphology
from grice.mining._trees import from_conllu
from grice.mining.morphology import built_in_folder
from grice.mining.parsers import load_parser

CONLLU = """# text = He can't sing.
1	He	he	PRON	PRP	_	4	nsubj	_	_
2-3	can't	_	_	_	_	_	_	_	_
2	ca	can	AUX	MD	_	4	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
4	sing	sing	VERB	VB	_	0	root	_	_
5	.	.	PUNCT	.	_	4	punct	_	_
"""


@pytest.mark.parametrize(
    "text", ['"Wow 😀," she said – don’t go!', "Ana  and Ben\tare here.", "a", "…", "He said 'so'."]
)
def test_offsets_are_exact_whatever_the_text(text: str) -> None:
    parsed = load_parser().parse_one(text)
    assert all(text[t.start : t.end] == t.text for t in parsed.tokens)
    assert sum(t.head == t.i for t in parsed.tokens) == 1


def test_conllu_keeps_words_and_the_original_text() -> None:
    parsed = from_conllu(CONLLU)
    assert [t.text for t in parsed.tokens] == ["He", "ca", "n't", "sing", "."]
    assert parsed.text == "He can't sing." and parsed[2].start == 5


@pytest.mark.parametrize(
    "block", ["1	x", "# text = x", "1	x	x	X	X	_	9	dep	_	_"]
)
def test_a_broken_tree_is_refused_in_one_line(block: str) -> None:
    with pytest.raises(InputError):
        from_conllu(block)


@pytest.mark.parametrize("name", ["no_such_folder", "."])
def test_a_folder_without_a_parser_is_named(name: str) -> None:
    with pytest.raises(InputError, match=f"no parser is in '{name}'"):
        load_parser(name)


def test_the_built_in_parser_finds_subject_verb_and_complement() -> None:
    parsed = load_parser().parse_one("The old sailor refused to leave the ship.")
    refused = next(t for t in parsed.tokens if t.text == "refused")
    assert refused.lemma == "refuse" and refused.dep == "root"
    assert [t.text for t in parsed.children(refused.i, "nsubj", "xcomp")] == ["sailor", "leave"]


def test_the_built_in_parser_is_small_and_says_what_it_is_made_of() -> None:
    size = sum(path.stat().st_size for path in built_in_folder().rglob("*") if path.is_file())
    assert size <= 25.5 * 10**6
    card = (Path(__file__).parents[2] / "packages/grice-parser/README.md").read_text(
        encoding="utf-8"
    )
    assert "CC BY-SA 4.0" in card and "| gentle |" in card


def test_without_the_package_of_the_parser_the_error_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(morphology, "PACKAGE", "grice_parser_that_is_not_installed")
    load_parser.cache_clear()
    with pytest.raises(MissingExtra, match=r"grice\[mine\]"):
        load_parser()
    load_parser.cache_clear()
