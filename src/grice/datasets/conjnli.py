"""ConjNLI (Saha et al. 2020): inference over conjunctive sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.files import read_table, read_text
from grice.core.item import TagValue
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, label
from grice.storage.source import Source, find_published
from grice.theory.conjunction import TOKEN, traits

FILES = {"dev": "conj_dev.tsv", "adversarial": "adversarial_train_15k.tsv", "test": "conj_test.tsv"}


@dataclass(frozen=True)
class Roles:
    """A sentence with one line of BIO tags a predicate."""

    sentence: str
    tags: tuple[tuple[str, ...], ...]


def read(folder: Path, part: str) -> Dataset:
    """Read `dev`, `adversarial` or `test`; `test` has no gold labels."""
    path = find_published(folder, f"conjnli/{FILES[part]}", source="conjnli")
    needed = ("Premise", "Hypothesis") if part == "test" else ("Premise", "Hypothesis", "Label")
    lines = list(read_table(path, quoted=False, columns=needed))
    premises = [row["Premise"].strip() for _, row in lines]
    hypotheses = [row["Hypothesis"].strip() for _, row in lines]
    words = {word: word for word in NLI.labels}
    gold = (
        {}
        if part == "test"
        else {"label": [label(path, n, row["Label"], words) for n, row in lines]}
    )
    pairs = [
        (TOKEN.findall(a), TOKEN.findall(b)) for a, b in zip(premises, hypotheses, strict=True)
    ]
    all_traits = [traits(*pair) for pair in pairs]
    frame = columns(
        f"conjnli/{part}",
        premises,
        hypotheses,
        gold=gold,
        tags={
            **{key: [_tag(values[key]) for values in all_traits] for key in all_traits[0]},
            "operation": [operation(*pair) for pair in pairs],
        },
    )
    return Dataset(f"conjnli/{part}", NLI, frame, CARD)


def operation(premise: list[str], hypothesis: list[str]) -> str | None:
    """Return the edit to the premise's words: some removed, some added, or a stretch replaced.

    None means that the edit is none of these.
    """
    a, b = [word.lower() for word in premise], [word.lower() for word in hypothesis]
    if a == b:
        return None
    if _within(b, a):
        return "removed"
    if _within(a, b):
        return "added"
    start = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    a, b = a[start:], b[start:]
    end = next(
        (i for i, (x, y) in enumerate(zip(reversed(a), reversed(b), strict=False)) if x != y),
        min(len(a), len(b)),
    )
    # The words around the replaced stretch are what makes it a replacement.
    return "replaced" if start + end >= max(len(a), len(b)) - end else None


def roles(folder: Path) -> list[Roles]:
    """Read the published semantic roles of dev: premise and hypothesis of each pair in turn."""
    path = find_published(folder, "conjnli/conj_dev_srl.txt", source="conjnli")
    blocks = [
        block.split("\n")
        for block in re.split(r"\n\s*\n", read_text(path).replace("\r\n", "\n"))
        if block.strip()
    ]
    return [
        Roles(
            lines[0].strip(), tuple(tuple(line.split("\t")) for line in lines[1:] if line.strip())
        )
        for lines in ([line for line in block if line.strip()] for block in blocks)
    ]


def _tag(value: TagValue) -> str | list[str]:
    return value if isinstance(value, str) else list(value)


def _within(short: list[str], long: list[str]) -> bool:
    """Return whether all words of the first text occur in the second, in order."""
    rest = iter(long)
    return len(short) < len(long) and all(word in rest for word in short)


CARD = read_card("conjnli")

conjnli = Source("conjnli", CARD, tuple(FILES), read)
