"""Read the word lists of the miner from `words/*.tsv` when first needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from grice.core.words import read_lists, read_rows

WORDS = Path(__file__).parent / "words"


@cache
def word_set(name: str) -> frozenset[str]:
    """Return a list of `lists.tsv` as a set."""
    return frozenset(read_lists(WORDS / "lists.tsv")[name])


@cache
def numbers() -> tuple[str, ...]:
    """Return the number words from one to twenty, in order."""
    return read_lists(WORDS / "lists.tsv")["numbers"]


@cache
def clitics() -> dict[str, str]:
    """Return forms of auxiliaries with their lemmas."""
    return {row[0]: row[1] for row in read_rows(WORDS / "clitics.tsv")}


@cache
def penn_parts_of_speech() -> dict[str, str]:
    """Return the universal part of speech of each Penn tag but those of verbs."""
    return {row[0]: row[1] for row in read_rows(WORDS / "penn.tsv")}


@cache
def verb_forms() -> dict[tuple[str, str], str]:
    """Return the form of (verb, Penn tag) where lemminflect gives another first, or none."""
    return {(verb, tag): form for verb, tag, form in read_rows(WORDS / "forms.tsv")}


@cache
def class_members() -> dict[str, tuple[str, ...]]:
    """Return classes of words that may replace each other, by name."""
    return read_lists(WORDS / "classes.tsv")


@cache
def word_classes() -> dict[str, str]:
    """Return the class of each word; a word of two classes is in neither."""
    classes: dict[str, str] = {}
    ambiguous = set()
    for name, members in class_members().items():
        for member in members:
            ambiguous |= {member} & classes.keys()
            classes[member] = name
    return {word: name for word, name in classes.items() if word not in ambiguous}


@cache
def antonyms() -> dict[tuple[str, str], str]:
    """Return the opposite of (word, part of speech), in both directions."""
    opposites: dict[tuple[str, str], str] = {}
    for pos, first, second in read_rows(WORDS / "antonyms.tsv"):
        opposites[first, pos] = second
        opposites.setdefault((second, pos), first)
    return opposites


@cache
def source_patterns() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """Return the patterns of texts that are no source of pairs, by reason."""
    patterns: dict[str, tuple[re.Pattern[str], ...]] = {}
    for reason, pattern, _example in read_rows(WORDS / "source_patterns.tsv"):
        patterns[reason] = (*patterns.get(reason, ()), re.compile(pattern))
    return patterns
