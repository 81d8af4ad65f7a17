"""Mine a part of a corpus: parse, pair, check, and count what gave nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.shelf import PAIRERS
from grice.mining._trees import from_columns, from_conllu
from grice.mining.confidence import confidence, features
from grice.mining.corpora import Record
from grice.mining.grammar_check import faults
from grice.mining.pairs import MinedPair, PairOutcome, Skip
from grice.mining.parse import MAX_CHARACTERS, Sentence
from grice.mining.parsers import load_parser
from grice.mining.sources import MAX_WORDS, unfit_text
from grice.mining.transformer import TransformerParser

# Words without which a pairer finds nothing, so that such sentences need no parse.
NEEDED = {
    "complements": re.compile(r"\b(to|that)\b", re.IGNORECASE),
    "swaps": re.compile(r"\b(to|that)\b", re.IGNORECASE),
    "conjuncts": re.compile(r"\b(and|or|but|nor)\b", re.IGNORECASE),
}
MIN_WORDS = 3


@dataclass(frozen=True)
class Task:
    """What is mined and how: everything that decides the output except the corpus.

    Attributes:
        weights: Confidence's weights by the user's own readings; None for the shipped ones.
    """

    pairer: str
    parser: str = ""
    trees: bool = True
    gate: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    keep: float = 0.0
    unlisted: bool = False
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True)
class MinedPart:
    """The pairs of a part, each with its stratum for sampling, and counts of everything else."""

    items: list[tuple[str, Item]]
    counts: Counter[str]


@dataclass(frozen=True)
class Candidate:
    """A pair with the record and sentence that it comes from, and its confidence."""

    record: Record
    sentence: Sentence
    pair: MinedPair
    confidence: float


def mine_part(task: Task, part: Sequence[Record]) -> MinedPart:
    """Return the pairs of a part of a corpus; a process loads the parser once, on first use."""
    pair_sentence: Callable[..., PairOutcome] = PAIRERS.find(task.pairer)
    parser = load_parser(task.parser)
    counts: Counter[str] = Counter()
    records = [record for record in part if _is_usable(record, task, counts)]
    sentences = _parse_records(records, task, parser, counts)
    candidates: list[Candidate] = []
    for record, sentence in zip(records, sentences, strict=True):
        if sentence is None:
            continue
        if not sentence.tokens:
            counts["skipped: more words than the parser takes"] += 1
            continue
        for outcome in pair_sentence(sentence, **task.options):
            if isinstance(outcome, Skip):
                counts[f"skipped: {outcome.reason}"] += 1
            elif outcome.evidence == "listed" or task.unlisted:
                likely = confidence(task.pairer, outcome, task.weights)
                candidates.append(Candidate(record, sentence, outcome, likely))
            else:
                counts[f"left out: {outcome.evidence}"] += 1
    candidates = _drop_unlikely(candidates, task, counts)
    if task.gate:
        candidates = _drop_faulty(candidates, parser, counts)
    items = _make_items(task, candidates)
    counts["pairs"] += len(items)
    return MinedPart(items, counts)


def _is_usable(record: Record, task: Task, counts: Counter[str]) -> bool:
    """Count a record once, with the reason if it is left out, and return whether to parse it."""
    reason = record.fault
    if not reason and len(record.text) > MAX_CHARACTERS:
        reason = f"a sentence longer than {MAX_CHARACTERS:,} characters"
    if reason:
        counts[f"passed over: {reason}"] += 1
        return False
    counts["sentences"] += 1
    if reason := _reason_to_skip(record, task):
        counts[f"skipped: {reason}"] += 1
    return not reason


def _reason_to_skip(record: Record, task: Task) -> str:
    """Return why a text needs no parse, which takes most of the time; empty if it needs one."""
    needed = NEEDED.get(task.pairer)
    if needed is not None and not needed.search(record.text):
        return "no word to look for"
    if len(record.text.split()) < MIN_WORDS:
        return "fewer than three words"
    if task.options.get("unlabelled"):
        return ""
    # A tree that came with a record may have other spaces.
    if needed is not None and (record.tree is None or not task.trees):
        return unfit_text(record.text, task.options.get("longest", MAX_WORDS))
    return ""


def _parse_records(
    records: Sequence[Record], task: Task, parser: TransformerParser, counts: Counter[str]
) -> list[Sentence | None]:
    """Return the tree that came with each record if there is one and it is used, else a parse."""
    sentences: list[Sentence | None] = [None] * len(records)
    to_parse: list[int] = []
    for i, record in enumerate(records):
        if record.tree is None or not task.trees:
            to_parse.append(i)
            continue
        try:
            sentences[i] = given_sentence(record)
        except InputError:
            counts["skipped: a tree that cannot be read"] += 1
    parses = parser.parse([records[i].text for i in to_parse])
    for i, sentence in zip(to_parse, parses, strict=True):
        sentences[i] = sentence
    return sentences


def given_sentence(record: Record) -> Sentence:
    """Return the sentence of the tree that came with a record.

    Raises:
        InputError: The tree cannot be read.
    """
    tree = record.tree
    try:
        if isinstance(tree, dict):
            columns = {key: tree[key] for key in ("lemmas", "heads", "deprels")}
            return from_columns(tree["words"], tags=tree["xpos"], pos=tree["upos"], **columns)
        return from_conllu(str(tree))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        fact = f"the tree that came with it cannot be read ({type(error).__name__})"
        raise InputError(f"{record.place}: {fact}; check it") from None


def _drop_unlikely(
    candidates: Sequence[Candidate], task: Task, counts: Counter[str]
) -> list[Candidate]:
    """Drop and count pairs below `keep`; a pair without gold makes no claim that could be wrong."""
    likely = [c for c in candidates if not c.pair.gold or c.confidence >= task.keep]
    if n_dropped := len(candidates) - len(likely):
        counts[f"left out: confidence below {task.keep:g}"] += n_dropped
    return likely


def _drop_faulty(
    candidates: Sequence[Candidate], parser: TransformerParser, counts: Counter[str]
) -> list[Candidate]:
    """Drop and count pairs whose written sentences have faults, each with its whole group."""
    texts = list(dict.fromkeys(text for c in candidates for text in c.pair.written))
    parses = dict(zip(texts, parser.parse(texts), strict=True))
    first_faults = [_first_fault(candidate, parses) for candidate in candidates]
    faulty_groups = {
        (candidate.record.place, candidate.pair.group)
        for candidate, fault in zip(candidates, first_faults, strict=True)
        if fault and candidate.pair.group
    }
    remaining = []
    for candidate, fault in zip(candidates, first_faults, strict=True):
        if fault:
            counts[f"dropped: {fault}"] += 1
        elif (candidate.record.place, candidate.pair.group) in faulty_groups:
            counts["dropped: with its group"] += 1
        else:
            remaining.append(candidate)
    return remaining


def _first_fault(candidate: Candidate, parses: Mapping[str, Sentence]) -> str:
    written = (parses[text] for text in candidate.pair.written)
    checked = (fault for parse in written for fault in faults(candidate.sentence, parse))
    return next(checked, "")


def _make_items(task: Task, candidates: Sequence[Candidate]) -> list[tuple[str, Item]]:
    """Return each pair as an item with its stratum; ids are unique within a part."""
    items, seen = [], set()
    for candidate in candidates:
        pair, position = candidate.pair, candidate.record.place
        name = f"{position}/{pair.key}"
        if name in seen:
            name = next(f"{name}.{n}" for n in range(2, 1000) if f"{name}.{n}" not in seen)
        seen.add(name)
        tags = {
            **pair.tags,
            "evidence": pair.evidence,
            "confidence": f"{candidate.confidence:.3f}",
            "parser_sure": f"{pair.sure:.3f}",
            "rules": features(pair),
            "kind": task.pairer,
            "source": position,
        }
        group = f"{position}/{pair.group}" if pair.group else position
        item = Item(name, pair.premise, pair.hypothesis, pair.gold, tags, group)
        items.append((pair.stratum, item))
    return items
