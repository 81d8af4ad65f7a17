"""Coordinations read without a tree: conjuncts begin alike, so the left one begins where the word class of the right one last stood."""

from __future__ import annotations

from collections.abc import Iterator

from grice.mining._coordinated import Coordination
from grice.mining.parse import FINITE, Sentence, Token

# Word classes that open a conjunct, with the name of the phrase they open.
OPENERS = (
    ("VP", FINITE), ("VP", ("VBG",)), ("VP", ("VBN",)), ("VP", ("VB",)), ("PP", ("IN", "TO")), ("NP", ("DT", "PRP$")),
    ("Name", ("NNP", "NNPS")), ("N", ("NN", "NNS")), ("Adj", ("JJ", "JJR", "JJS")), ("Number", ("CD",)), ("Adv", ("RB", "RBR")),
)  # fmt: skip
WORDS = ("Name", "N", "Adj", "Number", "Adv")


def coordinations_by_likeness(sentence: Sentence, mark: Token) -> Iterator[Coordination]:
    """Readings by likeness, nearest first."""
    place = mark.i + 1
    adverb = sentence[place].tag == "RB" and place + 1 < len(sentence) and sentence[place + 1].tag in FINITE
    opener = sentence[place + adverb]
    kind, tags = next(((k, t) for k, t in OPENERS if opener.tag in t), ("", ()))
    if not kind:
        return
    pause = mark.i - 1 if sentence[mark.i - 1].text in (",", ";") else None
    stop = mark.i if pause is None else pause
    for start in _starts(sentence, stop, kind, tags):
        for end in _ends(sentence, place, kind):
            if start < stop and end > place:
                spans, heads = (range(start, stop), range(place, end)), (sentence[start], opener)
                yield Coordination(mark, *spans, *heads, (kind, kind), pause=pause)


def _starts(sentence: Sentence, stop: int, kind: str, tags: tuple[str, ...]) -> list[int]:
    if kind in WORDS:
        start = stop
        while start > 0 and sentence[start - 1].tag in tags:
            start -= 1
        return [start] + ([stop - 1] if start < stop - 1 else []) if start < stop else []
    found = [i for i in range(stop) if sentence[i].tag in tags]
    if kind == "VP":
        found = [i for i in found if not i or sentence[i - 1].tag not in FINITE]
    return list(dict.fromkeys([*found[-1:], *found[-2:-1], *found[:1]]))


def _ends(sentence: Sentence, place: int, kind: str) -> list[int]:
    last = len(sentence)
    while last > place and sentence[last - 1].punctuation and sentence[last - 1].text not in ')"”%':
        last -= 1
    near = place + 1
    if kind in WORDS:
        while near < last and sentence[near].tag == sentence[place].tag:
            near += 1
    else:
        ends = () if kind == "VP" else FINITE
        while near < last and not ((t := sentence[near]).punctuation or t.pos == "CCONJ" or t.tag in ends):
            near += 1
    return [last, near] if kind == "VP" else [near, last]
