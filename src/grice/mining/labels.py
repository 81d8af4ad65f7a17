"""Label a changed coordination: plain Boolean rules and ConjNLI's heuristics (§5, A.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grice.core.item import TagValue
from grice.mining._changes import is_asserted
from grice.mining._coordinated import Coordination, is_in_restrictor
from grice.mining._replacements import Replacement
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token
from grice.theory import conjunction
from grice.theory.conjuncts import CONJNLI, Operation, replaced_label

FREE_CHOICE = {"can", "could", "may", "might"}
UNITS = re.compile(
    r"(second|minute|hour|day|week|month|year|inche|inch|foot|feet|yard|mile|metre|meter|kilomet|"
    r"pound|ounce|dollar|cent|percent|stone)s?$"
)
UNIVERSALS = ("all", "none", "nothing", "anything", "no", "everyone", "nobody")
NAMING = {
    "known",
    "called",
    "spelled",
    "spelt",
    "named",
    "termed",
    "dubbed",
    "abbreviated",
    "written",
}
HABITUAL = {
    "usually",
    "often",
    "sometimes",
    "generally",
    "typically",
    "always",
    "used",
    "various",
    "variety",
}
CLAUSES = ("advcl", "acl", "acl:relcl", "ccomp", "csubj", "parataxis")
SUBJECTS = ("nsubj", "nsubj:pass")


@dataclass(frozen=True)
class RuleLabel:
    """A label, the rule that gave it, and the label of the plain Boolean rule."""

    label: str
    rule: str
    boolean: str


def label(
    sentence: Sentence, site: Coordination, operation: Operation, change: Replacement | None = None
) -> RuleLabel:
    """Return the label of a pair by ConjNLI's heuristics and by its plain rule.

    The plain rule takes every conjunction for `and`. A replaced conjunct has the label of
    `theory.conjuncts.replaced_label` for the relation of new to old; under "or" nothing is
    excluded.
    """
    if change is not None:
        is_exclusive = change.exclusive and site.word in ("and", "but")
        replaced = replaced_label(change.relation, exclusive=is_exclusive)
        return RuleLabel(replaced, f"replaced {change.relation}", "")
    rule = _choose_rule(sentence, site)
    boolean = CONJNLI["boolean"].label_for(operation)
    return RuleLabel(CONJNLI[rule].label_for(operation), rule, boolean)


def _choose_rule(sentence: Sentence, site: Coordination) -> str:
    has_neither = site.partner is not None and sentence[site.partner].lower == "neither"
    if site.word == "nor" or has_neither:
        return "neither"
    if site.word == "but":
        return "exception" if _is_exception(sentence, site) else "boolean"
    if site.word == "or" and has_two_names(sentence, site):
        return "equivalent"
    if is_in_name(sentence, site):
        return "name"
    return _choose_and(sentence, site) if site.word == "and" else _choose_or(sentence, site)


def _is_exception(sentence: Sentence, site: Coordination) -> bool:
    """Return whether "but" excepts: "all but two", not "after all, but"."""
    last = sentence[site.mark.i - 1]
    is_idiom = sentence[last.i - 1].lower in ("after", "at", "above")
    return last.lower in UNIVERSALS and not is_idiom


def _choose_and(sentence: Sentence, site: Coordination) -> str:
    if sentence[max(0, site.left.start - 1)].lower == "between":
        return "range"
    if _is_measure(sentence, site):
        return "measure"
    words = {token.lower for token in sentence.tokens}
    is_collective = not site.is_clausal and bool(word_set("collective") & words)
    return "collective" if is_collective else "boolean"


def _is_measure(sentence: Sentence, site: Coordination) -> bool:
    """Return whether both are one quantity: "9 minutes and 9 seconds", "two and a half"."""
    if site.head.pos == "NUM" and "half" in (sentence[i].lower for i in site.right):
        return True
    units = {token.lemma for token in (site.head, site.second) if UNITS.match(token.lower)}
    is_close = site.head.i == site.left.stop - 1 and site.pause is None and not site.is_clausal
    has_number = any(sentence[i].pos == "NUM" for i in site.right)
    return len(units) == 2 and is_close and has_number


def _choose_or(sentence: Sentence, site: Coordination) -> str:
    if sentence[site.right.start].lower in word_set("thresholds"):
        return "exclusive"
    if any(token.lower == "whether" for token in sentence.tokens[: site.head.i]):
        return "boolean"
    if _is_denied(sentence, site):
        return "denied"
    is_phrase = site.kind not in ("Clause", "VP", "PP")
    if site.pause is not None and not site.before and is_phrase:
        return "aside"
    if site.partner is not None or (_is_date(site.head) and _is_date(site.second)):
        return "exclusive"
    if FREE_CHOICE & {token.lower for token in sentence.tokens if token.tag == "MD"}:
        return "free choice"
    if _are_alternatives(site):
        return "exclusive"
    if _is_counted(sentence, site):
        return "counted"
    return "exclusive" if _is_single_event(sentence, site) else "boolean"


def _are_alternatives(site: Coordination) -> bool:
    """Return whether both are names, finite verbs or predicates, of which one holds."""
    return (
        (site.head.pos == "PROPN" and site.second.pos == "PROPN")
        or (site.kind == "VP" and site.second.tag != "VB")
        or (site.kind == "Adj" and site.head.dep != "amod")
    )


def has_two_names(sentence: Sentence, site: Coordination) -> bool:
    """Return whether both name one thing: "known as TnT or Teqtonic", "TnT, or Teqtonic, is"."""
    before = {t.lower for t in sentence.tokens[max(0, site.left.start - 4) : site.left.start]}
    are_several = {site.head.tag, site.second.tag} & {"NNS", "NNPS"}
    if before & NAMING and "for" not in before and not site.is_clausal and not are_several:
        return True
    nouns = (site.head, site.second)
    counts = [sentence.children(noun.i, "nummod") for noun in nouns]
    is_unit = any(UNITS.match(t.lower) or t.lower in word_set("unit signs") for t in nouns)
    if all(counts) and is_unit and site.head.lemma != site.second.lemma:
        # "64 stories or 711 feet"
        return True
    verbs = sentence.verbs(site.head.head)
    is_singular = any(t.tag == "VBZ" or t.lower in ("was", "is") for t in verbs)
    is_aside = site.pause is not None and not site.before and site.head.tag == "NN"
    is_one = site.head.pos == "PROPN" or (is_aside and sentence[site.right.start].tag != "DT")
    return site.head.dep in SUBJECTS and is_singular and is_one


def is_open(sentence: Sentence, site: Coordination) -> bool:
    """Return whether "or" leaves open which of two was the case, in one past event.

    Where it holds of many ("are red or white"), of what may be, or under a negation, what follows
    depends on the reader.
    """
    root = next((token for token in sentence.tokens if token.head == token.i), None)
    if root is None or next((t.tag for t in sentence.verbs(root.i) if t.verbal), "") != "VBD":
        return False
    words = {token.lower for token in sentence.tokens[: site.right.stop]}
    is_general = words & (word_set("no fact") | word_set("denials") | word_set("universals"))
    is_several = site.head.tag in ("NNS", "NNPS") or words & (word_set("many") | HABITUAL)
    is_listed = bool(site.before) or site.pause is not None
    return not (is_general or is_several or is_listed) and is_asserted(sentence, site.head)


def _is_counted(sentence: Sentence, site: Coordination) -> bool:
    """Return whether a number counts both kinds together: "536 species or subspecies"."""
    near = sentence.tokens[max(0, site.left.start - 6) : site.left.stop]
    counts = (token for token in near if token.pos == "NUM" and token.dep == "nummod")
    return any(not re.fullmatch(r"1\d{3}|20\d{2}", token.text) for token in counts)


def _is_denied(sentence: Sentence, site: Coordination) -> bool:
    """Return whether a negation precedes it in its clause: "did not produce A or B"."""
    before = sentence.tokens[: site.begin]
    denials = [
        t.i for t in before if t.lower in word_set("denials") and _reaches(sentence, t, site)
    ]
    return bool(denials) and not any(t.text in (",", ";") for t in before[denials[-1] :])


def is_denied_within(sentence: Sentence, site: Coordination) -> bool:
    """Return whether an unlimited negation of its own clause reaches conjuncts of one kind."""
    limits = {t.lower for t in sentence.tokens} & word_set("limits")
    is_mixed = "PP" in site.kinds and site.kinds != ("PP", "PP")
    if limits or is_mixed or is_in_restrictor(sentence, site.head):
        return False
    if not _is_denied(sentence, site):
        return False
    above, token = {site.head.i}, site.head
    while token.head != token.i and token.dep not in CLAUSES:
        is_verb_of_its_own = token.dep == "conj" and token.tag in FINITE
        token = sentence[token.head]
        # In "does not sing and often dances or jumps" the second verb is not denied.
        above |= set() if is_verb_of_its_own else {token.i}
    before = sentence.tokens[: site.begin]
    return any(t.lower in word_set("denials") and {t.i, t.head} & above for t in before)


def _reaches(sentence: Sentence, denial: Token, site: Coordination) -> bool:
    """Return whether a word denies what comes behind it; "any" and "every" only their own noun."""
    is_local = denial.lower in ("any", "every", "whenever")
    return not is_local or site.head.i in sentence.subtree(denial.head)


def _is_date(token: Token) -> bool:
    ordinal = re.fullmatch(r"\d+(st|nd|rd|th)?|.*teenth|.*eth", token.lower)
    return token.pos == "NUM" or token.lower in word_set("months") or ordinal is not None


def _is_single_event(sentence: Sentence, site: Coordination) -> bool:
    """Return whether it is one past event with a single doer: one of the two was the case."""
    root = next((token for token in sentence.tokens if token.head == token.i), None)
    if root is None:
        return False
    is_past = next((t.tag for t in sentence.verbs(root.i) if t.verbal), "") == "VBD"
    is_plural = all(token.tag in ("NNS", "NNPS") for token in (site.head, site.second))
    return is_past and not is_plural and not HABITUAL & {t.lower for t in sentence.tokens}


def is_in_name(sentence: Sentence, site: Coordination) -> bool:
    """Return whether it is part of one name: "Franklin and Marshall College", a quoted title."""
    span = range(site.left.start, site.right.stop)
    if _is_quoted(sentence, span) and (not site.is_clausal or _is_title_case(sentence, span)):
        return True
    halves = (site.left, site.right)
    if site.kind != "Clause" and any(_is_half_name(sentence, half) for half in halves):
        return True
    return _can_be_name(sentence, site, span) and (
        _has_common_noun(sentence, site, span)
        or _is_titled(sentence, span)
        or _shares_name(sentence, site)
        or site.head.dep in ("compound", "flat")
        or _is_one_thing(sentence, site)
    )


def _is_title_case(sentence: Sentence, span: range) -> bool:
    return sum(sentence[i].text[:1].isupper() for i in span) * 2 >= len(span)


def _can_be_name(sentence: Sentence, site: Coordination, span: range) -> bool:
    """Return whether all words are in capitals, in no list and no "Korean and Chinese ceramics"."""
    if site.kind in ("Clause", "VP", "PP") or site.before or site.pause is not None:
        return False
    if span.start and sentence[span.start - 1].text == ",":
        return False
    if site.kind == "Adj" and span.stop < len(sentence) and sentence[span.stop].text.islower():
        return False
    words = (sentence[i] for i in span if i != site.mark.i)
    return all(t.text[:1].isupper() or t.lower in ("the", "of", "a") for t in words)


def _has_common_noun(sentence: Sentence, site: Coordination, span: range) -> bool:
    """Return whether a common word has a capital that is not that of the sentence."""
    common = ("NOUN", "ADJ", "VERB", "ADV", "PRON", "DET")
    words = (sentence[i] for i in span if i and i != site.mark.i)
    return any(token.pos in common and token.lower != "the" for token in words)


def _is_titled(sentence: Sentence, span: range) -> bool:
    return span.start > 0 and sentence[span.start - 1].lower in word_set("titled")


def _shares_name(sentence: Sentence, site: Coordination) -> bool:
    """Return whether a name follows, or the right conjunct ends in "College" or the like."""
    stop = site.right.stop
    following = sentence[stop] if stop < len(sentence) else None
    if following is not None and following.pos == "PROPN" and following.text[:1].isupper():
        return True
    is_longer = len(site.right) > len(site.left)
    return is_longer and sentence[stop - 1].lower in word_set("bodies")


def _is_half_name(sentence: Sentence, span: range) -> bool:
    """Return whether a conjunct names nothing alone: "Fox and Co", "S and P"."""
    tokens = (sentence[i] for i in span)
    words = [t.text for t in tokens if t.lower.rstrip(".") not in word_set("firms")]
    return not words or (len(words) == 1 and re.fullmatch("[B-HJ-Z]s?", words[0]) is not None)


def _is_one_thing(sentence: Sentence, site: Coordination) -> bool:
    """Return whether a subject with "and" is one: "The Frog and the Nightingale is a poem"."""
    if site.word != "and" or site.head.dep not in SUBJECTS:
        return False
    return any(t.tag == "VBZ" or t.lower == "was" for t in sentence.verbs(site.head.head))


def _is_quoted(sentence: Sentence, span: range) -> bool:
    marks = "\"“”‘’'"
    before = range(max(0, span.start - 3), span.start)
    behind = range(span.stop, min(len(sentence), span.stop + 3))
    return all(any(sentence[i].text in marks for i in part) for part in (before, behind))


def traits(sentence: Sentence, site: Coordination) -> Mapping[str, TagValue]:
    """Return the tags by which the paper breaks its results down."""
    by_text = conjunction.traits([token.text for token in sentence.tokens])
    return {**by_text, "conjunction": by_text["conjunction"] or (site.word,)}
