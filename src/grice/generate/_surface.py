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
_FEW = "few|dozen|couple|hundred|thousand|lot|number|group"
# "a" before these vowels, since they sound like a consonant.
_LIKE_YOU = r"uni(?!n|m)|use|usu|eu|one\b|once|ut[ei]|ub[ei]|ura|uku"
_PAST = rf"(?!(?:{_BASES})\b)(?:had|went|was|were|has|is|are|did|\w\w+ed)\b"

# All sentences are searched at once, each between two line ends. A pattern begins with plain letters wherever it can,
# what must stand before them being looked at afterwards: that is several times faster.
RULES: dict[str, tuple[str, ...]] = {
    "final punctuation": (r"\n(?<=[^\n.!?…\"”’')]\n)",),
    "question mark": (
        r"\n(?:Is|Are|Was|Were|Do(?! not|n't)|Does|Did|Has|Had|Can|Could|Should|Would|Must|Isn't|Aren't|Wasn't|Weren't|"
        r"Doesn't|Didn't|Hasn't|Won't) [^\n?,]*(?=\n)",
        r"\n(?:The|An?|All|Both|Some|No|These|Those) [^\n,]*\?(?=\n)",
    ),
    "a or an": (
        rf"a (?<=\ba )(?!{_LIKE_YOU})(?:[aeiou][a-z]|hour\b|honest|heir|honou?r)",
        rf"A (?<=\bA )(?!{_LIKE_YOU})(?:[aeiou][a-z]|hour\b|honest|heir|honou?r)",
        rf"n (?<=\b[Aa]n )(?:[bcdfgjklmnpqrstvwyz][a-z]|h(?!our|onest|eir|onou?r|erb)[a-z]|{_LIKE_YOU})",
    ),
    "doubled word": (r"\b(?<!-)(?!(?:that|had|very|no|so|bye)\b)([A-Za-z]+) \1\b(?!['’])",),
    "spaces": (r"  +", r"\n +", r" +(?=\n)", r" [,.;:?!](?![.\w])"),
    "lower-case start": (r"\n[a-z]\w*",),
    "repeated punctuation": (r",[,.;]", r";[,.;]", r"\?[,.;]", r"![,.;]", r"\.[,;?!]", r"\.\.(?<!\.\.\.)(?!\.)"),
    "unfilled slot": (r"\{\w*\}", r"<[A-Z_]+>", r"\[[A-Z_]+\]", r"__+", r" nan\b", r"None's\b", r"%[sd]\b"),
    "agreement": (
        r"e (?<=\b[Ww]e )(?:is|isn't|was|wasn't|has|hasn't|does|doesn't)\b",
        r"hey (?<=\b[Tt]hey )(?:is|isn't|was|wasn't|has|hasn't|does|doesn't)\b",
        rf"\n(?:He|She|It) (?:{_SEVERAL})\b",
        rf"\n(?:These|Those|Both|Several|Many|Few|All|(?i:{_NUMBERS})) \w+s (?:{_ONE})\b",
        rf"\n(?:This|That|An?|Each|Every) (?!{_FEW})\w*[^\W s] (?:{_SEVERAL})\b",
        r"\nThe [A-Z][a-z]+s (?:has|does|hasn't|doesn't)\b",
        rf"here (?<=\b[Tt]here )(?:is|was|isn't|wasn't) (?:exactly )?(?:{_NUMBERS})\b",
        rf"here (?<=\b[Tt]here )(?:are|were|aren't|weren't) (?:exactly )?(?:an?|one) (?!{_FEW})",
    ),
    "verb form": (
        rf"n't (?:(?<=\b[Dd]idn't )|(?<=\b[Dd]oesn't )|(?<=\b[Dd]on't )){_PAST}",
        rf" not (?:(?<=\b[Dd]id not )|(?<=\b[Dd]oes not )|(?<=\b[Dd]o not )){_PAST}",
        r"ould (?:not )?(?:is|was|were|are|has|had|does|did)\b",
        r"n't (?:(?<=ouldn't )|(?<=\bwon't )|(?<=\bcan't ))(?:is|was|were|are|has|had|does|did)\b",
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
    blob = "\n" + "\n".join(lines) + "\n"
    # A sentence owns the line end before it, but the rule of the final mark matches the one after it.
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    found: dict[str, list[Hit]] = {}
    for rule in rules:
        hits: dict[int, Hit] = {}
        for pattern in _compiled(rule):
            for match in pattern.finditer(blob):
                place = bisect_right(starts, match.start()) - 1 - (rule == "final punctuation")
                words = match.group(0).strip() or "…" + lines[place][-20:]
                hits.setdefault(place, Hit(place, words))
        found[rule] = [hits[place] for place in sorted(hits)]
    return found


@cache
def _compiled(rule: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in RULES[rule])


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
