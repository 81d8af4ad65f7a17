"""Verbs with a to- or that-complement in a parsed sentence: finding them, with their auxiliaries and their right form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grice.mining._english import inflect
from grice.mining._words import word_set
from grice.mining.parse import Sentence, Token, lemma_of
from grice.theory.signature import SignatureEntry, american_spelling, extended_lexicon

# Not constructions with a complement of their own: "be going to", "be about to".
PERIPHRASTIC = {("go", "to")}
# "He had to leave" says that he left; "he has to leave" and "he will have to leave" do not.
PAST_NEED, NEED = SignatureEntry("+/o", "own"), SignatureEntry("o/o", "own")


@dataclass(frozen=True)
class VerbComplement:
    """A verb with its complement: the verb, the `to` or `that`, the complement's head, and who does the to-complement."""

    verb: Token
    mark: Token
    head: Token
    lemma: str
    complement: str
    tag: str
    doer: Token | None = None
    particle: str = ""
    # What the complement's head belongs to, where that is an auxiliary or a copula: the word that hangs on the verb.
    top: Token | None = None

    @property
    def listed_verb(self) -> str:
        """The verb as lists have it: with its particle, in American spelling."""
        return f"{american_spelling(self.lemma)} {self.particle}".strip()

    @property
    def name(self) -> str:
        """The construction: "refuse to"."""
        return f"{self.listed_verb} {self.complement}"

    @property
    def frame(self) -> str:
        """ "to", "that", or "NP to" where the object does it."""
        return "NP to" if self.doer is not None else self.complement

    @property
    def entry(self) -> SignatureEntry | None:
        """Its signature with the source; None for a verb that is not listed with this frame."""
        if (self.lemma, self.frame) == ("have", "to"):
            return PAST_NEED if self.tag in ("VBD", "VBN") else NEED
        return extended_lexicon().get((self.listed_verb, self.frame))

    @property
    def signature(self) -> str:
        """That of the list; a verb that is not in it is o/o, as in the paper."""
        return self.entry.signature if self.entry else "o/o"

    @property
    def sure(self) -> float:
        """How sure the parser is of what the pair rests on: the verb, the mark and the complement's head."""
        return min(self.verb.sure, self.mark.sure, self.head.sure, self.top.sure if self.top else 1.0)


def constructions(sentence: Sentence) -> Iterator[VerbComplement]:
    """Every `verb {to|that} {VP|S}` of a sentence, from left to right."""
    for mark in sentence.tokens:
        if mark.lower == "to" and mark.tag in ("TO", "IN"):
            found = _to(sentence, mark)
        elif mark.lower == "that":
            found = _that(sentence, mark)
        else:
            continue
        if found is not None and (found.lemma, found.complement) not in PERIPHRASTIC:
            yield found


def _to(sentence: Sentence, mark: Token) -> VerbComplement | None:
    place = mark.i + 1
    while place < len(sentence) and sentence[place].pos in ("ADV", "PART") and sentence[place].tag != "VB":
        place += 1
    if place >= len(sentence) or mark.i == 0:
        return None
    head, before = sentence[place], sentence[mark.i - 1]
    if head.tag != "VB" and not (before.verbal and _base(sentence, head)):
        return None
    top = predicate_of(sentence, head)
    attached = top.head == before.i and (top.dep in ("xcomp", "ccomp") or _listed(sentence, before, "to"))
    if attached and (_governs(before) or _listed(sentence, before, "to")):
        return _construction(sentence, before, mark, head)
    verb = sentence[top.head]
    governed = top.dep in ("xcomp", "ccomp") and verb.i < mark.i and _governs(verb)
    if not governed or before.tag in ("WRB", "WP", "WDT"):
        return None
    doers = [t for t in sentence.children(verb.i, "obj", "iobj") if verb.i < t.i < mark.i]
    if doers and verb.lemma not in word_set("object control") | word_set("subject control"):
        return None
    doer = doers[-1] if doers and verb.lemma in word_set("object control") else None
    return _construction(sentence, verb, mark, head, doer)


def predicate_of(sentence: Sentence, verb: Token) -> Token:
    """What an auxiliary or a copula belongs to; any other verb itself."""
    return sentence[verb.head] if verb.dep in ("cop", "aux", "aux:pass") else verb


def _base(sentence: Sentence, token: Token) -> bool:
    """A bare verb that was tagged as another form, or as a noun with an object behind it."""
    if token.lower != lemma_of(token.lower, "VERB"):
        return False
    following = sentence[token.i + 1].tag if token.i + 1 < len(sentence) else ""
    return token.tag.startswith("VB") or (token.tag == "NN" and following in ("DT", "PRP", "PRP$", "NNP"))


def _that(sentence: Sentence, mark: Token) -> VerbComplement | None:
    before = sentence[mark.i - 1] if mark.i else None
    marking = mark.tag == "IN" or mark.pos == "SCONJ" or mark.dep == "mark"
    head = _predicate(sentence, mark)
    if head is None:
        return None
    if before is not None and _listed(sentence, before, "that") and (marking or _clausal(sentence, mark)):
        return _construction(sentence, before, mark, head)
    if not marking:
        return None
    verb = sentence[head.head]
    governed = verb.i < mark.i and head.dep in ("ccomp", "csubj", "csubj:pass", "xcomp", "advcl")
    between = sentence.tokens[verb.i + 1 : mark.i]
    if verb.lemma not in word_set("telling") and not all(t.pos in ("ADV", "PRON") or t.punctuation for t in between):
        return None
    if governed and (_governs(verb) or _listed(sentence, verb, "that")):
        return _construction(sentence, verb, mark, head)
    return None


def _predicate(sentence: Sentence, mark: Token) -> Token | None:
    """What the clause behind `that` says: the head the parser gives it, else its first finite verb."""
    head = sentence[mark.head]
    if mark.dep == "mark" and head.i > mark.i:
        return head
    finite = (t for t in sentence.tokens[mark.i + 1 :] if t.tag in ("VBZ", "VBD", "VBP", "MD"))
    return next(finite, None)


def _clausal(sentence: Sentence, mark: Token) -> bool:
    """Whether a clause with a subject follows: "shows that payments fell", not "shows that is true"."""
    following = sentence.tokens[mark.i + 1 : mark.i + 2]
    return bool(following) and not following[0].verbal and not following[0].punctuation


def _construction(
    sentence: Sentence, verb: Token, mark: Token, head: Token, doer: Token | None = None
) -> VerbComplement:
    lemma, tag = _lemma(verb, mark.lower), effective_tag(sentence, verb)
    particle = next((t.lower for t in sentence.children(verb.i, "compound:prt") if t.i > verb.i), "")
    return VerbComplement(verb, mark, head, lemma, mark.lower, tag, doer, particle, predicate_of(sentence, head))


def _governs(token: Token) -> bool:
    return token.tag.startswith("VB")


def _listed(sentence: Sentence, token: Token, complement: str) -> bool:
    """A word whose verb is known to take this complement, also where it was taken for an adjective or a noun.

    "The claim that …" is a noun: a determiner, an adjective or a preposition stands before it.
    """
    if token.pos not in ("VERB", "AUX", "ADJ", "NOUN", "SCONJ", "ADP") and not token.verbal:
        return False
    if (american_spelling(_lemma(token, complement)), complement) not in extended_lexicon():
        return False
    if token.verbal or token.pos != "NOUN":
        return True
    before = sentence[token.i - 1] if token.i else None
    if before is None or before.tag == "PRP$":
        return False
    several = before.lower in ("these", "those", "many", "some")
    return several or before.pos in ("NOUN", "PROPN", "PRON", "ADV", "AUX", "NUM")


def effective_tag(sentence: Sentence, verb: Token) -> str:
    """The verb's tag, put right by its auxiliaries: a participle without one is a past tense, behind `have` the reverse."""
    helpers = auxiliaries(sentence, verb)
    if helpers:
        last = helpers[-1]
        if last.tag == "MD" or last.lemma == "do":
            return "VB"
        if last.lemma == "have":
            return "VBN"
        return "VBG" if verb.lower.endswith("ing") else verb.tag if verb.pos == "ADJ" else "VBN"
    if verb.tag == "VBD" and verb.lower == _lemma(verb, "") != inflect(verb.lower, "VBD"):
        return "VBP"
    if verb.tag in ("VBZ", "VBD", "VBG") or (verb.i and sentence[verb.i - 1].lower == "to"):
        return verb.tag
    if not _has_subject(sentence, verb):
        return verb.tag
    lemma = _lemma(verb, "")
    return "VBP" if verb.lower == lemma else "VBZ" if verb.lower == inflect(lemma, "VBZ") else "VBD"


def _has_subject(sentence: Sentence, verb: Token) -> bool:
    if any(t.i < verb.i for t in sentence.children(verb.i, "nsubj", "expl")):
        return True
    place = verb.i - 1
    while place > 0 and sentence[place].pos == "ADV":
        place -= 1
    before = sentence[place] if place >= 0 else None
    if before is None or before.i == verb.i:
        return False
    if before.lower in ("and", "but", "or") and verb.dep == "conj":
        return sentence[verb.head].tag in ("VBD", "VBZ", "VBP")
    return before.pos in ("NOUN", "PROPN", "PRON", "NUM")


def _lemma(token: Token, complement: str) -> str:
    """The lemma of a verb; of an adjective that of its verb."""
    if token.tag.startswith("VB") and token.pos in ("VERB", "AUX"):
        return "use" if token.lower == "used" and complement == "to" else token.lemma
    return lemma_of(token.text, "VERB")


def auxiliaries(sentence: Sentence, verb: Token) -> list[Token]:
    """The auxiliaries of a verb, or the copula of a predicate, from left to right."""
    helpers = (t for t in sentence.children(verb.i, "aux", "cop") if t.lower != "to" and not t.punctuation)
    found = {t.i for t in helpers if _near(sentence, t, verb)}
    place = verb.i - 1
    while place >= 0:
        token = sentence[place]
        if (token.tag == "MD" and token.pos != "PROPN") or (
            token.verbal and token.lemma in ("be", "have", "do") and token.pos == "AUX"
        ):
            found.add(place)
        elif token.pos not in ("ADV", "PART") or token.lower == "to":
            break
        place -= 1
    return [sentence[i] for i in sorted(found)]


def _near(sentence: Sentence, helper: Token, verb: Token) -> bool:
    """Whether only adverbs, auxiliaries and the subject stand between an auxiliary and its verb."""
    if helper.i >= verb.i:
        return False
    subject = {i for t in sentence.children(verb.i, "nsubj", "expl") for i in sentence.subtree(t.i)}
    between = sentence.tokens[helper.i + 1 : verb.i]
    own = ("advmod", "aux", "cop") if verb.verbal else ("advmod", "aux", "cop", "det", "amod", "case")
    inside = subject | {i for t in sentence.children(verb.i, *own) for i in sentence.subtree(t.i)}
    return all(t.i in inside or t.pos in ("ADV", "AUX", "PART") for t in between)
