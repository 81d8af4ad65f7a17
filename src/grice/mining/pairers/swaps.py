"""Real sentences with another main verb, complement verb or complement type (veridicality §6.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from grice.mining._constructions import VerbComplement, auxiliaries, constructions
from grice.mining._context import is_opaque
from grice.mining._english import inflect, write
from grice.mining._negation import negate
from grice.mining._words import word_classes, word_set
from grice.mining.pairers.complements import ENVIRONMENTS, complement_sentence, exclusion_reason, signs, traits
from grice.mining.pairs import LONGEST_WORDS, MinedPair, Outcome, Skip, unfit_reason
from grice.mining.parse import Sentence, Token
from grice.mining.sampling import draw
from grice.theory.signature import SignatureEntry, extended_lexicon, lexicon, published_verb

OTHER = {"to": "that", "that": "to"}
PERSONS = {"i", "he", "she", "we", "they", "you", "who", "someone", "everyone", "somebody", "everybody"}
NO_SUBJECTS = {"it", "there", "this", "that", "what", "which"}
# A sentence that begins so gives a purpose, a reason or a contrast, which another verb would not fit.
OPENINGS = {"to", "though", "although", "while", "as", "since", "because", "once"}
# What takes no other verb's place well: "be that" and "give that" are no verbs of saying or doing, and the list keeps
# two past forms beside their verbs.
UNFIT = {"be", "give", "use", "have", "saw", "felt"}
FAMILIES = ("saying", "thinking", "finding", "showing", "wanting", "trying", "needing", "failing", "seeming", "doing")
# Who "ceased to smoke" did so before.
CEASED = ("main", "cease", "to", "positive")
# Modals of what is to come or to be done, which few facts have: "noticed that they should go".
TO_COME = {"should", "will", "shall", "could", "'ll", "’ll"}
DATED = re.compile(r"\b((19|20)\d\d|\w+day|tomorrow|tonight|(this|last|next) (week|month|year))\b")
# What no sentence with a person as its subject takes ("they seem that", "he tells that"), or few sentences.
IMPOSSIBLE = {*((verb, "that") for verb in ("seem", "appear", "tell", "ensure")), ("deserve", "to"), ("threaten", "to")}


def swaps(
    sentence: Sentence, *, targets: int = 60, longest: int = LONGEST_WORDS, seed: int = 0, only: str = ""
) -> Outcome:
    """The sentence as it is and with other verbs, as groups tagged like the generator's: `swap`, `target`, `environment`.

    base: as it is; main: a target of the same complement as main verb; mismatch: one of the other complement;
    complement: a target as the complement's verb; type: to for that, or back. What is not English has no gold.
    Targets fit the sentence: its subject, its tense, the complement's own verb. `only` names the one construction that is
    meant, by a hand that has chosen it already; then every listed verb is a target, as in the paper.
    """
    if not only and (reason := unfit_reason(sentence, longest)):
        return [Skip(reason)]
    results: Outcome = []
    for one in constructions(sentence):
        verb = _verb(one, only)
        another = "" if f"{verb} {one.complement}" == only else "another construction"
        reason = another if only else exclusion_reason(sentence, one) or _unfit(sentence, one)
        hypothesis = None if reason else complement_sentence(sentence, one, whole=not only)
        if (
            hypothesis is None
            or one.doer is not None
            or (verb, one.complement) not in (_listed(only) if only else extended_lexicon())
        ):
            results.append(Skip(reason or "no listed verb with a sentence of its own"))
            continue
        own, other = (verb, one.complement), {one.mark.i: OTHER[one.complement]}
        results += _pairs(sentence, one, "base", own, (sentence.text.strip(), negate(sentence, one)), hypothesis, only)
        for target in _chosen(sentence, one, one.complement, targets, seed, only):
            results += _main(sentence, one, target, hypothesis, "main", only)
        for target in _inner(sentence, one, targets, seed, only):
            results += _complement(sentence, one, target, only)
        # Those without a label are fewer, but for the paper's tables.
        for target in _chosen(
            sentence, one, OTHER[one.complement], targets if only else (targets + 7) // 8, seed, only
        ):
            results += _main(sentence, one, target, hypothesis, "mismatch", only)
        if only or one.listed_verb not in word_set("both frames"):
            premises = (write(sentence, swap=other), negate(sentence, one, swap=other))
            results += _pairs(sentence, one, "type", own, premises, hypothesis, only)
    return results or [Skip("no verb with a complement")]


TargetVerb = tuple[str, str]


def _verb(one: VerbComplement, only: str) -> str:
    """The verb as the list has it that is meant."""
    return published_verb(one.verb.lower, one.listed_verb, one.complement) if only else one.listed_verb


def _listed(only: str) -> Mapping[TargetVerb, str]:
    """The signatures of the verbs that may be put in: the published ones, or for real sentences those readers agree on."""
    if only:
        return lexicon()
    return {key: entry.signature for key, entry in extended_lexicon().items() if "?" not in entry.signature}


def _unfit(sentence: Sentence, one: VerbComplement) -> str:
    """Why no other verb takes this one's place: a particle, an object, an expletive subject, "the time has come to"."""
    subject, helpers = sentence.subject(one.verb.i), auxiliaries(sentence, one.verb)
    can = {t.lower for t in helpers} & {"can", "could"}
    reasons = {
        "an idiom": one.name == "come to",
        "an emphatic do": any(t.lemma == "do" for t in helpers),
        "words between": any(t.pos in ("PRON", "NOUN", "PROPN") for t in sentence.tokens[one.verb.i + 1 : one.mark.i]),
        "a particle or an object": one.particle or sentence.children(one.verb.i, "obj", "iobj", "obl"),
        "no subject for another verb": subject is None or subject.dep == "expl" or subject.lower in NO_SUBJECTS,
        "a progressive": one.tag == "VBG",
        "a perfect, progressive or passive infinitive": one.complement == "to" and one.head.dep in ("aux", "aux:pass"),
        "a perception": can and one.lemma in word_set("perception"),
        "a quotation": one.head.lemma in word_set("saying") and set(sentence.text) & set('"“'),
        "a subjunctive": one.complement == "that" and one.lemma in word_set("mandative"),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _is_person(sentence: Sentence, one: VerbComplement) -> bool:
    """Whether the subject is a person as far as the word tells: a pronoun of persons, a name of one, a role."""
    subject = sentence.subject(one.verb.i)
    if subject is None or (subject.lower == "they" and one.listed_verb in word_set("raising")):
        return False
    first = min([subject.i, *(t.i for t in sentence.children(subject.i, "flat", "compound"))])
    said = one.complement == "that" and one.listed_verb not in word_set("raising") | word_set("showing")
    return (
        (said and subject.tag == "NNP" and not any(t.tag in ("DT", "PRP$") for t in sentence.children(subject.i)))
        or subject.lower in PERSONS
        or subject.lower in word_set("people")
        or word_classes().get(sentence[first].text) == "name first"
    )


def _chosen(
    sentence: Sentence, one: VerbComplement, complement: str, count: int, seed: int, only: str
) -> list[TargetVerb]:
    """As many targets for every sentence, drawn by its text, so that each target meets as many sentences."""
    able = [t for t in _listed(only) if t[1] == complement and t[0] not in {one.listed_verb, *UNFIT}]
    if not only:
        able = [t for t in able if t in lexicon() and t not in IMPOSSIBLE and t[0] not in word_set("mandative")]
        if complement == one.complement:
            able = [t for t in able if _takes(sentence, one, t[0])]
        speaker = sentence.subject(one.verb.i)
        if speaker is not None and speaker.lower in ("i", "we") and one.tag == "VBP":
            # "I reveal that it rains": who says so does it.
            able = [t for t in able if t[0] not in ("reveal", "discover", "learn", "verify", "know", "confirm")]
        if any(t.tag == "MD" for t in auxiliaries(sentence, one.verb)):
            able = [t for t in able if t[0] not in word_set("raising") | word_set("before be")]
        if complement != one.complement:
            able = [t for t in able if t[0] not in word_set("both frames")]
        elif not _is_person(sentence, one):
            able = [t for t in able if t[0] in word_set("raising" if complement == "to" else "showing")]
            same_kind = one.listed_verb in word_set("raising") | word_set("showing")
            able = able if same_kind or complement == "to" else []
    return sorted(able, key=lambda target: draw(f"{seed}/{' '.join(target)}/{sentence.text}"))[:count]


def _takes(sentence: Sentence, one: VerbComplement, target: str) -> bool:
    """Whether the target goes with such a complement: "proved to be", "estimated that ten"."""
    if one.complement == "to":
        state = one.head.lemma in word_set("states")
        unreal = any(t.tag == "MD" and t.lower not in ("will", "'ll", "’ll") for t in auxiliaries(sentence, one.verb))
        return not unreal and (target in word_set("before be") if state else target != "prove")
    return target != "estimate" or any(t.pos == "NUM" for t in sentence.tokens[one.mark.i :])


def _family(verb: str, complement: str) -> str:
    return next((name for name in FAMILIES if f"{verb} {complement}" in word_set(f"verbs of {name}")), "other")


def _fit(sentence: Sentence, one: VerbComplement, target: str, signature: str) -> Iterator[str]:
    """What tells how well a main verb fits: its family beside that of the verb it replaces, the subject, the clause."""
    family, former = (_family(verb, one.complement) for verb in (target, one.listed_verb))
    who, whose = (t.lower if t and t.tag == "PRP" else "" for t in map(sentence.subject, (one.verb.i, one.head.i)))
    yield from (f"put {target} {one.complement}", f"place {former} {family}", f"same family {former == family}")
    yield f"{family} {one.tag}"
    rest, happens = sentence.text[one.mark.start :], one.head.lemma not in word_set("states")
    # "I manage to thank you", "appears to open a shop on Monday", "noticed that he had left"
    reasons = {
        "speaker": one.complement == "to" and who == "i" and one.tag == "VBP",
        "event": target in ("happen", "appear", "seem", "cease")
        and happens
        and (one.tag == "VBN" or DATED.search(rest)),
        "own doings": one.complement == "that" and family != "saying" and whose and who in ("", whose),
    }
    yield from (f"unfit {reason}" for reason, holds in reasons.items() if holds)
    if one.complement == "that":
        verbs = (one.head, *auxiliaries(sentence, one.head))
        modals = {t.lower for t in verbs if t.tag == "MD"}
        past = "past" if any(t.tag == "VBD" for t in verbs) else "present"
        tense = "to come" if modals & TO_COME else "modal" if modals else past
        yield from (f"{tense} {family}", f"{tense} {signature}")


def _misfits(sentence: Sentence, one: VerbComplement) -> Iterator[str]:
    """What another verb would not bear: "urgently need to", "Speaking in London, he said", a modal, what came of it."""
    before = (sentence[0], *(t for t in sentence.children(one.verb.i, "advcl") if t.i < one.verb.i))
    ends = {one.verb.i, one.head.i, one.top.i if one.top is not None else one.head.i}
    behind = (t.dep for t in sentence.tokens[one.head.i + 1 :] if t.head in ends)
    reasons = {
        "adverb": any(t.lower not in word_set("any verb") for t in sentence.children(one.verb.i, "advmod")),
        "opening": sentence[0].lower in OPENINGS or {"VB", "VBG", "VBN", "TO"} & {t.tag for t in before},
        "modal": any(t.tag == "MD" for t in auxiliaries(sentence, one.verb)),
        "rest": one.complement == "to" and {"conj", "advcl", "parataxis"} & {*behind},
    }
    yield from (f"unfit {reason}" for reason, holds in reasons.items() if holds)


def _inner(sentence: Sentence, one: VerbComplement, count: int, seed: int, only: str) -> list[TargetVerb]:
    """Targets for the complement's verb: any in the paper's way, else where that verb has such a complement itself."""
    if only:
        return _chosen(sentence, one, one.complement, count, seed, only)
    inner = next((c for c in constructions(sentence) if c.verb.i == one.head.i and c.doer is None), None)
    passive = any(t.dep == "aux:pass" for t in sentence.children(one.head.i))
    if inner is None or _unfit(sentence, inner) or not _is_person(sentence, one) or one.head.tag == "VBG" or passive:
        return []
    return _chosen(sentence, inner, inner.complement, count, seed, only)


def _pairs(
    sentence: Sentence,
    one: VerbComplement,
    swap: str,
    target: TargetVerb,
    premises: tuple[str, str],
    hypothesis: str,
    only: str,
) -> Iterator[MinedPair]:
    """The pairs of both environments; the written ones go through the gate where they should be English."""
    name, signatures = " ".join(target), _listed(only)
    verb = _verb(one, only)
    own = signatures[verb, one.complement] if only else one.signature
    signature = signatures[target] if swap == "main" else own
    natural = swap in ("base", "main", "complement")
    fit = [*_fit(sentence, one, target[0], signature)] if swap == "main" else []
    fit += _misfits(sentence, one) if swap != "base" else []
    for environment, premise in zip(ENVIRONMENTS, premises, strict=True):
        tags = {
            "verb": target[0] if swap == "main" else verb,
            "complement": one.complement,
            "construction": f"{target[0]} {one.complement}"
            if swap in ("main", "mismatch")
            else f"{verb} {one.complement}",
            "signature": signature,
            "environment": environment,
            "swap": swap,
            "target": name,
            "target_signature": signatures.get(target, own),
        }
        label = SignatureEntry(signature, "").label(environment)
        stopped = not only and one.tag in ("VBD", "VBN") and (swap, *target, environment) == CEASED
        opaque = label is None or is_opaque(sentence, replace(one, lemma=str(tags["verb"])), label, environment)
        if natural and (stopped or opaque):
            continue
        gold = {"signature": label} if natural and label else {}
        key = f"{one.verb.start}/{swap}/{name.replace(' ', '_')}/{environment}"
        found = swap == "base" and environment == "positive"
        written = (*(() if found else (premise,)), hypothesis) if natural else ()
        against = [*signs(sentence, one, environment, hypothesis), *fit]
        clean = not any(name.startswith(("unclear", "clash", "unfit")) for name in against)
        yield MinedPair(
            premise, hypothesis, gold, tags, key, one.name, f"{one.verb.start}/{swap}/{name}", written, sure=one.sure,
            rules=(
                f"{swap} {one.complement} {environment}", f"clean {clean} {swap}", *against,
                *(trait for trait in traits(sentence, one) if not trait.startswith("verb ")),
            ),
        )  # fmt: skip


def _main(
    sentence: Sentence, one: VerbComplement, target: TargetVerb, hypothesis: str, swap: str, only: str
) -> Iterator[MinedPair]:
    """The target in the place of the main verb, in its form."""
    put = {one.verb.i: _as(one.verb, target[0], one.tag)}
    premises = (write(sentence, swap=put), negate(sentence, replace(one, lemma=target[0]), swap=put))
    return _pairs(sentence, one, swap, target, premises, hypothesis, only)


def _complement(sentence: Sentence, one: VerbComplement, target: TargetVerb, only: str) -> Iterable[MinedPair]:
    """The target as the verb of the complement, in premise and hypothesis alike."""
    head = one.head
    if not head.tag.startswith("VB") or head.lemma == "be":
        return ()
    put = {head.i: _as(head, target[0], head.tag)}
    changed = _with(sentence, head, put[head.i], target[0])
    hypothesis = complement_sentence(changed, replace(one, head=changed[head.i]), whole=not only)
    if hypothesis is None:
        return ()
    premises = (write(sentence, swap=put), negate(sentence, one, swap=put))
    return _pairs(sentence, one, "complement", target, premises, hypothesis, only)


def _as(token: Token, lemma: str, tag: str) -> str:
    form = inflect(lemma, tag if tag.startswith("VB") else "VBD")
    return form.capitalize() if token.text[:1].isupper() else form


def _with(sentence: Sentence, token: Token, text: str, lemma: str) -> Sentence:
    """The parse with one word changed; offsets stay those of the source, since only the words are read from it."""
    tokens = list(sentence.tokens)
    tokens[token.i] = replace(token, text=text, lemma=lemma)
    return Sentence(sentence.text, tuple(tokens), sentence.constituents)
