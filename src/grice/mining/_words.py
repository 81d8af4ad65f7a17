"""The word lists of the miner, read from `words/*.tsv` when first needed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from grice.core.words import read_lists, read_rows

WORDS = Path(__file__).parent / "words"


@cache
def word_set(name: str) -> frozenset[str]:
    """A list of `lists.tsv` as a set."""
    return frozenset(read_lists(WORDS / "lists.tsv")[name])


@cache
def numbers() -> tuple[str, ...]:
    """The number words from one to twenty, in order."""
    return read_lists(WORDS / "lists.tsv")["numbers"]


@cache
def clitics() -> dict[str, str]:
    """Forms of auxiliaries to their lemmas."""
    return {row[0]: row[1] for row in read_rows(WORDS / "clitics.tsv")}


@cache
def verb_forms() -> dict[tuple[str, str], str]:
    """(verb, Penn tag) to the form, where lemminflect gives another first, or none."""
    return {(verb, tag): form for verb, tag, form in read_rows(WORDS / "forms.tsv")}


@cache
def class_members() -> dict[str, tuple[str, ...]]:
    """Classes of words that may replace each other, by name."""
    return read_lists(WORDS / "classes.tsv")


@cache
def word_classes() -> dict[str, str]:
    """Word to class; a word of two classes is in neither."""
    found: dict[str, str] = {}
    twice = set()
    for name, words in class_members().items():
        for word in words:
            twice |= {word} & found.keys()
            found[word] = name
    return {word: name for word, name in found.items() if word not in twice}


@cache
def antonyms() -> dict[tuple[str, str], str]:
    """(word, part of speech) to its opposite, both ways round."""
    found: dict[tuple[str, str], str] = {}
    for pos, one, other in read_rows(WORDS / "antonyms.tsv"):
        found[one, pos] = other
        found.setdefault((other, pos), one)
    return found
