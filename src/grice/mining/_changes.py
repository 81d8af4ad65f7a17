"""Change what a conjunct asserts: its negation, the date of what happens once, an amount, a name.

Unlike the words of `_replacements` these need a clause that is asserted of a definite subject:
"some sang and danced" does not exclude "some sang and did not dance".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grice.mining._constructions import auxiliaries
from grice.mining._coordinated import Coordination
from grice.mining._english import agree, is_plural
from grice.mining._replacements import Replacement, is_definite, next_number
from grice.mining._words import antonyms, word_set
from grice.mining.parse import FINITE, Sentence, Token

YEAR, DAY = re.compile(r"1[5-9]\d\d|20[01]\d"), re.compile(r"[1-9]|1\d|2[0-7]")
# Relations between a word and the clause that asserts it.
ASSERTED = {
    "obj",
    "obl",
    "nsubj",
    "nsubj:pass",
    "conj",
    "nmod",
    "appos",
    "compound",
    "amod",
    "flat",
}
ASSERTED |= {"nmod:poss", "nummod", "obl:tmod", "obl:unmarked", "nmod:unmarked", "advmod", "root"}
DIRECTIONS = {"North": "South", "South": "North", "East": "West", "West": "East"}
RANGE_SIGNS = {"-", "–", "—", "/"}
NEGATIONS = ("not", "n't", "n’t")


def changes(sentence: Sentence, site: Coordination) -> Iterator[Replacement]:
    """Yield changes of the conjuncts, at most one of each sort per conjunct."""
    for span in (site.left, site.right):
        tokens = [sentence[i] for i in span]
        sorts = (
            [_denied(sentence, site, span)],
            (_other_date(sentence, site, token) for token in tokens),
            (_other_amount(sentence, token) for token in tokens),
            (_other_exception(site, token) for token in tokens),
            (_rival(sentence, token) for token in tokens),
            (_other_direction(sentence, token) for token in tokens),
        )
        yield from (change for sort in sorts if (change := next(filter(None, sort), None)))


def is_asserted(sentence: Sentence, token: Token) -> bool:
    """Return whether a word belongs to a main clause that states a fact of what is definite."""
    while token.head != token.i:
        if token.dep not in ASSERTED:
            return False
        token = sentence[token.head]
    return _is_fact(sentence, token)


def _is_fact(sentence: Sentence, verb: Token, *, may_be_denied: bool = False) -> bool:
    """Return whether a verb says how things are of a definite subject, without a modal."""
    subject = sentence.subject(verb.i)
    if subject is None or not is_definite(sentence, subject):
        return False
    if subject.pos == "PRON" and subject.tag != "PRP":
        return False
    if any(sentence[i].lower in word_set("quantities") for i in sentence.subtree(subject.i)):
        return False
    is_subordinate = bool(sentence.children(verb.i, "mark"))
    words = {token.lower for token in (*auxiliaries(sentence, verb), *sentence.children(verb.i))}
    denied = set() if may_be_denied else {*NEGATIONS}
    return not is_subordinate and not words & (word_set("no fact") | denied)


def _denied(sentence: Sentence, site: Coordination, span: range) -> Replacement | None:
    """Negate a clause or the second of two verb phrases, or remove its negation."""
    verb = site.second if span == site.right else site.head
    if not _can_be_denied(sentence, site, span) or not _is_main(sentence, verb):
        return None
    verbs = (*(t for t in auxiliaries(sentence, verb) if t.i in span), verb)
    finite = next((t for t in verbs if t.tag in FINITE), None)
    inside = [sentence[i] for i in span if i != verb.i]
    if finite is None or any(_blocks_negation(token, verb, finite) for token in inside):
        return None
    has_not = [t for t in inside if t.lower in NEGATIONS and t.head == verb.i]
    if has_not:
        return _affirmed(sentence, verb, finite, has_not)
    return _negated(verb, finite) if _agrees(sentence, verb) else None


def _can_be_denied(sentence: Sentence, site: Coordination, span: range) -> bool:
    """Return whether a half of a sentence-final coordination is a clause or right phrase."""
    is_clause = site.kinds == ("Clause", "Clause")
    is_phrase = site.kinds == ("VP", "VP") and span == site.right
    is_plain = site.word in ("and", "but") and not site.before
    is_last = all(token.punctuation for token in sentence.tokens[site.right.stop :])
    # "not A, but rather B"
    is_contrast = sentence[site.right.start].lower in ("rather", "instead")
    return (is_clause or is_phrase) and is_plain and is_last and not is_contrast


def _agrees(sentence: Sentence, verb: Token) -> bool:
    """Return whether a verb that is tagged as a plural has a plural subject, or "I"."""
    subject = sentence.subject(verb.i)
    is_first = subject is not None and subject.lower == "i"
    return verb.tag != "VBP" or is_first or is_plural(sentence, subject)


def _negated(verb: Token, finite: Token) -> Replacement | None:
    if finite.tag == "MD" and finite.lower not in ("will", "can"):
        return None
    if finite.i != verb.i or finite.lemma == "be":
        word = "cannot" if finite.lower == "can" else f"{finite.text} not"
    else:
        do = {"VBD": "did", "VBZ": "does", "VBP": "do"}[verb.tag]
        word = f"{do} not {verb.lemma}"
    return Replacement(finite, word, "denial", "denial", exclusive=True)


def _is_main(sentence: Sentence, verb: Token) -> bool:
    """Return whether a verb, with those it is conjoined to, is the main one and states a fact."""
    top = verb
    while top.dep == "conj" and top.head < top.i:
        top = sentence[top.head]
    if any(token.lower in word_set("conditionals and times") for token in sentence.tokens):
        return False
    is_fact = _is_fact(sentence, verb, may_be_denied=True)
    return top.head == top.i and is_fact and _is_fact(sentence, top, may_be_denied=True)


def _blocks_negation(token: Token, verb: Token, finite: Token) -> bool:
    """Return whether a word could take scope over the negation, or share it with another verb."""
    if token.i in (finite.i, verb.i) or token.lower in NEGATIONS:
        return False
    is_own_adverb = token.head == verb.i and token.dep == "advmod"
    is_clausal = token.dep in ("advcl", "parataxis", "conj", "ccomp", "mark", "discourse", "cc")
    is_inverted = token.dep == "expl"
    is_quantified = token.lower in word_set("quantities") | word_set("many") | word_set("scope")
    return is_own_adverb or is_clausal or is_inverted or is_quantified


def _affirmed(
    sentence: Sentence, verb: Token, finite: Token, has_not: list[Token]
) -> Replacement | None:
    """Return the verb without its negation: "did not win" becomes "won"."""
    if len(has_not) > 1 or finite.i == verb.i or finite.tag == "MD":
        return None
    gone = {has_not[0].i: ""}
    if finite.lemma != "do":
        return Replacement(finite, finite.text, "denial", "denial", exclusive=True, others=gone)
    many = is_plural(sentence, sentence.subject(verb.i))
    form = agree(verb.lemma, finite.tag, many=many or finite.tag == "VBP")
    gone[finite.i] = ""
    return Replacement(verb, form, "denial", "denial", exclusive=True, others=gone)


def _other_date(sentence: Sentence, site: Coordination, token: Token) -> Replacement | None:
    """Return the next day or year of what happens once: "was born in 1950 and …"."""
    if site.kind not in ("VP", "Clause") or not _is_date(sentence, token):
        return None
    noun = token
    while noun.head != noun.i and not noun.verbal:
        if noun.dep not in ASSERTED:
            return None
        noun = sentence[noun.head]
    if noun.lemma not in word_set("once") or not _is_main(sentence, noun):
        return None
    words = {t.lower for t in sentence.tokens[max(0, token.i - 3) : token.i]}
    if not words & {"in", "on"} or words & word_set("bounds of time"):
        return None
    word = next_number(token.text)
    if word in {t.text for t in sentence.tokens}:
        return None
    return Replacement(token, word, "date", "date", exclusive=True)


def _is_date(sentence: Sentence, token: Token) -> bool:
    """Return whether a number is a year or a day of a month, and neither end of a range."""
    near = {t.lower for t in sentence.tokens[max(0, token.i - 1) : token.i + 2]}
    is_day = DAY.fullmatch(token.text) is not None and bool(word_set("months") & near)
    behind = sentence.tokens[token.i + 1 : token.i + 3]
    is_joined = [t.lower in ("and", "or") or t.pos == "NUM" for t in behind] == [True, True]
    is_date = is_day or YEAR.fullmatch(token.text) is not None
    return is_date and not is_joined and not RANGE_SIGNS & near


def _other_amount(sentence: Sentence, token: Token) -> Replacement | None:
    """Return one more of a measure that someone or something has: "2,933 km from east to west"."""
    noun = sentence[token.head]
    is_unit = noun.lemma in word_set("units") or noun.lower in word_set("unit signs")
    if token.pos != "NUM" or token.dep != "nummod" or not is_unit or noun.i != token.i + 1:
        return None
    verb = noun
    while (
        verb.dep in ("conj", "obl:npmod", "obl:unmarked", "nmod:unmarked") and verb.head != verb.i
    ):
        verb = sentence[verb.head]
    verb = sentence[verb.head]
    is_measured = verb.lemma in word_set("measuring")
    has_copula = verb.pos == "ADJ" and bool(sentence.children(verb.i, "cop"))
    before = sentence[token.i - 1].lower if token.i else ""
    is_bound = before in word_set("bounds") | word_set("determiners")
    if not (is_measured or has_copula) or is_bound or not is_asserted(sentence, noun):
        return None
    word = next_number(token.text)
    return Replacement(token, word, "amount", "count", exclusive=True) if word else None


def _other_exception(site: Coordination, token: Token) -> Replacement | None:
    """Return one more in "all but one"."""
    word = next_number(token.text) if site.kinds == ("Det", "Number") else ""
    if not word or token.i not in site.right:
        return None
    return Replacement(token, word, "exception", "exception", exclusive=True)


def _rival(sentence: Sentence, token: Token) -> Replacement | None:
    """Return another party that one cannot belong to at once."""
    noun = sentence[token.head]
    rival = antonyms().get((token.text, "PROPN"))
    is_member = any(t.lower in ("member", "members") for t in sentence.tokens[: token.i])
    if not rival or noun.lower != "party" or not is_member or not is_asserted(sentence, noun):
        return None
    return Replacement(token, rival, "rival", "opposite", exclusive=True)


def _other_direction(sentence: Sentence, token: Token) -> Replacement | None:
    """Return another direction in the name of a place: "North Carolina", "the East-West Game"."""
    opposite = DIRECTIONS.get(token.text)
    is_named = token.dep in ("compound", "amod", "flat") and token.pos in ("PROPN", "ADJ")
    verb = sentence[token.head]
    while verb.dep in ("compound", "flat", "nmod", "obl", "obj") and not verb.verbal:
        verb = sentence[verb.head]
    if opposite is None or not is_named or verb.lemma not in word_set("repeatable"):
        return None
    behind = sentence.tokens[token.i + 1 : token.i + 3]
    if [t.text for t in behind] == ["-", opposite]:
        first, second = ("North", "South") if token.text in ("East", "West") else ("East", "West")
        others = {behind[1].i: second}
        return Replacement(token, first, "direction", "other", others=others)
    is_name_behind = bool(behind) and behind[0].text[:1].isupper()
    is_inside = token.i > 0 and sentence[token.i - 1].text == "-"
    if is_inside or not is_name_behind:
        return None
    return Replacement(token, opposite, "direction", "other")
