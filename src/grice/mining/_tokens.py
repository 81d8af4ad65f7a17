"""Tokenise by spaCy's rules for English, without spaCy; memory is bounded for any corpus."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

# What white space separates; the rules cut it without regard to its neighbours.
CHUNK = re.compile(r"\S+")
MAX_CACHED = 50_000


class EnglishTokens:
    """A tokeniser with a cache of the chunks between white space.

    Args:
        exceptions: The words of each chunk that the patterns do not cut right, as "don't".
        patterns: Regular expressions by name: prefix, suffix, infix and url.
    """

    def __init__(
        self, exceptions: Mapping[str, Sequence[str]], patterns: Mapping[str, str]
    ) -> None:
        self.cache: dict[str, tuple[tuple[str, int, int], ...]] = {}
        self.prefix, self.suffix, self.infix, self.url = (
            re.compile(patterns[name]) for name in ("prefix", "suffix", "infix", "url")
        )
        self.exceptions: Mapping[str, Sequence[str]] = {}
        # Exceptions that the patterns may cut before they are recognised, by the words that result.
        self.cut_exceptions = {
            tuple(self._cut(chunk)): words
            for chunk, words in exceptions.items()
            if any(p.search(chunk) for p in (self.prefix, self.suffix, self.infix))
        }
        self.longest = max(map(len, self.cut_exceptions), default=0)
        self.exceptions = exceptions

    def words(self, text: str) -> list[tuple[str, int, int]]:
        """Return (word, start, end) of each word, without white space."""
        words: list[tuple[str, int, int]] = []
        for match in CHUNK.finditer(text):
            chunk, start = match[0], match.start()
            for word, first, last in self.cache.get(chunk) or self._remember(chunk):
                words.append((word, start + first, start + last))
        return words

    def _remember(self, chunk: str) -> tuple[tuple[str, int, int], ...]:
        if len(self.cache) >= MAX_CACHED:
            self.cache.clear()
        words = self._restore_exceptions(self._cut(chunk))
        ends = accumulate(map(len, words))
        spans = tuple((word, end - len(word), end) for word, end in zip(words, ends, strict=True))
        self.cache[chunk] = spans
        return spans

    def _cut(self, chunk: str) -> list[str]:
        prefixes: list[str] = []
        suffixes: list[str] = []
        core, length = chunk, 0
        while core and len(core) != length and core not in self.exceptions:
            length = len(core)
            before = _length(self.prefix.search(core))
            if before and core[before:] in self.exceptions:
                prefixes.append(core[:before])
                core = core[before:]
                break
            after = _length(self.suffix.search(core[before:]))
            if after and core[:-after] in self.exceptions:
                suffixes.append(core[-after:])
                core = core[:-after]
                break
            if before:
                prefixes.append(core[:before])
            if after and (not before or before + after <= length):
                suffixes.append(core[length - after :])
                core = core[before : length - after]
            else:
                core = core[before:]
        return [*prefixes, *self._cut_inside(core), *reversed(suffixes)]

    def _cut_inside(self, core: str) -> Sequence[str]:
        if core in self.exceptions:
            return self.exceptions[core]
        if not core or self.url.match(core):
            return [core] if core else []
        words, start = [], 0
        for match in self.infix.finditer(core):
            if match.start() == 0:
                continue
            words += [core[start : match.start()], match[0]]
            start = match.end()
        return [word for word in (*words, core[start:]) if word]

    def _restore_exceptions(self, words: list[str]) -> list[str]:
        """Give exceptions that were cut their own words; longer ones first, then earlier ones."""
        for length in range(min(self.longest, len(words)), 0, -1):
            for start in range(len(words) - length + 1):
                if cut := self.cut_exceptions.get(tuple(words[start : start + length])):
                    before = self._restore_exceptions(words[:start])
                    after = self._restore_exceptions(words[start + length :])
                    return [*before, *cut, *after]
        return words


def _length(match: re.Match[str] | None) -> int:
    return len(match[0]) if match else 0
