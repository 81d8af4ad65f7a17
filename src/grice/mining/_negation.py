"""The negation of a main verb: do-support, auxiliaries, modals, copula; tense, agreement and adverbs kept."""

from __future__ import annotations

from collections.abc import Mapping

from grice.mining._constructions import VerbComplement, auxiliaries
from grice.mining._english import lower_first, write
from grice.mining._words import word_set
from grice.mining.parse import Sentence, Token


def negate(
    sentence: Sentence, one: VerbComplement, *, contracted: bool = False, swap: Mapping[int, str] | None = None
) -> str:
    """The sentence with its verb negated: do-support, auxiliaries, modals and copula, tense and agreement kept.

    `swap` puts other words in the place of tokens on the way; the verb's own lemma is the construction's.
    """
    verb, helpers, swap = one.verb, auxiliaries(sentence, one.verb), swap or {}
    if helpers:
        return _negate_helper(sentence, verb, helpers[0], contracted, swap)
    if one.lemma == "be" and one.tag in ("VBZ", "VBP", "VBD"):
        return write(sentence, swap={**swap, verb.i: _not(verb.text, contracted)})
    if one.tag == "VB" and _imperative(sentence, verb):
        word = "Don't" if contracted else "Do not"
        return write(sentence, swap={verb.i: f"{word if verb.i == 0 else word.lower()} {lower_first(verb)}"})
    if one.tag in ("VBZ", "VBP", "VBD"):
        return _do_support(sentence, one, contracted, swap)
    if verb.i == 0:
        return write(sentence, swap={0: f"Not {lower_first(verb)}"})
    if one.tag == "VB" and sentence[verb.i - 1].lower == "to":
        return write(sentence, before={verb.i - 1: "not"})
    return write(sentence, before={verb.i: "not"})


def _imperative(sentence: Sentence, verb: Token) -> bool:
    return sentence.subject(verb.i) is None and not (verb.i and sentence[verb.i - 1].lower == "to")


def _negate_helper(sentence: Sentence, verb: Token, helper: Token, contracted: bool, swap: Mapping[int, str]) -> str:
    """Behind the first auxiliary; in a question behind the subject: "Have you not noticed that …?"."""
    between = range(helper.i + 1, verb.i)
    subject = next((t for t in sentence.children(verb.i, "nsubj") if t.i in between), None)
    if subject is not None and not contracted:
        return write(sentence, before={max(sentence.subtree(subject.i)) + 1: "not"}, swap=swap)
    place = helper.i
    while not contracted and place + 1 < verb.i and sentence[place + 1].lower in word_set("before not"):
        place += 1
    if place > helper.i:
        return write(sentence, before={place + 1: "not"}, swap=swap)
    return write(sentence, swap={**swap, helper.i: _not(helper.text, contracted)})


def _not(word: str, contracted: bool) -> str:
    if word.lower() == "can":
        return word + ("'t" if contracted else "not")
    short = {"will": "won't", "shall": "shan't", "am": "am not", "may": "may not", "might": "might not"}
    if contracted and not word.startswith(("'", "’")):
        return short.get(word.lower(), word + "n't")
    return f"{word} not"


def _do_support(sentence: Sentence, one: VerbComplement, contracted: bool, swap: Mapping[int, str]) -> str:
    do = {"VBD": "did", "VBZ": "does", "VBP": "do"}[one.tag]
    word = f"{do}n't" if contracted else f"{do} not"
    start, behind, before = one.verb.i, word_set("behind not"), word_set("before not")
    # "do not strongly believe", but "clearly did not agree"
    while start > 1 and (t := sentence[start - 1]).pos == "ADV" and (t.lower in behind or t.lower.endswith("ly")):
        if t.lower in before:
            break
        start -= 1
    if start == one.verb.i:
        return write(sentence, swap={**swap, start: f"{word} {one.lemma}"})
    return write(sentence, before={start: word}, swap={**swap, one.verb.i: one.lemma})
