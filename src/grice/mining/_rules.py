"""The label a changed coordination gets: the plain boolean rules, and the non-boolean heuristics of ConjNLI (§5, A.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grice.core.item import TagValue
from grice.mining._coordinated import Coordination
from grice.mining._replacements import Replacement
from grice.mining._words import word_set
from grice.mining.parse import Sentence, Token
from grice.theory import conjunction
from grice.theory.conjuncts import CONJNLI, Operation, replaced_label

FREE_CHOICE = frozenset(["can", "could", "may", "might"])
UNITS = re.compile(
    r"(second|minute|hour|day|week|month|year|inche|inch|foot|feet|yard|mile|metre|meter|kilomet|pound|ounce|dollar|cent|percent|stone)s?$"
)


@dataclass(frozen=True)
class RuleLabel:
    """A label with the rule that gave it, beside what the plain boolean rule says."""

    label: str
    rule: str
    boolean: str


def label(
    sentence: Sentence, where: Coordination, operation: Operation, change: Replacement | None = None
) -> RuleLabel:
    """The label of a pair by ConjNLI's heuristics, with the rule that gave it, and by its plain rule, which takes every conjunction for `and`.

    A replaced conjunct has the label of `theory.conjuncts.replaced_label` for what the new one is to the old; under "or" nothing is ruled out.
    """
    if change is not None:
        exclusive = change.exclusive and where.word in ("and", "but")
        return RuleLabel(replaced_label(change.relation, exclusive=exclusive), f"replaced {change.relation}", "")
    rule = _rule(sentence, where)
    return RuleLabel(CONJNLI[rule].label_for(operation), rule, CONJNLI["boolean"].label_for(operation))


def _rule(sentence: Sentence, where: Coordination) -> str:
    if where.word == "nor" or (where.partner is not None and sentence[where.partner].lower == "neither"):
        return "neither"
    if where.word == "but":
        wholes = ("all", "none", "nothing", "anything", "no", "everyone", "nobody")
        last = sentence[where.mark.i - 1]
        # "after all, but", "at all but": nothing is left out.
        whole = last.lower in wholes and sentence[last.i - 1].lower not in ("after", "at", "above")
        return "exception" if whole else "boolean"
    if where.word == "or" and (_named_so(sentence, where) or _subject_name(sentence, where)):
        return "equivalent"
    if is_in_name(sentence, where):
        return "name"
    return _and(sentence, where) if where.word == "and" else _or(sentence, where)


def _and(sentence: Sentence, where: Coordination) -> str:
    if sentence[max(0, where.left.start - 1)].lower == "between":
        return "range"
    if _measured(sentence, where):
        return "measure"
    if where.kinds[1] not in ("Clause", "VP") and word_set("collective") & {t.lower for t in sentence.tokens}:
        return "collective"
    return "boolean"


def _measured(sentence: Sentence, where: Coordination) -> bool:
    """ "9 minutes and 9 seconds", "two and a half": one quantity."""
    if "half" in (sentence[i].lower for i in where.right) and where.head.pos == "NUM":
        return True
    units = {token.lemma for token in (where.head, where.second) if UNITS.match(token.lower)}
    close = where.head.i == where.left.stop - 1 and where.pause is None and where.kinds[1] not in ("Clause", "VP")
    return len(units) == 2 and close and any(sentence[i].pos == "NUM" for i in where.right)


def _or(sentence: Sentence, where: Coordination) -> str:
    if sentence[where.right.start].lower in word_set("thresholds"):
        return "exclusive"
    if any(t.lower == "whether" for t in sentence.tokens[: where.head.i]):
        return "boolean"
    if _denied(sentence, where):
        return "denied"
    if where.pause is not None and not where.before and where.kinds[1] not in ("Clause", "VP", "PP"):
        return "equivalent"
    if where.partner is not None or (_dated(where.head) and _dated(where.second)):
        return "exclusive"
    if FREE_CHOICE & {t.lower for t in sentence.tokens if t.tag == "MD"}:
        return "free choice"
    if where.head.pos == "PROPN" and where.second.pos == "PROPN":
        return "exclusive"
    if where.kinds[1] == "VP" and where.second.tag != "VB":
        return "exclusive"
    if where.kinds[1] == "Adj" and where.head.dep != "amod":
        return "exclusive"
    if _counted(sentence, where):
        return "counted"
    return "exclusive" if _episode(sentence, where) else "boolean"


def _named_so(sentence: Sentence, where: Coordination) -> bool:
    """Two names of one thing: "also known as TnT or Teqtonic"."""
    before = {t.lower for t in sentence.tokens[max(0, where.left.start - 4) : where.left.start]}
    return bool(before & {"known", "called", "spelled", "spelt", "named", "termed", "dubbed", "abbreviated", "written"})


def _counted(sentence: Sentence, where: Coordination) -> bool:
    """A number that counts both kinds together: "536 species or subspecies"."""
    clause = sentence.tokens[max(0, where.left.start - 6) : where.left.stop]
    return any(t.pos == "NUM" and t.dep == "nummod" and not re.fullmatch(r"1\d{3}|20\d{2}", t.text) for t in clause)


def _denied(sentence: Sentence, where: Coordination) -> bool:
    """A negation before the coordination, in its clause: "did not produce A or B"."""
    before = sentence.tokens[: where.head.i]
    denials = [t.i for t in before if t.lower in word_set("denials")]
    return bool(denials) and not any(t.text in (",", ";") for t in sentence.tokens[denials[-1] : where.head.i])


def _dated(token: Token) -> bool:
    ordinal = re.fullmatch(r"\d+(st|nd|rd|th)?|.*teenth|.*eth", token.lower)
    return token.pos == "NUM" or token.lower in word_set("months") or ordinal is not None


def _subject_name(sentence: Sentence, where: Coordination) -> bool:
    """A thing with two names, one verb: "Willie Benegas or Guillermo Benegas is …"."""
    singular = any(t.tag == "VBZ" or t.lower in ("was", "is") for t in sentence.verbs(where.head.head))
    return where.head.dep in ("nsubj", "nsubj:pass") and where.head.pos == "PROPN" and singular


def _episode(sentence: Sentence, where: Coordination) -> bool:
    """One past event with a single doer: one of the two was the case, and we are not told which."""
    root = next((t for t in sentence.tokens if t.head == t.i), None)
    if root is None:
        return False
    past = next((t.tag for t in sentence.verbs(root.i) if t.verbal), "") == "VBD"
    habitual = {"usually", "often", "sometimes", "generally", "typically", "always", "used", "various", "variety"}
    several = where.head.tag in ("NNS", "NNPS") and where.second.tag in ("NNS", "NNPS")
    return past and not several and not habitual & {t.lower for t in sentence.tokens}


def is_in_name(sentence: Sentence, where: Coordination) -> bool:
    """Whether the coordination is part of one name: "Franklin and Marshall College", a title in quotes."""
    span = range(where.left.start, where.right.stop)
    titled = sum(sentence[i].text[:1].isupper() for i in span) * 2 >= len(span)
    if _quoted(sentence, span) and (titled or where.kinds[1] not in ("Clause", "VP")):
        return True
    if where.kinds[1] != "Clause" and any(_is_half_name(sentence, one) for one in (where.left, where.right)):
        return True
    if where.kinds[1] in ("Clause", "VP", "PP") or (span.start and sentence[span.start - 1].text == ","):
        return False
    if where.kinds[1] == "Adj" and span.stop < len(sentence) and sentence[span.stop].text.islower():
        # "Korean and Chinese ceramics"
        return False
    words = [sentence[i] for i in span if i != where.mark.i]
    capitals = all(t.text[:1].isupper() or t.lower in ("the", "of", "a") for t in words)
    if not capitals or where.before or where.pause is not None:
        return False
    end = where.right.stop
    following = sentence[end] if end < len(sentence) else None
    shared = following is not None and following.pos == "PROPN" and following.text[:1].isupper()
    # Outside the beginning of a sentence a common noun in capitals belongs to a name.
    common = any(t.pos in ("NOUN", "ADJ", "VERB", "ADV", "PRON", "DET") and t.i and t.lower != "the" for t in words)
    titled = span.start > 0 and sentence[span.start - 1].lower in word_set("titled")
    last = sentence[where.right.stop - 1]
    shared = shared or (len(where.right) > len(where.left) and last.lower in word_set("bodies"))
    return shared or common or titled or where.head.dep in ("compound", "flat") or _one_thing(sentence, where)


def _is_half_name(sentence: Sentence, span: range) -> bool:
    """A conjunct that names nothing alone: "Fox and Co", "S and P"."""
    words = [sentence[i].text for i in span if sentence[i].lower.rstrip(".") not in word_set("firms")]
    return not words or (len(words) == 1 and re.fullmatch("[B-HJ-Z]s?", words[0]) is not None)


def _one_thing(sentence: Sentence, where: Coordination) -> bool:
    """ "The Frog and the Nightingale is a poem": an and-subject with a singular verb is one name."""
    if where.word != "and" or where.head.dep not in ("nsubj", "nsubj:pass"):
        return False
    return any(t.tag == "VBZ" or t.lower == "was" for t in sentence.verbs(where.head.head))


def _quoted(sentence: Sentence, span: range) -> bool:
    marks = "\"“”‘’'"
    opened = any(sentence[i].text in marks for i in range(max(0, span.start - 3), span.start))
    closed = any(sentence[i].text in marks for i in range(span.stop, min(len(sentence), span.stop + 3)))
    return opened and closed


def traits(sentence: Sentence, where: Coordination) -> Mapping[str, TagValue]:
    """What the paper breaks its results down by."""
    found = conjunction.traits([token.text for token in sentence.tokens])
    return {**found, "conjunction": found["conjunction"] or (where.word,)}
