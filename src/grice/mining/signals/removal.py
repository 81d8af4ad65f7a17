"""Signals that what is left of a coordination does not stand or follow without a conjunct."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from grice.mining._coordinated import NOUN_KINDS, Coordination, Removal
from grice.mining._english import inflect
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token
from grice.mining.signals.sharing import (
    has_degree_word,
    has_other_subject,
    has_tail,
    has_unlike_openings,
    shares_auxiliary,
    shares_head,
    shares_modifier,
    shares_object,
)

PRONOUNS = (
    {"he", "him", "his", "himself"},
    {"she", "her", "hers"},
    {"it", "its", "itself"},
    {"they", "them", "their"},
)
YEAR = re.compile(r"1\d{3}s?|20\d{2}s?")
SUBJECTS, OBJECTS = ("nsubj", "nsubj:pass"), ("obj", "obl")
CLAUSE_HEADS = ("acl:relcl", "advcl", "ccomp", "parataxis", "csubj")


def removes_antecedent(sentence: Sentence, site: Removal) -> bool:
    """Detect a pronoun that may refer to what goes: "a shop and the house in which it was"."""
    removed = site.removed
    tokens = (sentence[i] for i in removed)
    nouns = [t for t in tokens if t.pos in ("NOUN", "PROPN") or t.tag == "PRP"]
    has_group = any(t.tag == "PRP" or t.lower in word_set("people") for t in nouns)
    has_person = has_group or any(t.pos == "PROPN" for t in nouns)
    has_thing = any(t.tag in ("NN", "NNP") for t in nouns)
    has_several = has_group or any(t.tag in ("NNS", "NNPS") for t in nouns)
    before = {t.lower for t in sentence.tokens[: removed.start]}
    behind = {t.lower for t in sentence.tokens[removed.stop :]}
    can_refer = zip((has_person, has_person, has_thing, has_several), PRONOUNS, strict=True)
    return any(can and group & behind and not group & before for can, group in can_refer)


def points_back(sentence: Sentence, site: Removal) -> bool:
    """Detect a right part that needs the left one: "and other towns", "and then left"."""
    coordination = site.coordination
    words = [sentence[i].lower for i in coordination.right]
    if words[0] in word_set("no conjunct") or words[:2] == ["the", "like"]:
        return True
    if site.side != "left":
        return False
    is_relative = sentence[coordination.right.start].tag in ("WDT", "WP$")
    is_adverb = coordination.word != "but" and bool(word_set("points back") & {*words[:2]})
    has_other = bool(word_set("others") & {*words[:5]})
    return is_adverb or (coordination.kind == "Clause" and is_relative) or has_other


def is_inside_noun(sentence: Sentence, site: Removal) -> bool:
    """Detect words before a noun or in a name: "a government and industry team", "whites-only"."""
    head, start = site.coordination.head, site.coordination.left.start
    stop = site.coordination.right.stop
    after = sentence[stop] if stop < len(sentence) else sentence[-1]
    is_glued = not after.punctuation and not sentence.space_before(after.i)
    is_named = start > 0 and sentence[start - 1].pos == sentence[start].pos == "PROPN"
    is_described = head.dep == "amod" and after.pos == "ADJ"
    is_hyphenated = after.text in ("-", "–") or is_glued
    is_modifier = head.dep in ("compound", "flat", "nmod:poss")
    return is_hyphenated or is_named or is_described or is_modifier


def has_marks_around(sentence: Sentence, site: Removal) -> bool:
    """Detect a colon, semicolon, dash or bracket: a list of what was counted, an aside, verse."""
    texts = [token.text for token in sentence.tokens]
    before = texts[: site.coordination.begin]
    has_dash = before[-1:] in (["-"], ["–"], ["—"], ["--"]) and not site.coordination.is_clausal
    has_bracket = before.count("(") > before.count(")")
    return has_dash or has_bracket or ";" in texts or ":" in texts


def is_gapped(sentence: Sentence, site: Removal) -> bool:
    """Detect a clause without a verb: "Two men were killed and three injured"; a bare number."""
    coordination = site.coordination
    head, second = coordination.head, coordination.second
    if coordination.kind == "Clause":
        if not all(_is_finite(sentence, verb) for verb in (head, second)):
            return True
        has_own_auxiliary = bool(sentence.children(second.i, "aux", "cop"))
        is_passive = bool(sentence.children(head.i, "aux:pass")) and not has_own_auxiliary
        return is_passive and inflect(second.lemma, "VBN") == second.lower
    if coordination.kind not in NOUN_KINDS:
        return False
    ends_in_number = sentence[coordination.right.stop - 1].pos == "NUM" and second.pos != "NUM"
    return ends_in_number or sentence[coordination.right.start].tag == "RB"


def _is_finite(sentence: Sentence, verb: Token) -> bool:
    return any(token.tag in FINITE for token in sentence.verbs(verb.i))


def is_below_another_verb(sentence: Sentence, site: Removal) -> bool:
    """Detect a clause or verb that may be below another: "he says it works and has a patent"."""
    if site.side == "right":
        return False
    coordination = site.coordination
    head = coordination.head
    if coordination.kind == "Clause":
        is_reported = bool(sentence.children(head.i, "ccomp", "parataxis"))
        modals = {t.lower for t in sentence.verbs(head.i)} & {"would", "could", "should"}
        is_unreal = coordination.word == "but" and bool(modals)
        is_embedded = head.dep not in ("root", "conj")
        return is_reported or is_unreal or coordination.word == "nor" or is_embedded
    if coordination.kind != "VP" or not _is_finite(sentence, coordination.second):
        return False
    has_subject = any(sentence[i].dep in (*SUBJECTS, "expl") for i in coordination.left)
    is_aside = head.dep == "acl:relcl" and coordination.pause is not None
    return has_subject or is_aside or head.dep in ("ccomp", "advcl", "parataxis")


def is_counted_together(sentence: Sentence, site: Removal) -> bool:
    """Detect a number that may hold of both: "70,000 people went to Kisu and Bosa"."""
    coordination = site.coordination
    if coordination.is_clausal or coordination.word != "and":
        return False
    inside = range(coordination.begin, coordination.right.stop)
    outside = (t for t in sentence.tokens if t.i not in inside)
    numbers = (t for t in outside if t.pos == "NUM" and not YEAR.fullmatch(t.text))
    counts = (t for t in numbers if t.dep in ("nummod", "obj", "nsubj", "root"))
    clause = _clause(sentence, coordination.head)
    return any(_clause(sentence, t) == clause for t in counts)


def _clause(sentence: Sentence, token: Token) -> int:
    """Return the index of the verb of the clause that a word is in."""
    while token.head != token.i:
        if token.dep in CLAUSE_HEADS or (token.dep == "conj" and token.verbal):
            break
        token = sentence[token.head]
    return token.i


def holds_of_both(sentence: Sentence, site: Removal) -> bool:
    """Detect what holds of two: "linked A and B", "the presidents of Peru and Chile"."""
    coordination = site.coordination
    if coordination.word != "and" or coordination.kind not in (*NOUN_KINDS, "Adj"):
        return False
    first = coordination.first(sentence)
    noun = sentence[first.head] if first.dep == "amod" else first
    verb = sentence[noun.head].lemma
    if noun.dep in (*SUBJECTS, *OBJECTS) and verb in word_set("joint verbs"):
        return True
    if noun.dep == "nsubj" and verb in word_set("joint causes"):
        return True
    return coordination.kind == "Name" and _has_several_bearers(sentence, coordination, first)


def _has_several_bearers(sentence: Sentence, coordination: Coordination, first: Token) -> bool:
    """Return whether names share a plural noun, or the right one has a title behind a comma."""
    above = sentence[first.head]
    is_plural_before = above.tag in ("NNS", "NNPS") and above.i < first.i
    modifiers = sentence.children(first.i, "compound", "amod")
    return (
        any(t.tag in ("NNS", "NNPS") for t in modifiers)
        or (first.dep in ("nmod", "appos") and is_plural_before)
        or any(sentence[i].text == "," for i in coordination.right)
    )


def is_amount_or_threat(sentence: Sentence, site: Removal) -> bool:
    """Detect an amount named twice, or a threat: "80% or 2 million", "Go, or he will sue"."""
    coordination = site.coordination
    if coordination.word != "or":
        return False
    spans = (coordination.left, coordination.right)
    if all(any(sentence[i].pos == "NUM" for i in span) for span in spans):
        return True
    verbs = {t.lower for t in sentence.verbs(coordination.second.i)}
    return coordination.kind == "Clause" and bool(verbs & {"will", "would", "'ll", "’ll", "'d"})


def is_by_both(sentence: Sentence, site: Removal) -> bool:
    """Detect joint makers: "invented by Ada and Bo", "a film by Ada and Bo"."""
    cases = sentence.children(site.coordination.first(sentence).i, "case")
    is_maker = any(case.lower == "by" for case in cases)
    return site.coordination.word == "and" and is_maker and site.coordination.kind in NOUN_KINDS


def is_under_condition(sentence: Sentence, site: Removal) -> bool:
    """Detect a condition, a reason, or "every", "only" and the like above, no comma between."""
    coordination = site.coordination
    if coordination.kind != "Clause" and _has_condition_before(sentence, coordination):
        return True
    token = coordination.head
    while token.head != token.i:
        if token.dep == "acl:relcl":
            determined = (sentence[token.head], *sentence.children(token.head, "det"))
            if any(t.lower in word_set("universals") for t in determined):
                return True
        token = sentence[token.head]
    return False


def _has_condition_before(sentence: Sentence, coordination: Coordination) -> bool:
    words = [t.lower for t in sentence.tokens[: coordination.begin]]
    start = max((i + 1 for i, word in enumerate(words) if word == ","), default=0)
    near = sentence.tokens[max(0, coordination.left.start - 8) : coordination.mark.i]
    text = " ".join(t.lower for t in near)
    has_word = word_set("conditions") & {*words[start:]}
    return bool(has_word) or re.search("as (well|soon|long) as", text) is not None


def is_splice(sentence: Sentence, site: Removal) -> bool:
    """Detect a missed list that would keep commas alone: "He came, saw and won" without "won"."""
    coordination = site.coordination
    if site.side == "left" or not coordination.is_clausal or coordination.before:
        return False
    start, head = coordination.left.start, coordination.head
    if head.dep == "conj" and sentence[start - 1].text == "," and not _has_link(sentence, head):
        return True
    left = (sentence[i] for i in coordination.left)
    loose = [t for t in left if t.dep in ("parataxis", "conj", "advcl")]
    unlinked = [t for t in loose if not _has_link(sentence, t, "mark")]
    behind = [t for t in unlinked if t.lemma not in word_set("saying")]
    behind = [t for t in behind if start < min(sentence.subtree(t.i))]
    return any(verb.tag in (*FINITE, "VB") for t in behind for verb in sentence.verbs(t.i))


def _has_link(sentence: Sentence, token: Token, *deps: str) -> bool:
    return bool(sentence.children(token.i, "cc", *deps))


def is_parallel(sentence: Sentence, site: Removal) -> bool:
    """Detect one preposition before and behind: "loans by banks and gifts by friends"."""
    begin, stop = site.coordination.begin, site.coordination.right.stop
    before = sentence.tokens[max(0, begin - 3) : begin]
    after = {t.lower for t in sentence.tokens[stop : stop + 1]}
    is_repeated = any(t.lower in after and t.tag in ("IN", "TO") for t in before)
    return not site.coordination.is_clausal and is_repeated


def is_elliptical(sentence: Sentence, site: Removal) -> bool:
    """Detect a right part without a main verb: "is a judge and has been since 1985"."""
    coordination = site.coordination
    verbs = [sentence[i] for i in coordination.right if sentence[i].verbal]
    if site.side == "right" or not coordination.is_clausal or not verbs:
        return False
    if any(t.pos != "AUX" for t in verbs):
        return False
    rest = sentence.tokens[verbs[-1].i + 1 : coordination.right.stop]
    words = [t for t in rest if t.pos not in ("ADV", "PART")]
    if all(t.punctuation for t in words):
        return True
    return words[0].lower in ("since", "for", "until", "from")


def keeps_plural(sentence: Sentence, site: Removal) -> bool:
    """Detect one left of several: "The winners are Ann", "the American surges"."""
    coordination = site.coordination
    if coordination.word != "and" or coordination.before or coordination.is_clausal:
        return False
    first = coordination.first(sentence)
    above = sentence[first.head]
    if first.dep == "amod" and above.tag == "NNS":
        determiners = sentence.children(above.i, "det", "nmod:poss")
        return any(t.lower == "the" or t.dep == "nmod:poss" for t in determiners)
    remaining = coordination.head if site.side == "right" else coordination.second
    if remaining.tag not in ("NN", "NNP"):
        return False
    verbs = sentence.verbs(above.i if first.dep == "nsubj" else first.i)
    is_inverted = any(t.lower in ("are", "were") and t.i < coordination.left.start for t in verbs)
    is_listed = first.dep in ("appos", "nmod") and above.tag == "NNS"
    return is_inverted or (is_listed and coordination.kind == "Name")


def is_fronted(sentence: Sentence, site: Removal) -> bool:
    """Detect an adverbial of the left verb in front: "Now it is here and will soon leave"."""
    coordination = site.coordination
    adverbials = sentence.children(coordination.head.i, "obl", "advmod", "advcl")
    is_before = any(t.i < coordination.begin for t in adverbials)
    return site.side == "left" and coordination.is_clausal and is_before


# Name in files of readings to test.
SIGNALS: Mapping[str, Callable[[Sentence, Removal], bool]] = {
    "antecedent": removes_antecedent,
    "points_back": points_back,
    "unlike_openings": has_unlike_openings,
    "inside_a_noun": is_inside_noun,
    "marks_around": has_marks_around,
    "gapped": is_gapped,
    "below_another_verb": is_below_another_verb,
    "counted": is_counted_together,
    "together": holds_of_both,
    "quantities_or_threat": is_amount_or_threat,
    "made_by": is_by_both,
    "under_a_condition": is_under_condition,
    "tail": has_tail,
    "shared_modifier": shares_modifier,
    "shared_head": shares_head,
    "shared_object": shares_object,
    "splice": is_splice,
    "plural_kept": keeps_plural,
    "parallel": is_parallel,
    "elliptical": is_elliptical,
    "shared_auxiliary": shares_auxiliary,
    "degree_word": has_degree_word,
    "other_subject": has_other_subject,
    "fronted": is_fronted,
}
# Those that hold of a conjunct with another word in it too.
IN_PLACE = ("inside_a_noun", "marks_around", "gapped", "counted", "under_a_condition")


def removal_signals(sentence: Sentence, site: Removal, *, replaced: bool = False) -> list[str]:
    """Return the names of the signals that fire, in the order of the table.

    Args:
        replaced: A word of the conjunct is replaced instead of the conjunct removed.
    """
    names = IN_PLACE if replaced else tuple(SIGNALS)
    return [name for name in names if SIGNALS[name](sentence, site)]
