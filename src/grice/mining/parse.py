"""Define parsed sentences.

They come from the trees of a corpus (`_trees`) or from a parser (`parsers`). Dependencies have
Universal Dependencies labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grice.mining._words import clitics, penn_parts_of_speech
from grice.mining.morphology import PARTS, find_lemma

AUXILIARIES = {"am", "is", "are", "was", "were", "be", "been", "being", "'m", "'re", "'s"}
FINITE = ("VBZ", "VBD", "VBP", "MD")
# Longer texts are not sentences; the parser's time grows with them.
MAX_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Token:
    """A word at its exact position: `text == sentence.text[start:end]`.

    Attributes:
        head: The index of its head; a root is its own.
        sure: How likely the parser thinks its head and label are; 1 for a tree of a corpus.
    """

    i: int
    text: str
    start: int
    end: int
    tag: str
    pos: str
    lemma: str
    head: int
    dep: str
    sure: float = 1.0

    @property
    def lower(self) -> str:
        """Return the word in lower case."""
        return self.text.lower()

    @property
    def verbal(self) -> bool:
        """Return whether it is tagged as a verb or a modal."""
        return self.tag.startswith("VB") or self.tag == "MD"

    @property
    def punctuation(self) -> bool:
        """Return whether it has no letter or digit, or is tagged as punctuation."""
        return self.pos == "PUNCT" or not any(c.isalnum() for c in self.text)


@dataclass(frozen=True)
class Sentence:
    """A parsed sentence."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.i:
                children[token.head].append(token.i)
        return tuple(tuple(below) for below in children)

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, i: int) -> Token:
        return self.tokens[i]

    def children(self, i: int, *deps: str) -> list[Token]:
        """Return the dependents of a token in order; `deps` selects labels, subtypes included."""
        children = (self.tokens[child] for child in self._children[i])
        if not deps:
            return list(children)
        return [t for t in children if t.dep in deps or t.dep.split(":")[0] in deps]

    def subtree(self, i: int) -> list[int]:
        """Return the indices of a token and of all below it, in order."""
        below, pending = {i}, [i]
        while pending:
            for child in self._children[pending.pop()]:
                if child not in below:
                    below.add(child)
                    pending.append(child)
        return sorted(below)

    def subject(self, i: int) -> Token | None:
        """Return the subject of a predicate, or of the verb that conjoins or controls it."""
        seen: set[int] = set()
        while i not in seen:
            seen.add(i)
            subjects = self.children(i, "nsubj", "csubj", "expl")
            subject = next((t for t in subjects if not t.dep.endswith("outer")), None)
            if subject is not None:
                return subject
            token = self.tokens[i]
            if token.dep in ("acl:relcl", "acl"):
                return self.tokens[token.head]
            if token.dep not in ("conj", "xcomp", "advcl", "parataxis"):
                return None
            i = token.head
        return None

    def verbs(self, i: int) -> list[Token]:
        """Return a predicate with its auxiliaries and copula, in order."""
        return sorted([*self.children(i, "aux", "cop"), self.tokens[i]], key=lambda t: t.i)

    def space_before(self, i: int) -> str:
        """Return the white space between a token and the previous one."""
        return self.text[self.tokens[i - 1].end : self.tokens[i].start] if i else ""


@lru_cache(maxsize=50_000)
def lemma_of(word: str, pos: str) -> str:
    """Return the dictionary form, in lower case except for names."""
    if pos == "PROPN":
        return word
    lower = word.lower()
    if lower in clitics() and pos in ("AUX", "VERB", "PART"):
        return clitics()[lower]
    part = "VERB" if pos == "AUX" else pos
    return find_lemma(lower, part) if part in PARTS else lower


def assemble(
    text: str,
    words: Sequence[tuple[str, int, int]],
    tags: Sequence[str],
    arcs: Sequence[tuple[int, str]],
    *,
    pos: Sequence[str] | None = None,
    lemmas: Sequence[str] | None = None,
    sure: Sequence[float] | None = None,
) -> Sentence:
    """Make a sentence from columns: words with offsets, tags, and a head and label for each."""
    parts = pos or [pos_of(tag, word) for tag, (word, _, _) in zip(tags, words, strict=True)]
    forms = lemmas or [
        lemma_of(word, part) for part, (word, _, _) in zip(parts, words, strict=True)
    ]
    rows = zip(words, tags, parts, forms, arcs, sure or [1.0] * len(words), strict=True)
    tokens = [
        Token(i, word, start, end, tag, part, lemma, head, dep, likely)
        for i, ((word, start, end), tag, part, lemma, (head, dep), likely) in enumerate(rows)
    ]
    return Sentence(text, tuple(tokens))


def pos_of(tag: str, word: str) -> str:
    """Return the universal part of speech of a Penn tag, as far as the tag alone decides it."""
    if tag.startswith("VB"):
        return "AUX" if word.lower() in AUXILIARIES else "VERB"
    unknown = "X" if any(c.isalnum() for c in word) else "PUNCT"
    return penn_parts_of_speech().get(tag, unknown)
