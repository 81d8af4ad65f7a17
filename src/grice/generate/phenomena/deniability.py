"""Deniability: an implicature may be taken back with "in fact", an entailment or a presupposition may not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from grice.generate import grammar
from grice.generate._everyday import batches, deeds, named
from grice.generate.lexicon import Words, lexicon, table
from grice.generate.paradigm import C, E, N
from grice.generate.phenomenon import Draw, Phenomenon, Row


class _Told(NamedTuple):
    """What is said, and what may follow it, of one subject."""

    said: str
    stronger: str
    only_said: str
    denied: str
    weaker: str


@cache
def relatives() -> tuple[str, ...]:
    """Those whom one person has: kin, and people who work for them."""
    kept = [row["singular"] for row in table("possessions") if row["sort"] in ("kin", "helper")]
    callings = [
        noun.singular for noun in lexicon().nouns_of("health", "teaching", "trade", "office", "service")
    ]
    return tuple(dict.fromkeys(kept + callings))


def slots(_words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    acts: Sequence[Any] = deeds() if cell["scale"] == "or - and" else batches()
    return {"owner": named(), "relative": relatives(), "act": acts}


def _told(draw: Draw) -> _Told:
    if draw.cell["scale"] == "or - and":
        verb, rest, _ = draw["act"].phrase
        other = draw.rng.pick(draw["act"].others)
        return _Told(
            f"{verb.past} {rest} or {other}",
            f"{verb.past} both {rest} and {other}",
            f"{verb.past} only one of the two",
            f"{verb.past} neither {rest} nor {other}",
            f"{verb.past} at least one of the two",
        )
    verb, rest, _ = draw["act"]
    some = draw.cell["scale"].partition(" ")[0]
    return _Told(
        f"{verb.past} {some} of {rest}",
        f"{verb.past} all of {rest}",
        f"did not {verb.base} all of {rest}",
        f"{verb.past} none of {rest}",
        f"{verb.past} at least one of {rest}",
    )


def build(draw: Draw) -> list[Row]:
    owner, relative = draw["owner"].text, draw["relative"]
    who = f"{grammar.possessive(owner)} {relative}"
    told = _told(draw)
    said = grammar.sentence(who, told.said)
    has, has_not = f"{owner} has {grammar.a(relative)}", f"{owner} does not have {grammar.a(relative)}"
    corrected = f"{said} {grammar.sentence(f'in fact, {who} {told.stronger}')}"

    def move(inference: str, move: str, clause: str, label: str) -> Row:
        tags = {"role": "target", "inference": inference, "move": move}
        return Row(said, grammar.sentence(f"in fact, {clause}"), {"label": label}, tags)

    def after(inference: str, clause: str, label: str) -> Row:
        tags = {"role": "control", "inference": inference, "move": "taken back"}
        return Row(corrected, grammar.sentence(clause), {"label": label}, tags)

    return [
        move("implicature", "denied", f"{who} {told.stronger}", N),
        move("implicature", "affirmed", f"{who} {told.only_said}", N),
        move("entailment", "denied", f"{who} {told.denied}", C),
        move("entailment", "affirmed", f"{who} {told.weaker}", E),
        move("presupposition", "denied", has_not, C),
        move("presupposition", "affirmed", has, E),
        after("implicature", f"{who} {told.only_said}", C),
        after("entailment", f"{who} {told.weaker}", E),
        after("presupposition", has, E),
    ]


deniability = Phenomenon(
    name="deniability",
    kind="deniability",
    what=(
        "A sentence and a continuation with \"In fact, …\" that denies or affirms its implicature, its entailment or its presupposition. Score: the share "
        "right by `inference` and `move`; on `denied` an implicature must not be a contradiction, an entailment and a presupposition must."
    ),
    why=(
        "\"Some of the carrots\" implicates \"not all\", and \"In fact, all of them\" takes that back without contradiction (neutral, by the literal meaning). "
        "\"In fact, none of them\" contradicts what was said, and \"In fact, Jo does not have a sister\" what was taken for granted. The controls have the "
        "implicature taken back within the premise: it is then contradicted, while entailment and presupposition stand."
    ),
    slots=slots,
    build=build,
    rows=9,
    tags=("kind", "phenomenon", "role", "inference", "move", "scale"),
    conditions={"scale": ("some - all", "most - all", "or - and")},
    marked=("scale",),
    references=("Jeretič et al. (2020), Figure 1.", "Grice (1975)."),
)  # fmt: skip
