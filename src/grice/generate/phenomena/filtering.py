"""Filtering: "If Jo has a cat, Jo's cat is asleep" does not take it that Jo has a cat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import belongings, named
from grice.generate._presupposition import ANSWERS, TAGS, answered
from grice.generate._triggers import possession
from grice.generate.lexicon import Words
from grice.generate.paradigm import N
from grice.generate.phenomenon import Draw, Phenomenon, Row

_OPEN = tuple((polarity, N) for polarity, _ in ANSWERS)
# First parts that do not suppose what the second takes for granted: someone's word for it.
_IF = (
    "is right",
    "is telling the truth",
    "is not mistaken",
    "is not joking",
    "remembers correctly",
    "is to be believed",
)
_EITHER = ("is mistaken", "is lying", "is joking", "is confused", "has been misled", "is making things up")
_HIS = {"f": "her", "m": "his"}


def slots(_words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"owner": named(), "thing": belongings("present")}


def build(draw: Draw) -> list[Row]:
    trigger, rng = possession(draw), draw.rng
    fact = trigger.clause
    one = grammar.a(draw["thing"].singular)
    owner = draw["owner"].text
    again = f"{_HIS[draw['owner'].gender]} {draw['thing'].singular} {draw['thing'].fact.third}"
    has, lacks = f"{owner} has {one}", f"{owner} does not have {one}"
    witness = rng.other(named(), draw["owner"]).text
    say = grammar.sentence
    filters = {
        "filtered conditional": say(f"if {has}, {again}"),
        "filtered disjunction": say(f"either {lacks}, or {again}"),
        "filtered possibility": say(f"it is possible that {has} and that {again}"),
        "filtered negation": say(f"it is not the case that {has} and that {again}"),
    }
    holes = {
        "conditional": say(f"if {witness} {rng.pick(_IF)}, {fact}"),
        "disjunction": say(f"either {witness} {rng.pick(_EITHER)}, or {fact}"),
        "possibility": say(f"it is possible that {witness} {rng.pick(_IF)} and that {fact}"),
    }
    plain = say(fact)
    rows = answered("unembedded", plain, trigger.presupposed, ANSWERS, {})
    rows += answered("conjunction", say(f"{has}, and {again}"), trigger.presupposed, ANSWERS, {})
    for operator, premise in filters.items():
        rows += answered(operator, premise, trigger.presupposed, _OPEN, {})
        rows.append(Row(premise, plain, {"label": N}, {"role": "control", "operator": operator}))
    for operator, premise in holes.items():
        rows += answered(operator, premise, trigger.presupposed, ANSWERS, {})
        rows.append(Row(premise, plain, {"label": N}, {"role": "control", "operator": operator}))
    return rows


filtering = Phenomenon(
    name="filtering",
    kind="presupposition",
    what="A sentence whose first part supposes what its second takes for granted does not take it for granted as a whole.",
    why=(
        "\"If Jo has a cat, Jo's cat is asleep\", \"Either Jo does not have a cat, or …\" and \"It is possible that Jo has a cat and that …\" leave it open "
        "whether Jo has one (neutral). With a first part that only vouches for the second the presupposition passes through; in a plain \"and\" it is asserted."
    ),
    slots=slots,
    build=build,
    rows=34,
    tags=(*TAGS, "tense"),
    conditions={"trigger": ("possession",), "tense": ("present",)},
    marked=("trigger", "tense"),
    references=("Karttunen (1973).", "Heim (1983).", "Jeretič et al. (2020), who leave filters out."),
)  # fmt: skip
