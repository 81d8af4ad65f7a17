"""Load a parser by name: the built-in transformer, or any spaCy pipeline.

spaCy's older labels of dependencies are translated to those of Universal Dependencies.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from grice.core.checksums import verify_files
from grice.core.errors import InputError, first_line
from grice.mining._words import translated_labels
from grice.mining.morphology import PACKAGE, built_in_folder
from grice.mining.parse import Parser, Sentence, Token, lemma_of
from grice.mining.transformer import GRAPH, TransformerParser

CHECKSUMS = Path(__file__).parent / "checksums.txt"
BATCH = 128


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
        MissingExtra: The built-in parser is not installed.
        InputError: No parser has this name.
    """
    folder = Path(name) if name else built_in_folder()
    if not name:
        verify_files(folder, CHECKSUMS, PACKAGE, "install grice-parser again")
    if (folder / GRAPH).is_file():
        return TransformerParser(folder, name or "built-in")
    try:
        import spacy
    except ImportError:
        fact = f"no parser is in '{name}', and spaCy, which could load a pipeline, is not installed"
        hint = "name a folder, install spaCy, or leave it out for the built-in parser"
        raise InputError(f"{fact}; {hint}") from None
    try:
        nlp = spacy.load(name, exclude=["ner", "senter"])
    except Exception as error:
        why = first_line(error)
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
