"""Signs that what is left of a coordination does not stand or follow without the other part: rules, each of which may fire."""

from __future__ import annotations

import re
from collections.abc import Callable

from grice.mining._coordinated import Coordination
from grice.mining._english import inflect
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token

PRONOUNS = ({"he", "him", "his", "himself"}, {"she", "her", "hers"}, {"it", "its", "itself"}, {"they", "them", "their"})
YEAR = re.compile(r"1\d{3}s?|20\d{2}s?")
CLAUSES = {"that", "as", "to", "than", "for"}
NOUNS, OBJECTS = ("N", "NP", "Name"), ("nsubj", "nsubj:pass", "obj", "obl")


def losses(sentence: Sentence, where: Coordination, side: str, *, replaced: bool = False) -> list[str]:
    """The names of the rules that fire when the conjunct on a side is taken out, or a word of it replaced, in their order."""
    return [rule.__name__ for rule in RULES if (not replaced or rule in IN_PLACE) and rule(sentence, where, side)]


def antecedent(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A pronoun that stays may mean what goes: "owned a shop and the house in which it was"."""
    gone = where.left if side == "left" else where.right
    nouns = [sentence[i] for i in gone if sentence[i].pos in ("NOUN", "PROPN") or sentence[i].tag == "PRP"]
    people = any(t.pos == "PROPN" or t.tag == "PRP" or t.lower in word_set("people") for t in nouns)
    things = any(t.tag in ("NN", "NNP") for t in nouns)
    several = any(t.tag in ("NNS", "NNPS", "PRP") or t.lower in word_set("people") for t in nouns)
    before, behind = ({t.lower for t in part} for part in (sentence.tokens[: gone.start], sentence.tokens[gone.stop :]))
    may_mean = zip((people, people, things, several), PRONOUNS, strict=True)
    return any(may and group & behind and not group & before for may, group in may_mean)


def points_back(sentence: Sentence, where: Coordination, side: str) -> bool:
    """The right part points to the left one: "Lyon and other towns", "and then left"; or names nothing: "and so on", "or another"."""
    words = [sentence[i].lower for i in where.right]
    if words[0] in word_set("no conjunct") or words[:2] == ["the", "like"]:
        return True
    opens = bool(word_set("points back") & set(words[:2])) and where.word != "but"
    opens |= where.kinds[1] == "Clause" and sentence[where.right.start].tag in ("WDT", "WP$")
    return side == "left" and (opens or bool(word_set("others") & set(words[:5])))


def unlike_openings(sentence: Sentence, where: Coordination, side: str) -> bool:
    """One noun with its determiner and one without: the left one is longer, or would lose what it shares."""
    if where.kinds in (("N", "NP"), ("Name", "N"), ("N", "Name")):
        return sentence[where.left.start].pos != "NUM"
    if where.kinds == ("Name", "NP"):
        return side == "left" or where.head.dep not in ("nsubj", "obj", "nsubj:pass", "root", "conj")
    opens = {sentence[span.start].tag in ("DT", "PRP$") for span in (*where.before, where.left, where.right)}
    if where.before and where.kinds[1] in NOUNS and len(opens) > 1:
        return True
    article = where.left.start > 0 and sentence[where.left.start - 1].tag in ("DT", "PRP$", "POS", "CD")
    first, second = sentence[where.left.start].lower, sentence[where.right.start]
    little, own = word_set("quantities") | {"little", "no"}, second.tag in ("DT", "PRP$", "CD")
    own |= where.second.pos == "PROPN" or second.lower in little
    return side == "left" and (first in little or where.kinds == ("NP", "N") or (article and own))


def inside_a_noun(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """Words before a noun or inside a name: "a government and industry team", "whites-only", "east central parts"."""
    stop, start = where.right.stop, where.left.start
    after = sentence[stop] if stop < len(sentence) else sentence[-1]
    hyphen = after.text in ("-", "–") or (not after.punctuation and not sentence.space_before(after.i))
    named = start > 0 and sentence[start - 1].pos == sentence[start].pos == "PROPN"
    described = where.head.dep == "amod" and after.pos == "ADJ"
    return hyphen or named or described or where.head.dep in ("compound", "flat", "nmod:poss")


def marks_around(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """A colon, semicolon, dash or bracket before it: a list of what was counted, an aside, verse."""
    texts = [t.text for t in sentence.tokens]
    before = texts[: _begin(where)]
    dashed = where.kinds[1] not in ("Clause", "VP") and before[-1:] in (["-"], ["–"], ["—"], ["--"])
    return dashed or before.count("(") > before.count(")") or ";" in texts or ":" in texts


def gapped(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """A clause that has its verb from the other: "Two men were killed and three injured"; a name with a bare number."""
    second = where.second
    if where.kinds[1] == "Clause":
        helped = sentence.children(where.head.i, "aux:pass") and not sentence.children(second.i, "aux", "cop")
        finite = all(any(t.tag in FINITE for t in sentence.verbs(verb.i)) for verb in (where.head, second))
        return not finite or (bool(helped) and inflect(second.lemma, "VBN") == second.lower)
    bare = sentence[where.right.stop - 1].pos == "NUM" and second.pos != "NUM"
    return where.kinds[1] in NOUNS and (bare or sentence[where.right.start].tag == "RB")


def below_another_verb(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A clause or verb that may belong to a verb above: "he says it works and has a patent", "He says it works, but it fails"."""
    if side == "right":
        return False
    if where.kinds[1] == "Clause":
        said = sentence.children(where.head.i, "ccomp", "parataxis")
        unreal = where.word == "but" and {t.lower for t in sentence.verbs(where.head.i)} & {"would", "could", "should"}
        return bool(said or unreal) or where.word == "nor" or where.head.dep not in ("root", "conj")
    if where.kinds[1] != "VP" or not any(t.tag in FINITE for t in sentence.verbs(where.second.i)):
        return False
    owned = any(sentence[i].dep in ("nsubj", "nsubj:pass", "expl") for i in where.left)
    told = where.head.dep == "acl:relcl" and where.pause is not None
    return owned or told or where.head.dep in ("ccomp", "advcl", "parataxis")


def counted(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """A number elsewhere in the clause may hold of both together: "70,000 people went to Kisu and Bosa"."""
    if where.kinds[1] in ("Clause", "VP") or where.word != "and":
        return False
    inside, clause = range(_begin(where), where.right.stop), _clause(sentence, where.head)
    numbers = (t for t in sentence.tokens if t.i not in inside and t.pos == "NUM" and not YEAR.fullmatch(t.text))
    return any(t.dep in ("nummod", "obj", "nsubj", "root") and _clause(sentence, t) == clause for t in numbers)


def together(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """What holds of two together: "A and B form the border", "linked A and B", "the presidents of Peru and Chile"."""
    first = where.first(sentence)
    above, names = sentence[first.head], where.kinds[1] == "Name"
    plural = any(t.tag in ("NNS", "NNPS") for t in sentence.children(first.i, "compound", "amod"))
    each = first.dep in ("nmod", "appos") and above.tag in ("NNS", "NNPS") and above.i < first.i
    titled = any(sentence[i].text == "," for i in where.right)
    noun = above if first.dep == "amod" else first
    verb = sentence[noun.head].lemma
    both = noun.dep in OBJECTS and verb in word_set("joint verbs")
    both |= noun.dep == "nsubj" and verb in word_set("joint causes")
    phrase = where.kinds[1] in (*NOUNS, "Adj")
    return where.word == "and" and phrase and (both or (names and (plural or each or titled)))


def quantities_or_threat(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """One amount said twice, or what happens otherwise: "80 per cent or 2 million", "Go, or he will be angry"."""
    if where.word != "or":
        return False
    both = all(any(sentence[i].pos == "NUM" for i in span) for span in (where.left, where.right))
    helped = {t.lower for t in sentence.verbs(where.second.i)} & {"will", "would", "'ll", "’ll", "'d"}
    return both or (where.kinds[1] == "Clause" and bool(helped))


def made_by(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """Those who made something made it together: "invented by Ada and Bo", "a film by Ada and Bo"."""
    first = where.first(sentence)
    by = any(t.lower == "by" for t in sentence.children(first.i, "case"))
    return where.word == "and" and by and where.kinds[1] in NOUNS


def under_a_condition(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """A condition, a reason, or "every", "only" and the like above it, no comma between."""
    words = [t.lower for t in sentence.tokens[: _begin(where)]]
    since = max((i + 1 for i, word in enumerate(words) if word == ","), default=0)
    near = " ".join(t.lower for t in sentence.tokens[max(0, where.left.start - 8) : where.mark.i])
    if where.kinds[1] != "Clause" and (
        word_set("conditions") & set(words[since:]) or re.search("as (well|soon|long) as", near)
    ):
        return True
    token = where.head
    while token.head != token.i:
        above = (sentence[token.head], *sentence.children(token.head, "det")) if token.dep == "acl:relcl" else ()
        if any(t.lower in word_set("universals") for t in above):
            return True
        token = sentence[token.head]
    return False


def tail(sentence: Sentence, where: Coordination, side: str) -> bool:
    """What follows goes with one of the two: "managers and unions representing workers", "weak and contrary to reason"."""
    relative = sentence.children(where.head.i, "acl:relcl") + sentence.children(where.second.i, "acl:relcl")
    if where.kinds[1] == "Name" and any(t.i > where.second.i for t in relative):
        return True
    shared = ("acl", "obl", "advcl", "xcomp", "ccomp") if where.kinds[1] == "Adj" else ("acl",)
    far = any(t.i >= where.right.stop for t in sentence.children(where.head.i, *shared))
    left = any(where.head.i < t.i < where.mark.i for t in sentence.children(where.head.i, "nmod", "acl", "advcl"))
    may = ("obl", "advcl", "xcomp", "ccomp", "acl", *(() if left else ("nmod",)))
    own = any(t.i > where.second.i and t.dep != "nmod:poss" for t in sentence.children(where.second.i, *may))
    return side == "right" and where.kinds[1] not in ("Clause", "VP", "PP") and (far or own)


def shared_modifier(sentence: Sentence, where: Coordination, side: str) -> bool:
    """What describes the first noun may describe the bare second one: "higher earnings and sales"."""
    described = any(t.i in where.left for t in sentence.children(where.head.i, "amod", "compound", "nummod"))
    bare = where.right.start == where.second.i
    return side == "left" and where.kinds[1] in NOUNS and bare and described


def shared_head(sentence: Sentence, where: Coordination, side: str) -> bool:
    """The last noun may be the head of both: "unit trust and corporate bond sales"."""
    own = any(t.i in where.right for t in sentence.children(where.second.i, "compound"))
    singular = where.head.tag in ("NN", "NNP", "JJ", "CD") and where.head.i == where.left.stop - 1
    singular &= where.second.tag == "NNS" or (where.head.tag != "NN" and where.second.tag == "NN")
    bare = not any(t.i in where.left for t in sentence.children(where.head.i, "det", "nmod:poss"))
    return side == "right" and where.kinds[1] in NOUNS and own and singular and bare


def shared_object(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A bare left verb beside a right one with an object or more behind it: "wrote and produced the film"."""
    if where.kinds[1] not in ("VP", "V") or len(where.left) > 2 or side == "left":
        return False
    left = [t for t in sentence.children(where.head.i) if t.i > where.head.i and t.i in where.left]
    right = [t for t in sentence.children(where.second.i) if t.i > where.second.i and not t.punctuation]
    return not left and bool(right)


def splice(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A list that the parser missed would keep commas alone: "He came, saw and won" without the last verb."""
    if side == "left" or where.kinds[1] not in ("Clause", "VP") or where.before:
        return False
    loose = [t for t in sentence.tokens if t.i in where.left and t.dep in ("parataxis", "conj", "advcl")]
    bare = [t for t in loose if not sentence.children(t.i, "cc", "mark") and t.lemma not in word_set("saying")]
    behind = (t for t in bare if where.left.start < min(sentence.subtree(t.i)))
    last = where.head.dep == "conj" and sentence[where.left.start - 1].text == ","
    last &= not sentence.children(where.head.i, "cc")
    return last or any(verb.tag in (*FINITE, "VB") for t in behind for verb in sentence.verbs(t.i))


def parallel(sentence: Sentence, where: Coordination, _side: str) -> bool:
    """The same preposition before the left noun and behind the right one: "loans by banks and gifts by friends"."""
    before = sentence.tokens[max(0, _begin(where) - 3) : _begin(where)]
    after = {t.lower for t in sentence.tokens[where.right.stop : where.right.stop + 1]}
    return where.kinds[1] not in ("Clause", "VP") and any(t.lower in after and t.tag in ("IN", "TO") for t in before)


def elliptical(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A right part that has its verb from the left one: "is a judge and has been since 1985", "but I did not"."""
    verbs = [sentence[i] for i in where.right if sentence[i].verbal]
    if side == "right" or where.kinds[1] not in ("Clause", "VP") or not verbs or any(t.pos != "AUX" for t in verbs):
        return False
    rest = sentence.tokens[verbs[-1].i + 1 : where.right.stop]
    bare = all(t.pos in ("ADV", "PART") or t.punctuation for t in rest)
    return bare or next(t for t in rest if t.pos not in ("ADV", "PART")).lower in ("since", "for", "until", "from")


def plural_kept(sentence: Sentence, where: Coordination, side: str) -> bool:
    """One thing is left where several were named: "The winners are Ann", "the American surges"."""
    first, kept = where.first(sentence), where.head if side == "right" else where.second
    if where.word != "and" or where.before or where.kinds[1] in ("Clause", "VP"):
        return False
    above = sentence[first.head]
    if first.dep == "amod" and above.tag == "NNS":
        return any(t.lower == "the" or t.dep == "nmod:poss" for t in sentence.children(above.i, "det", "nmod:poss"))
    one = kept.tag in ("NN", "NNP")
    verbs = sentence.verbs(first.i if first.dep != "nsubj" else above.i)
    late = any(t.lower in ("are", "were") and t.i < where.left.start for t in verbs)
    listed = first.dep in ("appos", "nmod") and above.tag == "NNS" and where.kinds[1] == "Name"
    return one and (late or listed)


def shared_auxiliary(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A right verb that may be a participle under the left one's auxiliary: "was charged with murder and tried"."""
    helped = any(t.i < where.head.i for t in sentence.children(where.head.i, "aux") if t.lower != "to")
    own = any(t.i > where.mark.i for t in sentence.children(where.second.i, "aux", "cop"))
    same = inflect(where.second.lemma, "VBD") == inflect(where.second.lemma, "VBN") == where.second.lower
    return side == "left" and where.kinds[1] == "VP" and helped and not own and same


def degree_word(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A degree whose clause stays behind both: "so long and narrow that we fell"."""
    words = {sentence[i].lower for i in where.left}
    behind = [t.lower for t in sentence.tokens[where.right.stop : where.right.stop + 1]]
    return side == "left" and bool(words & {"so", "too", "as", "such", "more", "less"}) and bool(CLAUSES & set(behind))


def other_subject(sentence: Sentence, where: Coordination, side: str) -> bool:
    """A verb whose subject is hardly the left one's: "It was epic and would love to go", "there is none and may be"."""
    subject = sentence.subject(where.head.i)
    if side == "right" or where.kinds[1] != "VP" or subject is None:
        return False
    feels = where.second.lemma in {"love", "like", "want", "hope", "recommend", "think", "thank"}
    return subject.dep == "expl" or (subject.lower in ("it", "this") and feels)


def fronted(sentence: Sentence, where: Coordination, side: str) -> bool:
    """What stands before the subject may go with the left verb alone: "Now it is here and will soon leave"."""
    before = (t for t in sentence.children(where.head.i, "obl", "advmod", "advcl") if t.i < _begin(where))
    return side == "left" and where.kinds[1] in ("Clause", "VP") and any(before)


RULES: tuple[Callable[[Sentence, Coordination, str], bool], ...] = (
    antecedent, points_back, unlike_openings, inside_a_noun, marks_around, gapped, below_another_verb, counted, together,
    quantities_or_threat, made_by, under_a_condition, tail, shared_modifier, shared_head, shared_object, splice,
    plural_kept, parallel, elliptical, shared_auxiliary, degree_word, other_subject, fronted,
)  # fmt: skip
# Those that hold of a conjunct with another word in it too.
IN_PLACE = (inside_a_noun, marks_around, gapped, counted, under_a_condition)


def _begin(where: Coordination) -> int:
    return min(span.start for span in (*where.before, where.left))


def _clause(sentence: Sentence, token: Token) -> int:
    """The verb of the clause that a word stands in."""
    while token.head != token.i:
        if token.dep in ("acl:relcl", "advcl", "ccomp", "parataxis", "csubj") or (token.dep == "conj" and token.verbal):
            break
        token = sentence[token.head]
    return token.i
