"""Read coordinations without a tree.

Conjuncts begin alike, so the left one begins where the word class of the right one last occurred.
"""

from __future__ import annotations

from collections.abc import Iterator

from grice.mining._coordinated import Coordination
from grice.mining.parse import FINITE, Sentence, Token

# The phrase that word classes at the beginning of a conjunct open; the first match counts.
OPENERS = (
    ("VP", FINITE),
    ("VP", ("VBG",)),
    ("VP", ("VBN",)),
    ("VP", ("VB",)),
    ("PP", ("IN", "TO")),
    ("NP", ("DT", "PRP$")),
    ("Name", ("NNP", "NNPS")),
    ("N", ("NN", "NNS")),
    ("Adj", ("JJ", "JJR", "JJS")),
    ("Number", ("CD",)),
    ("Adv", ("RB", "RBR")),
)
WORDS = ("Name", "N", "Adj", "Number", "Adv")


def coordinations_by_likeness(sentence: Sentence, mark: Token) -> Iterator[Coordination]:
    """Yield readings by likeness, nearest first."""
    begin = mark.i + 1
    following = sentence[begin + 1].tag if begin + 1 < len(sentence) else ""
    has_adverb = sentence[begin].tag == "RB" and following in FINITE
    opener = sentence[begin + has_adverb]
    kind, tags = next(((k, t) for k, t in OPENERS if opener.tag in t), ("", ()))
    if not kind:
        return
    pause = mark.i - 1 if sentence[mark.i - 1].text in (",", ";") else None
    stop = mark.i if pause is None else pause
    for start in _starts(sentence, stop, kind, tags):
        for end in _ends(sentence, begin, kind):
            if start < stop and end > begin:
                spans, heads = (range(start, stop), range(begin, end)), (sentence[start], opener)
                yield Coordination(mark, *spans, *heads, (kind, kind), pause=pause)


def _starts(sentence: Sentence, stop: int, kind: str, tags: tuple[str, ...]) -> list[int]:
    """Return where the left conjunct may begin."""
    if kind in WORDS:
        start = stop
        while start > 0 and sentence[start - 1].tag in tags:
            start -= 1
        if start == stop:
            return []
        return [start, stop - 1] if start < stop - 1 else [start]
    starts = [i for i in range(stop) if sentence[i].tag in tags]
    if kind == "VP":
        starts = [i for i in starts if not i or sentence[i - 1].tag not in FINITE]
    return list(dict.fromkeys([*starts[-1:], *starts[-2:-1], *starts[:1]]))


def _ends(sentence: Sentence, begin: int, kind: str) -> list[int]:
    """Return where the right conjunct may end."""
    last = len(sentence)
    while last > begin and sentence[last - 1].punctuation and sentence[last - 1].text not in ')"”%':
        last -= 1
    near = begin + 1
    while near < last and not _ends_before(sentence[near], sentence[begin], kind):
        near += 1
    return [last, near] if kind == "VP" else [near, last]


def _ends_before(token: Token, first: Token, kind: str) -> bool:
    if kind in WORDS:
        return token.tag != first.tag
    is_finite = kind != "VP" and token.tag in FINITE
    return token.punctuation or token.pos == "CCONJ" or is_finite
