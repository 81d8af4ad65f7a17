"""Signs that the rest of a sentence does not go with its complement alone, or with the negation of its verb."""

from __future__ import annotations

import re
from itertools import pairwise

from grice.mining._constructions import VerbComplement, auxiliaries
from grice.mining._english import inflect
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence
from grice.theory.signature import Environment

QUOTES = ('"', "“", "”", "'", "‘", "’", "``", "''")
# The sentence goes on to tell whether it is so: "and I finally did", "and I agree", ", but this was wrong".
SETTLED = re.compile(r"\b(and|but) \w+ (\w+ )?(did|does|didn't|doesn't|agree)\W*$|, but this (was|is) ")
# What a negated verb does not go on with: "… and we can", "… and that is why".
GOES_WITH = re.compile(r"\b(and|but) (\w+ )?\w+ (can|will|must|do|did|have)\W*$|\band that('s| is)\b")
CONTRASTS = {"although", "though", "so", "while", "whereas"}


def unclear_extent(sentence: Sentence, one: VerbComplement) -> str:
    """Why it is unclear where the complement ends, or which verb its words belong to; empty if it is clear."""
    inside, start = sentence.tokens[one.mark.i + 1 :], _start(sentence, one)
    asked = any(t.tag[:1] == "W" for t in sentence.tokens[max(0, start - 1) : start + 1])
    if asked or sentence.children(one.verb.i, "mark") or any(t.tag == "MD" for t in sentence.tokens[:start]):
        return "not the main verb"
    # ", which led to it" may speak of either verb; "says, that" sets its verb apart.
    apart = one.complement == "that" and sentence[one.mark.i - 1].text == ","
    if apart or ", which" in sentence.text[one.mark.start :]:
        return "a clause of either verb"
    if word_set("frequencies") & {t.lower for t in sentence.children(one.verb.i, "advmod")}:
        return "an adverb of the verb"
    if _shares_subject(sentence, one):
        return "a verb of two clauses"
    if _does_it(sentence, one) or SETTLED.search(sentence.text):
        return "what is said is done"
    if one.complement == "to" and (reason := _unlike_infinitive(sentence, one)):
        return reason
    # "asked her to come, as he often did", "asked that they check it, saying that it was late"
    opened = {t.lower for t in inside if t.dep in ("mark", "cc") or t.lower in ("so", "though", "although")}
    said = one.complement == "that" and any(t.text == "," and o.tag == "VBG" for t, o in pairwise(inside))
    unclear = said or opened & (word_set("either verb") if one.complement == "to" else CONTRASTS)
    return "a clause of either verb" if unclear else ""


def _does_it(sentence: Sentence, one: VerbComplement) -> bool:
    """Whether the speaker does it by saying so: "I have to admit that it rains", "I will say that it rains"."""
    subject, helped = sentence.subject(one.verb.i), {t.lower for t in auxiliaries(sentence, one.verb)}
    now = one.tag == "VBP" or helped & {"will", "'ll", "’ll", "must", "can"}
    acts = one.head.lemma if one.complement == "to" else one.lemma
    wishes = one.lemma in ("wish", "want") and one.tag in ("VBP", "VBZ")
    speaks = subject is not None and subject.lower in ("i", "we") and bool(now)
    return (speaks or wishes) and acts in word_set("performatives")


def _start(sentence: Sentence, one: VerbComplement) -> int:
    """Where the clause of the verb begins."""
    return min([one.verb.i, *(t.i for t in auxiliaries(sentence, one.verb)), *_subject(sentence, one)])


def _subject(sentence: Sentence, one: VerbComplement) -> list[int]:
    subject = sentence.subject(one.verb.i)
    return sentence.subtree(subject.i) if subject is not None and subject.i < one.verb.i else []


def _shares_subject(sentence: Sentence, one: VerbComplement) -> bool:
    """A further verb without a subject, or with half of one: "found that it was late and left", "… and two others hurt"."""
    for token in sentence.tokens[one.mark.i + 1 :]:
        clausal = token.verbal or sentence.children(token.i, "cop", "mark")
        if token.dep != "conj" or not clausal or token.head not in (one.head.i, one.verb.i, top_of(one)):
            continue
        owned, helped = sentence.children(token.i, "nsubj", "expl"), sentence.children(token.i, "aux", "cop")
        same = inflect(token.lemma, "VBD") == inflect(token.lemma, "VBN") and token.tag in ("VBD", "VBN")
        half = same and one.complement == "that" and any(t.tag != "PRP" for t in owned)
        gap = not helped and (token.tag in ("VBN", "VBG") or half)
        bare = not owned and (token.head == one.verb.i or one.complement == "that" or token.tag in FINITE)
        if gap or bare or any(t.lower in ("that", "to") for t in sentence.children(token.i, "mark")):
            return True
    # What the parser hangs elsewhere: "and rates it first", "or grab a seat".
    behind = sentence.tokens[one.head.i + 1 :]
    for first, other, third in zip(behind, behind[1:], behind[2:], strict=False):
        verb = other if other.tag != "RB" else third
        owner = sentence[sentence[verb.head].head if verb.dep in ("aux", "cop") else verb.head]
        if first.lower in ("and", "or", "but") and verb.tag in FINITE and owner.dep not in ("acl:relcl", "advcl"):
            return True
    return False


def top_of(one: VerbComplement) -> int:
    """The place of the complement's predicate, which its copula or auxiliary hangs on."""
    return one.top.i if one.top is not None else one.head.i


def _unlike_infinitive(sentence: Sentence, one: VerbComplement) -> str:
    """What does not become a sentence of its own with the verb of "to" in another form."""
    owned = set(sentence.subtree(one.doer.i)) if one.doer is not None else set()
    between = sentence.tokens[one.verb.i + 1 : one.mark.i]
    before = (t for t in sentence.children(one.verb.i, "advmod") if _start(sentence, one) < t.i < one.verb.i)
    listed = any(t.text == "," and o.tag == "VB" for t, o in pairwise(sentence.tokens[one.head.i :]))
    modals = (t for t in auxiliaries(sentence, one.verb) if t.tag == "MD")
    reasons = {
        # "To win you have to fight" is not about who fights.
        "an aim": sentence[0].lower == "to" and sentence[1].tag == "VB",
        "words between": any(t.text == "," or (t.i not in owned and t.tag not in ("RB", "RP")) for t in between),
        "a modal above": any(t.lower not in ("will", "'ll", "’ll") for t in modals),
        "a perfect infinitive": one.head.lemma == "have" and one.head.dep == "aux",
        "an adverb of the verb": any(t.lower.endswith("ly") for t in before),
        "a list of verbs": listed or len(sentence.children(top_of(one), "conj")) > 1,
        "a time to come": one.tag in ("VBP", "VBZ") and word_set("later") & {t.lower for t in sentence.tokens},
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _takes_no_negation(sentence: Sentence, one: VerbComplement, label: str) -> bool:
    """Whether the verb has what its negation has not: "already", "some managed to", "wait to" (not to wait is to act)."""
    own = [t for t in sentence.children(one.verb.i) if t.i < one.verb.i]
    aimed = (m for t in own if t.dep == "advcl" for m in sentence.children(t.i, "mark"))
    inside = {sentence[i].lower for i in _subject(sentence, one)[:2]}
    some = label == "contradiction" and inside & word_set("quantities")
    odd = some or one.lemma == "wait" or GOES_WITH.search(sentence.text[one.mark.start :])
    return bool(odd) or any(t.lower in word_set("of what is so") for t in own) or any(m.lower == "to" for m in aimed)


def negation_clashes(sentence: Sentence, one: VerbComplement) -> str:
    """Why the negated sentence would be odd: "not, therefore", "did not … because"."""
    words, behind = ({t.lower for t in part} for part in (sentence.tokens, sentence.tokens[one.mark.i :]))
    ends = (one.verb.i, one.head.i, top_of(one)) if one.complement == "to" else (one.verb.i,)
    goes_on = [t for end in ends for t in sentence.children(end, "parataxis", "advcl")]
    reasons = {
        "word": words & word_set("no negation"),
        "reason": behind & word_set("reasons"),
        "mark": one.complement == "to" and {":", ";"} & behind,
        "unreal": any(t.lower in ("can", "could", "must", "should") for t in auxiliaries(sentence, one.verb)),
        "clause": any(t.i > one.head.i for t in (*goes_on, *sentence.children(one.verb.i, "conj"))),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def is_opaque(sentence: Sentence, one: VerbComplement, label: str, environment: Environment) -> bool:
    """Whether a modal, the speaker or an adverb takes away what the verb says.

    "might show that" shows nothing, "might not manage to win" leaves "might win" open, and who says "I do not know that"
    leaves open what others know.
    """
    modals = {t.lower for t in auxiliaries(sentence, one.verb) if t.tag == "MD"}
    dreamt = label != "neutral" and any(t.lower in ("dream", "dreams", "nightmare") for t in sentence.tokens)
    if dreamt or (environment == "negative" and _takes_no_negation(sentence, one, label)):
        return True
    if one.complement == "to":
        unsure = label == "contradiction" and modals & {"may", "might", "could", "should", "must", "ought", "shall"}
        # What would force them to leave has forced no one; who may have to leave may leave.
        caused = one.doer is not None and label == "entailment" and modals - {"will", "'ll", "’ll"}
        return bool(unsure or caused or (one.name == "have to" and modals & {"may", "might"}))
    subject = sentence.subject(one.verb.i)
    who = {t.lower for t in (subject, *sentence.children(subject.i, "conj"))} if subject is not None else set()
    speaker = who & {"i", "we"} and one.tag in ("VBP", "VB")
    heard = speaker and (environment == "negative" or one.lemma == "understand")
    # Who notes that "it is late" repeats what someone says.
    if label == "entailment" and (heard or sentence[one.mark.i + 1].text in QUOTES):
        return True
    return bool(modals) and label != "neutral" and not one.signature.startswith("+/+")
