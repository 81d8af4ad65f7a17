"""Find verbs with a to- or that-complement in a parsed sentence, and their auxiliaries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grice.mining._english import inflect
from grice.mining._words import word_set
from grice.mining.parse import Sentence, Token, lemma_of
from grice.theory.signature import SignatureEntry, american_spelling, extended_lexicon

# Not constructions with a complement of their own: "be going to", "be about to".
PERIPHRASTIC = {("go", "to")}
# "He had to leave" entails that he left; "he has to leave" and "he will have to leave" do not.
PAST_NEED, NEED = SignatureEntry("+/o", "own"), SignatureEntry("o/o", "own")


@dataclass(frozen=True)
class VerbComplement:
    """A verb with its complement.

    Attributes:
        mark: The `to` or `that`.
        head: The complement's verb; with an auxiliary or a copula, that.
        doer: The object that does the to-complement.
        top: What the head belongs to if it is an auxiliary or a copula: the word that depends on
            the verb.
    """

    verb: Token
    mark: Token
    head: Token
    lemma: str
    complement: str
    tag: str
    doer: Token | None = None
    particle: str = ""
    top: Token | None = None

    @property
    def listed_verb(self) -> str:
        """Return the verb as lists have it: with its particle, in American spelling."""
        return f"{american_spelling(self.lemma)} {self.particle}".strip()

    @property
    def name(self) -> str:
        """Return the construction: "refuse to"."""
        return f"{self.listed_verb} {self.complement}"

    @property
    def frame(self) -> str:
        """Return "to", "that", or "NP to" if the object does it."""
        return "NP to" if self.doer is not None else self.complement

    @property
    def entry(self) -> SignatureEntry | None:
        """Return the signature with its source; None if the verb is not listed with this frame."""
        if (self.lemma, self.frame) == ("have", "to"):
            return PAST_NEED if self.tag in ("VBD", "VBN") else NEED
        return extended_lexicon().get((self.listed_verb, self.frame))

    @property
    def signature(self) -> str:
        """Return the listed signature; o/o for an unlisted verb, as in the paper."""
        return self.entry.signature if self.entry else "o/o"

    @property
    def sure(self) -> float:
        """Return how sure the parser is of the verb, the mark and the complement's head."""
        tokens = (self.verb, self.mark, self.head, self.top)
        return min(token.sure for token in tokens if token is not None)


def constructions(sentence: Sentence) -> Iterator[VerbComplement]:
    """Yield every `verb {to|that} {VP|S}` of a sentence, from left to right."""
    for mark in sentence.tokens:
        if mark.lower == "to" and mark.tag in ("TO", "IN"):
            site = _find_to_complement(sentence, mark)
        elif mark.lower == "that":
            site = _find_that(sentence, mark)
        else:
            continue
        if site is not None and (site.lemma, site.complement) not in PERIPHRASTIC:
            yield site


def _find_to_complement(sentence: Sentence, mark: Token) -> VerbComplement | None:
    """Return the verb and the "to" infinitive it governs; None if no verb or control is known."""
    head = _infinitive_behind(sentence, mark)
    if head is None:
        return None
    before = sentence[mark.i - 1]
    top = predicate_of(sentence, head)
    is_clausal = top.dep in ("xcomp", "ccomp")
    if top.head == before.i and _takes_infinitive(sentence, before, is_clausal):
        return _make_construction(sentence, before, mark, head)
    verb = sentence[top.head]
    is_governed = is_clausal and verb.i < mark.i and _is_verb(verb)
    if not is_governed or before.tag in ("WRB", "WP", "WDT"):
        return None
    objects = sentence.children(verb.i, "obj", "iobj")
    doers = [token for token in objects if verb.i < token.i < mark.i]
    has_object_control = verb.lemma in word_set("object control")
    if doers and not has_object_control and verb.lemma not in word_set("subject control"):
        return None
    doer = doers[-1] if doers and has_object_control else None
    return _make_construction(sentence, verb, mark, head, doer)


def _infinitive_behind(sentence: Sentence, mark: Token) -> Token | None:
    """Return the bare verb behind "to", adverbs skipped; None if there is none."""
    i = mark.i + 1
    while i < len(sentence) and sentence[i].pos in ("ADV", "PART") and sentence[i].tag != "VB":
        i += 1
    if i >= len(sentence) or mark.i == 0:
        return None
    is_tagged_otherwise = sentence[mark.i - 1].verbal and _is_base_form(sentence, sentence[i])
    return sentence[i] if sentence[i].tag == "VB" or is_tagged_otherwise else None


def _takes_infinitive(sentence: Sentence, token: Token, is_clausal: bool) -> bool:
    """Return whether the word right before "to" takes the infinitive that depends on it."""
    return (is_clausal and _is_verb(token)) or _is_listed(sentence, token, "to")


def predicate_of(sentence: Sentence, verb: Token) -> Token:
    """Return what an auxiliary or a copula belongs to, or the verb itself."""
    return sentence[verb.head] if verb.dep in ("cop", "aux", "aux:pass") else verb


def _is_base_form(sentence: Sentence, token: Token) -> bool:
    """Return whether a bare verb was tagged as another form, or as a noun before an object."""
    if token.lower != lemma_of(token.lower, "VERB"):
        return False
    following = sentence[token.i + 1].tag if token.i + 1 < len(sentence) else ""
    is_noun = token.tag == "NN" and following in ("DT", "PRP", "PRP$", "NNP")
    return token.tag.startswith("VB") or is_noun


def _find_that(sentence: Sentence, mark: Token) -> VerbComplement | None:
    head = _clause_head(sentence, mark)
    if head is None:
        return None
    is_marking = mark.tag == "IN" or mark.pos == "SCONJ" or mark.dep == "mark"
    before = sentence[mark.i - 1] if mark.i else None
    can_open = is_marking or _opens_clause(sentence, mark)
    if before is not None and can_open and _is_listed(sentence, before, "that"):
        return _make_construction(sentence, before, mark, head)
    if not is_marking:
        return None
    verb = sentence[head.head]
    between = sentence.tokens[verb.i + 1 : mark.i]
    is_near = all(token.pos in ("ADV", "PRON") or token.punctuation for token in between)
    if verb.lemma not in word_set("telling") and not is_near:
        return None
    is_governed = head.dep in ("ccomp", "csubj", "csubj:pass", "xcomp", "advcl")
    if not is_governed or verb.i >= mark.i:
        return None
    if _is_verb(verb) or _is_listed(sentence, verb, "that"):
        return _make_construction(sentence, verb, mark, head)
    return None


def _clause_head(sentence: Sentence, mark: Token) -> Token | None:
    """Return the parser's head of the clause behind `that`, else its first finite verb."""
    head = sentence[mark.head]
    if mark.dep == "mark" and head.i > mark.i:
        return head
    behind = sentence.tokens[mark.i + 1 :]
    return next((token for token in behind if token.tag in ("VBZ", "VBD", "VBP", "MD")), None)


def _opens_clause(sentence: Sentence, mark: Token) -> bool:
    """Return whether a subject follows: "shows that payments fell", not "shows that is true"."""
    following = sentence.tokens[mark.i + 1 : mark.i + 2]
    return bool(following) and not following[0].verbal and not following[0].punctuation


def _make_construction(
    sentence: Sentence, verb: Token, mark: Token, head: Token, doer: Token | None = None
) -> VerbComplement:
    lemma, tag = _lemma(verb, mark.lower), effective_tag(sentence, verb)
    particles = sentence.children(verb.i, "compound:prt")
    particle = next((token.lower for token in particles if token.i > verb.i), "")
    top = predicate_of(sentence, head)
    return VerbComplement(verb, mark, head, lemma, mark.lower, tag, doer, particle, top)


def _is_verb(token: Token) -> bool:
    return token.tag.startswith("VB")


def _is_listed(sentence: Sentence, token: Token, complement: str) -> bool:
    """Return whether a word's verb is known to take this complement.

    This includes words that were tagged as an adjective or a noun. "The claim that …" is a noun: a
    determiner, an adjective or a preposition precedes it.
    """
    classes = ("VERB", "AUX", "ADJ", "NOUN", "SCONJ", "ADP")
    if token.pos not in classes and not token.verbal:
        return False
    if (american_spelling(_lemma(token, complement)), complement) not in extended_lexicon():
        return False
    if token.verbal or token.pos != "NOUN":
        return True
    before = sentence[token.i - 1] if token.i else None
    if before is None or before.tag == "PRP$":
        return False
    is_plural = before.lower in ("these", "those", "many", "some")
    return is_plural or before.pos in ("NOUN", "PROPN", "PRON", "ADV", "AUX", "NUM")


def effective_tag(sentence: Sentence, verb: Token) -> str:
    """Return the verb's tag, corrected by its auxiliaries.

    A participle without an auxiliary is a past tense, and behind `have` the reverse.
    """
    helpers = auxiliaries(sentence, verb)
    if helpers:
        return _tag_behind(verb, helpers[-1])
    lemma = _lemma(verb, "")
    if verb.tag == "VBD" and verb.lower == lemma != inflect(verb.lower, "VBD"):
        return "VBP"
    is_infinitive = verb.i > 0 and sentence[verb.i - 1].lower == "to"
    if verb.tag in ("VBZ", "VBD", "VBG") or is_infinitive or not _has_subject(sentence, verb):
        return verb.tag
    if verb.lower == lemma:
        return "VBP"
    return "VBZ" if verb.lower == inflect(lemma, "VBZ") else "VBD"


def _tag_behind(verb: Token, helper: Token) -> str:
    """Return the tag of a verb behind its last auxiliary."""
    if helper.tag == "MD" or helper.lemma == "do":
        return "VB"
    if helper.lemma == "have":
        return "VBN"
    if verb.lower.endswith("ing"):
        return "VBG"
    return verb.tag if verb.pos == "ADJ" else "VBN"


def _has_subject(sentence: Sentence, verb: Token) -> bool:
    if any(t.i < verb.i for t in sentence.children(verb.i, "nsubj", "expl")):
        return True
    i = verb.i - 1
    while i > 0 and sentence[i].pos == "ADV":
        i -= 1
    if i < 0:
        return False
    before = sentence[i]
    if before.lower in ("and", "but", "or") and verb.dep == "conj":
        return sentence[verb.head].tag in ("VBD", "VBZ", "VBP")
    return before.pos in ("NOUN", "PROPN", "PRON", "NUM")


def _lemma(token: Token, complement: str) -> str:
    """Return the lemma of a verb; of an adjective that of its verb."""
    if _is_verb(token) and token.pos in ("VERB", "AUX"):
        return "use" if token.lower == "used" and complement == "to" else token.lemma
    return lemma_of(token.text, "VERB")


def auxiliaries(sentence: Sentence, verb: Token) -> list[Token]:
    """Return the auxiliaries of a verb, or the copula of a predicate, from left to right."""
    children = sentence.children(verb.i, "aux", "cop")
    helpers = (token for token in children if token.lower != "to" and not token.punctuation)
    indices = {helper.i for helper in helpers if _is_near(sentence, helper, verb)}
    for i in range(verb.i - 1, -1, -1):
        token = sentence[i]
        if _looks_auxiliary(token):
            indices.add(i)
        elif token.pos not in ("ADV", "PART") or token.lower == "to":
            break
    return [sentence[i] for i in sorted(indices)]


def _looks_auxiliary(token: Token) -> bool:
    if token.tag == "MD":
        return token.pos != "PROPN"
    return token.verbal and token.lemma in ("be", "have", "do") and token.pos == "AUX"


def _is_near(sentence: Sentence, helper: Token, verb: Token) -> bool:
    """Return whether only adverbs, auxiliaries and the subject are between auxiliary and verb."""
    if helper.i >= verb.i:
        return False
    nominal = () if verb.verbal else ("det", "amod", "case")
    children = sentence.children(verb.i, "nsubj", "expl", "advmod", "aux", "cop", *nominal)
    inside = {i for child in children for i in sentence.subtree(child.i)}
    between = sentence.tokens[helper.i + 1 : verb.i]
    return all(t.i in inside or t.pos in ("ADV", "AUX", "PART") for t in between)
