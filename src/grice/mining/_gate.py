"""The quality gate: faults of a written sentence, found by parsing it again and comparing it with its source."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise

from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence

# The share of kept words that may change their head before a change counts as bad.
MOST_REATTACHED = 0.2


def faults(source: Sentence, written: Sentence) -> list[str]:
    """What is wrong with a sentence that was made from `source`; an empty list if nothing is."""
    text, twice = written.text, re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
    orphan = re.search(r"^\W*,|,\s*[,.;!?]|\s,|\(\s*[,)]", text)
    opened = re.match(r"(And|But|Or|So), \w+", text)
    checks = {
        "unbalanced quotes or brackets": _unbalanced(text) and not _unbalanced(source.text),
        "orphan comma": (orphan and not re.search(r"\s,", source.text))
        or (opened and not source.text.startswith(opened[0]))
        or _parted(written) > _parted(source),
        "a word twice": twice.search(text) and not twice.search(source.text),
        "dangling end": _dangling(written) and not _dangling(source),
        "no finite verb": _finite(source) and not _finite(written),
        "words that do not follow each other": _clashes(written) - _clashes(source),
        "no agreement": _disagreements(written) > _disagreements(source),
        "a subordinate clause alone": _fragment(written) and not _fragment(source),
        "the rest reads otherwise": reattached_share(source, written) > MOST_REATTACHED,
        "a single word": sum(not t.punctuation for t in written.tokens) < 2,
    }
    return [fault for fault, wrong in checks.items() if wrong]


def _finite(sentence: Sentence) -> bool:
    return any(t.tag in FINITE for t in sentence.tokens)


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


def _parted(sentence: Sentence) -> int:
    """Subjects that one comma parts from their verb: "The owner who won, spoke."."""
    count = 0
    for token in sentence.tokens:
        after = sentence.tokens[token.i + 2 : token.i + 3]
        if sentence.tokens[token.i + 1 : token.i + 2] and sentence[token.i + 1].text == "," and after:
            verb, heads = after[0], {token.i, token.head, sentence[token.head].head}
            finite = verb.tag in FINITE and any(t.i in heads for t in sentence.children(verb.i, "nsubj"))
            begin = min(sentence.subtree(next(iter(sentence.children(verb.i, "nsubj"))).i)) if finite else token.i
            count += finite and not any(t.text in ",()–—-" for t in sentence.tokens[begin : token.i + 1])
    return count


def _unbalanced(text: str) -> bool:
    return text.count('"') % 2 == 1 or any(text.count(one) != text.count(other) for one, other in ("()", "[]", "“”"))


def _dangling(sentence: Sentence) -> bool:
    words = [t.lower for t in sentence.tokens if not t.punctuation]
    return bool(words) and (words[-1] in word_set("dangling") or words[-1] in word_set("stranded"))


def _clashes(sentence: Sentence) -> Counter[str]:
    pairs = (f"{one.tag} {other.tag}" for one, other in pairwise(sentence.tokens))
    return Counter(pair for pair in pairs if pair in word_set("clashes"))


def _disagreements(sentence: Sentence) -> int:
    """Subjects whose finite verb has the other number."""
    count = 0
    for token in sentence.tokens:
        if token.dep not in ("nsubj", "nsubj:pass") or token.tag not in ("NN", "NNP", "NNS", "NNPS"):
            continue
        joined = bool(sentence.children(token.i, "conj"))
        finite = next((t for t in sentence.verbs(token.head) if t.tag in FINITE), None)
        if finite is None or finite.i < token.i or joined:
            continue
        # "Pitts were": a name that looks like a plural.
        singular = token.tag in ("NN", "NNP") or (
            token.tag == "NNPS" and not sentence.children(token.i, "det", "compound")
        )
        if singular:
            count += finite.lower in ("are", "were", "have") or (finite.tag == "VBP" and finite.lower != "be")
        else:
            count += finite.lower in ("is", "was", "has") or finite.tag == "VBZ"
    return count
