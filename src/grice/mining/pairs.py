"""What a pairer gives for a sentence: pairs, and reasons where there are none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from grice.core.item import TagValue
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence

# The papers preferred short sentences: longer ones are hard for readers and for the parser.
LONGEST_WORDS = 40
# Lower bounds of the parser's certainty; a pair is in the highest that it reaches.
SURE = (0.0, 0.6, 0.9, 0.98)


@dataclass(frozen=True)
class MinedPair:
    """A pair of sentences with gold and tags; `key` tells it from others of its sentence, `stratum` is what sampling balances."""

    premise: str
    hypothesis: str
    gold: Mapping[str, str]
    tags: Mapping[str, TagValue]
    key: str
    stratum: str = ""
    group: str = ""
    # Sentences that were written here and not found: these the quality gate reads.
    written: tuple[str, ...] = field(default=())
    # What its label rests on: a listed fact, or none; how sure the parser is of the decisive attachments; the rules that fired.
    evidence: str = "listed"
    sure: float = 1.0
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Skip:
    """A sentence, or a construction in it, that gives no pair, with the reason that is counted."""

    reason: str


Outcome = list[MinedPair | Skip]


def sure_band(name: str, sure: float) -> str:
    """A feature by the highest bound that a certainty of the parser reaches: "sure 0.9"."""
    return f"{name} {max(low for low in SURE if sure >= low):g}"


def unfit_text(text: str, longest: int) -> str:
    """Why a text is no source of pairs, as far as it can be told without a parse; empty if it may be one."""
    text = text.strip()
    reasons = {
        f"more than {longest} words": sum(any(c.isalnum() for c in chunk) for chunk in text.split()) > longest,
        "no end of a sentence": not text.endswith((".", "!", "?", '."', ".”", ".'", ".)", '!"', '?"')),
        "a sentence broken off": text.endswith("...")
        or re.search(r"\b([A-Z]\.\s[A-Z]|Maj|Brig|Gen|Lt|Col|Capt|Sgt|Rev|Gov|Sen|Rep|vs|No)\.$", text),
        "no beginning of a sentence": not text.lstrip("\"“'‘([ ")[:1].isupper(),
        "half a quotation": half_quoted(text),
        "markup or broken characters": MARKUP.search(text),
        "typed in haste": HASTE.search(text) or GLUED.search(text),
        "a gap inside": re.search(r"\S\s{2,}\S", text),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def unfit_reason(sentence: Sentence, longest: int) -> str:
    """Why a sentence is no source of pairs: a heading, a fragment, talk, too long; empty if it is one."""
    words, text = [t for t in sentence.tokens if not t.punctuation], sentence.text.strip()
    if reason := f"more than {longest} words" if len(words) > longest else unfit_text(text, longest):
        return reason
    finite = sum(t.tag in FINITE for t in words)
    if reason := _no_main_clause(sentence) if finite else "no finite verb":
        return reason
    if word_set("talk") & {t.lower for t in words}:
        return "talk"
    # "CIVIL RIGHTS But the work goes on": a heading ran into its text.
    shouted = sum(t.text.isupper() and len(t.text) > 1 for t in words) * 2 > len(words)
    if shouted or re.search(r"\b[A-Z]{4,} [A-Z]{4,}\b", text) or LABEL.match(text):
        return "a headline"
    miscased = {match.start(1) for match in re.finditer(r"\b[A-Z]\.[A-Z]\.,? ([A-Z][a-z]+)", sentence.text)}
    if any(t.start in miscased and not t.tag.startswith("NNP") for t in words):
        return "a capital inside"
    plural = {t.head for t in words if t.tag == "NNS" and t.dep.startswith("nsubj")}
    if any(
        t.lower in ("was", "has") and (t.head if t.dep.startswith(("aux", "cop")) else t.i) in plural for t in words
    ):
        return "no agreement"
    return "two sentences" if finite > 1 and re.search(r"[a-z]{2}[.!?] [A-Z]", text) else ""


def _no_main_clause(sentence: Sentence) -> str:
    """Why the sentence has no clause that stands alone: "Proud to be here.", "And knew that it rained.", "Because I left."."""
    root = next((t for t in sentence.tokens if t.head == t.i), None)
    if root is None:
        return "a fragment"
    verbs = sentence.verbs(root.i)
    if root.tag != "VB" and not any(t.tag in FINITE for t in verbs):
        return "a fragment"
    if any(t.lower in word_set("subordinators") for t in sentence.children(root.i, "mark")):
        return "a subordinate clause alone"
    asked = any(t.tag == "VB" for t in verbs)
    alone = not asked and not sentence.children(root.i, "nsubj", "csubj", "expl")
    return "no subject" if alone and any(t.tag in ("VBD", "VBZ") for t in verbs) else ""


# "COOPER She left", "DR. GREEN This is late", "COOPER Russia's army left": who speaks, before what is said.
LABEL = re.compile(
    r"\W*((DR|MRS?|MS)\. )?[A-Z]{4,} (She|He|We|Its?|I|You|Th(e|ey|is|at|ese|ere)|But|And|[A-Z]\w+['’]s)\b"
)
# "it rained.We left", "they are are late", "Iran. , cars", "it rained. we left", "said,"we left", "tax?cut", "the—below"
GLUED = re.compile(
    r"[a-z]{2}\.[A-Z]|\b(are|is|was|the|a|an|of|to|in|and) \1\b|\w\. ,|(?<![\w.'’-])[a-z]{4,}\. [a-z(]|[a-z][,.][\"”][a-z]|\w\?\w|[a-z]{4,}\d\b|\b(are|is|was|were) (The|A|An|In|This|It|He|She|They|We|But|Before|After)\b|[a-z]\.,[A-Z]|\b(a|an|the) (because|and|of|is|was|are|were|has|have|to|with|from)\b(?!-)|\b(?!had|that|very|her|far|long)([a-z]{3,}) \6\b|\ban another\b|\b(the|an?|of) ?(—|--)"
)
# "i dont", "u"
HASTE = re.compile(
    r"\bi\b(?!\.)|\b([Dd]ont|[Dd]idnt|[Cc]ant|[Ww]ont|[Dd]oesnt|[Ii]snt|wasnt|couldnt|wouldnt|shouldnt|[Ii]m|[Ii]ve|Id|lol|duno|n|da|wat|coz|abt|tmr|tonite|alot|gd|haf|pls|plz|ur|u|thx|[Tt]hats)\b(?!\.)| 'n' "
)
MARKUP = re.compile(
    r"<[^>]*>|//|\"\s*\"|“\s*”|https?:|www\.|\?\?|\ufffd|[|{}\[\]*_=^~․]|\.\.|--\s*--|&[a-z]+;|^\W*[-•]|^\(?\d+[.)]\s|^[A-Z][A-Z ]*:|^\S*[A-Z]{2,}:|\s[A-Z]:\s|\w-,"
)


def half_quoted(text: str) -> bool:
    """Whether a quotation begins or ends outside of the text; an apostrophe closes one only where one was opened."""
    opened = len(re.findall(r"(?<!\w)['‘](?=\w)(?!\d0s|em\b|til\b|cause\b)", text))
    closed = len(re.findall(r"(?<=[.,!?])['’](?!\w)", text))
    closed += len(re.findall(r"(?<=\w)['’](?!\w)", text)) if opened else 0
    uneven = text.count('"') % 2 == 1 or text.count("“") != text.count("”") or text.count("``") != text.count("''")
    return (
        uneven
        or re.search(r"`|(?<!\S)['’](?!\S)", text) is not None
        or opened != closed
        or text.count("(") != text.count(")")
    )
