"""Writing English from parsed sentences: edits that keep the original spacing, inflection, agreement, and tidying."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from grice.mining._words import verb_forms
from grice.mining.parse import Sentence, Token

PLURAL_PRONOUNS = {"we", "they", "you", "these", "those", "us", "them", "both", "many", "few", "several"}
SUBJECT_FORM = {"him": "he", "her": "she", "me": "I", "them": "they", "us": "we", "whom": "who"}
BE = {"VB": "be", "VBG": "being", "VBN": "been", "VBZ": "is", "VBP": "are", "VBD": "were"}


def write(
    sentence: Sentence,
    keep: Collection[int] | None = None,
    *,
    drop: Collection[int] = (),
    swap: Mapping[int, str] | None = None,
    before: Mapping[int, str] | None = None,
) -> str:
    """The sentence with tokens left out, put in place of others, or put before others; then tidied."""
    swap, before = swap or {}, before or {}
    parts: list[str] = []
    for token in sentence.tokens:
        if token.i in drop or (keep is not None and token.i not in keep):
            continue
        gap = " " if sentence.space_before(token.i) else ""
        # A word that stood right behind another may now stand behind something else.
        if token.i and parts and _left(token.i, keep, drop) and not _hangs(token):
            gap = "" if parts[-1] in (' "', "“", " “", " (", '"') else " "
        if token.i in before:
            parts.append(gap + before[token.i])
            gap = " " if not token.text.startswith(("'", "’", "n't")) else ""
        text = swap.get(token.i, token.text)
        if text:
            parts.append(gap + text)
    return tidy("".join(parts))


def _left(i: int, keep: Collection[int] | None, drop: Collection[int]) -> bool:
    return i - 1 in drop or (keep is not None and i - 1 not in keep)


def _hangs(token: Token) -> bool:
    return token.punctuation or token.lower in ("n't", "'s", "’s", "'re", "'ve", "'ll", "'d", "'m", "%")


def tidy(text: str) -> str:
    """Single spaces, no space before a comma, no comma beside another mark, a capital first, `a` and `an` as they sound."""
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
    # "an X-ray", "an NBA-style show": letters that are spelt.
    if not word[0].isalpha() or re.match(r"[A-Z](?![a-z])", word):
        return match[0]
    return f"{letter}{'n' if starts_with_vowel_sound(word) else ''} {word}"


def starts_with_vowel_sound(word: str) -> bool:
    """Whether a word begins with a vowel to the ear."""
    lower = word.lower()
    if re.match(r"(hour|honest|honou?r|heir)", lower):
        return True
    if re.match(
        r"(uni([^nm]|$)|unif|unanim|eu|us[aeiu]|ur[aeiu]|uk|ut[aeio]|ubiq|one\b|once|one-|ouija|ewe|u\b|u-)", lower
    ):
        return False
    return lower[0] in "aeiou"


def capitalize(text: str) -> str:
    """The first letter in upper case, behind an opening quote too."""
    for place, letter in enumerate(text):
        if letter.isalpha():
            # iPhone and eBay keep their spelling.
            if len(text) > place + 1 and text[place + 1].isupper():
                return text
            return text[:place] + letter.upper() + text[place + 1 :]
        if letter.isalnum():
            return text
    return text


def lower_first(token: Token) -> str:
    """A word taken from the beginning of a sentence to its middle: lower case unless a name or `I`."""
    named = token.pos == "PROPN" or token.text == "I" or token.text.startswith("I'")
    if named or token.text[1:] != token.text[1:].lower():
        return token.text
    return token.text[:1].lower() + token.text[1:]


@lru_cache(maxsize=50_000)
def inflect(lemma: str, tag: str) -> str:
    """A verb's form by its Penn tag; for `be` the plural ones, `agree` knows the others."""
    if lemma == "be":
        return BE[tag]
    if tag in ("VB", "VBP"):
        return lemma
    if (lemma, tag) in verb_forms():
        return verb_forms()[lemma, tag]
    import lemminflect

    # A parser may find no lemma for what it takes for a verb.
    found = lemminflect.getInflection(lemma, tag) if lemma else ()
    # Of two spellings the common one is the irregular: "found" before "finded", but "learned" before "learnt".
    return str(found[0]) if found else _regular(lemma, tag)


def _regular(lemma: str, tag: str) -> str:
    if tag == "VBZ":
        return lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
    stem = lemma[:-1] if lemma.endswith("e") else lemma
    return stem + ("ing" if tag == "VBG" else "ed")


def is_plural(sentence: Sentence, subject: Token | None) -> bool:
    """Whether a subject takes a plural verb."""
    if subject is None:
        return False
    if any(t.lower == "and" for c in sentence.children(subject.i, "conj") for t in sentence.children(c.i, "cc")):
        return True
    if subject.pos == "PRON" or subject.tag in ("PRP", "DT", "WP", "WDT"):
        if subject.lower in ("who", "which", "that") and subject.tag in ("WP", "WDT"):
            clause = sentence[subject.head]
            if clause.dep == "acl:relcl":
                return is_plural(sentence, sentence[clause.head])
        return subject.lower in PLURAL_PRONOUNS
    several = subject.lower == "number" and any(t.lower == "a" for t in sentence.children(subject.i, "det"))
    return several or subject.tag in ("NNS", "NNPS") or subject.lower in ("people", "police")


def agree(lemma: str, tag: str, *, many: bool, first: bool = False) -> str:
    """The finite form that goes with a subject: `agree("be", "VBD", many=False)` is "was"."""
    if tag in ("VBZ", "VBP"):
        tag = "VBP" if many or first else "VBZ"
    if lemma == "be" and not many and tag == "VBD":
        return "was"
    return "am" if lemma == "be" and not many and tag == "VBP" and first else inflect(lemma, tag)


def end_sentence(text: str, mark: str = ".", *, statement: bool = False) -> str:
    """The text with a full stop unless it has one; a statement taken from a question loses the question mark."""
    text = re.sub(r"[\s,;:/–—-]+$", "", text)
    # A quotation that ended with the comma of "he said" ends with the sentence now.
    text = re.sub(r",([\"”'’]+)\.?$", r".\1", text)
    if statement:
        text = re.sub(r"[?!]+([\"”'’)]*)$", r".\1", text)
    return text if re.search(r"[.!?][\"”'’)]*$", text) else text + mark
