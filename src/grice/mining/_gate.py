"""The quality gate: faults of a written sentence, found by parsing it again and comparing it with its source."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise

from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence

# Tags that do not follow each other in English; a pair the source has as well is the parser's affair.
CLASHES = {
    ("DT", "VBZ"), ("DT", "VBD"), ("DT", "VBP"), ("DT", "MD"), ("DT", "IN"), ("DT", "CC"), ("DT", "TO"), ("PRP$", "VBZ"), ("PRP$", "VBD"),
    ("PRP$", "IN"), ("PRP$", "MD"), ("MD", "VBD"), ("MD", "VBZ"), ("MD", "MD"), ("TO", "VBD"), ("TO", "VBZ"), ("TO", "MD"), ("TO", "VBN"),
    ("IN", "VBZ"), ("IN", "VBD"), ("IN", "MD"), ("CC", "CC"), ("VBZ", "VBZ"), ("VBD", "VBD"), ("VBZ", "VBD"), ("VBD", "VBZ"),
    ("PRP", "PRP"), ("DT", "DT"), ("VBP", "VBZ"), ("VBD", "VB"), ("VBZ", "MD"), ("VBD", "MD"), ("IN", "IN"), ("JJ", "VBZ"), ("JJ", "PRP"),
    ("NNS", "DT"), ("NN", "DT"), ("NN", "PRP"), ("DT", "PRP"), ("IN", "CC"), ("VBZ", "CC"), ("NNP", "DT"), ("NN", "JJ"), ("NNS", "NN"),
}  # fmt: skip
# The share of kept words that may change their head before a change counts as bad.
MOST_REATTACHED = 0.2


def faults(source: Sentence, written: Sentence) -> list[str]:
    """What is wrong with a sentence that was made from `source`; an empty list if nothing is."""
    text = written.text
    found = []
    if _unbalanced(text) and not _unbalanced(source.text):
        found.append("unbalanced quotes or brackets")
    if re.search(r"^\W*,|,\s*[,.;!?]|\s,|\(\s*[,)]", text) and not re.search(r"\s,", source.text):
        found.append("orphan comma")
    if re.search(r"\b(\w+) \1\b", text, re.IGNORECASE) and not re.search(r"\b(\w+) \1\b", source.text, re.IGNORECASE):
        found.append("a word twice")
    if _dangling(written) and not _dangling(source):
        found.append("dangling end")
    if not any(t.tag in FINITE for t in written.tokens) and any(t.tag in FINITE for t in source.tokens):
        found.append("no finite verb")
    if _clashes(written) - _clashes(source):
        found.append("words that do not follow each other")
    if _disagreements(written) > _disagreements(source):
        found.append("no agreement")
    if _fragment(written) and not _fragment(source):
        found.append("a subordinate clause alone")
    if reattached_share(source, written) > MOST_REATTACHED:
        found.append("the rest reads otherwise")
    if len([t for t in written.tokens if not t.punctuation]) < 2:
        found.append("a single word")
    return found


def _fragment(sentence: Sentence) -> bool:
    return bool(sentence.tokens) and sentence[0].lower in word_set("subordinators") and "," not in sentence.text


def reattached_share(source: Sentence, written: Sentence) -> float:
    """The share of kept words that hang on another word than before, where the word they hung on was kept too."""
    ours, theirs = [t.lower for t in source.tokens], [t.lower for t in written.tokens]
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    place = {block.a + k: block.b + k for block in blocks for k in range(block.size)}
    moved = kept = 0
    for i, j in place.items():
        head = source[i].head
        if source[i].punctuation or head not in place or head == i:
            continue
        kept += 1
        moved += written[j].head != place[head]
    return moved / kept if kept else 0.0


def _unbalanced(text: str) -> bool:
    pairs = (
        text.count("(") != text.count(")") or text.count("[") != text.count("]") or text.count("“") != text.count("”")
    )
    return pairs or text.count('"') % 2 == 1


def _dangling(sentence: Sentence) -> bool:
    words = [t.lower for t in sentence.tokens if not t.punctuation]
    return bool(words) and (words[-1] in word_set("dangling") or words[-1] in word_set("stranded"))


def _clashes(sentence: Sentence) -> Counter[tuple[str, str]]:
    tags = [t.tag for t in sentence.tokens]
    return Counter(pair for pair in pairwise(tags) if pair in CLASHES)


def _disagreements(sentence: Sentence) -> int:
    """Subjects whose finite verb has the other number."""
    count = 0
    for token in sentence.tokens:
        if token.dep not in ("nsubj", "nsubj:pass") or token.tag not in ("NN", "NNP", "NNS", "NNPS"):
            continue
        joined = bool(sentence.children(token.i, "conj"))
        verb = sentence[token.head]
        every = sorted([*sentence.children(verb.i, "aux", "cop"), verb], key=lambda t: t.i)
        finite = next((t for t in every if t.tag in FINITE), None)
        if finite is None or finite.i < token.i or joined:
            continue
        singular = token.tag in ("NN", "NNP")
        if singular and (finite.lower in ("are", "were", "have") or (finite.tag == "VBP" and finite.lower != "be")):
            count += 1
        if not singular and (finite.lower in ("is", "was", "has") or finite.tag == "VBZ"):
            count += 1
    return count
