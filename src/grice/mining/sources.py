"""Filter sentences: which are no source of pairs, by their text and by their parse."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from grice.mining._words import source_patterns, word_set
from grice.mining.parse import FINITE, Sentence, Token

# The papers preferred short sentences: longer ones are hard for readers and for the parser.
MAX_WORDS = 40
ENDS = (".", "!", "?", '."', ".”", ".'", ".)", '!"', '?"')


def unfit_text(text: str, longest: int) -> str:
    """Return why a text is no source of pairs, without a parse; empty if it may be one."""
    text = text.strip()
    if sum(any(c.isalnum() for c in chunk) for chunk in text.split()) > longest:
        return f"more than {longest} words"
    return next((reason for reason, test in TEXT_FAULTS.items() if test(text)), "")


def _has_no_end(text: str) -> bool:
    return not text.endswith(ENDS)


def _has_no_beginning(text: str) -> bool:
    return not text.lstrip("\"“'‘([ ")[:1].isupper()


def is_half_quoted(text: str) -> bool:
    """Return whether a quotation or bracket begins or ends outside the text.

    An apostrophe closes a quotation only if one was opened.
    """
    opened = len(re.findall(r"(?<!\w)['‘](?=\w)(?!\d0s|em\b|til\b|cause\b)", text))
    closed = len(re.findall(r"(?<=[.,!?])['’](?!\w)", text))
    closed += len(re.findall(r"(?<=\w)['’](?!\w)", text)) if opened else 0
    partners = (("“", "”"), ("``", "''"), ("(", ")"))
    return (
        text.count('"') % 2 == 1
        or any(text.count(first) != text.count(second) for first, second in partners)
        or re.search(r"`|(?<!\S)['’](?!\S)", text) is not None
        or opened != closed
    )


def _matches(reason: str) -> Callable[[str], bool]:
    """Return a test that searches a text for the patterns of a reason."""
    return lambda text: any(pattern.search(text) for pattern in source_patterns()[reason])


# Reason to test of the text alone; the first that holds is counted.
TEXT_FAULTS: Mapping[str, Callable[[str], bool]] = {
    "no end of a sentence": _has_no_end,
    "a sentence broken off": _matches("a sentence broken off"),
    "no beginning of a sentence": _has_no_beginning,
    "half a quotation": is_half_quoted,
    "markup or broken characters": _matches("markup or broken characters"),
    "typed in haste": _matches("typed in haste"),
    "a gap inside": _matches("a gap inside"),
}


def unfit_reason(sentence: Sentence, longest: int) -> str:
    """Return why a sentence is no source of pairs: a heading, a fragment, …; empty if it is one."""
    words = [token for token in sentence.tokens if not token.punctuation]
    if len(words) > longest:
        return f"more than {longest} words"
    if reason := unfit_text(sentence.text.strip(), longest):
        return reason
    if not any(token.tag in FINITE for token in words):
        return "no finite verb"
    if reason := _missing_clause(sentence):
        return reason
    return next((reason for reason, test in PARSE_FAULTS.items() if test(sentence, words)), "")


def _missing_clause(sentence: Sentence) -> str:
    """Return why no clause stands alone: "Proud to be here.", "And knew it.", "Because I left."."""
    root = next((token for token in sentence.tokens if token.head == token.i), None)
    if root is None:
        return "a fragment"
    verbs = sentence.verbs(root.i)
    if root.tag != "VB" and not any(token.tag in FINITE for token in verbs):
        return "a fragment"
    marks = sentence.children(root.i, "mark")
    if any(token.lower in word_set("subordinators") for token in marks):
        return "a subordinate clause alone"
    tags = {token.tag for token in verbs}
    has_subject = bool(sentence.children(root.i, "nsubj", "csubj", "expl"))
    is_bare = not has_subject and "VB" not in tags and bool(tags & {"VBD", "VBZ"})
    return "no subject" if is_bare else ""


def _is_talk(_sentence: Sentence, words: Sequence[Token]) -> bool:
    return bool(word_set("talk") & {token.lower for token in words})


def _is_headline(sentence: Sentence, words: Sequence[Token]) -> bool:
    """Detect a heading, or one that ran into its text: "CIVIL RIGHTS But the work goes on"."""
    n_capitals = sum(token.text.isupper() and len(token.text) > 1 for token in words)
    return n_capitals * 2 > len(words) or _matches("a headline")(sentence.text.strip())


def _has_capital_inside(sentence: Sentence, words: Sequence[Token]) -> bool:
    """Detect a capital behind an abbreviation on a word that is no name: "The U.S. Wants"."""
    behind = re.finditer(r"\b[A-Z]\.[A-Z]\.,? ([A-Z][a-z]+)", sentence.text)
    starts = {match.start(1) for match in behind}
    return any(token.start in starts and not token.tag.startswith("NNP") for token in words)


def _disagrees(_sentence: Sentence, words: Sequence[Token]) -> bool:
    """Detect a plural subject with "was" or "has"."""
    plural = {t.head for t in words if t.tag == "NNS" and t.dep.startswith("nsubj")}
    singular = (token for token in words if token.lower in ("was", "has"))
    return any((t.head if t.dep.startswith(("aux", "cop")) else t.i) in plural for t in singular)


def _is_two_sentences(sentence: Sentence, words: Sequence[Token]) -> bool:
    n_finite = sum(token.tag in FINITE for token in words)
    return n_finite > 1 and re.search(r"[a-z]{2}[.!?] [A-Z]", sentence.text.strip()) is not None


# Reason to test of the parsed sentence and its words; the first that holds is counted.
PARSE_FAULTS: Mapping[str, Callable[[Sentence, Sequence[Token]], bool]] = {
    "talk": _is_talk,
    "a headline": _is_headline,
    "a capital inside": _has_capital_inside,
    "no agreement": _disagrees,
    "two sentences": _is_two_sentences,
}
