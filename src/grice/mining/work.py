"""What a worker does with a part of a corpus: parse, pair, read again, and count what gave nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.shelf import PAIRERS
from grice.mining._gate import faults
from grice.mining._trees import from_columns, from_conllu, from_tree
from grice.mining.confidence import confidence, features
from grice.mining.corpora import Record
from grice.mining.pairs import LONGEST_WORDS, MinedPair, Outcome, Skip, unfit_text
from grice.mining.parse import LONGEST, Parser, Sentence, load_parser

# Words without which a pairer finds nothing, so that such sentences need no parsing.
NEEDED = {
    "complements": re.compile(r"\b(to|that)\b", re.IGNORECASE),
    "swaps": re.compile(r"\b(to|that)\b", re.IGNORECASE),
    "conjuncts": re.compile(r"\b(and|or|but|nor)\b", re.IGNORECASE),
}
SHORTEST = 3


@dataclass(frozen=True)
class Task:
    """What is mined and how; everything that decides the output but the corpus."""

    pairer: str
    parser: str = ""
    trees: bool = True
    gate: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    keep: float = 0.0
    unlisted: bool = False
    # Of confidence's features, by readings of the user's own; none for those that ship.
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True)
class MinedPart:
    """The pairs of a part, each with what sampling balances, and the counts of everything else."""

    items: list[tuple[str, Item]]
    counts: Counter[str]


def mine_part(task: Task, part: Sequence[Record]) -> MinedPart:
    """The pairs of a part of a corpus; a process loads the parser once, on first use."""
    pair: Callable[..., Outcome] = PAIRERS.find(task.pairer)
    read = load_parser(task.parser)
    counts: Counter[str] = Counter()
    able = [record for record in part if _able(record, task, counts)]
    made: list[tuple[Record, Sentence, MinedPair]] = []
    for record, sentence in zip(able, _sentences(able, task, read, counts), strict=True):
        if sentence is None:
            continue
        if not sentence.tokens:
            counts["skipped: more words than the parser takes"] += 1
            continue
        found = pair(sentence, **task.options)
        counts.update(f"skipped: {one.reason}" for one in found if isinstance(one, Skip))
        made += [(record, sentence, one) for one in found if isinstance(one, MinedPair)]
    listed = [one for one in made if _rests_on_evidence(one[2], task, counts)]
    likely = _likely(listed, task, counts)
    items = _items(task, _gated(likely, read, counts) if task.gate else likely)
    counts["pairs"] += len(items)
    return MinedPart(items, counts)


def _able(record: Record, task: Task, counts: Counter[str]) -> bool:
    """Counts every record once: as read, or as passed over with the reason."""
    reason = record.fault
    if not reason and len(record.text) > LONGEST:
        reason = f"a sentence longer than {LONGEST:,} characters"
    if reason:
        counts[f"passed over: {reason}"] += 1
        return False
    counts["sentences"] += 1
    needed = NEEDED.get(task.pairer)
    if needed is not None and not needed.search(record.text):
        counts["skipped: no word to look for"] += 1
        return False
    if len(record.text.split()) < SHORTEST:
        counts["skipped: fewer than three words"] += 1
        return False
    # Before the parse, which takes most of the time; a tree that came with a record may have other spaces.
    if needed is not None and (record.tree is None or not task.trees):
        reason = unfit_text(record.text, task.options.get("longest", LONGEST_WORDS))
        counts.update([f"skipped: {reason}"] if reason else [])
    return not reason


def _sentences(able: Sequence[Record], task: Task, read: Parser, counts: Counter[str]) -> list[Sentence | None]:
    """The tree that came with a record if there is one and it is wanted, else the parser's."""
    found: list[Sentence | None] = []
    bare: list[int] = []
    for place, record in enumerate(able):
        found.append(None)
        if record.tree is not None and task.trees:
            try:
                found[place] = given_sentence(record)
            except InputError:
                counts["skipped: a tree that cannot be read"] += 1
        else:
            bare.append(place)
    for place, sentence in zip(bare, read.parse([able[i].text for i in bare]), strict=True):
        found[place] = sentence
    return found


def given_sentence(record: Record) -> Sentence:
    """The sentence of the tree that came with a record; InputError where it is none."""
    tree = record.tree
    try:
        if isinstance(tree, dict):
            columns = {key: tree[key] for key in ("lemmas", "heads", "deprels")}
            return from_columns(tree["words"], tags=tree["xpos"], pos=tree["upos"], **columns)
        if record.kind == "conllu":
            return from_conllu(str(tree))
        return from_tree(str(tree), record.text)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        why = type(error).__name__
        raise InputError(f"{record.place}: the tree that came with it cannot be read ({why}); check it") from None


def _gated(
    made: Sequence[tuple[Record, Sentence, MinedPair]], read: Parser, counts: Counter[str]
) -> list[tuple[Record, Sentence, MinedPair]]:
    """Pairs whose written sentences read well; a group of which one is dropped goes whole."""
    texts = list(dict.fromkeys(text for _, _, pair in made for text in pair.written))
    again = dict(zip(texts, read.parse(texts), strict=True))
    found: list[list[str]] = []
    bad: set[tuple[str, str]] = set()
    for record, sentence, pair in made:
        wrong = [fault for text in pair.written for fault in faults(sentence, again[text])]
        found.append(wrong)
        if wrong and pair.group:
            bad.add((record.place, pair.group))
    kept = []
    for (record, sentence, pair), wrong in zip(made, found, strict=True):
        if wrong:
            counts[f"dropped: {wrong[0]}"] += 1
        elif (record.place, pair.group) in bad:
            counts["dropped: with its group"] += 1
        else:
            kept.append((record, sentence, pair))
    return kept


def _rests_on_evidence(pair: MinedPair, task: Task, counts: Counter[str]) -> bool:
    """Whether its label is a listed fact; others are left out and counted, unless they are asked for."""
    if pair.evidence == "listed" or task.unlisted:
        return True
    counts[f"left out: {pair.evidence}"] += 1
    return False


def _likely(
    made: Sequence[tuple[Record, Sentence, MinedPair]], task: Task, counts: Counter[str]
) -> list[tuple[Record, Sentence, MinedPair]]:
    """The pairs that are likely enough to be right; what has no gold is no claim that could be wrong."""
    kept = [one for one in made if not one[2].gold or confidence(task.pairer, one[2], task.weights) >= task.keep]
    if left := len(made) - len(kept):
        counts[f"left out: confidence below {task.keep:g}"] += left
    return kept


def _items(task: Task, kept: Sequence[tuple[Record, Sentence, MinedPair]]) -> list[tuple[str, Item]]:
    items, seen = [], set()
    for record, _, pair in kept:
        likely = confidence(task.pairer, pair, task.weights)
        name = f"{record.place}/{pair.key}"
        if name in seen:
            name = next(f"{name}.{n}" for n in range(2, 1000) if f"{name}.{n}" not in seen)
        seen.add(name)
        rests = {"evidence": pair.evidence, "confidence": f"{likely:.3f}", "parser_sure": f"{pair.sure:.3f}"}
        tags = {**pair.tags, **rests, "rules": features(pair), "kind": task.pairer, "source": record.place}
        group = f"{record.place}/{pair.group}" if pair.group else record.place
        items.append((pair.stratum, Item(name, pair.premise, pair.hypothesis, pair.gold, tags, group)))
    return items
