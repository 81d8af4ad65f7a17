"""Conjuncts removed, added and replaced in real sentences, with labels by rule (ConjNLI §3 and §5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grice.mining._coordinated import Coordination
from grice.mining._coordination import coordinations
from grice.mining._doubts import doubts
from grice.mining._english import agree, end_sentence, is_plural, write
from grice.mining._losses import losses
from grice.mining._replacements import Replacement, replacements
from grice.mining._rules import RuleLabel, label, traits
from grice.mining._words import word_set
from grice.mining.pairs import LONGEST_WORDS, MinedPair, Outcome, Skip, sure_band, unfit_reason
from grice.mining.parse import Sentence, Token
from grice.theory.conjuncts import Operation


@dataclass(frozen=True)
class ConjunctEdit:
    """One way to change a coordination: the new sentence, what was done, and to which side."""

    where: Coordination
    operation: Operation
    side: str
    text: str
    change: Replacement | None = None

    @property
    def detail(self) -> str:
        """How the word of a replaced conjunct was found."""
        return self.change.detail if self.change else ""


def conjuncts(sentence: Sentence, *, every: bool = False, longest: int = LONGEST_WORDS, seed: int = 0) -> Outcome:
    """Pairs with a conjunct removed, added (the same pair turned round) and replaced, each with the rule of its label.

    Of the readings of a coordination's bounds the likeliest alone, and only of conjuncts alike, unless `every` one is wanted.
    """
    if reason := unfit_reason(sentence, longest):
        return [Skip(reason)]
    if not every and sentence.text.rstrip("\"”')! ").endswith("?"):
        return [Skip("a question")]
    results: Outcome = []
    seen = {sentence.text.strip()}
    for where in coordinations(sentence):
        if not every and not where.likeliest:
            continue
        doubted = [] if every else doubts(sentence, where)
        for change in _edits(sentence, where, seed):
            if change.text not in seen:
                lost = [] if every else losses(sentence, where, change.side, replaced=change.change is not None)
                seen.add(change.text)
                signs = (*(f"doubt {name}" for name in doubted), *(f"loss {name}" for name in lost))
                made = list(_pairs(sentence, change, signs))
                agreed = made if every else [pair for pair in made if _is_agreed(pair)]
                results += agreed
                results += [Skip("readers differ on what follows")] * (len(made) - len(agreed))
    return results or [Skip("no coordination")]


def _is_agreed(pair: MinedPair) -> bool:
    """Whether logic, readers and ConjNLI agree on what follows; they differ on names, groups and most of `or`: "Ana came" says "Ana or Ben came"."""
    if pair.tags["changed"] != "or" or pair.tags["operation"] == "replaced":
        return pair.tags["rule"] not in ("name", "collective")
    return (pair.tags["rule"], pair.tags["operation"]) in AGREED


AGREED = {("exclusive", "removed"), ("denied", "removed"), ("denied", "added")}
# Signs that what is left does not follow; they say nothing of the pair turned round, in which nothing follows anyway.
FOLLOWS = {
    "together", "made_by", "counted", "joint_noun", "joint_amount", "equated", "best_of", "many_of",
}  # fmt: skip


def conjunct_edits(sentence: Sentence, *, seed: int = 0) -> Iterator[ConjunctEdit]:
    """Every change of every reading of every coordination, removals first."""
    for where in coordinations(sentence):
        yield from _edits(sentence, where, seed)


def _edits(sentence: Sentence, where: Coordination, seed: int) -> Iterator[ConjunctEdit]:
    """The changes of one reading of a coordination."""
    if _needs_both(sentence, where):
        return
    for side in ("right", "left"):
        text = remove_conjunct(sentence, where, side)
        if text is not None:
            yield ConjunctEdit(where, "removed", side, text)
    for change in replacements(sentence, where, seed=seed):
        side = "left" if change.token.i in where.left else "right"
        text = end_sentence(write(sentence, swap={change.token.i: change.word}), "")
        yield ConjunctEdit(where, "replaced", side, text, change)


def _pairs(sentence: Sentence, change: ConjunctEdit, signs: tuple[str, ...] = ()) -> Iterator[MinedPair]:
    ways: list[tuple[Operation, str, str]] = [(change.operation, sentence.text.strip(), change.text)]
    if change.operation == "removed":
        ways.append(("added", change.text, sentence.text.strip()))
    for operation, premise, hypothesis in ways:
        given: RuleLabel = label(sentence, change.where, operation, change.change)
        tags = {
            **traits(sentence, change.where),
            "changed": change.where.word,
            "operation": operation,
            "side": change.side,
            "category": change.where.category,
            "rule": given.rule,
            **({"replaced": change.detail} if change.detail else {}),
        }
        told = [sign for sign in signs if operation != "added" or sign.split()[1] not in FOLLOWS]
        gold = {"heuristic": given.label, **({"boolean": given.boolean} if given.boolean else {})}
        key = f"{change.where.mark.start}{operation[0]}{change.side[0]}"
        stratum = "or" if change.where.word == "nor" else change.where.word
        yield MinedPair(
            premise, hypothesis, gold, tags, key, stratum, written=(change.text,), sure=_sure(sentence, change.where),
            rules=(
                f"{change.where.word} {operation} by {given.rule}", f"category {change.where.category}",
                f"{operation} {change.side}", f"{operation} of {change.where.category}",
                *_traits(sentence, change.where, operation, told),
            ),
        )  # fmt: skip


def _sure(sentence: Sentence, where: Coordination) -> float:
    """How sure the parser is of both conjuncts: their heads, and what ends the one and begins the other."""
    edges = (sentence[i] for i in (where.left.start, where.right.stop - 1))
    return min([where.sure, *(t.sure for t in edges if not t.punctuation)])


def _traits(sentence: Sentence, where: Coordination, operation: str, signs: Sequence[str]) -> tuple[str, ...]:
    """What confidence is fitted on besides: the place and shape of the coordination, what follows, how sure the parser is, the signs.

    What ends its sentence is surer than what goes on, most of all where a pronoun follows.
    """
    begin, end = min(span.start for span in (*where.before, where.left)), where.right.stop
    parts = {"joints": sentence.tokens[max(0, begin - 1) : end + 1], "words": sentence.tokens}
    sure = [sure_band(name, min(t.sure for t in part if not t.punctuation)) for name, part in parts.items()]
    place, size = where.first(sentence).dep, "clause" if where.kinds[1] in ("Clause", "VP") else "phrase"
    bare = ", ".join("one word" if len(span) == 1 else "more" for span in (where.left, where.right))
    behind = [t for t in sentence.tokens[end:] if not t.punctuation]
    shape = ["list" if where.before else "two", "pause" if where.pause is not None else "no pause", f"{size} of {bare}"]
    shape += ["goes on" if behind else "ends", *(["pronoun behind"] if any(t.tag[:3] == "PRP" for t in behind) else [])]
    return (f"as {place}", f"{operation} as {place}", *shape, *sure, *(signs or ("plain", f"plain {operation} {size}")))


def _needs_both(sentence: Sentence, where: Coordination) -> bool:
    words = {t.lower for t in sentence.tokens}
    if words & (word_set("both needed") - {"between"}) or [sentence[i].lower for i in where.right] == ["not"]:
        return True
    if any(t.lower == "both" and t.i != where.partner for t in sentence.tokens):
        return True
    before = [t.lower for t in sentence.tokens[max(0, where.left.start - 3) : where.left.start]]
    if "between" in before and where.word == "and":
        return True
    left, right = ([sentence[i].lower for i in span] for span in (where.left, where.right))
    later = [t for t in sentence.children(where.first(sentence).i, "conj") if not sentence.children(t.i, "cc")]
    goes_on = where.before and any(min(sentence.subtree(t.i)) == where.right.stop for t in later)
    if left == right or goes_on or _is_glued(sentence, where):
        return True
    except_one = right[0] in ("one", "two") and bool(word_set("universals") & set(left))
    if where.word == "but" and (except_one or left[-1] in ("help", "had")):
        # "every nation but one", "could not help but laugh", "had but to ask"
        return True
    # "not only … but also" and "as well as" would keep half of themselves.
    return where.word == "but" and any(
        t.lower == "only" and t.i and sentence[t.i - 1].lower in ("not", "n't") for t in sentence.tokens[: where.mark.i]
    )


def _is_glued(sentence: Sentence, where: Coordination) -> bool:
    """A hyphen ties a conjunct to what stays: "non-performing assets and weak sales", "formerly whites-only", "hide-and-seek"."""
    start, stop = where.left.start, where.right.stop
    before = start > 0 and sentence[start - 1].text == "-" and not sentence.space_before(start)
    behind = stop < len(sentence) and sentence[stop].text == "-" and not sentence.space_before(stop)
    tied = sentence.text[where.mark.start - 1 : where.mark.end + 1] == f"-{where.mark.text}-"
    return tied or before or (behind and where.kinds[1] == "Adj")


def remove_conjunct(sentence: Sentence, where: Coordination, side: str) -> str | None:
    """The sentence without one conjunct: "A, B and C" gives "A and B" or "A and C"; agreement and commas follow."""
    drop = {place for place in (where.partner, where.pause) if place is not None}
    if where.partner and sentence[where.partner - 1].text == "," and where.kinds[1] in ("PP", "Adv"):
        # "challenges, both at home and abroad"
        drop.add(where.partner - 1)
    swap: dict[int, str] = {}
    before: dict[int, str] = {}
    stays = where.left if side == "right" else where.right
    if where.before:
        drop.add(where.left.start - 1)
    if side == "right":
        drop |= {where.mark.i, *where.right, *_closing(sentence, where)}
        if where.before:
            before[where.left.start] = where.word
    else:
        drop |= set(where.left)
        before_left = where.left.start - 1
        if where.word == "but" and before_left >= 0 and sentence[before_left].lower == "not":
            # "not A but B" says B.
            drop.add(before_left)
        if not where.before:
            drop.add(where.mark.i)
            if where.left.start == 0 or not any(i not in drop for i in range(where.left.start)):
                first = sentence[where.right.start]
                swap[first.i] = first.text[:1].upper() + first.text[1:]
    if not where.before:
        agreed = _agreement(sentence, where, stays)
        if agreed is None:
            return None
        swap |= agreed
        swap |= _ordinal(sentence, where)
    text = write(sentence, drop=drop, swap=swap, before=before)
    text = re.sub(r"\s*(-+|–|—)\s*(?=[.!?]$)|(?<=\w\.)\.$", "", text)
    words = [i for i in range(len(sentence)) if i not in drop and not sentence[i].punctuation]
    return end_sentence(text, _final(sentence)) if len(words) >= 2 else None


def _ordinal(sentence: Sentence, where: Coordination) -> dict[int, str]:
    """ "The third and fifth games" are one game each."""
    noun = sentence[where.head.head]
    each = all(re.fullmatch(r"\d+(st|nd|rd|th)|first|second|third|.*th", t.lower) for t in (where.head, where.second))
    inner = where.head.dep == "amod" and noun.tag == "NNS" and not noun.dep.startswith("nsubj")
    return {noun.i: noun.lemma} if inner and each else {}


def _final(sentence: Sentence) -> str:
    last = sentence.text.rstrip("\"”'’) ")[-1:]
    return last if last in ".!?" else ""


def _closing(sentence: Sentence, where: Coordination) -> set[int]:
    """The comma that closes an aside: "the fourth bendahara, or prime minister, was"."""
    end, listed = where.right.stop, bool(where.before)
    aside = where.pause is not None and not listed and where.kinds[1] not in ("Clause", "VP")
    return {end} if aside and end < len(sentence) - 1 and sentence[end].text == "," else set()


def _agreement(sentence: Sentence, where: Coordination, stays: range) -> dict[int, str] | None:
    """A subject that loses a conjunct of an `and` may become singular, and its verb with it; None if more would have to change."""
    top = where.head
    if where.word != "and" or top.dep not in ("nsubj", "nsubj:pass") or top.i not in where.left:
        return {}
    kept = sentence[top.i] if top.i in stays else where.second
    many = is_plural(sentence, kept) if kept.i != top.i else kept.tag in ("NNS", "NNPS")
    predicate = sentence[top.head]
    if many:
        return {}
    plurals = {"their", "they", "them", "themselves", "both", "each"} | (
        {"we", "our", "us"} if "i" in (top.lower, where.second.lower) else set()
    )
    # "are friends", "became friends", "are seen as friends"
    said = (predicate, *sentence.children(predicate.i, "xcomp", "obl"))
    said = tuple(t for t in said if t.dep != "obl" or "as" in {one.lower for one in sentence.children(t.i)})
    if any(t.tag in ("NNS", "NNPS") for t in said) or plurals & {t.lower for t in sentence.tokens}:
        return None
    changed: dict[int, str] = {}
    verbs = [predicate, *(t for t in sentence.children(predicate.i, "conj") if not sentence.children(t.i, "nsubj"))]
    for verb in verbs:
        finite = _finite(sentence, verb)
        if finite is not None:
            form = agree(finite.lemma, finite.tag, many=False, first=kept.lower == "i")
            if form != finite.lower:
                changed[finite.i] = form
    return changed


def _finite(sentence: Sentence, verb: Token) -> Token | None:
    """The verb that agrees with the subject, if its form depends on it: a present tense, or "was" and "were"."""
    first = next((t for t in sentence.verbs(verb.i) if t.verbal), None)
    agrees = first is not None and (first.tag == "VBP" or (first.tag == "VBD" and first.lemma == "be"))
    return first if agrees else None
