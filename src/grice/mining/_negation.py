"""Negate a main verb: do-support, auxiliaries, modals, copula; tense and agreement stay."""

from __future__ import annotations

from collections.abc import Mapping

from grice.mining._constructions import VerbComplement, auxiliaries
from grice.mining._english import lower_first, write
from grice.mining._words import word_set
from grice.mining.parse import Sentence, Token

CONTRACTIONS = {
    "will": "won't",
    "shall": "shan't",
    "am": "am not",
    "may": "may not",
    "might": "might not",
}


def negate(
    sentence: Sentence,
    site: VerbComplement,
    *,
    contracted: bool = False,
    swap: Mapping[int, str] | None = None,
) -> str:
    """Return the sentence with its verb negated.

    Args:
        contracted: Write "didn't" instead of "did not".
        swap: Words in the place of tokens; the verb's lemma is the construction's.
    """
    verb, helpers, swap = site.verb, auxiliaries(sentence, site.verb), swap or {}
    if helpers:
        return _negate_helper(sentence, verb, helpers[0], contracted, swap)
    if site.lemma == "be" and site.tag in ("VBZ", "VBP", "VBD"):
        return write(sentence, swap={**swap, verb.i: _add_not(verb.text, contracted)})
    if site.tag == "VB" and _is_imperative(sentence, verb):
        word = "Don't" if contracted else "Do not"
        word = word if verb.i == 0 else word.lower()
        return write(sentence, swap={**swap, verb.i: f"{word} {_lower_word(verb, swap)}"})
    if site.tag in ("VBZ", "VBP", "VBD"):
        return _add_do(sentence, site, contracted, swap)
    if verb.i == 0:
        return write(sentence, swap={**swap, 0: f"Not {_lower_word(verb, swap)}"})
    is_infinitive = site.tag == "VB" and sentence[verb.i - 1].lower == "to"
    return write(sentence, before={verb.i - is_infinitive: "not"}, swap=swap)


def _lower_word(verb: Token, swap: Mapping[int, str]) -> str:
    """Return a first verb, or the one in its place, as behind "not"."""
    return swap[verb.i].lower() if verb.i in swap else lower_first(verb)


def _is_imperative(sentence: Sentence, verb: Token) -> bool:
    is_infinitive = verb.i > 0 and sentence[verb.i - 1].lower == "to"
    return sentence.subject(verb.i) is None and not is_infinitive


def _negate_helper(
    sentence: Sentence, verb: Token, helper: Token, contracted: bool, swap: Mapping[int, str]
) -> str:
    """Add "not" behind the auxiliary, in a question behind the subject: "Have you not noticed"."""
    subjects = sentence.children(verb.i, "nsubj")
    subject = next((token for token in subjects if helper.i < token.i < verb.i), None)
    if subject is not None and not contracted:
        after = max(sentence.subtree(subject.i)) + 1
        return write(sentence, before={after: "not"}, swap=swap)
    i, adverbs = helper.i, word_set("before not")
    while not contracted and i + 1 < verb.i and sentence[i + 1].lower in adverbs:
        i += 1
    if i > helper.i:
        return write(sentence, before={i + 1: "not"}, swap=swap)
    return write(sentence, swap={**swap, helper.i: _add_not(helper.text, contracted)})


def _add_not(word: str, contracted: bool) -> str:
    if word.lower() == "can":
        return word + ("'t" if contracted else "not")
    if contracted and not word.startswith(("'", "’")):
        return CONTRACTIONS.get(word.lower(), word + "n't")
    return f"{word} not"


def _add_do(
    sentence: Sentence, site: VerbComplement, contracted: bool, swap: Mapping[int, str]
) -> str:
    do = {"VBD": "did", "VBZ": "does", "VBP": "do"}[site.tag]
    word = f"{do}n't" if contracted else f"{do} not"
    start = site.verb.i
    # "do not strongly believe", but "clearly did not agree"
    while start > 1 and _goes_behind_not(sentence[start - 1]):
        start -= 1
    if start == site.verb.i:
        return write(sentence, swap={**swap, start: f"{word} {site.lemma}"})
    return write(sentence, before={start: word}, swap={**swap, site.verb.i: site.lemma})


def _goes_behind_not(token: Token) -> bool:
    is_manner = token.lower in word_set("behind not") or token.lower.endswith("ly")
    return token.pos == "ADV" and is_manner and token.lower not in word_set("before not")
