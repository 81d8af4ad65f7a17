"""Signs that the bounds of a coordination are the parser's mistake: a list of rules, each of which may fire."""

from __future__ import annotations

from collections.abc import Callable

from grice.mining._coordinated import Coordination
from grice.mining._coordination import ATTRIBUTIVE
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token

# Categories that stand beside each other though they differ.
MIXED = {
    frozenset(pair)
    for pair in (("NP", "N"), ("Name", "NP"), ("Name", "N"), ("Adj", "PP"), ("Adv", "PP"), ("N", "Number"))
}
QUOTES = ('"', "'", "‘", "’", "“", "”")
OPENING = ('"', "“", "(", "‘", "'")
ODD = frozenset(["(", ")", "[", "]", "-", "–", "—", "--", "/", ";", ":", "*", "…", "..."])


def doubts(sentence: Sentence, where: Coordination) -> list[str]:
    """The names of the rules that fire on a coordination, in their order."""
    return [rule.__name__ for rule in RULES if rule(sentence, where)]


def unlike_categories(_sentence: Sentence, where: Coordination) -> bool:
    """The conjuncts are phrases of kinds that do not stand beside each other."""
    return len(set(where.kinds)) == 2 and frozenset(where.kinds) not in MIXED


def unlike_verb_forms(sentence: Sentence, where: Coordination) -> bool:
    """One verb phrase is finite and the other is not, or they are different participles."""
    return where.kinds == ("VP", "VP") and _form(sentence, where.head) != _form(sentence, where.second)


def unlike_verb_numbers(sentence: Sentence, where: Coordination) -> bool:
    """One verb is singular and the other plural."""
    numbers = {_number(sentence, verb) for verb in (where.head, where.second)}
    return where.kinds == ("VP", "VP") and numbers == {"singular", "plural"}


def no_space_around_conjunction(sentence: Sentence, where: Coordination) -> bool:
    """The conjunction is part of a word: "and/or"."""
    return not sentence.space_before(where.mark.i) or not sentence.space_before(where.mark.i + 1)


def square_bracket(sentence: Sentence, _where: Coordination) -> bool:
    """The sentence has an editor's bracket."""
    return "[" in sentence.text


def no_space_before_left(sentence: Sentence, where: Coordination) -> bool:
    """The left conjunct begins inside a word."""
    start = where.left.start
    return start > 0 and not sentence.space_before(start) and sentence[start - 1].text not in OPENING


def odd_mark(sentence: Sentence, where: Coordination) -> bool:
    """A bracket, dash, slash or colon stands inside a conjunct."""
    return any(sentence[i].text in ODD for span in (where.left, where.right) for i in span)


def half_quotation(sentence: Sentence, where: Coordination) -> bool:
    """A conjunct has an opening quote without its closing one, or the reverse."""
    return any(sum(sentence[i].text in QUOTES for i in span) % 2 for span in (where.left, where.right))


def half_list(sentence: Sentence, where: Coordination) -> bool:
    """A comma before either of two nouns: the other half of the list was not seen."""
    start = where.left.start
    inner = start > 0 and sentence[start - 1].text == ","
    paused = where.pause is not None and where.word != "or"
    return not _clausal(where) and not where.before and (inner or paused)


def noun_as_adjective(sentence: Sentence, where: Coordination) -> bool:
    """A bare noun beside a noun with its adjective is an adjective itself: "state or local elections"."""
    bare = where.head.tag == "NN" and len(where.left) == 1
    return bare and sentence[where.right.start].tag == "JJ" and where.second.tag == "NNS"


def clause_opener(sentence: Sentence, where: Coordination) -> bool:
    """The right clause is subordinate: "and which", "but because"."""
    opener = sentence[where.right.start].lower
    return where.kinds[1] == "Clause" and opener in word_set("clause openers")


def noun_behind(sentence: Sentence, where: Coordination) -> bool:
    """What stands right behind nouns belongs to one of them: "him or her a great conversation"."""
    if _clausal(where) or where.head.dep in ATTRIBUTIVE:
        return False
    after = sentence[where.right.stop].tag if where.right.stop < len(sentence) else ""
    return after.startswith(("NN", "JJ", "CD", "DT", "PRP$", "W"))


def but_between_words(_sentence: Sentence, where: Coordination) -> bool:
    """A "but" between words is an exception or a correction: "nothing but trouble"."""
    return where.word == "but" and where.kinds[1] not in ("Clause", "VP", "PP")


def cut_short(sentence: Sentence, where: Coordination) -> bool:
    """The right clause or verb phrase does not end at a mark."""
    stop = where.right.stop
    if not _clausal(where) or stop >= len(sentence):
        return False
    return not sentence[stop].punctuation or sentence[stop].text in ODD


def uneven_lengths(_sentence: Sentence, where: Coordination) -> bool:
    """One of two phrases is more than three times as long as the other."""
    short, long = sorted((len(where.left), len(where.right)))
    return not _clausal(where) and long > 3 * short + 3


RULES: tuple[Callable[[Sentence, Coordination], bool], ...] = (
    unlike_categories, unlike_verb_forms, unlike_verb_numbers, no_space_around_conjunction, square_bracket, no_space_before_left,
    odd_mark, half_quotation, half_list, noun_as_adjective, clause_opener, noun_behind, but_between_words, cut_short, uneven_lengths,
)  # fmt: skip


def _clausal(where: Coordination) -> bool:
    return where.kinds[1] in ("Clause", "VP")


def _form(sentence: Sentence, verb: Token) -> str:
    return "finite" if any(t.tag in FINITE for t in sentence.verbs(verb.i)) else verb.tag


def _number(sentence: Sentence, verb: Token) -> str:
    """Singular or plural by the form of a present tense; empty where the form tells nothing."""
    first = next((t for t in sentence.verbs(verb.i) if t.tag in FINITE), None)
    if first is None:
        return ""
    if first.lower in ("was", "were"):
        return "singular" if first.lower == "was" else "plural"
    return {"VBZ": "singular", "VBP": "plural"}.get(first.tag, "")
