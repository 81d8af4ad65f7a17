"""Define parsed sentences, and load the parser that gives them.

Sentences come from the trees of a corpus (`_trees`), the built-in transformer, or any spaCy
pipeline by name. Dependencies have Universal Dependencies labels; spaCy's older ones are
translated.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

from grice.core.checksums import verify_files
from grice.core.errors import InputError, MissingExtra, one_line
from grice.mining._words import clitics, penn_parts_of_speech, translated_labels

BUILT_IN = Path(__file__).parent / "parser"
CHECKSUMS = Path(__file__).parent / "checksums.txt"
BATCH = 128
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


@dataclass(frozen=True, slots=True)
class Phrase:
    """A constituent of a tree of a corpus: tokens `start` to `end`, exclusive."""

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """A parsed sentence; `constituents` only for a tree of a corpus."""

    text: str
    tokens: tuple[Token, ...]
    constituents: tuple[Phrase, ...] = ()

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


class Parser(Protocol):
    """A parser with a name."""

    name: str

    def parse(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """Yield one sentence per text, whatever its marks; without tokens if it is too long."""

    def parse_one(self, text: str) -> Sentence:
        """Return the parse of one text."""

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        """Return one sentence per list of words, as a treebank tokenises them."""


class SpacyParser:
    """A spaCy pipeline as a parser."""

    def __init__(self, nlp: Any, name: str) -> None:
        self.nlp = nlp
        self.name = name

    def parse(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """Yield one sentence per text, whatever its marks."""
        lemmas = self.nlp.has_pipe("lemmatizer")
        source = iter(texts)
        while batch := list(itertools.islice(source, BATCH)):
            # The zone frees the words of the batch, which a long corpus would fill memory with.
            with self.nlp.memory_zone():
                docs = self.nlp.pipe(batch, batch_size=BATCH)
                sentences = [_from_doc(doc, spacy_lemmas=lemmas) for doc in docs]
            yield from sentences

    def parse_one(self, text: str) -> Sentence:
        """Return the parse of one text."""
        return next(iter(self.parse([text])))

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        """Return one sentence per list of words."""
        from spacy.tokens import Doc

        lemmas = self.nlp.has_pipe("lemmatizer")
        docs = (Doc(self.nlp.vocab, words=list(words)) for words in sentences)
        parsed = self.nlp.pipe(docs, batch_size=BATCH)
        return (_from_doc(doc, spacy_lemmas=lemmas) for doc in parsed)


@cache
def load_parser(name: str = "") -> Parser:
    """Load the built-in transformer, or another parser by its folder or its name in spaCy.

    Raises:
        MissingExtra: spaCy is not installed.
        InputError: No parser has this name.
    """
    try:
        import spacy
    except ImportError:
        raise MissingExtra("mining", "mine") from None
    from grice.mining.transformer import GRAPH, TransformerParser

    if not name:
        verify_files(BUILT_IN, CHECKSUMS, "parser", "install grice again")
    folder = Path(name) if name else BUILT_IN
    if (folder / GRAPH).is_file():
        return TransformerParser(folder, name or "built-in")
    try:
        nlp = spacy.load(name, exclude=["ner", "senter"])
    except Exception as error:
        why = one_line(str(error))[:100]
        fact = f"no spaCy pipeline that can be loaded is called '{name}' ({why})"
        hint = "name a folder or an installed pipeline, or leave it out for the built-in parser"
        raise InputError(f"{fact}; {hint}") from None
    return SpacyParser(nlp, name)


def _from_doc(doc: Any, *, spacy_lemmas: bool) -> Sentence:
    root = next((t for t in doc if t.head.i == t.i), None)
    words = [t for t in doc if not t.is_space]
    index = {t.i: i for i, t in enumerate(words)}
    tokens = []
    for i, t in enumerate(words):
        head = _solid_head(t)
        dep = "root" if t.dep_ == "ROOT" else translated_labels().get(t.dep_, t.dep_)
        if dep == "root" and root is not None and t.i != root.i and root.i in index:
            # A text is one sentence here: what spaCy took for a second one depends on the first.
            head, dep = root, "parataxis"
        lemma = t.lemma_ if spacy_lemmas else lemma_of(t.text, t.pos_)
        end = t.idx + len(t.text)
        token = Token(i, t.text, t.idx, end, t.tag_, t.pos_, lemma, index.get(head.i, i), dep)
        tokens.append(token)
    return Sentence(doc.text, tuple(tokens))


def _solid_head(token: Any) -> Any:
    """Return the nearest head that is not white space."""
    head = token.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    return head


@lru_cache(maxsize=50_000)
def lemma_of(word: str, pos: str) -> str:
    """Return the dictionary form, in lower case except for names."""
    if pos == "PROPN":
        return word
    lower = word.lower()
    if lower in clitics() and pos in ("AUX", "VERB", "PART"):
        return clitics()[lower]
    if pos not in ("VERB", "AUX", "NOUN", "ADJ", "ADV"):
        return lower
    import lemminflect

    lemmas = lemminflect.getLemma(lower, "VERB" if pos == "AUX" else pos)
    return str(lemmas[0]) if lemmas else lower


def assemble(
    text: str,
    words: Sequence[tuple[str, int, int]],
    tags: Sequence[str],
    arcs: Sequence[tuple[int, str]],
    *,
    pos: Sequence[str] | None = None,
    lemmas: Sequence[str] | None = None,
    constituents: tuple[Phrase, ...] = (),
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
    return Sentence(text, tuple(tokens), constituents)


def pos_of(tag: str, word: str) -> str:
    """Return the universal part of speech of a Penn tag, as far as the tag alone decides it."""
    if tag.startswith("VB"):
        return "AUX" if word.lower() in AUXILIARIES else "VERB"
    unknown = "X" if any(c.isalnum() for c in word) else "PUNCT"
    return penn_parts_of_speech().get(tag, unknown)
