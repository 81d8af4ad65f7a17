"""Parsed sentences: tokens, tags, lemmas and dependencies, from four suppliers; nothing else knows a parser.

Trees that come with a corpus (`_trees`), the built-in transformer, any spaCy pipeline by name.
Dependencies carry Universal Dependencies labels; spaCy's own older labels are translated.
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
from grice.mining._words import clitics

BUILT_IN = Path(__file__).parent / "parser"
CHECKSUMS = Path(__file__).parent / "checksums.txt"
# The labels of spaCy's English models (ClearNLP) in Universal Dependencies.
TRANSLATED = {
    "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass", "dobj": "obj", "neg": "advmod",
    "prt": "compound:prt", "relcl": "acl:relcl", "poss": "nmod:poss", "dative": "iobj", "prep": "obl", "agent": "obl:agent",
    "nummod": "nummod", "npadvmod": "obl", "pcomp": "advcl", "preconj": "cc:preconj", "predet": "det:predet",
}  # fmt: skip
BATCH = 128
FINITE = ("VBZ", "VBD", "VBP", "MD")
# Longer texts are not sentences; the parser's time grows with them.
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Token:
    """A word at its exact place: `text == sentence.text[start:end]`; a root is its own head."""

    i: int
    text: str
    start: int
    end: int
    tag: str
    pos: str
    lemma: str
    head: int
    dep: str
    # How likely the parser thinks its head and label are; 1 where a tree came with the corpus.
    sure: float = 1.0

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    @property
    def verbal(self) -> bool:
        """Whether it is tagged as a verb or a modal."""
        return self.tag.startswith("VB") or self.tag == "MD"

    @property
    def punctuation(self) -> bool:
        """Whether it has no letter or digit, or is tagged as punctuation."""
        return self.pos == "PUNCT" or not any(c.isalnum() for c in self.text)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A constituent of a tree that came with the corpus: tokens `start` to `end`, the last one left out."""

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """A parsed sentence; `constituents` only where the corpus brought them."""

    text: str
    tokens: tuple[Token, ...]
    constituents: tuple[Phrase, ...] = ()

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.i:
                found[token.head].append(token.i)
        return tuple(tuple(children) for children in found)

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, i: int) -> Token:
        return self.tokens[i]

    def children(self, i: int, *deps: str) -> list[Token]:
        """The dependents of a token, in order; `deps` chooses among them, subtypes included."""
        every = (self.tokens[child] for child in self._children[i])
        return [t for t in every if not deps or t.dep in deps or t.dep.split(":")[0] in deps]

    def subtree(self, i: int) -> list[int]:
        """A token and all below it, in the order of the text."""
        found, waiting = {i}, [i]
        while waiting:
            for child in self._children[waiting.pop()]:
                if child not in found:
                    found.add(child)
                    waiting.append(child)
        return sorted(found)

    def subject(self, i: int) -> Token | None:
        """The subject of a predicate: its own, or that of the verb it is conjoined with or controlled by."""
        seen: set[int] = set()
        while i not in seen:
            seen.add(i)
            own = [t for t in self.children(i, "nsubj", "csubj", "expl") if not t.dep.endswith("outer")]
            if own:
                return own[0]
            token = self.tokens[i]
            if token.dep in ("acl:relcl", "acl"):
                return self.tokens[token.head]
            if token.dep not in ("conj", "xcomp", "advcl", "parataxis"):
                return None
            i = token.head
        return None

    def verbs(self, i: int) -> list[Token]:
        """A predicate with its auxiliaries and copula, in the order of the text."""
        return sorted([*self.children(i, "aux", "cop"), self.tokens[i]], key=lambda t: t.i)

    def space_before(self, i: int) -> str:
        """The white space between a token and the one before it."""
        return self.text[self.tokens[i - 1].end : self.tokens[i].start] if i else ""


class Parser(Protocol):
    """A supplier of sentences, by its name."""

    name: str

    def parse(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """One sentence for each text, which is taken as one sentence whatever its marks; without tokens where it is too long."""

    def parse_one(self, text: str) -> Sentence:
        """The parse of one text."""

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        """One sentence for each list of words, as a treebank cuts them."""


class SpacyParser:
    """A spaCy pipeline as a supplier of sentences."""

    def __init__(self, nlp: Any, name: str) -> None:
        self.nlp = nlp
        self.name = name

    def parse(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """One sentence for each text, which is taken as one sentence whatever its marks."""
        lemmas = self.nlp.has_pipe("lemmatizer")
        source = iter(texts)
        while batch := list(itertools.islice(source, BATCH)):
            # The zone forgets the words of the batch; without it a long corpus would fill the memory.
            with self.nlp.memory_zone():
                found = [_from_doc(doc, spacy_lemmas=lemmas) for doc in self.nlp.pipe(batch, batch_size=BATCH)]
            yield from found

    def parse_one(self, text: str) -> Sentence:
        """The parse of one text."""
        return next(iter(self.parse([text])))

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> Iterable[Sentence]:
        """One sentence for each list of words."""
        from spacy.tokens import Doc

        lemmas = self.nlp.has_pipe("lemmatizer")
        docs = (Doc(self.nlp.vocab, words=list(words)) for words in sentences)
        return (_from_doc(doc, spacy_lemmas=lemmas) for doc in self.nlp.pipe(docs, batch_size=BATCH))


@cache
def load_parser(name: str = "") -> Parser:
    """Load the built-in transformer, or another parser by its folder or its name in spaCy."""
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
        fact = f"no spaCy pipeline that can be loaded is called '{name}' ({one_line(str(error))[:100]})"
        raise InputError(
            f"{fact}; name a folder or an installed pipeline, or leave it out for the built-in parser"
        ) from None
    return SpacyParser(nlp, name)


def _from_doc(doc: Any, *, spacy_lemmas: bool) -> Sentence:
    root = next((t for t in doc if t.head.i == t.i), None)
    tokens = []
    kept = [t for t in doc if not t.is_space]
    places = {t.i: place for place, t in enumerate(kept)}
    for place, t in enumerate(kept):
        head = t.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        dep = "root" if t.dep_ == "ROOT" else TRANSLATED.get(t.dep_, t.dep_)
        if dep == "root" and root is not None and t.i != root.i and root.i in places:
            # A text is one sentence here: what the parser took for a second one hangs on the first.
            head, dep = root, "parataxis"
        lemma = t.lemma_ if spacy_lemmas else lemma_of(t.text, t.pos_)
        tokens.append(
            Token(place, t.text, t.idx, t.idx + len(t.text), t.tag_, t.pos_, lemma, places.get(head.i, place), dep)
        )
    return Sentence(doc.text, tuple(tokens))


@lru_cache(maxsize=50_000)
def lemma_of(word: str, pos: str) -> str:
    """The dictionary form, in lower case but for names."""
    if pos == "PROPN":
        return word
    lower = word.lower()
    if lower in clitics() and pos in ("AUX", "VERB", "PART"):
        return clitics()[lower]
    if pos not in ("VERB", "AUX", "NOUN", "ADJ", "ADV"):
        return lower
    import lemminflect

    found = lemminflect.getLemma(lower, "VERB" if pos == "AUX" else pos)
    return str(found[0]) if found else lower


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
    """A sentence from columns: words with their places, tags, and a head and label for each."""
    parts = pos or [pos_of(tag, word) for tag, (word, _, _) in zip(tags, words, strict=True)]
    forms = lemmas or [lemma_of(word, part) for part, (word, _, _) in zip(parts, words, strict=True)]
    rows = zip(words, tags, parts, forms, arcs, sure or [1.0] * len(words), strict=True)
    tokens = [
        Token(i, word, start, end, tag, part, lemma, head, dep, likely)
        for i, ((word, start, end), tag, part, lemma, (head, dep), likely) in enumerate(rows)
    ]
    return Sentence(text, tuple(tokens), constituents)


def pos_of(tag: str, word: str) -> str:
    """The universal part of speech of a Penn tag, as well as the tag alone tells it."""
    if tag.startswith("VB"):
        return "AUX" if word.lower() in AUXILIARIES else "VERB"
    return PENN.get(tag, "PUNCT" if not any(c.isalnum() for c in word) else "X")


AUXILIARIES = {"am", "is", "are", "was", "were", "be", "been", "being", "'m", "'re", "'s"}
PENN = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ", "RB": "ADV",
    "RBR": "ADV", "RBS": "ADV", "WRB": "ADV", "IN": "ADP", "TO": "PART", "POS": "PART", "RP": "ADP", "DT": "DET",
    "PDT": "DET", "WDT": "DET", "PRP": "PRON", "PRP$": "PRON", "WP": "PRON", "WP$": "PRON", "EX": "PRON", "CC": "CCONJ",
    "CD": "NUM", "MD": "AUX", "UH": "INTJ", "SYM": "SYM", "$": "SYM", "FW": "X", "LS": "X",
}  # fmt: skip
