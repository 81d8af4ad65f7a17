"""Mapping of a checkpoint's outputs to labels: by the checkpoint's names, not by position."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from grice.core.errors import InputError
from grice.core.scale import Scale

# Spellings of NLI labels on the hub, in lower case and without punctuation.
SPELLINGS = {
    "entailment": ("entailment", "entail", "entails", "entailed", "e"),
    "neutral": ("neutral", "neither", "n"),
    "contradiction": (
        "contradiction",
        "contradict",
        "contradicts",
        "contradictory",
        "contradicted",
        "c",
    ),
    "not_entailment": ("notentailment", "nonentailment", "notentailed", "noentailment"),
}
KNOWN = {spelling: label for label, spellings in SPELLINGS.items() for spelling in spellings}
PLACEHOLDER = re.compile(r"(?i)^label[_ ]?\d+$")


def output_names(
    config: Mapping[str, Any], stated: Sequence[str], *, where: str
) -> tuple[str, ...]:
    """Return the name of each output.

    The names are those that the user states, else those in `id2label` of the configuration.
    """
    table = config.get("id2label") or {}
    if not isinstance(table, Mapping) or not all(str(key).isdecimal() for key in table):
        raise InputError(f"{where}: its id2label does not number its labels; save the model again")
    count = len(table)
    if stated:
        if table and len(stated) != count:
            raise InputError(
                f"-M labels names {len(stated)} outputs and {where} has {count}; name each one"
            )
        return tuple(stated)
    names = tuple(str(table[key]) for key in sorted(table, key=int))
    if len(names) != 1 and (not names or any(PLACEHOLDER.match(name) for name in names)):
        name_list = ", ".join(names) or "nothing"
        hint = "-M labels=entailment,neutral,contradiction (in the order of its outputs)"
        raise InputError(
            f"{where} does not name its labels (it says {name_list}); state them: {hint}"
        )
    return names


def label_columns(names: Sequence[str], scale: Scale, *, where: str) -> dict[str, list[int]]:
    """Return for each label of the scale the outputs that mean it; their probabilities add up.

    A three-way checkpoint answers a two-way scale: neutral and contradiction are both 'not
    entailment'.
    """
    meant = [_plain(name) for name in names]
    columns = {
        label: [i for i, m in enumerate(meant) if m == _plain(label)] for label in scale.labels
    }
    rest = [label for label, outputs in columns.items() if not outputs]
    if rest and [_plain(label) for label in rest] == ["not_entailment"]:
        columns[rest[0]] = [i for i, m in enumerate(meant) if m in ("neutral", "contradiction")]
    used = sorted(output for outputs in columns.values() for output in outputs)
    if used != list(range(len(names))) or not all(columns.values()):
        remedy = "ask on its own scale, or state its labels with -M labels=…"
        raise InputError(f"{where} answers {', '.join(names)}, and the scale is {scale}; {remedy}")
    return columns


def _plain(name: str) -> str:
    spelling = re.sub(r"[^a-z0-9]+", "", name.lower())
    return KNOWN.get(spelling, spelling)
