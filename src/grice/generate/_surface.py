"""What the eye catches in a sentence: rules over text that need no parse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate

_ONE = "is|was|has|does|isn't|wasn't|hasn't|doesn't"
_SEVERAL = "are|were|have|do|aren't|weren't|haven't|don't"
_NUMBERS = "two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|many|several"
_BASES = "need|feed|bleed|breed|speed|succeed|proceed|exceed|heed|weed|embed|shed|wed|shred|seed|bed"
# "a" before these vowels, since they sound like a consonant.
_LIKE_YOU = r"uni(?!n|m)|use|usu|eu|one\b|once|ut[ei]|ub[ei]|ura|uku"

# Every pattern is searched in all sentences at once, one a line, so none may cross a line's end.
RULES: dict[str, str] = {
    "final punctuation": r"(?m)(?<=[^\n.!?…\"”’')])$",
    "question mark": (
        r"(?m)^(?:Is|Are|Was|Were|Do(?! not|n't)|Does|Did|Has|Had|Can|Could|Should|Would|Must|Isn't|Aren't|Wasn't|"
        r"Weren't|Doesn't|Didn't|Hasn't|Won't) [^\n?,]*[^\n?,]$|^(?:The|An?|All|Both|Some|No|These|Those) [^\n,]*\?$"
    ),
    "a or an": (
        rf"\b[Aa] (?!{_LIKE_YOU})(?:[aeiou][a-z]|hour\b|honest|heir|honou?r)|"
        rf"\b[Aa]n (?:[bcdfgjklmnpqrstvwyz][a-z]|h(?!our|onest|eir|onou?r|erb)[a-z]|{_LIKE_YOU})"
    ),
    "doubled word": r"\b(?!(?:that|had|very|no|so|bye)\b)([A-Za-z]+) \1\b(?!['’])",
    "spaces": r"(?m)  +|^ +| +$| [,.;:?!](?![.\w])",
    "lower-case start": r"(?m)^[\"“‘'(]*[a-z]",
    "repeated punctuation": r"[,;?!][,.;]|\.[,;?!]|(?<!\.)\.\.(?!\.)",
    "unfilled slot": r"\{\w*\}|<[A-Z_]+>|\[[A-Z_]+\]|__+|\bnan\b|\bNone's\b|%[sd]\b",
    "agreement": (
        rf"\b(?:[Ww]e|[Tt]hey) (?:is|isn't|was|wasn't|has|hasn't|does|doesn't)\b|(?m:^(?:He|She|It) (?:{_SEVERAL})\b)|"
        rf"(?m:^(?:These|Those|Both|Several|Many|Few|All|(?i:{_NUMBERS})) \w+s (?:{_ONE})\b)|"
        rf"(?m:^(?:This|That|An?|Each|Every) (?!few|dozen|couple|hundred|lot|number|group)\w*[^\W s] (?:{_SEVERAL})\b)|"
        rf"\b[Tt]here (?:is|was|isn't|wasn't) (?:exactly )?(?:{_NUMBERS})\b|"
        r"\b[Tt]here (?:are|were|aren't|weren't) (?:exactly )?(?:an?|one) (?!few|dozen|couple|hundred|lot|number|group|thousand)|"
        r"(?m:^The [A-Z][a-z]+s (?:has|does|hasn't|doesn't)\b)"
    ),
    "verb form": (
        rf"\b(?:[Dd]id|[Dd]oes|[Dd]o)(?:n't| not) (?!(?:{_BASES})\b)(?:had|went|was|were|has|is|are|did|\w\w+ed)\b|"
        r"\b(?:could|would|should|couldn't|wouldn't|shouldn't|won't|can't)(?: not)? (?:is|was|were|are|has|had|does|did)\b"
    ),
}  # fmt: skip
# The others are strong hints on free text and certain on made sentences.
CERTAIN = (
    "final punctuation",
    "unfilled slot",
    "doubled word",
    "spaces",
    "lower-case start",
    "question mark",
)


@dataclass(frozen=True)
class Hit:
    """A rule broken by the sentence at `place`, and the words that break it."""

    place: int
    words: str


def broken(texts: Sequence[str], rules: Sequence[str] = tuple(RULES)) -> dict[str, list[Hit]]:
    """Rule to the sentences that break it, each sentence once a rule."""
    lines = [text.replace("\n", " ") for text in texts]
    blob = "\n".join(lines)
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found: dict[str, list[Hit]] = {}
    for rule in rules:
        hits: dict[int, Hit] = {}
        for match in _compiled(rule).finditer(blob):
            place = bisect_right(starts, match.start()) - 1
            if place < len(lines) and place not in hits:
                hits[place] = Hit(place, match.group(0).strip() or "…" + lines[place][-20:])
        found[rule] = list(hits.values())
    return found


@cache
def _compiled(rule: str) -> re.Pattern[str]:
    return re.compile(RULES[rule])


WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "est", "ly", "r", "st", "ness", "'s")


@cache
def vocabulary() -> frozenset[str]:
    """Every lower-case word in the built-in word tables."""
    tables = [t for t in files("grice.generate").joinpath("words").iterdir() if t.name.endswith(".tsv")]
    words = re.findall(r"[a-z]+", " ".join(t.read_text(encoding="utf-8") for t in tables))
    return frozenset(words)


def misspelt(texts: Sequence[str]) -> dict[str, str]:
    """Words that no table has and that are one letter off a word that one has: `enourmous` to `enormous`.

    Only long words are looked at, and not their first or last letter, where inflection and chance make neighbours.
    """
    known = vocabulary()
    seen = {word for text in texts for word in WORD.findall(text) if len(word) > 6 and word.islower()}
    unknown = {word for word in seen if word.isalpha() and not _inflects(word, known)}
    return {word: near for word in sorted(unknown) if (near := _neighbour(word, known))}


def _inflects(word: str, known: frozenset[str]) -> bool:
    if word in known:
        return True
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and (stem in known or stem + "e" in known or stem[:-1] in known):
            return True
        if stem != word and stem.endswith("i") and stem[:-1] + "y" in known:
            return True
    return False


def _neighbour(word: str, known: frozenset[str]) -> str | None:
    """The known word that has one letter less, one of a double letter more, or two letters the other way round.

    A changed letter is left out: it mostly leads from one good word to another (attacked, attached).
    """
    for i in range(2, len(word) - 2):
        two = word[i : i + 2]
        tries = [word[:i] + word[i] + word[i:]]
        # "starring" and "theater" follow rules of spelling: a consonant doubled before an ending, American -er.
        if word[i] != word[i - 1] or not word.endswith(("ing", "ed", "er", "y")):
            tries.append(word[:i] + word[i + 1 :])
        if two != "er" and two[0] != two[1]:
            tries.append(word[:i] + two[::-1] + word[i + 2 :])
        for near in tries:
            if near in known:
                return near
    return None
