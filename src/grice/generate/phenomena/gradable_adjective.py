"""Gradable adjectives: "good" implicates "not excellent"."""

from __future__ import annotations

from functools import cache

from grice.generate.grammar import BE, VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.paradigm import (
    TENSE_AND_NEGATION,
    ScaleClauses,
    scalar_phenomenon,
    scalar_rows,
    scale_clauses,
)
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.scales import scale_kind


@cache
def _scales() -> dict[str, dict[str, str]]:
    """Return the scales by name; one pair of words can be said of two sorts of thing."""
    rows_by_scale: dict[str, dict[str, str]] = {}
    for row in table("adjective_scales"):
        name = f"{row['weak']} - {row['strong']}"
        rows_by_scale[f"{name} (thing)" if name in rows_by_scale else name] = row
    return rows_by_scale


def _slots(words: Words, cell: Conditions) -> Slots:
    row = _scales()[cell["scale"]]
    if "#" not in row["subject"]:
        return {"subject": words.people}
    return {"owner": words.names, "noun": words.singulars(row["kinds"])}


def _clauses(draw: Draw) -> ScaleClauses:
    row = _scales()[draw.cell["scale"]]
    if "#" in row["subject"]:
        pattern = row["subject"] if draw.cell["tense"] == "past" else row["present"]
        who = pattern.replace("*", draw["owner"].name).replace("#", draw["noun"])
    else:
        who = draw["subject"].text
    weak, strong = VerbPhrase(BE, row["weak"], "state"), VerbPhrase(BE, row["strong"], "state")
    return scale_clauses(draw, who, weak, strong)


def _build(draw: Draw) -> list[NewItem]:
    kind = scale_kind(draw.cell["scale"].removesuffix(" (thing)"))
    return scalar_rows(draw, _clauses, {"trigger": "adjective"}, kind=kind)


gradable_adjective = scalar_phenomenon(
    "gradable_adjective",
    slots=_slots,
    build=_build,
    conditions={"scale": tuple(_scales()), **TENSE_AND_NEGATION},
    marked=("scale", "tense"),
)
