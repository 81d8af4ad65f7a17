"""Lemmas and verb forms, beside lemminflect's."""

from __future__ import annotations

import pytest

from grice.mining.morphology import PARTS, TAGS, find_lemma, inflect_verb

VERBS = (
    *("find", "learn", "stop", "carry", "agree", "dye", "tie", "go", "FIND", "Stop", "can"),
    *("blorp", "zagnify", "unwug", "flib", "fliebe", "quaxo", "x-ray", "grizzlie", "trank"),
)
WORDS = ("found", "better", "mice", "blorped", "zagnified", "wugses", "flibbing", "criteria", "été")


@pytest.mark.parametrize("verb", VERBS)
def test_verb_forms_are_lemminflects(verb: str) -> None:
    source = pytest.importorskip("lemminflect")
    for tag in TAGS:
        assert inflect_verb(verb, tag) == source.getInflection(verb, tag)[0]


@pytest.mark.parametrize("word", WORDS)
def test_lemmas_are_lemminflects(word: str) -> None:
    source = pytest.importorskip("lemminflect")
    for part in PARTS:
        assert find_lemma(word, part) == source.getLemma(word, part)[0]
