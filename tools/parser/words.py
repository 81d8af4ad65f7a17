"""Write the words of the built-in parser from spaCy and lemminflect: python -m tools.parser.words

The file has the exceptions and patterns of spaCy's English tokeniser, lemminflect's dictionaries of
lemmas and verb forms, and its two small networks for words that are in neither.
"""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from grice.mining.morphology import PARTS, TAGS, WORDS, built_in_folder


def tokenizer_rules() -> dict[str, Any]:
    """Return exceptions and patterns of spaCy's tokeniser of English."""
    import spacy
    from spacy.symbols import ORTH

    rules: Any = spacy.blank("en").tokenizer
    searches = {
        "prefix": rules.prefix_search,
        "suffix": rules.suffix_search,
        "infix": rules.infix_finditer,
        "url": rules.url_match,
    }
    patterns = {name: search.__self__.pattern for name, search in searches.items()}
    exceptions = {
        chunk: [word[ORTH] for word in words]
        for chunk, words in sorted(rules.rules.items())
        if re.fullmatch(r"\S+", chunk)
    }
    return {"exceptions": exceptions, "patterns": patterns}


def lemmas() -> Iterator[tuple[str, str, str]]:
    """Yield (part of speech, word, first lemma) of lemminflect's dictionary."""
    from lemminflect.core.Lemmatizer import Lemmatizer

    source = Lemmatizer()
    words = {**source._getLemmaDict(), **source._getOverridesDict()}
    for word in sorted(words):
        for part in PARTS:
            if found := source.getAllLemmas(word, part).get(part):
                yield part, word, found[0]


def forms() -> Iterator[tuple[str, str, str]]:
    """Yield (Penn tag, verb, its first form) of lemminflect's dictionary."""
    from lemminflect.core.Inflections import Inflections

    source = Inflections()
    for verb in sorted({**source._getInflDict(), **source._getOverridesDict()}):
        for tag in TAGS:
            if found := source.getInflection(verb, tag, inflect_oov=False):
                yield tag, verb, found[0]


def columns(entries: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return the entries of each key as one string, word and value in turn."""
    cells: dict[str, list[str]] = {}
    for key, word, value in entries:
        cells.setdefault(key, []).extend((word, value))
    return {key: "\t".join(words) for key, words in cells.items()}


def network(weights: Sequence[np.ndarray[Any, Any]]) -> dict[str, Any]:
    """Return the weights of a network as JSON has them."""
    texts = [b64encode(np.asarray(w, np.float32).tobytes()).decode() for w in weights]
    return {"weights": texts, "shapes": [list(w.shape) for w in weights]}


def rule(line: str) -> tuple[str, str, bool]:
    """Return the letters that go, those that come, and whether one is doubled."""
    removed, added, is_doubled = line.split(",")
    return removed, added, is_doubled == "True"


def main() -> None:
    """Write the file."""
    from lemminflect.core.InflectionRules import MorphologyStyleModel
    from lemminflect.core.LemmatizerRules import LemmatizerRules

    content = {
        "tokens": tokenizer_rules(),
        "lemmas": columns(lemmas()),
        "forms": columns(forms()),
        "lemma_rules": [rule(line) for line in LemmatizerRules().rules],
        "lemma_network": network(LemmatizerRules().kinfer.weights),
        "form_network": network(MorphologyStyleModel().kinfer.weights),
    }
    path = built_in_folder() / WORDS
    path.write_bytes(gzip.compress(json.dumps(content).encode(), mtime=0))
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
