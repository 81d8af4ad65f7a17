"""Verbs with a to- or that-complement in real sentences, their negation, and the complement as a sentence (veridicality §4.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from grice.mining._constructions import VerbComplement, auxiliaries, constructions, effective_tag, predicate_of
from grice.mining._context import QUOTES, is_opaque, negation_clashes, top_of, unclear_extent
from grice.mining._english import SUBJECT_FORM, agree, end_sentence, is_plural, write
from grice.mining._negation import negate
from grice.mining._words import word_set
from grice.mining.pairs import LONGEST_WORDS, MinedPair, Outcome, Skip, sure_band, unfit_reason
from grice.mining.parse import FINITE, Sentence, Token, lemma_of
from grice.theory.signature import Environment, expected_label

ENVIRONMENTS: tuple[Environment, Environment] = ("positive", "negative")
# "may well", "might as well", "cannot but", "had better": they have no plain negation.
MODAL_IDIOM = {"well", "but", "better", "rather"}
# What hangs on the main verb behind its clause, and is no part of the clause.
GOES_ON = ("conj", "parataxis", "advcl", "ccomp")
JOINTS = ("conj", "cc", "advcl", "acl", "acl:relcl", "ccomp", "xcomp", "parataxis", "mark")
COMING = re.compile(r"\b(next|coming) (\w+ )?(\w*day|week|month|year|decade)|\btomorrow\b|\bsoon\W*$")
CONDITIONALS = {"if", "unless", "whether", "lest"}


def complements(sentence: Sentence, *, contracted: bool = False, longest: int = LONGEST_WORDS) -> Outcome:
    """Both pairs ⟨S, C⟩ and ⟨¬S, C⟩ of every construction, or why there are none."""
    if reason := unfit_reason(sentence, longest):
        return [Skip(reason)]
    found = list(constructions(sentence))
    if not found:
        return [Skip("no verb with a complement")]
    results: Outcome = []
    for one in found:
        reason = exclusion_reason(sentence, one)
        hypothesis = None if reason else complement_sentence(sentence, one, whole=True)
        negated = None if reason else negate(sentence, one, contracted=contracted)
        if reason or hypothesis is None or negated is None:
            results.append(Skip(reason or "no sentence of its own"))
            continue
        results += _both(sentence, one, negated, hypothesis)
    return results


def _both(sentence: Sentence, one: VerbComplement, negated: str, hypothesis: str) -> Iterator[MinedPair | Skip]:
    for environment, premise in zip(ENVIRONMENTS, (sentence.text.strip(), negated), strict=True):
        label = one.entry.label(environment) if one.entry else expected_label("o/o", environment)
        if label is None or is_opaque(sentence, one, label, environment):
            yield Skip("readers differ on the verb" if label is None else "a modal, the speaker or an adverb")
            continue
        tags = {
            "verb": one.listed_verb,
            "complement": one.complement,
            "construction": one.name,
            "frame": one.frame,
            "signature": one.signature,
            "signature_source": one.entry.source if one.entry else "none",
            "environment": environment,
        }
        written = (hypothesis,) if environment == "positive" else (negated, hypothesis)
        key = f"{one.verb.start}/{environment}"
        against = [*signs(sentence, one, environment, hypothesis)]
        yield MinedPair(
            premise, hypothesis, {"signature": label}, tags, key, one.name, f"{one.verb.start}", written,
            evidence="listed" if one.entry else "unlisted", sure=one.sure,
            rules=(
                f"{one.frame} {environment} {one.signature}", *traits(sentence, one), f"clean {not against}", *against,
            ),
        )  # fmt: skip


def signs(sentence: Sentence, one: VerbComplement, environment: Environment, hypothesis: str) -> Iterator[str]:
    """The signs that the rest does not go with the complement alone or the negation, or is cut: "said that it rained but …"."""
    if reason := unclear_extent(sentence, one):
        yield f"unclear {reason}"
    if environment == "negative" and (reason := negation_clashes(sentence, one)):
        yield f"clash {reason}"
    last = next(t for t in reversed(sentence.tokens) if not t.punctuation)
    if last.tag != "VB" and not re.search(rf"{re.escape(last.text)}\W*$", hypothesis, re.IGNORECASE):
        yield "unclear end"


def traits(sentence: Sentence, one: VerbComplement) -> tuple[str, ...]:
    """What confidence is fitted on besides: the verb, its form, its subject, and how sure the parser is of the complement's clauses."""
    subject = sentence.subject(one.verb.i)
    determined = subject is not None and bool(sentence.children(subject.i, "det", "nmod:poss"))
    kind = "none" if subject is None else subject.lower if subject.tag == "PRP" else subject.pos
    joints = (t for t in sentence.tokens[one.verb.i :] if t.dep in JOINTS)
    least = min((t.sure for t in joints), default=1.0)
    inner = any(t.dep == "advcl" or t.dep == "conj" for t in sentence.tokens[one.head.i + 1 :])
    found = (
        f"verb {one.name}",
        f"form {one.tag}",
        f"subject {kind}{' determined' if determined else ''}",
        sure_band("joints", least),
    )
    return (*found, "clause behind") if inner else found


def exclusion_reason(sentence: Sentence, one: VerbComplement) -> str:
    """Why the paper leaves a sentence out; empty if it does not."""
    words, to, that = {token.lower for token in sentence.tokens}, one.complement == "to", one.complement == "that"
    subject, helpers = sentence.subject(one.verb.i), auxiliaries(sentence, one.verb)
    can = {t.lower for t in helpers} & {"can", "could"}
    # "The best that the town has to offer"; "had to say goodbye" has its object.
    bare = not sentence.children(one.head.i, "obj", "ccomp", "parataxis")
    empty = one.head.lemma == "do" or (bare and one.head.lemma in ("offer", "say", "show"))
    near, between = sentence.tokens[max(0, one.verb.i - 2) : one.verb.i], sentence.tokens[one.verb.i + 1 : one.mark.i]
    far = [t for t in sentence.children(one.verb.i, "aux") if t.i < one.verb.i and t not in helpers]
    adverbs = (t.lower for t in sentence.children(one.verb.i, "advmod") if t.i < one.verb.i)
    hyphen = sentence.text[one.head.end : one.head.end + 1] in ("-", "–")
    doing = one.doer is None and one.tag == "VBG" and one.head.lemma in word_set("states")
    reasons = {
        "explicit negation": words & word_set("negations") or any(word.endswith(("n't", "n’t")) for word in words),
        "conditional": words & CONDITIONALS,
        "passive": _passive(sentence, one.verb)
        or (helpers and helpers[-1].lemma == "be" and one.tag != "VBG" and one.verb.lemma != "be"),
        "question": sentence.text.rstrip("\"”'’) ").endswith("?") or sentence[0].tag in ("WRB", "WP"),
        "the verb is not finite": one.tag not in ("VBZ", "VBP", "VBD") and not helpers,
        "inverted": subject is not None and subject.head == one.verb.i and any(t.i < subject.i for t in helpers),
        "a reflexive object": one.doer is not None and one.doer.lower.endswith(("self", "selves")),
        "a purpose clause": to and one.top is not None and one.top.dep not in ("xcomp", "ccomp"),
        # "They can at least say that", "we must, with them, strive to"
        "an auxiliary far off": any(t.tag in FINITE for t in far),
        # "could tell that it rained" is no telling.
        "an idiom": (can and that and one.lemma in word_set("perception") - {"see"})
        or (one.name == "have to" and (empty or "yet" in words or not all(t.pos == "ADV" for t in between)))
        or (helpers and any(t.lower in MODAL_IDIOM for t in near)),
        "a verb with a hyphen": hyphen or (one.verb.i and not sentence.space_before(one.verb.i)),
        "that is no conjunction": that and one.mark.dep in ("det", "obj", "advmod"),
        "a state in progress": to and doing,
        "be with an infinitive": to and one.lemma == "be",
        "a focus adverb": word_set("focus") & {*adverbs},
        "a verb that shares its subject": one.verb.dep == "conj" and not sentence.children(one.verb.i, "nsubj", "expl"),
        "not the main verb": not _main(sentence, one.verb),
    }
    return next((reason for reason, holds in reasons.items() if holds), "") or _misread(sentence, one)


def _misread(sentence: Sentence, one: VerbComplement) -> str:
    """Signs that the complement is none, or does not stand alone; empty if there are none."""
    between, inside = sentence.tokens[one.verb.i + 1 : one.mark.i], sentence.tokens[one.mark.i + 1 :]
    to, subjects = one.complement == "to", (sentence.subject(one.verb.i), sentence.subject(one.head.i))
    first = next((t for t in inside if to and t.verbal), None)
    single = [t is not None and t.tag in ("NN", "NNP") and not is_plural(sentence, t) for t in subjects]
    joined = sentence.children(one.head.i, "conj")
    bare = [t for t in joined if not sentence.children(t.i, "nsubj", "expl", "mark")]
    finite = any(t.tag in FINITE for verb in bare for t in sentence.children(verb.i, "aux", "cop"))
    # "will realize that it is so, and change it", "saw that she was cross so I smiled"
    main = any(t.tag == "VB" for t in bare) or any(t.lower == "so" and o.tag == "PRP" for t, o in pairwise(inside))
    behind = {other.tag for t, other in pairwise(inside) if t.pos == "CCONJ"}
    asks = one.lemma in word_set("mandative") and "VB" in behind
    owned = sentence.subtree(one.doer.i) if one.doer is not None else range(len(sentence))
    aimed = any(t.i not in owned and t.pos in ("NOUN", "PROPN") for t in between)
    place, open_end = _matrix_goes_on(sentence, one), one.signature[0] == "o"
    undone = any(t.lower in ("but", "yet") for t in sentence.tokens[place : place + 2])
    reasons = {
        "a focus adverb": any(t.lower in word_set("focus") for t in between),
        # "advised them of the plan to leave", "led us into the world to help"
        "the infinitive of a noun": to and between and (between[-1].lower in word_set("with an infinitive") or aimed),
        "a verb between": to and any(t.tag in FINITE for t in between),
        "a verb of another form": first is not None
        and (first.tag != "VB" or (first.pos == "VERB" and first.lower != first.lemma)),
        "no agreement": (one.tag == "VBP" and single[0]) or (one.head.tag == "VBP" and single[1] and not to),
        "that is no conjunction": not to and not sentence.children(one.head.i, "nsubj", "csubj", "expl"),
        # "tried to win but lost"; what seems so may be so all the same.
        "what is said is undone": one.frame == "to" and open_end and one.lemma not in word_set("raising") and undone,
        # "pledged to finish within the next two years" is no finishing in the past.
        "a time to come": to and one.tag in ("VBD", "VBN") and COMING.search(sentence.text[one.mark.start :]),
        "a polarity item": any(t.lower in word_set("polarity") for t in inside)
        or (one.signature[0] == "-" and " at all" in sentence.text),
        "a list of verbs": to and any(sentence.children(t.i, "conj") for t in joined),
        "a verb of two clauses": not to and (finite or main or asks),
        # "the talk between them and how they lead it"
        "a question inside": behind & {"WRB", "WP"},
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _main(sentence: Sentence, verb: Token) -> bool:
    """Whether a verb is the sentence's own or conjoined with it: what an embedded one entails, the sentence may not."""
    seen = set()
    while verb.head != verb.i and verb.i not in seen:
        seen.add(verb.i)
        if verb.dep != "conj":
            return False
        verb = sentence[verb.head]
    return sentence.subject(verb.i) is not None


def _passive(sentence: Sentence, verb: Token) -> bool:
    if any(t.dep == "aux:pass" for t in sentence.children(verb.i)):
        return True
    helpers = auxiliaries(sentence, verb)
    return effective_tag(sentence, verb) == "VBN" and bool(helpers) and helpers[-1].lemma in ("be", "get")


def complement_sentence(sentence: Sentence, one: VerbComplement, *, whole: bool = False) -> str | None:
    """The complement as a sentence of its own, as the paper has it; `whole` is all of its clauses, and none of the main verb."""
    return _clause(sentence, one, whole) if one.complement == "that" else _infinitive(sentence, one, whole)


def _infinitive(sentence: Sentence, one: VerbComplement, whole: bool) -> str | None:
    """The sentence without its verb: "Nike declined to be a sponsor." gives "Nike was a sponsor."."""
    if one.doer is not None:
        return _by_object(sentence, one, one.doer, whole)
    dropped = {*range(one.verb.i, one.mark.i + 1)}
    swap = {verb.i: _form(sentence, one, verb) for verb in _infinitives(sentence, one)}
    dropped |= _marks(sentence, swap)
    if whole:
        dropped |= {*range(_matrix_goes_on(sentence, one), len(sentence))}
    if len(dropped) == len(sentence):
        return None
    return end_sentence(write(sentence, drop=dropped, swap=swap), statement=True)


def _matrix_goes_on(sentence: Sentence, one: VerbComplement) -> int:
    """Where the main verb's clause goes on behind the infinitive: "refused to leave, but smiled", "…, citing a report"."""
    for token in sentence.tokens[one.head.i + 1 :]:
        if _further_clause(sentence, token) and sentence[token.i - 1].dep == "cc":
            return token.i - 1
        start = min(sentence.subtree(token.i))
        if token.head > max(one.head.i, top_of(one)) or start <= one.head.i:
            continue
        # A further infinitive ("began to nod and smile") and what goes on from a clause inside belong to the complement.
        above, verbs = token.head <= one.verb.i, (token, *sentence.children(token.i, "aux", "cop", "aux:pass"))
        finite = any(t.tag in FINITE and (above or t.tag == "MD" or t.lower != t.lemma) for t in verbs)
        inside = any(t.tag in FINITE for t in sentence.tokens[one.head.i + 1 : start])
        if _reported(sentence, token) or (token.dep == "conj" and finite and (above or not inside)):
            return start
    return len(sentence)


def _reported(sentence: Sentence, token: Token) -> bool:
    """Whether a source or a reason is added: "…, citing a report", "…, according to a report"."""
    cited = token.dep == "advcl" and token.tag == "VBG" and token.lemma in word_set("saying")
    said = any(t.lower == "according" for t in sentence.children(token.i, "case"))
    return (cited or said) and _behind_comma(sentence, token)


def _behind_comma(sentence: Sentence, token: Token) -> bool:
    start = min(sentence.subtree(token.i))
    before = next((t for t in reversed(sentence.tokens[:start]) if t.text not in QUOTES), None)
    return sentence[start].text == "," or (before is not None and before.text == ",")


def _infinitives(sentence: Sentence, one: VerbComplement) -> list[Token]:
    """The complement's verb, its copula or first auxiliary instead, and those conjoined: "to say it rains and to stay"."""
    found = [one.head]
    for token in (t for t in sentence.tokens[one.head.i + 1 :] if t.dep == "conj"):
        apart = sentence[token.head].tag in FINITE and _marks(sentence, [token.i])
        first = next(iter(sentence.children(token.i, "aux", "aux:pass", "cop")), token)
        bare = first.tag == "VB" or (first.tag == "JJ" and first.head == one.head.i)
        if (apart or token.head in (one.head.i, top_of(one))) and bare and not sentence.children(token.i, "nsubj"):
            found.append(first)
    return found


def _marks(sentence: Sentence, verbs: Iterable[int]) -> set[int]:
    """The "to" of each of the verbs."""
    tops = (predicate_of(sentence, sentence[i]).i for i in verbs)
    return {t.i for top in tops for t in sentence.children(top, "mark") if t.lower == "to"}


def _form(sentence: Sentence, one: VerbComplement, verb: Token) -> str:
    """The complement's verb in the form of the verb that goes."""
    lemma = verb.lower if verb.tag in ("VB", "JJ") else lemma_of(verb.text, "VERB") if verb.pos != "AUX" else verb.lemma
    tag = one.tag if one.tag.startswith("VB") else "VBN"
    subject = sentence.subject(one.verb.i)
    first = subject is not None and subject.lower == "i"
    many = is_plural(sentence, subject) if tag == "VBD" else tag == "VBP" and not first
    return agree(lemma, tag, many=many, first=first)


def _by_object(sentence: Sentence, one: VerbComplement, doer: Token, whole: bool) -> str | None:
    """Object control: "She asked him to leave." gives "He left."."""
    words = [i for i in sentence.subtree(doer.i) if one.verb.i < i < one.mark.i]
    # "urged the court promptly to decide"
    words += [t.i for t in sentence.children(top_of(one), "advmod") if doer.i < t.i < one.mark.i]
    end = min(max(sentence.subtree(one.head.i)) + 1, _matrix_goes_on(sentence, one) if whole else len(sentence))
    many, first = is_plural(sentence, doer) or doer.lower in ("all", "some", "most"), doer.lower == "me"
    swap = {
        verb.i: agree(verb.lemma, _tense(sentence, one), many=many, first=first) for verb in _infinitives(sentence, one)
    }
    if doer.lower in SUBJECT_FORM and len(sentence.subtree(doer.i)) == 1:
        swap[doer.i] = SUBJECT_FORM[doer.lower]
    kept = {*words, *range(one.mark.i + 1, end)} - _marks(sentence, swap)
    return end_sentence(write(sentence, kept, swap=swap), statement=True)


def _tense(sentence: Sentence, one: VerbComplement) -> str:
    """VBD where the verb is in the past, VBZ where it is not: "is asking", "will ask"."""
    helpers = auxiliaries(sentence, one.verb)
    past = (helpers[0].tag if helpers else one.tag) == "VBD" or any(t.lemma == "have" for t in helpers)
    return "VBD" if past else "VBZ"


def _clause(sentence: Sentence, one: VerbComplement, whole: bool) -> str | None:
    """A that-clause without its `that`; a subjunctive gets the tense of the verb: "that he leave" gives "He left."."""
    span = _balanced(sentence, list(range(one.mark.i + 1, _clause_end(sentence, one, whole))))
    if len([i for i in span if not sentence[i].punctuation]) < 2:
        return None
    swap = {}
    bare = _subjunctive(sentence, one)
    if bare is not None:
        subject = sentence.subject(one.head.i)
        tag, many = _tense(sentence, one), is_plural(sentence, subject)
        swap[bare.i] = agree(bare.lemma, tag, many=many, first=subject is not None and subject.lower == "i")
    return end_sentence(write(sentence, span, swap=swap), statement=True)


def _clause_end(sentence: Sentence, one: VerbComplement, whole: bool) -> int:
    """Where the clause stops: the end of the sentence, or what goes on with the main verb behind a comma or conjunction."""
    above = {one.verb.i}
    token = one.verb
    while token.head != token.i and token.head not in above:
        token = sentence[token.head]
        above.add(token.i)
    end = len(sentence)
    if max(above) > one.head.i:
        # "After learning that it rained, she left": what it hangs on comes later.
        end = max(*sentence.subtree(one.verb.i), *sentence.subtree(one.head.i)) + 1
    for token in sentence.tokens[max(one.head.i, one.mark.i) + 1 :]:
        if token.head in above and token.i not in above | {one.head.i} and token.dep in GOES_ON:
            start = min(i for i in sentence.subtree(token.i) if i > one.head.i)
            # A quotation mark may stand between the comma and what it parts.
            before = next((t for t in reversed(sentence.tokens[:start]) if t.text not in QUOTES), None)
            parted = before is not None and before.text in (",", ";", "—", "--")
            if parted or sentence[start].dep == "cc" or sentence[start].text in ",;":
                end = min(end, start)
        further = token.head == one.head.i and _goes_on(sentence, token, one.tag if whole else "")
        if further or _reported(sentence, token):
            end = min(end, min(i for i in sentence.subtree(token.i) if i > one.head.i))
        if _parts_sentences(sentence, token) or _further_clause(sentence, token):
            end = min(end, token.i)
    while end > one.mark.i + 1 and (t := sentence[end - 1]).dep in ("cc", "punct") and t.text not in "\"”')’%":
        end -= 1
    return end


def _parts_sentences(sentence: Sentence, token: Token) -> bool:
    """Whether a mark inside the sentence ends a sentence of its own: not in "Trinit??, and Carbet"."""
    rest = [t.text for t in sentence.tokens[token.i + 1 :] if t.text not in (".", "?", "!", *QUOTES)]
    return token.text == ";" or (token.text in (".", "?", "!") and bool(rest) and not re.match(r"[,a-z]", rest[0]))


def _further_clause(sentence: Sentence, token: Token) -> bool:
    """Whether a second that-clause begins: "…, that it rained", "… and that it rained"."""
    before = sentence[token.i - 1]
    apart = before.text == "," and not sentence[token.head].dep.startswith("acl")
    return token.lower == "that" and (
        (token.dep == "mark" and apart) or (token.dep in ("mark", "det") and before.dep == "cc")
    )


def _goes_on(sentence: Sentence, token: Token, tag: str) -> bool:
    """Whether a further clause begins: "…, and that it rained", "… and the wind fell", "…, she added".

    With the tag of the main verb only behind a comma; then "says that it rains, and stays at home" goes on from "says".
    """
    if token.dep == "parataxis":
        return True
    if tag and not _behind_comma(sentence, token):
        return False
    own = sentence.children(token.i, "nsubj", "expl", "aux", "cop", "mark")
    if not own and token.tag == tag and tag in FINITE:
        return token.dep == "conj" and len(sentence.children(token.head, "conj")) == 1
    return token.dep == "conj" and any(t.tag in FINITE or t.dep not in ("aux", "aux:pass", "cop") for t in own)


def _subjunctive(sentence: Sentence, one: VerbComplement) -> Token | None:
    """The bare verb of a clause that has no finite one, under a verb that asks for it."""
    if one.lemma not in word_set("mandative"):
        return None
    first = next((t for t in sentence.verbs(one.head.i) if t.verbal), None)
    # "demanded that they move" looks like a present.
    asked = ("VB", "VBP") if one.lemma in ("demand", "ask", "order") else ("VB",)
    bare = first is not None and first.tag in asked and first.lower == first.lemma and first.i > one.mark.i
    return first if bare else None


def _balanced(sentence: Sentence, span: list[int]) -> list[int]:
    """A quote or bracket at either end that has no partner inside is left out."""
    for open_marks, close in (('"', '"'), ("“", "”"), ("(", ")"), ("'", "'"), ("``", "''")):
        marks = [i for i in span if sentence[i].text in (open_marks, close) and sentence[i].tag != "POS"]
        if len(marks) % 2 == 1:
            outer = marks[-1] if marks[-1] == span[-1] else marks[0]
            if close == "'" and outer not in (span[0], span[-1]):
                # An apostrophe, not a quote: "Congress' decision".
                continue
            span = [i for i in span if i != outer]
    return span
