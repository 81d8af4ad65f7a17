"""Put another main verb, complement verb or complement type into real sentences (§6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grice.mining._clauses import complement_sentence, keeps_loose_clause
from grice.mining._constructions import VerbComplement, constructions
from grice.mining._english import inflect, write
from grice.mining._negation import negate
from grice.mining._targets import (
    SwapOptions,
    Target,
    agreed_signatures,
    choose_inner,
    choose_targets,
    irreplaceable,
)
from grice.mining._words import word_set
from grice.mining.pairers.complements import ENVIRONMENTS, exclusion_reason, signs, traits
from grice.mining.pairs import MinedPair, PairOutcome, Skip
from grice.mining.parse import Sentence, Token
from grice.mining.signals.context import is_opaque
from grice.mining.signals.substitution import fit_features, misfits
from grice.mining.sources import MAX_WORDS, unfit_reason
from grice.theory.signature import Environment, SignatureEntry, extended_lexicon

OTHER = {"to": "that", "that": "to"}
# Who "ceased to smoke" did so before.
CEASED = ("main", "cease", "to", "positive")
# Swaps that should be English; the others have no gold label and are not checked.
NATURAL = ("base", "main", "complement")


@dataclass(frozen=True)
class Swap:
    """One swap of a sentence: its kind, the verb put in, both premises and the hypothesis."""

    kind: str
    target: Target
    premises: tuple[str, str]
    hypothesis: str

    @property
    def name(self) -> str:
        """Return the target as in tags: "hope to"."""
        return " ".join(self.target)


def swaps(
    sentence: Sentence, *, targets: int = 60, longest: int = MAX_WORDS, seed: int = 0
) -> PairOutcome:
    """Return the sentence as it is and with other verbs, tagged as the generator tags its own.

    The tag `swap` is "base" (as it is), "main" (a target of the same complement as main verb),
    "mismatch" (one of the other complement), "complement" (a target as the complement's verb) or
    "type" (to for that, or back). What is not English has no gold label. Targets fit the sentence:
    its subject, its tense, the complement's own verb.
    """
    if reason := unfit_reason(sentence, longest):
        return [Skip(reason)]
    options = SwapOptions(targets, seed)
    outcome: PairOutcome = []
    for site in constructions(sentence):
        reason = exclusion_reason(sentence, site) or irreplaceable(sentence, site)
        hypothesis = None if reason else complement_sentence(sentence, site, all_clauses=True)
        verb = (site.listed_verb, site.complement)
        if hypothesis is not None and keeps_loose_clause(sentence, hypothesis):
            reason, hypothesis = "a clause of either verb", None
        is_listed = site.doer is None and verb in extended_lexicon()
        if hypothesis is None or not is_listed:
            outcome.append(Skip(reason or "no listed verb with a sentence of its own"))
            continue
        for swap in _swaps_of(sentence, site, hypothesis, options):
            outcome += _pair_swap(sentence, site, swap)
    return outcome or [Skip("no verb with a complement")]


def _swaps_of(
    sentence: Sentence, site: VerbComplement, hypothesis: str, options: SwapOptions
) -> Iterator[Swap]:
    """Yield the swaps of a construction, the sentence as it is first."""
    own, opposite = (site.listed_verb, site.complement), OTHER[site.complement]
    premises = (sentence.text.strip(), negate(sentence, site))
    yield Swap("base", own, premises, hypothesis)
    for target in choose_targets(sentence, site, site.complement, options.targets, options):
        yield _swap_main(sentence, site, target, hypothesis, "main")
    yield from _swap_complements(sentence, site, options)
    # Those without a label are fewer.
    count = (options.targets + 7) // 8
    for target in choose_targets(sentence, site, opposite, count, options):
        yield _swap_main(sentence, site, target, hypothesis, "mismatch")
    if site.listed_verb not in word_set("both frames"):
        mark = {site.mark.i: opposite}
        premises = (write(sentence, swap=mark), negate(sentence, site, swap=mark))
        yield Swap("type", own, premises, hypothesis)


def _swap_main(
    sentence: Sentence, site: VerbComplement, target: Target, hypothesis: str, kind: str
) -> Swap:
    """Put the target in the place of the main verb, in its form."""
    put = {site.verb.i: _inflect_like(site.verb, target[0], site.tag)}
    negated = negate(sentence, replace(site, lemma=target[0]), swap=put)
    return Swap(kind, target, (write(sentence, swap=put), negated), hypothesis)


def _swap_complements(
    sentence: Sentence, site: VerbComplement, options: SwapOptions
) -> Iterator[Swap]:
    """Put targets in the place of the complement's verb, in premise and hypothesis alike."""
    head = site.head
    if not head.tag.startswith("VB") or head.lemma == "be":
        return
    for target in choose_inner(sentence, site, options):
        put = {head.i: _inflect_like(head, target[0], head.tag)}
        changed = _replace_word(sentence, head, put[head.i], target[0])
        inner = replace(site, head=changed[head.i])
        hypothesis = complement_sentence(changed, inner, all_clauses=True)
        if hypothesis is not None:
            premises = (write(sentence, swap=put), negate(sentence, site, swap=put))
            yield Swap("complement", target, premises, hypothesis)


def _inflect_like(token: Token, lemma: str, tag: str) -> str:
    form = inflect(lemma, tag if tag.startswith("VB") else "VBD")
    return form.capitalize() if token.text[:1].isupper() else form


def _replace_word(sentence: Sentence, token: Token, text: str, lemma: str) -> Sentence:
    """Return the parse with one word changed; offsets stay those of the source."""
    tokens = list(sentence.tokens)
    tokens[token.i] = replace(token, text=text, lemma=lemma)
    return Sentence(sentence.text, tuple(tokens))


def _pair_swap(sentence: Sentence, site: VerbComplement, swap: Swap) -> Iterator[MinedPair]:
    """Yield the pairs of both environments."""
    listed, verb, own = agreed_signatures(), site.listed_verb, site.signature
    signature = listed[swap.target] if swap.kind == "main" else own
    fit: list[str] = []
    if swap.kind == "main":
        fit += fit_features(sentence, site, swap.target[0], signature)
    if swap.kind != "base":
        fit += misfits(sentence, site)
    for environment, premise in zip(ENVIRONMENTS, swap.premises, strict=True):
        tags = {
            "verb": swap.target[0] if swap.kind == "main" else verb,
            "complement": site.complement,
            "construction": _construction_name(site, swap, verb),
            "signature": signature,
            "environment": environment,
            "swap": swap.kind,
            "target": swap.name,
            "target_signature": listed.get(swap.target, own),
        }
        gold: dict[str, str] = {}
        written: tuple[str, ...] = ()
        if swap.kind in NATURAL:
            label = _label(sentence, site, swap, signature, environment)
            if label is None:
                continue
            gold = {"signature": label}
            is_source = swap.kind == "base" and environment == "positive"
            written = (*(() if is_source else (premise,)), swap.hypothesis)
        fired = [*signs(sentence, site, environment, swap.hypothesis), *fit]
        yield MinedPair(
            premise,
            swap.hypothesis,
            gold,
            tags,
            key=f"{site.verb.start}/{swap.kind}/{swap.name.replace(' ', '_')}/{environment}",
            stratum=site.name,
            group=f"{site.verb.start}/{swap.kind}/{swap.name}",
            written=written,
            sure=site.sure,
            rules=(
                f"{swap.kind} {site.complement} {environment}",
                f"clean {_is_clean(fired)} {swap.kind}",
                *fired,
                *(trait for trait in traits(sentence, site) if not trait.startswith("verb ")),
            ),
        )


def _construction_name(site: VerbComplement, swap: Swap, verb: str) -> str:
    if swap.kind in ("main", "mismatch"):
        return f"{swap.target[0]} {site.complement}"
    return f"{verb} {site.complement}"


def _label(
    sentence: Sentence, site: VerbComplement, swap: Swap, signature: str, environment: Environment
) -> str | None:
    """Return the label by the signature; None where readers differ or something cancels it."""
    label = SignatureEntry(signature, "").label(environment)
    if label is None:
        return None
    is_ceased = (swap.kind, *swap.target, environment) == CEASED
    if is_ceased and site.tag in ("VBD", "VBN"):
        return None
    verb = swap.target[0] if swap.kind == "main" else site.listed_verb
    is_cancelled = is_opaque(sentence, replace(site, lemma=verb), label, environment)
    return None if is_cancelled else label


def _is_clean(fired: Iterable[str]) -> bool:
    return not any(name.startswith(("unclear", "clash", "unfit")) for name in fired)
