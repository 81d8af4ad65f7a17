"""Signals that a conjunct shares words with the other, which a removal would tear apart."""

from __future__ import annotations

from grice.mining._coordinated import NOUN_KINDS, Coordination, Removal
from grice.mining._english import inflect
from grice.mining._words import word_set
from grice.mining.parse import Sentence

CLAUSES = {"that", "as", "to", "than", "for"}
SUBJECTS = ("nsubj", "nsubj:pass")


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


def has_tail(sentence: Sentence, site: Removal) -> bool:
    """Detect words behind that belong to one: "managers and unions representing workers"."""
    coordination = site.coordination
    head, second = coordination.head, coordination.second
    relative = sentence.children(head.i, "acl:relcl") + sentence.children(second.i, "acl:relcl")
    if coordination.kind == "Name" and any(t.i > second.i for t in relative):
        return True
    if site.side != "right" or coordination.kind in ("Clause", "VP", "PP"):
        return False
    is_adjective = coordination.kind == "Adj"
    shared = ("acl", "obl", "advcl", "xcomp", "ccomp") if is_adjective else ("acl",)
    if any(t.i >= coordination.right.stop for t in sentence.children(head.i, *shared)):
        return True
    inner = sentence.children(head.i, "nmod", "acl", "advcl")
    has_inner = any(head.i < t.i < coordination.mark.i for t in inner)
    own = ("obl", "advcl", "xcomp", "ccomp", "acl", *(() if has_inner else ("nmod",)))
    behind = (t for t in sentence.children(second.i, *own) if t.i > second.i)
    return any(t.dep != "nmod:poss" for t in behind)


def shares_modifier(sentence: Sentence, site: Removal) -> bool:
    """Detect a modifier that may describe the bare second noun too: "higher earnings and sales"."""
    coordination = site.coordination
    modifiers = sentence.children(coordination.head.i, "amod", "compound", "nummod")
    is_described = any(t.i in coordination.left for t in modifiers)
    is_bare = coordination.right.start == coordination.second.i
    is_noun = coordination.kind in NOUN_KINDS
    return site.side == "left" and is_noun and is_bare and is_described


def shares_head(sentence: Sentence, site: Removal) -> bool:
    """Detect a last noun that may head both: "unit trust and corporate bond sales"."""
    coordination = site.coordination
    head, second = coordination.head, coordination.second
    if site.side != "right" or coordination.kind not in NOUN_KINDS:
        return False
    compounds = sentence.children(second.i, "compound")
    determiners = sentence.children(head.i, "det", "nmod:poss")
    is_singular = head.tag in ("NN", "NNP", "JJ", "CD") and head.i == coordination.left.stop - 1
    is_other_number = second.tag == "NNS" or (head.tag != "NN" and second.tag == "NN")
    return (
        any(t.i in coordination.right for t in compounds)
        and is_singular
        and is_other_number
        and not any(t.i in coordination.left for t in determiners)
    )


def shares_object(sentence: Sentence, site: Removal) -> bool:
    """Detect a bare left verb before one with an object: "wrote and produced the film"."""
    coordination = site.coordination
    head, second = coordination.head, coordination.second
    if coordination.kind not in ("VP", "V") or len(coordination.left) > 2 or site.side == "left":
        return False
    if any(t.i > head.i and t.i in coordination.left for t in sentence.children(head.i)):
        return False
    return any(t.i > second.i and not t.punctuation for t in sentence.children(second.i))


def shares_auxiliary(sentence: Sentence, site: Removal) -> bool:
    """Detect a participle under the left verb's auxiliary: "was charged with murder and tried"."""
    coordination = site.coordination
    head, second = coordination.head, coordination.second
    if site.side != "left" or coordination.kind != "VP":
        return False
    helpers = (t for t in sentence.children(head.i, "aux") if t.lower != "to")
    own = sentence.children(second.i, "aux", "cop")
    past, participle = (inflect(second.lemma, tag) for tag in ("VBD", "VBN"))
    return (
        any(t.i < head.i for t in helpers)
        and not any(t.i > coordination.mark.i for t in own)
        and past == participle == second.lower
    )


def has_degree_word(sentence: Sentence, site: Removal) -> bool:
    """Detect a degree whose clause stays behind: "so long and narrow that we fell"."""
    coordination = site.coordination
    words = {sentence[i].lower for i in coordination.left}
    has_degree = bool(words & {"so", "too", "as", "such", "more", "less"})
    stop = coordination.right.stop
    behind = {t.lower for t in sentence.tokens[stop : stop + 1]}
    return site.side == "left" and has_degree and bool(CLAUSES & behind)


def has_other_subject(sentence: Sentence, site: Removal) -> bool:
    """Detect a verb whose subject is hardly the left one's: "It was epic and would love to go"."""
    coordination = site.coordination
    subject = sentence.subject(coordination.head.i)
    if site.side == "right" or coordination.kind != "VP" or subject is None:
        return False
    feelings = {"love", "like", "want", "hope", "recommend", "think", "thank"}
    is_feeling = coordination.second.lemma in feelings
    return subject.dep == "expl" or (subject.lower in ("it", "this") and is_feeling)
