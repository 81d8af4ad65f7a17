"""Signs that what is left of a coordination does not stand or follow without the other part: rules, each of which may fire."""

from __future__ import annotations

import re
from collections.abc import Callable

from grice.mining._coordinated import Coordination
from grice.mining._coordination import ATTRIBUTIVE
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token

PRONOUNS = (
    {"he", "him", "his", "himself"},
    {"she", "her", "hers", "herself"},
    {"it", "its", "itself"},
    {"they", "them", "their", "theirs", "themselves"},
)
YEAR = re.compile(r"1\d{3}s?|20\d{2}s?")


def losses(sentence: Sentence, where: Coordination, side: str, *, replaced: bool = False) -> list[str]:
    """The names of the rules that fire when the conjunct on a side is taken out, or a word of it replaced, in their order."""
    rules = [rule for rule in RULES if not replaced or rule in IN_PLACE]
    return [rule.__name__ for rule in rules if rule(sentence, where, side)]


def antecedent(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A pronoun that stays may mean what goes: "owned a shop and the house in which it was"."""
    gone = where.left if side == "left" else where.right
    nouns = [sentence[i] for i in gone if sentence[i].pos in ("NOUN", "PROPN") or sentence[i].tag == "PRP"]
    people = any(t.pos == "PROPN" or t.tag == "PRP" or t.lower in word_set("people") for t in nouns)
    things = any(t.tag in ("NN", "NNP") for t in nouns)
    several = any(t.tag in ("NNS", "NNPS", "PRP") or t.lower in word_set("people") for t in nouns)
    before = {t.lower for t in sentence.tokens[: gone.start]}
    behind = {t.lower for t in sentence.tokens[gone.stop :]}
    may_mean = (people, people, things, several)
    return any(may and group & behind and not group & before for may, group in zip(may_mean, PRONOUNS, strict=True))


def points_back(sentence: Sentence, where: Coordination, side: str) -> bool:
    """The right part points to the left one: "Lyon and other towns", "and then left"; or names nothing: "and so on", "and all"."""
    words = [sentence[i].lower for i in where.right]
    if words[0] in ("other", "others", "so", "all", "etc", "more", "vice") or words[:2] == ["the", "like"]:
        return True
    opens = bool(word_set("points back") & set(words[:2])) and where.word != "but"
    return side == "left" and (opens or bool(word_set("others") & set(words[:5])))


def unlike_openings(sentence: Sentence, where: Coordination, side: str) -> bool:
    """One noun with its determiner and one without: the left one is longer, or would lose what it shares."""
    if where.kinds in (("N", "NP"), ("Name", "N"), ("N", "Name")):
        return sentence[where.left.start].pos != "NUM"
    if where.kinds == ("Name", "NP"):
        return where.head.dep not in ("nsubj", "obj", "nsubj:pass", "root", "conj") or side == "left"
    opens = {sentence[span.start].tag in ("DT", "PRP$") for span in (*where.before, where.left, where.right)}
    if where.before and _nominal(where) and len(opens) > 1:
        return True
    if side == "left" and sentence[where.left.start].lower in word_set("quantities") | {"little", "no"}:
        return True
    article = where.left.start > 0 and sentence[where.left.start - 1].tag in ("DT", "PRP$", "POS")
    return side == "left" and (where.kinds == ("NP", "N") or (article and where.second.pos == "PROPN"))


def inside_a_noun(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """Words before a noun or inside a name: "a government and industry team", "whites-only", "east central parts"."""
    stop, start = where.right.stop, where.left.start
    after = sentence[stop] if stop < len(sentence) else None
    if after is not None and (after.text in ("-", "–") or (not after.punctuation and not sentence.space_before(stop))):
        return True
    named = start > 0 and sentence[start - 1].pos == sentence[start].pos == "PROPN"
    described = after is not None and where.head.dep == "amod" and after.pos == "ADJ"
    return named or described or where.head.dep in ("compound", "flat", "nmod:poss")


def marks_around(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """A colon, semicolon, dash or bracket before it: a list of what was counted, an aside, verse."""
    texts = [t.text for t in sentence.tokens]
    begin = min(span.start for span in (*where.before, where.left))
    opened = texts[:begin].count("(") > texts[:begin].count(")")
    dashed = not _clausal(where) and begin > 0 and texts[begin - 1] in ("-", "–", "—", "--")
    return opened or dashed or ";" in texts or ":" in texts


def gapped(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """A clause that has its verb from the other: "Two men were killed and three injured"; a name with a bare number."""
    if where.kinds[1] == "Clause":
        return not all(any(t.tag in FINITE for t in sentence.verbs(verb.i)) for verb in (where.head, where.second))
    bare = _nominal(where) and sentence[where.right.stop - 1].pos == "NUM" and where.second.pos != "NUM"
    return bare or (_nominal(where) and sentence[where.right.start].tag == "RB")


def below_another_verb(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A clause or verb that may belong to a verb above: "he says it works and has a patent", "He says it works, but it fails"."""
    if where.kinds[1] == "Clause":
        said = bool(sentence.children(where.head.i, "ccomp", "parataxis"))
        unreal = where.word == "but" and any(t.lower in ("would", "could", "should") for t in sentence.verbs(where.head.i))
        return where.word == "nor" or unreal or where.head.dep not in ("root", "conj") or (side == "left" and said)
    if where.kinds[1] != "VP" or not any(t.tag in FINITE for t in sentence.verbs(where.second.i)):
        return False
    owned = [sentence[i] for i in where.left if sentence[i].dep in ("nsubj", "nsubj:pass", "expl")]
    told = where.head.dep == "acl:relcl" and where.pause is not None
    return bool(owned) or told or where.head.dep in ("ccomp", "advcl", "parataxis")


def counted(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """A number elsewhere in the clause may hold of both together: "70,000 people went to Kisu and Bosa"."""
    if _clausal(where) or where.word != "and":
        return False
    inside = range(min(span.start for span in (*where.before, where.left)), where.right.stop)
    numbers = (t for t in sentence.tokens if t.i not in inside and t.pos == "NUM" and not YEAR.fullmatch(t.text))
    clause = _clause(sentence, where.head)
    return any(t.dep in ("nummod", "obj", "nsubj", "root") and _clause(sentence, t) == clause for t in numbers)


def of_a_plural(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """Names of which a plural has one each: "the presidents of Peru and Chile", "scholars Ann Ray and Ben Day"."""
    first = where.head
    while first.dep == "conj" and first.head < first.i:
        first = sentence[first.head]
    plural = any(t.tag in ("NNS", "NNPS") for t in sentence.children(first.i, "compound", "amod"))
    above = sentence[first.head]
    each = first.dep in ("nmod", "appos") and above.tag in ("NNS", "NNPS") and above.i < first.i
    return where.word == "and" and where.kinds[1] == "Name" and (plural or each)


def done_together(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """What two do, cause or are only together: "A and B form the border", "linked A and B"."""
    first = where.head
    while first.dep == "conj" and first.head < first.i:
        first = sentence[first.head]
    verb = sentence[first.head].lemma
    if where.word != "and" or not _nominal(where):
        return False
    both = first.dep in ("nsubj", "nsubj:pass", "obj") and verb in word_set("joint verbs")
    return both or (first.dep == "nsubj" and verb in word_set("joint causes"))


def under_a_condition(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """A condition, a reason, or "every", "only" and the like above it, no comma between."""
    words = [t.lower for t in sentence.tokens[: min(span.start for span in (*where.before, where.left))]]
    since = max((i + 1 for i, word in enumerate(words) if word == ","), default=0)
    if where.kinds[1] != "Clause" and word_set("conditions") & set(words[since:]):
        return True
    near = " ".join(t.lower for t in sentence.tokens[max(0, where.left.start - 8) : where.mark.i])
    if "as well as" in near or "as soon as" in near or "as long as" in near:
        return True
    token = where.head
    while token.head != token.i:
        every = sentence.children(token.head, "det") if token.dep == "acl:relcl" else []
        if any(t.lower in ("every", "all", "any", "each", "no", "most") for t in every):
            return True
        if token.dep == "acl:relcl" and sentence[token.head].lower in ("anything", "everything", "anyone", "everyone", "all"):
            return True
        token = sentence[token.head]
    return False


def tail(sentence: Sentence, where: Coordination, side: str) -> bool:
    """What follows goes with one of the two: "managers and unions representing workers", "weak and contrary to reason"."""
    if side == "left" or _clausal(where):
        return False
    shared = ("acl", "obl", "advcl", "xcomp", "ccomp") if where.kinds[1] == "Adj" else ("acl",)
    far = any(t.i >= where.right.stop for t in sentence.children(where.head.i, *shared))
    own = sentence.children(where.second.i, "obl", "advcl", "xcomp", "ccomp", "acl")
    return far or any(t.i > where.second.i for t in own)


RULES: tuple[Callable[[Sentence, Coordination, str], bool], ...] = (
    antecedent, points_back, unlike_openings, inside_a_noun, marks_around, gapped, below_another_verb, counted, of_a_plural,
    done_together, under_a_condition, tail,
)  # fmt: skip
# Those that hold of a conjunct with another word in it too.
IN_PLACE = (inside_a_noun, marks_around, gapped, counted, under_a_condition)


def _clausal(where: Coordination) -> bool:
    return where.kinds[1] in ("Clause", "VP")


def _nominal(where: Coordination) -> bool:
    return where.kinds[1] in ("N", "NP", "Name")


def _clause(sentence: Sentence, token: Token) -> int:
    """The verb of the clause that a word stands in."""
    seen = set()
    while token.head != token.i and token.i not in seen:
        seen.add(token.i)
        if token.dep in ("acl:relcl", "advcl", "ccomp", "parataxis", "csubj") or (token.dep == "conj" and token.verbal):
            break
        token = sentence[token.head]
    return token.i
