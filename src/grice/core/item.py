"""Items, the question that a judge sees of each, and the card of a dataset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from json.encoder import encode_basestring
from typing import Any

from grice.core.scale import Answer

TagValue = str | tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """All that a judge sees of an item: no gold and no tags, so that nothing leaks.

    >>> grice.Item("a", "Some left.", "Not all left.", {"pragmatic": "entailment"}).question
    Question(id='a', premise='Some left.', hypothesis='Not all left.')
    """

    id: str
    premise: str
    hypothesis: str | None = None


@dataclass(frozen=True)
class Item:
    """Text or pair to be judged.

    `gold` maps a reading to its answer: a pair may have a logical and a pragmatic answer, a
    category and a probability, or none yet. A tag may hold several values. `group` is the paradigm
    of the item.

    >>> gold = {"logical": "neutral", "pragmatic": "entailment"}
    >>> item = grice.Item("a", "Some left.", "Not all left.", gold)
    >>> item.gold["pragmatic"]
    'entailment'
    """

    id: str
    premise: str
    hypothesis: str | None = None
    gold: Mapping[str, Answer] = field(default_factory=dict)
    tags: Mapping[str, TagValue] = field(default_factory=dict)
    group: str | None = None

    @property
    def question(self) -> Question:
        """The part of this item that a judge sees."""
        return Question(self.id, self.premise, self.hypothesis)

    def to_json(self) -> dict[str, Any]:
        """Return the line of a file of items; what is absent is left out."""
        line: dict[str, Any] = {"id": self.id, "premise": self.premise}
        if self.hypothesis is not None:
            line["hypothesis"] = self.hypothesis
        if self.gold:
            line["gold"] = dict(self.gold)
        if self.tags:
            line["tags"] = {
                key: list(v) if isinstance(v, tuple) else v for key, v in self.tags.items()
            }
        if self.group is not None:
            line["group"] = self.group
        return line

    def to_line(self) -> str:
        """Return what `json.dumps` writes of `to_json`, at a third of its cost.

        Encoded tags and labels are cached, because they occur many times.
        """
        line = f'{{"id": {encode_basestring(self.id)}, "premise": {encode_basestring(self.premise)}'
        if self.hypothesis is not None:
            line += f', "hypothesis": {encode_basestring(self.hypothesis)}'
        known = _ENTRIES.get
        if self.gold:
            line += (
                ', "gold":'
                f" {{{', '.join([known(pair) or _entry(pair) for pair in self.gold.items()])}}}"
            )
        if self.tags:
            line += (
                ', "tags":'
                f" {{{', '.join([known(pair) or _entry(pair) for pair in self.tags.items()])}}}"
            )
        if self.group is not None:
            line += f', "group": {encode_basestring(self.group)}'
        return line + "}"


# Only text entries: 1, 1.0 and True would be the same key.
_ENTRIES: dict[tuple[str, Answer | TagValue], str] = {}


def _entry(pair: tuple[str, Answer | TagValue]) -> str:
    key, value = pair
    entry = f"{encode_basestring(key)}: {json.dumps(value, ensure_ascii=False)}"
    if isinstance(value, str):
        if len(_ENTRIES) > 1 << 15:
            _ENTRIES.clear()
        _ENTRIES[pair] = entry
    return entry


@dataclass(frozen=True)
class Remote:
    """Published file: its path in the data folder, its address at the authors, and its checksum.

    `sha256` is None where we could not hash the authors' file; fetching it then says so. Of a table
    with `columns`, only these are stored, and the one called `person` is renumbered in order of
    first appearance; the checksum is that of the stored file. `derived_from` says how a file
    without an address was derived from published ones.
    """

    path: str
    url: str
    sha256: str | None = None
    size: int | None = None
    columns: tuple[str, ...] = ()
    person: str = ""
    derived_from: str = ""


@dataclass(frozen=True)
class Card:
    """Description of a dataset: what one must know before using it."""

    title: str
    citation: str = ""
    licence: str = ""
    homepage: str = ""
    notes: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    files: tuple[Remote, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        parts = {"notes": list(self.notes), "counts": dict(self.counts)}
        return {**vars(self), **parts, "files": [vars(remote) for remote in self.files]}
