"""Clefts, existence: "It was Ana who painted the fence" presupposes that someone did."""

from __future__ import annotations

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate.phenomenon import Draw, NewItem


def plain_acts(draw: Draw) -> presupposition.Environments:
    """Return the five environments of the same act without the cleft: "Ana painted the fence"."""
    return presupposition.act_environments(
        draw["person"], draw["deed"].phrase, draw.cell["tense"], draw.rng.copy()
    )


def plain_clauses(draw: Draw) -> presupposition.Environments:
    """Return the same environments with the clause whole in each: "Is it true that Ana …?"."""
    does = grammar.inflect(draw["deed"].phrase, draw.cell["tense"])
    clause = f"{draw['person'].text} {does}"
    return presupposition.clause_environments(
        clause,
        grammar.ask("is it true that", clause),
        draw.rng.copy(),
        supposed=f"it is true that {clause}",
        ahead=draw.cell["tense"] == "future",
    )


def clefts(draw: Draw) -> presupposition.Environments:
    """Return the cleft in its five environments; its negation is that of "it was"."""
    who = f"{draw['person'].text} who {grammar.inflect(draw['deed'].phrase, draw.cell['tense'])}"
    was = "was" if draw.cell["tense"] == "past" else "is"
    denied = grammar.negate(was, contracted=draw.rng.randbelow(2) == 0)
    return presupposition.clause_environments(
        f"it {was} {who}",
        grammar.ask(was, "it", who),
        draw.rng,
        negated=f"it {denied} {who}",
        ahead=draw.cell["tense"] == "future",
    )


def _build(draw: Draw) -> list[NewItem]:
    deed, tense = draw["deed"], draw.cell["tense"]
    does = grammar.inflect(deed.phrase, tense)
    presupposed = presupposition.Presupposed(
        grammar.sentence("someone", does),
        grammar.sentence("nobody", does),
        grammar.sentence("someone", grammar.inflect(deed.swap_object(draw.rng), tense)),
    )
    another = draw.rng.pick_other(draw.words.people, draw["person"])
    more = presupposition.possibility(f"{another.text} {does}", draw.rng)
    return presupposition.existence_rows(clefts(draw), plain_acts(draw), more, presupposed)


cleft_existence = presupposition.presupposition_phenomenon(
    "cleft_existence",
    slots=lambda words, _cell: {"person": words.people, "deed": deeds()},
    build=_build,
    conditions={"tense": ("past", "future")},
)
