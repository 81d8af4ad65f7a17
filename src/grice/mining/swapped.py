"""Put every listed verb into every compatible published sentence, for §6.3 of Ross & Pavlick.

The four manipulations are those of Table 6, by the tag `swap`: "main" (a target of the same
complement as main verb), "mismatch" (one of the other complement), "complement" (a target as the
complement's verb, in premise and hypothesis) and "type" (the sentence's own verb, to for that or
back).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import polars as pl

from grice.core.dataset import Dataset
from grice.core.item import Card
from grice.core.scale import NLI
from grice.mining._clauses import complement_sentence
from grice.mining._constructions import VerbComplement, constructions
from grice.mining._english import inflect, write
from grice.mining._negation import negate
from grice.mining._targets import Target
from grice.mining.parse import Sentence, Token
from grice.mining.parsers import load_parser
from grice.mining.sampling import draw
from grice.theory.signature import Environment, expected_label, lexicon, published_verb

NAME = "veridicality/swaps"
ENVIRONMENTS: tuple[Environment, Environment] = ("positive", "negative")
OTHER = {"to": "that", "that": "to"}
# A verb whose five forms differ and that no published sentence has: where it is written, with its
# form, a target goes.
MARKER = "forsake"
TAGS = ("VB", "VBZ", "VBD", "VBG", "VBN")
# Sentences whose pairs become one part of the frame: memory grows with the frame alone.
PART = 100
COLUMNS = ("id", "premise", "hypothesis", "group", "gold.signature", "tag.construction")
TAG_COLUMNS = ("tag.swap", "tag.target", "tag.environment", "tag.sentence")


@dataclass(frozen=True)
class Published:
    """A published sentence in both environments, with its hypothesis and its construction."""

    id: str
    texts: tuple[str, str]
    hypothesis: str
    group: str
    construction: str


@dataclass(frozen=True)
class Slot:
    """A text with a gap for a verb in one form."""

    before: str
    after: str
    tag: str
    is_capital: bool = False

    def fill(self, verb: str) -> str:
        """Return the text with a verb of the published list in its form."""
        form = form_of(verb, self.tag)
        return self.before + (form.capitalize() if self.is_capital else form) + self.after


@dataclass
class Rows:
    """Columns of pairs, written as they are made."""

    columns: dict[str, list[str | None]] = field(default_factory=lambda: defaultdict(list))

    def add(
        self,
        source: Published,
        swap: str,
        target: str,
        texts: tuple[str, str],
        hypothesis: str,
        labels: tuple[str | None, str | None] = (None, None),
    ) -> None:
        """Add the pairs of both environments."""
        name = f"{NAME}/{source.id}/{swap}/{target.replace(' ', '_')}"
        for environment, text, label in zip(ENVIRONMENTS, texts, labels, strict=True):
            row = (f"{name}/{environment}", text, hypothesis, source.group, label)
            tags = (source.construction, swap, target, environment, source.id)
            for column, value in zip((*COLUMNS, *TAG_COLUMNS), (*row, *tags), strict=True):
                self.columns[column].append(value)

    def frame(self) -> pl.DataFrame:
        """Return the rows so far, and begin again."""
        columns, self.columns = self.columns, defaultdict(list)
        return pl.DataFrame({name: columns[name] for name in (*COLUMNS, *TAG_COLUMNS)}).cast(
            pl.String
        )


def swapped(data: Dataset, *, targets: int = 0, seed: int = 0) -> Dataset:
    """Make the dataset `veridicality/swaps` from the published sentences.

    Args:
        targets: How many verbs per sentence and manipulation, drawn by the sentence so that verbs
            are spread evenly; 0 puts in all, as the paper does.
    """
    sources = _sources(data)
    rows, parts, unread = Rows(), [], 0
    for start in range(0, len(sources), PART):
        part = sources[start : start + PART]
        parses = load_parser().parse([source.texts[0] for source in part])
        for source, sentence in zip(part, parses, strict=True):
            site = _site(source, sentence)
            if site is None:
                unread += 1
                continue
            _add_swaps(rows, source, sentence, site, targets, seed)
        parts.append(rows.frame())
    notes = [
        "Made from the published sentences.",
        f"{unread} of {len(sources)} sentences are left out: no construction is found in them.",
    ]
    card = Card("Verb veridicality with other verbs put in", notes=tuple(notes))
    return Dataset(NAME, NLI, pl.concat(parts), card)


def _sources(data: Dataset) -> list[Published]:
    negated = {
        item.tags["sentence"]: item.premise
        for item in data.items()
        if item.tags["environment"] == "negative"
    }
    return [
        Published(
            str(item.tags["sentence"]),
            (item.premise, negated[item.tags["sentence"]]),
            str(item.hypothesis),
            item.group or item.id,
            str(item.tags["construction"]),
        )
        for item in data.items()
        if item.tags["environment"] == "positive"
    ]


def _site(source: Published, sentence: Sentence) -> VerbComplement | None:
    for site in constructions(sentence):
        verb = published_verb(site.verb.lower, site.listed_verb, site.complement)
        if site.doer is None and f"{verb} {site.complement}" == source.construction:
            return site
    return None


def _add_swaps(
    rows: Rows, source: Published, sentence: Sentence, site: VerbComplement, targets: int, seed: int
) -> None:
    own = (source.construction.rpartition(" ")[0], site.complement)
    slots = _main_slots(source, sentence, site)
    for verb, complement in _chosen(sentence, site.complement, own, targets, seed):
        signature = lexicon()[verb, complement]
        positive, negative = (expected_label(signature, e) for e in ENVIRONMENTS)
        texts = (slots[0].fill(verb), slots[1].fill(verb))
        target = f"{verb} {complement}"
        rows.add(source, "main", target, texts, source.hypothesis, (positive, negative))
    for verb, complement in _chosen(sentence, OTHER[site.complement], own, targets, seed):
        texts = (slots[0].fill(verb), slots[1].fill(verb))
        rows.add(source, "mismatch", f"{verb} {complement}", texts, source.hypothesis)
    inner = _inner_slots(source, sentence, site)
    if inner is not None:
        for verb, complement in _chosen(sentence, site.complement, own, targets, seed):
            texts = (inner[0].fill(verb), inner[1].fill(verb))
            rows.add(source, "complement", f"{verb} {complement}", texts, inner[2].fill(verb))
    mark = {site.mark.i: OTHER[site.complement]}
    texts = (write(sentence, swap=mark), negate(sentence, site, swap=mark))
    rows.add(source, "type", source.construction, texts, source.hypothesis)


@cache
def _targets(complement: str) -> tuple[Target, ...]:
    return tuple(target for target in lexicon() if target[1] == complement)


def _chosen(
    sentence: Sentence, complement: str, own: Target, count: int, seed: int
) -> Sequence[Target]:
    """Return the targets that were not there, or as many as asked for, drawn by the sentence."""
    targets = [target for target in _targets(complement) if target[0] != own[0]]
    if not count:
        return targets
    return sorted(targets, key=lambda t: draw(f"{seed}/{' '.join(t)}/{sentence.text}"))[:count]


@cache
def form_of(verb: str, tag: str) -> str:
    """Return the form of a published verb; "saw that" and "felt that" keep their past form."""
    lemma = {"saw": "see", "felt": "feel"}.get(verb, verb)
    is_past = lemma != verb and tag in ("VBZ", "VBP")
    return verb if is_past else inflect(lemma, tag)


def _slot_at(text: str, token: Token, tag: str) -> Slot:
    return Slot(text[: token.start], text[token.end :], tag, token.text[:1].isupper())


def _marked_slot(text: str) -> Slot:
    """Return the slot where the marker verb was written."""
    forms = {form_of(MARKER, tag): tag for tag in TAGS}
    match = re.search(rf"\b({'|'.join(forms)})\b", text, re.IGNORECASE)
    if match is None:
        raise ValueError(f"'{text[:60]}': the verb put in is not there")
    tag = forms[match[0].lower()]
    return Slot(text[: match.start()], text[match.end() :], tag, match[0][0].isupper())


def _same_place(slot: Slot, text: str, verb: str) -> Slot:
    """Return the slot in the published text instead, if it has the verb's form just once."""
    form = form_of(verb, slot.tag)
    matches = list(re.finditer(rf"\b{re.escape(form)}\b", text))
    if len(matches) != 1:
        return slot
    (match,) = matches
    return Slot(text[: match.start()], text[match.end() :], slot.tag)


def _main_slots(source: Published, sentence: Sentence, site: VerbComplement) -> tuple[Slot, Slot]:
    """Return the published texts with a gap for the main verb, positive and negated."""
    tag = site.tag if site.tag.startswith("VB") else "VBD"
    put = {site.verb.i: form_of(MARKER, tag)}
    negated = _marked_slot(negate(sentence, replace(site, lemma=MARKER), swap=put))
    return (
        _slot_at(sentence.text, site.verb, tag),
        _same_place(negated, source.texts[1], site.lemma),
    )


def _inner_slots(
    source: Published, sentence: Sentence, site: VerbComplement
) -> tuple[Slot, Slot, Slot] | None:
    """Return both premises and the hypothesis with a gap for the complement's verb."""
    # "He said he had gone": the auxiliary is the head, and another verb the main one.
    verb = site.top if site.head.pos == "AUX" and site.top is not None else site.head
    if not verb.tag.startswith("VB") or verb.pos == "AUX":
        return None
    form = form_of(MARKER, verb.tag)
    put = {verb.i: form}
    tokens = list(sentence.tokens)
    tokens[verb.i] = replace(verb, text=form, lemma=MARKER)
    changed = Sentence(sentence.text, tuple(tokens))
    hypothesis = complement_sentence(
        changed, replace(site, head=changed[site.head.i]), all_clauses=False
    )
    if hypothesis is None:
        return None
    negated = _marked_slot(negate(sentence, site, swap=put))
    return (
        _slot_at(sentence.text, verb, verb.tag),
        _same_place(negated, source.texts[1], verb.lemma),
        _same_place(_marked_slot(hypothesis), source.hypothesis, verb.lemma),
    )
