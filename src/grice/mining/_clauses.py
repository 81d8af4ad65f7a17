"""Write the complement of a verb as a sentence of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from grice.mining._constructions import VerbComplement, auxiliaries, predicate_of
from grice.mining._english import SUBJECT_FORM, agree, end_sentence, is_plural, write
from grice.mining._words import word_set
from grice.mining.parse import FINITE, Sentence, Token, lemma_of
from grice.mining.signals.context import QUOTES, top_of

# What depends on the main verb behind its clause, and is no part of the clause.
CONTINUATIONS = ("conj", "parataxis", "advcl", "ccomp")
PARTNERS = (('"', '"'), ("“", "”"), ("(", ")"), ("'", "'"), ("``", "''"))


def complement_sentence(
    sentence: Sentence, site: VerbComplement, *, all_clauses: bool = False
) -> str | None:
    """Return the complement as a sentence of its own; None if it has none.

    Args:
        all_clauses: Take all clauses of the complement and none of the main verb, instead of what
            the paper takes.
    """
    if site.complement == "that":
        return _that_clause(sentence, site, all_clauses)
    if site.doer is not None:
        return _object_control(sentence, site, site.doer, all_clauses)
    return _infinitive(sentence, site, all_clauses)


def keeps_loose_clause(sentence: Sentence, hypothesis: str) -> bool:
    """Detect a clause that may be the main verb's: "failed to go, leaving them alone"."""
    pairs = pairwise(sentence.tokens)
    loose = [f", {b.text}" for a, b in pairs if a.text == "," and b.tag == "VBG"]
    return any(text in hypothesis for text in (": ", "; ", *loose))


def _infinitive(sentence: Sentence, site: VerbComplement, all_clauses: bool) -> str | None:
    """Drop the main verb: "Nike declined to be a sponsor." gives "Nike was a sponsor."."""
    swap = {verb.i: _inflect(sentence, site, verb) for verb in _infinitives(sentence, site)}
    dropped = {*range(site.verb.i, site.mark.i + 1)} | _to_marks(sentence, swap)
    if all_clauses:
        dropped |= {*range(matrix_continuation(sentence, site), len(sentence))}
    if len(dropped) == len(sentence):
        return None
    return end_sentence(write(sentence, drop=dropped, swap=swap), statement=True)


def matrix_continuation(sentence: Sentence, site: VerbComplement) -> int:
    """Return where the main clause continues behind an infinitive: "refused to go, but smiled"."""
    for token in sentence.tokens[site.head.i + 1 :]:
        if _opens_that_clause(sentence, token) and sentence[token.i - 1].dep == "cc":
            return token.i - 1
        start = min(sentence.subtree(token.i))
        if token.head > max(site.head.i, top_of(site)) or start <= site.head.i:
            continue
        if _is_source(sentence, token) or _continues_matrix(sentence, site, token, start):
            return start
    return len(sentence)


def _continues_matrix(sentence: Sentence, site: VerbComplement, token: Token, start: int) -> bool:
    """Return whether a conjoined verb belongs to the main verb.

    A further infinitive ("began to nod and smile") and what goes on from a clause inside belong to
    the complement.
    """
    if token.dep != "conj":
        return False
    is_above = token.head <= site.verb.i
    verbs = (token, *sentence.children(token.i, "aux", "cop", "aux:pass"))
    finite = (t for t in verbs if t.tag in FINITE)
    if not any(is_above or t.tag == "MD" or t.lower != t.lemma for t in finite):
        return False
    inside = sentence.tokens[site.head.i + 1 : start]
    return is_above or not any(t.tag in FINITE for t in inside)


def _is_source(sentence: Sentence, token: Token) -> bool:
    """Return whether a source is added: "…, citing a report", "…, according to a report"."""
    is_saying = token.tag == "VBG" and token.lemma in word_set("saying")
    is_according = any(t.lower == "according" for t in sentence.children(token.i, "case"))
    is_cited = (token.dep == "advcl" and is_saying) or is_according
    return is_cited and _is_behind_comma(sentence, token)


def _is_behind_comma(sentence: Sentence, token: Token) -> bool:
    start = min(sentence.subtree(token.i))
    return sentence[start].text == "," or _mark_before(sentence, start) == ","


def _mark_before(sentence: Sentence, start: int) -> str:
    """Return the text of the token before `start`, quotation marks skipped."""
    before = reversed(sentence.tokens[:start])
    return next((token.text for token in before if token.text not in QUOTES), "")


def _infinitives(sentence: Sentence, site: VerbComplement) -> list[Token]:
    """Return the complement's verb and those conjoined: "to say it rains and to stay".

    Instead of a verb with a copula or auxiliary its first one is returned.
    """
    verbs = [site.head]
    for token in (t for t in sentence.tokens[site.head.i + 1 :] if t.dep == "conj"):
        first = next(iter(sentence.children(token.i, "aux", "aux:pass", "cop")), token)
        is_bare = first.tag == "VB" or (first.tag == "JJ" and first.head == site.head.i)
        has_subject = bool(sentence.children(token.i, "nsubj"))
        if _is_joined(sentence, site, token) and is_bare and not has_subject:
            verbs.append(first)
    return verbs


def _is_joined(sentence: Sentence, site: VerbComplement, token: Token) -> bool:
    """Return whether a conjunct is one of the complement's verb, or has a "to" of its own."""
    if token.head in (site.head.i, top_of(site)):
        return True
    return sentence[token.head].tag in FINITE and bool(_to_marks(sentence, [token.i]))


def _to_marks(sentence: Sentence, verbs: Iterable[int]) -> set[int]:
    """Return the "to" of each of the verbs."""
    predicates = (predicate_of(sentence, sentence[i]).i for i in verbs)
    marks = (mark for i in predicates for mark in sentence.children(i, "mark"))
    return {mark.i for mark in marks if mark.lower == "to"}


def _inflect(sentence: Sentence, site: VerbComplement, verb: Token) -> str:
    """Return the complement's verb in the form of the main verb."""
    lemma = _base_form(verb)
    tag = site.tag if site.tag.startswith("VB") else "VBN"
    subject = sentence.subject(site.verb.i)
    is_first = subject is not None and subject.lower == "i"
    many = is_plural(sentence, subject) if tag == "VBD" else tag == "VBP" and not is_first
    return agree(lemma, tag, many=many, first=is_first)


def _base_form(verb: Token) -> str:
    if verb.tag in ("VB", "JJ"):
        return verb.lower
    return verb.lemma if verb.pos == "AUX" else lemma_of(verb.text, "VERB")


def _object_control(
    sentence: Sentence, site: VerbComplement, doer: Token, all_clauses: bool
) -> str | None:
    """Make the object the subject: "She asked him to leave." gives "He left."."""
    subject = sentence.subtree(doer.i)
    words = {i for i in subject if site.verb.i < i < site.mark.i}
    # "urged the court promptly to decide"
    adverbs = sentence.children(top_of(site), "advmod")
    words |= {adverb.i for adverb in adverbs if doer.i < adverb.i < site.mark.i}
    end = max(sentence.subtree(site.head.i)) + 1
    if all_clauses:
        end = min(end, matrix_continuation(sentence, site))
    many = is_plural(sentence, doer) or doer.lower in ("all", "some", "most")
    tag, is_first = _tense(sentence, site), doer.lower == "me"
    swap = {
        verb.i: agree(verb.lemma, tag, many=many, first=is_first)
        for verb in _infinitives(sentence, site)
    }
    if doer.lower in SUBJECT_FORM and len(subject) == 1:
        swap[doer.i] = SUBJECT_FORM[doer.lower]
    words |= {*range(site.mark.i + 1, end)}
    remaining = words - _to_marks(sentence, swap)
    return end_sentence(write(sentence, remaining, swap=swap), statement=True)


def _tense(sentence: Sentence, site: VerbComplement) -> str:
    """Return VBD for a verb in the past, VBZ for one that is not: "is asking", "will ask"."""
    helpers = auxiliaries(sentence, site.verb)
    tag = helpers[0].tag if helpers else site.tag
    is_past = tag == "VBD" or any(helper.lemma == "have" for helper in helpers)
    return "VBD" if is_past else "VBZ"


def _that_clause(sentence: Sentence, site: VerbComplement, all_clauses: bool) -> str | None:
    """Return a clause without "that"; a subjunctive is inflected: "that he leave": "He left."."""
    tokens = range(site.mark.i + 1, _clause_end(sentence, site, all_clauses))
    span = _drop_lone_marks(sentence, list(tokens))
    if sum(not sentence[i].punctuation for i in span) < 2:
        return None
    swap = {}
    verb = _subjunctive(sentence, site)
    if verb is not None:
        subject = sentence.subject(site.head.i)
        is_first = subject is not None and subject.lower == "i"
        tag, many = _tense(sentence, site), is_plural(sentence, subject)
        swap[verb.i] = agree(verb.lemma, tag, many=many, first=is_first)
    return end_sentence(write(sentence, span, swap=swap), statement=True)


def _clause_end(sentence: Sentence, site: VerbComplement, all_clauses: bool) -> int:
    """Return where the clause ends: at the sentence end, or where the main verb continues."""
    above = _heads_above(sentence, site.verb)
    end = len(sentence)
    if max(above) > site.head.i:
        # "After learning that it rained, she left": the main verb comes later.
        end = max(*sentence.subtree(site.verb.i), *sentence.subtree(site.head.i)) + 1
    ends = (
        position
        for token in sentence.tokens[max(site.head.i, site.mark.i) + 1 :]
        for position in _ends_at(sentence, site, token, above, site.tag if all_clauses else "")
    )
    end = min(end, *ends, len(sentence))
    while end > site.mark.i + 1 and _is_loose(sentence[end - 1]):
        end -= 1
    return end


def _heads_above(sentence: Sentence, verb: Token) -> set[int]:
    """Return the indices of the verb and of all that it depends on."""
    above, token = {verb.i}, verb
    while token.head != token.i and token.head not in above:
        token = sentence[token.head]
        above.add(token.i)
    return above


def _ends_at(
    sentence: Sentence, site: VerbComplement, token: Token, above: set[int], tag: str
) -> Iterator[int]:
    """Yield where a token behind the complement's head ends the clause."""
    is_outside = token.head in above and token.i not in above | {site.head.i}
    if is_outside and token.dep in CONTINUATIONS:
        start = _start_behind(sentence, site, token)
        is_parted = _mark_before(sentence, start) in (",", ";", "—", "--")
        if is_parted or sentence[start].dep == "cc" or sentence[start].text in ",;":
            yield start
    is_further = token.head == site.head.i and _is_further_clause(sentence, token, tag)
    if is_further or _is_source(sentence, token):
        yield _start_behind(sentence, site, token)
    if _separates_sentences(sentence, token) or _opens_that_clause(sentence, token):
        yield token.i


def _start_behind(sentence: Sentence, site: VerbComplement, token: Token) -> int:
    """Return where the phrase of a token begins behind the complement's head."""
    return min(i for i in sentence.subtree(token.i) if i > site.head.i)


def _is_loose(token: Token) -> bool:
    """Return whether a token at the end of a clause is left out of it."""
    return token.dep in ("cc", "punct") and token.text not in "\"”')’%"


def _separates_sentences(sentence: Sentence, token: Token) -> bool:
    """Return whether a mark inside ends a sentence of its own: not in "Trinit??, and Carbet"."""
    if token.text == ";":
        return True
    if token.text not in (".", "?", "!"):
        return False
    behind = (t.text for t in sentence.tokens[token.i + 1 :])
    following = next((text for text in behind if text not in (".", "?", "!", *QUOTES)), None)
    return following is not None and not re.match(r"[,a-z]", following)


def _opens_that_clause(sentence: Sentence, token: Token) -> bool:
    """Return whether a second that-clause begins: "…, that it rained", "… and that it rained"."""
    if token.lower != "that":
        return False
    before = sentence[token.i - 1]
    is_apart = before.text == "," and not sentence[token.head].dep.startswith("acl")
    is_joined = before.dep == "cc"
    return (token.dep == "mark" and (is_apart or is_joined)) or (token.dep == "det" and is_joined)


def _is_further_clause(sentence: Sentence, token: Token, tag: str) -> bool:
    """Return whether a further clause begins: "…, and that it rained", "…, she added".

    With the tag of the main verb only behind a comma; then "says that it rains, and stays at home"
    continues "says".
    """
    if token.dep == "parataxis":
        return True
    if token.dep != "conj" or (tag and not _is_behind_comma(sentence, token)):
        return False
    own = sentence.children(token.i, "nsubj", "expl", "aux", "cop", "mark")
    if not own and token.tag == tag and tag in FINITE:
        return len(sentence.children(token.head, "conj")) == 1
    return any(t.tag in FINITE or t.dep not in ("aux", "aux:pass", "cop") for t in own)


def _subjunctive(sentence: Sentence, site: VerbComplement) -> Token | None:
    """Return the bare verb of a clause without a finite one, under a verb such as "demand"."""
    if site.lemma not in word_set("mandative"):
        return None
    verb = next((token for token in sentence.verbs(site.head.i) if token.verbal), None)
    # "demanded that they move" looks like a present.
    tags = ("VB", "VBP") if site.lemma in ("demand", "ask", "order") else ("VB",)
    if verb is None or verb.tag not in tags or verb.i <= site.mark.i:
        return None
    return verb if verb.lower == verb.lemma else None


def _drop_lone_marks(sentence: Sentence, span: list[int]) -> list[int]:
    """Leave out a quotation mark or bracket at either end that has no partner inside."""
    for pair in PARTNERS:
        marks = [i for i in span if sentence[i].text in pair and sentence[i].tag != "POS"]
        if len(marks) % 2 == 0:
            continue
        outer = marks[-1] if marks[-1] == span[-1] else marks[0]
        # An apostrophe inside is no quotation mark: "Congress' decision".
        if pair != ("'", "'") or outer in (span[0], span[-1]):
            span = [i for i in span if i != outer]
    return span
