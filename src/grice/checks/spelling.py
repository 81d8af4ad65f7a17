"""Probable misspellings, by a list of known words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from grice.checks.findings import EXAMPLES, Finding, distinct_sentences

WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "est", "ly", "r", "st", "ness", "'s")


def find_misspellings(frame: pl.DataFrame, vocabulary: frozenset[str]) -> list[Finding]:
    """Find words outside the vocabulary that are one letter away from a word in it."""
    findings = []
    corrections = correct_words(distinct_sentences(frame)["text"].to_list(), vocabulary)
    for word, meant in corrections.items():
        texts = (pl.col(column) for column in ("premise", "hypothesis"))
        has = frame.filter(
            pl.any_horizontal(text.str.contains(rf"\b{word}\b").fill_null(False) for text in texts)
        )
        ids = tuple(has["id"].head(EXAMPLES).to_list())
        detail = f"'{word}': is it '{meant}'?"
        findings.append(Finding("spelling", "warning", has.height, frame.height, detail, ids))
    return findings


def correct_words(texts: Sequence[str], known: frozenset[str]) -> dict[str, str]:
    """Return unknown words with the known word one letter away: `enourmous` to `enormous`.

    Only long words are looked at, and not their first or last letter, where inflection and chance
    make neighbours.
    """
    seen = {
        word for text in texts for word in WORD.findall(text) if len(word) > 6 and word.islower()
    }
    unknown = {word for word in seen if word.isalpha() and not _inflects(word, known)}
    return {word: near for word in sorted(unknown) if (near := _neighbour(word, known))}


def _inflects(word: str, known: frozenset[str]) -> bool:
    if word in known:
        return True
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and (stem in known or stem + "e" in known or stem[:-1] in known):
            return True
        if stem != word and stem.endswith("i") and stem[:-1] + "y" in known:
            return True
    return False


def _neighbour(word: str, known: frozenset[str]) -> str | None:
    """Return a known word with one letter less, one doubled letter more, or two letters swapped.

    A changed letter mostly leads from one good word to another (attacked, attached).
    """
    for i in range(2, len(word) - 2):
        two = word[i : i + 2]
        tries = [word[:i] + word[i] + word[i:]]
        # "starring" and "theater" follow rules: a consonant doubled before an ending, American -er.
        if word[i] != word[i - 1] or not word.endswith(("ing", "ed", "er", "y")):
            tries.append(word[:i] + word[i + 1 :])
        if two != "er" and two[0] != two[1]:
            tries.append(word[:i] + two[::-1] + word[i + 2 :])
        for near in tries:
            if near in known:
                return near
    return None
