"""Gradable verbs: "like" implicates "not love"."""

from __future__ import annotations

from functools import cache

from grice.generate.grammar import Verb, VerbPhrase
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
    return {f"{row['weak']} - {row['strong']}": row for row in table("verb_scales")}


@cache
def _verbs(scale: str) -> tuple[Verb, Verb]:
    row = _scales()[scale]
    weak, strong = (
        Verb(
            row[name],
            *(row[f"{name}_{form}"] for form in ("third", "past", "participle", "gerund")),
        )
        for name in ("weak", "strong")
    )
    return weak, strong


def _slots(words: Words, cell: Conditions) -> Slots:
    row = _scales()[cell["scale"]]
    kinds = row["objects"] if row["subjects"] == "person" else row["subjects"]
    return {"person": words.people, "noun": words.singulars(kinds)}


def _clauses(draw: Draw) -> ScaleClauses:
    scale = draw.cell["scale"]
    row = _scales()[scale]
    person, noun = draw["person"].text, f"the {draw['noun']}"
    who, whom = (person, noun) if row["subjects"] == "person" else (noun, person)
    weak, strong = (VerbPhrase(verb, whom, row["aspect"]) for verb in _verbs(scale))
    return scale_clauses(draw, who, weak, strong)


def _build(draw: Draw) -> list[NewItem]:
    kind = scale_kind(draw.cell["scale"].removesuffix(" (thing)"))
    return scalar_rows(draw, _clauses, {"trigger": "verb"}, kind=kind)


gradable_verb = scalar_phenomenon(
    "gradable_verb",
    slots=_slots,
    build=_build,
    conditions={"scale": tuple(_scales()), **TENSE_AND_NEGATION},
    marked=("scale", "tense"),
)
