"""Find lemmas and verb forms in the dictionaries of the built-in parser, or by its networks.

Both were taken from lemminflect (`tools.parser.words`), whose results they equal.
"""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.errors import MissingExtra

PACKAGE, WORDS = "grice_parser", "words.json.gz"
PARTS = ("NOUN", "VERB", "ADJ", "ADV")
TAGS = ("VBD", "VBN", "VBG", "VBZ")
# A network reads the last letters of a word: none, another sign, a to z.
N_LETTERS, N_SIGNS = 8, 28


def built_in_folder() -> Path:
    """Return the folder of the package `grice_parser`.

    Raises:
        MissingExtra: The package is not installed.
    """
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise MissingExtra("mining", "mine")
    return Path(package.origin).parent


@cache
def word_data() -> Mapping[str, Any]:
    """Return the content of the file of words."""
    data: Mapping[str, Any] = json.loads(gzip.decompress((built_in_folder() / WORDS).read_bytes()))
    return data


class EndingNetwork:
    """A network with one hidden layer that classifies a word by its last letters."""

    def __init__(self, weights: Sequence[str], shapes: Sequence[Sequence[int]]) -> None:
        arrays = [np.frombuffer(b64decode(text), np.float32) for text in weights]
        self.weights = [a.reshape(shape) for a, shape in zip(arrays, shapes, strict=True)]

    def classify(self, word: str, part: str) -> int:
        """Return the index of the likeliest class of a word that is this part of speech."""
        signs = np.zeros((N_LETTERS + 1, N_SIGNS), np.float32)
        signs[0, PARTS.index(part)] = 1
        for i, letter in enumerate(word.lower()[::-1][:N_LETTERS], 1):
            signs[i, ord(letter) - ord("a") + 2 if "a" <= letter <= "z" else 1] = 1
        first, first_bias, second, second_bias = self.weights
        hidden = np.dot(signs.reshape(-1), first) + first_bias
        return int((np.dot(hidden * (hidden > 0), second) + second_bias).argmax())


@cache
def _table(kind: str, key: str) -> dict[str, str]:
    cells = word_data()[kind][key].split("\t")
    return dict(zip(cells[::2], cells[1::2], strict=True))


@cache
def _network(kind: str) -> EndingNetwork:
    return EndingNetwork(**word_data()[f"{kind}_network"])


def find_lemma(word: str, part: str) -> str:
    """Return the lemma of a word in lower case that is a noun, verb, adjective or adverb."""
    if (lemma := _table("lemmas", part).get(word)) is not None:
        return lemma
    removed, added, is_doubled = word_data()["lemma_rules"][_network("lemma").classify(word, part)]
    stem: str = (word[: -len(removed)] if removed else word) + added
    return stem[:-1] if is_doubled else stem


def inflect_verb(verb: str, tag: str) -> str:
    """Return the form of a verb for the Penn tag VBD, VBN, VBG or VBZ, capitals as in the verb."""
    lower = verb.lower()
    form = _table("forms", tag).get(lower) or _inflect_unknown(lower, tag)
    if verb.isupper():
        return form.upper()
    return form.capitalize() if verb[0].isupper() else form


def _inflect_unknown(verb: str, tag: str) -> str:
    third, past, present = _regular_forms(verb)
    # The network tells verbs that double their last letter; its first class is the regular one.
    if tag != "VBZ" and _network("form").classify(verb, "VERB"):
        past, present = (verb + verb[-1] + ending for ending in ("ed", "ing"))
    return {"VBZ": third, "VBG": present}.get(tag, past)


def _regular_forms(verb: str) -> tuple[str, str, str]:
    """Return the third person, the past and the present participle by the rules of spelling."""
    if re.search(r"([szx]|ch|sh)$", verb):
        return verb + "es", verb + "ed", verb + "ing"
    if verb.endswith("ie"):
        return verb + "s", verb + "d", verb[:-2] + "ying"
    if verb.endswith(("ee", "oe", "ye")):
        return verb + "s", verb + "d", verb + "ing"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies", verb[:-1] + "ied", verb[:-1] + "ying"
    if re.search(r"[^iyeo]e$", verb):
        return verb + "s", verb + "d", verb[:-1] + "ing"
    return verb + "s", verb + "ed", verb + "ing"
