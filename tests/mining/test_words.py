"""The word lists of the miner."""

from __future__ import annotations

import re
from pathlib import Path

import grice.mining
from grice.core.words import read_lists
from grice.mining._words import WORDS, antonyms, clitics, numbers, verb_forms, word_classes
from grice.mining.signals.substitution import FAMILIES

LISTS = read_lists(WORDS / "lists.tsv")


def test_every_list_is_there_and_is_used() -> None:
    sources = Path(grice.mining.__file__).parent.rglob("*.py")
    used = {
        name for path in sources for name in re.findall(r'word_set\("([^"]+)"\)', path.read_text())
    }
    assert used | {"numbers"} | {f"verbs of {name}" for name in FAMILIES} == set(LISTS)


def test_no_list_names_a_word_twice() -> None:
    for name, words in LISTS.items():
        assert len(set(words)) == len(words) > 0, name


def test_pairs_of_words_are_read_with_their_keys() -> None:
    assert numbers()[0] == "one" and numbers()[-1] == "twenty"
    assert clitics()["n't"] == "not" and verb_forms()["get", "VBN"] == "gotten"
    assert antonyms()["small", "ADJ"] == "big" and word_classes()["Monday"] == "weekday"
