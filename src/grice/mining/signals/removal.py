"""Signals that what is left of a coordination does not stand or follow without a conjunct."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from grice.mining._coordinated import NOUN_KINDS, Coordination, Removal, is_in_restrictor
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token

SUBJECTS, OBJECTS = ("nsubj", "nsubj:pass"), ("obj", "obl")


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


def has_marks_around(sentence: Sentence, site: Removal) -> bool:
    """Detect a colon, semicolon, dash or bracket: a list of what was counted, an aside, verse."""
    texts = [token.text for token in sentence.tokens]
    before = texts[: site.coordination.begin]
    has_dash = before[-1:] in (["-"], ["–"], ["—"], ["--"]) and not site.coordination.is_clausal
    has_bracket = before.count("(") > before.count(")")
    return has_dash or has_bracket or ";" in texts or ":" in texts


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


def is_under_condition(sentence: Sentence, site: Removal) -> bool:
    """Detect a condition, a reason, or "every", "only" and the like above, no comma between."""
    coordination = site.coordination
    if coordination.kind != "Clause" and _has_condition_before(sentence, coordination):
        return True
    return is_in_restrictor(sentence, coordination.head)


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


def has_unlike_openings(sentence: Sentence, site: Removal) -> bool:
    """Detect a noun with a determiner and one without: what they share may be lost."""
    coordination = site.coordination
    head, left, right = coordination.head, coordination.left, coordination.right
    if coordination.kinds in (("N", "NP"), ("Name", "N"), ("N", "Name")):
        return sentence[left.start].pos != "NUM"
    if coordination.kinds == ("Name", "NP"):
        is_argument = head.dep in (*SUBJECTS, "obj", "root", "conj")
        return site.side == "left" or not is_argument
    starts = (span.start for span in (*coordination.before, left, right))
    is_determined = {sentence[start].tag in ("DT", "PRP$") for start in starts}
    if coordination.before and coordination.kind in NOUN_KINDS and len(is_determined) > 1:
        return True
    return site.side == "left" and _has_shared_determiner(sentence, coordination)


def _has_shared_determiner(sentence: Sentence, coordination: Coordination) -> bool:
    """Return whether the left noun has a quantity or determiner of its own and so has the right."""
    start, second = coordination.left.start, sentence[coordination.right.start]
    quantities = word_set("quantities") | {"little", "no"}
    if sentence[start].lower in quantities or coordination.kinds == ("NP", "N"):
        return True
    has_article = start > 0 and sentence[start - 1].tag in ("DT", "PRP$", "POS", "CD")
    is_determined = second.tag in ("DT", "PRP$", "CD") or second.lower in quantities
    return has_article and (is_determined or coordination.second.pos == "PROPN")


def shares_object(sentence: Sentence, site: Removal) -> bool:
    """Detect a bare left verb before one with an object: "wrote and produced the film"."""
    coordination = site.coordination
    head, second = coordination.head, coordination.second
    if coordination.kind not in ("VP", "V") or len(coordination.left) > 2 or site.side == "left":
        return False
    if any(t.i > head.i and t.i in coordination.left for t in sentence.children(head.i)):
        return False
    return any(t.i > second.i and not t.punctuation for t in sentence.children(second.i))


# Name in files of readings to test.
SIGNALS: Mapping[str, Callable[[Sentence, Removal], bool]] = {
    "points_back": points_back,
    "unlike_openings": has_unlike_openings,
    "marks_around": has_marks_around,
    "below_another_verb": is_below_another_verb,
    "together": holds_of_both,
    "under_a_condition": is_under_condition,
    "shared_object": shares_object,
    "splice": is_splice,
    "plural_kept": keeps_plural,
    "elliptical": is_elliptical,
    "fronted": is_fronted,
}
# Those that hold of a conjunct with another word in it too.
IN_PLACE = ("marks_around", "under_a_condition")


def removal_signals(sentence: Sentence, site: Removal, *, replaced: bool = False) -> list[str]:
    """Return the names of the signals that fire, in the order of the table.

    Args:
        replaced: A word of the conjunct is replaced instead of the conjunct removed.
    """
    names = IN_PLACE if replaced else tuple(SIGNALS)
    return [name for name in names if SIGNALS[name](sentence, site)]
