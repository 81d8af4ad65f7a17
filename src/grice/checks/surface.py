"""Surface errors in single sentences, found by rules over the text that need no parse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import polars as pl

from grice.checks.findings import EXAMPLES, Finding, Severity, distinct_sentences

_ONE = "is|was|has|does|isn't|wasn't|hasn't|doesn't"
_SEVERAL = "are|were|have|do|aren't|weren't|haven't|don't"
_NUMBERS = "two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|many|several"
_BASES = (
    "need|feed|bleed|breed|speed|succeed|proceed|exceed|heed|weed|embed|shed|wed|shred|seed|bed"
)
_FEW = "few|dozen|couple|hundred|thousand|lot|number|group"
# "a" before these vowels, since they sound like a consonant.
_LIKE_YOU = r"uni(?!n|m)|use|usu|eu|one\b|once|ut[ei]|ub[ei]|ura|uku"
_PAST = rf"(?!(?:{_BASES})\b)(?:had|went|was|were|has|is|are|did|\w\w+ed)\b"

# All sentences are searched at once, each between two line ends. A pattern begins with plain
# letters wherever it can, what must stand before them being looked at afterwards: that is several
# times faster.
RULES: dict[str, tuple[str, ...]] = {
    "final punctuation": (r"\n(?<=[^\n.!?…\"”’')]\n)",),
    "question mark": (
        r"\n(?:Is|Are|Was|Were|Do(?!"
        r" not|n't)|Does|Did|Has|Had|Can|Could|Should|Would|Must|Isn't|Aren't|Wasn't|Weren't|"
        r"Doesn't|Didn't|Hasn't|Won't) [^\n?,]*(?=\n)",
        r"\n(?:The|An?|All|Both|Some|No|These|Those) [^\n,]*\?(?=\n)",
    ),
    "a or an": (
        rf"a (?<=\ba )(?!{_LIKE_YOU})(?:[aeiou][a-z]|hour\b|honest|heir|honou?r)",
        rf"A (?<=\bA )(?!{_LIKE_YOU})(?:[aeiou][a-z]|hour\b|honest|heir|honou?r)",
        (
            r"n (?<=\b[Aa]n"
            rf" )(?:[bcdfgjklmnpqrstvwyz][a-z]|h(?!our|onest|eir|onou?r|erb)[a-z]|{_LIKE_YOU})"
        ),
    ),
    "doubled word": tuple(
        rf"{before}([A-Za-z]++) (?=\1\b(?!['’]))(?!(?:that|had|very|no|so|bye)\b)\w+"
        for before in (" ", r"\n", r"[^\w\s-]")
    ),
    "spaces": (r"  +", r"\n +", r" \n", r" [,.;:?!](?![.\w])"),
    "lower-case start": (r"\n[a-z]\w*",),
    "repeated punctuation": (r"[,;?!][,.;]", r"\.[,;?!]", r"\.\.(?<!\.\.\.)(?!\.)"),
    "unfilled slot": (
        r"\{\w*\}",
        r"<[A-Z_]+>",
        r"\[[A-Z_]+\]",
        r"__+",
        r" nan\b",
        r"None's\b",
        r"%[sd]\b",
    ),
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
}
# The others are strong hints on free text and certain on made sentences.
CERTAIN = (
    "final punctuation",
    "unfilled slot",
    "doubled word",
    "spaces",
    "lower-case start",
    "question mark",
)


class RuleHit(NamedTuple):
    """A rule broken by the sentence at `place`, and the words that break it."""

    place: int
    words: str


def find_slips(frame: pl.DataFrame) -> list[Finding]:
    """Find errors of punctuation, capitals, spacing, articles and agreement.

    Each distinct sentence is counted once.
    """
    texts = distinct_sentences(frame)
    findings = []
    for rule, hits in match_rules(texts["text"].to_list()).items():
        if not hits:
            continue
        # What most sentences do is the set's own convention, such as captions without a stop.
        usual = 2 * len(hits) > texts.height
        severity: Severity = "note" if usual else "error" if rule in CERTAIN else "warning"
        first = hits[:EXAMPLES]
        examples = ", ".join(f"'{text}'" for text in dict.fromkeys(hit.words for hit in first))
        ids = tuple(texts["id"].gather([hit.place for hit in first]).to_list())
        findings.append(
            Finding(rule, severity, len(hits), texts.height, f"sentences, such as {examples}", ids)
        )
    return findings


def match_rules(texts: Sequence[str]) -> dict[str, list[RuleHit]]:
    """Return for each rule the sentences that break it, each at most once."""
    lines = [text.replace("\n", " ") for text in texts]
    blob = "\n" + "\n".join(lines) + "\n"
    # A sentence owns the line end before it; the rule of the final mark matches the one after it.
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    hits_by_rule: dict[str, list[RuleHit]] = {}
    for rule in RULES:
        hits: dict[int, RuleHit] = {}
        for pattern in RULES[rule]:
            for match in re.finditer(pattern, blob):
                index = bisect_right(starts, match.start()) - 1 - (rule == "final punctuation")
                excerpt = match.group(0).strip() or "…" + lines[index][-20:]
                hits.setdefault(index, RuleHit(index, excerpt))
        hits_by_rule[rule] = [hits[index] for index in sorted(hits)]
    return hits_by_rule
