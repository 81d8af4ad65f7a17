"""Write English from parsed sentences: edits with the original spacing, inflection, agreement."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from grice.mining._words import verb_forms
from grice.mining.morphology import inflect_verb
from grice.mining.parse import Sentence, Token

CONSONANT_SOUND = re.compile(
    r"uni([^nm]|$)|unif|unanim|eu|us[aeiu]|ur[aeiu]|uk|ut[aeio]|ubiq|one\b|once|one-|ouija|ewe|u\b|u-"
)
PLURAL_PRONOUNS = {
    "we",
    "they",
    "you",
    "these",
    "those",
    "us",
    "them",
    "both",
    "many",
    "few",
    "several",
}
SUBJECT_FORM = {"him": "he", "her": "she", "me": "I", "them": "they", "us": "we", "whom": "who"}
SUFFIXES = ("n't", "'s", "’s", "'re", "'ve", "'ll", "'d", "'m", "%")
BE = {"VB": "be", "VBG": "being", "VBN": "been", "VBZ": "is", "VBP": "are", "VBD": "were"}


def write(
    sentence: Sentence,
    keep: Collection[int] | None = None,
    *,
    drop: Collection[int] = (),
    swap: Mapping[int, str] | None = None,
    before: Mapping[int, str] | None = None,
) -> str:
    """Return the sentence with tokens left out, replaced, or preceded by words; then tidied."""
    swap, before = swap or {}, before or {}
    parts: list[str] = []
    for token in sentence.tokens:
        if _is_dropped(token.i, keep, drop):
            continue
        gap = " " if sentence.space_before(token.i) else ""
        # What touched the word before it may now follow another word.
        if token.i and parts and _is_dropped(token.i - 1, keep, drop) and not _is_suffix(token):
            is_opening = parts[-1] in (' "', "“", " “", " (") or parts == ['"']
            gap = "" if is_opening else " "
        if token.i in before:
            parts.append(gap + before[token.i])
            gap = "" if token.text.startswith(("'", "’", "n't")) else " "
        text = swap.get(token.i, token.text)
        if text:
            parts.append(gap + text)
    return tidy("".join(parts))


def _is_dropped(i: int, keep: Collection[int] | None, drop: Collection[int]) -> bool:
    return i in drop or (keep is not None and i not in keep)


def _is_suffix(token: Token) -> bool:
    return token.punctuation or token.lower in SUFFIXES


def tidy(text: str) -> str:
    """Correct spaces, commas, the first capital, and `a` and `an`."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,.;:!?])(?=\s|$|[\"”'’)])", r"\1", text)
    text = re.sub(r"([(\[“‘])\s+", r"\1", text)
    text = re.sub(r",(?:\s*,)+", ",", text)
    text = re.sub(r"[,;:]\s*([.!?;])", r"\1", text)
    text = re.sub(r"^[\s,;:.!?]+", "", text)
    text = re.sub(r"\(\s*\)|\[\s*\]", "", text)
    text = re.sub(r"\s{2,}", " ", text)
    text = re.sub(r"(?<![\w'’-])([Aa])(n?) (\w[\w'’-]*)", _article, text)
    return capitalize(text.strip())


def _article(match: re.Match[str]) -> str:
    letter, word = match[1], match[3]
    # "an X-ray", "an NBA-style show": letters that are spelled out.
    if not word[0].isalpha() or re.match(r"[A-Z](?![a-z])", word):
        return match[0]
    return f"{letter}{'n' if starts_with_vowel_sound(word) else ''} {word}"


def starts_with_vowel_sound(word: str) -> bool:
    """Return whether a word is pronounced with a vowel first."""
    lower = word.lower()
    if re.match(r"(hour|honest|honou?r|heir)", lower):
        return True
    if CONSONANT_SOUND.match(lower):
        return False
    return lower[0] in "aeiou"


def capitalize(text: str) -> str:
    """Return the text with its first letter in upper case, behind an opening quote too."""
    for i, letter in enumerate(text):
        if letter.isalpha():
            # iPhone and eBay keep their spelling.
            if len(text) > i + 1 and text[i + 1].isupper():
                return text
            return text[:i] + letter.upper() + text[i + 1 :]
        if letter.isalnum():
            return text
    return text


def lower_first(token: Token) -> str:
    """Return the first word of a sentence as in its middle: lower case, except names and `I`."""
    is_name = token.pos == "PROPN" or token.text == "I" or token.text.startswith("I'")
    if is_name or token.text[1:] != token.text[1:].lower():
        return token.text
    return token.text[:1].lower() + token.text[1:]


@lru_cache(maxsize=50_000)
def inflect(lemma: str, tag: str) -> str:
    """Return a verb's form by its Penn tag; of `be` the plural, `agree` knows the others."""
    if lemma == "be":
        return BE[tag]
    if tag in ("VB", "VBP"):
        return lemma
    if (lemma, tag) in verb_forms():
        return verb_forms()[lemma, tag]
    # A parser may find no lemma for what it takes for a verb.
    return inflect_verb(lemma, tag) if lemma else ""


def is_plural(sentence: Sentence, subject: Token | None) -> bool:
    """Return whether a subject takes a plural verb."""
    if subject is None:
        return False
    conjuncts = sentence.children(subject.i, "conj")
    conjunctions = (mark for token in conjuncts for mark in sentence.children(token.i, "cc"))
    if any(mark.lower == "and" for mark in conjunctions):
        return True
    if subject.pos == "PRON" or subject.tag in ("PRP", "DT", "WP", "WDT"):
        clause = sentence[subject.head]
        is_relative = subject.lower in ("who", "which", "that") and subject.tag in ("WP", "WDT")
        if is_relative and clause.dep == "acl:relcl":
            return is_plural(sentence, sentence[clause.head])
        return subject.lower in PLURAL_PRONOUNS
    if subject.tag in ("NNS", "NNPS") or subject.lower in ("people", "police"):
        return True
    determiners = sentence.children(subject.i, "det")
    return subject.lower == "number" and any(token.lower == "a" for token in determiners)


def agree(lemma: str, tag: str, *, many: bool, first: bool = False) -> str:
    """Return the finite form that agrees: `agree("be", "VBD", many=False)` is "was"."""
    if tag in ("VBZ", "VBP"):
        tag = "VBP" if many or first else "VBZ"
    if lemma == "be" and not many and tag == "VBD":
        return "was"
    is_am = lemma == "be" and tag == "VBP" and first and not many
    return "am" if is_am else inflect(lemma, tag)


def end_sentence(text: str, mark: str = ".", *, statement: bool = False) -> str:
    """Return the text with a final mark; a statement from a question loses the question mark."""
    text = re.sub(r"[\s,;:/–—-]+$", "", text)
    # A quotation that ended in the comma of "he said" ends in the full stop.
    text = re.sub(r",([\"”'’]+)\.?$", r".\1", text)
    if statement:
        text = re.sub(r"[?!]+([\"”'’)]*)$", r".\1", text)
    return text if re.search(r"[.!?][\"”'’)]*$", text) else text + mark
