"""Real sentences with another main verb, complement verb or complement type (veridicality §6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from grice.mining._constructions import VerbComplement, constructions
from grice.mining._english import inflect, write
from grice.mining._negation import negate
from grice.mining.pairers.complements import ENVIRONMENTS, complement_sentence, exclusion_reason
from grice.mining.pairs import MinedPair, Outcome, Skip
from grice.mining.parse import Sentence, Token
from grice.mining.sampling import draw
from grice.theory.signature import expected_label, lexicon

OTHER = {"to": "that", "that": "to"}
# What takes no other verb's place well: "be that" and "give that" are no verbs of saying or doing, and the list keeps
# two past forms beside their verbs.
UNFIT = {"be", "give", "use", "have", "saw", "felt"}


def swaps(sentence: Sentence, *, targets: int = 2, seed: int = 0, only: str = "") -> Outcome:
    """The sentence as it is and with other verbs, as groups tagged like the generator's: `swap`, `target`, `environment`.

    base: as it is; main: a target of the same complement as main verb; mismatch: one of the other complement;
    complement: a target as the complement's verb; type: to for that, or back. What is not English has no gold.
    `only` names the one construction that is meant, by a hand that has chosen it already.
    """
    results: Outcome = []
    for one in constructions(sentence):
        another = "" if one.name == only else "another construction"
        reason = another if only else exclusion_reason(sentence, one)
        hypothesis = None if reason else complement_sentence(sentence, one)
        if hypothesis is None or one.doer is not None or one.name not in _names():
            results.append(Skip(reason or "no listed verb with a sentence of its own"))
            continue
        own, other = (one.lemma, one.complement), {one.mark.i: OTHER[one.complement]}
        results += _pairs(one, "base", own, (sentence.text.strip(), negate(sentence, one)), hypothesis)
        for target in _chosen(sentence, one, one.complement, targets, seed):
            results += _main(sentence, one, target, hypothesis, "main")
            results += _complement(sentence, one, target)
        for target in _chosen(sentence, one, OTHER[one.complement], targets, seed):
            results += _main(sentence, one, target, hypothesis, "mismatch")
        premises = (write(sentence, swap=other), negate(sentence, one, swap=other))
        results += _pairs(one, "type", own, premises, hypothesis)
    return results or [Skip("no verb with a complement")]


TargetVerb = tuple[str, str]


def _names() -> set[str]:
    return {f"{verb} {complement}" for verb, complement in lexicon()}


def _chosen(sentence: Sentence, one: VerbComplement, complement: str, count: int, seed: int) -> list[TargetVerb]:
    """As many targets for every sentence, drawn by its text, so that each target meets as many sentences."""
    able = [t for t in lexicon() if t[1] == complement and t[0] not in {one.lemma, *UNFIT}]
    return sorted(able, key=lambda target: draw(f"{seed}/{' '.join(target)}/{sentence.text}"))[:count]


def _pairs(
    one: VerbComplement, swap: str, target: TargetVerb, premises: tuple[str, str], hypothesis: str
) -> Iterator[MinedPair]:
    """The pairs of both environments."""
    name, signature = " ".join(target), lexicon()[target] if swap == "main" else one.signature
    for environment, premise in zip(ENVIRONMENTS, premises, strict=True):
        tags = {
            "verb": target[0] if swap == "main" else one.lemma,
            "complement": one.complement,
            "construction": f"{target[0]} {one.complement}" if swap in ("main", "mismatch") else one.name,
            "signature": signature,
            "environment": environment,
            "swap": swap,
            "target": name,
            "target_signature": lexicon()[target],
        }
        natural = swap in ("base", "main", "complement")
        gold = {"signature": expected_label(signature, environment)} if natural else {}
        key = f"{one.verb.start}/{swap}/{name.replace(' ', '_')}/{environment}"
        yield MinedPair(premise, hypothesis, gold, tags, key, one.name, f"{one.verb.start}")


def _main(
    sentence: Sentence, one: VerbComplement, target: TargetVerb, hypothesis: str, swap: str
) -> Iterator[MinedPair]:
    """The target in the place of the main verb, in its form."""
    put = {one.verb.i: _as(one.verb, target[0], one.tag)}
    premises = (write(sentence, swap=put), negate(sentence, replace(one, lemma=target[0]), swap=put))
    return _pairs(one, swap, target, premises, hypothesis)


def _complement(sentence: Sentence, one: VerbComplement, target: TargetVerb) -> Iterable[MinedPair]:
    """The target as the verb of the complement, in premise and hypothesis alike."""
    head = one.head
    if not head.tag.startswith("VB") or head.lemma == "be":
        return ()
    put = {head.i: _as(head, target[0], head.tag)}
    changed = _with(sentence, head, put[head.i], target[0])
    hypothesis = complement_sentence(changed, replace(one, head=changed[head.i]))
    if hypothesis is None:
        return ()
    premises = (write(sentence, swap=put), negate(sentence, one, swap=put))
    return _pairs(one, "complement", target, premises, hypothesis)


def _as(token: Token, lemma: str, tag: str) -> str:
    form = inflect(lemma, tag if tag.startswith("VB") else "VBD")
    return form.capitalize() if token.text[:1].isupper() else form


def _with(sentence: Sentence, token: Token, text: str, lemma: str) -> Sentence:
    """The parse with one word changed; offsets stay those of the source, since only the words are read from it."""
    tokens = list(sentence.tokens)
    tokens[token.i] = replace(token, text=text, lemma=lemma)
    return Sentence(sentence.text, tuple(tokens), sentence.constituents)
