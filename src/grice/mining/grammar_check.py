"""Find faults of a written sentence by parsing it again and comparing it with its source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from itertools import pairwise

from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token

# The share of remaining words that may change their head before the change counts as a fault.
MAX_REATTACHED = 0.2
REPEATED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
ORPHAN_COMMA = re.compile(r"^\W*,|,\s*[,.;!?]|\s,|\(\s*[,)]")
OPENING = re.compile(r"(And|But|Or|So), \w+")
SUBJECTS = ("nsubj", "nsubj:pass")


def faults(source: Sentence, written: Sentence) -> list[str]:
    """Return what is wrong with a sentence that was made from `source`; empty if nothing is."""
    return [fault for fault, test in FAULTS.items() if test(source, written)]


def _is_unbalanced(sentence: Sentence) -> bool:
    text = sentence.text
    partners = (("(", ")"), ("[", "]"), ("“", "”"))
    is_uneven = any(text.count(first) != text.count(second) for first, second in partners)
    return text.count('"') % 2 == 1 or is_uneven


def _has_orphan_comma(source: Sentence, written: Sentence) -> bool:
    if ORPHAN_COMMA.search(written.text) and not re.search(r"\s,", source.text):
        return True
    opening = OPENING.match(written.text)
    if opening is not None and not source.text.startswith(opening[0]):
        return True
    return _count_parted(written) > _count_parted(source)


def _count_parted(sentence: Sentence) -> int:
    """Count subjects that a single comma separates from their verb: "The owner who won, spoke."."""
    triples = zip(sentence.tokens, sentence.tokens[1:], sentence.tokens[2:], strict=False)
    commas = ((token, verb) for token, comma, verb in triples if comma.text == ",")
    return sum(_is_parted(sentence, token, verb) for token, verb in commas)


def _is_parted(sentence: Sentence, token: Token, verb: Token) -> bool:
    """Return whether a subject ends in `token`, before a comma, and its verb follows."""
    subjects = sentence.children(verb.i, "nsubj")
    heads = {token.i, token.head, sentence[token.head].head}
    if verb.tag not in FINITE or not any(subject.i in heads for subject in subjects):
        return False
    begin = min(sentence.subtree(subjects[0].i))
    return not any(t.text in ",()–—-" for t in sentence.tokens[begin : token.i + 1])


def _has_repetition(sentence: Sentence) -> bool:
    return REPEATED.search(sentence.text) is not None


def _is_dangling(sentence: Sentence) -> bool:
    words = [token.lower for token in sentence.tokens if not token.punctuation]
    return bool(words) and words[-1] in word_set("dangling") | word_set("stranded")


def _has_no_finite_verb(sentence: Sentence) -> bool:
    return not any(token.tag in FINITE for token in sentence.tokens)


def _has_clash(source: Sentence, written: Sentence) -> bool:
    return bool(_count_clashes(written) - _count_clashes(source))


def _count_clashes(sentence: Sentence) -> Counter[str]:
    pairs = (f"{first.tag} {second.tag}" for first, second in pairwise(sentence.tokens))
    return Counter(pair for pair in pairs if pair in word_set("clashes"))


def _has_disagreement(source: Sentence, written: Sentence) -> bool:
    return _count_disagreements(written) > _count_disagreements(source)


def _count_disagreements(sentence: Sentence) -> int:
    """Count subjects whose finite verb has the other number."""
    subjects = (token for token in sentence.tokens if token.dep in SUBJECTS)
    return sum(_disagrees(sentence, token) for token in subjects)


def _disagrees(sentence: Sentence, subject: Token) -> bool:
    verb = next((t for t in sentence.verbs(subject.head) if t.tag in FINITE), None)
    if subject.tag not in ("NN", "NNP", "NNS", "NNPS") or sentence.children(subject.i, "conj"):
        return False
    if verb is None or verb.i < subject.i:
        return False
    # "Pitts were": a name that looks like a plural.
    is_surname = subject.tag == "NNPS" and not sentence.children(subject.i, "det", "compound")
    if subject.tag in ("NN", "NNP") or is_surname:
        is_plural = verb.tag == "VBP" and verb.lower != "be"
        return verb.lower in ("are", "were", "have") or is_plural
    return verb.lower in ("is", "was", "has") or verb.tag == "VBZ"


def _is_subordinate(sentence: Sentence) -> bool:
    is_opened = bool(sentence.tokens) and sentence[0].lower in word_set("subordinators")
    return is_opened and "," not in sentence.text


def _reads_otherwise(source: Sentence, written: Sentence) -> bool:
    return reattached_share(source, written) > MAX_REATTACHED


def reattached_share(source: Sentence, written: Sentence) -> float:
    """Return the share of remaining words with another head, where their head remained too."""
    source_words, words = ([t.lower for t in part.tokens] for part in (source, written))
    matcher = SequenceMatcher(None, source_words, words, autojunk=False)
    blocks = matcher.get_matching_blocks()
    index = {block.a + k: block.b + k for block in blocks for k in range(block.size)}
    n_moved = n_remaining = 0
    for i, j in index.items():
        head = source[i].head
        if source[i].punctuation or head not in index or head == i:
            continue
        n_remaining += 1
        n_moved += written[j].head != index[head]
    return n_moved / n_remaining if n_remaining else 0.0


def _is_single_word(_source: Sentence, written: Sentence) -> bool:
    return sum(not token.punctuation for token in written.tokens) < 2


def _unlike_source(test: Callable[[Sentence], bool]) -> Callable[[Sentence, Sentence], bool]:
    """Return a test that the written sentence meets and its source does not."""
    return lambda source, written: test(written) and not test(source)


FAULTS: Mapping[str, Callable[[Sentence, Sentence], bool]] = {
    "unbalanced quotes or brackets": _unlike_source(_is_unbalanced),
    "orphan comma": _has_orphan_comma,
    "a word twice": _unlike_source(_has_repetition),
    "dangling end": _unlike_source(_is_dangling),
    "no finite verb": _unlike_source(_has_no_finite_verb),
    "words that do not follow each other": _has_clash,
    "no agreement": _has_disagreement,
    "a subordinate clause alone": _unlike_source(_is_subordinate),
    "the rest reads otherwise": _reads_otherwise,
    "a single word": _is_single_word,
}
